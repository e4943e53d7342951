//! Numbers, strings, names and references in plain files.

use super::tag::name;
use crate::unreal::format::{FileCursor, PackageIndex, StrRef};
use crate::unreal::properties::read::value::PropertyValue::{
    self, Bool, Double, Float, Int, Name, Object, Str, UInt,
};
use crate::unreal::properties::read::visit::PropertyVisitor;
use crate::unreal::properties::types::{ObjectRef, PropertyContext, PropertyKind};
use zerocopy::byteorder::{F32, F64, I16, I32, I64, LE, U16, U32, U64};

/// Reads a value, passes it to the visitor, and returns the position after it. Returns `None`
/// without calling the visitor if the value needs the general decoder or, if `WHOLE` is `true`, if
/// bytes are left over. `is_named` states whether a byte is stored as the name of an enum member.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn leaf<'p, const TEXT: bool, const WHOLE: bool, V: PropertyVisitor<'p>>(
    kind: PropertyKind,
    is_named: bool,
    at: FileCursor<'p>,
    context: &PropertyContext<'p>,
    to: &mut V,
) -> Option<FileCursor<'p>> {
    match kind {
        PropertyKind::Bool => {
            let (byte, at) = at.peek::<u8>()?;
            tell::<WHOLE, V>(&Bool(*byte != 0), at, to)
        }
        PropertyKind::Int8 => {
            let (number, at) = at.peek::<i8>()?;
            tell::<WHOLE, V>(&Int((*number).into()), at, to)
        }
        PropertyKind::Int16 => {
            let (number, at) = at.peek::<I16<LE>>()?;
            tell::<WHOLE, V>(&Int(number.get().into()), at, to)
        }
        PropertyKind::Int => {
            let (number, at) = at.peek::<I32<LE>>()?;
            tell::<WHOLE, V>(&Int(number.get().into()), at, to)
        }
        PropertyKind::Int64 => {
            let (number, at) = at.peek::<I64<LE>>()?;
            tell::<WHOLE, V>(&Int(number.get()), at, to)
        }
        PropertyKind::Byte if !is_named => {
            let (number, at) = at.peek::<u8>()?;
            tell::<WHOLE, V>(&UInt((*number).into()), at, to)
        }
        PropertyKind::UInt16 => {
            let (number, at) = at.peek::<U16<LE>>()?;
            tell::<WHOLE, V>(&UInt(number.get().into()), at, to)
        }
        PropertyKind::UInt32 => {
            let (number, at) = at.peek::<U32<LE>>()?;
            tell::<WHOLE, V>(&UInt(number.get().into()), at, to)
        }
        PropertyKind::UInt64 => {
            let (number, at) = at.peek::<U64<LE>>()?;
            tell::<WHOLE, V>(&UInt(number.get()), at, to)
        }
        PropertyKind::Float => {
            let (number, at) = at.peek::<F32<LE>>()?;
            tell::<WHOLE, V>(&Float(number.get()), at, to)
        }
        PropertyKind::Double => {
            let (number, at) = at.peek::<F64<LE>>()?;
            tell::<WHOLE, V>(&Double(number.get()), at, to)
        }
        PropertyKind::Byte | PropertyKind::Enum | PropertyKind::Name => {
            let (name, at) = name::<TEXT>(at, context)?;
            tell::<WHOLE, V>(&Name(name), at, to)
        }
        PropertyKind::Str => {
            let (text, at) = StrRef::narrow_at(at)?;
            tell::<WHOLE, V>(&Str(text), at, to)
        }
        PropertyKind::Object => {
            let (object, at) = object::<TEXT>(at)?;
            tell::<WHOLE, V>(&Object(object), at, to)
        }
        _ => None,
    }
}

/// Reads a reference to an object.
#[inline(always)]
fn object<'p, const TEXT: bool>(at: FileCursor<'p>) -> Option<(ObjectRef<'p>, FileCursor<'p>)> {
    if TEXT {
        let (path, at) = StrRef::narrow_at(at)?;
        return Some((ObjectRef::Path(path), at));
    }
    let (index, at) = at.peek::<I32<LE>>()?;
    Some((ObjectRef::Index(PackageIndex(index.get())), at))
}

/// Passes a value to the visitor. See [`leaf`].
#[inline(always)]
fn tell<'p, const WHOLE: bool, V: PropertyVisitor<'p>>(
    value: &PropertyValue<'p>,
    behind: FileCursor<'p>,
    to: &mut V,
) -> Option<FileCursor<'p>> {
    if WHOLE && !behind.is_empty() {
        return None;
    }
    to.value(value);
    Some(behind)
}
