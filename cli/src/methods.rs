//! Names for the numbers by which RPCs call methods.
//!
//! An engine sends a method as its place among the sorted names of a script's RPC
//! methods. Who has the scripts, or a list, can name them. The packet that announces a
//! node's path has the MD5 of those names, which says which script the node has.

use md5::{Digest, Md5};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io;
use std::path::Path;

/// Which methods nodes have.
#[derive(Debug, Default)]
pub struct Methods {
    /// Lists of which it is not known whose they are, by the MD5 of their names.
    by_checksum: HashMap<String, Vec<String>>,
    /// Lists by the path of the node.
    by_path: HashMap<String, Vec<String>>,
}

impl Methods {
    /// The name of the method with that number.
    pub fn name(&self, path: &str, checksum: Option<&str>, number: u16) -> Option<&str> {
        let by_path = || self.by_path.get(path);
        let list = checksum.and_then(|sum| self.by_checksum.get(sum)).or_else(by_path)?;
        list.get(usize::from(number)).map(String::as_str)
    }

    /// Lines of `path-or-script: method`; what follows a `#` is left out.
    pub fn add_list(&mut self, text: &str) -> Result<(), String> {
        let mut lists: HashMap<&str, BTreeSet<String>> = HashMap::new();
        for (number, line) in (1_u64..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let Some((owner, method)) = line.rsplit_once(':') else {
                return Err(format!("line {number}: `path-or-script: method` was expected"));
            };
            lists.entry(owner.trim()).or_default().insert(method.trim().to_owned());
        }
        for (owner, methods) in lists {
            self.add(Some(owner), methods);
        }
        Ok(())
    }

    /// The `@rpc` functions of all scripts in a folder and those below it.
    pub fn add_scripts(&mut self, folder: &Path) -> io::Result<()> {
        let mut scripts = Scripts::default();
        scripts.read(folder)?;
        for index in 0..scripts.all.len() {
            self.add(None, scripts.methods(index));
        }
        Ok(())
    }

    fn add(&mut self, owner: Option<&str>, methods: BTreeSet<String>) {
        let methods: Vec<_> = methods.into_iter().collect();
        let sum = Md5::digest(methods.concat());
        let sum = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        if let Some(owner) = owner {
            self.by_path.insert(owner.to_owned(), methods.clone());
        }
        self.by_checksum.insert(sum, methods);
    }
}

/// Scripts of a project.
#[derive(Debug, Default)]
struct Scripts {
    all: Vec<Script>,
}

#[derive(Debug, Default)]
struct Script {
    /// Under which others may extend it: its file's name, its class.
    names: Vec<String>,
    extends: Option<String>,
    methods: BTreeSet<String>,
}

impl Scripts {
    fn read(&mut self, folder: &Path) -> io::Result<()> {
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder)? {
                let (path, kind) =
                    entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
                if kind.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "gd") {
                    let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
                    let mut script = Script::parse(&text);
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    script.names.push(name.into_owned());
                    self.all.push(script);
                }
            }
        }
        Ok(())
    }

    /// A script's own and those of the scripts that it extends.
    fn methods(&self, index: usize) -> BTreeSet<String> {
        let mut methods = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut next = Some(index);
        while let Some(index) = next.filter(|index| seen.insert(*index)) {
            let Some(script) = self.all.get(index) else { break };
            methods.extend(script.methods.iter().cloned());
            next = script
                .extends
                .as_ref()
                .and_then(|base| self.all.iter().position(|script| script.names.contains(base)));
        }
        methods
    }
}

impl Script {
    /// What stands at the left margin: the rest belongs to functions and inner classes.
    fn parse(text: &str) -> Self {
        let mut script = Self::default();
        let mut is_rpc = false;
        let mut rest = text;
        while let Some((line, after)) =
            rest.split_once('\n').or((!rest.is_empty()).then_some((rest, "")))
        {
            rest = after;
            if line.starts_with([' ', '\t', '#']) || line.trim().is_empty() {
                continue;
            }
            let mut line = line.trim();
            while let Some(annotation) = line.strip_prefix('@') {
                let name = word(annotation);
                is_rpc |= name == "rpc";
                let arguments = annotation.get(name.len()..).unwrap_or_default().trim_start();
                line = match arguments.strip_prefix('(') {
                    None => arguments,
                    Some(open) => match open.split_once(')') {
                        Some((_, behind)) => behind.trim_start(),
                        // They go on over the next lines.
                        None => {
                            rest = rest.split_once(')').map_or("", |(_, behind)| behind);
                            ""
                        }
                    },
                };
            }
            if let Some(name) = line.strip_prefix("class_name ") {
                script.names.push(word(name.trim_start()).to_owned());
            }
            let extends = line.split_once("extends ").map(|(_, base)| base.trim());
            if let Some(base) = extends.filter(|_| !line.starts_with("func")) {
                let base = base.trim_matches(['"', '\'']);
                let file = base.rsplit('/').next().unwrap_or(base);
                script.extends =
                    Some(if file.ends_with(".gd") { file } else { word(base) }.to_owned());
            }
            let function = line.strip_prefix("static ").unwrap_or(line).strip_prefix("func ");
            if let Some(name) = function.filter(|_| is_rpc) {
                script.methods.insert(word(name.trim_start()).to_owned());
            }
            is_rpc &= line.is_empty() || line.starts_with('#');
        }
        script
    }
}

/// The letters, digits and underscores in front.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = r#"
class_name Player extends "res://base.gd"
@rpc("any_peer", "call_local") func move(to: Vector3):
	@rpc func inner(): pass
@rpc
@warning_ignore("unused") # why not
func blob(): pass
@rpc(
	"any_peer"
)
func chat(): pass
func local(): pass
"#;

    fn methods(text: &str) -> Vec<String> {
        Script::parse(text).methods.into_iter().collect()
    }

    #[test]
    fn annotations() {
        assert_eq!(methods(SCRIPT), ["blob", "chat", "move"]);
        let script = Script::parse(SCRIPT);
        assert_eq!(script.names, ["Player"]);
        assert_eq!(script.extends.as_deref(), Some("base.gd"));
    }

    #[test]
    fn inherited() {
        let mut base = Script::parse("extends Node\n@rpc func a(): pass\n");
        base.names.push("base.gd".into());
        let scripts = Scripts { all: vec![Script::parse(SCRIPT), base] };
        assert_eq!(
            scripts.methods(0).into_iter().collect::<Vec<_>>(),
            ["a", "blob", "chat", "move"]
        );
    }

    /// The list and the checksum of the captures in the corpus.
    #[test]
    fn lists_and_checksums() {
        let mut methods = Methods::default();
        let names = ["state", "small", "raw", "no_args", "move", "chat", "blob"];
        let text: String = names.iter().map(|name| format!("/root/M: {name} # x\n")).collect();
        methods.add_list(&text).unwrap();
        assert_eq!(methods.name("/root/M", None, 2), Some("move"));
        let (sum, names) = methods.by_checksum.iter().next().unwrap();
        assert!(sum.starts_with("6856ef71") && names.len() == 7);
        assert!(methods.add_list("x").is_err());
    }
}
