//! An independent oracle for the packets of Godot's high-level multiplayer. It decodes to owned
//! values, and is written from the description of the formats.
//! [`oracle`](crate::support::godot::oracle) decodes the Variants in the packets.

pub mod godot3;
pub mod godot4;
pub mod transport;

use crate::support::godot::oracle::{self, Dialect, Level, Value};

/// The node of a packet.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Cached(u32),
    Path(Vec<u8>),
}

/// Consecutive values inside a packet. The values are decoded later, because a receiver parses the
/// rest of the packet first.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Offset in the packet at which the values start.
    pub at: usize,
    pub bytes: Vec<u8>,
    pub amount: Amount,
}

/// The number of values in a run, and the rule for trailing bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// One byte array without header and length, or no value if there are no bytes.
    Raw,
    /// Values up to the end of the bytes.
    ToEnd,
    /// This many values; trailing bytes are ignored.
    Count(usize),
    /// This many values and no trailing bytes.
    Exactly(usize),
}

/// A value of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub value: Value,
    /// The size of the encoded value in bytes.
    pub len: usize,
    /// `true` for a compact encoding.
    pub short: bool,
}

/// The dialect of the values in a run, and the rules by which they are validated.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub dialect: Dialect,
    pub level: Level,
    pub objects: bool,
}

impl Run {
    /// Returns the values up to the first malformed one, and `true` if all are valid.
    pub fn values(&self, rules: Rules) -> (Vec<Item>, bool) {
        if self.amount == Amount::Raw {
            return (raw(&self.bytes), true);
        }
        let mut items = Vec::new();
        let mut rest = &self.bytes[..];
        while self.goes_on(items.len(), rest) {
            let Some(item) = item(rest, rules) else { return (items, false) };
            rest = &rest[item.len..];
            items.push(item);
        }
        let whole = rest.is_empty() || !matches!(self.amount, Amount::Exactly(_));
        (items, whole)
    }

    fn goes_on(&self, done: usize, rest: &[u8]) -> bool {
        match self.amount {
            Amount::Raw => false,
            Amount::ToEnd => !rest.is_empty(),
            Amount::Count(count) | Amount::Exactly(count) => done < count,
        }
    }
}

fn raw(bytes: &[u8]) -> Vec<Item> {
    if bytes.is_empty() {
        return Vec::new();
    }
    vec![Item { value: Value::Bytes(bytes.to_vec()), len: bytes.len(), short: true }]
}

/// Decodes the next value of a run. In Godot 4, the low six bits of the first byte are the type,
/// and bools, ints and null objects have a compact encoding.
fn item(bytes: &[u8], rules: Rules) -> Option<Item> {
    let first = *bytes.first()?;
    match first & 0x3f {
        _ if rules.dialect != Dialect::Godot4 => full(bytes, rules),
        1 => Some(Item { value: Value::Bool(first & 0x80 != 0), len: 1, short: true }),
        2 => short_int(first >> 6, &bytes[1..]),
        // Without full objects, four bytes with the type id of Object are a null object. If full
        // objects are allowed, these bytes are the header of one.
        24 if !rules.objects && bytes.starts_with(&[24, 0, 0, 0]) => {
            Some(Item { value: Value::ObjectNull, len: 4, short: true })
        }
        _ => full(bytes, rules),
    }
}

fn full(bytes: &[u8], rules: Rules) -> Option<Item> {
    let (value, len) = oracle::decode(bytes, rules.dialect, rules.level, rules.objects).ok()?;
    Some(Item { value, len, short: false })
}

/// Decodes the payload of a compact int. Its size is 1, 2, 4 or 8 bytes, for the modes 0 to 3.
fn short_int(mode: u8, bytes: &[u8]) -> Option<Item> {
    let size = 1 << mode;
    let bytes = bytes.get(..size)?;
    let negative = bytes[size - 1] & 0x80 != 0;
    let mut whole = [if negative { 0xff } else { 0 }; 8];
    whole[..size].copy_from_slice(bytes);
    let value = Value::Int { value: i64::from_le_bytes(whole), wide: false };
    Some(Item { value, len: 1 + size, short: true })
}

/// Returns the text up to its first NUL, or all of it if it contains none.
fn text(bytes: &[u8]) -> Vec<u8> {
    let end = bytes.iter().position(|&byte| byte == 0);
    bytes[..end.unwrap_or(bytes.len())].to_vec()
}

/// Decodes the node of a packet. If bit 31 of the id is set, the other bits are the offset of the
/// node's path in the packet, and the function also returns this offset.
fn node(packet: &[u8], id: u32) -> Option<(Node, Option<usize>)> {
    if id >> 31 == 0 {
        return Some((Node::Cached(id), None));
    }
    let at = (id & 0x7fff_ffff) as usize;
    // The packet must contain the first byte of the path.
    packet.get(at)?;
    Some((Node::Path(text(&packet[at..])), Some(at)))
}
