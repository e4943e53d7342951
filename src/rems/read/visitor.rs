//! Visitors, which receive the items of a file with decoded numbers.

use crate::rems::array::Array;
use crate::rems::part::PartSlice;
use crate::rems::print::for_scalar;
use crate::rems::{
    Error, Item, Kind, List, Object, Part, Parts, Property, Scalar, StrRef, Type, Value,
};

/// A type that receives everything in a file in order: the items of [`Item`], but with decoded
/// numbers instead of values. See [`TextReader::visit`](crate::rems::TextReader::visit).
///
/// Every method does nothing by default. An array of numbers is a list: the visitor receives
/// [`list`](Self::list), the numbers in one or several calls of [`elements`](Self::elements), and
/// [`end`](Self::end). A visit is compiled for each visitor, with the methods inlined.
#[allow(unused_variables, reason = "the names of the parameters are documentation")]
pub trait Visitor<'a> {
    /// The error with which the visitor ends the visit early. If the file is malformed, the visit
    /// ends with an [`Error`], converted to this type.
    type Error: From<Error>;

    /// Visits the start of an object. Its properties follow, then [`end`](Self::end).
    #[inline(always)]
    fn object(&mut self, object: &Object<'a>) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Visits a property. Its value follows.
    #[inline(always)]
    fn property(&mut self, property: &Property<'a>) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Visits a string or the path of a file.
    #[inline(always)]
    fn text(&mut self, kind: Kind, text: StrRef<'a>) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Visits a value that is neither text nor an array: one number, boolean or UTF-16 code unit,
    /// or the components of a vector, matrix or box, as [`Value::parts`] returns them.
    #[inline(always)]
    fn parts(&mut self, kind: Kind, parts: PartSlice<'_>) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Visits one or more elements of an array: the components of all of them, one element after
    /// the other. The visitor receives elements that a text file omits only if others follow.
    #[inline(always)]
    fn elements(&mut self, kind: Kind, parts: PartSlice<'_>) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Visits a reference to an object by its number; see [`Item::Pointer`].
    #[inline(always)]
    fn pointer(&mut self, number: u64) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Visits null, in place of an object, string or array.
    #[inline(always)]
    fn null(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Visits the start of a list or array. Its elements follow, then [`end`](Self::end). The file
    /// may contain fewer elements than the list declares, and can declare any number.
    #[inline(always)]
    fn list(&mut self, list: &List<'a>) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Visits the end of the innermost object, list or array.
    #[inline(always)]
    fn end(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Passes an item to a visitor, and decodes values.
#[inline(always)]
pub(super) fn visit_item<'a, V: Visitor<'a>>(
    item: &Item<'a>,
    visitor: &mut V,
) -> Result<(), V::Error> {
    match item {
        Item::Object(object) => visitor.object(object),
        Item::Property(property) => visitor.property(property),
        Item::Value(value) => visit_value(*value, visitor),
        Item::Pointer(number) => visitor.pointer(*number),
        Item::Null => visitor.null(),
        Item::List(list) => visitor.list(list),
        Item::End => visitor.end(),
    }
}

/// Decodes a value of any type and in any form.
#[inline(never)]
fn visit_value<'a, V: Visitor<'a>>(value: Value<'a>, visitor: &mut V) -> Result<(), V::Error> {
    let kind = value.kind();
    for_scalar!(
        kind.scalar(),
        T => match value.dim() {
            0 => visitor.parts(kind, PartSlice::of(&decode::<T>(value)?)),
            _ => visit_array::<T, V>(value.array()?, visitor),
        },
        visitor.text(kind, value.text()?)
    )
}

/// Decodes an array, or an array of arrays.
#[inline(never)]
pub(super) fn visit_array<'a, T: Part, V: Visitor<'a>>(
    array: Array<'a>,
    visitor: &mut V,
) -> Result<(), V::Error> {
    let kind = array.kind();
    let ty = Type::Kind(kind, array.dim().saturating_add(1));
    visitor.list(&List { ty, len: array.len() })?;
    match array.dim() {
        0 if kind.parts() == 1 => visit_numbers::<T, V>(array, visitor)?,
        0 => {
            for element in array.iter().written() {
                visitor.elements(kind, PartSlice::of(&decode::<T>(element?)?))?;
            }
        }
        // The elements of these arrays are arrays of numbers.
        _ => {
            for row in array.iter().written() {
                visit_array::<T, V>(row?.array()?, visitor)?;
            }
        }
    }
    visitor.end()
}

/// Decodes the components of a value. This function is not inlined, so that it is compiled once and
/// not for each visitor.
#[inline(never)]
fn decode<T: Part>(value: Value<'_>) -> crate::rems::Result<Parts<T>> {
    value.parts()
}

/// How many numbers are decoded before the visitor receives them. This is few enough for the cache,
/// and enough to make the cost of the calls small.
const BATCH: usize = 32;

#[inline(always)]
fn visit_numbers<'a, T: Part, V: Visitor<'a>>(
    array: Array<'a>,
    visitor: &mut V,
) -> Result<(), V::Error> {
    let kind = array.kind();
    let mut numbers = array.numbers::<T>()?.written();
    let mut batch = [T::default(); BATCH];
    loop {
        let count = numbers.batch(&mut batch);
        if count > 0 {
            visitor.elements(kind, PartSlice::of(batch.get(..count).unwrap_or_default()))?;
        }
        if count == BATCH {
            continue;
        }
        // The next number has another form, or there is none.
        match numbers.next() {
            Some(number) => visitor.elements(kind, PartSlice::of(&[number?]))?,
            None => return Ok(()),
        }
    }
}
