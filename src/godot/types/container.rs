//! The start of a container: the bytes between its header and its first item.
//!
//! ```text
//! ARRAY       [element type] count, then values
//! DICTIONARY  [key type] [value type] count, then a key and a value each
//! OBJECT      class name, count, then a name and a value each
//! ```
//!
//! A count has 31 bits. Bit 31 of the word means "shared"; Godot 2 sets it, and later engines
//! ignore it. For each type, two bits of the header state how the container declares it: 0 means
//! not at all, 1 by a `u32` type id, 2 by the name of a class, and 3 by the path of a script.
//! Arrays can declare a type since Godot 4.3, dictionaries since 4.4.

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

/// Mask of the count in a container's count word.
pub(crate) const COUNT: u32 = 0x7FFF_FFFF;
/// The "shared" bit of the count word.
pub(crate) const SHARED: u32 = !COUNT;

/// Position of the two header bits that announce an array's element type or a dictionary's key
/// type.
pub(crate) const KEY_TYPE: u32 = 16;
/// Position of the two header bits that announce a dictionary's value type.
pub(crate) const VALUE_TYPE: u32 = 18;
/// Mask of the header bits that announce types.
pub(crate) const TYPES: u32 = 3 << KEY_TYPE | 3 << VALUE_TYPE;

/// The declared type of an array's elements or of a dictionary's keys or values.
///
/// The items in a packet need not have this type. Engines convert or drop items of other types when
/// they decode a packet. Views return all items unchanged.
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
    /// Items of any type.
    Untyped,
    /// A built-in type. `Nil` means the same as untyped.
    Builtin(Kind),
    /// Objects of a native class. The class is `EncodedObjectAsID` if the packet was written
    /// without full objects.
    Class(StrRef<'a>),
    /// Objects with the script at this `res://` path.
    Script(StrRef<'a>),
}

impl<'a> TypeRef<'a> {
    /// Reads the type that the two header bits at `bits` announce.
    #[inline(always)]
    fn read(at: &mut Cursor<'a>, header: Header, bits: u32, rules: &Rules) -> Result<Self> {
        let tag = header.0.wrapping_shr(bits) & 3;
        if tag == 0 || !rules.typed_containers {
            Ok(Self::Untyped)
        } else {
            Self::typed(at, tag, rules)
        }
    }

    #[cold]
    fn typed(at: &mut Cursor<'a>, tag: u32, rules: &Rules) -> Result<Self> {
        match tag {
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

    /// Returns `true` if an engine stores a value of `kind` in a container of this type without
    /// converting it. Null counts as an object, and the class of an object is not compared.
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

    /// Returns the two header bits for this type.
    pub(crate) const fn form(&self) -> u32 {
        match self {
            Self::Untyped => 0,
            Self::Builtin(_) => 1,
            Self::Class(_) => 2,
            Self::Script(_) => 3,
        }
    }

    /// Returns the class or script path, if there is one.
    pub(crate) const fn text(&self) -> Option<StrRef<'a>> {
        match *self {
            Self::Class(text) | Self::Script(text) => Some(text),
            _ => None,
        }
    }
}

/// The start of a container, as a [`Visitor`](crate::godot::Visitor) receives it.
#[derive(Clone, Copy, Debug)]
pub enum Container<'a> {
    /// An Array: values follow.
    Array {
        /// Number of elements.
        len: u32,
        /// Declared type of the elements.
        element: TypeRef<'a>,
        /// Bit 31 of the count. Godot 2 sets it on containers in shared mode.
        shared: bool,
    },
    /// A Dictionary: keys and values follow alternately.
    Dictionary {
        /// Number of pairs.
        len: u32,
        /// Declared type of the keys.
        key: TypeRef<'a>,
        /// Declared type of the values.
        value: TypeRef<'a>,
        /// Bit 31 of the count. Godot 2 sets it on containers in shared mode.
        shared: bool,
    },
    /// A full Object: names and values of properties follow alternately.
    Object {
        /// Name of the class.
        class: StrRef<'a>,
        /// Number of properties.
        len: u32,
    },
}

impl<'a> Container<'a> {
    /// Reads the start of an array or dictionary whose header [has no types](Header::has_types).
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

    /// Reads the bytes between the header and the first item. Returns `None` for an object with an
    /// empty class, which is null.
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

    /// Reads the start of an object. Returns `None` for null. Null has a class name that is empty
    /// as a script sees it, and nothing follows the name. A negative count means that there are no
    /// properties (4.6.3).
    pub(crate) fn object(at: &mut Cursor<'a>, rules: &Rules) -> Result<Option<Self>> {
        let class = StrRef::new(text::read(at, rules)?);
        if class.visible().is_empty() {
            return Ok(None);
        }
        let count = at.read::<U32>()?.get();
        let len = if i32::try_from(count).is_ok() { count } else { 0 };
        Ok(Some(Self::Object { class, len }))
    }

    /// Reads the start of an object that is known not to be null.
    pub(crate) fn full_object(at: &mut Cursor<'a>, _: Header, rules: &Rules) -> Result<Self> {
        let null = Self::Object { class: StrRef::new(&[]), len: 0 };
        Ok(Self::object(at, rules)?.unwrap_or(null))
    }

    /// Reads an object under limits that do not allow full objects.
    ///
    /// Accepts only an empty class name, and only in `Docs` and `DocsDouble`, which write null that
    /// way. Otherwise fails before it reads any byte of the object.
    pub(crate) fn null_object(at: &mut Cursor<'a>, rules: &Rules) -> Result<()> {
        if rules.null_is_nil || !at.rest().starts_with(&[0; 4]) {
            return Err(fail(*at, ErrorKind::ObjectNotAllowed));
        }
        text::read(at, rules).map(drop)
    }

    /// Parses the start of a container from `head`, which must contain nothing else.
    #[cfg(feature = "alloc")]
    pub(crate) fn parse(head: &'a [u8], dialect: Dialect) -> Option<Self> {
        dialect.run(ParseHead(head))
    }

    /// Returns the view of a container that was walked to its end. `bytes` are all bytes of the
    /// container, including its header.
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

    /// Returns the type.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Array { .. } => Kind::Array,
            Self::Dictionary { .. } => Kind::Dictionary,
            Self::Object { .. } => Kind::Object,
        }
    }

    /// Returns the number of elements, pairs or properties.
    #[inline(always)]
    pub const fn len(&self) -> u32 {
        match self {
            Self::Array { len, .. } | Self::Dictionary { len, .. } | Self::Object { len, .. } => {
                *len
            }
        }
    }

    /// Returns how many values an array or dictionary contains, or how many properties an object
    /// has. Also returns the size in bytes of the smallest of these.
    #[inline(always)]
    pub(crate) const fn items(&self) -> (u64, u64) {
        match *self {
            Self::Array { len, .. } => (len as u64, 4),
            Self::Dictionary { len, .. } => ((len as u64).wrapping_mul(2), 4),
            Self::Object { len, .. } => (len as u64, 8),
        }
    }

    /// Returns `true` if bit 31 of the count is set. Godot 2 sets it for containers in shared mode.
    pub const fn is_shared(&self) -> bool {
        match self {
            Self::Array { shared, .. } | Self::Dictionary { shared, .. } => *shared,
            Self::Object { .. } => false,
        }
    }

    /// Returns `true` if there are no items.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over the strings before the items: class names and script paths.
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

/// Checks that the input is long enough for `items` items of at least `each` bytes.
///
/// If it is not, returns an error before any item is read. The error is [`ErrorKind::TooLarge`] if
/// the items would take 2 GiB or more, and [`ErrorKind::UnexpectedEnd`] otherwise.
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
