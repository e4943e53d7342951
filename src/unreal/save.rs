//! Saved games (`GVAS`).

use crate::buffer::{Full, Sink};
use crate::unreal::format::ue5;
use crate::unreal::format::{
    ByteOrder, ErrorKind, FileCursor, Layout, NEWEST, Result, StrRef, Value, Versions, put,
};
#[cfg(feature = "serde")]
use crate::unreal::properties::BytesForm;
use crate::unreal::properties::Properties;
use crate::unreal::properties::{PropertyContext, StructHint};
use crate::unreal::tables::{
    CustomVersions, EngineVersion, SaveClass, SaveHeader, SaveVersions, known_custom_versions,
};

/// The first bytes of every save.
const TAG: [u8; 4] = *b"GVAS";

/// A view of a saved game.
///
/// In a save, names and references are strings. In all other respects, the properties of a save are
/// like those of packages.
///
/// ```
/// use gamewire::unreal::{PropertyValue, Save};
///
/// # if !std::path::Path::new("corpus").exists() { return Ok(()) } // not published
/// let file = &std::fs::read("corpus/unreal/gvas-ue4.27-Slot1.sav")?;
/// let save = Save::open(file)?;
/// assert_eq!(save.class().save_game_class.to_string(), "/Script/UE4SaveFile.TestSaveGame");
/// let first = save.properties().next().unwrap()?;
/// assert_eq!(first.name().to_string(), "u8_test");
/// assert!(matches!(first.value(), PropertyValue::UInt(129)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Save<'a> {
    versions: SaveVersions,
    header: SaveHeader<'a>,
    custom_versions: CustomVersions<'a>,
    class: SaveClass<'a>,
    /// The bytes before the properties.
    #[cfg(feature = "serde")]
    head: &'a [u8],
    context: PropertyContext<'a>,
    properties: FileCursor<'a>,
}

impl<'a> Save<'a> {
    /// Extension of save files.
    pub const EXTENSION: &'static str = "sav";

    /// Returns `true` if the file begins with the tag of a save.
    pub fn is_save(file: &[u8]) -> bool {
        file.starts_with(&TAG)
    }

    /// Opens a save.
    ///
    /// # Errors
    /// If the bytes are not a save of a known version, if the format of its custom versions is
    /// unknown, or if its header is truncated or invalid.
    pub fn open(file: &'a [u8]) -> Result<Self> {
        // The save is built where it is returned, because it is large.
        let nothing = FileCursor::new(&[], 0);
        let mut opened = Ok(Self {
            versions: SaveVersions::default(),
            header: SaveHeader::default(),
            custom_versions: CustomVersions::default(),
            class: SaveClass::default(),
            #[cfg(feature = "serde")]
            head: &[],
            context: PropertyContext::new(Self::layout_of(NEWEST)),
            properties: nothing,
        });
        if let Ok(save) = &mut opened
            && let Err(error) = save.read_header(file)
        {
            opened = Err(error);
        }
        opened
    }

    /// Reads everything before the properties.
    fn read_header(&mut self, file: &'a [u8]) -> Result<()> {
        let layout = &mut self.context.layout;
        let start = FileCursor::new(file, 0);
        let mut from = start;
        if from.read::<[u8; 4]>(layout)? != TAG {
            return Err(start.error(ErrorKind::NotASave));
        }
        self.versions = Self::versions_of(&mut from, layout)?;
        self.header = from.read(layout)?;
        self.custom_versions = custom_versions(&mut from, &self.header, layout)?;
        layout.custom = known_custom_versions(&self.custom_versions);
        self.class = from.read(layout)?;
        #[cfg(feature = "serde")]
        {
            self.head = start.until(&from).rest();
        }
        self.properties = from;
        Ok(())
    }

    /// Creates an empty save for these versions. To write a save, write its
    /// [header](Self::write_header), its properties, and four zero bytes.
    ///
    /// ```
    /// use gamewire::unreal::{
    ///     PropertyKind, PropertyValue, PropertyWriter, Save, TagBuf, StrBuf, PropertyTypeBuf,
    ///     Versions,
    /// };
    /// use gamewire::unreal::tables::{CustomVersions, EngineVersion};
    ///
    /// let branch = StrBuf::new("++UE5+Release-5.4");
    /// let branch = branch.as_text();
    /// let engine = EngineVersion { major: 5, minor: 4, branch, ..EngineVersion::default() };
    /// let versions = Versions::of_engine(5, 4).unwrap();
    /// let class = StrBuf::new("/Script/Game.MySaveGame");
    /// let save = Save::new(versions, engine, CustomVersions::default(), class.as_text())?;
    ///
    /// let mut file = Vec::new();
    /// save.write_header(&mut file)?;
    /// let mut list = PropertyWriter::new(&mut file, &save.properties());
    /// let level = TagBuf::in_save("Level", &PropertyTypeBuf::of(PropertyKind::Int));
    /// list.value(&level, &PropertyValue::Int(7))?;
    /// let place = PropertyTypeBuf::structure("Place", "/Script/Game");
    /// let mut place = list.nested(&TagBuf::in_save("Place", &place))?;
    /// let name = TagBuf::in_save("Name", &PropertyTypeBuf::of(PropertyKind::Str));
    /// place.value(&name, &PropertyValue::Str(StrBuf::new("東の森").as_text()))?;
    /// place.finish()?;
    /// list.finish()?;
    /// file.extend([0; 4]);
    ///
    /// let save = Save::open(&file)?;
    /// let [level, place] = [0, 1].map(|index| save.properties().nth(index).unwrap());
    /// assert!(matches!(level?.value(), PropertyValue::Int(7)));
    /// let PropertyValue::Struct(mut place) = place?.value() else { panic!() };
    /// assert_eq!(place.next().unwrap()?.name(), *"Name");
    /// assert_eq!(save.trailer()?.1, [0; 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the versions are not known.
    pub fn new(
        versions: Versions,
        engine: EngineVersion<'a>,
        custom_versions: CustomVersions<'a>,
        class: StrRef<'a>,
    ) -> Result<Self> {
        let nothing = FileCursor::new(&[], 0);
        versions.known().map_err(|kind| nothing.error(kind))?;
        let save_versions = SaveVersions {
            save_game_version: if versions.ue5 > 0 { 3 } else { 2 },
            ue4_version: versions.ue4,
            ue5_version: (versions.ue5 > 0).then_some(versions.ue5),
        };
        let mut layout = Self::layout_of(versions);
        layout.table_version = save_versions.save_game_version.unsigned_abs();
        layout.custom = known_custom_versions(&custom_versions);
        let control =
            layout.has_ue5(ue5::PROPERTY_TAG_EXTENSION_AND_OVERRIDABLE_SERIALIZATION).then_some(0);
        Ok(Self {
            versions: save_versions,
            header: SaveHeader { engine, custom_version_format: Some(3) },
            custom_versions,
            class: SaveClass { save_game_class: class, serialization_control: control },
            #[cfg(feature = "serde")]
            head: &[],
            context: PropertyContext::new(layout),
            properties: nothing,
        })
    }

    /// Returns the layout of a save of these versions. The caller must set the custom versions, and
    /// `table_version`.
    pub(crate) const fn layout_of(versions: Versions) -> Layout {
        let mut layout = Layout::new(ByteOrder::Little, -9, versions);
        // Games write saves, so there are no editor-only data.
        layout.editor_data = false;
        layout.names_as_text = true;
        layout
    }

    fn versions_of(from: &mut FileCursor<'a>, layout: &mut Layout) -> Result<SaveVersions> {
        let start = *from;
        let versions: SaveVersions = from.read(layout)?;
        if !(1..=3).contains(&versions.save_game_version) {
            let (what, value) = ("version of a save", versions.save_game_version.into());
            return Err(start.error(ErrorKind::Unknown { what, value }));
        }
        layout.table_version = versions.save_game_version.unsigned_abs();
        layout.versions = versions.versions().built_on();
        layout.versions.known().map_err(|kind| start.error(kind))?;
        Ok(versions)
    }

    /// Returns the versions that the file states.
    pub const fn versions(&self) -> &SaveVersions {
        &self.versions
    }

    /// Returns the engine version, and the format of the custom versions.
    pub const fn header(&self) -> &SaveHeader<'a> {
        &self.header
    }

    /// Returns the custom versions.
    pub const fn custom_versions(&self) -> CustomVersions<'a> {
        self.custom_versions
    }

    /// Returns the class of the save and, from 5:1011 on, the control byte after it.
    pub const fn class(&self) -> &SaveClass<'a> {
        &self.class
    }

    /// Returns the layout: the versions and flags that decide how properties are stored. If the
    /// file states the version of a licensee's engine, the layout has the version of the engine
    /// that it is [built on](Versions::built_on).
    pub const fn layout(&self) -> &Layout {
        &self.context.layout
    }

    /// Supplies the types of the structs in arrays, sets and maps whose tags do not state these
    /// types.
    #[must_use]
    pub fn with_hints(mut self, hints: &'a [StructHint<'a>]) -> Self {
        self.context.hints = hints;
        self
    }

    /// Selects how the document of the save represents arrays of bytes.
    #[cfg(feature = "serde")]
    #[must_use]
    pub const fn with_bytes(mut self, form: BytesForm) -> Self {
        self.context.bytes = form;
        self
    }

    pub(crate) const fn context(&self) -> &PropertyContext<'a> {
        &self.context
    }

    /// Returns the properties.
    pub const fn properties(&self) -> Properties<'_> {
        Properties::new(self.properties, &self.context)
    }

    /// Writes everything before the properties. A [`PropertyWriter`] continues the output.
    ///
    /// # Errors
    /// If the sink is full.
    ///
    /// [`PropertyWriter`]: super::PropertyWriter
    pub fn write_header<S: Sink>(&self, to: &mut S) -> Result<(), Full> {
        self.write_header_in(&self.context.layout, to)
    }

    /// Returns the bytes before the properties.
    #[cfg(feature = "serde")]
    pub(crate) const fn header_bytes(&self) -> &'a [u8] {
        self.head
    }

    pub(crate) fn write_header_in<S: Sink>(&self, layout: &Layout, to: &mut S) -> Result<(), Full> {
        put(to, &TAG)?;
        self.versions.write(to, layout)?;
        self.header.write(to, layout)?;
        if let Some(legacy) = self.header.legacy_form() {
            self.custom_versions.write(to, &Layout { legacy, ..*layout })?;
        }
        self.class.write(to, layout)
    }

    /// Returns the offset of the end of the properties, and the bytes after them, which are usually
    /// four zeros.
    ///
    /// # Errors
    /// If the properties are malformed.
    pub fn trailer(&self) -> Result<(u64, &[u8])> {
        let end = self.properties().end()?;
        Ok((end.offset(), end.rest()))
    }
}

/// Reads the custom versions in the format that the header states.
fn custom_versions<'a>(
    from: &mut FileCursor<'a>,
    header: &SaveHeader<'a>,
    layout: &Layout,
) -> Result<CustomVersions<'a>> {
    match (header.legacy_form(), header.custom_version_format) {
        (Some(legacy), _) => from.read(&Layout { legacy, ..*layout }),
        (None, None) => Ok(CustomVersions::default()),
        (None, Some(other)) => {
            let (what, value) = ("form of custom versions", other.into());
            Err(from.error(ErrorKind::Unknown { what, value }))
        }
    }
}
