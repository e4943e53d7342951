//! In which versions the bytes of a file are, as everything that reads one asks.

use super::wire::ByteOrder;
use super::{CustomVersions, ErrorKind, Guid};
use core::fmt;

/// The version numbers of files: one that counts engine 4's changes, one engine 5's.
///
/// ```
/// use gamewire::unreal::Versions;
///
/// assert_eq!(Versions::of_engine(5, 4), Some(Versions { ue4: 522, ue5: 1012 }));
/// assert_eq!(Versions::of_engine(4, 27), Some(Versions { ue4: 522, ue5: 0 }));
/// assert_eq!(Versions::of_engine(3, 0), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Versions {
    /// `FileVersionUE4`.
    pub ue4: i32,
    /// `FileVersionUE5`, 0 before engine 5.
    pub ue5: i32,
}

/// The oldest file that engines of today load: before 4.0.
pub(super) const OLDEST: i32 = 214;

/// The newest versions whose layout is known: engine 5.8.
pub(super) const NEWEST: Versions = Versions { ue4: 522, ue5: 1018 };

/// Engine 4.0, 4.1, … by the number after the dot.
const UE4: [i32; 28] = [
    342, 352, 363, 382, 385, 401, 413, 434, 451, 482, 482, 498, 504, 505, 508, 510, 513, 513, 514,
    516, 516, 517, 517, 517, 518, 518, 522, 522,
];

/// Engine 5.0, 5.1, …
const UE5: [i32; 9] = [1004, 1008, 1009, 1009, 1012, 1013, 1017, 1018, 1018];

impl Versions {
    /// Those of files that an engine saves, 4.0 to 5.8.
    pub fn of_engine(major: u16, minor: u16) -> Option<Self> {
        let minor = usize::from(minor);
        match major {
            4 => Some(Self { ue4: *UE4.get(minor)?, ue5: 0 }),
            5 => Some(Self { ue4: NEWEST.ue4, ue5: *UE5.get(minor)? }),
            _ => None,
        }
    }

    /// That their layout is known.
    pub(super) fn known(self) -> Result<(), ErrorKind> {
        match self {
            Self { ue4, .. } if ue4 < OLDEST => Err(ErrorKind::OlderVersion(self)),
            Self { ue4, ue5 } if ue4 > NEWEST.ue4 || ue5 > NEWEST.ue5 => {
                Err(ErrorKind::NewerVersion(self))
            }
            _ => Ok(()),
        }
    }
}

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
    pub custom: Custom,
}

impl Default for Layout {
    /// Of the newest file that an engine's editor saves.
    fn default() -> Self {
        Self::new(ByteOrder::Little, -9, NEWEST)
    }
}

impl Layout {
    /// Of a file in these versions, before anything else of it is known.
    pub(super) const fn new(order: ByteOrder, legacy: i32, versions: Versions) -> Self {
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
            custom: Custom::NONE,
        }
    }

    /// Whether it is in the byte order of today's machines, and below 5:1011 (and so as far as
    /// tags are concerned without any of engine 5's changes).
    #[inline(always)]
    pub(super) fn is_plain(&self) -> bool {
        self.order == ByteOrder::Little && !self.ue5(1011)
    }

    /// The same, of what [is so](Self::is_plain): for tags only. What it always is is known to
    /// the compiler.
    #[inline(always)]
    pub(super) const fn plain(&self, names_as_text: bool) -> Self {
        let versions = Versions { ue4: self.versions.ue4, ue5: 0 };
        Self { order: ByteOrder::Little, names_as_text, versions, ..*self }
    }

    /// The same, inside a table of a version of its own.
    pub(super) const fn with_table(mut self, version: u32) -> Self {
        self.table_version = version;
        self
    }

    /// Whether engine 4's changes up to `version` are in it.
    #[inline(always)]
    pub(super) const fn ue4(&self, version: i32) -> bool {
        self.versions.ue4 >= version
    }

    /// Whether engine 5's changes up to `version` are in it.
    #[inline(always)]
    pub(super) const fn ue5(&self, version: i32) -> bool {
        self.versions.ue5 >= version
    }
}

impl Layout {
    /// Whether soft references are indices into the list of them.
    pub(super) const fn soft_references_are_indices(&self) -> bool {
        self.ue5(1008) && self.editor_data && self.soft_paths_listed
    }

    /// Whether what a soft reference means in an asset is UTF-8: of paths of two names only.
    pub(super) const fn sub_paths_are_utf8(&self) -> bool {
        self.ue5(1007) && self.custom.fortnite_main >= 192
    }

    /// Whether a path to a property says what it belongs to.
    pub(super) const fn field_paths_have_owners(&self) -> bool {
        self.custom.release >= 30 || self.custom.fortnite_main >= 33
    }

    /// Whether all structs of an array have a tag together.
    pub(super) const fn arrays_have_inner_tags(&self) -> bool {
        self.ue4(500) && !self.ue5(1012)
    }

    /// Whether texts have notes for translators.
    pub(super) const fn texts_have_notes(&self) -> bool {
        self.editor_data && self.custom.fortnite_main >= 260
    }
}

impl fmt::Display for Versions {
    /// As `522/1012`, and `522` before engine 5.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { ue4, ue5: 0 } => write!(f, "{ue4}"),
            Self { ue4, ue5 } => write!(f, "{ue4}/{ue5}"),
        }
    }
}

macro_rules! custom {
    ($($(#[$doc:meta])* $name:ident = $a:literal $b:literal $c:literal $d:literal;)*) => {
        /// Versions of subsystems on which layouts depend; −1 where the file does not say.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Custom {
            $( $(#[$doc])* pub $name: i32, )*
        }

        impl Custom {
            /// Before the first version of each.
            pub(super) const NONE: Self = Self { $( $name: -1, )* };

            /// After the last change of each.
            const LATEST: Self = Self { $( $name: i32::MAX, )* };

            pub(super) fn of(versions: &CustomVersions<'_>) -> Self {
                let mut found = Self::NONE;
                for custom in versions.iter().flatten() {
                    match custom.guid {
                        $( Guid([$a, $b, $c, $d]) => found.$name = custom.version, )*
                        _ => {}
                    }
                }
                found
            }
        }
    };
}
custom! {
    /// `FCoreObjectVersion`
    core = 0x375EC13C 0x06E448FB 0xB50084F0 0x262A717E;
    /// `FEditorObjectVersion`
    editor = 0xE4B068ED 0xF49442E9 0xA231DA0B 0x2E46BB41;
    /// `FFrameworkObjectVersion`
    framework = 0xCFFC743F 0x43B04480 0x939114DF 0x171D2073;
    /// `FReleaseObjectVersion`
    release = 0x9C54D522 0xA8264FBE 0x94210746 0x61B482D0;
    /// `FBlueprintsObjectVersion`
    blueprints = 0xB0D832E4 0x1F894F0D 0xACCF7EB7 0x36FD4AA2;
    /// `FAnimPhysObjectVersion`
    anim_phys = 0x29E575DD 0xE0A34627 0x9D10D276 0x232CDCEA;
    /// `FFortniteMainBranchObjectVersion`
    fortnite_main = 0x601D1886 0xAC644F84 0xAA16D3DE 0x0DEAC7D6;
    /// `FUE5ReleaseStreamObjectVersion`
    ue5_release = 0xD89B5E42 0x24BD4D46 0x8412ACA8 0xDF641779;
    /// `FUE5MainStreamObjectVersion`
    ue5_main = 0x697DD581 0xE64F41AB 0xAA4A51EC 0xBEB7B628;
    /// `FInstancedStructCustomVersion`
    instanced_struct = 0xE21E1CAA 0xAF47425E 0x89BF6AD4 0x4C44A8BB;
}

impl Custom {
    /// The latest of an engine whose files are in these versions: what an unversioned file is
    /// taken to be in. They are those that files of engines say, where anything depends on them
    /// here; of engines that share a version, those of the last.
    pub(super) const fn latest_of(versions: Versions) -> Self {
        let Versions { ue4, ue5 } = versions;
        Self {
            core: match ue4 {
                ..504 => -1,
                504..510 => 1,
                510..517 => 2,
                517 => 3,
                _ => 4,
            },
            editor: match ue4 {
                ..505 => -1,
                505..508 => 6,
                508..510 => 8,
                510..513 => 14,
                513..516 => 20,
                516 => 23,
                517 => 34,
                518..522 => 38,
                _ => 40,
            },
            release: match ue4 {
                ..517 => -1,
                517 => 23,
                518..522 => 30,
                _ => 43,
            },
            fortnite_main: match (ue4, ue5) {
                (_, 1018..) => 268,
                (_, 1017) => 207,
                (_, 1013..) => 170,
                (_, 1012) => 134,
                (_, 1009..) => 83,
                (_, 1000..) => 59,
                (522.., _) => 47,
                (517.., _) => 27,
                (516, _) => 1,
                _ => -1,
            },
            ue5_release: match ue5 {
                1000.. => 36,
                _ => -1,
            },
            ..Self::LATEST
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "in tests")]
mod tests {
    use super::*;

    /// Of engines that share a version the last: what its files say of subsystems.
    #[test]
    fn subsystems_of_engines() {
        let engines = [
            ((4, 11), [-1, -1, -1, -1, -1]),
            ((4, 12), [1, -1, -1, -1, -1]),
            ((4, 13), [1, 6, -1, -1, -1]),
            ((4, 14), [1, 8, -1, -1, -1]),
            ((4, 15), [2, 14, -1, -1, -1]),
            ((4, 16), [2, 20, -1, -1, -1]),
            ((4, 17), [2, 20, -1, -1, -1]),
            ((4, 18), [2, 20, -1, -1, -1]),
            ((4, 20), [2, 23, -1, 1, -1]),
            ((4, 23), [3, 34, 23, 27, -1]),
            ((4, 25), [4, 38, 30, 27, -1]),
            ((4, 27), [4, 40, 43, 47, -1]),
            ((5, 0), [4, 40, 43, 59, 36]),
            ((5, 1), [4, 40, 43, 59, 36]),
            ((5, 2), [4, 40, 43, 83, 36]),
            ((5, 3), [4, 40, 43, 83, 36]),
            ((5, 4), [4, 40, 43, 134, 36]),
            ((5, 5), [4, 40, 43, 170, 36]),
            ((5, 6), [4, 40, 43, 207, 36]),
            ((5, 8), [4, 40, 43, 268, 36]),
        ];
        for ((major, minor), expected) in engines {
            let found = Custom::latest_of(Versions::of_engine(major, minor).unwrap());
            let Custom { core, editor, release, fortnite_main, ue5_release, .. } = found;
            let found = [core, editor, release, fortnite_main, ue5_release];
            assert_eq!(found, expected, "{major}.{minor}");
        }
    }

    /// Each depends on what it says, and on nothing else.
    #[test]
    fn what_subsystems_have_changed() {
        let of = |release, fortnite_main, editor_data| {
            let custom = Custom { release, fortnite_main, ..Custom::NONE };
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
