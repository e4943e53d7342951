//! Compares a converted file with its source.

use super::color::is_color;
use crate::rems::print::numbers::is_matrix;
use crate::rems::{
    Component, Components, Error, Item, ItemSource, Kind, List, OutputFormat, Pointers, Property,
    Type, Value,
};
use alloc::vec::Vec;
use core::fmt::{self, Display};

/// A difference between a file and the result of its conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Difference {
    /// A zero has lost its sign. Text in the format of 2026 contains no −0, and text in the format
    /// of 2021 omits −0 wherever it would omit 0.
    ZeroSign,
    /// A number in a matrix has become zero, because it is tiny compared with other numbers in its
    /// row. The engines of 2021 and 2026 both do this in text files.
    TinyNumber,
    /// A colour has become an integer, and the name of the property does not suggest a colour.
    Color,
    /// A property is missing. Its value was a pointer with the number 0. For engines, such a
    /// property is absent, and binary streams cannot represent it.
    Absent,
    /// A null in place of a list has become an empty list, or a null without the type of the list.
    NullList,
    /// A value, property or object differs, or a pointer leads to a different object. Either the
    /// output could not represent the item (see
    /// [`Unreadable::is_lost`](crate::rems::Unreadable::is_lost)), or this is a bug.
    Other,
}

impl Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ZeroSign => "the sign of a zero is lost",
            Self::TinyNumber => {
                "a number in a matrix, tiny compared with others in its row, becomes 0"
            }
            Self::Color => "a colour becomes an integer",
            Self::Absent => "a property whose pointer has the number 0 is left out",
            Self::NullList => "a null in place of a list loses its type",
            Self::Other => "the result differs",
        })
    }
}

/// A file to compare: its items from the start, and the index of its objects.
#[allow(missing_debug_implementations, reason = "readers have no debug output")]
pub struct Compared<'s, 'a> {
    /// All items of the file.
    pub items: &'s mut (dyn ItemSource<'a> + 's),
    /// The objects of the file.
    pub pointers: &'s Pointers<'s, 'a>,
}

/// Compares the result of [`convert`](super::convert) or [`rewrite`](super::rewrite) with the
/// source. Calls `report` for each difference, with its offset in the source. Each pointer must
/// lead to the same object in both files.
///
/// Differences that have no meaning for engines are not reported: the spelling of values, the
/// numbers of objects, the class in the type of a list or pointer, the presence of default values
/// at the end of a list, null instead of an empty path, and the type of an integer property whose
/// name suggests a colour.
///
/// ```
/// use gamewire::rems::{
///     Compared, Dialect, Difference, OutputFormat, Pointers, TextReader, rewrite_to_vec, verify,
/// };
///
/// let source = br#"[{"class":"T","i:*ptr":1,"d:x":-0.0}]"#;
/// let format = OutputFormat::Text(Dialect::Engine2026);
/// let result = rewrite_to_vec(&mut TextReader::new(source), format, &mut |_| {})?;
/// let (mut slots, mut others) = (Vec::new(), Vec::new());
/// let before = Pointers::collect(&mut TextReader::new(source), &mut slots)?;
/// let after = Pointers::collect(&mut TextReader::new(&result), &mut others)?;
/// let before = Compared { items: &mut TextReader::new(source), pointers: &before };
/// let after = Compared { items: &mut TextReader::new(&result), pointers: &after };
/// let mut found = Vec::new();
/// verify(before, after, format, &mut |difference, offset| found.push((difference, offset)))?;
/// assert_eq!(found, [(Difference::ZeroSign, 31)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If one of the files or a value in it is malformed.
pub fn verify<'a, 'b>(
    before: Compared<'_, 'a>,
    after: Compared<'_, 'b>,
    format: OutputFormat,
    report: &mut dyn FnMut(Difference, u64),
) -> Result<(), Error> {
    let is_binary = matches!(format, OutputFormat::Binary(_));
    Verifier { before, after, is_binary, open: Vec::new(), report }.file()
}

struct Verifier<'s, 't, 'r, 'a, 'b> {
    before: Compared<'s, 'a>,
    after: Compared<'t, 'b>,
    is_binary: bool,
    /// For each open object or list, `true` if it is a list.
    open: Vec<bool>,
    report: &'r mut dyn FnMut(Difference, u64),
}

/// Contains `false` if the files differ so much that the items after this point do not correspond.
type Same = Result<bool, Error>;

impl<'a, 'b> Verifier<'_, '_, '_, 'a, 'b> {
    fn file(&mut self) -> Result<(), Error> {
        loop {
            let offset = self.before.items.offset();
            let Some(item) = self.before.items.next()? else { break };
            let same = match item {
                Item::Property(property) => self.property(&property)?,
                Item::End => self.end()?,
                item => {
                    let other = self.after.items.next()?;
                    self.item(&item, other.as_ref(), offset)?
                }
            };
            if !same {
                (self.report)(Difference::Other, offset);
                return Ok(());
            }
        }
        if self.after.items.next()?.is_some() {
            (self.report)(Difference::Other, self.before.items.offset());
        }
        Ok(())
    }

    fn property(&mut self, property: &Property<'a>) -> Same {
        let offset = property.offset;
        let Some(value) = self.before.items.next()? else { return Ok(false) };
        if self.is_binary && matches!(value, Item::Pointer(0)) {
            (self.report)(Difference::Absent, offset);
            return Ok(true);
        }
        let Some(Item::Property(other)) = self.after.items.next()? else { return Ok(false) };
        if property.name != other.name {
            return Ok(false);
        }
        match (property.ty, other.ty) {
            (Type::Kind(Kind::Color, dim), Type::Kind(Kind::I32, _))
                if !is_color(*property, dim) =>
            {
                (self.report)(Difference::Color, offset);
            }
            (Type::Kind(Kind::Color, _), Type::Kind(Kind::I32, _))
            | (Type::Kind(Kind::I32, _), Type::Kind(Kind::Color, _)) => {}
            (ty, Type::Object) if ty.dim() > 0 && matches!(value, Item::Null) => {
                (self.report)(Difference::NullList, offset);
            }
            (Type::Kind(kind, dim), other) if other != Type::Kind(kind, dim) => return Ok(false),
            (ty, other) if ty.dim() != other.dim() => return Ok(false),
            _ => {}
        }
        let other = self.after.items.next()?;
        self.item(&value, other.as_ref(), offset)
    }

    fn item(&mut self, item: &Item<'a>, other: Option<&Item<'b>>, offset: u64) -> Same {
        Ok(match (item, other) {
            (Item::Object(a), Some(Item::Object(b))) => {
                self.open.push(false);
                a.class == b.class
            }
            (Item::List(List { len: a, .. }), Some(Item::List(List { len: b, .. }))) => {
                self.open.push(true);
                a == b
            }
            (Item::Value(a), Some(Item::Value(b))) => {
                self.value(a, b)?;
                true
            }
            (Item::Pointer(a), Some(Item::Pointer(b))) => {
                if self.target(*a) != self.other_target(*b) {
                    (self.report)(Difference::Other, offset);
                }
                true
            }
            (Item::Null, Some(Item::Null)) | (Item::Pointer(0), Some(Item::Null)) => true,
            (Item::Null, Some(Item::Value(b))) => b.kind() == Kind::File && is_empty(b)?,
            (Item::Null, Some(Item::List(List { len: 0, .. }))) => {
                (self.report)(Difference::NullList, offset);
                matches!(self.after.items.next()?, Some(Item::End))
            }
            _ => false,
        })
    }

    /// Checks that the innermost object or list ends in the result, too. Before the end of a list,
    /// the result may contain the elements that the source declares but omits.
    fn end(&mut self) -> Same {
        let is_list = self.open.pop().unwrap_or(false);
        loop {
            match self.after.items.next()? {
                Some(Item::End) => return Ok(true),
                Some(Item::Null) if is_list => {}
                Some(Item::Value(value)) if is_list && is_empty(&value)? => {}
                Some(Item::List(List { len: 0, .. })) if is_list => {
                    if !matches!(self.after.items.next()?, Some(Item::End)) {
                        return Ok(false);
                    }
                }
                _ => return Ok(false),
            }
        }
    }

    /// Returns the position of the object to which a pointer of the source leads.
    fn target(&self, number: u64) -> Option<usize> {
        let object = self.before.pointers.get(number).object()?;
        self.before.pointers.position(&object)
    }

    fn other_target(&self, number: u64) -> Option<usize> {
        let object = self.after.pointers.get(number).object()?;
        self.after.pointers.position(&object)
    }

    fn value(&mut self, a: &Value<'a>, b: &Value<'b>) -> Result<(), Error> {
        if a.dim() != b.dim() {
            (self.report)(Difference::Other, a.offset());
        } else if a.dim() > 0 {
            let (a, b, offset) = (a.array()?, b.array()?, a.offset());
            if a.len() != b.len() {
                (self.report)(Difference::Other, offset);
            }
            for (a, b) in a.iter().zip(b.iter()) {
                let (a, b) = (a?, b?);
                if a.is_omitted() && b.is_omitted() {
                    break; // all further elements are omitted, too
                }
                self.value(&a, &b)?;
            }
        } else {
            let (of_a, of_b) = (Components::of(a)?, Components::of(b)?);
            let pairs = of_a.as_slice().iter().zip(of_b.as_slice());
            for difference in pairs.filter_map(|(a, b)| difference(a, b, of_a.kind())) {
                (self.report)(difference, a.offset());
            }
        }
        Ok(())
    }
}

fn is_empty(value: &Value<'_>) -> Result<bool, Error> {
    Ok(value.kind().is_text() && value.dim() == 0 && value.text()?.is_empty())
}

fn difference(a: &Component<'_>, b: &Component<'_>, kind: Kind) -> Option<Difference> {
    let (a_real, b_real) = match (a, b) {
        (Component::Color(color), Component::Int(int))
        | (Component::Int(int), Component::Color(color))
            if i64::from(*color) == *int =>
        {
            return None;
        }
        (a, b) if a == b => return None,
        (Component::F32(a), Component::F32(b)) => (f64::from(*a), f64::from(*b)),
        (Component::F64(a), Component::F64(b)) => (*a, *b),
        _ => return Some(Difference::Other),
    };
    Some(match b_real == 0.0 {
        true if a_real == 0.0 => Difference::ZeroSign,
        true if is_matrix(kind) => Difference::TinyNumber,
        _ => Difference::Other,
    })
}
