//! Versions ("eras") of the binary format, and the type ids that each one uses.

use super::tables::AttributeType;
use crate::rems::Kind;
use crate::rems::kind::IdScheme;

/// Version of the binary format. A stream does not state its version, so the caller must choose it.
///
/// No public file is known that was written by an engine from before 2022. A file that is a
/// [container](crate::rems::is_container) was written in the era [`October2024`](Self::October2024)
/// or in the month before that era began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Era {
    /// Type ids are letters. The marker bytes between top-level objects are not known for this era;
    /// the reader and the writer use those of later eras.
    December2020,
    /// Type ids are numbers.
    August2021,
    /// Changes the ids of vectors and files; adds matrices and boxes.
    October2021,
    /// Changes the ids of matrices, boxes and files; adds planes.
    March2022,
    /// Each class has a table of its attributes (names and types of properties). An element of a
    /// list of one class uses the table of its own class. In earlier eras, such an element uses the
    /// table of the class of the object that contains the list.
    #[default]
    October2024,
}

/// Ids of types other than kinds of values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ids {
    pub(crate) null: u8,
    pub(crate) object: u8,
    pub(crate) mixed: u8,
    /// The id of a list of lists of objects, or `None` in December 2020, when the format had no
    /// such lists.
    pub(crate) mixed_2d: Option<u8>,
    pub(crate) classes: u8,
    pub(crate) roots: u8,
    pub(crate) pointer: u8,
}

/// The marker bytes between two top-level objects, and after the last one.
pub(crate) const ANOTHER_ROOT: u8 = 17;
pub(crate) const NO_MORE_ROOTS: u8 = 37;

impl Era {
    /// All eras, the latest first.
    pub const ALL: [Self; 5] = [
        Self::October2024,
        Self::March2022,
        Self::October2021,
        Self::August2021,
        Self::December2020,
    ];

    /// Returns the name of the era: `2026`, `2022`, `2021`, `2021-08` or `2020`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::October2024 => "2026",
            Self::March2022 => "2022",
            Self::October2021 => "2021",
            Self::August2021 => "2021-08",
            Self::December2020 => "2020",
        }
    }

    pub(crate) const fn id_scheme(self) -> IdScheme {
        match self {
            Self::December2020 => IdScheme::December2020,
            Self::August2021 => IdScheme::August2021,
            Self::October2021 => IdScheme::October2021,
            Self::March2022 | Self::October2024 => IdScheme::Since2022,
        }
    }

    pub(crate) const fn ids(self) -> Ids {
        match self {
            Self::December2020 => Ids {
                null: 0,
                object: b'o',
                mixed: b'O',
                mixed_2d: None,
                classes: b'#',
                roots: b'&',
                pointer: b'*',
            },
            _ => Ids {
                null: 0,
                object: 1,
                mixed: 2,
                mixed_2d: Some(3),
                classes: 4,
                roots: 5,
                pointer: 6,
            },
        }
    }

    /// Returns the type of an attribute with this type id.
    pub(crate) fn attribute_type(self, id: u8) -> Option<AttributeType> {
        let ids = self.ids();
        Some(match (id, Kind::of_id(id, self.id_scheme())) {
            (_, Some((kind, dim @ 1..))) if kind.is_text() => AttributeType::Texts(kind, dim),
            (_, Some((kind, dim))) => AttributeType::Plain(kind, dim),
            (id, _) if id == ids.object => AttributeType::Object,
            (id, _) if id == ids.pointer => AttributeType::Pointer,
            (id, _) if id == ids.null => AttributeType::Null,
            (id, _) if id == ids.mixed => AttributeType::Mixed(1),
            (id, _) if Some(id) == ids.mixed_2d => AttributeType::Mixed(2),
            (id, _) if id == ids.classes => AttributeType::Classes,
            (id, _) if id == ids.roots => AttributeType::Roots,
            _ => return None,
        })
    }

    pub(crate) const fn has_class_tables(self) -> bool {
        matches!(self, Self::October2024)
    }
}
