use core::iter;
use std::borrow::ToOwned;
use std::collections::{BTreeSet, HashMap};
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
}

#[derive(Clone, Debug, Default)]
struct Script {
    class_name: Option<String>,
    /// File name or class name of the base.
    extends: Option<String>,
    methods: BTreeSet<String>,
}

impl Scripts {
    /// Adds a script. Other scripts may extend it by its file name, without the folder, or by
    /// its `class_name`.
    pub fn add(&mut self, file_name: &str, source: &str) {
        let script = Script::parse(source);
        let names = script.class_name.iter().map(String::as_str).chain([file_name]);
        for name in names {
            self.by_name.entry(name.to_owned()).or_insert(self.all.len());
        }
        self.all.push(script);
    }

    /// Returns the names of the RPC methods of each script that declares such methods, inherited
    /// ones included. Other scripts have the methods of their base, and are left out.
    ///
    /// Returns an error in place of a script with which there would be more than `most` names in
    /// total. [`MethodNames::MAX_METHODS`](super::MethodNames::MAX_METHODS) states how names are
    /// counted.
    pub(super) fn methods(
        &self,
        most: usize,
    ) -> impl Iterator<Item = Result<BTreeSet<&str>, TooManyMethods>> + '_ {
        let mut left = most;
        self.all.iter().filter(|script| !script.methods.is_empty()).map(move |script| {
            let (methods, count) = self.methods_of(script, left)?;
            left = left.saturating_sub(count);
            Ok(methods)
        })
    }

    /// Returns the names of the methods of a script, and their number, in which a long name counts
    /// as several.
    fn methods_of<'s>(
        &'s self,
        script: &'s Script,
        most: usize,
    ) -> Result<(BTreeSet<&'s str>, usize), TooManyMethods> {
        let (mut methods, mut count) = (BTreeSet::new(), 0_usize);
        for method in self.with_bases(script).flat_map(|script| &script.methods) {
            if !methods.insert(method.as_str()) {
                continue;
            }
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
        let mut is_rpc = false;
        let mut rest = source;
        while let Some((line, after)) = split_line(rest) {
            rest = after;
            if line.starts_with([' ', '\t', '#']) || line.trim().is_empty() {
                continue;
            }
            let declaration = skip_annotations(line.trim(), &mut rest, &mut is_rpc);
            script.declare(declaration, is_rpc);
            // Annotations may be on separate lines before the declaration.
            is_rpc &= declaration.is_empty() || declaration.starts_with('#');
        }
        script
    }

    fn declare(&mut self, line: &str, is_rpc: bool) {
        if let Some(name) = line.strip_prefix("class_name ") {
            self.class_name.get_or_insert(identifier(name.trim_start()).to_owned());
        }
        let function = line.strip_prefix("static ").unwrap_or(line).strip_prefix("func ");
        if let Some(name) = function.filter(|_| is_rpc) {
            self.methods.insert(identifier(name.trim_start()).to_owned());
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

/// Returns what follows the annotations of a line: the declaration, a comment or nothing.
/// `rest` is the text after the line, and is advanced if arguments extend over more lines.
/// Sets `is_rpc` if one of the annotations is `@rpc`.
fn skip_annotations<'s>(mut line: &'s str, rest: &mut &'s str, is_rpc: &mut bool) -> &'s str {
    while let Some(annotation) = line.strip_prefix('@') {
        let name = identifier(annotation);
        *is_rpc |= name == "rpc";
        line = annotation.get(name.len()..).unwrap_or_default().trim_start();
        let Some(arguments) = line.strip_prefix('(') else { continue };
        line = match arguments.split_once(')') {
            Some((_, after)) => after.trim_start(),
            None => {
                *rest = rest.split_once(')').map_or("", |(_, after)| after);
                ""
            }
        };
    }
    line
}

/// Returns the base of a class by the name under which [`Scripts`] knows it: the file name of
/// a path, or the class name.
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
        assert_eq!(script.methods.iter().collect::<Vec<_>>(), ["blob", "chat", "move"]);
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
            scripts.methods(8).map(|methods| methods.unwrap().into_iter().collect()).collect();
        assert_eq!(methods, expected);
    }

    #[test]
    fn methods_of_the_base_are_inherited() {
        let base = "extends Node\n@rpc func a(): pass\n";
        check([("player.gd", SCRIPT), ("base.gd", base)], [&["a", "blob", "chat", "move"], &["a"]]);
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
            |most| scripts.methods(most).map(|methods| Ok(methods?.len())).collect::<Vec<_>>();
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
