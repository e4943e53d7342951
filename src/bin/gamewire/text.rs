//! One line for one value. Nothing of a packet reaches the terminal unescaped.

use crate::report::TEXT;
use gamewire::godot::{
    Dialect, EventType, Kind, Layout, ObjectRef, Real, Reals, StrRef, TypeRef, VariantRef,
};
use std::fmt::{self, Display, Write};

/// How much of long text and arrays to print.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub chars: usize,
    pub elements: usize,
    pub bytes: usize,
}

impl Limit {
    pub const SHORT: Self = Self { chars: 72, elements: 8, bytes: 24 };
    pub const NONE: Self = Self { chars: usize::MAX, elements: usize::MAX, bytes: usize::MAX };
}

/// What the dialect's engine calls a type.
pub fn type_name(kind: Kind, dialect: Dialect) -> &'static str {
    dialect.type_name(kind).unwrap_or("?")
}

/// Text in quotes, escaped, shortened with its length.
pub struct Quoted<'a>(pub StrRef<'a>, pub Limit);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(text, limit) = self;
        let mut left = limit.chars;
        write!(f, "{TEXT}\"")?;
        for chunk in text.as_bytes().utf8_chunks() {
            for char in chunk.valid().chars() {
                take(f, &mut left, char.escape_debug())?;
            }
            for byte in chunk.invalid() {
                take(f, &mut left, format_args!("\\x{byte:02x}"))?;
            }
        }
        match left {
            0 if limit.chars < text.as_bytes().len() => {
                write!(f, "\"{TEXT:#} … {} bytes", text.as_bytes().len())
            }
            _ => write!(f, "\"{TEXT:#}"),
        }
    }
}

/// Prints another piece, while there is room.
fn take(f: &mut fmt::Formatter<'_>, left: &mut usize, piece: impl Display) -> fmt::Result {
    if *left == 0 {
        return Ok(());
    }
    *left = left.saturating_sub(1);
    piece.fmt(f)
}

/// Bytes in hexadecimal, shortened with their number.
pub struct Hex<'a>(pub &'a [u8], pub Limit);

impl Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(bytes, limit) = self;
        for (index, byte) in bytes.iter().take(limit.bytes).enumerate() {
            if index > 0 {
                f.write_char(' ')?;
            }
            write!(f, "{byte:02x}")?;
        }
        if bytes.len() > limit.bytes {
            write!(f, " … {} bytes", bytes.len())?;
        }
        Ok(())
    }
}

/// What a container's items are said to be.
pub struct TypeName<'a>(pub TypeRef<'a>, pub Dialect);

impl Display for TypeName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            TypeRef::Untyped => f.write_str("Variant"),
            TypeRef::Builtin(kind) => f.write_str(type_name(kind, self.1)),
            TypeRef::Class(name) | TypeRef::Script(name) => Escaped(name).fmt(f),
        }
    }
}

/// Text without quotes, escaped.
pub struct Escaped<'a>(pub StrRef<'a>);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.as_bytes().utf8_chunks() {
            chunk.valid().escape_debug().fmt(f)?;
            chunk.invalid().escape_ascii().fmt(f)?;
        }
        Ok(())
    }
}

/// The type and value of a leaf.
pub struct LeafText<'a> {
    pub value: VariantRef<'a>,
    pub limit: Limit,
}

impl Display for LeafText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = self.limit;
        match self.value {
            VariantRef::Nil => f.write_str("null"),
            VariantRef::Bool(value) => value.fmt(f),
            VariantRef::Int(value) => value.fmt(f),
            VariantRef::Float(value) => write!(f, "{value:?}"),
            VariantRef::String(text) => Quoted(text, limit).fmt(f),
            VariantRef::StringName(text) => write!(f, "&{}", Quoted(text, limit)),
            VariantRef::Vector2(v) => real(f, v),
            VariantRef::Rect2(v) => real(f, v),
            VariantRef::Vector3(v) => real(f, v),
            VariantRef::Transform2D(v) => real(f, v),
            VariantRef::Vector4(v) => real(f, v),
            VariantRef::Plane(v) => real(f, v),
            VariantRef::Quaternion(v) => real(f, v),
            VariantRef::Aabb(v) => real(f, v),
            VariantRef::Basis(v) => real(f, v),
            VariantRef::Transform3D(v) => real(f, v),
            VariantRef::Projection(v) => real(f, v),
            VariantRef::Color(v) => real(f, v),
            VariantRef::Vector2i(v) => write!(f, "({}, {})", v.x, v.y),
            VariantRef::Rect2i(v) => {
                write!(f, "({}, {}, {}, {})", v.position.x, v.position.y, v.size.x, v.size.y)
            }
            VariantRef::Vector3i(v) => write!(f, "({}, {}, {})", v.x, v.y, v.z),
            VariantRef::Vector4i(v) => write!(f, "({}, {}, {}, {})", v.x, v.y, v.z, v.w),
            VariantRef::NodePath(path) => {
                Quoted(StrRef::from(path.to_string().as_str()), limit).fmt(f)
            }
            VariantRef::Rid(Some(id)) => write!(f, "id {id}"),
            VariantRef::Object(ObjectRef::Id(id)) => write!(f, "id {id}"),
            VariantRef::Object(_) => f.write_str("null"),
            VariantRef::Signal(signal) => {
                write!(f, "{} of object id {}", Quoted(signal.name, limit), signal.object)
            }
            VariantRef::PackedByteArray(bytes) => {
                let count = bytes.len();
                write!(f, "{count} {}  {}", plural("byte", count), Hex(bytes, limit))
            }
            VariantRef::PackedInt32Array(v) => list(f, v, limit, |v| v.get()),
            VariantRef::PackedInt64Array(v) => list(f, v, limit, |v| v.get()),
            VariantRef::PackedFloat32Array(v) => list(f, v, limit, |v| Debug(v.get())),
            VariantRef::PackedFloat64Array(v) => list(f, v, limit, |v| Debug(v.get())),
            VariantRef::PackedStringArray(v) => list(f, v, limit, |text| Quoted(text, limit)),
            VariantRef::PackedVector2Array(v) => reals(f, v, limit),
            VariantRef::PackedVector3Array(v) => reals(f, v, limit),
            VariantRef::PackedVector4Array(v) => reals(f, v, limit),
            VariantRef::PackedColorArray(v) => reals(f, v, limit),
            VariantRef::Image(image) => {
                let head = image.head;
                let (width, height) = (head.width, head.height);
                let (format, mipmaps) = (head.format, head.mipmaps);
                write!(f, "{width} × {height}, format {format}, {mipmaps} mipmaps, ")?;
                write!(f, "{} bytes  {}", image.pixels.len(), Hex(image.pixels, limit))
            }
            VariantRef::InputEvent(event) => {
                event_text(f, event.decode())?;
                write!(f, ", device {}", event.device())
            }
            // A type that says all, or one that this program does not know yet.
            _ => Ok(()),
        }
    }
}

fn event_text(f: &mut fmt::Formatter<'_>, event: EventType) -> fmt::Result {
    match event {
        EventType::Key { modifiers, scancode } => {
            write!(f, "key {scancode}, modifiers {modifiers:#x}")
        }
        EventType::MouseButton(button) => write!(f, "mouse button {button}"),
        EventType::JoystickMotion { axis, value } => write!(f, "joystick axis {axis}: {value:?}"),
        EventType::JoystickButton(button) => write!(f, "joystick button {button}"),
        EventType::ScreenTouch(index) => write!(f, "screen touch {index}"),
        EventType::Other(number) => write!(f, "event type {number}"),
        other => write!(f, "{other:?}"),
    }
}

/// Floats with a point, so that they are told from ints.
struct Debug<T>(T);

impl<T: fmt::Debug> Display for Debug<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Parts in the order of a script, with the digits of the width they have.
fn parts(f: &mut fmt::Formatter<'_>, parts: &[f64], double: bool) -> fmt::Result {
    f.write_char('(')?;
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        if double { part.fmt(f)? } else { (*part as f32).fmt(f)? }
    }
    f.write_char(')')
}

fn real<L: Layout>(f: &mut fmt::Formatter<'_>, value: Real<'_, L>) -> fmt::Result {
    parts(f, value.get().parts().as_ref(), value.is_double())
}

struct Element<L>(L, bool);

impl<L: Layout> Display for Element<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        parts(f, self.0.parts().as_ref(), self.1)
    }
}

fn reals<L: Layout>(f: &mut fmt::Formatter<'_>, values: Reals<'_, L>, limit: Limit) -> fmt::Result {
    let double = matches!(values, Reals::Double(_));
    list(f, values.iter(), limit, |value| Element(value, double))
}

/// The number of elements, and the first of them.
fn list<I, T: Display>(
    f: &mut fmt::Formatter<'_>,
    values: I,
    limit: Limit,
    text: impl Fn(I::Item) -> T,
) -> fmt::Result
where
    I: IntoIterator<IntoIter: ExactSizeIterator>,
{
    let values = values.into_iter();
    let count = values.len();
    write!(f, "{count} {}  [", plural("element", count))?;
    for (index, value) in values.take(limit.elements).enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        text(value).fmt(f)?;
    }
    f.write_str(if count > limit.elements { ", …]" } else { "]" })
}

/// `word` for as many.
pub fn plural(word: &str, count: usize) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}
