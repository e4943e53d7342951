//! Imports and exports are read by code that was compiled for the version they are in: with the
//! version known, a record is a row of loads.

use super::byte_order::ByteOrder;
use super::layout::Layout;
use super::versions::{NEWEST, OLDEST, Versions, ue4, ue5};

/// From which version on imports and exports are laid out otherwise than before.
const RANGE_STARTS: [Versions; 10] = [
    Versions { ue4: OLDEST, ue5: 0 },
    Versions { ue4: ue4::LOAD_FOR_EDITOR_GAME, ue5: 0 },
    Versions { ue4: ue4::COOKED_ASSETS_IN_EDITOR_SUPPORT, ue5: 0 },
    Versions { ue4: ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS, ue5: 0 },
    Versions { ue4: ue4::TEMPLATE_INDEX_IN_COOKED_EXPORTS, ue5: 0 },
    Versions { ue4: ue4::EXPORTMAP_SERIALSIZES_64BIT, ue5: 0 },
    Versions { ue4: NEWEST.ue4, ue5: ue5::OPTIONAL_RESOURCES },
    Versions { ue4: NEWEST.ue4, ue5: ue5::REMOVE_OBJECT_EXPORT_PACKAGE_GUID },
    Versions { ue4: NEWEST.ue4, ue5: ue5::TRACK_OBJECT_EXPORT_IS_INHERITED },
    Versions { ue4: NEWEST.ue4, ue5: ue5::SCRIPT_SERIALIZATION_OFFSET },
];

/// Which of the [`RANGE_STARTS`] a file is behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VersionRange(u8);

impl VersionRange {
    /// None: for what does not ask for it.
    pub const NONE: Self = Self(u8::MAX);

    /// The last one behind which a file of that layout is; none of those in the other byte
    /// order, and of those that have engine 5's changes without all of engine 4's.
    pub fn of(layout: &Layout) -> Self {
        let Versions { ue4, ue5 } = layout.versions;
        if layout.order != ByteOrder::Little || (ue5 != 0 && ue4 != NEWEST.ue4) {
            return Self::NONE;
        }
        let behind = |range: &&Versions| layout.has_ue4(range.ue4) && layout.has_ue5(range.ue5);
        let steps = u8::try_from(RANGE_STARTS.iter().take_while(behind).count()).unwrap_or(0);
        Self(steps.wrapping_sub(1))
    }

    pub const fn index(self) -> u8 {
        self.0
    }
}

impl Layout {
    /// The same with the versions of a range, for what does not change between that and the next.
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "by a constant")]
    pub(crate) const fn for_version_range<const RANGE: usize>(&self) -> Self {
        Self { order: ByteOrder::Little, versions: const { RANGE_STARTS[RANGE] }, ..*self }
    }
}

/// Does one thing behind each range, of which it knows the index when it is compiled, and
/// another where there is none. (A closure would be one function for all.)
macro_rules! for_version_range {
    ($range:expr, $RANGE:ident => $then:expr, $otherwise:expr) => {
        $crate::unreal::format::version_ranges::for_version_range!(
            @each $range, $RANGE, $then, $otherwise, 0 1 2 3 4 5 6 7 8 9
        )
    };
    (@each $range:expr, $RANGE:ident, $then:expr, $otherwise:expr, $($index:literal)*) => {
        match $range.index() {
            $( $index => {
                const $RANGE: usize = $index;
                $then
            } )*
            _ => $otherwise,
        }
    };
}
pub(crate) use for_version_range;
