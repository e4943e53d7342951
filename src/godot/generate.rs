//! Generates valid packets from random bytes. A value that is not a container is a header, followed
//! by random words that the reader accepts. Most containers are generated item by item.

use super::{Dialect, Kind, Reader, Variant};
use crate::godot::read::walk::ENGINE_DEPTH;
use crate::godot::table::payload::Header;
use crate::godot::types::container::{Container, TypeRef};
use crate::godot::types::text::StrRef;
use crate::godot::write::encoder::Encoder;
use alloc::vec::Vec;
use arbitrary::{Arbitrary, Result, Unstructured};

/// A packet of one well-formed value, for fuzzing code that reads packets. The value can have any
/// type and width of its dialect, and containers can be nested. It need not be canonical, and its
/// text need not be UTF-8.
///
/// ```
/// use arbitrary::{Arbitrary, Unstructured};
/// use gamewire::godot::{ArbitraryPacket, Reader};
///
/// let random: Vec<u8> = (0..200_u32).map(|n| (n * n * 7 / 3) as u8).collect();
/// let packet = ArbitraryPacket::arbitrary(&mut Unstructured::new(&random))?;
/// let mut reader = Reader::new(&packet.bytes, packet.dialect);
/// reader.read().unwrap();
/// reader.finish().unwrap();
/// # Ok::<(), arbitrary::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArbitraryPacket {
    /// The dialect of the bytes.
    pub dialect: Dialect,
    /// The bytes of the value.
    pub bytes: Vec<u8>,
}

impl<'a> Arbitrary<'a> for ArbitraryPacket {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let dialect = *u.choose(Dialect::ALL)?;
        let mut bytes = Vec::new();
        value(u, dialect, 4, &mut bytes)?;
        Ok(Self { dialect, bytes })
    }
}

/// Generates a value of any dialect by decoding a random [`ArbitraryPacket`].
impl<'a> Arbitrary<'a> for Variant {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let ArbitraryPacket { dialect, bytes } = ArbitraryPacket::arbitrary(u)?;
        let packet = Reader::new(&bytes, dialect).read_encoded();
        packet.and_then(|packet| packet.to_variant()).map_err(|_| arbitrary::Error::IncorrectFormat)
    }
}

/// Appends a value. Containers are generated item by item, down to `depth` nested levels. Deeper
/// containers, and some objects, consist of random words that the reader accepts.
fn value(u: &mut Unstructured<'_>, dialect: Dialect, depth: u32, out: &mut Vec<u8>) -> Result<()> {
    let kind = *u.choose(Kind::ALL)?;
    let len = u.int_in_range(0..=4)?;
    let shared = u.ratio(1, 8)?;
    let deeper = depth.checked_sub(1);
    match (kind, deeper) {
        (Kind::Array, Some(deeper)) => {
            let element = type_of(u, dialect)?;
            open(dialect, &Container::Array { len, element, shared }, out);
            (0..len).try_for_each(|_| value(u, dialect, deeper, out))
        }
        (Kind::Dictionary, Some(deeper)) => {
            let (key, of) = (type_of(u, dialect)?, type_of(u, dialect)?);
            open(dialect, &Container::Dictionary { len, key, value: of, shared }, out);
            (0..len).try_for_each(|_| {
                value(u, dialect, deeper, out)?;
                value(u, dialect, deeper, out)
            })
        }
        (Kind::Object, Some(deeper)) if dialect.rules().objects && u.arbitrary()? => {
            open(dialect, &Container::Object { class: StrRef::from("Node"), len }, out);
            (0..len).try_for_each(|_| {
                out.extend(b"\x01\0\0\0p\0\0\0");
                value(u, dialect, deeper, out)
            })
        }
        _ => leaf(u, dialect, kind, out),
    }
}

fn type_of(u: &mut Unstructured<'_>, dialect: Dialect) -> Result<TypeRef<'static>> {
    if !dialect.rules().typed_containers || u.ratio(2, 3)? {
        return Ok(TypeRef::Untyped);
    }
    let kind = *u.choose(Kind::ALL)?;
    Ok(match u.int_in_range(0..=2)? {
        0 if dialect.id(kind).is_some() => TypeRef::Builtin(kind),
        1 => TypeRef::Script(StrRef::from("res://a.gd")),
        _ => TypeRef::Class(StrRef::from("EncodedObjectAsID")),
    })
}

fn open(dialect: Dialect, container: &Container<'_>, out: &mut Vec<u8>) {
    let mut encoder = Encoder::new(out, dialect.into(), ENGINE_DEPTH);
    let written = encoder.head(container);
    debug_assert!(written.is_ok(), "the dialect can represent the container");
}

/// Number of random payloads to try for a value. If the reader accepts none of them, a null is
/// generated instead.
const TRIES: usize = 4;

/// Appends a header of `kind` and as many random words as the reader accepts as its payload.
/// Appends null if the dialect does not have the type or no payload was accepted.
fn leaf(u: &mut Unstructured<'_>, dialect: Dialect, kind: Kind, out: &mut Vec<u8>) -> Result<()> {
    let start = out.len();
    if let Some(id) = dialect.id(kind) {
        let wide = dialect.rules().flags && u.ratio(1, 4)?;
        let header = u32::from(id) | if wide { Header::WIDE } else { 0 };
        for _ in 0..TRIES {
            out.extend(header.to_le_bytes());
            for _ in 0..40 {
                out.extend(word(u)?);
            }
            if keep_value(dialect, start, out) {
                return Ok(());
            }
            // Tries again with bit 31 of the payload's first word set. In a NodePath, this bit
            // marks the form that lists names.
            if let Some(mark) = out.get_mut(start.saturating_add(7)) {
                *mark |= 0x80;
            }
            if keep_value(dialect, start, out) {
                return Ok(());
            }
            out.truncate(start);
        }
    }
    out.extend([0; 4]);
    Ok(())
}

/// Drops the bytes after the value that begins at `start`. Returns `false` and drops nothing if the
/// bytes there do not begin with a value.
fn keep_value(dialect: Dialect, start: usize, out: &mut Vec<u8>) -> bool {
    let mut reader = Reader::new(out.get(start..).unwrap_or_default(), dialect);
    let is_value = reader.skip().is_ok();
    if is_value {
        let end = start.saturating_add(reader.range().end);
        out.truncate(end);
    }
    is_value
}

/// Generates four bytes of payload: a small count in most cases.
fn word(u: &mut Unstructured<'_>) -> Result<[u8; 4]> {
    Ok(match u.int_in_range(0..=7)? {
        0..=3 => [u.int_in_range(0..=6)?, 0, 0, 0],
        4 => [u.int_in_range(0..=3)?, 0, 0, 0x80],
        5 => *b"abcd",
        6 => *b"ab\0\0",
        _ => u.arbitrary()?,
    })
}
