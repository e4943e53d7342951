//! Version ranges in which the layout of imports and exports does not change. The code that reads
//! these records is compiled once for each range, with the versions as constants, so that it does
//! not compare versions at run time.

use super::byte_order::ByteOrder;
use super::layout::Layout;
use super::versions::{NEWEST, OLDEST, Versions, ue4, ue5};

/// First version of each range.
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

/// The range of a file, an index into [`RANGE_STARTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VersionRange(u8);

impl VersionRange {
    /// No range, for readers that are not specialized.
    pub const NONE: Self = Self(u8::MAX);

    /// Returns the range of a layout. Returns [`NONE`](Self::NONE) for big-endian files, and for
    /// files that have a version of engine 5 without all changes of engine 4.
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
    /// Returns the layout with its versions replaced by the first versions of a range. For imports
    /// and exports, all versions of a range are equivalent.
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "by a constant")]
    pub(crate) const fn for_version_range<const RANGE: usize>(&self) -> Self {
        Self { order: ByteOrder::Little, versions: const { RANGE_STARTS[RANGE] }, ..*self }
    }
}

/// Evaluates `$then` with the index of the range as the constant `$RANGE`, or `$otherwise` if there
/// is no range. This is a macro because a closure would be compiled only once for all ranges.
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
