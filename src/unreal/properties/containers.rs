//! What containers hold, read one after the other.

use super::context::{Context, NameRef};
use super::types::Type;
use super::value::{Decode, Delegate, Place, PropertyValue, Reason};
use crate::unreal::Result;
use crate::unreal::wire::{Input, Value};
use core::iter::FusedIterator;

/// The values in an array, a set, an optional, or the keys of a map. They were walked over, so
/// there are as many as it says.
#[derive(Clone, Copy, Debug)]
pub struct Elements<'p> {
    from: Input<'p>,
    left: u32,
    of: Type<'p>,
    decode: Decode<'p>,
}

impl<'p> Elements<'p> {
    /// So many values, which `from` moves past.
    pub(super) fn read(
        from: &mut Input<'p>,
        count: u32,
        of: Type<'p>,
        decode: Decode<'p>,
    ) -> core::result::Result<Self, Reason> {
        let start = *from;
        for _ in 0..count {
            decode.value(from, of.kind(), Some(&of))?;
        }
        Ok(Self { from: start.until(from), left: count, of, decode })
    }

    /// The type of each.
    pub const fn of(&self) -> Type<'p> {
        self.of
    }

    /// All of them as bytes of the file.
    pub fn bytes(&self) -> &'p [u8] {
        self.from.rest()
    }
}

impl<'p> Iterator for Elements<'p> {
    type Item = PropertyValue<'p>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        self.decode.value(&mut self.from, self.of.kind(), Some(&self.of)).ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Elements<'_> {}
impl FusedIterator for Elements<'_> {}

/// A set.
#[derive(Clone, Copy, Debug)]
pub struct Set<'p> {
    /// What was taken out of the set that this one was made after.
    pub removed: Elements<'p>,
    /// What was put in.
    pub values: Elements<'p>,
}

impl<'p> Set<'p> {
    pub(super) fn read(
        from: &mut Input<'p>,
        of: Option<&Type<'p>>,
        decode: Decode<'p>,
    ) -> core::result::Result<Self, Reason> {
        let inner = of.and_then(Type::inner).ok_or(Reason::UnknownElements)?;
        let (layout, decode) = (&decode.context.layout, decode.at(Place::Element));
        let count = from.count(1, layout)?;
        let removed = Elements::read(from, count, inner, decode)?;
        let count = from.count(1, layout)?;
        Ok(Self { removed, values: Elements::read(from, count, inner, decode)? })
    }
}

/// A map.
#[derive(Clone, Copy, Debug)]
pub struct Map<'p> {
    /// Keys that were taken out of the map that this one was made after.
    pub removed: Elements<'p>,
    /// Keys and values.
    pub entries: Entries<'p>,
}

/// Keys and values.
#[derive(Clone, Copy, Debug)]
pub struct Entries<'p> {
    keys: Elements<'p>,
    value: Type<'p>,
}

impl<'p> Map<'p> {
    pub(super) fn read(
        from: &mut Input<'p>,
        of: Option<&Type<'p>>,
        decode: Decode<'p>,
    ) -> core::result::Result<Self, Reason> {
        let types = of.and_then(|of| Some((of.inner()?, of.value()?)));
        let (key, value) = types.ok_or(Reason::UnknownElements)?;
        let (layout, decode) = (&decode.context.layout, decode.at(Place::Key));
        let count = from.count(1, layout)?;
        let removed = Elements::read(from, count, key, decode)?;
        let left = from.count(1, layout)?;
        let start = *from;
        let keys = Elements { from: start, left, of: key, decode };
        let mut entries = Entries { keys, value };
        for _ in 0..left {
            entries.entry(from)?;
        }
        entries.keys.from = start.until(from);
        Ok(Self { removed, entries })
    }
}

impl<'p> Entries<'p> {
    /// The type of each value.
    pub const fn value(&self) -> Type<'p> {
        self.value
    }

    /// The type of each key.
    pub const fn key(&self) -> Type<'p> {
        self.keys.of
    }

    fn entry(
        &self,
        from: &mut Input<'p>,
    ) -> core::result::Result<(PropertyValue<'p>, PropertyValue<'p>), Reason> {
        let Elements { of, decode, .. } = &self.keys;
        let key = decode.value(from, of.kind(), Some(of))?;
        let value = &self.value;
        Ok((key, decode.at(Place::Element).value(from, value.kind(), Some(value))?))
    }
}

impl<'p> Iterator for Entries<'p> {
    type Item = (PropertyValue<'p>, PropertyValue<'p>);

    fn next(&mut self) -> Option<Self::Item> {
        self.keys.left = self.keys.left.checked_sub(1)?;
        let mut from = self.keys.from;
        let entry = self.entry(&mut from).ok();
        self.keys.from = from;
        entry
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.keys.size_hint()
    }
}

impl ExactSizeIterator for Entries<'_> {}

/// Functions of objects.
#[derive(Clone, Copy, Debug)]
pub struct Delegates<'p> {
    from: Input<'p>,
    left: u32,
    decode: Decode<'p>,
}

impl<'p> Delegates<'p> {
    pub(super) fn read(from: &mut Input<'p>, decode: &Decode<'p>) -> Result<Self> {
        let left = from.count(8, &decode.context.layout)?;
        let start = *from;
        for _ in 0..left {
            decode.delegate(from)?;
        }
        Ok(Self { from: start.until(from), left, decode: *decode })
    }
}

impl<'p> Iterator for Delegates<'p> {
    type Item = Delegate<'p>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        self.decode.delegate(&mut self.from).ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Delegates<'_> {}

/// Names, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Names<'p> {
    from: Input<'p>,
    left: u32,
    context: &'p Context<'p>,
}

impl<'p> Names<'p> {
    pub(super) fn read(from: &mut Input<'p>, context: &'p Context<'p>) -> Result<Self> {
        let left = from.count(NameRef::LEAST, &context.layout)?;
        let start = *from;
        for _ in 0..left {
            let at = *from;
            let name = from.read(&context.layout)?;
            context.expect(name, &at)?;
        }
        Ok(Self { from: start.until(from), left, context })
    }
}

impl<'p> Iterator for Names<'p> {
    type Item = NameRef<'p>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        self.from.read(&self.context.layout).ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Names<'_> {}
