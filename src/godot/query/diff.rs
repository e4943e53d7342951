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
//! For two values of the same dialect, at least one difference is reported unless their bytes are
//! equal. A difference in the encoding alone (the width of a number, unused header bits, padding,
//! the declared types of a container) is reported as [`What::Form`]. For values of different
//! dialects, such differences are not reported.
//!
//! * Pairs of dictionaries and properties of objects are matched by their keys, in any order. A
//!   String and a StringName are the same key, as in an engine. The keys that both dictionaries
//!   contain can be in a different order. This is reported as one change of the dictionary.
//! * In arrays and packed arrays, equal elements at the start and at the end are skipped; the
//!   elements between them are compared by index.
//! * If two values have different types, or two objects have different classes, the entire value is
//!   reported as one change.
//!
//! The comparison takes O(n log n) time and O(n) memory for n bytes, at any depth of nesting.

mod leaf;
mod pairs;
mod tree;

use super::path::{Found, Segment};
use crate::godot::types::container::SHARED;
use crate::godot::{Container, Encoded};
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::ops::Range;
use tree::{Interner, Node, Tree};

/// One difference between two values.
#[derive(Clone, Copy, Debug)]
pub struct Change<'d, 'a> {
    /// The path of the value in the new root value. For a value that was removed, its path in the
    /// old root value.
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
    /// The value exists only in the new root value.
    Added(Found<'a>),
    /// The value exists only in the old root value.
    Removed(Found<'a>),
    /// Only the encoding is different: that of the value, of the key of its pair, or of the name of
    /// its property. For a container, `old` and `new` are the bytes before its items; changes of
    /// the items are reported separately.
    Form {
        /// The old bytes.
        old: &'a [u8],
        /// The new bytes.
        new: &'a [u8],
    },
    /// The keys that both dictionaries contain, or the properties that both objects have, are in a
    /// different order.
    Order,
}

/// The path of a change; see [`path`](super::path).
#[derive(Clone, Copy, Debug)]
pub struct Way<'d, 'a>(&'d [Segment<'a>]);

impl<'d, 'a> Way<'d, 'a> {
    /// Returns the segments, the outermost first.
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

/// Calls `report` with each difference between two values. The differences are in the order of the
/// bytes of the new value. Removed pairs and properties are reported after all other differences
/// inside their container.
///
/// If the values differ, and one of them has the compact form or nests more than 1,024 containers,
/// one change of the entire value is reported. Only a reader with a caller-provided stack accepts
/// values that nest so deeply.
///
/// # Errors
/// Returns the first error of `report` and stops there.
pub fn diff<'a, E>(
    old: Encoded<'a>,
    new: Encoded<'a>,
    report: impl FnMut(Change<'_, 'a>) -> Result<(), E>,
) -> Result<(), E> {
    let are_alike = old.dialect() == new.dialect() && old.form() == new.form();
    let mut interner = Interner::default();
    let old = Tree::new(old, &mut interner);
    // Equal bytes of different dialects or forms can be different values, so they must not get the
    // same id.
    interner = if are_alike { interner } else { interner.with_new_ids() };
    let new = Tree::new(new, &mut interner);
    let mut diff = Diff { old, new, path: Vec::new(), todo: Vec::new(), report };
    diff.todo.push(Todo { depth: 0, segment: None, task: Task::Compare(Node::ROOT, Node::ROOT) });
    while let Some(todo) = diff.todo.pop() {
        diff.path.truncate(todo.depth);
        diff.path.extend(todo.segment);
        diff.run(todo.task)?;
    }
    Ok(())
}

/// Two values that are being compared. A list of tasks replaces recursion.
struct Diff<'a, F> {
    old: Tree<'a>,
    new: Tree<'a>,
    path: Vec<Segment<'a>>,
    todo: Vec<Todo<'a>>,
    report: F,
}

/// A task for the value at `segment`, below the first `depth` segments of the path.
struct Todo<'a> {
    depth: usize,
    segment: Option<Segment<'a>>,
    task: Task<'a>,
}

#[derive(Clone, Copy)]
enum Task<'a> {
    Compare(Node, Node),
    Report(What<'a>),
}

impl<'a, E, F: FnMut(Change<'_, 'a>) -> Result<(), E>> Diff<'a, F> {
    fn run(&mut self, task: Task<'a>) -> Result<(), E> {
        match task {
            Task::Compare(old, new) => self.compare(old, new),
            Task::Report(what) => self.report_change(what),
        }
    }

    fn report_change(&mut self, what: What<'a>) -> Result<(), E> {
        (self.report)(Change { path: Way(&self.path), what })
    }

    /// Returns `true` if two nodes have the same bytes.
    fn is_same(&self, old: Node, new: Node) -> bool {
        self.old.id(old) == self.new.id(new)
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

    /// Compares the bytes before the items of two containers. The numbers of items may differ,
    /// because the items are compared later.
    fn heads(&mut self, old: Node, new: Node) -> Result<(), E> {
        let (was, is) = (self.old.head(old), self.new.head(new));
        let is_same = match self.old.len(old) == self.new.len(new) {
            true => was == is,
            false => without_count(was) == without_count(is),
        };
        if is_same || self.old.dialect() != self.new.dialect() {
            return Ok(());
        }
        self.report_change(What::Form { old: was, new: is })
    }

    fn leaves(&mut self, was: Encoded<'a>, is: Encoded<'a>) -> Result<(), E> {
        let (path, report) = (&mut self.path, &mut self.report);
        leaf::compare(was, is, |segment, what| {
            let depth = path.len();
            path.extend(segment);
            let result = report(Change { path: Way(path), what });
            path.truncate(depth);
            result
        })
    }

    /// Schedules the comparison of the elements of two arrays.
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
                (Some(old), None) => Task::Report(What::Removed(self.old.found(*old))),
                (None, Some(new)) => Task::Report(What::Added(self.new.found(*new))),
                (None, None) => continue,
            };
            self.todo.push(Todo { depth, segment: Some(Segment::Index(index as u64)), task });
        }
    }
}

/// Removes the count from the head of a container, which is the part before its items. Returns the
/// bytes before the count, and the shared bit. The shared bit is stored in the count, but is not
/// part of the number.
fn without_count(head: &[u8]) -> Option<(&[u8], bool)> {
    let (before, count) = head.split_last_chunk()?;
    Some((before, u32::from_le_bytes(*count) & SHARED != 0))
}

/// The ranges of the elements of two arrays that lie between the equal elements at their start and
/// the equal elements at their end.
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

    /// Returns `index` if it is before the end of the old array's range.
    fn of_old(&self, index: usize) -> Option<usize> {
        (index < self.old_end).then_some(index)
    }

    fn of_new(&self, index: usize) -> Option<usize> {
        (index < self.new_end).then_some(index)
    }
}
