//! Names of remote methods, which Godot 4 sends as numbers.
//!
//! A remote call identifies its method by an index into the sorted names of the node's RPC methods
//! (see [`Method`]). The names themselves are never sent. [`MethodNames`] resolves the numbers from
//! lists of names or from the GDScript sources of the project (see [`Scripts`]).
//!
//! The packet that announces a node's path (SIMPLIFY_PATH) contains the MD5 of the node's sorted
//! method names (see [`checksum`]). This checksum identifies the right list of names even if
//! nothing else is known about the node.

mod script;

pub use script::{Caller, Scripts, TooManyMethods};

pub use crate::godot::multiplayer::methods::checksum;

use crate::godot::StrRef;
use crate::godot::multiplayer::godot4::Method;
use core::fmt;
use std::borrow::ToOwned;
use std::collections::{BTreeMap, BTreeSet, HashMap};
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
    lists: Vec<MethodList>,
    /// Indices in `lists`, by checksum and by path.
    by_checksum: HashMap<[u8; 32], usize>,
    by_path: HashMap<String, usize>,
    /// Project and file name of each script, and the index of its list.
    scripts: Vec<(u32, String, usize)>,
    /// Number of calls of [`add_scripts`](Self::add_scripts).
    projects: u32,
    authority_changes: bool,
}

impl MethodNames {
    /// Maximum number of methods that [`add_scripts`](Self::add_scripts) accepts in all scripts
    /// together. A method is counted again for each script that inherits it and itself declares RPC
    /// methods, and once more for each 64 bytes of its name.
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
        let by_path = || self.list_of_path(path?);
        let list = checksum.and_then(|sum| self.list(sum)).or_else(by_path)?;
        list.get(method).map(RemoteMethod::name)
    }

    /// Returns the list of methods that has the given checksum.
    pub fn list(&self, checksum: &[u8; 32]) -> Option<&MethodList> {
        self.lists.get(*self.by_checksum.get(checksum)?)
    }

    /// Returns the list of methods that was added for the given path.
    pub fn list_of_path(&self, path: StrRef<'_>) -> Option<&MethodList> {
        self.lists.get(*self.by_path.get(core::str::from_utf8(path.as_bytes()).ok()?)?)
    }

    /// Returns all lists, in the order in which they were added.
    pub fn lists(&self) -> &[MethodList] {
        &self.lists
    }

    /// Returns `true` if a script may change the authority of a node, because it mentions
    /// `set_multiplayer_authority`.
    pub fn authority_changes(&self) -> bool {
        self.authority_changes
    }

    /// Adds a node with all of its RPC methods, in any order. `path` is the node's path as it
    /// appears in packets. Without a path, the node is found only by the checksum of its methods.
    pub fn add<N: Into<String>>(&mut self, path: Option<&str>, names: impl IntoIterator<Item = N>) {
        let names: BTreeSet<String> = names.into_iter().map(Into::into).collect();
        let methods = names.into_iter().map(|name| RemoteMethod { name, caller: None });
        let origin = Origin { name: path.unwrap_or_default().to_owned(), project: None };
        let index = self.add_methods(origin, methods.collect());
        if let Some(path) = path {
            self.by_path.insert(path.to_owned(), index);
        }
    }

    /// Adds a list of sorted methods, and returns its index.
    fn add_methods(&mut self, origin: Origin, methods: Vec<RemoteMethod>) -> usize {
        let checksum = checksum(methods.iter().map(RemoteMethod::name));
        let index = self.lists.len();
        self.lists.push(MethodList { origin, checksum, methods });
        let first = *self.by_checksum.entry(checksum).or_insert(index);
        if let Some((before, [list])) = self.lists.split_at_mut_checked(index)
            && let Some(first) = before.get_mut(first)
        {
            first.forget_contradictions(list);
        }
        index
    }

    /// Adds the methods listed in `text`, one per line as `path-or-script: method`. The part
    /// of a line after `#` is a comment.
    ///
    /// # Errors
    ///
    /// Returns an error for the first line without a colon, and adds nothing. Empty lines and lines
    /// with only a comment are skipped.
    pub fn add_list(&mut self, text: &str) -> Result<(), ListError> {
        let mut lists: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
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
    /// Each call adds the scripts of one project; a server and a client can have different
    /// projects. [`MethodList::project`] tells them apart.
    ///
    /// # Errors
    ///
    /// Returns an error if the scripts together have more than [`MAX_METHODS`](Self::MAX_METHODS)
    /// methods. The scripts before the one that exceeds the limit are still added.
    pub fn add_scripts(&mut self, scripts: &Scripts) -> Result<(), TooManyMethods> {
        let project = self.projects;
        self.projects = project.saturating_add(1);
        self.authority_changes |= scripts.authority_changes();
        let first = self.scripts.len();
        for script in scripts.methods(Self::MAX_METHODS) {
            let (name, methods) = script?;
            let methods = methods
                .into_iter()
                .map(|(name, caller)| RemoteMethod { name: name.to_owned(), caller: Some(caller) });
            let origin = Origin { name: name.to_owned(), project: Some(project) };
            let index = self.add_methods(origin, methods.collect());
            self.scripts.push((project, name.to_owned(), index));
        }
        let added = self.scripts.get(first..).unwrap_or_default();
        let by_name = added.iter().map(|(_, name, index)| (name.clone(), *index));
        let by_name: HashMap<String, usize> = by_name.collect();
        for (name, base) in scripts.inheriting() {
            if let Some(index) = by_name.get(base) {
                self.scripts.push((project, name.to_owned(), *index));
            }
        }
        Ok(())
    }

    /// Returns the project, the file name and the methods of each script.
    pub(super) fn scripts(&self) -> impl Iterator<Item = (u32, &str, &MethodList)> {
        self.scripts.iter().filter_map(|(project, name, index)| {
            Some((*project, name.as_str(), self.lists.get(*index)?))
        })
    }
}

/// The RPC methods of a node or of a script, sorted by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodList {
    origin: Origin,
    checksum: [u8; 32],
    methods: Vec<RemoteMethod>,
}

/// The origin of a list of methods. `name` is the path of a node or the file name of a script.
/// `project` is the number of the project that contains the script.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Origin {
    name: String,
    project: Option<u32>,
}

impl MethodList {
    /// Returns the path for which the list was added, or the file name of the script. Empty if the
    /// list was added without a path.
    pub fn origin(&self) -> &str {
        &self.origin.name
    }

    /// Returns the number of the call of [`MethodNames::add_scripts`] that added the list, counted
    /// from 0. Returns `None` if the list is not from a script.
    pub fn project(&self) -> Option<u32> {
        self.origin.project
    }

    /// Returns the [`checksum`] of the names.
    pub fn checksum(&self) -> &[u8; 32] {
        &self.checksum
    }

    /// Returns the methods, in the order of their numbers.
    pub fn methods(&self) -> &[RemoteMethod] {
        &self.methods
    }

    /// Returns the method with the given number. Returns `None` if there is no such method, or if
    /// the number is that of a method configured on the node itself, which the list does not
    /// contain.
    pub fn get(&self, method: Method) -> Option<&RemoteMethod> {
        self.methods.get(usize::from(method.0))
    }

    /// Forgets the caller of each method that has a different caller in `other`. The two lists have
    /// the same checksum, so it is not known which of them a node has.
    fn forget_contradictions(&mut self, other: &Self) {
        for (own, other) in self.methods.iter_mut().zip(&other.methods) {
            if own.caller != other.caller {
                own.caller = None;
            }
        }
    }
}

/// A method that peers can call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteMethod {
    name: String,
    caller: Option<Caller>,
}

impl RemoteMethod {
    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the peers that may call the method, if the list comes from scripts, and all scripts
    /// with the same method names specify the same peers.
    pub fn caller(&self) -> Option<Caller> {
        self.caller
    }
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
