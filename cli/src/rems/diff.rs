//! `gamewire diff`: lists the changes between two saves, which may have different formats.
//!
//! Objects are matched by their position in the tree. Their numbers cannot identify them, because
//! an added object changes the numbers of all later objects. A pointer has changed if its old and
//! new targets are not matching objects.

mod align;
mod changes;
mod side;

use super::File;
use crate::args::Diff;
use crate::ui::input::Stop;
use crate::ui::path::{quote_if_needed, short};
use align::align;
use changes::ChangePrinter;
use gamewire::rems::{Components, Item, List, Property, StrRef, Value};
use side::Side;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

/// One of the two files that are compared.
#[derive(Clone, Copy, Debug)]
pub enum Which {
    Old,
    New,
}

/// Prints the changes between two saves. Returns `true` if there are none. An error states which
/// file could not be read.
pub fn diff(
    args: &Diff,
    old: &File,
    new: &File,
    out: &mut dyn Write,
) -> Result<io::Result<bool>, (Which, Stop)> {
    let (mut old_slots, mut new_slots) = (Vec::new(), Vec::new());
    let old = Side::load(old, &mut old_slots).map_err(|stop| (Which::Old, stop))?;
    let new = Side::load(new, &mut new_slots).map_err(|stop| (Which::New, stop))?;
    // The first pass only matches objects, since a pointer may refer to a later object.
    let changes = ChangePrinter { args, out: None, is_same: true };
    let mut compare =
        Compare { old: &old, new: &new, same: HashMap::new(), path: String::new(), changes };
    Ok(compare.all().and_then(|()| {
        compare.changes = ChangePrinter { args, out: Some(out), is_same: true };
        compare.all()?;
        Ok(compare.changes.is_same)
    }))
}

/// Two matching items, or one item without a counterpart, and the last segment of their path.
struct Pair {
    step: String,
    old: Option<usize>,
    new: Option<usize>,
}

/// The children of an object or list that have not been compared yet, in reverse order.
struct Level {
    pairs: Vec<Pair>,
    /// Length of the path to the object or list.
    path: usize,
}

struct Compare<'d, 's, 'a> {
    old: &'d Side<'s, 'a>,
    new: &'d Side<'s, 'a>,
    /// For each old object, the index of the matching new object.
    same: HashMap<usize, usize>,
    path: String,
    changes: ChangePrinter<'d>,
}

impl<'a> Compare<'_, '_, 'a> {
    fn all(&mut self) -> io::Result<()> {
        let roots = self.elements(self.old.tape.roots(), self.new.tape.roots());
        let mut levels = vec![Level { pairs: roots, path: 0 }];
        while let Some(level) = levels.last_mut() {
            let Some(pair) = level.pairs.pop() else {
                levels.pop();
                continue;
            };
            self.path.truncate(level.path);
            if !pair.step.starts_with('[') {
                self.path.push('.');
            }
            self.path.push_str(&pair.step);
            let pairs = self.pair(&pair)?;
            if !pairs.is_empty() {
                levels.push(Level { pairs, path: self.path.len() });
            }
        }
        Ok(())
    }

    /// Compares two items. Returns the pairs of their children, which the caller must compare.
    fn pair(&mut self, pair: &Pair) -> io::Result<Vec<Pair>> {
        let (Some(old), Some(new)) = (pair.old, pair.new) else {
            self.report(pair.old, pair.new)?;
            return Ok(Vec::new());
        };
        let alike = match (self.old.tape.item(old), self.new.tape.item(new)) {
            (Some(Item::Object(a)), Some(Item::Object(b))) if a.class == b.class => {
                self.same.insert(old, new);
                return self.properties(old, new);
            }
            (Some(Item::List(a)), Some(Item::List(b))) => match self.lists((old, a), (new, b)) {
                Some(pairs) => return Ok(pairs),
                None => false,
            },
            (Some(Item::Value(a)), Some(Item::Value(b))) => match array_pairs(a, b) {
                Some(len) => return self.array(a, b, len).map(|()| Vec::new()),
                None => is_same_value(a, b),
            },
            (Some(Item::Pointer(a)), Some(Item::Pointer(b))) => self.is_same_target(*a, *b),
            (Some(Item::Null), Some(Item::Null)) => true,
            _ => false,
        };
        if !alike {
            self.report(Some(old), Some(new))?;
        }
        Ok(Vec::new())
    }

    fn report(&mut self, old: Option<usize>, new: Option<usize>) -> io::Result<()> {
        let old = old.map(|at| self.old.tape.subtree(at));
        let new = new.map(|at| self.new.tape.subtree(at));
        self.changes.changed(&self.path, old, new)
    }

    fn is_same_target(&self, old: u64, new: u64) -> bool {
        match (self.old.target(old), self.new.target(new)) {
            (Some(old), Some(new)) => self.same.get(&old) == Some(&new),
            (None, None) => old == new,
            _ => false,
        }
    }

    /// Matches properties by name. Properties with the same name are matched in order. Prints a
    /// change if the matched properties are in a different order.
    fn properties(&mut self, old: usize, new: usize) -> io::Result<Vec<Pair>> {
        let mut left = HashMap::new();
        let mut count_of = HashMap::new();
        let news = named(self.new, new, &mut count_of);
        for (place, (key, value)) in news.iter().enumerate() {
            left.insert(key.clone(), (place, *value));
        }
        let mut again = HashMap::new();
        let olds = named(self.old, old, &mut again);
        for (name, count) in again {
            let most = count_of.entry(name).or_default();
            *most = count.max(*most);
        }
        let step = |(name, at): &Key<'a>| {
            let text = quote_if_needed(&short(StrRef::new(name)));
            match count_of.get(name) {
                Some(2..) => format!("{text}[#{at}]"),
                _ => text,
            }
        };
        let (mut pairs, mut last, mut in_order) = (Vec::new(), None, true);
        for (key, value) in &olds {
            let partner = left.remove(key);
            if let Some((place, _)) = partner {
                in_order &= last < Some(place);
                last = Some(place);
            }
            let new = partner.map(|(_, value)| value);
            pairs.push(Pair { step: step(key), old: Some(*value), new });
        }
        let added = news.iter().filter(|(key, _)| left.contains_key(key));
        pairs.extend(added.map(|(key, value)| Pair {
            step: step(key),
            old: None,
            new: Some(*value),
        }));
        if !in_order {
            self.changes.order(&self.path)?;
        }
        pairs.reverse();
        Ok(pairs)
    }

    /// Matches the elements of two lists. Returns `None` if the lists omit different numbers of
    /// elements; each list then counts as one value.
    fn lists(
        &self,
        (old, a): (usize, &List<'_>),
        (new, b): (usize, &List<'_>),
    ) -> Option<Vec<Pair>> {
        let olds: Vec<_> = self.old.tape.children(old).collect();
        let news: Vec<_> = self.new.tape.children(new).collect();
        let unwritten =
            |list: &List<'_>, there: usize| u64::from(list.len).saturating_sub(there as u64);
        let same = unwritten(a, olds.len()) == unwritten(b, news.len());
        same.then(|| self.elements(&olds, &news))
    }

    /// Matches the elements of two lists.
    fn elements(&self, old: &[usize], new: &[usize]) -> Vec<Pair> {
        let fingerprints = |side: &Side<'_, '_>, all: &[usize]| {
            all.iter().map(|at| side.fingerprint(*at)).collect::<Vec<_>>()
        };
        let matches = align(&fingerprints(self.old, old), &fingerprints(self.new, new));
        let pair = |(old_at, new_at): (Option<usize>, Option<usize>)| {
            let step = format!("[{}]", new_at.or(old_at).unwrap_or_default());
            let [old, new] = [(old, old_at), (new, new_at)].map(|(all, at)| all.get(at?).copied());
            Pair { step, old, new }
        };
        // Reversed, because the caller takes the next pair from the end.
        matches.into_iter().rev().map(pair).collect()
    }

    /// Compares the first `len` elements of two arrays one by one, and prints the changes.
    fn array(&mut self, old: &Value<'_>, new: &Value<'_>, len: usize) -> io::Result<()> {
        let (Ok(olds), Ok(news)) = (old.array(), new.array()) else { return Ok(()) };
        let path = self.path.len();
        for (at, pair) in olds.iter().zip(news.iter()).take(len).enumerate() {
            let (Ok(old), Ok(new)) = pair else { break };
            if !is_same_value(&old, &new) {
                self.path.push_str(&format!("[{at}]"));
                let (old, new) = (Item::Value(old), Item::Value(new));
                self.changes.changed(&self.path, Some(&[old]), Some(&[new]))?;
                self.path.truncate(path);
            }
        }
        Ok(())
    }
}

/// The name of a property, and the number of earlier properties with the same name.
type Key<'a> = (Cow<'a, [u8]>, usize);

/// Returns the key of each property of an object, and the index of its value. Adds the number of
/// properties of each name to `count_of`.
fn named<'a>(
    side: &Side<'_, 'a>,
    object: usize,
    count_of: &mut HashMap<Cow<'a, [u8]>, usize>,
) -> Vec<(Key<'a>, usize)> {
    let mut all = Vec::new();
    for at in side.tape.children(object) {
        let Some(Item::Property(Property { name, .. })) = side.tape.item(at) else { continue };
        let name = name.to_bytes();
        let count = count_of.entry(name.clone()).or_default();
        all.push(((name, *count), at.saturating_add(1)));
        *count = count.saturating_add(1);
    }
    all
}

/// Returns the number of elements of two arrays that must be compared one by one. A file can omit
/// the elements at the end of an array. Elements that both files omit need no comparison. Returns
/// `None` if a value is malformed, or if the values are not one-dimensional arrays of the same kind
/// and length.
fn array_pairs(old: &Value<'_>, new: &Value<'_>) -> Option<usize> {
    if (old.kind(), old.dim(), new.dim()) != (new.kind(), 1, 1) {
        return None;
    }
    let (olds, news) = (old.array().ok()?, new.array().ok()?);
    let is_readable = olds.iter().written().chain(news.iter().written()).all(|it| it.is_ok());
    let written = olds.iter().written().count().max(news.iter().written().count());
    (olds.len() == news.len() && is_readable).then_some(written)
}

/// Returns `true` if two values have the same kind and are equal, even if their encodings differ.
/// Malformed values are equal if their bytes are equal.
fn is_same_value(old: &Value<'_>, new: &Value<'_>) -> bool {
    if (old.kind(), old.dim()) != (new.kind(), new.dim()) {
        return false;
    }
    if old.dim() == 0 {
        return match (Components::of(old), Components::of(new)) {
            (Ok(old), Ok(new)) => old == new,
            (Err(_), Err(_)) => old.raw() == new.raw(),
            _ => false,
        };
    }
    match (old.array(), new.array()) {
        (Ok(olds), Ok(news)) if olds.len() == news.len() => {
            let written = olds.iter().written().count().max(news.iter().written().count());
            olds.iter().zip(news.iter()).take(written).all(|pair| match pair {
                (Ok(old), Ok(new)) => is_same_value(&old, &new),
                (Err(_), Err(_)) => old.raw() == new.raw(),
                _ => false,
            })
        }
        (Err(_), Err(_)) => old.raw() == new.raw(),
        _ => false,
    }
}
