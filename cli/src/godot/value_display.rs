//! Formats a value on one line: its type, its content, and notes such as its width.

mod numbers;

use crate::ui::style::{DIM, PLAIN, Styled, TEXT, TYPE};
use crate::ui::text::{Count, Name, Quoted};
use anstyle::Style;
use gamewire::godot::{
    Container, Deviation, Dialect, Encoded, Kind, Leaf, NodePathRef, ObjectRef, RealLayout, Reals,
    TypeRef, VariantRef,
};
use numbers::{List, Number, Tuple, integers, members, reals};
use std::fmt::{self, Display, Formatter, Write};

/// A value that is not a container: `int 5`.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    pub leaf: Leaf<'a>,
    pub full: bool,
    /// `true` to print the parts of the value in colours.
    pub colours: bool,
}

impl Display for Value<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.type_name(f)?;
        if !is_bare(&self.leaf.value) {
            f.write_char(' ')?;
            self.payload(f)?;
        }
        for note in self.notes().into_iter().flatten() {
            Styled(self.style(DIM), format_args!(", {note}")).fmt(f)?;
        }
        Ok(())
    }
}

/// Returns the engine's name of a type.
fn type_name(dialect: Dialect, kind: Kind) -> Styled<&'static str> {
    Styled(TYPE, dialect.type_name(kind).unwrap_or("?"))
}

/// Returns `true` for values without content. Only their type is printed.
fn is_bare(value: &VariantRef<'_>) -> bool {
    matches!(value, VariantRef::Nil | VariantRef::Callable | VariantRef::Rid(None))
}

impl<'a> Value<'a> {
    fn style(&self, style: Style) -> Style {
        if self.colours { style } else { PLAIN }
    }

    fn type_name(&self, f: &mut impl Write) -> fmt::Result {
        let name = type_name(self.leaf.encoded.dialect(), self.leaf.value.kind());
        if self.colours { write!(f, "{name}") } else { f.write_str(name.1) }
    }

    fn payload(&self, f: &mut impl Write) -> fmt::Result {
        use VariantRef as V;
        let kind = self.leaf.value.kind();
        match self.leaf.value {
            V::Nil | V::Callable | V::Rid(None) => Ok(()),
            V::Bool(value) => f.write_str(if value { "true" } else { "false" }),
            V::Int(value) => Number::Int(value).write(f),
            V::Float(value) => Number::real(value, !self.leaf.encoded.is_wide()).write(f),
            V::String(text) | V::StringName(text) => self.text(f, text.as_bytes()),
            V::NodePath(path) => self.text(f, &path_bytes(&path)),
            V::Rid(Some(id)) => write!(f, "{id}"),
            V::Object(ObjectRef::Id(id)) => write!(f, "id {id}"),
            V::Object(_) => f.write_str("null"),
            V::Signal(signal) => {
                self.text(f, signal.name.as_bytes())?;
                write!(f, " of object {}", signal.object)
            }

            V::Vector2(real) => reals(f, kind, real),
            V::Vector3(real) => reals(f, kind, real),
            V::Vector4(real) => reals(f, kind, real),
            V::Rect2(real) => reals(f, kind, real),
            V::Transform2D(real) => reals(f, kind, real),
            V::Plane(real) => reals(f, kind, real),
            V::Quaternion(real) => reals(f, kind, real),
            V::Aabb(real) => reals(f, kind, real),
            V::Basis(real) => reals(f, kind, real),
            V::Transform3D(real) => reals(f, kind, real),
            V::Projection(real) => reals(f, kind, real),
            V::Color(real) => reals(f, kind, real),
            V::Vector2i(v) => integers(f, kind, [v.x, v.y]),
            V::Vector3i(v) => integers(f, kind, [v.x, v.y, v.z]),
            V::Vector4i(v) => integers(f, kind, [v.x, v.y, v.z, v.w]),
            V::Rect2i(r) => integers(f, kind, [r.position.x, r.position.y, r.size.x, r.size.y]),

            V::PackedByteArray(bytes) => self.bytes(f, bytes),
            V::PackedInt32Array(all) => self.list(f, all.iter().map(|value| value.get())),
            V::PackedInt64Array(all) => self.list(f, all.iter().map(|value| value.get())),
            V::PackedFloat32Array(all) => {
                self.list(f, all.iter().map(|value| Number::Single(value.get())))
            }
            V::PackedFloat64Array(all) => {
                self.list(f, all.iter().map(|value| Number::Double(value.get())))
            }
            V::PackedStringArray(texts) => {
                let full = self.full;
                self.list(f, texts.iter().map(|text| Quoted { bytes: text.as_bytes(), full }))
            }
            V::PackedVector2Array(all) => self.vectors(f, all),
            V::PackedVector3Array(all) => self.vectors(f, all),
            V::PackedVector4Array(all) => self.vectors(f, all),
            V::PackedColorArray(all) => self.vectors(f, all),

            V::Image(image) => {
                let head = image.head;
                let (width, height, mipmaps) = (head.width, head.height, head.mipmaps);
                write!(f, "format {}, {width}×{height}, {mipmaps} mipmaps ", head.format)?;
                self.bytes(f, image.pixels)
            }
            V::InputEvent(event) => write!(f, "{:?}, device {}", event.decode(), event.device()),
            // A type that the library supports, but that this match does not list yet.
            ref other => self.text(f, format!("{other:?}").as_bytes()),
        }
    }

    fn text(&self, f: &mut impl Write, bytes: &[u8]) -> fmt::Result {
        let text = Quoted { bytes, full: self.full };
        if self.colours { write!(f, "{}", Styled(TEXT, text)) } else { text.write(f) }
    }

    /// Formats bytes in hexadecimal.
    fn bytes(&self, f: &mut impl Write, bytes: &[u8]) -> fmt::Result {
        let style = self.style(DIM);
        let list = List { separator: " ", unit: "byte", full: self.full, style };
        list.write(f, bytes.iter().map(|byte| format!("{byte:02x}")))
    }

    fn list(
        &self,
        f: &mut impl Write,
        items: impl ExactSizeIterator<Item = impl Display>,
    ) -> fmt::Result {
        let style = self.style(DIM);
        List { separator: ", ", unit: "element", full: self.full, style }.write(f, items)
    }

    fn vectors<L: RealLayout>(&self, f: &mut impl Write, all: Reals<'_, L>) -> fmt::Result {
        let single = matches!(all, Reals::Single(_));
        self.list(f, all.iter().map(|vector| Tuple { parts: vector.parts(), single }))
    }

    /// Returns up to two notes about the encoding. The first states that a value is stored in 64
    /// bits. The second is for text that contains a NUL, and shows the text that a script gets.
    fn notes(&self) -> [Option<String>; 2] {
        let width = is_double(&self.leaf).then(|| {
            let narrower =
                if is_needlessly_wide(&self.leaf.encoded) { ", 32 would do" } else { "" };
            format!("64-bit{narrower}")
        });
        let cut = self.leaf.value.as_str().filter(|text| text.visible() != text.as_bytes());
        let visible = cut.map(|text| {
            format!("a script sees {}", Quoted { bytes: text.visible(), full: self.full })
        });
        [width, visible]
    }
}

/// A key of a dictionary, printed without its type if the content shows the type.
pub struct Key<'a>(pub Value<'a>);

impl Display for Key<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.leaf.value {
            VariantRef::Nil => f.write_str("null")?,
            VariantRef::StringName(_) => {
                f.write_char('&')?;
                self.0.payload(f)?;
            }
            VariantRef::Bool(_)
            | VariantRef::Int(_)
            | VariantRef::Float(_)
            | VariantRef::String(_) => {
                self.0.payload(f)?;
            }
            _ => return self.0.fmt(f),
        }
        for note in self.0.notes().into_iter().flatten() {
            Styled(DIM, format_args!(" ({note})")).fmt(f)?;
        }
        Ok(())
    }
}

/// A value on a line with other values, in a notation similar to GDScript: `5`, `Vector3(1.0, 0.0,
/// 1.0)`.
pub struct Inline<'a>(pub Value<'a>);

impl Inline<'_> {
    pub fn write(&self, f: &mut impl Write) -> fmt::Result {
        use VariantRef as V;
        let value = self.0.leaf.value;
        match value {
            V::Nil | V::Object(ObjectRef::Null) => return f.write_str("null"),
            V::Bool(_) | V::Int(_) | V::Float(_) | V::String(_) => return self.0.payload(f),
            V::StringName(_) => f.write_char('&')?,
            V::NodePath(_) => f.write_char('^')?,
            _ => {
                self.0.type_name(f)?;
                if is_bare(&value) {
                    return Ok(());
                }
                if !is_bracketed(value.kind()) {
                    f.write_char(' ')?;
                }
            }
        }
        self.0.payload(f)
    }
}

/// Returns `true` if the content of values of this type is printed in brackets.
fn is_bracketed(kind: Kind) -> bool {
    use Kind as K;
    let plain = matches!(kind, K::Rid | K::Object | K::Signal | K::Image | K::InputEvent);
    !plain && members(kind).is_empty()
}

/// The first line of a container, such as `Array[int], 3 elements`.
pub struct Heading<'a> {
    pub container: Container<'a>,
    pub dialect: Dialect,
}

impl Display for Heading<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        type_name(self.dialect, self.container.kind()).fmt(f)?;
        let unit = match self.container {
            Container::Array { element, .. } => {
                if element != TypeRef::Untyped {
                    write!(f, "[{}]", self.of(element))?;
                }
                "element"
            }
            Container::Dictionary { key, value, .. } => {
                if (key, value) != (TypeRef::Untyped, TypeRef::Untyped) {
                    write!(f, "[{}, {}]", self.of(key), self.of(value))?;
                }
                "pair"
            }
            Container::Object { class, .. } => {
                write!(f, " {}", Name(class.as_bytes()))?;
                "property"
            }
        };
        Styled(DIM, format_args!(", {}", Count(self.container.len().into(), unit))).fmt(f)?;
        match self.container {
            Container::Array { shared: true, .. } | Container::Dictionary { shared: true, .. } => {
                Styled(DIM, ", shared").fmt(f)
            }
            _ => Ok(()),
        }
    }
}

impl<'a> Heading<'a> {
    fn of(&self, element: TypeRef<'a>) -> ElementType<'a> {
        ElementType { element, dialect: self.dialect }
    }
}

/// Declared type of the items of a container.
struct ElementType<'a> {
    element: TypeRef<'a>,
    dialect: Dialect,
}

impl Display for ElementType<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.element {
            TypeRef::Untyped => f.write_str("Variant"),
            TypeRef::Builtin(kind) => type_name(self.dialect, kind).fmt(f),
            TypeRef::Class(class) => Styled(TYPE, Name(class.as_bytes())).fmt(f),
            TypeRef::Script(path) => {
                Styled(TEXT, Quoted { bytes: path.as_bytes(), full: false }).fmt(f)
            }
        }
    }
}

/// Formats a path as the engine does, keeping bytes that are not UTF-8.
fn path_bytes(path: &NodePathRef<'_>) -> Vec<u8> {
    if let Some(whole) = path.old_form() {
        return whole.as_bytes().to_vec();
    }
    let names: Vec<_> = path.names().map(|name| name.as_bytes()).collect();
    let mut bytes = if path.is_absolute() { b"/".to_vec() } else { Vec::new() };
    bytes.extend(names.join(&b'/'));
    for name in path.subnames().chain(path.property()) {
        bytes.push(b':');
        bytes.extend(name.as_bytes());
    }
    bytes
}

/// Returns `true` if the value has a type that can be stored in 32 or in 64 bits, and is stored in
/// 64 bits.
fn is_double(leaf: &Leaf<'_>) -> bool {
    match leaf.value {
        VariantRef::Int(_) | VariantRef::Float(_) => leaf.encoded.is_wide(),
        value => value.is_double(),
    }
}

/// Returns `true` if the engine would have written the value in 32 bits.
fn is_needlessly_wide(encoded: &Encoded<'_>) -> bool {
    let mut idle = false;
    encoded.deviations(|deviation| idle |= deviation == Deviation::Width);
    idle
}
