//! Names of remote methods, which Godot 4 sends as numbers.
//!
//! A remote call names its method by an index into the sorted names of the node's RPC methods,
//! see [`Method`]. The names themselves are never sent. [`MethodNames`] resolves the numbers
//! from lists of names or from the GDScript sources of the project, see [`Scripts`].
//!
//! The packet that announces a node's path (SIMPLIFY_PATH) contains the MD5 of the node's sorted
//! method names, see [`checksum`]. This checksum identifies the right list of names even if nothing
//! else is known about the node.

mod script;

pub use script::{Scripts, TooManyMethods};

use crate::buffer::hex_digits;
use crate::godot::StrRef;
use crate::godot::multiplayer::godot4::Method;
use core::fmt;
use md5::{Digest, Md5};
use std::borrow::ToOwned;
use std::collections::{BTreeSet, HashMap};
use std::string::String;
use std::vec::Vec;

/// Names of the RPC methods of nodes.
///
/// ```
/// use gamewire::godot::multiplayer::godot4::Method;
/// use gamewire::traffic::methods::{MethodNames, Scripts};
///
/// let mut scripts = Scripts::default();
/// scripts.add("player.gd", "extends Node\n@rpc func shoot(): pass\n@rpc func jump(): pass\n");
/// let mut names = MethodNames::default();
/// names.add_scripts(&scripts)?;
/// names.add_list("Main/Door: open\nMain/Door: close # a comment")?;
///
/// let door = Some("Main/Door".into());
/// assert_eq!(names.name(door, None, Method(0)), Some("close"));
/// let player = gamewire::traffic::methods::checksum(["jump", "shoot"]);
/// assert_eq!(names.name(None, Some(&player), Method(1)), Some("shoot"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MethodNames {
    by_checksum: HashMap<[u8; 32], Vec<String>>,
    by_path: HashMap<String, Vec<String>>,
}

impl MethodNames {
    /// Maximum number of methods of all scripts together that [`add_scripts`](Self::add_scripts)
    /// accepts. A method also counts for each script that inherits it and declares RPC methods of
    /// its own. A name counts once more for each 64 bytes of its length.
    pub const MAX_METHODS: usize = 1 << 20;

    /// Returns the name of `method` of a node.
    ///
    /// Finds the list of names by `checksum`, or else by `path`. Both have the form of the fields
    /// of [`Node`](super::Node).
    pub fn name(
        &self,
        path: Option<StrRef<'_>>,
        checksum: Option<&[u8; 32]>,
        method: Method,
    ) -> Option<&str> {
        let by_path = || self.by_path.get(core::str::from_utf8(path?.as_bytes()).ok()?);
        let names = checksum.and_then(|sum| self.by_checksum.get(sum)).or_else(by_path)?;
        names.get(usize::from(method.0)).map(String::as_str)
    }

    /// Adds a node with all of its RPC methods, in any order. `path` is the node's path as it
    /// appears in packets; without it, the node is only found by its checksum.
    pub fn add<N: Into<String>>(&mut self, path: Option<&str>, names: impl IntoIterator<Item = N>) {
        let names: BTreeSet<String> = names.into_iter().map(Into::into).collect();
        let sum = checksum(&names);
        let names: Vec<_> = names.into_iter().collect();
        if let Some(path) = path {
            self.by_path.insert(path.to_owned(), names.clone());
        }
        self.by_checksum.insert(sum, names);
    }

    /// Adds the methods listed in `text`, one per line as `path-or-script: method`. The part
    /// of a line after `#` is a comment.
    ///
    /// # Errors
    ///
    /// Returns an error for the first line without a colon, and adds nothing. Empty lines and lines
    /// with only a comment are skipped.
    pub fn add_list(&mut self, text: &str) -> Result<(), ListError> {
        let mut lists: HashMap<&str, BTreeSet<&str>> = HashMap::new();
        for (number, line) in (1_u64..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let (owner, method) = line.rsplit_once(':').ok_or(ListError { line: number })?;
            lists.entry(owner.trim()).or_default().insert(method.trim());
        }
        for (owner, methods) in lists {
            self.add(Some(owner), methods);
        }
        Ok(())
    }

    /// Adds the RPC methods of each script. Nodes with these methods are found by checksum.
    ///
    /// # Errors
    ///
    /// Returns an error if the scripts together have more than [`MAX_METHODS`](Self::MAX_METHODS)
    /// methods. The scripts before the one that exceeds the limit are still added.
    pub fn add_scripts(&mut self, scripts: &Scripts) -> Result<(), TooManyMethods> {
        scripts.methods(Self::MAX_METHODS).try_for_each(|methods| {
            self.add(None, methods?);
            Ok(())
        })
    }
}

/// Computes the checksum of sorted method names as the engine sends it: the MD5 of the names
/// without separators, in hexadecimal.
///
/// ```
/// use gamewire::traffic::methods::checksum;
///
/// let names = ["blob", "chat", "move", "no_args", "raw", "small", "state"];
/// assert_eq!(checksum(names), *b"6856ef718eeb861d240a3bc016437256");
/// ```
pub fn checksum(names: impl IntoIterator<Item = impl AsRef<str>>) -> [u8; 32] {
    let mut md5 = Md5::new();
    names.into_iter().for_each(|name| md5.update(name.as_ref()));
    hex_digits(md5.finalize().into())
}

/// A line of a list of methods that is not of the form `path-or-script: method`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ListError {
    line: u64,
}

impl ListError {
    /// Returns the number of the line, counted from 1.
    pub const fn line(&self) -> u64 {
        self.line
    }
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected `path-or-script: method`", self.line)
    }
}

impl core::error::Error for ListError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        let mut names = MethodNames::default();
        names.add_list("/root/M: b # comment\n\n# nothing\n/root/M:a\nres://m.gd: c").unwrap();
        let name = |path: &'static str, index| {
            names.name(Some(StrRef::new(path.as_bytes())), None, Method(index))
        };
        assert_eq!(name("/root/M", 0), Some("a"));
        assert_eq!(name("/root/M", 1), Some("b"));
        assert_eq!(name("/root/M", 2), None);
        assert_eq!(name("res://m.gd", 0), Some("c"));
        assert_eq!(name("other", 0), None);
        assert_eq!(names.name(None, Some(&checksum(["a", "b"])), Method(1)), Some("b"));
        let error = names.add_list("x: y\n\nz").unwrap_err();
        assert_eq!(error.line(), 3);
        assert_eq!(name_count(&names), 2);
    }

    fn name_count(names: &MethodNames) -> usize {
        names.by_path.len()
    }

    #[test]
    fn the_checksum_has_precedence_over_the_path() {
        let mut names = MethodNames::default();
        names.add(Some("Main"), ["old"]);
        names.add(None, ["new"]);
        let path = Some(StrRef::new(b"Main"));
        assert_eq!(names.name(path, Some(&checksum(["new"])), Method(0)), Some("new"));
        assert_eq!(names.name(path, Some(&[b'0'; 32]), Method(0)), Some("old"));
    }
}
