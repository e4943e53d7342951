//! The dialects: for each a numbering of the types (a column of the table in
//! `kinds.rs`) and the rules in which engines differ beyond ids. A new dialect is
//! a row here, and a column there if its numbering is new.

use super::kinds::{self, Column, Ids};
use super::payload::{Head, Header, LeafHandler};
use crate::buffer::Cursor;
use crate::godot::{Kind, Result};
use core::fmt;
use core::str::FromStr;

/// In what engines differ beyond type ids.
#[derive(Debug)]
pub(crate) struct Rules {
    /// Whose rules these are.
    pub dialect: Dialect,
    /// The types it has, and their ids.
    pub ids: &'static Ids,
    /// Which header bits are the type.
    pub type_mask: u32,
    /// Whether header bit 16 widens ints and floats and marks objects as ids.
    pub flags: bool,
    /// How wide reals are.
    pub reals: Width,
    /// Which bytes the engine takes for text.
    pub text: TextRule,
    /// Whether text must be followed by its pad. (Of byte arrays none demands it.)
    pub text_pad: bool,
    /// Whether each text of a packed array counts a NUL at its end.
    pub counted_nul: bool,
    /// Whether a RID carries an id.
    pub rid_id: bool,
    /// Whether an object has a payload.
    pub objects: bool,
    /// Whether null objects are written as Nil.
    pub null_is_nil: bool,
    /// Whether arrays and dictionaries say their types.
    pub typed_containers: bool,
    /// Whether bit 31 of a container's count is written back ("shared").
    pub shared: bool,
    /// NodePaths in the form that was given up before 3.1, where they are read.
    pub old_node_path: Option<OldNodePath>,
    /// Whether a path shows a `:` before sub-names that come to no text.
    pub lone_colon: bool,
    /// Whether an engine's values are known in the JSON notation, so that it matters to
    /// print them as it does.
    pub engine_json: bool,
    /// NodePath flag bit 1: one more text, a property (elsewhere: one more
    /// sub-name).
    pub node_path_property: bool,
}

/// How wide the reals of vectors and the like are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// Always `f32`.
    Single,
    /// `f64` where header bit 16 says so (colours never).
    Flagged,
    /// Always `f64`, colours too.
    Double,
}

/// Which bytes an engine takes for text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextRule {
    /// Any: the result of the conversion is ignored.
    Any,
    /// UTF-8 as 3.1 to 3.6 convert it: up to six bytes, surrogates, some overlongs.
    Lenient,
    /// UTF-8.
    Utf8,
}

/// What follows the length of an old NodePath.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OldNodePath {
    /// The path, and nothing else: what comes next stands at any address.
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

/// A dialect as a type, for code that is compiled once for each.
pub(crate) trait Spec {
    type Ids: Column;
    const RULES: &'static Rules;
    /// Headers that need no decoding: a 32-bit int, and text.
    const INT: u32 = Self::Ids::IDS.of(Kind::Int);
    const STRING: u32 = Self::Ids::IDS.of(Kind::String);
    const STRING_NAME: u32 = Self::Ids::IDS.of(Kind::StringName);

    #[inline(always)]
    fn head<'a, T: LeafHandler<'a>>(
        at: &mut Cursor<'a>,
        header: Header,
        then: T,
    ) -> Result<Head<T::Output>> {
        Self::Ids::head(at, header, Self::RULES, then)
    }
}

/// Code that is compiled once for each dialect, see `Dialect::run`.
pub(crate) trait Job {
    type Output;
    fn run<D: Spec>(self) -> Self::Output;
}

macro_rules! dialects {
    ($($(#[$doc:meta])* $Name:ident $text:literal: $Column:ident, $rules:expr;)*) => {
        /// Which engine's bytes these are. Passed by the caller, never guessed: the
        /// wire carries no version (see [`detect`](crate::godot::detect)).
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
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$Name),*];

            /// The name on the command line, as [`FromStr`] takes it.
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

            /// The type that `id` stands for, a header's type field.
            pub fn kind(self, id: u32) -> Option<Kind> {
                match self {
                    $(Self::$Name => <$Name as Spec>::Ids::kind(id),)*
                }
            }

            /// Runs code that is compiled for each dialect on this one: the choice is
            /// made once, at the edge.
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
    /// Godot 3.0 to 3.6; text and limits as in 3.6.
    Godot3 "godot3": Godot3, GODOT3;
    /// Godot 4.0 to 4.6, single and double precision (each value says which).
    Godot4 "godot4": Godot4, GODOT4;
    /// What the official 4.x documentation prints. No engine speaks it.
    Docs "godot4-docs": Docs, DOCS;
    /// The same with double-precision reals, which no flag announces there.
    DocsDouble "godot4-docs-double": Docs, DOCS_DOUBLE;
}

impl Dialect {
    /// The type id of `kind`, if the dialect has that type.
    #[inline]
    pub const fn id(self, kind: Kind) -> Option<u8> {
        self.rules().ids.id(kind)
    }

    /// What `kind` is called there: `Quat` in Godot 3, `Quaternion` in Godot 4.
    pub const fn type_name(self, kind: Kind) -> Option<&'static str> {
        self.rules().ids.name(kind)
    }
}

impl Dialect {
    /// The type that is called so there.
    pub(crate) fn named(self, name: &[u8]) -> Option<Kind> {
        let is_called = |kind: &Kind| self.type_name(*kind).map(str::as_bytes) == Some(name);
        Kind::ALL.iter().copied().find(is_called)
    }
}

impl Kind {
    /// The type that any dialect calls so.
    #[cfg(feature = "alloc")]
    pub(crate) fn named(name: &[u8]) -> Option<Self> {
        // Godot 4 first: nearly every name is there, too.
        let dialects = [Dialect::Godot4, Dialect::Godot3, Dialect::Godot2];
        dialects.into_iter().find_map(|dialect| dialect.named(name))
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No dialect of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such dialect")]
pub struct UnknownDialect;

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> core::result::Result<Self, UnknownDialect> {
        Self::ALL.iter().copied().find(|dialect| dialect.name() == name).ok_or(UnknownDialect)
    }
}

/// What a writer writes for: a dialect, or an older Godot 4 that reads less of it.
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

/// What an older Godot 4 does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Lacks {
    Nothing,
    TypedDictionaries,
    TypedContainersAndVector4Arrays,
}

impl Target {
    /// Godot 4.0 to 4.2: no typed containers, no PackedVector4Array.
    pub const GODOT4_0: Self =
        Self { dialect: Dialect::Godot4, lacks: Lacks::TypedContainersAndVector4Arrays };
    /// Godot 4.3: no typed dictionaries.
    pub const GODOT4_3: Self = Self { dialect: Dialect::Godot4, lacks: Lacks::TypedDictionaries };

    /// What the last engine of that dialect reads.
    pub(crate) const fn latest(dialect: Dialect) -> Self {
        Self { dialect, lacks: Lacks::Nothing }
    }

    /// The dialect of the bytes.
    #[inline]
    pub const fn dialect(self) -> Dialect {
        self.dialect
    }

    /// Whether the target has this type, where its dialect has.
    #[inline(always)]
    pub(crate) fn has(self, kind: Kind) -> bool {
        kind != Kind::PackedVector4Array || self.lacks != Lacks::TypedContainersAndVector4Arrays
    }

    /// Whether containers of this kind can state types.
    pub(crate) fn has_typed(self, container: Kind) -> bool {
        self.dialect.rules().typed_containers
            && match self.lacks {
                Lacks::Nothing => true,
                Lacks::TypedDictionaries => container == Kind::Array,
                Lacks::TypedContainersAndVector4Arrays => false,
            }
    }

    /// Whether any value in `dialect` can be copied as it is.
    pub(crate) fn copies(self, dialect: Dialect) -> bool {
        self.dialect == dialect && self.lacks == Lacks::Nothing
    }
}

impl From<Dialect> for Target {
    fn from(dialect: Dialect) -> Self {
        Self::latest(dialect)
    }
}
