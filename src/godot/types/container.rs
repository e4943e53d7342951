//! How containers open: what stands between a container's header and its items.
//!
//! ```text
//! ARRAY       [element type] count, then values
//! DICTIONARY  [key type] [value type] count, then a key and a value each
//! OBJECT      class name, count, then a name and a value each
//! ```
//!
//! Counts have 31 bits; bit 31 is "shared", which Godot 2 sets and all others
//! ignore. A type stands there where its two header bits are not 0 (Godot 4.3 for
//! arrays, 4.4 for dictionaries).

use super::array::ArrayRef;
use super::dictionary::DictionaryRef;
use super::object::{FullObject, ObjectRef};
use super::text::{self, StrRef};
use crate::buffer::Cursor;
use crate::godot::table::dialect::Rules;
#[cfg(feature = "alloc")]
use crate::godot::table::dialect::{Job, Spec};
use crate::godot::table::error::fail_at_word as fail;
use crate::godot::table::layouts::U32;
use crate::godot::table::payload::{ContainerKind, Header};
#[cfg(feature = "alloc")]
use crate::godot::table::payload::{DiscardLeaf, Head};
use crate::godot::{Dialect, Error, ErrorKind, Kind, Result, VariantRef};

/// Bits of a container's count that are the count.
pub(crate) const COUNT: u32 = 0x7FFF_FFFF;
/// The bit that says "shared".
pub(crate) const SHARED: u32 = !COUNT;

/// Where the header has an array's element type or a dictionary's key type.
pub(crate) const KEY_TYPE: u32 = 16;
/// Where it has a dictionary's value type.
pub(crate) const VALUE_TYPE: u32 = 18;
/// All of that.
pub(crate) const TYPES: u32 = 3 << KEY_TYPE | 3 << VALUE_TYPE;

/// What an array's elements, or a dictionary's keys or values, are said to be.
///
/// Nothing holds the items to it: engines convert or drop what does not fit when
/// they decode; a reader of the wire shows what is there.
///
/// ```
/// use gamewire::godot::{Dialect, Kind, Reader, TypeRef};
///
/// let packet = [28, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0]; // an empty Array[int]
/// let array = Reader::new(&packet, Dialect::Godot4).read()?.as_array().unwrap();
/// assert_eq!(array.element_type(), TypeRef::Builtin(Kind::Int));
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeRef<'a> {
    /// Anything.
    Untyped,
    /// A built-in type. (`Nil` means the same as untyped.)
    Builtin(Kind),
    /// Objects of a native class; `EncodedObjectAsID` where objects were off.
    Class(StrRef<'a>),
    /// Objects with the script at this `res://` path.
    Script(StrRef<'a>),
}

impl<'a> TypeRef<'a> {
    /// The two header bits, and what they say follows.
    #[inline(always)]
    fn read(at: &mut Cursor<'a>, header: Header, bits: u32, rules: &Rules) -> Result<Self> {
        let form = header.0.wrapping_shr(bits) & 3;
        if form == 0 || !rules.typed_containers {
            Ok(Self::Untyped)
        } else {
            Self::typed(at, form, rules)
        }
    }

    #[cold]
    fn typed(at: &mut Cursor<'a>, form: u32, rules: &Rules) -> Result<Self> {
        match form {
            1 => {
                let id = at.read::<U32>()?.get();
                match rules.dialect.kind(id) {
                    Some(kind) => Ok(Self::Builtin(kind)),
                    None => Err(fail(*at, ErrorKind::UnknownElementType { id })),
                }
            }
            2 => text::read(at, rules).map(|name| Self::Class(StrRef::new(name))),
            _ => text::read(at, rules).map(|path| Self::Script(StrRef::new(path))),
        }
    }

    /// Whether an engine puts a value of that type in as it is. Among objects null is one, and
    /// of which class they are is not asked.
    ///
    /// ```
    /// use gamewire::godot::{Kind, TypeRef};
    ///
    /// assert!(TypeRef::Builtin(Kind::Int).accepts(Kind::Int));
    /// assert!(!TypeRef::Builtin(Kind::Int).accepts(Kind::Float)); // it is converted, or refused
    /// assert!(TypeRef::Builtin(Kind::Object).accepts(Kind::Nil));
    /// ```
    pub fn accepts(&self, kind: Kind) -> bool {
        match self {
            Self::Untyped | Self::Builtin(Kind::Nil) => true,
            Self::Builtin(Kind::Object) | Self::Class(_) | Self::Script(_) => {
                matches!(kind, Kind::Object | Kind::Nil)
            }
            Self::Builtin(own) => *own == kind,
        }
    }

    /// The two header bits for this.
    pub(crate) const fn form(&self) -> u32 {
        match self {
            Self::Untyped => 0,
            Self::Builtin(_) => 1,
            Self::Class(_) => 2,
            Self::Script(_) => 3,
        }
    }

    /// The text, if there is one.
    pub(crate) const fn text(&self) -> Option<StrRef<'a>> {
        match *self {
            Self::Class(text) | Self::Script(text) => Some(text),
            _ => None,
        }
    }
}

/// A container that opens, as a [`Visitor`](crate::godot::Visitor) is told.
#[derive(Clone, Copy, Debug)]
pub enum Container<'a> {
    /// Values follow.
    Array {
        /// How many.
        len: u32,
        /// What they are said to be.
        element: TypeRef<'a>,
        /// Bit 31 of the count: Godot 2 sets it on containers in shared mode.
        shared: bool,
    },
    /// A key and a value each follow.
    Dictionary {
        /// How many pairs.
        len: u32,
        /// What the keys are said to be.
        key: TypeRef<'a>,
        /// What the values are said to be.
        value: TypeRef<'a>,
        /// Bit 31 of the count: Godot 2 sets it on containers in shared mode.
        shared: bool,
    },
    /// A property's name and value each follow.
    Object {
        /// The class.
        class: StrRef<'a>,
        /// How many properties.
        len: u32,
    },
}

impl<'a> Container<'a> {
    /// The same where the header [has no types](Header::has_types), of all but objects.
    #[inline(always)]
    pub(crate) fn untyped(opens: ContainerKind, at: &mut Cursor<'a>) -> Result<Self> {
        let untyped = TypeRef::Untyped;
        let (len, shared) = count(at)?;
        Ok(match opens {
            ContainerKind::Array => Self::Array { len, element: untyped, shared },
            _ => Self::Dictionary { len, key: untyped, value: untyped, shared },
        })
    }

    #[inline(always)]
    pub(crate) fn array(at: &mut Cursor<'a>, header: Header, rules: &Rules) -> Result<Self> {
        let element = TypeRef::read(at, header, KEY_TYPE, rules)?;
        let (len, shared) = count(at)?;
        Ok(Self::Array { len, element, shared })
    }

    #[inline(always)]
    pub(crate) fn dictionary(at: &mut Cursor<'a>, header: Header, rules: &Rules) -> Result<Self> {
        let key = TypeRef::read(at, header, KEY_TYPE, rules)?;
        let value = TypeRef::read(at, header, VALUE_TYPE, rules)?;
        let (len, shared) = count(at)?;
        Ok(Self::Dictionary { len, key, value, shared })
    }

    /// What stands between the header and the first item. No container where an object's class
    /// is empty: that is null.
    #[inline(always)]
    pub(crate) fn read(
        opens: ContainerKind,
        at: &mut Cursor<'a>,
        header: Header,
        rules: &Rules,
        objects: bool,
    ) -> Result<Option<Self>> {
        match opens {
            ContainerKind::Array => Self::array(at, header, rules).map(Some),
            ContainerKind::Dictionary => Self::dictionary(at, header, rules).map(Some),
            ContainerKind::Object if objects => Self::object(at, rules),
            ContainerKind::Object => Self::null_object(at, rules).map(|()| None),
        }
    }

    /// `None` where the class is empty, as a script sees it: that is null, and nothing
    /// follows. A negative count is an object without properties (4.6.3).
    pub(crate) fn object(at: &mut Cursor<'a>, rules: &Rules) -> Result<Option<Self>> {
        let class = StrRef::new(text::read(at, rules)?);
        if class.visible().is_empty() {
            return Ok(None);
        }
        let count = at.read::<U32>()?.get();
        let len = if i32::try_from(count).is_ok() { count } else { 0 };
        Ok(Some(Self::Object { class, len }))
    }

    /// Where objects are not allowed: a full object is refused before anything of it
    /// is read. The documented dialects have no other way to write null, so there an
    /// empty class passes.
    pub(crate) fn null_object(at: &mut Cursor<'a>, rules: &Rules) -> Result<()> {
        if rules.null_is_nil || !at.rest().starts_with(&[0; 4]) {
            return Err(fail(*at, ErrorKind::ObjectNotAllowed));
        }
        text::read(at, rules).map(drop)
    }

    /// How a container opens, all of `head` and nothing else.
    #[cfg(feature = "alloc")]
    pub(crate) fn parse(head: &'a [u8], dialect: Dialect) -> Option<Self> {
        dialect.run(ParseHead(head))
    }

    /// The view of a container that was walked to its end; `bytes` from its header
    /// to there.
    #[inline]
    pub(crate) fn view(&self, bytes: &'a [u8], dialect: Dialect) -> VariantRef<'a> {
        match *self {
            Self::Array { len, .. } => VariantRef::Array(ArrayRef { bytes, len, dialect }),
            Self::Dictionary { len, .. } => {
                VariantRef::Dictionary(DictionaryRef { bytes, len, dialect })
            }
            Self::Object { len, .. } => {
                VariantRef::Object(ObjectRef::Full(FullObject { bytes, len, dialect }))
            }
        }
    }

    /// The type.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Array { .. } => Kind::Array,
            Self::Dictionary { .. } => Kind::Dictionary,
            Self::Object { .. } => Kind::Object,
        }
    }

    /// How many elements, pairs or properties.
    #[inline(always)]
    pub const fn len(&self) -> u32 {
        match self {
            Self::Array { len, .. } | Self::Dictionary { len, .. } | Self::Object { len, .. } => {
                *len
            }
        }
    }

    /// Bit 31 of the count: Godot 2 sets it on containers in shared mode.
    pub const fn is_shared(&self) -> bool {
        match self {
            Self::Array { shared, .. } | Self::Dictionary { shared, .. } => *shared,
            Self::Object { .. } => false,
        }
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The texts in front of the items.
    pub(crate) fn texts(&self) -> impl Iterator<Item = StrRef<'a>> + use<'a> {
        let (first, second) = match *self {
            Self::Array { element, .. } => (element.text(), None),
            Self::Dictionary { key, value, .. } => (key.text(), value.text()),
            Self::Object { class, .. } => (Some(class), None),
        };
        first.into_iter().chain(second)
    }
}

#[cfg(feature = "alloc")]
struct ParseHead<'a>(&'a [u8]);

#[cfg(feature = "alloc")]
impl<'a> Job for ParseHead<'a> {
    type Output = Option<Container<'a>>;

    fn run<D: Spec>(self) -> Self::Output {
        let mut at = Cursor::new(self.0);
        let header = Header(at.read::<U32>().ok()?.get());
        let container = match D::head(&mut at, header, DiscardLeaf).ok()? {
            Head::Leaf(()) => None,
            Head::Open(opens) => Container::read(opens, &mut at, header, D::RULES, true).ok()?,
        };
        container.filter(|_| at.is_empty())
    }
}

#[inline(always)]
fn count(at: &mut Cursor<'_>) -> Result<(u32, bool)> {
    let count = at.read::<U32>()?.get();
    Ok((count & COUNT, count & SHARED != 0))
}

/// That `items` of at least `each` bytes are there, so that a count without its
/// items fails at once, as it would at the first one missing.
#[inline(always)]
pub(crate) fn expect_items(at: &Cursor<'_>, items: u64, each: u64) -> Result<()> {
    let wanted = items.saturating_mul(each);
    if wanted <= at.remaining() as u64 { Ok(()) } else { Err(missing_items(*at, wanted)) }
}

#[cold]
fn missing_items(at: Cursor<'_>, wanted: u64) -> Error {
    if wanted > i32::MAX as u64 {
        Error::new(ErrorKind::TooLarge, at.pos().saturating_sub(4) as u64)
    } else {
        at.unexpected_end(wanted).into()
    }
}
