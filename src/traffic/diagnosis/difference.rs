//! The difference between the RPC methods of two sides.

use crate::godot::StrRef;
use crate::traffic::methods::{MethodList, MethodNames, checksum};
use core::cmp::Ordering;
use core::iter;
use std::borrow::ToOwned;
use std::collections::{BTreeSet, HashMap};
use std::string::String;
use std::vec::Vec;

/// The difference between the RPC methods that two sides have for a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The methods of the side that announced the node.
    pub sender: Methods,
    /// The methods of the other side.
    pub receiver: Methods,
    /// Names that only the sender has: at most 100.
    pub only_sender: Vec<String>,
    /// Names that only the receiver has: at most 100.
    pub only_receiver: Vec<String>,
}

/// How the methods of a side are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Methods {
    /// They are not known.
    #[default]
    Unknown,
    /// A list has the checksum that the side announced.
    Announced {
        /// [`MethodList::origin`] of the list.
        origin: String,
        /// [`MethodList::project`] of the list.
        project: Option<u32>,
    },
    /// The side did not announce a checksum. The script has the same file name as that of the other
    /// side, but is in another project.
    SameFileName {
        /// File name of the script.
        origin: String,
        /// [`MethodList::project`] of the list.
        project: Option<u32>,
    },
    /// No list has the checksum that the side announced. With the difference, the list of the other
    /// side has it, or another list.
    Searched {
        /// [`MethodList::origin`] of the list to which the difference applies.
        origin: String,
    },
}

/// Maximum number of names that are reported for a side.
const MAX_NAMES: usize = 100;
/// Maximum number of names that a search adds, of those that occur in other lists.
const MAX_VOCABULARY: usize = 4096;

impl Difference {
    /// Returns `true` if the names that differ are known.
    pub fn is_known(&self) -> bool {
        !self.only_sender.is_empty() || !self.only_receiver.is_empty()
    }

    /// Compares the methods of two sides: of the sender with the checksum `sender`, and of the receiver,
    /// which may have announced another one. `budget` is the number of bytes that a search may hash.
    pub(super) fn find(
        names: &MethodNames,
        path: &str,
        sender: Option<&[u8; 32]>,
        receiver: Option<&[u8; 32]>,
        budget: &mut usize,
    ) -> Self {
        let list = |sum: Option<&[u8; 32]>| sum.and_then(|sum| names.list(sum));
        match (list(sender), list(receiver)) {
            (Some(own), Some(other)) => Self::between(own, other, announced(other)),
            (Some(own), None) => match receiver {
                None => match other_project(names, own) {
                    Some((origin, project, other)) => {
                        let (origin, project) = (origin.to_owned(), Some(project));
                        Self::between(own, other, Methods::SameFileName { origin, project })
                    }
                    None => Self { sender: announced(own), ..Self::default() },
                },
                Some(sum) => {
                    let edit = Search::new(names, own).run(sum, budget);
                    let receiver = edit.as_ref().map_or(Methods::Unknown, |_| searched(own));
                    let Edit { removed, added } = edit.unwrap_or_default();
                    Self {
                        sender: announced(own),
                        receiver,
                        only_sender: removed,
                        only_receiver: added,
                    }
                }
            },
            (None, Some(other)) => {
                let edit = sender.and_then(|sum| Search::new(names, other).run(sum, budget));
                let sender = edit.as_ref().map_or(Methods::Unknown, |_| searched(other));
                let Edit { removed, added } = edit.unwrap_or_default();
                let receiver = announced(other);
                Self { sender, receiver, only_sender: added, only_receiver: removed }
            }
            (None, None) => Self::of_unknown(names, path, sender, budget),
        }
    }

    /// Searches for a list to which the methods of the sender are similar.
    fn of_unknown(
        names: &MethodNames,
        path: &str,
        sender: Option<&[u8; 32]>,
        budget: &mut usize,
    ) -> Self {
        let Some(sum) = sender else { return Self::default() };
        let of_path = names.list_of_path(StrRef::new(path.as_bytes()));
        for list in of_path.into_iter().chain(names.lists()) {
            if let Some(Edit { removed, added }) = Search::new(names, list).run(sum, budget) {
                let receiver = Methods::Unknown;
                let sender = searched(list);
                return Self { sender, receiver, only_sender: added, only_receiver: removed };
            }
        }
        Self::default()
    }

    fn between(own: &MethodList, other: &MethodList, receiver: Methods) -> Self {
        let (only_sender, only_receiver) = compare(own, other);
        Self { sender: announced(own), receiver, only_sender, only_receiver }
    }
}

/// Returns the script in another project that has the same file name as a script with the list `own`, but
/// other methods: its file name, project and methods. Returns `None` if several such scripts differ.
pub(super) fn other_project<'n>(
    names: &'n MethodNames,
    own: &MethodList,
) -> Option<(&'n str, u32, &'n MethodList)> {
    let has_own = |list: &MethodList| list.checksum() == own.checksum();
    let same = names.scripts().filter(|(.., list)| has_own(list));
    let same: HashMap<&str, u32> = same.map(|(project, name, _)| (name, project)).collect();
    let is_other = |(project, name, list): &(u32, &str, &MethodList)| {
        !has_own(list) && same.get(name).is_some_and(|own| own != project)
    };
    let mut others = names.scripts().filter(is_other);
    let (project, name, first) = others.next()?;
    let same = others.all(|(.., list)| list.checksum() == first.checksum());
    same.then_some((name, project, first))
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
        names.push(name.to_owned());
    }
}

/// The names that have to be removed from a list and added to it.
#[derive(Debug, Default)]
struct Edit {
    removed: Vec<String>,
    added: Vec<String>,
}

/// A search for a small change to a list that gives it another checksum.
struct Search<'n> {
    list: Vec<&'n str>,
    /// Number of bytes of all names.
    len: usize,
    /// Names of other lists.
    vocabulary: Vec<&'n str>,
}

impl<'n> Search<'n> {
    fn new(names: &'n MethodNames, list: &'n MethodList) -> Self {
        let own: BTreeSet<_> = list.methods().iter().map(|method| method.name()).collect();
        let others = names.lists().iter().flat_map(MethodList::methods).map(|method| method.name());
        let mut vocabulary = BTreeSet::new();
        for name in others.take(MAX_VOCABULARY) {
            if !own.contains(name) {
                vocabulary.insert(name);
            }
        }
        let list: Vec<_> = own.into_iter().collect();
        let len = list.iter().map(|name| name.len()).sum();
        Self { list, len, vocabulary: vocabulary.into_iter().collect() }
    }

    /// Tries to remove a name, to add one of another list, to do both, and to remove two names. Ends
    /// without a result when the budget is used up.
    fn run(&self, sum: &[u8; 32], budget: &mut usize) -> Option<Edit> {
        let names = || self.list.iter().copied().map(Some);
        let others = || self.vocabulary.iter().copied().map(Some);
        let one = names().map(|name| (name, None, None));
        let other = others().map(|added| (None, None, added));
        let both = names().flat_map(|name| others().map(move |added| (name, None, added)));
        let two = names().enumerate().flat_map(|(index, name)| {
            names().skip(index.saturating_add(1)).map(move |second| (name, second, None))
        });
        for (first, second, added) in one.chain(other).chain(both).chain(two) {
            // MD5 works on blocks of 64 bytes.
            *budget = budget.checked_sub(self.len.saturating_add(64))?;
            if checksum(self.edited(first, second, added)) == *sum {
                let owned = |name: Option<&str>| name.map(ToOwned::to_owned);
                let removed = [first, second].into_iter().filter_map(owned).collect();
                return Some(Edit { removed, added: owned(added).into_iter().collect() });
            }
        }
        None
    }

    /// Returns the sorted names without two of them, and with another one.
    fn edited(
        &self,
        first: Option<&'n str>,
        second: Option<&'n str>,
        mut added: Option<&'n str>,
    ) -> impl Iterator<Item = &'n str> {
        let kept = move |name: &&str| Some(*name) != first && Some(*name) != second;
        let mut names = self.list.iter().copied().filter(kept).peekable();
        iter::from_fn(move || match (names.peek(), added) {
            (Some(name), Some(new)) if new < *name => added.take(),
            (None, Some(_)) => added.take(),
            _ => names.next(),
        })
    }
}
