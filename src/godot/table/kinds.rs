//! The table of types: one row per type, with its payload and with its id and name in each
//! dialect.
//!
//! The code for reading, skipping, checking, writing and generating values is derived from these
//! rows. The conversions, the text form and the display are not; ARCHITECTURE.md lists them. Type
//! ids appear nowhere else in the crate. If a row does not name a dialect, the dialect does not
//! have the type.
//!
//! The ids are those of Godot 4.6.3, 3.6.2 and 2.1. The column `docs` combines the names of Godot 4
//! with the ids on the page "Binary serialization API" of the Godot 4.x documentation, which no
//! engine has ever used.

use super::dialect::Rules;
use super::error::fail_at_word;
use super::layouts::{
    Aabb, Basis, Color, F32, F64, I32, I64, Plane, Projection, Quaternion, Rect2, Transform2D,
    Transform3D, Vector2, Vector3, Vector4,
};
use super::payload::{Head, Header, LeafHandler, Numbers, Payload, Signal};
use crate::buffer::{Cursor, Sink};
#[cfg(feature = "alloc")]
use crate::godot::Error;
use crate::godot::types::array::{self, ArrayRef};
use crate::godot::types::components::SubValues;
use crate::godot::types::dictionary::{self, DictionaryRef};
use crate::godot::types::godot2::{Image, InputEvent};
use crate::godot::types::node_path::NodePathRef;
use crate::godot::types::object::{self, ObjectRef};
use crate::godot::types::packed_strings::PackedStringArrayRef;
#[cfg(feature = "alloc")]
use crate::godot::types::parts::{BuildResult, PartSource};
use crate::godot::types::parts::{Part, PartResult};
use crate::godot::types::reals::{Real, Reals};
use crate::godot::types::text::StrRef;
use crate::godot::write::encoder::Encoder;
use crate::godot::{ErrorKind, Result};

/// One column of the table: a numbering of the types, and the code that reads them.
///
/// This code is a `match` with constant ids and sizes. Looking up the sizes in a table at run time
/// would add two dependent loads to every value.
pub(crate) trait Column {
    /// Type ids by [`Kind`].
    const IDS: Ids;

    /// Returns the type with this id.
    fn kind(id: u32) -> Option<Kind>;

    /// Reads the payload of a leaf and passes the leaf to `then`. For a container, returns its kind
    /// instead.
    fn head<'a, T: LeafHandler<'a>>(
        at: &mut Cursor<'a>,
        header: Header,
        rules: &'static Rules,
        then: T,
    ) -> Result<Head<T::Output>>;
}

/// Type ids and names of one column, indexed by [`Kind`].
#[derive(Debug)]
pub(crate) struct Ids {
    /// Type ids. Each takes one byte. The table is kept small because encoding a value usually
    /// looks up its id here.
    ids: [u8; Kind::ALL.len()],
    names: [&'static str; Kind::ALL.len()],
}

/// Marks a type that the numbering does not have.
const NO_TYPE: u8 = u8::MAX;

impl Ids {
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "compared with the length")]
    pub(crate) const fn id(&self, kind: Kind) -> Option<u8> {
        // This is always false, but the compiler cannot know it for a `Kind` loaded from memory.
        if kind as usize >= self.ids.len() {
            return None;
        }
        match self.ids[kind as usize] {
            NO_TYPE => None,
            id => Some(id),
        }
    }

    #[allow(clippy::indexing_slicing, reason = "`kind as usize` is below `Kind::ALL.len()`")]
    pub(crate) const fn name(&self, kind: Kind) -> Option<&'static str> {
        match self.id(kind) {
            Some(_) => Some(self.names[kind as usize]),
            None => None,
        }
    }

    /// Returns the id of `kind`, or `u32::MAX` if there is no such type.
    pub(crate) const fn of(&self, kind: Kind) -> u32 {
        match self.id(kind) {
            Some(id) => id as u32,
            None => u32::MAX,
        }
    }
}

/// Expands one operation for one row of the table.
///
/// Each operation has three arms. The first arm is for containers, and leaves their items to the
/// walk. The second arm calls the payload's method for the operation. The third arm is for types
/// without a payload.
macro_rules! row {
    (head $at:ident $header:ident $rules:ident $then:ident $Kind:ident $ty:ty, $container:ident) => {
        $container::head($at, $header, $rules, $then)
    };
    (head $at:ident $header:ident $rules:ident $then:ident $Kind:ident $ty:ty) => {
        {
            let payload = <$ty>::read($at, $header, $rules)?;
            Ok(Head::Leaf($then.leaf(*$at, VariantRef::$Kind(payload))))
        }
    };
    (head $at:ident $header:ident $rules:ident $then:ident $Kind:ident) => {
        Ok(Head::Leaf($then.leaf(*$at, VariantRef::$Kind)))
    };
    (is_double $value:ident $Kind:ident $ty:ty, $container:ident) => {
        false
    };
    (is_double $value:ident $Kind:ident $ty:ty) => {
        matches!($value, VariantRef::$Kind(payload) if payload.is_double())
    };
    (is_double $value:ident $Kind:ident) => {
        false
    };
    (parts $value:ident $to:ident $Kind:ident $ty:ty, $container:ident) => {
        Ok(()) // the walk visits the items
    };
    (parts $value:ident $to:ident $Kind:ident $ty:ty) => {
        match $value {
            VariantRef::$Kind(payload) => payload.parts($to),
            _ => Ok(()),
        }
    };
    (parts $value:ident $to:ident $Kind:ident) => {
        Ok(())
    };
    (wire_parts $value:ident $to:ident $Kind:ident $ty:ty, $container:ident) => {
        Ok(())
    };
    (wire_parts $value:ident $to:ident $Kind:ident $ty:ty) => {
        match $value {
            VariantRef::$Kind(payload) => payload.wire_parts($to),
            _ => Ok(()),
        }
    };
    (wire_parts $value:ident $to:ident $Kind:ident) => {
        Ok(())
    };
    (sub_values $value:ident $Kind:ident $ty:ty, $container:ident) => {
        SubValues::None // the walk visits the items
    };
    (sub_values $value:ident $Kind:ident $ty:ty) => {
        match $value {
            VariantRef::$Kind(payload) => payload.sub_values(),
            _ => SubValues::None,
        }
    };
    (sub_values $value:ident $Kind:ident) => {
        SubValues::None
    };
    (build $from:ident $out:ident $Kind:ident $ty:ty, $container:ident) => {
        Err($from.wrong_count(0)) // containers are not built from parts
    };
    (build $from:ident $out:ident $Kind:ident $ty:ty) => {
        <$ty>::build(Kind::$Kind, $from, $out)
    };
    (build $from:ident $out:ident $Kind:ident) => {
        Ok($out.fixed(Kind::$Kind, 0, ())?)
    };
    (numbers $Kind:ident $ty:ty, $container:ident) => {
        None
    };
    (numbers $Kind:ident $ty:ty) => {
        <$ty>::NUMBERS
    };
    (numbers $Kind:ident) => {
        None
    };
    (texts $value:ident $each:ident $Kind:ident $ty:ty, $container:ident) => {
        Ok(()) // see `Container::texts`
    };
    (texts $value:ident $each:ident $Kind:ident $ty:ty) => {
        match $value {
            VariantRef::$Kind(payload) => payload.texts($each),
            _ => Ok(()),
        }
    };
    (texts $value:ident $each:ident $Kind:ident) => {
        Ok(())
    };
    (encode $value:ident $out:ident $Kind:ident $ty:ty, $container:ident) => {
        $out.container($value)
    };
    (encode $value:ident $out:ident $Kind:ident $ty:ty) => {
        match $value {
            VariantRef::$Kind(payload) => payload.encode(Kind::$Kind, $out),
            _ => Ok(()),
        }
    };
    (encode $value:ident $out:ident $Kind:ident) => {
        $out.fixed(Kind::$Kind, 0, ())
    };
}

macro_rules! column {
    ($(#[$doc:meta])* $Column:ident: $($id:literal $name:ident $Kind:ident $(($ty:ty))?;)*) => {
        $(#[$doc])*
        pub(crate) struct $Column;

        impl Column for $Column {
            #[allow(clippy::indexing_slicing, reason = "at compile time")]
            const IDS: Ids = {
                let mut ids = [NO_TYPE; Kind::ALL.len()];
                let mut names = [""; Kind::ALL.len()];
                $(
                    // Rejects two ids for one type. Two types with the same id do not compile,
                    // because of the `match` below.
                    assert!(ids[Kind::$Kind as usize] == NO_TYPE && $id < NO_TYPE);
                    ids[Kind::$Kind as usize] = $id;
                    names[Kind::$Kind as usize] = stringify!($name);
                )*
                Ids { ids, names }
            };

            #[deny(unreachable_patterns)]
            fn kind(id: u32) -> Option<Kind> {
                match id {
                    $($id => Some(Kind::$Kind),)*
                    _ => None,
                }
            }

            #[inline(always)]
            fn head<'a, T: LeafHandler<'a>>(
                at: &mut Cursor<'a>,
                header: Header,
                rules: &'static Rules,
                then: T,
            ) -> Result<Head<T::Output>> {
                match header.id(rules) {
                    $($id => rows::$Kind(at, header, rules, then),)*
                    id => Err(fail_at_word(*at, ErrorKind::UnknownType { id })),
                }
            }
        }
    };
}

macro_rules! kinds {
    (<$a:lifetime> $(
        $(#[$doc:meta])*
        $Kind:ident $(($ty:ty $(, $container:ident)?))? {
            $(godot2: $id2:literal $name2:ident $(,)?)?
            $(godot3: $id3:literal $name3:ident $(,)?)?
            $(godot4: $id4:literal $name4:ident $(,)?)?
            $(docs: $idd:literal $named:ident)?
        }
    )*) => {
        /// The types of Variant values in all dialects, with their Godot 4 names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])* $Kind,)*
        }

        impl Kind {
            /// All kinds. The kinds of Godot 4 come first, in the order of their ids in Godot 4.
            /// The kinds that only older engines have follow.
            pub const ALL: &'static [Self] = &[$(Self::$Kind),*];
        }

        /// One value of a packet. Ints and floats are stored as decoded numbers. Most other values,
        /// such as text, packed arrays and containers, borrow their bytes from the input.
        ///
        /// It is `Copy` and takes 32 bytes. A container is a view over bytes whose structure was
        /// checked when the view was made, so iterating over it cannot fail. Text is checked by
        /// [`StrRef::to_str`].
        ///
        /// ```
        /// use gamewire::godot::{Dialect, Reader, VariantRef};
        ///
        /// let packet = [2, 0, 0, 0, 5, 0, 0, 0];
        /// let value = Reader::new(&packet, Dialect::Godot4).read()?;
        /// assert!(matches!(value, VariantRef::Int(5)));
        /// # Ok::<(), gamewire::godot::Error>(())
        /// ```
        #[derive(Clone, Copy)]
        #[non_exhaustive]
        pub enum VariantRef<$a> {
            $($(#[$doc])* $Kind $(($ty))?,)*
        }

        impl<$a> VariantRef<$a> {
            /// Returns the type.
            pub const fn kind(&self) -> Kind {
                match self {
                    $(Self::$Kind { .. } => Kind::$Kind,)*
                }
            }

            /// Returns `true` if the packet stores the components of this value as `f64`. The value
            /// can be a vector, matrix or colour, or a packed array of these. Returns `false` for
            /// any other type, including Float.
            pub fn is_double(&self) -> bool {
                match self {
                    $(Self::$Kind { .. } => {
                        row!(is_double self $Kind $($ty $(, $container)?)?)
                    })*
                }
            }

            /// Returns the type and count of the numbers in a payload of this kind, or `None` if
            /// the payload contains anything else.
            #[inline(always)]
            pub(crate) const fn numbers(kind: Kind) -> Option<Numbers> {
                match kind {
                    $(Kind::$Kind => row!(numbers $Kind $($ty $(, $container)?)?),)*
                }
            }

            /// Calls `each` with every string in a leaf.
            #[inline(always)]
            pub(crate) fn texts(
                &self,
                each: &mut impl FnMut(StrRef<$a>) -> Result<()>,
            ) -> Result<()> {
                match self {
                    $(Self::$Kind { .. } => row!(texts self each $Kind $($ty $(, $container)?)?),)*
                }
            }

            /// Calls `to` with each [`Part`] of a leaf. The parts are in the order in which a
            /// script passes them to the type's constructor.
            pub(crate) fn parts<E>(
                &self,
                to: &mut impl FnMut(Part<$a>) -> PartResult<E>,
            ) -> PartResult<E> {
                match self {
                    $(Self::$Kind { .. } => row!(parts self to $Kind $($ty $(, $container)?)?),)*
                }
            }

            /// Calls `to` with each part of a leaf, in the order in which the packet contains them.
            /// For a basis, this order is row by row and not axis by axis.
            pub(crate) fn wire_parts<E>(
                &self,
                to: &mut impl FnMut(Part<$a>) -> PartResult<E>,
            ) -> PartResult<E> {
                match self {
                    $(Self::$Kind { .. } => {
                        row!(wire_parts self to $Kind $($ty $(, $container)?)?)
                    })*
                }
            }

            /// Returns the values inside a leaf that a path can lead to.
            pub(crate) fn sub_values(&self) -> SubValues<$a> {
                match self {
                    $(Self::$Kind { .. } => row!(sub_values self $Kind $($ty $(, $container)?)?),)*
                }
            }

            /// Writes a leaf of this kind from its parts.
            #[cfg(feature = "alloc")]
            pub(crate) fn build<'t, S: Sink, E: From<Error>>(
                kind: Kind,
                from: &mut PartSource<'_, 't, E>,
                out: &mut Encoder<'_, S>,
            ) -> BuildResult<E> {
                match kind {
                    $(Kind::$Kind => row!(build from out $Kind $($ty $(, $container)?)?),)*
                }
            }

            /// Writes the header and the payload as the target's engine does.
            #[inline]
            pub(crate) fn encode<S: Sink>(&self, out: &mut Encoder<'_, S>) -> Result<()> {
                match self {
                    $(Self::$Kind { .. } => row!(encode self out $Kind $($ty $(, $container)?)?),)*
                }
            }
        }

        /// One function per kind, which reads a payload of this kind by the rules of the given
        /// dialect.
        #[allow(non_snake_case, unused_variables, reason = "functions are named after their kinds, and some do not use every parameter")]
        mod rows {
            use super::*;
            $(
                #[inline(always)]
                pub(crate) fn $Kind<'a, T: LeafHandler<'a>>(
                    at: &mut Cursor<'a>,
                    header: Header,
                    rules: &'static Rules,
                    then: T,
                ) -> Result<Head<T::Output>> {
                    // Works on a copy, so that the walk's own cursor stays in a register even if
                    // the payload's `read` is too large to be inlined.
                    let mut after = *at;
                    let head = {
                        let at = &mut after;
                        row!(head at header rules then $Kind $($ty $(, $container)?)?)
                    };
                    at.set_rest(after.rest());
                    head
                }
            )*
        }

        column! {
            /// Godot 1.0 to 2.1.
            Godot2: $($($id2 $name2 $Kind;)?)*
        }
        column! {
            /// Godot 3.0 to 3.6.
            Godot3: $($($id3 $name3 $Kind;)?)*
        }
        column! {
            /// Godot 4.0 and later. Id 38, PackedVector4Array, was added in 4.3.
            Godot4: $($($id4 $name4 $Kind;)?)*
        }
        column! {
            /// The page "Binary serialization API" in Godot's 4.x documentation.
            Docs: $($($idd $named $Kind;)?)*
        }
    };
}

kinds! { <'a>
    /// Null. Godot 3 and 4 also write a null or freed object as Nil.
    Nil { godot2: 0 Nil, godot3: 0 Nil, godot4: 0 Nil, docs: 0 Nil }
    /// A `u32`, true unless 0.
    Bool(bool) { godot2: 1 bool, godot3: 1 bool, godot4: 1 bool, docs: 1 bool }
    /// An `i32`, or an `i64` if header bit 16 is set. Always `i32` in Godot 2.
    Int(i64) { godot2: 2 int, godot3: 2 int, godot4: 2 int, docs: 2 int }
    /// An `f32`, or an `f64` if header bit 16 is set. Always `f32` in Godot 2.
    Float(f64) { godot2: 3 float, godot3: 3 float, godot4: 3 float, docs: 3 float }
    /// Length-prefixed text.
    String(StrRef<'a>) { godot2: 4 String, godot3: 4 String, godot4: 4 String, docs: 4 String }
    /// Two reals.
    Vector2(Real<'a, Vector2>) { godot2: 5 Vector2, godot3: 5 Vector2, godot4: 5 Vector2, docs: 5 Vector2 }
    /// Two `i32`.
    Vector2i(Vector2<i32>) { godot4: 6 Vector2i }
    /// Position and size, four reals.
    Rect2(Real<'a, Rect2>) { godot2: 6 Rect2, godot3: 6 Rect2, godot4: 7 Rect2, docs: 6 Rect2 }
    /// Position and size, four `i32`.
    Rect2i(Rect2<i32>) { godot4: 8 Rect2i }
    /// Three reals.
    Vector3(Real<'a, Vector3>) { godot2: 7 Vector3, godot3: 7 Vector3, godot4: 9 Vector3, docs: 7 Vector3 }
    /// Three `i32`.
    Vector3i(Vector3<i32>) { godot4: 10 Vector3i }
    /// Columns x and y and the origin, six reals.
    Transform2D(Real<'a, Transform2D>) {
        godot2: 8 Matrix32, godot3: 8 Transform2D, godot4: 11 Transform2D, docs: 8 Transform2D
    }
    /// Four reals.
    Vector4(Real<'a, Vector4>) { godot4: 12 Vector4 }
    /// Four `i32`.
    Vector4i(Vector4<i32>) { godot4: 13 Vector4i }
    /// Normal and distance, four reals.
    Plane(Real<'a, Plane>) { godot2: 9 Plane, godot3: 9 Plane, godot4: 14 Plane, docs: 9 Plane }
    /// Four reals.
    Quaternion(Real<'a, Quaternion>) {
        godot2: 10 Quat, godot3: 10 Quat, godot4: 15 Quaternion, docs: 10 Quaternion
    }
    /// Position and size, six reals.
    Aabb(Real<'a, Aabb>) { godot2: 11 AABB, godot3: 11 AABB, godot4: 16 AABB, docs: 11 AABB }
    /// Three rows of three reals.
    Basis(Real<'a, Basis>) { godot2: 12 Matrix3, godot3: 12 Basis, godot4: 17 Basis, docs: 12 Basis }
    /// A basis and an origin, twelve reals.
    Transform3D(Real<'a, Transform3D>) {
        godot2: 13 Transform, godot3: 13 Transform, godot4: 18 Transform3D, docs: 13 Transform3D
    }
    /// Four columns of four reals.
    Projection(Real<'a, Projection>) { godot4: 19 Projection }
    /// Red, green, blue and alpha, which are `f32` even in double-precision builds.
    Color(Real<'a, Color>) { godot2: 14 Color, godot3: 14 Color, godot4: 20 Color, docs: 14 Color }
    /// Length-prefixed text.
    StringName(StrRef<'a>) { godot4: 21 StringName }
    /// Names and subnames.
    NodePath(NodePathRef<'a>) {
        godot2: 16 NodePath, godot3: 15 NodePath, godot4: 22 NodePath, docs: 15 NodePath
    }
    /// A `u64` id in Godot 4. Other dialects have no payload. The id is only meaningful to the
    /// process that wrote it.
    Rid(Option<u64>) { godot2: 17 RID, godot3: 16 RID, godot4: 23 RID, docs: 16 RID }
    /// Null, an instance id, or a class with its properties.
    Object(ObjectRef<'a>, object) { godot2: 18 Object, godot3: 17 Object, godot4: 24 Object, docs: 17 Object }
    /// No payload: engines do not serialize callables.
    Callable { godot4: 25 Callable }
    /// A name and an object's id.
    Signal(Signal<StrRef<'a>>) { godot4: 26 Signal }
    /// Pairs of a key and a value, in the order of insertion.
    Dictionary(DictionaryRef<'a>, dictionary) {
        godot2: 20 Dictionary, godot3: 18 Dictionary, godot4: 27 Dictionary, docs: 18 Dictionary
    }
    /// A sequence of values.
    Array(ArrayRef<'a>, array) { godot2: 21 Array, godot3: 19 Array, godot4: 28 Array, docs: 19 Array }
    /// Bytes.
    PackedByteArray(&'a [u8]) {
        godot2: 22 RawArray, godot3: 20 PoolByteArray, godot4: 29 PackedByteArray, docs: 20 PackedByteArray
    }
    /// A sequence of `i32`.
    PackedInt32Array(&'a [I32]) {
        godot2: 23 IntArray, godot3: 21 PoolIntArray, godot4: 30 PackedInt32Array, docs: 21 PackedInt32Array
    }
    /// A sequence of `i64`.
    PackedInt64Array(&'a [I64]) { godot4: 31 PackedInt64Array, docs: 22 PackedInt64Array }
    /// A sequence of `f32`, even in double-precision builds.
    PackedFloat32Array(&'a [F32]) {
        godot2: 24 RealArray, godot3: 22 PoolRealArray, godot4: 32 PackedFloat32Array, docs: 23 PackedFloat32Array
    }
    /// A sequence of `f64`.
    PackedFloat64Array(&'a [F64]) { godot4: 33 PackedFloat64Array, docs: 24 PackedFloat64Array }
    /// A sequence of strings, each preceded by its length.
    PackedStringArray(PackedStringArrayRef<'a>) {
        godot2: 25 StringArray, godot3: 23 PoolStringArray, godot4: 34 PackedStringArray, docs: 25 PackedStringArray
    }
    /// A sequence of Vector2.
    PackedVector2Array(Reals<'a, Vector2>) {
        godot2: 26 Vector2Array, godot3: 24 PoolVector2Array, godot4: 35 PackedVector2Array, docs: 26 PackedVector2Array
    }
    /// A sequence of Vector3.
    PackedVector3Array(Reals<'a, Vector3>) {
        godot2: 27 Vector3Array, godot3: 25 PoolVector3Array, godot4: 36 PackedVector3Array, docs: 27 PackedVector3Array
    }
    /// A sequence of Color.
    PackedColorArray(Reals<'a, Color>) {
        godot2: 28 ColorArray, godot3: 26 PoolColorArray, godot4: 37 PackedColorArray, docs: 28 PackedColorArray
    }
    /// A sequence of Vector4 (since 4.3).
    PackedVector4Array(Reals<'a, Vector4>) { godot4: 38 PackedVector4Array }
    /// Godot 2: pixels with their format and size.
    Image(Image<'a>) { godot2: 15 Image }
    /// Godot 2: a key press, a mouse click or another event.
    InputEvent(InputEvent<'a>) { godot2: 19 InputEvent }
}
