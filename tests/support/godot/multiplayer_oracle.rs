//! An independent oracle for the packets of Godot's high-level multiplayer: owned values, decoded
//! by the description of the formats. [`oracle`](crate::support::godot::oracle) decodes the values
//! inside.

pub mod godot3;
pub mod godot4;
pub mod transport;

use crate::support::godot::oracle::{self, Dialect, Level, Value};

/// The node that a packet is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Cached(u32),
    Path(Vec<u8>),
}

/// Values in a row, which are read later: a receiver looks at the rest of a packet first.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Offset in the packet at which the values start.
    pub at: usize,
    pub bytes: Vec<u8>,
    pub amount: Amount,
}

/// Number of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// One byte array without header and length; or nothing at all.
    Raw,
    /// As many as there are bytes for.
    ToEnd,
    /// So many, and what follows means nothing.
    Some(usize),
    /// So many, and nothing follows.
    Just(usize),
}

/// A value of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub value: Value,
    /// In bytes.
    pub len: usize,
    /// In a form that only runs have.
    pub short: bool,
}

/// Requirements on values.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub dialect: Dialect,
    pub level: Level,
    pub objects: bool,
}

impl Run {
    /// The values up to the first that is malformed, and whether there is none such.
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
        let whole = rest.is_empty() || !matches!(self.amount, Amount::Just(_));
        (items, whole)
    }

    fn goes_on(&self, done: usize, rest: &[u8]) -> bool {
        match self.amount {
            Amount::Raw => false,
            Amount::ToEnd => !rest.is_empty(),
            Amount::Some(count) | Amount::Just(count) => done < count,
        }
    }
}

fn raw(bytes: &[u8]) -> Vec<Item> {
    if bytes.is_empty() {
        return Vec::new();
    }
    vec![Item { value: Value::Bytes(bytes.to_vec()), len: bytes.len(), short: true }]
}

/// In Godot 4 the low six bits are the type, and bools and ints are short.
fn item(bytes: &[u8], rules: Rules) -> Option<Item> {
    let first = *bytes.first()?;
    match first & 0x3f {
        _ if rules.dialect != Dialect::Godot4 => full(bytes, rules),
        1 => Some(Item { value: Value::Bool(first & 0x80 != 0), len: 1, short: true }),
        2 => short_int(first >> 6, &bytes[1..]),
        // An object that is null comes as a nil with another type put over it. (Where full
        // objects are read, this is the head of one.)
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

/// In 1, 2, 4 or 8 bytes.
fn short_int(mode: u8, bytes: &[u8]) -> Option<Item> {
    let size = 1 << mode;
    let bytes = bytes.get(..size)?;
    let negative = bytes[size - 1] & 0x80 != 0;
    let mut whole = [if negative { 0xff } else { 0 }; 8];
    whole[..size].copy_from_slice(bytes);
    let value = Value::Int { value: i64::from_le_bytes(whole), wide: false };
    Some(Item { value, len: 1 + size, short: true })
}

/// Text up to its NUL, or else to its end.
fn text(bytes: &[u8]) -> Vec<u8> {
    let end = bytes.iter().position(|&byte| byte == 0);
    bytes[..end.unwrap_or(bytes.len())].to_vec()
}

/// The node of an id, and where its path starts, if it has one: bit 31 says that the other
/// bits are that place, from the start of the packet.
fn node(packet: &[u8], id: u32) -> Option<(Node, Option<usize>)> {
    if id >> 31 == 0 {
        return Some((Node::Cached(id), None));
    }
    let at = (id & 0x7fff_ffff) as usize;
    // The path's first byte has to be there.
    packet.get(at)?;
    Some((Node::Path(text(&packet[at..])), Some(at)))
}
