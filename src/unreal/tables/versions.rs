use crate::buffer::{Full, Sink};
use crate::unreal::format::ue4;
use crate::unreal::format::{
    ByteOrder, ErrorKind, FileCursor, Guid, KnownCustomVersions, Layout, List, Record, Result,
    StrRef, Value, Versions, records,
};
use core::fmt;

/// The tag at the start of every package, in the byte order of the package. Engines also write it
/// at the end.
pub(crate) const PACKAGE_TAG: u32 = 0x9E2A_83C1;

records! { <'a> (this, layout)
    /// The versions of a package, which are its first fields after the tag.
    struct FileVersions {
        /// Format version, −2 to −9, which determines the following fields.
        legacy_version: i32;
        /// 864 in versioned files, so that engine 3 rejects them.
        ue3_version: i32, if this.legacy_version != -4;
        /// `FileVersionUE4`
        ue4_version: i32;
        /// `FileVersionUE5`
        ue5_version: i32, if this.legacy_version <= -8;
        /// Version of a licensee's engine.
        licensee_version: i32;
    }
}

impl FileVersions {
    /// Returns `true` if the package does not state its version.
    pub fn is_unversioned(&self) -> bool {
        self.ue4_version == 0 && self.ue5_version.unwrap_or(0) == 0 && self.licensee_version == 0
    }

    /// Returns the file versions as the package states them; zeros if it does not state them.
    pub fn versions(&self) -> Versions {
        Versions { ue4: self.ue4_version, ue5: self.ue5_version.unwrap_or(0) }
    }

    /// Reads and checks the tag and the versions, and updates `layout` for the following fields.
    pub(crate) fn open(
        &mut self,
        from: &mut FileCursor<'_>,
        supplied: Option<Versions>,
        layout: &mut Layout,
    ) -> Result<()> {
        let start = *from;
        let tag: u32 = from.read(layout)?;
        layout.order = match tag {
            PACKAGE_TAG => ByteOrder::Little,
            _ if tag == PACKAGE_TAG.swap_bytes() => ByteOrder::Big,
            _ => return Err(start.error(ErrorKind::NotAPackage(tag))),
        };
        let start = *from;
        // If a field cannot be read, the fields before it are set.
        let filled = self.fill(from, layout);
        match self.legacy_version {
            -9..=-2 => {}
            0 if filled.is_err() => {} // the file ends before the version, so `filled` is the error
            // In a container of compressed data, one of these values follows the tag: the upper
            // half of a 64-bit tag, or a 32-bit block size.
            0 | 0x2222_2222 | 0x2_0000 => return Err(start.error(ErrorKind::CompressedBlock)),
            other => return Err(start.error(ErrorKind::UnknownLegacyVersion(other))),
        }
        filled?;
        layout.legacy = self.legacy_version;
        layout.versions = match supplied {
            _ if !self.is_unversioned() => self.versions().built_on(),
            Some(versions) => versions,
            None => return Err(start.error(ErrorKind::NeedsVersion)),
        };
        layout.versions.known().map_err(|kind| start.error(kind))
    }
}

/// The version of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EngineVersion<'a> {
    /// Major version, 4 or 5; 0 if unknown.
    pub major: u16,
    /// Minor version.
    pub minor: u16,
    /// Patch version.
    pub patch: u16,
    /// Changelist; bit 31 is set for an engine that a licensee built.
    pub changelist: u32,
    /// Branch, such as `++UE4+Release-4.27`.
    pub branch: StrRef<'a>,
}

impl EngineVersion<'_> {
    /// Returns `true` if a licensee built the engine.
    pub const fn is_licensee(&self) -> bool {
        self.changelist & 0x8000_0000 != 0
    }
}

impl fmt::Display for EngineVersion<'_> {
    /// Prints the version as engines do: `4.27.2-18319896+++UE4+Release-4.27`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { major, minor, patch, changelist, branch } = self;
        write!(f, "{major}.{minor}.{patch}-{}", changelist & !0x8000_0000)?;
        match branch.is_empty() {
            true => Ok(()),
            false => write!(f, "+{branch}"),
        }
    }
}

impl<'a> Value<'a> for EngineVersion<'a> {
    const LEAST: u64 = 4;

    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        if !layout.has_ue4(ue4::ENGINE_VERSION_OBJECT) {
            let changelist = from.read(layout)?;
            return Ok(Self { major: 4, changelist, ..Self::default() });
        }
        Ok(Self {
            major: from.read(layout)?,
            minor: from.read(layout)?,
            patch: from.read(layout)?,
            changelist: from.read(layout)?,
            branch: from.read(layout)?,
        })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        if layout.has_ue4(ue4::ENGINE_VERSION_OBJECT) {
            self.major.write(to, layout)?;
            self.minor.write(to, layout)?;
            self.patch.write(to, layout)?;
        }
        self.changelist.write(to, layout)?;
        if layout.has_ue4(ue4::ENGINE_VERSION_OBJECT) {
            self.branch.write(to, layout)
        } else {
            Ok(())
        }
    }
}

/// The version of a subsystem.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CustomVersion<'a> {
    /// GUID of the subsystem. For `LegacyFileVersion` −2, the subsystem has a number instead, which
    /// is in the last word of this field.
    pub guid: Guid,
    /// The version.
    pub version: i32,
    /// Name of the subsystem, for `LegacyFileVersion` −3 to −5.
    pub name: Option<StrRef<'a>>,
}

impl<'a> Value<'a> for CustomVersion<'a> {
    const LEAST: u64 = 8;

    #[inline]
    fn size(layout: &Layout) -> Option<u64> {
        match layout.legacy {
            -2.. => Some(8),
            -5..=-3 => None,
            _ => Some(20),
        }
    }

    #[inline]
    fn read(from: &mut FileCursor<'a>, layout: &Layout) -> Result<Self> {
        let guid = match layout.legacy {
            -2.. => Guid([0, 0, 0, from.read(layout)?]),
            _ => from.read(layout)?,
        };
        let version = from.read(layout)?;
        let name = match layout.legacy {
            -5..=-3 => Some(from.read(layout)?),
            _ => None,
        };
        Ok(Self { guid, version, name })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match (layout.legacy, self.guid) {
            (-2.., Guid([.., number])) => number.write(to, layout)?,
            (_, guid) => guid.write(to, layout)?,
        }
        self.version.write(to, layout)?;
        match layout.legacy {
            -5..=-3 => self.name.unwrap_or_default().write(to, layout),
            _ => Ok(()),
        }
    }
}

/// Selects the custom versions that affect the layout.
pub(crate) fn known_custom_versions(versions: &CustomVersions<'_>) -> KnownCustomVersions {
    KnownCustomVersions::select(
        versions.iter().flatten().map(|custom| (custom.guid, custom.version)),
    )
}

/// Custom versions in file order.
pub type CustomVersions<'a> = List<'a, CustomVersion<'a>>;
