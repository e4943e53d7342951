//! `gamewire diff`: what has changed between two saves, in whatever forms they are.
//!
//! Objects are not told by their numbers, which change with everything that comes before, but by
//! where they are: what is at the same place in both is taken to be the same object. A pointer
//! has changed if it leads to another one.

mod align;
mod side;
mod tell;

use super::File;
use super::atom::Atoms;
use crate::args::Diff;
use crate::ui::input::Stop;
use crate::ui::path::{quote_if_needed, short};
use align::align;
use gamewire::rems::{Item, List, Property, Str, Value};
use side::Side;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};
use tell::Teller;

/// Which of the two files something is wrong with.
#[derive(Clone, Copy, Debug)]
pub enum Which {
    Old,
    New,
}

/// Prints what has changed; whether nothing has.
pub fn diff<W: Write>(
    args: &Diff,
    old: &File,
    new: &File,
    out: &mut W,
) -> Result<io::Result<bool>, (Which, Stop)> {
    let (mut old_slots, mut new_slots) = (Vec::new(), Vec::new());
    let old = Side::load(old, &mut old_slots).map_err(|stop| (Which::Old, stop))?;
    let new = Side::load(new, &mut new_slots).map_err(|stop| (Which::New, stop))?;
    // Once to know which objects are the same: a pointer may lead to one that comes later.
    let teller = Teller { args, out: None, is_same: true };
    let mut compare =
        Compare { old: &old, new: &new, same: HashMap::new(), path: String::new(), teller };
    Ok(compare.all().and_then(|()| {
        compare.teller = Teller { args, out: Some(out), is_same: true };
        compare.all()?;
        Ok(compare.teller.is_same)
    }))
}

/// Occurrences that belong together, or one without the other, and how the path goes on there.
struct Pair {
    step: String,
    old: Option<usize>,
    new: Option<usize>,
}

/// What of an object or list is still to be compared, the next one last.
struct Level {
    pairs: Vec<Pair>,
    /// How long the path to it is.
    path: usize,
}

struct Compare<'d, 's, 'a, W> {
    old: &'d Side<'s, 'a>,
    new: &'d Side<'s, 'a>,
    /// Which new object an old one is.
    same: HashMap<usize, usize>,
    path: String,
    teller: Teller<'d, W>,
}

impl<'d, 'a, W: Write> Compare<'d, '_, 'a, W> {
    fn all(&mut self) -> io::Result<()> {
        let roots = self.elements(&self.old.tape.roots, &self.new.tape.roots);
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

    /// Compares what is at two places; what is in it, if that is still to be compared.
    fn pair(&mut self, pair: &Pair) -> io::Result<Vec<Pair>> {
        let (Some(old), Some(new)) = (pair.old, pair.new) else {
            self.tell(pair.old, pair.new)?;
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
            self.tell(Some(old), Some(new))?;
        }
        Ok(Vec::new())
    }

    fn tell(&mut self, old: Option<usize>, new: Option<usize>) -> io::Result<()> {
        let old = old.map(|at| self.old.tape.items(at));
        let new = new.map(|at| self.new.tape.items(at));
        self.teller.changed(&self.path, old, new)
    }

    fn is_same_target(&self, old: u32, new: u32) -> bool {
        match (self.old.place(old), self.new.place(new)) {
            (Some(old), Some(new)) => self.same.get(&old) == Some(&new),
            (None, None) => old == new,
            _ => false,
        }
    }

    /// Properties belong together by their names; of several with one name, the first to the
    /// first.
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
            let text = quote_if_needed(&short(Str::new(name)));
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
            self.teller.order(&self.path)?;
        }
        pairs.reverse();
        Ok(pairs)
    }

    /// What of two lists is to be compared, unless they are to be taken as a whole.
    fn lists(
        &self,
        (old, a): (usize, &List<'_>),
        (new, b): (usize, &List<'_>),
    ) -> Option<Vec<Pair>> {
        let olds: Vec<_> = self.old.tape.inside(old).collect();
        let news: Vec<_> = self.new.tape.inside(new).collect();
        let unwritten =
            |list: &List<'_>, there: usize| u64::from(list.len).saturating_sub(there as u64);
        let same = unwritten(a, olds.len()) == unwritten(b, news.len());
        same.then(|| self.elements(&olds, &news))
    }

    /// The elements of two lists that belong together.
    fn elements(&self, old: &[usize], new: &[usize]) -> Vec<Pair> {
        let likeness = |side: &Side<'_, '_>, all: &[usize]| {
            all.iter().map(|at| side.likeness(*at)).collect::<Vec<_>>()
        };
        let places = align(&likeness(self.old, old), &likeness(self.new, new));
        let pair = |(old_at, new_at): (Option<usize>, Option<usize>)| {
            let step = format!("[{}]", new_at.or(old_at).unwrap_or_default());
            let [old, new] = [(old, old_at), (new, new_at)].map(|(all, at)| all.get(at?).copied());
            Pair { step, old, new }
        };
        // The next one is taken from the end.
        places.into_iter().rev().map(pair).collect()
    }

    /// Compares arrays of as many values, up to where nothing is written any more in both.
    fn array(&mut self, old: &Value<'_>, new: &Value<'_>, len: usize) -> io::Result<()> {
        let (Ok(olds), Ok(news)) = (old.array(), new.array()) else { return Ok(()) };
        let path = self.path.len();
        for (at, pair) in olds.iter().zip(news.iter()).take(len).enumerate() {
            let (Ok(old), Ok(new)) = pair else { break };
            if !is_same_value(&old, &new) {
                self.path.push_str(&format!("[{at}]"));
                let (old, new) = (Item::Value(old), Item::Value(new));
                self.teller.changed(&self.path, Some(&[old]), Some(&[new]))?;
                self.path.truncate(path);
            }
        }
        Ok(())
    }
}

/// A name, and how many properties before have it, too.
type Key<'a> = (Cow<'a, [u8]>, usize);

/// The values of an object by the names of their properties; how often there is each name.
fn named<'a>(
    side: &Side<'_, 'a>,
    object: usize,
    count_of: &mut HashMap<Cow<'a, [u8]>, usize>,
) -> Vec<(Key<'a>, usize)> {
    let mut all = Vec::new();
    for at in side.tape.inside(object) {
        let Some(Item::Property(Property { name, .. })) = side.tape.item(at) else { continue };
        let name = name.to_bytes();
        let count = count_of.entry(name.clone()).or_default();
        all.push(((name, *count), at.saturating_add(1)));
        *count = count.saturating_add(1);
    }
    all
}

/// How many elements of two arrays are to be compared one by one: of arrays of as many values.
fn array_pairs(old: &Value<'_>, new: &Value<'_>) -> Option<usize> {
    if (old.kind(), old.dim(), new.dim()) != (new.kind(), 1, 1) {
        return None;
    }
    let (olds, news) = (old.array().ok()?, new.array().ok()?);
    let is_read = olds.iter().written().chain(news.iter().written()).all(|it| it.is_ok());
    let written = olds.iter().written().count().max(news.iter().written().count());
    (olds.len() == news.len() && is_read).then_some(written)
}

/// Whether values are of one kind and the same, written in whatever way. Malformed ones are if
/// their bytes are.
fn is_same_value(old: &Value<'_>, new: &Value<'_>) -> bool {
    if (old.kind(), old.dim()) != (new.kind(), new.dim()) {
        return false;
    }
    if old.dim() == 0 {
        return match (Atoms::of(old), Atoms::of(new)) {
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
