//! The facts about a file that determine the bytes of its records.

use super::byte_order::ByteOrder;
use super::custom_versions::KnownCustomVersions;
use super::custom_versions::{fortnite_main, release};
use super::versions::{NEWEST, Versions};
use super::versions::{ue4, ue5};

/// The facts about a file that reading or writing a value depends on, such as its versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Byte order of numbers.
    pub order: ByteOrder,
    /// `LegacyFileVersion`, −2 to −9; −9 for a save.
    pub legacy: i32,
    /// Versions of the file, or those that the caller supplied.
    pub versions: Versions,
    /// `true` if editor-only data are present (`PKG_FilterEditorOnly` is not set).
    pub editor_data: bool,
    /// `true` if properties have no tags (`PKG_UnversionedProperties`).
    pub unversioned_properties: bool,
    /// `true` in saves, where names and references are strings.
    pub names_as_text: bool,
    /// `true` if imports have a [package name](crate::unreal::tables::Import::package_name). Engine
    /// 5.8 writes it in cooked packages, too.
    pub import_packages: bool,
    /// `true` if the package has a list of soft object paths, and soft references are indices into
    /// it.
    pub soft_paths_listed: bool,
    /// Version of the table that is being read, if the table states one.
    pub table_version: u32,
    /// Current depth of nested lists.
    pub depth: u8,
    /// Custom versions that affect the layout.
    pub custom: KnownCustomVersions,
    /// `true` to write strings, names and NaNs with the bytes that a writer chooses for a new
    /// value, rather than with the bytes that were read. Both look the same in a document.
    pub normalizes: bool,
}

impl Default for Layout {
    /// Returns the layout of an editor package of the newest known version.
    fn default() -> Self {
        Self::new(ByteOrder::Little, -9, NEWEST)
    }
}

impl Layout {
    /// Returns the layout of a file of these versions, with default values for all other facts.
    pub(crate) const fn new(order: ByteOrder, legacy: i32, versions: Versions) -> Self {
        Self {
            order,
            legacy,
            versions,
            editor_data: true,
            unversioned_properties: false,
            names_as_text: false,
            import_packages: false,
            soft_paths_listed: false,
            table_version: 0,
            depth: 0,
            custom: KnownCustomVersions::NONE,
            normalizes: false,
        }
    }

    /// Returns the same layout with [`normalizes`](Self::normalizes) set.
    #[cfg(feature = "serde")]
    pub(crate) const fn normalizing(&self) -> Self {
        Self { normalizes: true, ..*self }
    }

    /// Returns `true` for little-endian files below 5:1011. The property tags of these files do not
    /// depend on any change in engine 5, so they are read by a specialized copy of the code.
    #[inline(always)]
    pub(crate) fn is_plain(&self) -> bool {
        self.order == ByteOrder::Little
            && !self.has_ue5(ue5::PROPERTY_TAG_EXTENSION_AND_OVERRIDABLE_SERIALIZATION)
    }

    /// Returns the layout with these versions, for a little-endian file. With constant versions, the
    /// compiler evaluates all conditions on versions.
    #[inline(always)]
    pub(crate) const fn little_endian(&self, versions: Versions) -> Self {
        Self { order: ByteOrder::Little, versions, ..*self }
    }

    /// Returns the layout for the contents of a table that has this version.
    pub(crate) const fn with_table(mut self, version: u32) -> Self {
        self.table_version = version;
        self
    }

    /// Returns `true` if the file has the change that this file version of engine 4 introduced.
    #[inline(always)]
    pub(crate) const fn has_ue4(&self, version: i32) -> bool {
        self.versions.ue4 >= version
    }

    /// Returns `true` if the file has the change that this file version of engine 5 introduced.
    #[inline(always)]
    pub(crate) const fn has_ue5(&self, version: i32) -> bool {
        self.versions.ue5 >= version
    }
}

impl Layout {
    /// Returns `true` if soft references are indices into the list of soft object paths.
    pub(crate) const fn soft_references_are_indices(&self) -> bool {
        self.has_ue5(ue5::ADD_SOFTOBJECTPATH_LIST) && self.editor_data && self.soft_paths_listed
    }

    /// Returns `true` if the sub-paths of soft references are UTF-8. They are not UTF-8 below
    /// 5:1007, where package and asset are one name.
    pub(crate) const fn sub_paths_are_utf8(&self) -> bool {
        self.has_ue5(ue5::FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES)
            && self.custom.fortnite_main >= fortnite_main::SOFT_OBJECT_PATH_UTF8_SUB_PATHS
    }

    /// Returns `true` if field paths have an owner.
    pub(crate) const fn field_paths_have_owners(&self) -> bool {
        self.custom.release >= release::FIELD_PATH_OWNER
            || self.custom.fortnite_main >= fortnite_main::FIELD_PATH_OWNER
    }

    /// Returns `true` if arrays of structs have an inner tag.
    pub(crate) const fn arrays_have_inner_tags(&self) -> bool {
        self.has_ue4(ue4::INNER_ARRAY_TAG_INFO)
            && !self.has_ue5(ue5::PROPERTY_TAG_COMPLETE_TYPE_NAME)
            && !self.unversioned_properties
    }

    /// Returns `true` if texts have notes for translators.
    pub(crate) const fn texts_have_notes(&self) -> bool {
        self.editor_data && self.custom.fortnite_main >= fortnite_main::TEXT_DEV_NOTES
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in tests")]
mod tests {
    use super::*;

    /// Each change of a subsystem begins at its custom version. Texts have notes only if editor
    /// data are present.
    #[test]
    fn what_subsystems_have_changed() {
        let of = |release, fortnite_main, editor_data| {
            let custom =
                KnownCustomVersions { release, fortnite_main, ..KnownCustomVersions::NONE };
            Layout { custom, editor_data, ..Layout::default() }
        };
        for (release, fortnite_main, owners) in
            [(-1, -1, false), (29, 32, false), (30, -1, true), (-1, 33, true), (30, 33, true)]
        {
            let layout = of(release, fortnite_main, true);
            assert_eq!(layout.field_paths_have_owners(), owners, "{release} {fortnite_main}");
        }
        for (fortnite_main, editor_data, notes, utf8) in [
            (191, true, false, false),
            (192, false, false, true),
            (259, true, false, true),
            (260, true, true, true),
            (260, false, false, true),
        ] {
            let layout = of(-1, fortnite_main, editor_data);
            assert_eq!(layout.texts_have_notes(), notes, "{fortnite_main}");
            assert_eq!(layout.sub_paths_are_utf8(), utf8, "{fortnite_main}");
        }
    }

    /// The specialized code for tags reads little-endian files below 5:1011.
    #[test]
    fn what_is_plain() {
        for (order, ue5, plain) in [
            (ByteOrder::Little, 0, true),
            (ByteOrder::Little, 1010, true),
            (ByteOrder::Little, 1011, false),
            (ByteOrder::Big, 0, false),
            (ByteOrder::Big, 1011, false),
        ] {
            let versions = Versions { ue4: 522, ue5 };
            let layout = Layout { order, versions, ..Layout::default() };
            assert_eq!(layout.is_plain(), plain, "{order:?} {ue5}");
        }
    }
}
