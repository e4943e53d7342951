//! Imports and exports are read by code that was compiled for the version they are in: with the
//! version known, a record is a row of loads.

use super::layout::{Layout, NEWEST, OLDEST, Versions};
use super::wire::ByteOrder;

/// From which version on imports and exports are laid out otherwise than before.
const STEPS: [Versions; 10] = [
    Versions { ue4: OLDEST, ue5: 0 },
    Versions { ue4: 365, ue5: 0 },
    Versions { ue4: 485, ue5: 0 },
    Versions { ue4: 507, ue5: 0 },
    Versions { ue4: 508, ue5: 0 },
    Versions { ue4: 511, ue5: 0 },
    Versions { ue4: NEWEST.ue4, ue5: 1003 },
    Versions { ue4: NEWEST.ue4, ue5: 1005 },
    Versions { ue4: NEWEST.ue4, ue5: 1006 },
    Versions { ue4: NEWEST.ue4, ue5: 1010 },
];

/// Which of the [`STEPS`] a file is behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step(u8);

impl Step {
    /// None: for what does not ask for it.
    pub const NONE: Self = Self(u8::MAX);

    /// The last one behind which a file of that layout is; none of those in the other byte
    /// order, and of those that have engine 5's changes without all of engine 4's.
    pub fn of(layout: &Layout) -> Self {
        let Versions { ue4, ue5 } = layout.versions;
        if layout.order != ByteOrder::Little || (ue5 != 0 && ue4 != NEWEST.ue4) {
            return Self::NONE;
        }
        let behind = |step: &&Versions| layout.ue4(step.ue4) && layout.ue5(step.ue5);
        let steps = u8::try_from(STEPS.iter().take_while(behind).count()).unwrap_or(0);
        Self(steps.wrapping_sub(1))
    }

    pub const fn index(self) -> u8 {
        self.0
    }
}

impl Layout {
    /// The same with the versions of a step, for what does not change between that and the next.
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "by a constant")]
    pub(super) const fn at_step<const STEP: usize>(&self) -> Self {
        Self { order: ByteOrder::Little, versions: const { STEPS[STEP] }, ..*self }
    }
}

/// Does one thing behind each step, of which it knows the index when it is compiled, and
/// another where there is none. (A closure would be one function for all.)
macro_rules! at_step {
    ($step:expr, $STEP:ident => $then:expr, $otherwise:expr) => {
        $crate::unreal::steps::at_step!(
            @each $step, $STEP, $then, $otherwise, 0 1 2 3 4 5 6 7 8 9
        )
    };
    (@each $step:expr, $STEP:ident, $then:expr, $otherwise:expr, $($index:literal)*) => {
        match $step.index() {
            $( $index => {
                const $STEP: usize = $index;
                $then
            } )*
            _ => $otherwise,
        }
    };
}
pub(super) use at_step;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unreal::list::Records;
    use crate::unreal::wire::{Input, Value};
    use crate::unreal::{Export, Import};
    use core::fmt::Debug;

    /// Reads the same as what asks for the version, from words that may be truths.
    fn reads_the_same<'a, T: Value<'a> + Debug + PartialEq>(file: &'a [u8], layout: Layout) {
        let mut at = Input::new(file, 0);
        for record in Records::<T>::new(at, 4, layout) {
            assert_eq!(record, at.read(&layout), "{layout:?}");
        }
    }

    #[test]
    fn no_step_is_left_out() {
        let words = (0..400u32).map(|n| n.wrapping_mul(0x9E37_79B9) >> 31);
        let file: alloc::vec::Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        let old = (OLDEST..NEWEST.ue4).map(|ue4| Versions { ue4, ue5: 0 });
        let new = (0..=NEWEST.ue5 + 1).map(|ue5| Versions { ue4: NEWEST.ue4, ue5 });
        let odd = [(400, 1003), (511, 1018), (213, 0), (522, -1)];
        let odd = odd.into_iter().map(|(ue4, ue5)| Versions { ue4, ue5 });
        for versions in old.chain(new).chain(odd) {
            for flags in 0..8 {
                let layout = Layout {
                    versions,
                    order: if flags & 4 == 0 { ByteOrder::Little } else { ByteOrder::Big },
                    import_packages: flags & 1 != 0,
                    unversioned_properties: flags & 2 != 0,
                    ..Layout::default()
                };
                reads_the_same::<Import>(&file, layout);
                reads_the_same::<Export>(&file, layout);
            }
        }
    }

    extern crate alloc;
}
