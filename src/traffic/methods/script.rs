use core::iter;
use std::borrow::ToOwned;
use std::collections::HashMap;
use std::collections::btree_map::{BTreeMap, Entry};
use std::string::String;
use std::vec::Vec;

/// GDScript sources of a project, scanned for their `@rpc` functions.
///
/// This is a line scanner, not a parser: it looks at declarations that start in the first column.
/// It skips indented lines, which belong to functions and inner classes.
#[derive(Clone, Debug, Default)]
pub struct Scripts {
    all: Vec<Script>,
    /// Scripts by file name and by class name. The first script with a name wins.
    by_name: HashMap<String, usize>,
    authority_changes: bool,
}

/// The peers that may call an RPC method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// Only the multiplayer authority of the node: the server, unless a script changes it.
    Authority,
    /// Any peer.
    AnyPeer,
}

/// The RPC methods of a script by name.
type Methods<'s> = BTreeMap<&'s str, Caller>;

#[derive(Clone, Debug, Default)]
struct Script {
    file_name: String,
    class_name: Option<String>,
    /// File name or class name of the base.
    extends: Option<String>,
    methods: BTreeMap<String, Caller>,
}

impl Scripts {
    /// Adds a script. Other scripts may extend it by its file name, without the folder, or by
    /// its `class_name`.
    pub fn add(&mut self, file_name: &str, source: &str) {
        let mut script = Script::parse(source);
        file_name.clone_into(&mut script.file_name);
        self.authority_changes |= source.contains("set_multiplayer_authority");
        let names = script.class_name.iter().map(String::as_str).chain([file_name]);
        for name in names {
            self.by_name.entry(name.to_owned()).or_insert(self.all.len());
        }
        self.all.push(script);
    }

    /// Returns `true` if a script mentions the method that changes the authority of a node.
    pub(super) fn authority_changes(&self) -> bool {
        self.authority_changes
    }

    /// Returns the file name and the RPC methods of each script, including inherited methods. A
    /// script that only inherits RPC methods is left out, because it has the same methods as its
    /// base.
    ///
    /// Returns an error in place of a script that would increase the total above `most` names.
    /// [`MethodNames::MAX_METHODS`](super::MethodNames::MAX_METHODS) states how names are counted.
    pub(super) fn methods(
        &self,
        most: usize,
    ) -> impl Iterator<Item = Result<(&str, Methods<'_>), TooManyMethods>> + '_ {
        let mut left = most;
        let inherits_all = |script: &&Script| {
            script.methods.is_empty()
                && self.with_bases(script).any(|script| !script.methods.is_empty())
        };
        self.all.iter().filter(move |script| !inherits_all(script)).map(move |script| {
            let (methods, count) = self.methods_of(script, left)?;
            left = left.saturating_sub(count);
            Ok((script.file_name.as_str(), methods))
        })
    }

    /// Returns the file name of each script that declares no RPC methods but inherits some, and the
    /// file name of the nearest base that declares some.
    pub(super) fn inheriting(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all.iter().filter(|script| script.methods.is_empty()).filter_map(|script| {
            let base = self.with_bases(script).find(|base| !base.methods.is_empty())?;
            Some((script.file_name.as_str(), base.file_name.as_str()))
        })
    }

    /// Returns the methods of a script, and their number. A long name is counted as several.
    fn methods_of<'s>(
        &'s self,
        script: &'s Script,
        most: usize,
    ) -> Result<(Methods<'s>, usize), TooManyMethods> {
        let (mut methods, mut count) = (Methods::new(), 0_usize);
        for (method, caller) in self.with_bases(script).flat_map(|script| &script.methods) {
            let Entry::Vacant(entry) = methods.entry(method.as_str()) else { continue };
            entry.insert(*caller);
            count = count.saturating_add(1).saturating_add(method.len() / LONG_NAME);
            if count > most {
                return Err(TooManyMethods);
            }
        }
        Ok((methods, count))
    }

    /// Returns the script, its base, the base of this base and so on.
    fn with_bases<'s>(&'s self, script: &'s Script) -> impl Iterator<Item = &'s Script> {
        let base = |script: &&Script| self.all.get(*self.by_name.get(script.extends.as_ref()?)?);
        iter::successors(Some(script), base).take(MAX_BASES)
    }
}

/// A name counts once, and once more for every `LONG_NAME` bytes of its length.
const LONG_NAME: usize = 64;

/// Maximum number of scripts in a chain in which each extends the next one. More distant bases are
/// ignored, so scripts that extend each other in a circle do no harm.
const MAX_BASES: usize = 64;

/// The error for scripts that together have more than
/// [`MethodNames::MAX_METHODS`](super::MethodNames::MAX_METHODS) RPC methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("together, the scripts have too many RPC methods")]
pub struct TooManyMethods;

impl Script {
    fn parse(source: &str) -> Self {
        let mut script = Self::default();
        let mut rpc = None;
        let mut rest = source;
        while let Some((line, after)) = split_line(rest) {
            rest = after;
            if line.starts_with([' ', '\t', '#']) || line.trim().is_empty() {
                continue;
            }
            let declaration = skip_annotations(line.trim(), &mut rest, &mut rpc);
            script.declare(declaration, rpc);
            // Annotations may be on separate lines before the declaration.
            rpc = rpc.filter(|_| declaration.is_empty() || declaration.starts_with('#'));
        }
        script
    }

    fn declare(&mut self, line: &str, rpc: Option<Caller>) {
        if let Some(name) = line.strip_prefix("class_name ") {
            self.class_name.get_or_insert(identifier(name.trim_start()).to_owned());
        }
        let function = line.strip_prefix("static ").unwrap_or(line).strip_prefix("func ");
        if let Some((name, caller)) = function.zip(rpc) {
            self.methods.insert(identifier(name.trim_start()).to_owned(), caller);
        }
        if line.starts_with("func") {
            return;
        }
        if let Some((_, base)) = line.split_once("extends ") {
            self.extends = Some(base_name(base.trim()).to_owned());
        }
    }
}

/// Returns the first line of `text` and the lines after it, or `None` if `text` is empty.
fn split_line(text: &str) -> Option<(&str, &str)> {
    text.split_once('\n').or((!text.is_empty()).then_some((text, "")))
}

/// Returns what follows the annotations of a line: the declaration, a comment or nothing. `rest` is
/// the text after the line, and is advanced if the arguments continue on further lines. Sets `rpc`
/// if one of the annotations is `@rpc`.
fn skip_annotations<'s>(
    mut line: &'s str,
    rest: &mut &'s str,
    rpc: &mut Option<Caller>,
) -> &'s str {
    while let Some(annotation) = line.strip_prefix('@') {
        let name = identifier(annotation);
        line = annotation.get(name.len()..).unwrap_or_default().trim_start();
        let (mut arguments, mut more) = ("", "");
        if let Some(inner) = line.strip_prefix('(') {
            (arguments, line) = inner.split_once(')').unwrap_or_else(|| {
                (more, *rest) = rest.split_once(')').unwrap_or((*rest, ""));
                (inner, "")
            });
            line = line.trim_start();
        }
        if name == "rpc" {
            let any_peer = [arguments, more].iter().any(|part| part.contains("any_peer"));
            *rpc = Some(if any_peer { Caller::AnyPeer } else { Caller::Authority });
        }
    }
    line
}

/// Returns the name under which [`Scripts`] knows the base of a class. If `base` is a path, this is
/// its file name; otherwise it is the class name.
fn base_name(base: &str) -> &str {
    let base = base.trim_matches(['"', '\'']);
    let file = base.rsplit('/').next().unwrap_or(base);
    if file.ends_with(".gd") { file } else { identifier(base) }
}

/// Returns the identifier at the start of `text`, empty if there is none.
fn identifier(text: &str) -> &str {
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

    #[test]
    fn annotated_functions_are_found() {
        let script = Script::parse(SCRIPT);
        let methods: Vec<_> =
            script.methods.iter().map(|(name, is)| (name.as_str(), *is)).collect();
        let (any, authority) = (Caller::AnyPeer, Caller::Authority);
        assert_eq!(methods, [("blob", authority), ("chat", any), ("move", any)]);
        assert_eq!(script.class_name.as_deref(), Some("Player"));
        assert_eq!(script.extends.as_deref(), Some("base.gd"));
    }

    #[track_caller]
    fn check(sources: [(&str, &str); 2], expected: [&[&str]; 2]) {
        let mut scripts = Scripts::default();
        for (file_name, source) in sources {
            scripts.add(file_name, source);
        }
        let methods: Vec<Vec<_>> =
            scripts.methods(8).map(|script| script.unwrap().1.into_keys().collect()).collect();
        assert_eq!(methods, expected);
    }

    #[test]
    fn methods_of_the_base_are_inherited() {
        let base = "extends Node\n@rpc func a(): pass\n";
        check([("player.gd", SCRIPT), ("base.gd", base)], [&["a", "blob", "chat", "move"], &["a"]]);
        check([("a.gd", "extends Node"), ("b.gd", "@rpc func a(): pass")], [&[], &["a"]]);
        let derived = "extends Player\n@rpc static func z(): pass";
        check(
            [("player.gd", "class_name Player\n@rpc func a(): pass"), ("z.gd", derived)],
            [&["a"], &["a", "z"]],
        );
    }

    #[test]
    fn too_many_methods() {
        let mut scripts = Scripts::default();
        scripts.add("a.gd", "@rpc func a(): pass\n@rpc func b(): pass\n");
        scripts.add("b.gd", "extends \"a.gd\"\n@rpc func c(): pass");
        scripts.add("c.gd", "extends \"a.gd\"\n@rpc func a(): pass");
        scripts.add("d.gd", "extends \"a.gd\"\n");
        let all =
            |most| scripts.methods(most).map(|script| Ok(script?.1.len())).collect::<Vec<_>>();
        assert_eq!(all(7), [Ok(2), Ok(3), Ok(2)]);
        assert_eq!(all(6), [Ok(2), Ok(3), Err(TooManyMethods)]);
    }

    #[test]
    fn a_long_name_counts_as_several() {
        let mut scripts = Scripts::default();
        scripts.add("a.gd", &std::format!("@rpc func {}(): pass", "a".repeat(2 * LONG_NAME)));
        let is_ok = |most| scripts.methods(most).all(|methods| methods.is_ok());
        assert!(is_ok(3) && !is_ok(2));
    }

    #[test]
    fn scripts_that_extend_each_other_end() {
        let (a, b) = ("extends B\n@rpc func a(): pass", "extends \"a.gd\"\n@rpc func b(): pass");
        let b = std::format!("class_name B\n{b}");
        check([("a.gd", a), ("b.gd", &b)], [&["a", "b"], &["a", "b"]]);
    }
}
