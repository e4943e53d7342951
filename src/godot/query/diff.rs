//! Reports the differences between two values, path by path.
//!
//! ```
//! use gamewire::godot::diff::{What, diff};
//! use gamewire::godot::notation::Reading;
//! use gamewire::godot::{Dialect, Reader};
//! use std::convert::Infallible;
//!
//! let packet = |text| Reading::default().read(text).unwrap().to_bytes(Dialect::Godot4);
//! let (old, new) = (packet(r#"{"hp": 5, "ids": [1, 2]}"#)?, packet(r#"{"ids": [1], "hp": 6}"#)?);
//! let [old, new] = [&old, &new].map(|bytes| Reader::new(bytes, Dialect::Godot4).read_encoded());
//!
//! let mut changes = Vec::new();
//! diff(old?, new?, |change| {
//!     changes.push(match change.what {
//!         What::Changed { old, new } => format!("{}: {} → {}", change.path, old.value(), new.value()),
//!         What::Removed(old) => format!("{}: no {}", change.path, old.value()),
//!         other => format!("{}: {other:?}", change.path),
//!     });
//!     Ok::<(), Infallible>(())
//! });
//! assert_eq!(changes, [": Order", "ids/1: no 2", "hp: 5 → 6"]);
//! # Ok::<(), gamewire::godot::Error>(())
//! ```
//!
//! Where nothing is reported, the values are the same bytes, and the other way round: what
//! differs in its form only (a width, idle bits of a header, a pad, the types that a container
//! states) is reported as [`What::Form`]. (Of values in different dialects forms are not
//! compared.)
//!
//! * Pairs of dictionaries and properties of objects are compared by their keys, in whatever
//!   order. A String and a StringName are the same key, as in an engine. If the keys that both
//!   have come in another order, that is reported once for the dictionary.
//! * Of arrays, elements that are the same at the start and at the end are left out; what is
//!   between them is compared index by index. So are packed arrays.
//! * Values of different types, and objects of different classes, have changed as a whole.
//!
//! Takes time in proportion to n log n of the bytes, however they are nested, and memory in
//! proportion to them.

mod leaf;
mod pairs;
mod tree;

use super::path::{Found, Segment};
use crate::godot::types::container::SHARED;
use crate::godot::{Container, Encoded};
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::ops::Range;
use tree::{Node, Tree, Words};

/// Something that has changed.
#[derive(Clone, Copy, Debug)]
pub struct Change<'d, 'a> {
    /// Where: as it leads through the new value, or through the old one to what was removed.
    pub path: Way<'d, 'a>,
    /// The kind of change.
    pub what: What<'a>,
}

/// The kind of a change.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum What<'a> {
    /// The value was replaced.
    Changed {
        /// The old value.
        old: Found<'a>,
        /// The new value.
        new: Found<'a>,
    },
    /// The value is new.
    Added(Found<'a>),
    /// The value was removed.
    Removed(Found<'a>),
    /// The same in another form: a value, the key of a pair, the name of a property. Of a
    /// container it is what stands in front of its items, which are reported apart.
    Form {
        /// The bytes as they were.
        old: &'a [u8],
        /// The bytes as they are.
        new: &'a [u8],
    },
    /// The keys of a dictionary, or the properties of an object, are in another order.
    Order,
}

/// The path to what has changed, see [`path`](super::path).
#[derive(Clone, Copy, Debug)]
pub struct Way<'d, 'a>(&'d [Segment<'a>]);

impl<'d, 'a> Way<'d, 'a> {
    /// From the outermost on.
    pub fn segments(&self) -> &'d [Segment<'a>] {
        self.0
    }
}

impl Display for Way<'_, '_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for segment in self.0 {
            write!(f, "{separator}{segment}")?;
            separator = "/";
        }
        Ok(())
    }
}

/// Calls `report` with each difference between two values, in the order of the new one.
///
/// Values that are deeper than 1024 containers (read with a stack of the caller's) are
/// compared as a whole.
///
/// # Errors
/// Returns the first error of `report` and stops there.
pub fn diff<'a, E>(
    old: Encoded<'a>,
    new: Encoded<'a>,
    report: impl FnMut(Change<'_, 'a>) -> Result<(), E>,
) -> Result<(), E> {
    let are_alike = old.dialect() == new.dialect() && old.form() == new.form();
    let mut words = Words::default();
    let old = Tree::new(old, &mut words);
    // The same bytes mean something else in another dialect.
    words = if are_alike { words } else { words.strange() };
    let new = Tree::new(new, &mut words);
    let mut diff = Diff { old, new, path: Vec::new(), todo: Vec::new(), report };
    diff.todo.push(Todo { depth: 0, segment: None, task: Task::Compare(Node::ROOT, Node::ROOT) });
    while let Some(todo) = diff.todo.pop() {
        diff.path.truncate(todo.depth);
        diff.path.extend(todo.segment);
        diff.run(todo.task)?;
    }
    Ok(())
}

/// Two values that are being compared. No recursion: what is to do waits in a list.
struct Diff<'a, F> {
    old: Tree<'a>,
    new: Tree<'a>,
    path: Vec<Segment<'a>>,
    todo: Vec<Todo<'a>>,
    report: F,
}

/// Something to be done at `segment`, so many steps down.
struct Todo<'a> {
    depth: usize,
    segment: Option<Segment<'a>>,
    task: Task<'a>,
}

#[derive(Clone, Copy)]
enum Task<'a> {
    Compare(Node, Node),
    Tell(What<'a>),
}

impl<'a, E, F: FnMut(Change<'_, 'a>) -> Result<(), E>> Diff<'a, F> {
    fn run(&mut self, task: Task<'a>) -> Result<(), E> {
        match task {
            Task::Compare(old, new) => self.compare(old, new),
            Task::Tell(what) => self.tell(what),
        }
    }

    fn tell(&mut self, what: What<'a>) -> Result<(), E> {
        (self.report)(Change { path: Way(&self.path), what })
    }

    /// Returns `true` if two nodes have the same bytes.
    fn is_same(&self, old: Node, new: Node) -> bool {
        self.old.word(old) == self.new.word(new)
    }

    fn compare(&mut self, old: Node, new: Node) -> Result<(), E> {
        if self.is_same(old, new) {
            return Ok(());
        }
        let (was, is) = (self.old.container(old), self.new.container(new));
        match (was, is) {
            (Some(Container::Array { .. }), Some(Container::Array { .. })) => {
                self.heads(old, new)?;
                self.items(old, new);
                Ok(())
            }
            (Some(Container::Dictionary { .. }), Some(Container::Dictionary { .. })) => {
                self.heads(old, new)?;
                self.pairs(old, new)
            }
            (Some(Container::Object { class: was, .. }), Some(Container::Object { class, .. }))
                if was == class =>
            {
                self.heads(old, new)?;
                self.pairs(old, new)
            }
            _ => self.leaves(self.old.encoded(old), self.new.encoded(new)),
        }
    }

    /// What stands in front of the items; how many there are, they say themselves.
    fn heads(&mut self, old: Node, new: Node) -> Result<(), E> {
        let (was, is) = (self.old.head(old), self.new.head(new));
        let is_same = match self.old.len(old) == self.new.len(new) {
            true => was == is,
            false => without_count(was) == without_count(is),
        };
        if is_same || self.old.dialect() != self.new.dialect() {
            return Ok(());
        }
        self.tell(What::Form { old: was, new: is })
    }

    fn leaves(&mut self, was: Encoded<'a>, is: Encoded<'a>) -> Result<(), E> {
        let (path, report) = (&mut self.path, &mut self.report);
        leaf::compare(was, is, |segment, what| {
            let depth = path.len();
            path.extend(segment);
            let told = report(Change { path: Way(path), what });
            path.truncate(depth);
            told
        })
    }

    /// The elements of arrays.
    fn items(&mut self, old: Node, new: Node) {
        let was: Vec<_> = self.old.children(old).collect();
        let is: Vec<_> = self.new.children(new).collect();
        let middle = Middle::of(was.len(), is.len(), |old, new| {
            was.get(old).zip(is.get(new)).is_some_and(|(old, new)| self.is_same(*old, *new))
        });
        let depth = self.path.len();
        for index in middle.indices().rev() {
            let old = middle.of_old(index).and_then(|index| was.get(index));
            let new = middle.of_new(index).and_then(|index| is.get(index));
            let task = match (old, new) {
                (Some(old), Some(new)) => Task::Compare(*old, *new),
                (Some(old), None) => Task::Tell(What::Removed(self.old.found(*old))),
                (None, Some(new)) => Task::Tell(What::Added(self.new.found(*new))),
                (None, None) => continue,
            };
            self.todo.push(Todo { depth, segment: Some(Segment::Index(index as u64)), task });
        }
    }
}

/// All of a head but the count, and the bit there that is none.
fn without_count(head: &[u8]) -> Option<(&[u8], bool)> {
    let (before, count) = head.split_last_chunk()?;
    Some((before, u32::from_le_bytes(*count) & SHARED != 0))
}

/// What is left of two arrays without what they have in common at both ends.
struct Middle {
    start: usize,
    old_end: usize,
    new_end: usize,
}

impl Middle {
    fn of(old: usize, new: usize, is_same: impl Fn(usize, usize) -> bool) -> Self {
        let (mut old_end, mut new_end) = (old, new);
        let start = (0..old.min(new)).take_while(|at| is_same(*at, *at)).count();
        while let Some((old, new)) = old_end.checked_sub(1).zip(new_end.checked_sub(1))
            && old >= start
            && new >= start
            && is_same(old, new)
        {
            (old_end, new_end) = (old, new);
        }
        Self { start, old_end, new_end }
    }

    fn indices(&self) -> Range<usize> {
        self.start..self.old_end.max(self.new_end)
    }

    /// An index, if it is one of the old array's middle.
    fn of_old(&self, index: usize) -> Option<usize> {
        (index < self.old_end).then_some(index)
    }

    fn of_new(&self, index: usize) -> Option<usize> {
        (index < self.new_end).then_some(index)
    }
}
