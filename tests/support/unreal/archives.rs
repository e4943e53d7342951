//! Descriptions that consist of random operations of archives, and a second implementation of these
//! operations, which works on slices and on lists of single bits.

use gamewire::unreal::archive::{Archive, BitArchive, Serialize};
use gamewire::unreal::{ErrorKind, Guid, NameRef, ObjectRef, Result, StrRef};

/// An operation of an archive.
#[derive(Clone, Debug)]
pub enum Op {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F32,
    F64,
    Bits(u64),
    Bit,
    Int(u32),
    Packed,
    Packed64,
    // Archives of bits do not support the following operations.
    Bool,
    Guid,
    Str,
    Name,
    Object,
    Raw(u64),
    Array(Vec<Op>),
}

impl Op {
    /// Creates the operation that four bytes select.
    pub fn of([kind, a, b, c]: [u8; 4], for_bits: bool) -> Self {
        let max = u32::from_le_bytes([b, c, b, c]) >> (a & 31);
        match kind % if for_bits { 16 } else { 23 } {
            0 => Self::U8,
            1 => Self::I8,
            2 => Self::U16,
            3 => Self::I16,
            4 => Self::U32,
            5 => Self::I32,
            6 => Self::U64,
            7 => Self::I64,
            8 => Self::F32,
            9 => Self::F64,
            10 | 11 => Self::Bits((a % 129).into()),
            12 => Self::Bit,
            13 => Self::Int(max),
            14 => Self::Packed,
            15 => Self::Packed64,
            16 => Self::Bool,
            17 => Self::Guid,
            18 => Self::Str,
            19 => Self::Name,
            20 => Self::Object,
            21 => Self::Raw((a % 16).into()),
            _ => {
                Self::Array(vec![Self::of([a % 22, b, c, a], false), Self::of([b, c, a, b], true)])
            }
        }
    }
}

/// A value that an operation reads or writes.
#[derive(Clone, Debug)]
pub enum Item<'a> {
    U8(u8),
    I8(i8),
    U16(u16),
    I16(i16),
    U32(u32),
    I32(i32),
    U64(u64),
    I64(i64),
    F32(f32),
    F64(f64),
    Bits([u8; 17]),
    Bit(bool),
    Int(u32),
    Packed(u32),
    Packed64(u64),
    Bool(bool),
    Guid(Guid),
    Str(StrRef<'a>),
    Name(NameRef<'a>),
    Object(ObjectRef<'a>),
    Raw(&'a [u8]),
    Array(Vec<Vec<Item<'a>>>),
}

impl Item<'_> {
    fn new(op: &Op) -> Self {
        match op {
            Op::U8 => Self::U8(1),
            Op::I8 => Self::I8(1),
            Op::U16 => Self::U16(1),
            Op::I16 => Self::I16(1),
            Op::U32 => Self::U32(1),
            Op::I32 => Self::I32(1),
            Op::U64 => Self::U64(1),
            Op::I64 => Self::I64(1),
            Op::F32 => Self::F32(1.0),
            Op::F64 => Self::F64(1.0),
            Op::Bits(_) => Self::Bits([0xFF; 17]),
            Op::Bit => Self::Bit(true),
            Op::Int(_) => Self::Int(u32::MAX),
            Op::Packed => Self::Packed(1),
            Op::Packed64 => Self::Packed64(1),
            Op::Bool => Self::Bool(true),
            Op::Guid => Self::Guid(Guid::default()),
            Op::Str => Self::Str(StrRef::default()),
            Op::Name => Self::Name(NameRef::default()),
            Op::Object => Self::Object(ObjectRef::default()),
            Op::Raw(_) => Self::Raw(&[]),
            Op::Array(_) => Self::Array(Vec::new()),
        }
    }

    /// Reads or writes an item that archives of bits support, too.
    fn bits<A: BitArchive>(&mut self, op: &Op, ar: &mut A) -> Result<()> {
        match (self, op) {
            (Self::U8(value), _) => ar.number(value),
            (Self::I8(value), _) => ar.number(value),
            (Self::U16(value), _) => ar.number(value),
            (Self::I16(value), _) => ar.number(value),
            (Self::U32(value), _) => ar.number(value),
            (Self::I32(value), _) => ar.number(value),
            (Self::U64(value), _) => ar.number(value),
            (Self::I64(value), _) => ar.number(value),
            (Self::F32(value), _) => ar.number(value),
            (Self::F64(value), _) => ar.number(value),
            (Self::Bits(bits), Op::Bits(count)) => {
                let used = count.div_ceil(8) as usize;
                bits[used..].fill(0);
                ar.bits(bits, *count)
            }
            (Self::Bit(value), _) => ar.bit(value),
            (Self::Int(value), Op::Int(max)) => ar.int(value, *max),
            (Self::Packed(value), _) => ar.int_packed(value),
            (Self::Packed64(value), _) => ar.int_packed_64(value),
            (item, _) => panic!("{item:?} in an archive of bits"),
        }
    }

    fn serialize<'a, A: Archive<'a>>(item: &mut Item<'a>, op: &Op, ar: &mut A) -> Result<()> {
        match (item, op) {
            (Item::U8(value), _) => ar.serialize(value),
            (Item::U32(value), Op::U32) => ar.serialize(value),
            (Item::F64(value), _) => ar.serialize(value),
            (Item::Bool(value), _) => ar.serialize(value),
            (Item::Guid(value), _) => ar.serialize(value),
            (Item::Str(value), _) => ar.serialize(value),
            (Item::Name(value), _) => ar.serialize(value),
            (Item::Object(value), _) => ar.serialize(value),
            (Item::Raw(bytes), Op::Raw(len)) => ar.raw(bytes, *len),
            (Item::Array(rows), Op::Array(ops)) => {
                let (loading, mut count) = (ar.is_loading(), rows.len() as u32);
                ar.array(&mut count, 0, |ar, index| {
                    if loading {
                        rows.push(Vec::new());
                    }
                    serialize(ops, &mut rows[index as usize], ar)
                })
            }
            (item, op) => item.bits(op, ar),
        }
    }

    /// Prints the value as [`Slices`] and [`Bits`] do.
    fn print(&self, to: &mut Vec<String>) {
        to.push(match self {
            Self::U8(value) => value.to_string(),
            Self::I8(value) => value.to_string(),
            Self::U16(value) => value.to_string(),
            Self::I16(value) => value.to_string(),
            Self::U32(value) | Self::Int(value) | Self::Packed(value) => value.to_string(),
            Self::I32(value) => value.to_string(),
            Self::U64(value) | Self::Packed64(value) => value.to_string(),
            Self::I64(value) => value.to_string(),
            Self::F32(value) => value.to_bits().to_string(),
            Self::F64(value) => value.to_bits().to_string(),
            Self::Bits(bits) => format!("{bits:?}"),
            Self::Bit(value) | Self::Bool(value) => value.to_string(),
            Self::Guid(guid) => guid.to_string(),
            Self::Str(text) => format!("{:?}", text.units().collect::<Vec<_>>()),
            Self::Name(NameRef::Index(name)) => format!("{} {}", name.index, name.number),
            Self::Object(ObjectRef::Index(index)) => index.0.to_string(),
            Self::Raw(bytes) => format!("{bytes:?}"),
            Self::Array(rows) => {
                to.push(format!("{} rows", rows.len()));
                return rows.iter().flatten().for_each(|item| item.print(to));
            }
            Self::Name(_) | Self::Object(_) => unreachable!("the archive is not one of a save"),
        });
    }
}

/// Prints items.
pub fn print(items: &[Item<'_>]) -> Vec<String> {
    let mut printed = Vec::new();
    items.iter().for_each(|item| item.print(&mut printed));
    printed
}

/// Performs the operations on `items`. For reading, the list must be empty, and receives the items.
pub fn serialize<'a, A: Archive<'a>>(
    ops: &[Op],
    items: &mut Vec<Item<'a>>,
    ar: &mut A,
) -> Result<()> {
    ops.iter().enumerate().try_for_each(|(index, op)| {
        if ar.is_loading() {
            items.push(Item::new(op));
        }
        Item::serialize(&mut items[index], op, ar)
    })
}

/// Performs the operations with an archive of bits.
pub fn serialize_bits<A: BitArchive>(
    ops: &[Op],
    items: &mut Vec<Item<'_>>,
    ar: &mut A,
) -> Result<()> {
    ops.iter().enumerate().try_for_each(|(index, op)| {
        if ar.is_loading() {
            items.push(Item::new(op));
        }
        items[index].bits(op, ar)
    })
}

/// A tree of nested arrays. Its description is recursive.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub label: u8,
    pub children: Vec<Tree>,
}

impl<'a> Serialize<'a> for Tree {
    const MIN_SIZE: u64 = 5;

    fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()> {
        ar.serialize(&mut self.label)?;
        if self.label == 0xFF {
            return Err(ar.error(ErrorKind::Unknown { what: "label", value: 0xFF }));
        }
        ar.serialize(&mut self.children)
    }
}

/// The second implementation for archives of bytes.
pub struct Slices<'b> {
    pub bytes: &'b [u8],
    pub is_big: bool,
    pub printed: Vec<String>,
    /// The bytes that a writer writes for the values.
    pub rewritten: Vec<u8>,
}

impl<'b> Slices<'b> {
    fn take(&mut self, len: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(len)?;
        self.bytes = rest;
        self.rewritten.extend(taken);
        Some(taken)
    }

    /// Reads an unsigned number.
    fn number(&mut self, len: usize) -> Option<u64> {
        let mut bytes = self.take(len)?.to_vec();
        if self.is_big {
            bytes.reverse();
        }
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn signed(&mut self, len: usize) -> Option<i64> {
        let unused = 64 - 8 * len as u32;
        Some((self.number(len)? << unused) as i64 >> unused)
    }

    /// Performs the operations. Returns `None` if the archive must return an error.
    pub fn run(&mut self, ops: &[Op]) -> Option<()> {
        for op in ops {
            let printed = match op {
                Op::U8 => self.number(1)?.to_string(),
                Op::U16 => self.number(2)?.to_string(),
                Op::U32 | Op::F32 | Op::Int(_) => self.number(4)?.to_string(),
                Op::U64 | Op::F64 => self.number(8)?.to_string(),
                Op::I8 => self.signed(1)?.to_string(),
                Op::I16 => self.signed(2)?.to_string(),
                Op::I32 | Op::Object => self.signed(4)?.to_string(),
                Op::I64 => self.signed(8)?.to_string(),
                Op::Name => format!("{} {}", self.signed(4)?, self.signed(4)?),
                Op::Guid => (0..4)
                    .map(|_| Some(format!("{:08X}", self.number(4)?)))
                    .collect::<Option<_>>()?,
                Op::Bool => match self.number(4)? {
                    0 => "false".into(),
                    1 => "true".into(),
                    _ => return None,
                },
                Op::Raw(len) => format!("{:?}", self.take(*len as usize)?),
                Op::Str => self.text()?,
                Op::Bits(count) => self.bits(*count)?,
                Op::Bit => (self.bits(1)?.starts_with("[1,")).to_string(),
                Op::Packed => self.packed(u32::MAX.into())?,
                Op::Packed64 => self.packed(u64::MAX.into())?,
                Op::Array(ops) => {
                    let count = usize::try_from(self.signed(4)?).ok()?;
                    if count > self.bytes.len() {
                        return None;
                    }
                    self.printed.push(format!("{count} rows"));
                    (0..count).try_for_each(|_| self.run(ops))?;
                    continue;
                }
            };
            self.printed.push(printed);
        }
        Some(())
    }

    fn text(&mut self) -> Option<String> {
        let len = self.signed(4)?;
        let wide = len < 0;
        let count = usize::try_from(len.abs()).ok().filter(|_| len != i64::from(i32::MIN))?;
        let size = if wide { 2 } else { 1 };
        if self.bytes.len() / size < count {
            return None;
        }
        let mut units: Vec<u64> = (0..count).map(|_| self.number(size)).collect::<Option<_>>()?;
        if units.last() == Some(&0) {
            units.pop();
        }
        Some(format!("{units:?}"))
    }

    fn bits(&mut self, count: u64) -> Option<String> {
        let mut bits = self.take(count.div_ceil(8) as usize)?.to_vec();
        if let Some(last) = bits.last_mut() {
            let unused = 8 * count.div_ceil(8) - count;
            *last = *last << unused >> unused;
            *self.rewritten.last_mut().unwrap() = *last;
        }
        bits.resize(17, 0);
        Some(format!("{bits:?}"))
    }

    fn packed(&mut self, max: u128) -> Option<String> {
        let (start, mut value, mut parts) = (self.rewritten.len(), 0u128, Vec::new());
        loop {
            let byte = self.number(1)?;
            value += u128::from(byte / 2) << (7 * parts.len());
            if value > max || 7 * parts.len() as u32 >= 128 - max.leading_zeros() {
                return None;
            }
            parts.push(byte / 2);
            if byte % 2 == 0 {
                break;
            }
        }
        self.rewritten.truncate(start);
        self.rewritten.extend(packed_bytes(value));
        Some(value.to_string())
    }
}

/// Returns the bytes of a packed integer, each with seven bits of it.
fn packed_bytes(value: u128) -> Vec<u8> {
    let parts: Vec<u128> =
        (0..).map(|index| value >> (7 * index)).take_while(|rest| *rest != 0).collect();
    let parts = if parts.is_empty() { vec![0] } else { parts };
    let last = parts.len() - 1;
    (0..).zip(&parts).map(|(index, rest)| (rest % 128 * 2) as u8 + u8::from(index < last)).collect()
}

/// The second implementation for archives of bits.
pub struct Bits {
    /// The bits that have not been read.
    pub left: Vec<bool>,
    pub is_big: bool,
    pub printed: Vec<String>,
    /// The bits that a writer writes for the values.
    pub rewritten: Vec<bool>,
}

impl Bits {
    /// Returns the first `len` bits of some bytes.
    pub fn of(bytes: &[u8], len: usize) -> Vec<bool> {
        let bits = bytes.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1));
        bits.take(len).collect()
    }

    fn take(&mut self, count: usize) -> Option<Vec<bool>> {
        if self.left.len() < count {
            return None;
        }
        let taken: Vec<_> = self.left.drain(..count).collect();
        self.rewritten.extend(&taken);
        Some(taken)
    }

    fn unsigned(bits: &[bool]) -> u64 {
        bits.iter().rev().fold(0, |number, bit| number << 1 | u64::from(*bit))
    }

    fn number(&mut self, size: usize) -> Option<u64> {
        let bits = self.take(8 * size)?;
        let mut bytes: Vec<u64> = bits.chunks(8).map(Self::unsigned).collect();
        if self.is_big {
            bytes.reverse();
        }
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | byte))
    }

    fn signed(&mut self, len: usize) -> Option<i64> {
        let unused = 64 - 8 * len as u32;
        Some((self.number(len)? << unused) as i64 >> unused)
    }

    /// Performs the operations. Returns `None` if the archive must return an error.
    pub fn run(&mut self, ops: &[Op]) -> Option<()> {
        for op in ops {
            let printed = match op {
                Op::U8 => self.number(1)?.to_string(),
                Op::U16 => self.number(2)?.to_string(),
                Op::U32 | Op::F32 => self.number(4)?.to_string(),
                Op::U64 | Op::F64 => self.number(8)?.to_string(),
                Op::I8 => self.signed(1)?.to_string(),
                Op::I16 => self.signed(2)?.to_string(),
                Op::I32 => self.signed(4)?.to_string(),
                Op::I64 => self.signed(8)?.to_string(),
                Op::Bits(count) => {
                    let bits = self.take(*count as usize)?;
                    let mut bytes: Vec<u64> = bits.chunks(8).map(Self::unsigned).collect();
                    bytes.resize(17, 0);
                    format!("{bytes:?}")
                }
                Op::Bit => self.take(1)?[0].to_string(),
                Op::Int(max) => self.int((*max).into())?.to_string(),
                Op::Packed => self.packed(u32::MAX.into())?,
                Op::Packed64 => self.packed(u64::MAX.into())?,
                op => panic!("{op:?} in an archive of bits"),
            };
            self.printed.push(printed);
        }
        Some(())
    }

    /// Reads an integer below `max`. If the largest such integer has k bits, the lowest k − 1 bits
    /// are always stored. The highest bit is stored only if it could be set.
    fn int(&mut self, max: u64) -> Option<u64> {
        if max <= 1 {
            return Some(0);
        }
        let highest = (max - 1).ilog2();
        let low = Self::unsigned(&self.take(highest as usize)?);
        match low + (1 << highest) < max {
            true => Some(low + (Self::unsigned(&self.take(1)?) << highest)),
            false => Some(low),
        }
    }

    fn packed(&mut self, max: u128) -> Option<String> {
        let (start, mut value, mut count) = (self.rewritten.len(), 0u128, 0);
        loop {
            let bits = self.take(8)?;
            value += u128::from(Self::unsigned(&bits[1..])) << (7 * count);
            if value > max || 7 * count >= 128 - max.leading_zeros() {
                return None;
            }
            count += 1;
            if !bits[0] {
                break;
            }
        }
        self.rewritten.truncate(start);
        let bytes = packed_bytes(value);
        self.rewritten.extend(Self::of(&bytes, 8 * bytes.len()));
        Some(value.to_string())
    }
}

/// Returns the bytes that a writer must write for these bits.
pub fn to_bytes(bits: &[bool]) -> Vec<u8> {
    bits.chunks(8).map(|byte| Bits::unsigned(byte) as u8).collect()
}
