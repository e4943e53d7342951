//! An independent oracle for Godot's Variant wire format: a simple decoder, written from the
//! description of the format and not optimised. All numbers are little-endian.

use std::ops::Range;

/// The type ids and the engine behaviour that apply to the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Engines 1.0 to 2.1.
    Godot2,
    /// Engines 3.1 to 3.6.
    Godot3,
    /// Engines 4.0 and later, of either precision.
    Godot4,
    /// The format that the 4.x manual describes, but that no engine uses.
    Docs,
    /// The format with 64-bit reals that the same manual page describes.
    DocsDouble,
}

/// Strictness of the validation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Checks ids, lengths, counts and depth only.
    Structure,
    /// Also checks text, by the rules of the dialect's engine.
    Engine,
}

/// A real number as its bits, so that NaN payloads can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Real {
    F32(u32),
    F64(u64),
}

/// A type of value, with the name that it has in Godot 4. Each dialect has its own type ids (see
/// [`kinds`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Nil,
    Bool,
    Int,
    Float,
    String,
    Vector2,
    Vector2i,
    Rect2,
    Rect2i,
    Vector3,
    Vector3i,
    Transform2D,
    Vector4,
    Vector4i,
    Plane,
    Quaternion,
    Aabb,
    Basis,
    Transform3D,
    Projection,
    Color,
    StringName,
    NodePath,
    Rid,
    Object,
    Callable,
    Signal,
    Dictionary,
    Array,
    PackedByteArray,
    PackedInt32Array,
    PackedInt64Array,
    PackedFloat32Array,
    PackedFloat64Array,
    PackedStringArray,
    PackedVector2Array,
    PackedVector3Array,
    PackedColorArray,
    PackedVector4Array,
    /// An image, which is a value only in Godot 2.
    Image,
    /// An input event, which is a value only in Godot 2.
    InputEvent,
}

/// A decoded value. Text is stored as on the wire, including a byte order mark and all bytes after
/// a NUL.
///
/// A thread with a stack of 2 MiB can decode, compare, print and drop a value nested 1,024 deep,
/// even in an unoptimised build. It cannot clone such a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Nil,
    Bool(bool),
    Int {
        value: i64,
        wide: bool,
    },
    Float(Real),
    String(Vec<u8>),
    StringName(Vec<u8>),
    /// Vectors, rectangles, matrices, colours: components in wire order.
    Reals(Kind, Vec<Real>),
    /// Vectors and rectangles with integer components.
    Ints(Kind, Vec<i32>),
    NodePath {
        absolute: bool,
        names: Vec<Vec<u8>>,
        subnames: Vec<Vec<u8>>,
        /// The property of a path in Godot 2. Later engines read this string as a subname.
        property: Option<Vec<u8>>,
    },
    /// A node path in the old form: a single string.
    OldNodePath(Vec<u8>),
    Rid(Option<u64>),
    /// A null object without an id: its class is empty, or nothing follows its header. An object id
    /// of zero also means null, and is decoded to `ObjectId(0)`.
    ObjectNull,
    ObjectId(u64),
    Object {
        class: Vec<u8>,
        properties: Vec<(Vec<u8>, Value)>,
    },
    Callable,
    Signal {
        name: Vec<u8>,
        object: u64,
    },
    Array {
        shared: bool,
        element: Option<TypeOf>,
        items: Vec<Value>,
    },
    Dictionary {
        shared: bool,
        key: Option<TypeOf>,
        value: Option<TypeOf>,
        pairs: Vec<(Value, Value)>,
    },
    Bytes(Vec<u8>),
    Int32s(Vec<i32>),
    Int64s(Vec<i64>),
    Float32s(Vec<u32>),
    Float64s(Vec<u64>),
    /// The strings without their trailing NULs, which the engines' writers include in the lengths.
    Strings(Vec<Vec<u8>>),
    /// The components of each element of a packed array of vectors or colours.
    RealArray(Kind, Vec<Vec<Real>>),
    Image {
        format: u32,
        mipmaps: u32,
        width: u32,
        height: u32,
        data: Vec<u8>,
    },
    InputEvent {
        kind: u32,
        device: u32,
        /// The length field as written. Readers ignore it.
        length: u32,
        body: Vec<u8>,
    },
}

/// A type of elements, keys or values, as a container declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeOf {
    Builtin(u32),
    Class(Vec<u8>),
    Script(Vec<u8>),
}

/// The reason why the bytes are malformed, and the offset of the malformed field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reject {
    pub offset: usize,
    pub why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A field extends past the end of the input.
    Truncated,
    UnknownType,
    /// A length or count is negative, or the counted elements take more than 2 GiB − 1 bytes.
    BadLength,
    /// A node path is a single string, in a dialect that no longer has this form.
    OldNodePath,
    ObjectNotAllowed,
    TooDeep,
    BadText,
    BadElementType,
}

type Read<T> = Result<T, Reject>;

/// Bit 16 of a header. If it is set, a number has 64 bits instead of 32, and an object consists of
/// its id only.
const WIDE: u32 = 1 << 16;

/// The maximum depth at which a value is read. The outermost value has depth 0.
const DEEPEST: usize = 1024;

/// The maximum number of bytes that an engine reads. Lengths are signed 32-bit numbers.
const MOST_BYTES: usize = i32::MAX as usize;

/// Decodes the value at the start of `bytes`. Returns the value and its size in bytes. Optional
/// padding that is missing at the end of the input is not part of the size.
pub fn decode(
    bytes: &[u8],
    dialect: Dialect,
    level: Level,
    allow_objects: bool,
) -> Result<(Value, usize), Reject> {
    let mut reader = Reader {
        bytes: &bytes[..bytes.len().min(MOST_BYTES)],
        at: 0,
        dialect,
        level,
        allow_objects,
        pads: Vec::new(),
    };
    let value = reader.value()?;
    Ok((value, reader.at))
}

/// Returns the encoded value at the start of `bytes` with all of its padding set to zero. Padding
/// that is missing at the end of the input is added. All other bytes are unchanged.
pub fn with_clean_pads(bytes: &[u8], dialect: Dialect) -> Result<Vec<u8>, Reject> {
    let mut reader = Reader {
        bytes,
        at: 0,
        dialect,
        level: Level::Structure,
        allow_objects: true,
        pads: Vec::new(),
    };
    reader.value()?;
    let mut clean = bytes[..reader.at].to_vec();
    for pad in reader.pads {
        clean.resize(clean.len().max(pad.end), 0);
        clean[pad].fill(0);
    }
    Ok(clean)
}

/// Returns text as an engine reads it: without one leading byte order mark, up to the first NUL.
pub fn seen(text: &[u8]) -> &[u8] {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let end = text.iter().position(|&byte| byte == 0);
    &text[..end.unwrap_or(text.len())]
}

/// Returns the code points that Godot 3.1 to 3.6 decodes from text, or `None` if the engine rejects
/// the text. The engine accepts sequences of five and six bytes, surrogates, and most overlong
/// sequences of three or more bytes.
pub fn godot3_code_points(text: &[u8]) -> Option<Vec<u32>> {
    let mut rest = seen(text);
    let mut points = Vec::new();
    while let Some(&lead) = rest.first() {
        let length = godot3_length(lead)?;
        points.push(godot3_code_point(rest.get(..length)?)?);
        rest = &rest[length..];
    }
    Some(points)
}

fn godot3_length(lead: u8) -> Option<usize> {
    match lead {
        0x00..=0x7F => Some(1),
        // A two-byte sequence is overlong if these four bits are zero.
        0xC0..=0xDF if lead & 0x1E == 0 => None,
        0xC0..=0xDF => Some(2),
        0xE0..=0xEF => Some(3),
        0xF0..=0xF7 => Some(4),
        0xF8..=0xFB => Some(5),
        0xFC..=0xFD => Some(6),
        0x80..=0xBF | 0xFE..=0xFF => None,
    }
}

fn godot3_code_point(sequence: &[u8]) -> Option<u32> {
    let length = sequence.len();
    let lead = u32::from(sequence[0]);
    if length == 1 {
        return Some(lead);
    }
    let mut point = lead & (0x7F >> length);
    for (i, &byte) in sequence.iter().enumerate().skip(1) {
        if byte & 0xC0 != 0x80 {
            return None;
        }
        // The engine's only check for longer overlong sequences. It does not detect all of them.
        if i == 2 && point == 0 && (byte & 0x7F) >> (7 - length) == 0 {
            return None;
        }
        point = point << 6 | u32::from(byte & 0x3F);
    }
    Some(point)
}

/// Returns the types of a dialect. The index of a type is its id.
pub fn kinds(dialect: Dialect) -> &'static [Kind] {
    match dialect {
        Dialect::Godot2 => &GODOT2,
        Dialect::Godot3 => &GODOT3,
        Dialect::Godot4 => &GODOT4,
        Dialect::Docs | Dialect::DocsDouble => &DOCS,
    }
}

const GODOT2: [Kind; 29] = [
    Kind::Nil,
    Kind::Bool,
    Kind::Int,
    Kind::Float,
    Kind::String,
    Kind::Vector2,
    Kind::Rect2,
    Kind::Vector3,
    Kind::Transform2D,
    Kind::Plane,
    Kind::Quaternion,
    Kind::Aabb,
    Kind::Basis,
    Kind::Transform3D,
    Kind::Color,
    Kind::Image,
    Kind::NodePath,
    Kind::Rid,
    Kind::Object,
    Kind::InputEvent,
    Kind::Dictionary,
    Kind::Array,
    Kind::PackedByteArray,
    Kind::PackedInt32Array,
    Kind::PackedFloat32Array,
    Kind::PackedStringArray,
    Kind::PackedVector2Array,
    Kind::PackedVector3Array,
    Kind::PackedColorArray,
];

const GODOT3: [Kind; 27] = [
    Kind::Nil,
    Kind::Bool,
    Kind::Int,
    Kind::Float,
    Kind::String,
    Kind::Vector2,
    Kind::Rect2,
    Kind::Vector3,
    Kind::Transform2D,
    Kind::Plane,
    Kind::Quaternion,
    Kind::Aabb,
    Kind::Basis,
    Kind::Transform3D,
    Kind::Color,
    Kind::NodePath,
    Kind::Rid,
    Kind::Object,
    Kind::Dictionary,
    Kind::Array,
    Kind::PackedByteArray,
    Kind::PackedInt32Array,
    Kind::PackedFloat32Array,
    Kind::PackedStringArray,
    Kind::PackedVector2Array,
    Kind::PackedVector3Array,
    Kind::PackedColorArray,
];

const GODOT4: [Kind; 39] = [
    Kind::Nil,
    Kind::Bool,
    Kind::Int,
    Kind::Float,
    Kind::String,
    Kind::Vector2,
    Kind::Vector2i,
    Kind::Rect2,
    Kind::Rect2i,
    Kind::Vector3,
    Kind::Vector3i,
    Kind::Transform2D,
    Kind::Vector4,
    Kind::Vector4i,
    Kind::Plane,
    Kind::Quaternion,
    Kind::Aabb,
    Kind::Basis,
    Kind::Transform3D,
    Kind::Projection,
    Kind::Color,
    Kind::StringName,
    Kind::NodePath,
    Kind::Rid,
    Kind::Object,
    Kind::Callable,
    Kind::Signal,
    Kind::Dictionary,
    Kind::Array,
    Kind::PackedByteArray,
    Kind::PackedInt32Array,
    Kind::PackedInt64Array,
    Kind::PackedFloat32Array,
    Kind::PackedFloat64Array,
    Kind::PackedStringArray,
    Kind::PackedVector2Array,
    Kind::PackedVector3Array,
    Kind::PackedColorArray,
    Kind::PackedVector4Array,
];

const DOCS: [Kind; 29] = [
    Kind::Nil,
    Kind::Bool,
    Kind::Int,
    Kind::Float,
    Kind::String,
    Kind::Vector2,
    Kind::Rect2,
    Kind::Vector3,
    Kind::Transform2D,
    Kind::Plane,
    Kind::Quaternion,
    Kind::Aabb,
    Kind::Basis,
    Kind::Transform3D,
    Kind::Color,
    Kind::NodePath,
    Kind::Rid,
    Kind::Object,
    Kind::Dictionary,
    Kind::Array,
    Kind::PackedByteArray,
    Kind::PackedInt32Array,
    Kind::PackedInt64Array,
    Kind::PackedFloat32Array,
    Kind::PackedFloat64Array,
    Kind::PackedStringArray,
    Kind::PackedVector2Array,
    Kind::PackedVector3Array,
    Kind::PackedColorArray,
];

/// Returns the number of components of a fixed-size value, or of one element of a packed array of
/// vectors or colours.
pub fn components(kind: Kind) -> usize {
    match kind {
        Kind::Vector2 | Kind::Vector2i | Kind::PackedVector2Array => 2,
        Kind::Vector3 | Kind::Vector3i | Kind::PackedVector3Array => 3,
        Kind::Vector4 | Kind::Vector4i | Kind::PackedVector4Array => 4,
        Kind::Rect2 | Kind::Rect2i | Kind::Plane | Kind::Quaternion => 4,
        Kind::Color | Kind::PackedColorArray => 4,
        Kind::Transform2D | Kind::Aabb => 6,
        Kind::Basis => 9,
        Kind::Transform3D => 12,
        Kind::Projection => 16,
        _ => 0,
    }
}

/// A container with children that are not decoded yet. A list holds the open containers, because
/// recursion over 1,024 levels could overflow the call stack.
struct Open {
    what: Container,
    left: u64,
    /// If the container is an object, the names of the properties decoded so far.
    names: Vec<Vec<u8>>,
    children: Vec<Value>,
}

enum Container {
    Array { shared: bool, element: Option<TypeOf> },
    Dictionary { shared: bool, key: Option<TypeOf>, value: Option<TypeOf> },
    Object { class: Vec<u8> },
}

enum Begun {
    Whole(Value),
    Open(Open),
}

impl Open {
    fn begin(what: Container, left: u64) -> Begun {
        let open = Open { what, left, names: Vec::new(), children: Vec::new() };
        if left == 0 { Begun::Whole(open.close()) } else { Begun::Open(open) }
    }

    fn close(self) -> Value {
        match self.what {
            Container::Array { shared, element } => {
                Value::Array { shared, element, items: self.children }
            }
            Container::Dictionary { shared, key, value } => {
                Value::Dictionary { shared, key, value, pairs: in_pairs(self.children) }
            }
            Container::Object { class } => Value::Object {
                class,
                properties: self.names.into_iter().zip(self.children).collect(),
            },
        }
    }
}

fn in_pairs(children: Vec<Value>) -> Vec<(Value, Value)> {
    let mut pairs = Vec::new();
    let mut children = children.into_iter();
    while let (Some(key), Some(value)) = (children.next(), children.next()) {
        pairs.push((key, value));
    }
    pairs
}

/// Adds a value to the innermost open container. Closes a container that is now complete, and adds
/// it to its parent in the same way. Returns the outermost value when it is complete.
fn settle(open: &mut Vec<Open>, mut value: Value) -> Option<Value> {
    while let Some(mut parent) = open.pop() {
        parent.children.push(value);
        parent.left -= 1;
        if parent.left > 0 {
            open.push(parent);
            return None;
        }
        value = parent.close();
    }
    Some(value)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    dialect: Dialect,
    level: Level,
    allow_objects: bool,
    /// The byte ranges of padding. The last range may extend past the end of the input.
    pads: Vec<Range<usize>>,
}

/// Methods for values of all types.
impl Reader<'_> {
    fn value(&mut self) -> Read<Value> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            if let Some(parent) = open.last_mut() {
                self.property_name(parent)?;
            }
            match self.begin(open.len())? {
                Begun::Open(container) => open.push(container),
                Begun::Whole(value) => {
                    if let Some(root) = settle(&mut open, value) {
                        return Ok(root);
                    }
                }
            }
        }
    }

    /// If the parent is an object, reads the name of its next property. The property's value
    /// follows.
    fn property_name(&mut self, parent: &mut Open) -> Read<()> {
        if let Container::Object { .. } = parent.what {
            parent.names.push(self.string()?);
        }
        Ok(())
    }

    fn begin(&mut self, depth: usize) -> Read<Begun> {
        let start = self.at;
        if depth > DEEPEST {
            return reject(start, Why::TooDeep);
        }
        let header = self.u32()?;
        let Some(kind) = self.kind(header) else {
            return reject(start, Why::UnknownType);
        };
        match kind {
            Kind::Array => self.array(header),
            Kind::Dictionary => self.dictionary(header),
            Kind::Object => self.object(header, start),
            _ => Ok(Begun::Whole(self.leaf(kind, header)?)),
        }
    }

    /// Returns the type of a value with this header, or `None` for an unknown type id. The type id
    /// is the whole header in Godot 2, the lowest byte in later engines, and the low two bytes in
    /// the format of the manual. The other bits are flags; unused flags are ignored.
    fn kind(&self, header: u32) -> Option<Kind> {
        let id = match self.dialect {
            Dialect::Godot2 => header,
            Dialect::Godot3 | Dialect::Godot4 => header & 0xFF,
            Dialect::Docs | Dialect::DocsDouble => header & 0xFFFF,
        };
        kinds(self.dialect).get(id as usize).copied()
    }

    fn leaf(&mut self, kind: Kind, header: u32) -> Read<Value> {
        match kind {
            Kind::Nil => Ok(Value::Nil),
            // Any value other than zero is true.
            Kind::Bool => Ok(Value::Bool(self.u32()? != 0)),
            Kind::Int => self.int(header),
            Kind::Float => self.float(header),
            Kind::String => Ok(Value::String(self.string()?)),
            Kind::StringName => Ok(Value::StringName(self.string()?)),
            Kind::Vector2i | Kind::Vector3i | Kind::Vector4i | Kind::Rect2i => self.ints(kind),
            Kind::NodePath => self.node_path(),
            Kind::Rid => self.rid(),
            // A callable has no payload.
            Kind::Callable => Ok(Value::Callable),
            Kind::Signal => self.signal(),
            Kind::Image => self.image(),
            Kind::InputEvent => self.input_event(),
            Kind::PackedByteArray => Ok(Value::Bytes(self.byte_array()?)),
            Kind::PackedInt32Array => Ok(Value::Int32s(self.each(4, Self::i32)?)),
            Kind::PackedInt64Array => Ok(Value::Int64s(self.each(8, Self::i64)?)),
            Kind::PackedFloat32Array => Ok(Value::Float32s(self.each(4, Self::u32)?)),
            Kind::PackedFloat64Array => Ok(Value::Float64s(self.each(8, Self::u64)?)),
            Kind::PackedStringArray => self.strings(),
            Kind::PackedVector2Array
            | Kind::PackedVector3Array
            | Kind::PackedVector4Array
            | Kind::PackedColorArray => self.real_array(kind, header),
            _ => self.fixed_reals(kind, header),
        }
    }

    /// Returns `true` if an int or a float takes 64 bits. Godot 2 has only 32-bit numbers.
    fn wide_scalar(&self, header: u32) -> bool {
        self.dialect != Dialect::Godot2 && header & WIDE != 0
    }

    fn int(&mut self, header: u32) -> Read<Value> {
        let wide = self.wide_scalar(header);
        let value = if wide { self.i64()? } else { i64::from(self.i32()?) };
        Ok(Value::Int { value, wide })
    }

    fn float(&mut self, header: u32) -> Read<Value> {
        let wide = self.wide_scalar(header);
        Ok(Value::Float(self.real(wide)?))
    }

    /// Returns `true` if the reals of a value have 64 bits. In Godot 4, a flag in the header marks
    /// double precision. In the format that Godot's manual describes, either all reals are doubles
    /// (`DocsDouble`) or none are (`Docs`). Older engines write single precision only, and every
    /// engine writes colours in single precision.
    fn wide_reals(&self, kind: Kind, header: u32) -> bool {
        let colour = kind == Kind::Color || kind == Kind::PackedColorArray;
        match self.dialect {
            Dialect::Godot4 => header & WIDE != 0 && !colour,
            Dialect::DocsDouble => true,
            Dialect::Godot2 | Dialect::Godot3 | Dialect::Docs => false,
        }
    }

    fn fixed_reals(&mut self, kind: Kind, header: u32) -> Read<Value> {
        let wide = self.wide_reals(kind, header);
        Ok(Value::Reals(kind, self.reals(components(kind), wide)?))
    }

    fn ints(&mut self, kind: Kind) -> Read<Value> {
        let mut parts = Vec::new();
        for _ in 0..components(kind) {
            parts.push(self.i32()?);
        }
        Ok(Value::Ints(kind, parts))
    }

    /// Reads a RID. Only Godot 4 writes the id of the resource.
    fn rid(&mut self) -> Read<Value> {
        match self.dialect {
            Dialect::Godot4 => Ok(Value::Rid(Some(self.u64()?))),
            _ => Ok(Value::Rid(None)),
        }
    }

    fn signal(&mut self) -> Read<Value> {
        let name = self.string()?;
        let object = self.u64()?;
        Ok(Value::Signal { name, object })
    }
}

/// Methods for node paths.
impl Reader<'_> {
    /// Reads a node path. Bit 31 of the first word is set if the path consists of separate names.
    fn node_path(&mut self) -> Read<Value> {
        let start = self.at;
        let first = self.u32()?;
        if first >> 31 == 0 {
            return self.old_node_path(first, start);
        }
        let name_count = first & 0x7FFF_FFFF;
        let subname_count = self.u32()?;
        let flags = self.u32()?;
        let extra = flags & 2 != 0;
        if self.dialect == Dialect::Godot2 {
            let [names, subnames] = self.path_parts(name_count, subname_count)?;
            let property = if extra { Some(self.string()?) } else { None };
            return Ok(path(flags, names, subnames, property));
        }
        // Since Godot 3, the extra string counts as one more subname.
        let subname_count = subname_count.wrapping_add(u32::from(extra));
        let [names, subnames] = self.path_parts(name_count, subname_count)?;
        Ok(path(flags, names, subnames, None))
    }

    /// Reads the names and the subnames. As in the engine, the sum of the two counts wraps at 32
    /// bits.
    fn path_parts(&mut self, names: u32, subnames: u32) -> Read<[Vec<Vec<u8>>; 2]> {
        let mut parts = [Vec::new(), Vec::new()];
        for i in 0..names.wrapping_add(subnames) {
            let part = self.string()?;
            parts[usize::from(i >= names)].push(part);
        }
        Ok(parts)
    }

    /// Reads a node path that is a single string. In Godot 2 the string has no padding; in the
    /// manual it is an ordinary string; since Godot 3.1 this form is rejected.
    fn old_node_path(&mut self, length: u32, start: usize) -> Read<Value> {
        match self.dialect {
            Dialect::Godot2 => Ok(Value::OldNodePath(self.take(length as usize)?.to_vec())),
            Dialect::Docs | Dialect::DocsDouble => {
                Ok(Value::OldNodePath(self.text(length as usize)?))
            }
            Dialect::Godot3 | Dialect::Godot4 => reject(start, Why::OldNodePath),
        }
    }
}

/// Returns a node path with these parts. Bit 0 of `flags` marks an absolute path, and bit 1 an
/// extra string, which the caller has read. The other bits have no meaning.
fn path(
    flags: u32,
    names: Vec<Vec<u8>>,
    subnames: Vec<Vec<u8>>,
    property: Option<Vec<u8>>,
) -> Value {
    Value::NodePath { absolute: flags & 1 != 0, names, subnames, property }
}

/// Methods for containers.
impl Reader<'_> {
    fn array(&mut self, header: u32) -> Read<Begun> {
        let element = self.type_of(header >> 16)?;
        let (shared, count) = self.shared_count()?;
        Ok(Open::begin(Container::Array { shared, element }, count))
    }

    fn dictionary(&mut self, header: u32) -> Read<Begun> {
        let key = self.type_of(header >> 16)?;
        let value = self.type_of(header >> 18)?;
        let (shared, count) = self.shared_count()?;
        let what = Container::Dictionary { shared, key, value };
        Ok(Open::begin(what, 2 * count))
    }

    /// Reads the count of a container. Bit 31 means "shared" and is not part of the count, so no
    /// count is negative. The count is not compared with the remaining bytes: reading fails at the
    /// first item that is missing.
    fn shared_count(&mut self) -> Read<(bool, u64)> {
        let word = self.u32()?;
        Ok((word >> 31 != 0, u64::from(word & 0x7FFF_FFFF)))
    }

    /// Reads the type that a Godot 4 container declares for its elements, keys or values. The low
    /// two bits of `bits` select its form. A class or script is accepted even if no engine has it.
    fn type_of(&mut self, bits: u32) -> Read<Option<TypeOf>> {
        if self.dialect != Dialect::Godot4 {
            return Ok(None);
        }
        match bits & 3 {
            0 => Ok(None),
            1 => Ok(Some(self.builtin()?)),
            2 => Ok(Some(TypeOf::Class(self.string()?))),
            _ => Ok(Some(TypeOf::Script(self.string()?))),
        }
    }

    fn builtin(&mut self) -> Read<TypeOf> {
        let start = self.at;
        let id = self.u32()?;
        if id as usize >= GODOT4.len() {
            return reject(start, Why::BadElementType);
        }
        Ok(TypeOf::Builtin(id))
    }

    /// Reads an object. In Godot 2, nothing follows the header. An object id is always accepted. A
    /// full object is rejected before its class is read, unless objects are allowed.
    fn object(&mut self, header: u32, start: usize) -> Read<Begun> {
        if self.dialect == Dialect::Godot2 {
            return Ok(Begun::Whole(Value::ObjectNull));
        }
        if header & WIDE != 0 {
            return Ok(Begun::Whole(Value::ObjectId(self.u64()?)));
        }
        if !self.allow_objects && !self.manual_null() {
            return reject(start, Why::ObjectNotAllowed);
        }
        let class = self.string()?;
        // An empty class is null, and nothing follows it.
        if seen(&class).is_empty() {
            return Ok(Begun::Whole(Value::ObjectNull));
        }
        // A negative count of properties means no properties.
        let count = u64::try_from(self.i32()?).unwrap_or(0);
        Ok(Open::begin(Container::Object { class }, count))
    }

    /// Returns `true` if a null object in the form of the manual follows: a zero word. Such a null
    /// is accepted even if objects are not allowed.
    fn manual_null(&self) -> bool {
        let manual = matches!(self.dialect, Dialect::Docs | Dialect::DocsDouble);
        manual && self.bytes[self.at..].starts_with(&[0; 4])
    }
}

/// Methods for packed arrays.
impl Reader<'_> {
    /// Reads the number of elements of a packed array, whose elements take `size` bytes each. The
    /// count must not be negative, the elements must take at most 2 GiB − 1 bytes, and the input
    /// must contain all of them.
    fn count(&mut self, size: usize) -> Read<usize> {
        let start = self.at;
        let count = self.length()?;
        let Some(bytes) = count.checked_mul(size).filter(|&n| n <= MOST_BYTES) else {
            return reject(start, Why::BadLength);
        };
        if bytes > self.bytes.len() - self.at {
            return reject(self.at, Why::Truncated);
        }
        Ok(count)
    }

    fn each<T>(&mut self, size: usize, read: fn(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut items = Vec::new();
        for _ in 0..self.count(size)? {
            items.push(read(self)?);
        }
        Ok(items)
    }

    /// Reads a byte array. Its padding may be missing at the end of the input.
    fn byte_array(&mut self) -> Read<Vec<u8>> {
        let count = self.count(1)?;
        let bytes = self.take(count)?.to_vec();
        self.pad_if_there(count);
        Ok(bytes)
    }

    fn real_array(&mut self, kind: Kind, header: u32) -> Read<Value> {
        let wide = self.wide_reals(kind, header);
        let width = if wide { 8 } else { 4 };
        let mut items = Vec::new();
        for _ in 0..self.count(components(kind) * width)? {
            items.push(self.reals(components(kind), wide)?);
        }
        Ok(Value::RealArray(kind, items))
    }

    /// Reads a packed string array. A negative count means that the array is empty. The engines'
    /// writers include a trailing NUL in the length of each string.
    fn strings(&mut self) -> Read<Value> {
        let mut items = Vec::new();
        for _ in 0..self.i32()? {
            let mut text = self.string()?;
            if text.last() == Some(&0) {
                text.pop();
            }
            items.push(text);
        }
        Ok(Value::Strings(items))
    }
}

/// Methods for the types that only Godot 2 has.
impl Reader<'_> {
    fn image(&mut self) -> Read<Value> {
        Ok(Value::Image {
            format: self.u32()?,
            mipmaps: self.u32()?,
            width: self.u32()?,
            height: self.u32()?,
            data: self.byte_array()?,
        })
    }

    /// Reads an input event. Its type determines its length; the length field is ignored.
    fn input_event(&mut self) -> Read<Value> {
        let kind = self.u32()?;
        let device = self.u32()?;
        let length = self.u32()?;
        let body = match kind {
            // A key has modifiers and a scancode; a joystick motion has an axis and a value.
            1 | 4 => 8,
            // A mouse button, a joystick button or a touch has an index.
            3 | 5 | 6 => 4,
            _ => 0,
        };
        Ok(Value::InputEvent { kind, device, length, body: self.take(body)?.to_vec() })
    }
}

/// Methods for text.
impl Reader<'_> {
    fn string(&mut self) -> Read<Vec<u8>> {
        let length = self.length()?;
        self.text(length)
    }

    /// Reads text and its padding up to a multiple of four bytes. The padding may have any value,
    /// but must be present, except in Godot 2.
    fn text(&mut self, length: usize) -> Read<Vec<u8>> {
        let start = self.at;
        let text = self.take(length)?.to_vec();
        if self.dialect != Dialect::Godot2 {
            self.take(padding(length))?;
            self.at -= padding(length);
        }
        self.pad_if_there(length);
        if self.level == Level::Engine && !self.is_text(&text) {
            return reject(start, Why::BadText);
        }
        Ok(text)
    }

    /// Returns `true` if the engine of the dialect accepts the text. Godot 2 accepts any bytes, and
    /// Godot 3 has its own rules. Godot 4 and the manual require UTF-8 up to the first NUL.
    fn is_text(&self, text: &[u8]) -> bool {
        match self.dialect {
            Dialect::Godot2 => true,
            Dialect::Godot3 => godot3_code_points(text).is_some(),
            _ => std::str::from_utf8(seen(text)).is_ok(),
        }
    }
}

/// Methods for bytes and numbers.
impl Reader<'_> {
    fn take(&mut self, length: usize) -> Read<&[u8]> {
        let rest = &self.bytes[self.at..];
        let Some(taken) = rest.get(..length) else {
            return reject(self.at, Why::Truncated);
        };
        self.at += length;
        Ok(taken)
    }

    fn pad_if_there(&mut self, length: usize) {
        let end = self.at + padding(length);
        self.pads.push(self.at..end);
        self.at = end.min(self.bytes.len());
    }

    fn array_of<const N: usize>(&mut self) -> Read<[u8; N]> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        Ok(bytes)
    }

    fn u32(&mut self) -> Read<u32> {
        Ok(u32::from_le_bytes(self.array_of()?))
    }

    fn i32(&mut self) -> Read<i32> {
        Ok(i32::from_le_bytes(self.array_of()?))
    }

    fn u64(&mut self) -> Read<u64> {
        Ok(u64::from_le_bytes(self.array_of()?))
    }

    fn i64(&mut self) -> Read<i64> {
        Ok(i64::from_le_bytes(self.array_of()?))
    }

    fn real(&mut self, wide: bool) -> Read<Real> {
        if wide { Ok(Real::F64(self.u64()?)) } else { Ok(Real::F32(self.u32()?)) }
    }

    fn reals(&mut self, count: usize, wide: bool) -> Read<Vec<Real>> {
        let mut reals = Vec::new();
        for _ in 0..count {
            reals.push(self.real(wide)?);
        }
        Ok(reals)
    }

    /// Reads a length or a count. Engines read it as a signed number, so a negative one is an
    /// error.
    fn length(&mut self) -> Read<usize> {
        let start = self.at;
        match usize::try_from(self.i32()?) {
            Ok(length) => Ok(length),
            Err(_) => reject(start, Why::BadLength),
        }
    }
}

fn padding(length: usize) -> usize {
    (4 - length % 4) % 4
}

fn reject<T>(offset: usize, why: Why) -> Read<T> {
    Err(Reject { offset, why })
}
