//! The header of a value, the trait of the payload that follows it, and the scalar payloads.
//!
//! Most rows of the table in `kinds.rs` use one of a few payload types. These are defined in this
//! file, in `types/reals.rs` and in `types/packed.rs`. Each irregular payload has its own file,
//! such as `types/text.rs` and `types/node_path.rs`.

use super::dialect::Rules;
use super::layouts::{F32, F64, I32, I64, RealLayout, Rect2, U32, U64, Vector2, Vector3, Vector4};
use crate::buffer::{Cursor, Sink};
#[cfg(feature = "alloc")]
use crate::godot::Error;
use crate::godot::types::components::{Components, SubValues};
use crate::godot::types::container::TYPES;
#[cfg(feature = "alloc")]
use crate::godot::types::parts::{BuildResult, PartSource};
use crate::godot::types::parts::{Part, PartResult};
use crate::godot::types::text::StrRef;
use crate::godot::write::encoder::Encoder;
use crate::godot::{Kind, Result, Unrepresentable, VariantRef};

/// The first four bytes of a value. The low bits are the type id, and the bits from 16 up are
/// flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header(pub(crate) u32);

impl Header {
    /// The flag that marks 64-bit ints and floats, double-precision reals and objects given by id.
    pub(crate) const WIDE: u32 = 1 << 16;

    #[inline(always)]
    pub(crate) const fn id(self, rules: &Rules) -> u32 {
        self.0 & rules.type_mask
    }

    #[inline(always)]
    pub(crate) const fn is_wide(self, rules: &Rules) -> bool {
        rules.flags && self.0 & Self::WIDE != 0
    }

    /// Returns `true` if an array or dictionary with this header may declare types. Also returns
    /// `true` for an array whose header sets only the bits for a dictionary's value type, although
    /// these bits have no meaning in an array.
    #[inline(always)]
    pub(crate) const fn has_types(self, rules: &Rules) -> bool {
        rules.typed_containers && self.0 & TYPES != 0
    }
}

/// A continuation that receives a leaf after it was read.
///
/// The handler is inlined into every arm of the `match` over types, and thus specialised for each
/// type. The compiler would not inline a closure there.
pub(crate) trait LeafHandler<'a> {
    type Output;
    fn leaf(self, at: Cursor<'a>, value: VariantRef<'a>) -> Self::Output;
}

/// A handler that returns the leaf.
pub(crate) struct ReturnLeaf;

impl<'a> LeafHandler<'a> for ReturnLeaf {
    type Output = VariantRef<'a>;

    #[inline(always)]
    fn leaf(self, _: Cursor<'a>, value: VariantRef<'a>) -> VariantRef<'a> {
        value
    }
}

/// A handler that stores the leaf in a variable of the caller. If the decoder is not inlined into
/// the caller, the code for each type stores only the words that the type uses, and not an entire
/// [`VariantRef`].
pub(crate) struct StoreLeaf<'o, 'a>(pub &'o mut VariantRef<'a>);

impl<'a> LeafHandler<'a> for StoreLeaf<'_, 'a> {
    type Output = ();

    #[inline(always)]
    fn leaf(self, _: Cursor<'a>, value: VariantRef<'a>) {
        *self.0 = value;
    }
}

/// A handler that discards the leaf.
pub(crate) struct DiscardLeaf;

impl<'a> LeafHandler<'a> for DiscardLeaf {
    type Output = ();

    #[inline(always)]
    fn leaf(self, _: Cursor<'a>, _: VariantRef<'a>) {}
}

/// The outcome of reading a leaf, or a container up to its items.
pub(crate) enum Head<T> {
    /// A leaf was read. Contains the output of the [`LeafHandler`].
    Leaf(T),
    /// A container opens. [`Container::read`] then reads its types and count; its items follow.
    /// This variant holds nothing but the kind. Each arm of the `match` over types can therefore
    /// return its result in a few registers.
    Open(ContainerKind),
}

/// The kinds of containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContainerKind {
    Array,
    Dictionary,
    /// A full object, with class and properties.
    Object,
}

/// The type and the count of the numbers that make up a value of fixed size or an element of a
/// packed array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    pub number: Number,
    /// Numbers per value or element.
    pub each: usize,
    /// `true` if the payload begins with a count of its elements.
    #[cfg_attr(not(feature = "serde"), allow(dead_code, reason = "only serde uses it"))]
    pub counted: bool,
}

/// Types of numbers on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    U8,
    I32,
    I64,
    F32,
    F64,
    /// `f32` or `f64`, depending on the dialect's [`Width`](super::dialect::Width). `flagged` is
    /// `false` for colours, which header bit 16 does not widen.
    Real {
        flagged: bool,
    },
}

#[cfg(feature = "serde")]
impl Number {
    /// Returns the size in bytes. The size of a `Real` is that of `f64`.
    pub(crate) const fn size(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::I32 | Self::F32 => 4,
            Self::I64 | Self::F64 | Self::Real { .. } => 8,
        }
    }
}

/// The bytes after the header of a value. They can be read, written and split into parts.
pub(crate) trait Payload<'a>: Copy {
    /// The type and count of the payload's numbers, or `None` if the payload contains anything
    /// else.
    const NUMBERS: Option<Numbers> = None;

    /// Reads a payload and checks its structure, but not its text.
    fn read(at: &mut Cursor<'a>, header: Header, rules: &'static Rules) -> Result<Self>;

    /// Writes the header and the payload as the target's engine does. Writes nothing if an error
    /// occurs.
    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()>;

    /// Calls `to` with each part, in the order in which a script passes them to the type's
    /// constructor.
    fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E>;

    /// Calls `to` with each part, in wire order.
    fn wire_parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E> {
        self.parts(to)
    }

    /// Writes the header and the payload of the value whose parts `from` yields. Writes nothing if
    /// an error occurs.
    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, E: From<Error>>(
        kind: Kind,
        from: &mut PartSource<'_, 't, E>,
        out: &mut Encoder<'_, S>,
    ) -> BuildResult<E>;

    /// Returns the values inside the payload that a path can lead to.
    fn sub_values(&self) -> SubValues<'a> {
        SubValues::None
    }

    /// Returns `true` if the reals are `f64` on the wire.
    #[inline]
    fn is_double(&self) -> bool {
        false
    }

    /// Calls `each` with every string in the payload.
    #[inline(always)]
    fn texts(&self, _each: &mut impl FnMut(StrRef<'a>) -> Result<()>) -> Result<()> {
        Ok(())
    }
}

impl<'a> Payload<'a> for bool {
    /// Reads any number other than 0, such as 2 or 0xFFFFFFFF, as true, as Godot 4.6.3 does.
    #[inline(always)]
    fn read(at: &mut Cursor<'a>, _: Header, _: &'static Rules) -> Result<Self> {
        Ok(at.read::<U32>()?.get() != 0)
    }

    #[inline(always)]
    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        out.fixed(kind, 0, U32::new(u32::from(*self)))
    }

    fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E> {
        to(Part::Bool(*self))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, E: From<Error>>(
        kind: Kind,
        from: &mut PartSource<'_, 't, E>,
        out: &mut Encoder<'_, S>,
    ) -> BuildResult<E> {
        Ok(from.bool()?.encode(kind, out)?)
    }
}

impl<'a> Payload<'a> for i64 {
    #[inline(always)]
    fn read(at: &mut Cursor<'a>, header: Header, rules: &'static Rules) -> Result<Self> {
        if header.is_wide(rules) {
            Ok(at.read::<I64>()?.get())
        } else {
            Ok(Self::from(at.read::<I32>()?.get()))
        }
    }

    /// Writes 32 bits if they suffice. Godot 3.0 always wrote 64 bits; 3.1 changed this.
    #[inline(always)]
    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        match i32::try_from(*self) {
            Ok(narrow) if !out.is_wide() => out.fixed(kind, 0, I32::new(narrow)),
            _ if out.rules().flags => out.fixed(kind, Header::WIDE, I64::new(*self)),
            Ok(narrow) => out.fixed(kind, 0, I32::new(narrow)),
            Err(_) => out.unrepresentable(kind, Unrepresentable::WideInt),
        }
    }

    fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E> {
        to(Part::Int(*self))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, E: From<Error>>(
        kind: Kind,
        from: &mut PartSource<'_, 't, E>,
        out: &mut Encoder<'_, S>,
    ) -> BuildResult<E> {
        Ok(from.int::<Self>()?.encode(kind, out)?)
    }
}

impl<'a> Payload<'a> for f64 {
    #[inline(always)]
    fn read(at: &mut Cursor<'a>, header: Header, rules: &'static Rules) -> Result<Self> {
        if header.is_wide(rules) {
            Ok(at.read::<F64>()?.get())
        } else {
            Ok(Self::from(at.read::<F32>()?.get()))
        }
    }

    /// Writes an `f32` if that is exact. A NaN is not equal to itself, so it takes 64 bits, as in
    /// the engine. For Godot 2, which has only `f32`, the value is rounded.
    #[inline(always)]
    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        let narrow = *self as f32;
        let exact = Self::from(narrow) == *self && !out.is_wide();
        if exact || !out.rules().flags {
            out.fixed(kind, 0, F32::new(narrow))
        } else {
            out.fixed(kind, Header::WIDE, F64::new(*self))
        }
    }

    fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E> {
        to(Part::Real(*self))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, E: From<Error>>(
        kind: Kind,
        from: &mut PartSource<'_, 't, E>,
        out: &mut Encoder<'_, S>,
    ) -> BuildResult<E> {
        Ok(from.real()?.encode(kind, out)?)
    }
}

/// The id of a RID, if the dialect writes one (Godot 4).
impl<'a> Payload<'a> for Option<u64> {
    #[inline(always)]
    fn read(at: &mut Cursor<'a>, _: Header, rules: &'static Rules) -> Result<Self> {
        Ok(if rules.rid_id { Some(at.read::<U64>()?.get()) } else { None })
    }

    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        match self.unwrap_or_default() {
            id if out.rules().rid_id => out.fixed(kind, 0, U64::new(id)),
            0 => out.fixed(kind, 0, ()),
            _ => out.unrepresentable(kind, Unrepresentable::RidId),
        }
    }

    fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E> {
        self.map_or(Ok(()), |id| to(Part::Id(id)))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, E: From<Error>>(
        kind: Kind,
        from: &mut PartSource<'_, 't, E>,
        out: &mut Encoder<'_, S>,
    ) -> BuildResult<E> {
        let id = if from.left() == 0 { 0 } else { from.id()? };
        Ok(Some(id).encode(kind, out)?)
    }
}

macro_rules! integer_vectors {
    ($($Name:ident)*) => {$(
        impl<'a> Payload<'a> for $Name<i32> {
            const NUMBERS: Option<Numbers> = Some(Numbers {
                number: Number::I32,
                each: size_of::<$Name<I32>>() / size_of::<I32>(),
                counted: false,
            });

            #[inline(always)]
            fn read(at: &mut Cursor<'a>, _: Header, _: &'static Rules) -> Result<Self> {
                Ok(at.read::<$Name<I32>>()?.map(I32::get))
            }

            #[inline(always)]
            fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
                out.fixed(kind, 0, self.map(I32::new))
            }

            fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E> {
                // `f64` represents every `i32` exactly.
                self.map(f64::from).parts().iter().try_for_each(|part| to(Part::Int(*part as i64)))
            }

            #[cfg(feature = "alloc")]
            fn build<'t, S: Sink, E: From<Error>>(
                kind: Kind,
                from: &mut PartSource<'_, 't, E>,
                out: &mut Encoder<'_, S>,
            ) -> BuildResult<E> {
                let mut parts = <$Name as RealLayout>::Parts::default();
                for part in &mut parts {
                    *part = f64::from(from.int::<i32>()?);
                }
                let value = $Name::from_parts(parts).map(|part| I32::new(part as i32));
                Ok(out.fixed(kind, 0, value)?)
            }

            fn sub_values(&self) -> SubValues<'a> {
                SubValues::Components(Components { names: <$Name as RealLayout>::NAMES, slot: |number| number })
            }
        }
    )*};
}
integer_vectors!(Vector2 Rect2 Vector3 Vector4);

/// A Godot 4 signal: its name and the id of its object. The id is only meaningful to the process
/// that wrote it.
///
/// The type of the name, `N`, is [`StrRef`] in a view.
///
/// ```
/// use gamewire::godot::{Dialect, Reader, VariantRef};
///
/// let packet = b"\x1a\0\0\0\x03\0\0\0hit\0\x07\0\0\0\0\0\0\0";
/// let VariantRef::Signal(signal) = Reader::new(packet, Dialect::Godot4).read()? else {
///     unreachable!()
/// };
/// assert!(signal.name == "hit");
/// assert_eq!(signal.object, 7);
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signal<N> {
    /// The signal's name.
    pub name: N,
    /// The object's instance id, or 0 if there is no object.
    pub object: u64,
}

impl<'a> Payload<'a> for Signal<StrRef<'a>> {
    #[inline(always)]
    fn read(at: &mut Cursor<'a>, header: Header, rules: &'static Rules) -> Result<Self> {
        Ok(Self { name: StrRef::read(at, header, rules)?, object: at.read::<U64>()?.get() })
    }

    fn encode<S: Sink>(&self, kind: Kind, out: &mut Encoder<'_, S>) -> Result<()> {
        let header = out.header(kind, 0)?;
        let text = self.name.as_bytes();
        out.reserve(out.text_len(text.len())?.saturating_add(12))?;
        out.put(&header);
        out.text(text);
        out.put(&self.object.to_le_bytes());
        Ok(())
    }

    fn parts<E>(&self, to: &mut impl FnMut(Part<'a>) -> PartResult<E>) -> PartResult<E> {
        to(Part::Text(self.name))?;
        to(Part::Id(self.object))
    }

    #[cfg(feature = "alloc")]
    fn build<'t, S: Sink, E: From<Error>>(
        kind: Kind,
        from: &mut PartSource<'_, 't, E>,
        out: &mut Encoder<'_, S>,
    ) -> BuildResult<E> {
        if from.left() == 0 {
            return Ok(Signal { name: "".into(), object: 0 }.encode(kind, out)?);
        }
        let name = from.text()?;
        Ok(Signal { name: StrRef::new(&name), object: from.id()? }.encode(kind, out)?)
    }

    #[inline(always)]
    fn texts(&self, each: &mut impl FnMut(StrRef<'a>) -> Result<()>) -> Result<()> {
        each(self.name)
    }
}
