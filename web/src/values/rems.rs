//! Saves of Rem's Engine as trees.

mod index;
mod numbers;

use crate::file::brackets::{end_of_value, escaped, skip_separators, unescaped};
use crate::file::json::is_plain;
use crate::file::place::{Fault, Layout, Opening, Part, Place, Role, Row, Shape, Source, Splice};
use crate::file::text::{LONG, SHORT, counted, limited};
use gamewire::rems::{Era, FileFormat};
use index::{Index, Slot, Span, What};
use std::cell::RefCell;

/// A save, as a text file or a binary stream.
pub struct Rems {
    is_text: bool,
    era: Era,
    index: RefCell<Index>,
}

/// The [`Place::form`] of the root. Other places have the index of their slot.
const ROOT: u32 = u32::MAX;

impl Rems {
    pub fn new(bytes: &[u8]) -> Self {
        let is_text = FileFormat::detect(bytes) != Some(FileFormat::Binary);
        let era = if is_text { Era::default() } else { Era::detect(bytes).unwrap_or_default() };
        Self { is_text, era, index: RefCell::new(Index::new(bytes, era, None)) }
    }

    fn slot(&self, place: &Place) -> Option<Slot> {
        self.index.borrow().slots.get(place.form as usize).copied()
    }

    /// Returns the range of the slots inside of a place.
    fn inside(&self, place: &Place) -> Option<(u32, u32)> {
        if place.role == Role::Root {
            return Some((0, self.index.borrow().slots.len() as u32));
        }
        let slot = self.slot(place).filter(|_| place.role != Role::Packed)?;
        let is_container = matches!(slot.what, What::Object(_) | What::List(_));
        is_container.then_some((place.form + 1, slot.next))
    }

    fn row_of(&self, bytes: &[u8], place: &Place) -> Row {
        let Some(slot) = self.slot(place) else { return Row::default() };
        let mut row = Row::default();
        if place.role == Role::Packed {
            let What::Value(kind, dim) = slot.what else { return row };
            row.label = place.index.to_string();
            row.kind = format!("{}{}", kind.name(), brackets(dim - 1));
            row.text = self.value_text(bytes, &slot, place, SHORT);
            row.can_edit = true;
            row.shape = Shape::Text;
            return row;
        }
        let index = self.index.borrow();
        row.label = match slot.name {
            Some(name) => text(bytes, name),
            None => place.index.to_string(),
        };
        match slot.what {
            What::Object(number) => {
                row.kind = text(bytes, slot.class);
                row.text = number.map(|number| format!("#{number}")).unwrap_or_default();
                row.can_open = slot.next > place.form + 1;
                row.shape = Shape::Object;
            }
            What::List(len) => {
                row.kind = format!("{}{}", text(bytes, slot.class), brackets(slot.dim));
                row.count = Some(len.into());
                row.can_open = slot.next > place.form + 1;
                row.shape = Shape::List;
            }
            What::Pointer(number) => {
                row.kind = "pointer".into();
                row.can_edit = true;
                row.text = match (number, index.object(number)) {
                    (0, _) => "null".into(),
                    (_, Some(target)) => format!("→ #{number} {}", text(bytes, target.class)),
                    (_, None) => format!("→ #{number}, which does not exist"),
                };
            }
            What::Null => {
                row.kind = "null".into();
                row.text = "null".into();
                row.shape = Shape::Plain;
            }
            What::Value(kind, dim) => {
                row.kind = format!("{}{}", kind.name(), brackets(dim));
                row.text = self.value_text(bytes, &slot, place, SHORT).replace('\n', " ");
                row.can_open = dim > 0 && self.first_element(bytes, &slot).is_some();
                row.can_edit = self.is_text || dim == 0;
                if row.can_open {
                    row.shape = Shape::List;
                } else if slot.text.is_none() && is_plain(&row.text) {
                    row.shape = Shape::Plain;
                }
            }
        }
        row
    }

    /// Returns the offset of the first element of an array, if it has one that can be shown.
    fn first_element(&self, bytes: &[u8], slot: &Slot) -> Option<usize> {
        let (start, end) = (slot.start as usize, slot.end as usize);
        let What::Value(_, dim) = slot.what else { return None };
        if !self.is_text {
            return (dim == 1 && end > start).then_some(start);
        }
        // The number of elements is first.
        let count = skip_separators(bytes, start + 1);
        let first = skip_separators(bytes, end_of_value(bytes, count, end));
        (first + 1 < end).then_some(first)
    }

    /// Returns the text of a value. Strings have no quotes.
    fn value_text(&self, bytes: &[u8], slot: &Slot, place: &Place, limit: usize) -> String {
        let range = bytes.get(place.value.clone()).unwrap_or_default();
        match (slot.what, slot.text) {
            (What::Value(..), Some(span)) if self.is_text => {
                limited(unescaped(&text(bytes, span)), limit)
            }
            (What::Value(..), Some(span)) => limited(text(bytes, span), limit),
            (What::Value(kind, dim), _) if !self.is_text => {
                if dim > 0 && place.role != Role::Packed {
                    let count = range.len() / kind.size().max(1);
                    return if dim == 1 {
                        counted(count as u64, "element", "elements")
                    } else {
                        String::new()
                    };
                }
                numbers::text(kind, range)
            }
            (What::Pointer(number), _) => number.to_string(),
            _ => limited(String::from_utf8_lossy(range), limit),
        }
    }

    /// Returns the bytes of a new value.
    fn encoded(&self, slot: &Slot, new: &str, is_element: bool) -> Result<Vec<u8>, String> {
        Ok(match slot.what {
            What::Pointer(_) => {
                let number = new.trim().trim_start_matches(['#', '→', ' ']);
                let number: u64 =
                    number.parse().map_err(|_| "the value must be the number of an object")?;
                if self.is_text {
                    number.to_string().into_bytes()
                } else {
                    let number = i32::try_from(number).map_err(|_| "the number is too large")?;
                    number.to_be_bytes().to_vec()
                }
            }
            What::Value(..) if slot.text.is_some() && self.is_text => escaped(new).into_bytes(),
            What::Value(..) if slot.text.is_some() => new.as_bytes().to_vec(),
            What::Value(..) if self.is_text => new.trim().as_bytes().to_vec(),
            What::Value(kind, dim) if dim == 0 || is_element => numbers::encode(kind, new)?,
            _ => return Err("this value cannot be changed here".into()),
        })
    }

    fn changes(
        &self,
        bytes: &[u8],
        place: &Place,
        new: &str,
        fault: &dyn Fn(&str) -> Fault,
    ) -> Result<Vec<Splice>, Fault> {
        let slot = self.slot(place).ok_or_else(|| fault("there is no such value"))?;
        let is_element = place.role == Role::Packed;
        let encoded = self.encoded(&slot, new, is_element).map_err(|text| fault(&text))?;
        let mut splices = Vec::new();
        let mut range = place.value.clone();
        if let (false, Some(text)) = (self.is_text, slot.text) {
            let is_here = text.0 == slot.start && text.0 >= 4;
            if !is_here || self.index.borrow().uses(text) > 1 {
                return Err(fault("this text is used in several places of the binary save"));
            }
            range = text.0 as usize..text.1 as usize;
            let at = range.start - 4;
            let count = i32::try_from(encoded.len()).ok().and_then(|len| len.checked_add(2));
            let count = count.ok_or_else(|| fault("the text is too long"))?;
            let old = bytes.get(at..range.start).unwrap_or_default().to_vec();
            splices.push(Splice { at, old, new: (-count).to_be_bytes().to_vec() });
        }
        let old = bytes.get(range.clone()).unwrap_or_default().to_vec();
        splices.push(Splice { at: range.start, old, new: encoded });
        let mut content = bytes.to_vec();
        for Splice { at, old, new } in &splices {
            content.splice(*at..at + old.len(), new.iter().copied());
        }
        self.same(&content, place.form as usize).map_err(|text| fault(&text))?;
        Ok(splices)
    }

    /// Returns an error unless the content has the same structure as before.
    fn same(&self, content: &[u8], changed: usize) -> Result<(), String> {
        let new = Index::new(content, self.era, Some(changed));
        let old = self.index.borrow();
        if let Some(fault) = new.fault.filter(|fault| old.fault.as_ref() != Some(fault)) {
            return Err(fault.text);
        }
        let pairs = || old.slots.iter().zip(&new.slots).enumerate();
        let is_same = old.slots.len() == new.slots.len()
            && pairs().all(|(at, (a, b))| {
                (a.what == b.what || at == changed)
                    && a.next == b.next
                    && a.name.is_some() == b.name.is_some()
            });
        if is_same { Ok(()) } else { Err("this would change other values".into()) }
    }
}

fn brackets(dim: u8) -> String {
    "[]".repeat(dim.into())
}

fn text(bytes: &[u8], (start, end): Span) -> String {
    let bytes = bytes.get(start as usize..end as usize).unwrap_or_default();
    String::from_utf8_lossy(bytes).into_owned()
}

impl Source for Rems {
    fn open(&self, bytes: &[u8], chain: &[Place]) -> Option<Opening> {
        let place = chain.last()?;
        let (first, end) = (place.value.start, place.value.end);
        let form = if place.role == Role::Root { ROOT } else { place.form };
        let mut opening = Opening { layout: Layout::Values, count: None, first, end, form };
        if self.inside(place).is_some() {
            return Some(opening)
                .filter(|_| self.inside(place).is_some_and(|(a, b)| b > a || form == ROOT));
        }
        let slot = self.slot(place).filter(|_| place.role != Role::Packed)?;
        opening.first = self.first_element(bytes, &slot)?;
        if let (false, What::Value(kind, _)) = (self.is_text, slot.what) {
            let size = kind.size().max(1);
            opening.layout = Layout::Fixed(size);
            opening.count = Some(((end - first) / size) as u64);
        }
        Some(opening)
    }

    fn walk(
        &self,
        bytes: &[u8],
        chain: &[Place],
        opening: &Opening,
        (mut index, mut pos): (u64, usize),
        each: &mut dyn FnMut(Place) -> bool,
    ) -> Result<(), Fault> {
        let Some(place) = chain.last() else { return Ok(()) };
        let slots = &self.index.borrow().slots;
        if let Some((first, end)) = self.inside(place) {
            let mut at = first;
            for _ in 0..index {
                at = slots.get(at as usize).map_or(end, |slot| slot.next);
            }
            while at < end {
                let Some(slot) = slots.get(at as usize) else { break };
                let role = if slot.name.is_some() { Role::Property } else { Role::Element };
                let key =
                    if slot.name.is_some() { slot.key..slot.start.max(slot.key) } else { 0..0 };
                let key = key.start as usize..key.end as usize;
                let value = slot.start as usize..slot.end as usize;
                if !each(Place { role, index, key, value, form: at }) {
                    return Ok(());
                }
                (at, index) = (slot.next, index + 1);
            }
            return match &self.index.borrow().fault {
                Some(fault) if place.role == Role::Root => Err(fault.clone()),
                _ => Ok(()),
            };
        }
        loop {
            let value = match opening.layout {
                Layout::Fixed(size) if pos + size <= opening.end => pos..pos + size,
                Layout::Fixed(_) => break,
                _ => {
                    let start = skip_separators(bytes, pos);
                    let end = end_of_value(bytes, start, opening.end);
                    // The closing bracket is last.
                    if end <= start {
                        break;
                    }
                    start..end
                }
            };
            pos = value.end;
            let role = Role::Packed;
            if !each(Place { role, index, key: 0..0, value, form: opening.form }) {
                break;
            }
            index += 1;
        }
        Ok(())
    }

    fn rows(&self, bytes: &[u8], _: &[Place], children: &[Place]) -> Vec<Row> {
        children.iter().map(|place| self.row_of(bytes, place)).collect()
    }

    fn text(&self, bytes: &[u8], chain: &[Place], part: Part) -> String {
        let place = chain.last().filter(|_| part == Part::Value);
        let slot = place.and_then(|place| Some((place, self.slot(place)?)));
        slot.map(|(place, slot)| self.value_text(bytes, &slot, place, LONG)).unwrap_or_default()
    }

    fn edit(
        &self,
        bytes: &[u8],
        chain: &[Place],
        part: Part,
        text: &str,
    ) -> Result<Vec<Splice>, Fault> {
        let Some(place) = chain.last() else { return Ok(Vec::new()) };
        if self.text(bytes, chain, part) == text || part == Part::Key {
            return Ok(Vec::new());
        }
        let offset = place.value.start;
        self.changes(bytes, place, text, &|text| Fault { text: text.into(), offset })
    }

    fn json(&self, bytes: &[u8], chain: &[Place], out: &mut String) -> Result<(), Fault> {
        crate::file::json::write(self, bytes, chain, out)
    }

    fn check(&self, _: &[u8], _: &[Place]) -> Result<(), Fault> {
        self.index.borrow().fault.clone().map_or(Ok(()), Err)
    }

    fn changed(&self, bytes: &[u8]) {
        self.index.replace(Index::new(bytes, self.era, None));
    }
}
