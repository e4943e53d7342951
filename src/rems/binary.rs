//! Files that are binary: streams, raw or out of a container.

mod names;
mod reader;
mod tables;

pub(super) use names::Names;
pub use reader::BinaryReader;
pub use tables::Tables;

use super::Kind;
use super::kind::Regime;
use tables::What;

/// When the engine was built that has written a binary stream, since nothing in it says so.
///
/// No file of an engine before 2022 is known in public; what is in a
/// [container](super::is_container) is of [`October2024`](Self::October2024) or of the month before
/// it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Era {
    /// Types are letters. (How lists of roots were marked is not known of this time; it is
    /// taken to be as later.)
    December2020,
    /// Types are numbers.
    August2021,
    /// Other numbers for vectors and files; matrices and boxes.
    October2021,
    /// Other numbers for matrices, boxes and files; planes.
    March2022,
    /// In a list of one class, attributes are numbered in the class of the elements; before, in
    /// that of the object that has the list.
    #[default]
    October2024,
}

/// The ids of what is no kind of value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ids {
    pub(super) null: u8,
    pub(super) object: u8,
    pub(super) mixed: u8,
    /// None for December 2020.
    pub(super) mixed_2d: Option<u8>,
    pub(super) classes: u8,
    pub(super) roots: u8,
    pub(super) pointer: u8,
}

/// Between two roots, and behind the last one.
pub(super) const ANOTHER_ROOT: u8 = 17;
pub(super) const NO_MORE_ROOTS: u8 = 37;

impl Era {
    pub(super) const fn regime(self) -> Regime {
        match self {
            Self::December2020 => Regime::R0,
            Self::August2021 => Regime::R1,
            Self::October2021 => Regime::R2,
            Self::March2022 | Self::October2024 => Regime::R3,
        }
    }

    pub(super) const fn ids(self) -> Ids {
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

    /// What an id stands for.
    fn what(self, id: u8) -> Option<What> {
        let ids = self.ids();
        Some(match (id, Kind::of_id(id, self.regime())) {
            (_, Some((kind, dim @ 1..))) if kind.is_text() => What::Texts(kind, dim),
            (_, Some((kind, dim))) => What::Plain(kind, dim),
            (id, _) if id == ids.object => What::Object,
            (id, _) if id == ids.pointer => What::Pointer,
            (id, _) if id == ids.null => What::Null,
            (id, _) if id == ids.mixed => What::Mixed(1),
            (id, _) if Some(id) == ids.mixed_2d => What::Mixed(2),
            (id, _) if id == ids.classes => What::Classes,
            (id, _) if id == ids.roots => What::Roots,
            _ => return None,
        })
    }

    pub(super) const fn own_tables(self) -> bool {
        matches!(self, Self::October2024)
    }
}
