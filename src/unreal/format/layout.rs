//! In which versions the bytes of a file are, as everything that reads one asks.

use super::byte_order::ByteOrder;
use super::custom_versions::KnownCustomVersions;
use super::custom_versions::{fortnite_main, release};
use super::versions::{NEWEST, Versions};
use super::versions::{ue4, ue5};

/// How a file lays out what it holds: all that reading or writing a piece of it depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The order of the bytes of numbers.
    pub order: ByteOrder,
    /// `LegacyFileVersion`, −3 … −9; of a save −9.
    pub legacy: i32,
    /// The versions of the file, or those that the caller has supplied.
    pub versions: Versions,
    /// Whether there is what only the editor needs (not `PKG_FilterEditorOnly`).
    pub editor_data: bool,
    /// Whether properties have no tags (`PKG_UnversionedProperties`).
    pub unversioned_properties: bool,
    /// Whether names and references are strings, and so in saves.
    pub names_as_text: bool,
    /// Whether imports say their package ([5.8 writes it in cooked packages,
    /// too](super::Import::package_name)).
    pub import_packages: bool,
    /// Whether there is a list of soft object paths, into which references are indices.
    pub soft_paths_listed: bool,
    /// The version that a table says it is in.
    pub table_version: u32,
    /// How many lists this is inside of that can be inside of each other.
    pub depth: u8,
    /// The versions of subsystems on which something depends here.
    pub custom: KnownCustomVersions,
}

impl Default for Layout {
    /// Of the newest file that an engine's editor saves.
    fn default() -> Self {
        Self::new(ByteOrder::Little, -9, NEWEST)
    }
}

impl Layout {
    /// Of a file in these versions, before anything else of it is known.
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
        }
    }

    /// Whether it is in the byte order of today's machines, and below 5:1011 (and so as far as
    /// tags are concerned without any of engine 5's changes).
    #[inline(always)]
    pub(crate) fn is_plain(&self) -> bool {
        self.order == ByteOrder::Little
            && !self.has_ue5(ue5::PROPERTY_TAG_EXTENSION_AND_OVERRIDABLE_SERIALIZATION)
    }

    /// The same, of what [is so](Self::is_plain): for tags only. What it always is is known to
    /// the compiler.
    #[inline(always)]
    pub(crate) const fn plain(&self, names_as_text: bool) -> Self {
        let versions = Versions { ue4: self.versions.ue4, ue5: 0 };
        Self { order: ByteOrder::Little, names_as_text, versions, ..*self }
    }

    /// The same, inside a table of a version of its own.
    pub(crate) const fn with_table(mut self, version: u32) -> Self {
        self.table_version = version;
        self
    }

    /// Whether engine 4's changes up to `version` are in it.
    #[inline(always)]
    pub(crate) const fn has_ue4(&self, version: i32) -> bool {
        self.versions.ue4 >= version
    }

    /// Whether engine 5's changes up to `version` are in it.
    #[inline(always)]
    pub(crate) const fn has_ue5(&self, version: i32) -> bool {
        self.versions.ue5 >= version
    }
}

impl Layout {
    /// Whether soft references are indices into the list of them.
    pub(crate) const fn soft_references_are_indices(&self) -> bool {
        self.has_ue5(ue5::ADD_SOFTOBJECTPATH_LIST) && self.editor_data && self.soft_paths_listed
    }

    /// Whether what a soft reference means in an asset is UTF-8: of paths of two names only.
    pub(crate) const fn sub_paths_are_utf8(&self) -> bool {
        self.has_ue5(ue5::FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES)
            && self.custom.fortnite_main >= fortnite_main::SOFT_OBJECT_PATH_UTF8_SUB_PATHS
    }

    /// Whether a path to a property says what it belongs to.
    pub(crate) const fn field_paths_have_owners(&self) -> bool {
        self.custom.release >= release::FIELD_PATH_OWNER
            || self.custom.fortnite_main >= fortnite_main::FIELD_PATH_OWNER
    }

    /// Whether all structs of an array have a tag together.
    pub(crate) const fn arrays_have_inner_tags(&self) -> bool {
        self.has_ue4(ue4::INNER_ARRAY_TAG_INFO)
            && !self.has_ue5(ue5::PROPERTY_TAG_COMPLETE_TYPE_NAME)
    }

    /// Whether texts have notes for translators.
    pub(crate) const fn texts_have_notes(&self) -> bool {
        self.editor_data && self.custom.fortnite_main >= fortnite_main::TEXT_DEV_NOTES
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in tests")]
mod tests {
    use super::*;

    /// Each depends on what it says, and on nothing else.
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

    /// Tags are read by shorter code below 5:1011, in the byte order of today's machines.
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
            if plain {
                let same = Layout { versions: Versions { ue4: 522, ue5: 0 }, ..layout };
                assert_eq!(layout.plain(layout.names_as_text), same);
            }
        }
    }
}
