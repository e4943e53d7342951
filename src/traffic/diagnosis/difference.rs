//! The difference between the RPC methods of two sides.

use super::budget::{Budget, Edit};
use super::text::truncated;
use crate::godot::StrRef;
use crate::traffic::methods::{MethodList, MethodNames};
use core::cmp::Ordering;
use std::borrow::ToOwned;
use std::string::String;
use std::vec::Vec;

/// The difference between the RPC methods that two sides have for a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Difference {
    /// The methods of the side that announced the node.
    pub sender: Methods,
    /// The methods of the other side.
    pub receiver: Methods,
    /// Names that only the sender has: at most 32, of at most 256 bytes each.
    pub only_sender: Vec<String>,
    /// Names that only the receiver has: at most 32, of at most 256 bytes each.
    pub only_receiver: Vec<String>,
}

/// The source of what is known about the methods of a side.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Methods {
    /// The methods are not known.
    #[default]
    Unknown,
    /// A list with the checksum that the side announced.
    Announced {
        /// [`MethodList::origin`] of the list.
        origin: String,
        /// [`MethodList::project`] of the list.
        project: Option<u32>,
    },
    /// A script of a different project with the same file name as the script of the other side.
    /// This side announced no checksum, and is assumed to use this script.
    SameFileName {
        /// File name of the script.
        origin: String,
        /// [`MethodList::project`] of the list.
        project: Option<u32>,
    },
    /// A list that has the announced checksum after a small change. No list has this checksum
    /// unchanged. The [`Difference`] contains the change.
    Searched {
        /// [`MethodList::origin`] of the unchanged list.
        origin: String,
    },
}

/// Maximum number of names that are reported for a side.
const MAX_NAMES: usize = 32;

impl Difference {
    /// Returns `true` if the names that differ are known.
    pub fn is_known(&self) -> bool {
        !self.only_sender.is_empty() || !self.only_receiver.is_empty()
    }

    /// Compares the methods that two sides have for the node at `path`. `sender` and `receiver` are
    /// the checksums that the sides announced, if they did.
    pub(super) fn find(
        names: &MethodNames,
        path: &str,
        sender: Option<&[u8; 32]>,
        receiver: Option<&[u8; 32]>,
        budget: &mut Budget,
    ) -> Self {
        let list = |sum: Option<&[u8; 32]>| sum.and_then(|sum| names.list(sum));
        match (list(sender), list(receiver), receiver) {
            (Some(own), Some(other), _) => Self::between(own, other, announced(other)),
            (Some(own), None, None) => match budget.other_project(names, own) {
                Some((origin, project, other)) => {
                    let (origin, project) = (origin.to_owned(), Some(project));
                    Self::between(own, other, Methods::SameFileName { origin, project })
                }
                None => Self { sender: announced(own), ..Self::default() },
            },
            (Some(own), None, Some(sum)) => {
                let sender = announced(own);
                match budget.search(names, own, sum) {
                    Some(Edit { removed, added }) => Self {
                        sender,
                        receiver: searched(own),
                        only_sender: removed,
                        only_receiver: added,
                    },
                    None => Self { sender, ..Self::default() },
                }
            }
            (None, Some(other), _) => {
                let receiver = announced(other);
                match sender.and_then(|sum| budget.search(names, other, sum)) {
                    Some(Edit { removed, added }) => Self {
                        sender: searched(other),
                        receiver,
                        only_sender: added,
                        only_receiver: removed,
                    },
                    None => Self { receiver, ..Self::default() },
                }
            }
            (None, None, _) => Self::of_unknown(names, path, sender, budget),
        }
    }

    /// Finds the difference if no list has the checksum of either side. Searches for a small change
    /// to a list after which the list has the checksum of the sender. Tries only the list that was
    /// added for the node's path, or all lists if there is none.
    fn of_unknown(
        names: &MethodNames,
        path: &str,
        sender: Option<&[u8; 32]>,
        budget: &mut Budget,
    ) -> Self {
        let Some(sum) = sender else { return Self::default() };
        let of_path = names.list_of_path(StrRef::new(path.as_bytes()));
        let found = match of_path {
            Some(list) => budget.search(names, list, sum).map(|edit| (list, edit)),
            None => budget.search_all(names, sum),
        };
        let Some((list, Edit { removed, added })) = found else { return Self::default() };
        let (sender, receiver) = (searched(list), Methods::Unknown);
        Self { sender, receiver, only_sender: added, only_receiver: removed }
    }

    fn between(own: &MethodList, other: &MethodList, receiver: Methods) -> Self {
        let (only_sender, only_receiver) = compare(own, other);
        Self { sender: announced(own), receiver, only_sender, only_receiver }
    }
}

fn announced(list: &MethodList) -> Methods {
    Methods::Announced { origin: list.origin().to_owned(), project: list.project() }
}

fn searched(list: &MethodList) -> Methods {
    Methods::Searched { origin: list.origin().to_owned() }
}

/// Returns the names that only the first list has, and those that only the second has.
fn compare(first: &MethodList, second: &MethodList) -> (Vec<String>, Vec<String>) {
    let mut firsts = first.methods().iter().map(|method| method.name()).peekable();
    let mut seconds = second.methods().iter().map(|method| method.name()).peekable();
    let (mut only_first, mut only_second) = (Vec::new(), Vec::new());
    loop {
        let order = match (firsts.peek(), seconds.peek()) {
            (Some(first), Some(second)) => first.cmp(second),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return (only_first, only_second),
        };
        let first = if order.is_le() { firsts.next() } else { None };
        let second = if order.is_ge() { seconds.next() } else { None };
        match (first, second) {
            (Some(name), None) => push(&mut only_first, name),
            (None, Some(name)) => push(&mut only_second, name),
            _ => {}
        }
    }
}

fn push(names: &mut Vec<String>, name: &str) {
    if names.len() < MAX_NAMES {
        names.push(truncated(name.as_bytes()));
    }
}
