//! Writes values that are already encoded: copies their bytes, or encodes them again for the target.

use super::encoder::{Encoder, Pieces};
use crate::buffer::Sink;
use crate::godot::read::walk::{
    Bounds, Erased, Leaf, Open, Property, Stop, Visitor, Walk, end_of_value, erase,
};
use crate::godot::types::text;
use crate::godot::{Encoded, Error, Kind, ObjectRef, Result, VariantRef};

impl<S: Sink> Encoder<'_, S> {
    /// Appends a container view or an object, with each value in it re-encoded for the target.
    pub(crate) fn container(&mut self, value: &VariantRef<'_>) -> Result<()> {
        match value {
            VariantRef::Array(array) => self.transcode(array.encoded()),
            VariantRef::Dictionary(dictionary) => self.transcode(dictionary.encoded()),
            VariantRef::Object(ObjectRef::Full(object)) => self.transcode(object.encoded()),
            VariantRef::Object(object) => self.object(object),
            _ => Ok(()),
        }
    }

    /// Appends an encoded value. Copies its bytes if the target can read every value of the encoded
    /// value's dialect. Otherwise, or if the value is in a short form, encodes it again.
    pub(crate) fn copy(&mut self, encoded: Encoded<'_>) -> Result<()> {
        if encoded.is_compact() {
            return encoded.decode().encode(self);
        }
        if !self.target.copies(encoded.dialect()) {
            return self.transcode(encoded);
        }
        let bytes = encoded.as_bytes();
        // Each level takes at least 8 bytes, so only long values can exceed the depth limit.
        if bytes.len() > (self.depth as usize).saturating_mul(8) {
            let bounds = Bounds { depth: self.depth, objects: true };
            end_of_value(bytes, encoded.dialect(), bounds, 0)?;
        }
        // At the end of a packet, the padding of the last leaf may be missing. If so, it is added
        // here.
        let pad = match text::pad(bytes.len()) {
            0 => 0,
            _ => last_pad(encoded, self.depth)?,
        };
        self.reserve(bytes.len().saturating_add(pad))?;
        self.put(bytes);
        self.sink.pad(pad);
        Ok(())
    }

    fn transcode(&mut self, encoded: Encoded<'_>) -> Result<()> {
        self.whole(&Transcoded(encoded))
    }
}

/// An encoded value. When it is written, the value and all values nested in it are encoded again
/// for the target.
struct Transcoded<'a>(Encoded<'a>);

impl Pieces for Transcoded<'_> {
    type Error = Error;

    fn write<S: Sink>(&self, out: &mut Encoder<'_, S>) -> Result<()> {
        let depth = out.depth;
        erase(&mut Transcode { out }, |visitor| walk_erased(self.0, visitor, depth))
    }
}

/// Walks a value that was checked before. Returns an error if more than `depth` containers are
/// nested.
pub(crate) fn walk<'a, V: Visitor<'a>>(
    encoded: Encoded<'a>,
    visitor: &mut V,
    depth: u32,
) -> core::result::Result<(), V::Error> {
    let (window, bounds) = (encoded.as_bytes(), Bounds { depth, objects: true });
    let walk = Walk { window, visitor, bounds, base: 0, stack: None };
    walk.value_of(encoded.dialect()).map(drop)
}

/// Calls [`walk`] with a type-erased visitor, so that the walk is compiled only once and not for
/// each sink.
#[inline(never)]
fn walk_erased<'a>(
    encoded: Encoded<'a>,
    visitor: &mut Erased<'_, 'a>,
    depth: u32,
) -> core::result::Result<(), Stop> {
    walk(encoded, visitor, depth)
}

/// A visitor that encodes each value it is called with.
struct Transcode<'e, 'w, S> {
    out: &'e mut Encoder<'w, S>,
}

impl<'a, S: Sink> Visitor<'a> for Transcode<'_, '_, S> {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<()> {
        match leaf.value {
            VariantRef::Object(object) => self.out.object(&object),
            value => value.encode(self.out),
        }
    }

    fn open(&mut self, open: Open<'a>) -> Result<()> {
        self.out.head(&open.container)
    }

    fn property(&mut self, property: Property<'a>) -> Result<()> {
        self.out.property(property.name.as_bytes())
    }

    fn close(&mut self, _: Kind) -> Result<()> {
        Ok(())
    }
}

/// Returns the number of padding bytes that the last leaf lacks.
#[cold]
#[inline(never)]
fn last_pad(encoded: Encoded<'_>, depth: u32) -> Result<usize> {
    let mut last = LastPad(0);
    walk(encoded, &mut last, depth)?;
    Ok(last.0)
}

/// A visitor that finds the length of the padding that the last leaf lacks.
struct LastPad(usize);

impl<'a> Visitor<'a> for LastPad {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<()> {
        // The old form of a NodePath, in Godot 2, has no padding.
        let old = leaf.value.as_node_path().is_some_and(|path| path.old_form().is_some());
        self.0 = if old { 0 } else { text::pad(leaf.encoded.as_bytes().len()) };
        Ok(())
    }

    fn open(&mut self, _: Open<'a>) -> Result<()> {
        Ok(())
    }

    fn property(&mut self, _: Property<'a>) -> Result<()> {
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<()> {
        Ok(())
    }
}
