//! The tables of a package's header: what a record of each is.

use super::bulk::BulkFlags;
use super::flags::flags;
use super::layout::Layout;
use super::list::List;
use super::names::{Name, PackageIndex};
use super::record::records;
use super::text::Text;
use super::verify::Link;
use super::wire::{Guid, Input, Value, put};
use super::{ErrorKind, Result};
use crate::base::{Full, Sink};
use core::fmt;

records! { <'a> (this, layout)
    /// An object of another package that this one refers to.
    struct Import {
        /// Package of the class.
        class_package: Name;
        /// Class of the object.
        class_name: Name;
        /// What the object is in: another import, or nothing for a package.
        outer: PackageIndex;
        /// Its name.
        object_name: Name;
        /// Package it is in. From 4:520 while there are data for the editor; engine 5.8 writes
        /// it in cooked packages, too, and has the same version as 5.7: the size of the table
        /// tells.
        package_name: Name, if layout.import_packages;
        /// Whether it may be missing.
        optional as "optional": bool, if layout.ue5(1003);
    }

    /// An object of the package.
    struct Export {
        /// Its class; none for a class.
        class: PackageIndex;
        /// What a class or struct is derived from.
        super_struct as "super": PackageIndex;
        /// What it was made after, with values from there where no property is saved.
        template: PackageIndex, if layout.ue4(508);
        /// What it is in; none if directly in the package.
        outer: PackageIndex;
        /// Its name.
        object_name: Name;
        /// What it is and how it is used: [`object_flags`].
        object_flags: u32;
        /// Size and place of its bytes.
        serial: Serial;
        /// Whether it is here although it belongs to another package.
        forced_export: bool;
        /// Whether clients do without.
        not_for_client: bool;
        /// Whether servers do without.
        not_for_server: bool;
        /// Of the package it comes from, below 5:1005.
        package_guid: Guid, if !layout.ue5(1005);
        /// Whether it was made because what it is in was.
        inherited_instance: bool, if layout.ue5(1006);
        /// Flags of the package it comes from.
        package_flags: u32;
        /// Whether the editor does without in a running game; true where it does not say.
        not_always_loaded_for_editor_game: bool, if layout.ue4(365);
        /// Whether it is an asset.
        is_asset: bool, if layout.ue4(485);
        /// Whether others can refer to it by a hash.
        generate_public_hash: bool, if layout.ue5(1003);
        /// What has to be loaded or made before it.
        dependencies: Dependencies, if layout.ue4(507);
        /// Where in its bytes the properties begin.
        script_start: i64, if layout.ue5(1010) && !layout.unversioned_properties;
        /// Where they end.
        script_end: i64, if layout.ue5(1010) && !layout.unversioned_properties;
    }

    /// Runs in the table of preload dependencies, one behind the other.
    struct Dependencies {
        /// Where the first run begins; −1 if there are none.
        first: i32;
        /// What has to be read before this is read.
        serialize_before_serialize: i32;
        /// What has to be made before this is read.
        create_before_serialize: i32;
        /// What has to be read before this is made.
        serialize_before_create: i32;
        /// What has to be made before this is made.
        create_before_create: i32;
    }

    /// A soft reference, which is in the list of them from 5:1008.
    struct SoftObjectPath<'a> {
        /// The asset.
        path: AssetPath;
        /// What in it.
        sub_path: SubPath<'a>;
    }

    /// Names by which an object can be found.
    struct SearchableNames<'a> {
        /// The object.
        object: PackageIndex;
        /// Its names.
        names: List<'a, Name>;
    }

    /// Where the thumbnail of an object is.
    struct Thumbnail<'a> {
        /// Class of the object, without its package.
        class_name: Text<'a>;
        /// Path of the object in the package.
        object_path: Text<'a>;
        /// Where the picture is.
        offset: i32;
    }

    /// The head of a thumbnail's picture.
    struct ThumbnailHead {
        /// In pixels.
        width: i32;
        /// In pixels.
        height: i32;
        /// Bytes of the picture, which follow.
        size: i32;
    }

    /// Text to be translated.
    struct GatherableText<'a> {
        /// Of its key.
        namespace: Text<'a>;
        /// The text itself.
        source: Text<'a>;
        /// What is said of it.
        source_metadata: List<'a, TextMetadata<'a>>;
        /// Where it is used.
        sites: List<'a, TextSite<'a>>;
    }

    /// Where a text is used.
    struct TextSite<'a> {
        /// Key of the text.
        key: Text<'a>;
        /// Which property of what.
        site: Text<'a>;
        /// Whether only the editor shows it.
        editor_only: bool;
        /// Whether it may stay as it is.
        optional: bool;
        /// What is said of the place.
        info_metadata: List<'a, TextMetadata<'a>>;
        /// What makes the key one of its own.
        key_metadata: List<'a, TextMetadata<'a>>;
    }

    /// A remark about a text.
    struct TextMetadata<'a> {
        /// Its name.
        key: Text<'a>;
        /// What it says.
        value: TextMetadataValue<'a>;
    }

    /// What the editor knows of an object.
    struct ObjectMetadata<'a> {
        /// The object.
        object: PackageIndex;
        /// Names and texts.
        values: List<'a, MetadataPair<'a>>;
    }

    /// A name and what it is for.
    struct MetadataPair<'a> {
        /// The name.
        key: Name;
        /// The text.
        value: Text<'a>;
    }

    /// What the asset registry knows of an object.
    struct RegistryObject<'a> {
        /// Path of the object in the package.
        path: Text<'a>;
        /// Its class.
        class: Text<'a>;
        /// What can be searched for.
        tags: List<'a, RegistryTag<'a>>;
    }

    /// A tag of the asset registry.
    struct RegistryTag<'a> {
        /// Its name.
        key: Text<'a>;
        /// Its value.
        value: Text<'a>;
    }

    /// How imports and soft references are used.
    struct RegistryDependencies<'a> {
        /// Of each import, whether the game needs it.
        imports_used_in_game: Bits<'a>;
        /// Of each package referred to softly, whether the game needs it.
        soft_packages_used_in_game: Bits<'a>;
        /// Further packages, from 5:1013.
        extra: List<'a, ExtraDependency>, if layout.ue5(1013);
    }

    /// A package on which a build depends.
    struct ExtraDependency {
        /// The package.
        package: Name;
        /// In which way.
        flags: u32;
    }

    /// Bulk data of the package, from 5:1009.
    struct DataResource {
        /// Of the entry: 1 inline, 2 streamed, 4 optional, 8 duplicate, 16 memory-mapped,
        /// 32 a reference to derived data.
        flags: u32;
        /// Among files of the same kind, from version 2 of the table.
        cooked_index: u8, if layout.table_version >= 2;
        /// Where they are in their file.
        serial_offset: i64;
        /// Where they are a second time, or −1.
        duplicate_serial_offset: i64;
        /// Bytes there.
        serial_size: i64;
        /// Bytes when decompressed.
        raw_size: i64;
        /// The object they belong to.
        outer: PackageIndex;
        /// As of bulk data without a table.
        legacy_flags: BulkFlags;
    }

    /// The class of an import, what that is derived from, and so on.
    struct ImportTypeHierarchy<'a> {
        /// The import.
        object: PackageIndex;
        /// From its class to the base.
        types: List<'a, HierarchyType>;
    }

    /// A step on the way to the base.
    struct HierarchyType {
        /// The type.
        name as "type": Name;
        /// Its package.
        package: Name;
        /// Its own class.
        class: Name;
        /// The package of that.
        class_package: Name;
    }

    /// Where a level is in its world.
    struct WorldTileInfo<'a> {
        /// In tiles; the third from version 1 of `FFortniteMainBranchObjectVersion` on.
        position: TilePosition;
        /// What it takes up.
        bounds: TileBounds;
        /// The layer it is on.
        layer: WorldTileLayer<'a>;
        /// Whether to leave it out in the tile view.
        hide_in_tile_view: bool, if layout.ue4(268);
        /// The tile it is placed by.
        parent_tile: Text<'a>;
        /// Simpler forms of it.
        lods: List<'a, WorldTileLod>, if layout.ue4(316);
        /// Order in depth.
        z_order: i32, if layout.ue4(319);
    }

    /// A layer of a world.
    struct WorldTileLayer<'a> {
        /// Its name.
        name: Text<'a>;
        /// Not used by engines.
        reserved: i32;
        /// Not used by engines.
        reserved_point: TilePoint;
        /// From how far tiles are loaded.
        streaming_distance: i32, if layout.ue4(268);
        /// Whether the distance counts.
        distance_streaming_enabled: bool, if layout.ue4(329);
    }

    /// In tiles.
    struct TilePoint {
        /// To the right.
        x: i32;
        /// Down.
        y: i32;
    }

    /// In tiles, or in centimetres.
    struct TilePosition {
        /// To the right.
        x: i32;
        /// Down.
        y: i32;
        /// Up.
        z: i32, if layout.custom.fortnite_main >= 1;
    }

    /// From where to where a tile goes, in doubles from 5:1004.
    struct TileBounds {
        /// The least of each coordinate.
        min: [TileReal; 3];
        /// The greatest.
        max: [TileReal; 3];
        /// 1 if there are any.
        valid: u8;
    }

    /// A simpler form of a tile.
    struct WorldTileLod {
        /// From where on it is used.
        relative_streaming_distance: i32;
        /// Not used by engines.
        reserved_0: f32;
        /// Not used by engines.
        reserved_1: f32;
        /// Not used by engines.
        reserved_2: i32;
        /// Not used by engines.
        reserved_3: i32;
    }

    /// What begins the trailer of a package that the editor saves.
    struct TrailerHead {
        /// The mark it begins with.
        mark: Mark<0xD1C4_3B2E_80A5_F697>;
        /// 0 to 2.
        version: i32;
        /// Bytes of the trailer before the payloads.
        header_size: u32;
        /// Bytes of the payloads, which follow.
        payload_size: u64;
        /// Where the payloads are, in version 0.
        access: u8, if this.version < 1;
    }

    /// What ends the trailer.
    struct TrailerFooter {
        /// The mark of its end.
        mark: Mark<0x29BF_CA04_5138_DE76>;
        /// Bytes of the trailer, with this.
        trailer_size: u64;
        /// The tag of packages.
        tag: u32;
    }

    /// A payload of the trailer: compressed by the engine, and opaque here.
    struct TrailerEntry {
        /// Hash of its bytes.
        id: [u8; 20];
        /// Where it is among the payloads, or −1.
        offset: i64;
        /// Bytes there.
        compressed_size: u64;
        /// Bytes when decompressed.
        raw_size: u64;
        /// Of the payload, from version 2 of the trailer.
        flags: u16, if layout.table_version >= 2;
        /// Why it is not elsewhere, from version 2.
        filter: u16, if layout.table_version >= 2;
        /// 0 here, 1 in another package, 2 in a store; from version 1.
        access: u8, if layout.table_version >= 1;
    }
}

flags! {
    /// Bits of [`Export::object_flags`]; others may be set and mean nothing here.
    mod object_flags {
        PUBLIC = 0x1;
        STANDALONE = 0x2;
        TRANSACTIONAL = 0x8;
        /// Holds the default values of its class, and no GUID behind its properties.
        CLASS_DEFAULT_OBJECT = 0x10;
        ARCHETYPE = 0x20;
        TRANSIENT = 0x40;
        DEFAULT_SUB_OBJECT = 0x4_0000;
    }
}

/// Size and place of an export's bytes: 32 bits each below 4:511.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Serial {
    /// Bytes.
    pub size: i64,
    /// Offset in the file, on into the `.uexp`.
    pub offset: i64,
}

impl<'a> Value<'a> for Serial {
    const LEAST: u64 = 8;

    #[inline]
    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        if layout.ue4(511) {
            return Ok(Self { size: from.read(layout)?, offset: from.read(layout)? });
        }
        let (size, offset): (i32, i32) = (from.read(layout)?, from.read(layout)?);
        Ok(Self { size: size.into(), offset: offset.into() })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        if layout.ue4(511) {
            self.size.write(to, layout)?;
            return self.offset.write(to, layout);
        }
        // A file of a version that old cannot be larger.
        let narrow = |wide: i64| i32::try_from(wide).unwrap_or(i32::MAX);
        narrow(self.size).write(to, layout)?;
        narrow(self.offset).write(to, layout)
    }
}

/// The path of an asset: one name, from 5:1007 on those of package and asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssetPath {
    /// `/Game/Folder/Package.Asset`
    Whole(Name),
    /// Package and asset.
    Parts {
        /// `/Game/Folder/Package`
        package: Name,
        /// `Asset`, or `None` where the package is meant.
        asset: Name,
    },
}

impl Default for AssetPath {
    fn default() -> Self {
        Self::Whole(Name::default())
    }
}

impl<'a> Value<'a> for AssetPath {
    const LEAST: u64 = 8;

    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        let package = from.read(layout)?;
        match layout.ue5(1007) {
            true => Ok(Self::Parts { package, asset: from.read(layout)? }),
            false => Ok(Self::Whole(package)),
        }
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match self {
            Self::Whole(name) => name.write(to, layout),
            Self::Parts { package, asset } => {
                package.write(to, layout)?;
                asset.write(to, layout)
            }
        }
    }

    fn links(&self, _: &Layout, to: &mut dyn FnMut(Link)) {
        match self {
            Self::Whole(name) => to(Link::Name(*name)),
            Self::Parts { package, asset } => {
                to(Link::Name(*package));
                to(Link::Name(*asset));
            }
        }
    }
}

/// What in an asset is meant: text, UTF-8 from version 192 of
/// `FFortniteMainBranchObjectVersion` on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum SubPath<'a> {
    /// An `FString`.
    Text(Text<'a>),
    /// An `FUtf8String`.
    Utf8(Utf8Text<'a>),
}

impl Default for SubPath<'_> {
    fn default() -> Self {
        Self::Text(Text::default())
    }
}

impl fmt::Display for SubPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => text.fmt(f),
            Self::Utf8(text) => text.fmt(f),
        }
    }
}

impl fmt::Debug for SubPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => text.fmt(f),
            Self::Utf8(text) => text.fmt(f),
        }
    }
}

impl<'a> Value<'a> for SubPath<'a> {
    const LEAST: u64 = 4;

    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        match layout.custom.fortnite_main {
            192.. => from.read(layout).map(Self::Utf8),
            _ => from.read(layout).map(Self::Text),
        }
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match self {
            Self::Text(text) => text.write(to, layout),
            Self::Utf8(text) => text.write(to, layout),
        }
    }
}

/// Text with a count and without a NUL (`FUtf8String`, `FAnsiString`).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Utf8Text<'a>(&'a [u8]);

impl<'a> Utf8Text<'a> {
    /// Text to be written.
    pub const fn new(text: &'a str) -> Self {
        Self(text.as_bytes())
    }

    /// Its bytes, which should be UTF-8.
    pub const fn bytes(&self) -> &'a [u8] {
        self.0
    }

    /// The text, if it is UTF-8.
    pub fn as_str(&self) -> Option<&'a str> {
        core::str::from_utf8(self.0).ok()
    }
}

impl fmt::Display for Utf8Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_str("\u{FFFD}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Utf8Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

impl<'a> Value<'a> for Utf8Text<'a> {
    const LEAST: u64 = 4;

    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        let count = from.count(1, layout)?;
        from.bytes(count.into()).map(Self)
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        i32::try_from(self.0.len()).unwrap_or(i32::MAX).write(to, layout)?;
        put(to, self.0)
    }
}

/// A package that is referred to softly: a name, below 4:514 text (and below 4:484 with the
/// object).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SoftPackage<'a> {
    /// From 4:514.
    Name(Name),
    /// Before.
    Text(Text<'a>),
}

impl<'a> Value<'a> for SoftPackage<'a> {
    const LEAST: u64 = 4;

    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        match layout.ue4(514) {
            true => from.read(layout).map(Self::Name),
            false => from.read(layout).map(Self::Text),
        }
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match self {
            Self::Name(name) => name.write(to, layout),
            Self::Text(text) => text.write(to, layout),
        }
    }

    fn links(&self, _: &Layout, to: &mut dyn FnMut(Link)) {
        if let Self::Name(name) = self {
            to(Link::Name(*name));
        }
    }
}

/// What a remark about a text says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum TextMetadataValue<'a> {
    /// Nothing.
    #[default]
    None,
    /// Yes or no.
    Bool(bool),
    /// Text.
    Text(Text<'a>),
    /// Several.
    Array(List<'a, TextMetadataValue<'a>>),
    /// Several, with names.
    Object(List<'a, TextMetadata<'a>>),
}

impl<'a> Value<'a> for TextMetadataValue<'a> {
    const LEAST: u64 = 4;

    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        let start = *from;
        Ok(match from.read::<i32>(layout)? {
            0 => Self::None,
            1 => Self::Bool(from.read(layout)?),
            2 => Self::Text(from.read(layout)?),
            3 => Self::Array(from.nested(layout)?),
            4 => Self::Object(from.nested(layout)?),
            other => {
                let (what, value) = ("type of a text's metadata", other.into());
                return Err(start.error(ErrorKind::Unknown { what, value }));
            }
        })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        let kind = |to: &mut S, kind: i32| kind.write(to, layout);
        match self {
            Self::None => kind(to, 0),
            Self::Bool(value) => kind(to, 1).and_then(|()| value.write(to, layout)),
            Self::Text(text) => kind(to, 2).and_then(|()| text.write(to, layout)),
            Self::Array(values) => kind(to, 3).and_then(|()| values.write(to, layout)),
            Self::Object(pairs) => kind(to, 4).and_then(|()| pairs.write(to, layout)),
        }
    }
}

/// Truths, 32 in a word (`TBitArray`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bits<'a> {
    words: List<'a, u32>,
    len: u32,
}

impl<'a> Bits<'a> {
    /// So many truths of these words, if they are as many words as that takes.
    pub const fn new(words: List<'a, u32>, len: u32) -> Option<Self> {
        if words.len() == len.div_ceil(32) as usize { Some(Self { words, len }) } else { None }
    }

    /// Each of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = bool> + use<'a> {
        let bits = |word: u32| (0..32).map(move |bit| word.wrapping_shr(bit) & 1 == 1);
        self.words.iter().flatten().flat_map(bits).take(self.len as usize)
    }

    /// How many there are.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<'a> Value<'a> for Bits<'a> {
    const LEAST: u64 = 4;

    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        let start = *from;
        let count: i32 = from.read(layout)?;
        let len = u32::try_from(count).map_err(|_| start.error(ErrorKind::BadCount(count)))?;
        let words = List::counted(from, len.div_ceil(32), layout)?;
        Ok(Self { words, len })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.len.write(to, layout)?;
        self.words.write_values(to, layout)
    }
}

/// A number that has to stand there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark<const MARK: u64>;

impl<'a, const MARK: u64> Value<'a> for Mark<MARK> {
    const LEAST: u64 = 8;

    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        let start = *from;
        match from.read::<u64>(layout)? {
            found if found == MARK => Ok(Self),
            found => Err(start.error(ErrorKind::BadMark { expected: MARK, found })),
        }
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        MARK.write(to, layout)
    }
}

/// A coordinate: `f32`, from 5:1004 on `f64`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TileReal(pub f64);

impl<'a> Value<'a> for TileReal {
    const LEAST: u64 = 4;

    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        match layout.ue5(1004) {
            true => from.read(layout).map(Self),
            false => from.read::<f32>(layout).map(|real| Self(widened(real))),
        }
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        match layout.ue5(1004) {
            true => self.0.write(to, layout),
            false => narrowed(self.0).write(to, layout),
        }
    }
}

/// The same number. What is none keeps its bits, which a processor would change.
fn widened(real: f32) -> f64 {
    let bits = u64::from(real.to_bits());
    match real.is_nan() {
        true => f64::from_bits((bits >> 31 << 63) | (0x7FF << 52) | ((bits & 0x7F_FFFF) << 29)),
        false => real.into(),
    }
}

/// The other way round.
#[allow(clippy::cast_possible_truncation)] // where it was an `f32`
fn narrowed(real: f64) -> f32 {
    let bits = real.to_bits();
    let kept = (bits >> 63 << 31) | (0xFF << 23) | (bits >> 29 & 0x7F_FFFF);
    match real.is_nan() && bits >> 29 & 0x7F_FFFF != 0 {
        true => f32::from_bits(kept as u32),
        false => real as f32,
    }
}

impl<'a> Value<'a> for [TileReal; 3] {
    const LEAST: u64 = 12;

    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        Ok([from.read(layout)?, from.read(layout)?, from.read(layout)?])
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.iter().try_for_each(|real| real.write(to, layout))
    }
}

/// Which bulk data a package has, from 5:1009.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DataResources<'a> {
    /// Of the table: 1 or 2.
    pub version: u32,
    /// One for each.
    pub entries: List<'a, DataResource>,
}

impl<'a> Value<'a> for DataResources<'a> {
    const LEAST: u64 = 8;

    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        let version = from.read(layout)?;
        let entries = from.read(&layout.with_table(version))?;
        Ok(Self { version, entries })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.version.write(to, layout)?;
        self.entries.write(to, &layout.with_table(self.version))
    }

    fn links(&self, layout: &Layout, to: &mut dyn FnMut(Link)) {
        self.entries.links(layout, to);
    }
}

/// What is behind the exports of a package that the editor saves, from 5:1002.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trailer<'a> {
    /// Its first fields.
    pub head: TrailerHead,
    /// The payloads.
    pub entries: List<'a, TrailerEntry>,
}

impl<'a> Value<'a> for Trailer<'a> {
    const LEAST: u64 = TrailerHead::LEAST;

    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        let head: TrailerHead = from.read(layout)?;
        let entries = from.read(&layout.with_table(head.version.cast_unsigned()))?;
        Ok(Self { head, entries })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        self.head.write(to, layout)?;
        self.entries.write(to, &layout.with_table(self.head.version.cast_unsigned()))
    }
}

/// What the editor knows of objects and of the package as a whole, from 5:1014.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Metadata<'a> {
    /// Of objects.
    pub objects: List<'a, ObjectMetadata<'a>>,
    /// Of the package.
    pub root: List<'a, MetadataPair<'a>>,
}

impl<'a> Value<'a> for Metadata<'a> {
    const LEAST: u64 = 8;

    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        let objects = from.count(ObjectMetadata::LEAST, layout)?;
        let root = from.count(MetadataPair::LEAST, layout)?;
        let objects = List::counted(from, objects, layout)?;
        Ok(Self { objects, root: List::counted(from, root, layout)? })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        (self.objects.len() as u32).write(to, layout)?;
        (self.root.len() as u32).write(to, layout)?;
        self.objects.write_values(to, layout)?;
        self.root.write_values(to, layout)
    }

    fn links(&self, layout: &Layout, to: &mut dyn FnMut(Link)) {
        self.objects.links(layout, to);
        self.root.links(layout, to);
    }
}

/// What the asset registry knows of a package.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AssetRegistry<'a> {
    /// Where its [dependencies](RegistryDependencies) are; from 4:521 with data for the editor.
    pub dependency_data_offset: Option<i64>,
    /// Its objects.
    pub objects: List<'a, RegistryObject<'a>>,
}

impl<'a> Value<'a> for AssetRegistry<'a> {
    const LEAST: u64 = 4;

    fn read(from: &mut Input<'a>, layout: &Layout) -> Result<Self> {
        let dependency_data_offset = match layout.ue4(521) && layout.editor_data {
            true => Some(from.read(layout)?),
            false => None,
        };
        Ok(Self { dependency_data_offset, objects: from.read(layout)? })
    }

    fn write<S: Sink>(&self, to: &mut S, layout: &Layout) -> Result<(), Full> {
        if layout.ue4(521) && layout.editor_data {
            self.dependency_data_offset.unwrap_or_default().write(to, layout)?;
        }
        self.objects.write(to, layout)
    }
}
