//! The places of all items of a save. A binary item can refer to numbers and names that are defined
//! anywhere before it, so a save is read once from its start, and again after a change.

use crate::file::brackets::skip_separators;
use crate::file::place::Fault;
use gamewire::rems::{
    Era, Error, Item, ItemSource, Kind, Reader, Scalar, StrRef, Tables, Type, Value,
};

/// A range of bytes.
pub type Span = (u32, u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A value, and its number of array dimensions.
    Value(Kind, u8),
    Pointer(u64),
    Null,
    /// An object, with its number.
    Object(Option<u64>),
    /// A list, with its declared number of elements.
    List(u32),
}

/// A value, with the property that it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub what: What,
    /// Start of the property. Equal to `start` for an element.
    pub key: u32,
    pub start: u32,
    pub end: u32,
    /// Index of the first slot after this value.
    pub next: u32,
    /// Name of the property.
    pub name: Option<Span>,
    /// Class of the object, or of the elements of the list.
    pub class: Span,
    /// Bytes of a string without its quotes. A binary save defines a string only once.
    pub text: Option<Span>,
    /// Number of array dimensions of a list.
    pub dim: u8,
}

/// The slots of a save, and the objects by number.
#[derive(Debug, Default)]
pub struct Index {
    pub slots: Vec<Slot>,
    pub objects: Vec<(u64, u32)>,
    pub fault: Option<Fault>,
}

fn fault(error: Error) -> Fault {
    Fault { text: error.kind().to_string(), offset: error.offset() as usize }
}

/// Maximum number of items.
const MAX: usize = 1 << 24;

impl Index {
    /// Reads a save. If `checked` is the index of a value, its text is checked, too.
    pub fn new(bytes: &[u8], era: Era, checked: Option<usize>) -> Self {
        let mut tables = Tables::new();
        let mut reader = Reader::new(bytes, era, &mut tables);
        let is_text = matches!(reader, Reader::Text(_));
        let mut builder =
            Builder { bytes, is_text, index: Self::default(), open: Vec::new(), property: None };
        loop {
            let before = reader.offset() as usize;
            match reader.next() {
                Ok(Some(item)) => {
                    let slot = builder.index.slots.len();
                    builder.item(&item, before, reader.offset() as usize);
                    if let (Item::Value(value), true) = (&item, checked == Some(slot) && is_text)
                        && !is_plausible(value)
                    {
                        let text = "this is not a value of the type of the property".into();
                        builder.index.fault = Some(Fault { text, offset: before });
                        break;
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    builder.index.fault = Some(fault(error));
                    break;
                }
            }
            if builder.index.slots.len() > MAX {
                let text = "the save has too many values".into();
                builder.index.fault = Some(Fault { text, offset: before });
                break;
            }
        }
        let end = builder.index.slots.len() as u32;
        for slot in builder.open {
            if let Some(slot) = builder.index.slots.get_mut(slot) {
                (slot.next, slot.end) = (end, bytes.len() as u32);
            }
        }
        // The last object with a number is the one that pointers refer to.
        builder.index.objects.sort_unstable();
        builder.index
    }

    /// Returns the object with a number.
    pub fn object(&self, number: u64) -> Option<&Slot> {
        let after = self.objects.partition_point(|(other, _)| *other <= number);
        let (found, slot) = self.objects.get(after.checked_sub(1)?)?;
        self.slots.get(*slot as usize).filter(|_| *found == number)
    }

    /// Returns the number of slots that refer to the string at an offset.
    pub fn uses(&self, text: Span) -> usize {
        let is_it = |slot: &&Slot| {
            let spans = [slot.text, slot.name, Some(slot.class)];
            spans.into_iter().flatten().any(|span| span.0 == text.0 && span != (0, 0))
        };
        self.slots.iter().filter(is_it).count()
    }
}

/// Returns `true` if a value of a text file looks like its type: numbers, booleans or characters in
/// the brackets that the type needs. Strings have been checked by the reader.
fn is_plausible(value: &Value<'_>) -> bool {
    if value.kind().is_text() && value.dim() == 0 {
        return true;
    }
    let text = String::from_utf8_lossy(value.raw());
    let mut parts =
        text.split(['[', ']', ',', ' ', '\t', '\r', '\n']).filter(|part| !part.is_empty());
    let opens = text.matches('[').count();
    let is_single = value.dim() == 0 && value.kind().parts() == 1;
    let is_part = |part: &str| match value.kind().scalar() {
        Scalar::Bool => matches!(part, "true" | "false" | "0" | "1"),
        Scalar::Char => part.starts_with('"') || part.parse::<u16>().is_ok(),
        Scalar::F32 | Scalar::F64 => {
            part.parse::<f64>().is_ok()
                || matches!(part, "\"NaN\"" | "\"Infinity\"" | "\"-Infinity\"")
        }
        _ if value.kind() == Kind::Color => true,
        _ => part.parse::<i64>().is_ok(),
    };
    if value.dim() > 0 {
        // The number of elements is first, so a whole number is accepted anywhere.
        return opens > 0 && parts.all(|part| is_part(part) || part.parse::<i64>().is_ok());
    }
    let count = text.split(',').count();
    (is_single == (opens == 0)) && count <= value.kind().parts() && parts.all(is_part)
}

struct Builder<'a> {
    bytes: &'a [u8],
    is_text: bool,
    index: Index,
    /// The slots of open objects and lists.
    open: Vec<usize>,
    /// The property before its value: its start, name, type and class.
    property: Option<(usize, StrRef<'a>, Type<'a>)>,
}

impl<'a> Builder<'a> {
    /// Returns the range of a text of the file.
    fn span(&self, text: StrRef<'a>) -> Span {
        let raw = text.raw();
        let start = (raw.as_ptr() as usize).wrapping_sub(self.bytes.as_ptr() as usize);
        match self.bytes.get(start..start.wrapping_add(raw.len())) {
            Some(_) if !raw.is_empty() => (start as u32, (start + raw.len()) as u32),
            _ => (0, 0),
        }
    }

    fn item(&mut self, item: &Item<'a>, before: usize, after: usize) {
        let start = if self.is_text { skip_separators(self.bytes, before) } else { before };
        let mut slot = Slot {
            what: What::Null,
            key: 0,
            start: start as u32,
            end: after as u32,
            next: self.index.slots.len() as u32 + 1,
            name: None,
            class: (0, 0),
            text: None,
            dim: 0,
        };
        match *item {
            Item::Property(property) => {
                self.property = Some((property.offset as usize, property.name, property.ty));
                return;
            }
            Item::End => {
                let next = self.index.slots.len() as u32;
                if let Some(slot) = self.open.pop().and_then(|at| self.index.slots.get_mut(at)) {
                    (slot.next, slot.end) = (next, after as u32);
                }
                return;
            }
            Item::Value(value) => {
                slot.what = What::Value(value.kind(), value.dim());
                let (at, len) = (value.offset() as usize, value.raw().len());
                let own = (at as u32, (at + len) as u32);
                if value.kind().is_text() && value.dim() == 0 {
                    slot.text = Some(own);
                }
                // A string can be defined elsewhere. The range of a string has no quotes.
                if (start..after).contains(&at) || len == 0 {
                    (slot.start, slot.end) = own;
                }
            }
            Item::Pointer(number) => slot.what = What::Pointer(number),
            Item::Object(object) => {
                slot.what = What::Object(object.pointer);
                slot.class = self.span(object.class);
                slot.start = object.offset as u32;
                if let Some(number) = object.pointer {
                    self.index.objects.push((number, self.index.slots.len() as u32));
                }
                self.open.push(self.index.slots.len());
            }
            Item::List(list) => {
                slot.what = What::List(list.len);
                slot.dim = list.ty.dim();
                if let Type::Class(class, _) = list.ty {
                    slot.class = self.span(class);
                }
                self.open.push(self.index.slots.len());
            }
            _ => {}
        }
        slot.key = slot.start;
        if let Some((key, name, ty)) = self.property.take() {
            (slot.key, slot.name) = (key as u32, Some(self.span(name)));
            if let (Type::Class(class, _), (0, 0)) = (ty, slot.class) {
                slot.class = self.span(class);
            }
        }
        self.index.slots.push(slot);
    }
}
