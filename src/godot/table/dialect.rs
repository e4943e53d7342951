//! The dialects. Each has a numbering of the types, which is a column of the table in `kinds.rs`,
//! and rules for the other differences between engines.
//!
//! To add a dialect, add a set of [`Rules`] and a row of `dialects!` here, and a column to
//! `kinds.rs` if its numbering is new.

use super::kinds::{self, Column, Ids};
use super::payload::{Head, Header, LeafHandler, StoreLeaf};
use crate::buffer::Cursor;
use crate::godot::{Kind, Result, VariantRef};
use core::fmt;
use core::str::FromStr;

/// The rules that differ between dialects, besides the type ids.
///
/// Code that is generic over a [`Spec`] reads these rules as constants. The compiler then decides
/// each branch that depends on a rule.
#[derive(Debug)]
pub(crate) struct Rules {
    /// The dialect that has these rules.
    pub dialect: Dialect,
    /// Type ids and names.
    pub ids: &'static Ids,
    /// Mask of the header bits that hold the type id.
    pub type_mask: u32,
    /// `true` if header bit 16 is a flag. In an int or float it means 64 bits, and in an object it
    /// means that an id follows.
    pub flags: bool,
    /// Width of the components of vectors, matrices and colours.
    pub reals: Width,
    /// Bytes that the engine accepts as text.
    pub text: TextRule,
    /// `true` if a string needs its pad even at the end of the packet. No engine requires the pad
    /// of a byte array there.
    pub text_pad: bool,
    /// `true` if the length of each string in a packed array includes a trailing NUL.
    pub counted_nul: bool,
    /// `true` if a RID has a payload. The payload is the id.
    pub rid_id: bool,
    /// `true` if an object has a payload. Without one, every object is null.
    pub objects: bool,
    /// `true` if a null object is written as Nil.
    pub null_is_nil: bool,
    /// `true` if arrays and dictionaries can declare the types of their items.
    pub typed_containers: bool,
    /// `true` if the writer keeps bit 31 of a container's count, which means "shared". In other
    /// dialects the writer clears the bit.
    pub shared: bool,
    /// Layout of a NodePath in the old form, which Godot 3.1 and later reject. `None` if the
    /// dialect does not read that form.
    pub old_node_path: Option<OldNodePath>,
    /// `true` if a path with a single empty subname is printed with a `:`. Godot 4 does not print
    /// the `:`.
    pub lone_colon: bool,
    /// `true` if the JSON notation omits the type of a value wherever the engine's own JSON output
    /// omits it. In other dialects the type is always printed.
    pub engine_json: bool,
    /// `true` if bit 1 of a NodePath's flags announces a property after the subnames. In other
    /// dialects the bit adds 1 to the number of subnames.
    pub node_path_property: bool,
}

/// Width of the reals in vectors, matrices and colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// Always `f32`.
    Single,
    /// `f64` if header bit 16 is set, otherwise `f32`. Colours are always `f32`.
    Flagged,
    /// Always `f64`, including colours.
    Double,
}

/// Bytes that an engine accepts as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextRule {
    /// Any bytes: the engine ignores errors when it converts them to text.
    Any,
    /// UTF-8 as Godot 3.1 to 3.6 decode it. It may contain sequences of 5 and 6 bytes, surrogates
    /// and some overlong forms.
    Lenient,
    /// Valid UTF-8.
    Utf8,
}

/// The layout of a NodePath in the old form, in which the path is a single string. The variants
/// describe the bytes after its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OldNodePath {
    /// The path without a pad. The next value need not be aligned to 4 bytes.
    Unpadded,
    /// The path and its pad.
    Padded,
}

const GODOT4: Rules = Rules {
    dialect: Dialect::Godot4,
    ids: &kinds::Godot4::IDS,
    type_mask: 0xFF,
    flags: true,
    reals: Width::Flagged,
    text: TextRule::Utf8,
    text_pad: true,
    counted_nul: true,
    rid_id: true,
    objects: true,
    null_is_nil: true,
    typed_containers: true,
    shared: false,
    old_node_path: None,
    lone_colon: false,
    engine_json: true,
    node_path_property: false,
};

const GODOT3: Rules = Rules {
    dialect: Dialect::Godot3,
    ids: &kinds::Godot3::IDS,
    reals: Width::Single,
    text: TextRule::Lenient,
    rid_id: false,
    typed_containers: false,
    lone_colon: true,
    ..GODOT4
};

const GODOT2: Rules = Rules {
    dialect: Dialect::Godot2,
    ids: &kinds::Godot2::IDS,
    type_mask: u32::MAX,
    flags: false,
    text: TextRule::Any,
    text_pad: false,
    objects: false,
    null_is_nil: false,
    shared: true,
    old_node_path: Some(OldNodePath::Unpadded),
    engine_json: false,
    node_path_property: true,
    ..GODOT3
};

const DOCS: Rules = Rules {
    dialect: Dialect::Docs,
    ids: &kinds::Docs::IDS,
    type_mask: 0xFFFF,
    reals: Width::Single,
    counted_nul: false,
    rid_id: false,
    null_is_nil: false,
    typed_containers: false,
    shared: true,
    old_node_path: Some(OldNodePath::Padded),
    engine_json: false,
    ..GODOT4
};

const DOCS_DOUBLE: Rules = Rules { dialect: Dialect::DocsDouble, reals: Width::Double, ..DOCS };

/// A dialect as a type, for code that is compiled once per dialect.
pub(crate) trait Spec {
    type Ids: Column;
    const RULES: &'static Rules;
    /// The entire header of a 32-bit int. The next two constants are the headers of a String and of
    /// a StringName.
    const INT: u32 = Self::Ids::IDS.of(Kind::Int);
    const STRING: u32 = Self::Ids::IDS.of(Kind::String);
    const STRING_NAME: u32 = Self::Ids::IDS.of(Kind::StringName);

    /// Reads the payload of a leaf and passes the leaf to `then`. For a container, returns its kind
    /// instead.
    #[inline(always)]
    fn head<'a, T: LeafHandler<'a>>(
        at: &mut Cursor<'a>,
        header: Header,
        then: T,
    ) -> Result<Head<T::Output>> {
        if !cfg!(gamewire_small) {
            return Self::Ids::head(at, header, Self::RULES, then);
        }
        let mut leaf = VariantRef::Nil;
        Ok(match Self::stored_head(at, header, &mut leaf)? {
            Head::Leaf(()) => Head::Leaf(then.leaf(*at, leaf)),
            Head::Open(opens) => Head::Open(opens),
        })
    }

    /// Does the same as [`head`](Self::head), but stores the leaf. A build for size uses it,
    /// because it is compiled only once per dialect.
    #[inline(never)]
    fn stored_head<'a>(
        at: &mut Cursor<'a>,
        header: Header,
        leaf: &mut VariantRef<'a>,
    ) -> Result<Head<()>> {
        Self::Ids::head(at, header, Self::RULES, StoreLeaf(leaf))
    }
}

/// A function that is generic over the dialect. [`Dialect::run`] calls it.
pub(crate) trait Job {
    type Output;
    fn run<D: Spec>(self) -> Self::Output;
}

macro_rules! dialects {
    ($($(#[$doc:meta])* $Name:ident $text:literal: $Column:ident, $rules:expr;)*) => {
        /// The dialect of a packet, determined by the engine that wrote it.
        ///
        /// Nothing in a packet identifies the engine, so the caller chooses the dialect.
        /// [`detect`](crate::godot::detect) narrows the choice.
        ///
        /// ```
        /// use gamewire::godot::{Dialect, Kind};
        ///
        /// assert_eq!(Dialect::Godot4.id(Kind::Quaternion), Some(15));
        /// assert_eq!(Dialect::Godot3.kind(10), Some(Kind::Quaternion));
        /// assert_eq!(Dialect::Godot3.type_name(Kind::Quaternion), Some("Quat"));
        /// assert_eq!("godot3".parse(), Ok(Dialect::Godot3));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Dialect {
            $($(#[$doc])* $Name,)*
        }

        $(
            pub(crate) struct $Name;

            impl Spec for $Name {
                type Ids = kinds::$Column;
                const RULES: &'static Rules = &$rules;
            }
        )*

        impl Dialect {
            /// All dialects.
            pub const ALL: &'static [Self] = &[$(Self::$Name),*];

            /// Returns the name that [`FromStr`] and the command line accept, such as `godot4`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Name => $text,)*
                }
            }

            #[inline]
            pub(crate) const fn rules(self) -> &'static Rules {
                match self {
                    $(Self::$Name => <$Name as Spec>::RULES,)*
                }
            }

            /// Returns the type with this id.
            pub fn kind(self, id: u32) -> Option<Kind> {
                match self {
                    $(Self::$Name => <$Name as Spec>::Ids::kind(id),)*
                }
            }

            /// Runs the instance of `job` that was compiled for this dialect. Entry points call
            /// this method once, so that no inner code branches on the dialect.
            #[inline(always)]
            pub(crate) fn run<J: Job>(self, job: J) -> J::Output {
                match self {
                    $(Self::$Name => job.run::<$Name>(),)*
                }
            }
        }
    };
}

dialects! {
    /// Godot 1.0 to 2.1.
    Godot2 "godot2": Godot2, GODOT2;
    /// Godot 3.0 to 3.6. The rules for text and the limits are those of 3.6.
    Godot3 "godot3": Godot3, GODOT3;
    /// Godot 4.0 to 4.6, in single and double precision. Header bit 16 states the precision of
    /// vectors and matrices.
    Godot4 "godot4": Godot4, GODOT4;
    /// The format that the page [Binary serialization API] of Godot's 4.x documentation describes.
    /// No engine reads or writes it.
    ///
    /// The page has a numbering of its own (ids 0 to 28), a type mask of 0xFFFF, strings without a
    /// NUL in a PackedStringArray, RIDs without an id, and NodePaths in the old form in addition to
    /// the new one. The dialect follows it, except where the page contradicts itself or every
    /// engine:
    ///
    /// | topic | the page | this dialect, and why |
    /// |---|---|---|
    /// | Basis, Transform3D | components named column by column | three rows, as in every engine: the page only misnames the components |
    /// | PackedInt64Array | a count of 8 bytes | a count of 4 bytes, as in all packed arrays: the page's own offset of the data agrees with this |
    /// | object given by id | not described | header bit 16 and a `u64` id, as in Godot 3 and 4: there is no other way to write one |
    /// | null object | header and a zero | header and a zero, which is an empty class name; an id of 0 is also read as null |
    /// | names of a NodePath | number of subnames at offset 4, flags at 8 | number of names at 4, number of subnames at 8, flags at 12, then the names, each padded to a multiple of 4 bytes, as in every engine: the page leaves out the first field |
    /// | strings of a PackedStringArray | no trailing NUL | no trailing NUL; if the length includes one, reading removes it |
    ///
    /// [Binary serialization API]: https://docs.godotengine.org/en/stable/tutorials/io/binary_serialization_api.html
    Docs "godot4-docs": Docs, DOCS;
    /// The variant of [`Docs`](Self::Docs) for double-precision builds, as described on the same
    /// page.
    ///
    /// The precision is a property of the dialect; no header bit states it. Every component that
    /// the page calls a float takes 8 bytes, including those of Color and of packed arrays of
    /// vectors and colours. Floats, ints and the float32 and float64 arrays are unchanged. The
    /// count of a packed array remains 4 bytes long at offset 4, and the elements follow directly.
    /// The page doubles every offset, which would leave a gap after the count that the page does
    /// not describe.
    DocsDouble "godot4-docs-double": Docs, DOCS_DOUBLE;
}

impl Dialect {
    /// Returns the type id of `kind`, or `None` if the dialect does not have that type.
    #[inline]
    pub const fn id(self, kind: Kind) -> Option<u8> {
        self.rules().ids.id(kind)
    }

    /// Returns the name of `kind` in this dialect: `Quat` in Godot 3, `Quaternion` in Godot 4.
    pub const fn type_name(self, kind: Kind) -> Option<&'static str> {
        self.rules().ids.name(kind)
    }
}

impl Dialect {
    /// Returns the type that has this name in this dialect.
    pub(crate) fn named(self, name: &[u8]) -> Option<Kind> {
        let is_called = |kind: &Kind| self.type_name(*kind).map(str::as_bytes) == Some(name);
        Kind::ALL.iter().copied().find(is_called)
    }
}

impl Kind {
    /// Returns the type that has this name in any dialect.
    #[cfg(feature = "alloc")]
    pub(crate) fn named(name: &[u8]) -> Option<Self> {
        // Godot 4 first: it has nearly all names.
        let dialects = [Dialect::Godot4, Dialect::Godot3, Dialect::Godot2];
        dialects.into_iter().find_map(|dialect| dialect.named(name))
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of [`Dialect::from_str`]: no dialect has that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no dialect has this name")]
pub struct UnknownDialect;

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> core::result::Result<Self, UnknownDialect> {
        Self::ALL.iter().copied().find(|dialect| dialect.name() == name).ok_or(UnknownDialect)
    }
}

/// The engine versions that a writer writes for. These are either the latest versions of a dialect,
/// or older versions of Godot 4, which lack some of its features.
///
/// ```
/// use gamewire::godot::{Dialect, Target};
///
/// assert_eq!(Target::from(Dialect::Godot4).dialect(), Dialect::Godot4);
/// assert_eq!(Target::GODOT4_0.dialect(), Dialect::Godot4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    dialect: Dialect,
    lacks: Lacks,
}

/// Features of the dialect that a target lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Lacks {
    Nothing,
    TypedDictionaries,
    TypedContainersAndVector4Arrays,
}

impl Target {
    /// Godot 4.0 to 4.2, which have neither typed containers nor PackedVector4Array on the wire.
    pub const GODOT4_0: Self =
        Self { dialect: Dialect::Godot4, lacks: Lacks::TypedContainersAndVector4Arrays };
    /// Godot 4.3, which has no typed dictionaries.
    pub const GODOT4_3: Self = Self { dialect: Dialect::Godot4, lacks: Lacks::TypedDictionaries };

    /// Returns the target for the latest engine of a dialect, which has all features of the
    /// dialect.
    pub(crate) const fn latest(dialect: Dialect) -> Self {
        Self { dialect, lacks: Lacks::Nothing }
    }

    /// Returns the dialect of the written bytes.
    #[inline]
    pub const fn dialect(self) -> Dialect {
        self.dialect
    }

    /// Returns `true` if the target has this type. `kind` must be a type of the target's dialect.
    #[inline(always)]
    pub(crate) fn has(self, kind: Kind) -> bool {
        kind != Kind::PackedVector4Array || self.lacks != Lacks::TypedContainersAndVector4Arrays
    }

    /// Returns `true` if containers of this kind can declare the types of their items.
    pub(crate) fn has_typed(self, container: Kind) -> bool {
        self.dialect.rules().typed_containers
            && match self.lacks {
                Lacks::Nothing => true,
                Lacks::TypedDictionaries => container == Kind::Array,
                Lacks::TypedContainersAndVector4Arrays => false,
            }
    }

    /// Returns `true` if every value of `dialect` can be copied to this target byte by byte.
    pub(crate) fn copies(self, dialect: Dialect) -> bool {
        self.dialect == dialect && self.lacks == Lacks::Nothing
    }
}

impl From<Dialect> for Target {
    fn from(dialect: Dialect) -> Self {
        Self::latest(dialect)
    }
}
