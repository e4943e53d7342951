//! Conditions under which a struct is native or a field is present.

use crate::unreal::format::Layout;

/// A condition on the layout of a file, on the first field of the same group, or on the bytes that
/// remain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Always,
    Never,
    /// The version counter has this value or a larger one.
    Since(Counter, i32),
    /// The version counter has a smaller value.
    Before(Counter, i32),
    /// The file has editor-only data.
    EditorData,
    /// The file has no editor-only data.
    NoEditorData,
    /// The first field of the group is neither zero, nor empty, nor a null reference.
    Set,
    /// The first field of the group is zero, empty, or a null reference.
    Unset,
    /// The first field of the group is this number.
    Is(i64),
    /// Bytes of the struct remain. In containers and in files without tags, the end of a struct is
    /// not known, so the condition is that the file has editor-only data.
    More,
    All(&'static [Condition]),
    Any(&'static [Condition]),
}

/// A counter of format versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counter {
    Ue4,
    Ue5,
    AnimPhys,
    Blueprints,
    Core,
    Editor,
    FortniteMain,
    Framework,
    Niagara,
    NiagaraObject,
    Release,
    Sequencer,
    Ue5Release,
}

impl Counter {
    const fn of(self, layout: &Layout) -> i32 {
        let Layout { versions, custom, .. } = layout;
        match self {
            Self::Ue4 => versions.ue4,
            Self::Ue5 => versions.ue5,
            Self::AnimPhys => custom.anim_phys,
            Self::Blueprints => custom.blueprints,
            Self::Core => custom.core,
            Self::Editor => custom.editor,
            Self::FortniteMain => custom.fortnite_main,
            Self::Framework => custom.framework,
            Self::Niagara => custom.niagara,
            Self::NiagaraObject => custom.niagara_object,
            Self::Release => custom.release,
            Self::Sequencer => custom.sequencer,
            Self::Ue5Release => custom.ue5_release,
        }
    }
}

/// What conditions depend on besides the layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Switch {
    /// The first field of the group as a number. A string is 1 if it is not empty, and a reference
    /// to an object is 1 if it is not null. Other values are 0 unless they are integers or bools.
    pub first: i64,
    /// `true` if [`Condition::More`] holds.
    pub more: bool,
}

impl Condition {
    /// Returns whether the condition holds, or `None` if the layout does not decide it.
    #[inline(always)]
    pub(crate) fn by_layout(&self, layout: &Layout) -> Option<bool> {
        match self {
            Self::Always => Some(true),
            other => other.decided_by(layout),
        }
    }

    /// Does the same as [`by_layout`](Self::by_layout), for conditions other than `Always`.
    fn decided_by(&self, layout: &Layout) -> Option<bool> {
        match self {
            Self::Set | Self::Unset | Self::Is(_) | Self::More => None,
            Self::All(all) => {
                let mut all = all.iter().map(|one| one.by_layout(layout));
                // One condition that does not hold decides the result.
                if all.clone().any(|one| one == Some(false)) {
                    return Some(false);
                }
                all.all(|one| one == Some(true)).then_some(true)
            }
            Self::Any(any) => {
                let mut any = any.iter().map(|one| one.by_layout(layout));
                if any.clone().any(|one| one == Some(true)) {
                    return Some(true);
                }
                any.all(|one| one == Some(false)).then_some(false)
            }
            decided => Some(decided.holds(layout, Switch::default())),
        }
    }

    /// Returns `true` if the condition holds. The depth of the recursion is the nesting depth of
    /// the conditions in the table of structs.
    #[inline(always)]
    pub(crate) fn holds(&self, layout: &Layout, switch: Switch) -> bool {
        matches!(self, Self::Always) || self.holds_now(layout, switch)
    }

    /// Does the same as [`holds`](Self::holds), for conditions other than `Always`.
    fn holds_now(&self, layout: &Layout, switch: Switch) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Since(counter, version) => counter.of(layout) >= *version,
            Self::Before(counter, version) => counter.of(layout) < *version,
            Self::EditorData => layout.editor_data,
            Self::NoEditorData => !layout.editor_data,
            Self::Set => switch.first != 0,
            Self::Unset => switch.first == 0,
            Self::Is(number) => switch.first == *number,
            Self::More => switch.more,
            Self::All(all) => all.iter().all(|one| one.holds(layout, switch)),
            Self::Any(any) => any.iter().any(|one| one.holds(layout, switch)),
        }
    }
}
