//! Reads the cooked pixels of an Unreal Engine texture. A texture has several mips: the picture in
//! full size (mip 0), in half size (mip 1), in a quarter of its size (mip 2), and so on. This
//! example writes the bytes of one mip to a file, and prints their pixel format.
//!
//! ```text
//! cargo run --example texture_mip --features unreal -- T_Name.uasset 0 mip.bin
//! cargo run --example texture_mip --features unreal -- T_Name.uasset 0 mip.bin 5.1 Game.usmap
//! ```
//!
//! The last two arguments are the engine, for a package that does not state its version, and the
//! mappings, for properties without tags. A `UTexture2D` writes its pixels after its properties.
//! This example reads the layout of cooked packages from engines 5.0 to 5.8. Other textures are an
//! error: those of engine 4, those that are not cooked, virtual textures, and textures with a
//! second copy of their pixels for the processor (CPU).

use gamewire::unreal::archive::{Archive, ArchiveReader, BitArchive, Serialize};
use gamewire::unreal::bulk::{BulkFiles, BulkLocation};
use gamewire::unreal::tables::Export;
use gamewire::unreal::{ErrorKind, Mappings, NameRef, Package, Result, StrRef, Versions};
use std::error::Error;
use std::path::Path;
use std::{env, fs};

type AnyResult<T> = Result<T, Box<dyn Error>>;

/// Returns `true` if the texture has a flag that states whether its mips have data. Engines write
/// this flag from 5.3 on.
fn has_mip_flag(package: &Package<'_>) -> AnyResult<bool> {
    let engine = &package.summary().saved_by_engine;
    match (package.layout().versions.ue5, engine.major, engine.minor) {
        (..1004, ..) => Err("textures of engines before 5.0 are not supported".into()),
        // Engines 5.2 and 5.3 have the same file version.
        (1009, 5, minor) => Ok(minor >= 3),
        (1009, ..) => Err("the package does not state whether it is from engine 5.2 or 5.3".into()),
        (version, ..) => Ok(version >= 1012),
    }
}

/// What was removed when the package was cooked (`FStripDataFlags`).
#[derive(Clone, Copy, Debug, Default)]
struct StripFlags {
    global: u8,
    class: u8,
}

impl<'a> Serialize<'a> for StripFlags {
    fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()> {
        ar.serialize(&mut self.global)?;
        ar.serialize(&mut self.class)
    }
}

/// The description of the pixels (`FTexturePlatformData`), up to the mips.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlatformData<'a> {
    /// The first byte is 1 if the pixels are in the derived data cache.
    pub placeholder: [u8; 16],
    pub width: i32,
    pub height: i32,
    /// Bit 31: is a cube map. Bit 30: has `optional`. Bit 29: has a copy for the processor. Other
    /// bits: number of slices.
    pub packed: u32,
    pub pixel_format: StrRef<'a>,
    /// `ExtData` and `NumMipsInTail`.
    pub optional: Option<u64>,
    pub first_mip: i32,
}

impl<'a> Serialize<'a> for PlatformData<'a> {
    fn serialize<A: Archive<'a>>(&mut self, ar: &mut A) -> Result<()> {
        ar.serialize(&mut self.placeholder)?;
        if self.placeholder[0] != 0 {
            return Err(unknown(ar, "place of the pixels (derived data)", 1));
        }
        ar.serialize(&mut self.width)?;
        ar.serialize(&mut self.height)?;
        ar.serialize(&mut self.packed)?;
        if self.packed & 1 << 29 != 0 {
            return Err(unknown(ar, "copy for the processor", self.packed.into()));
        }
        ar.serialize(&mut self.pixel_format)?;
        ar.serialize_if(self.packed & 1 << 30 != 0, &mut self.optional)?;
        ar.serialize(&mut self.first_mip)
    }
}

fn unknown(ar: &impl BitArchive, what: &'static str, value: i64) -> gamewire::unreal::Error {
    ar.error(ErrorKind::Unknown { what, value })
}

/// A mip of a texture.
#[derive(Clone, Copy, Debug)]
pub struct Mip {
    pub location: BulkLocation,
    pub width: i32,
    pub height: i32,
    pub depth: i32,
}

/// Reads a mip: the location of its bytes, and its width, height and depth.
fn read_mip(package: &Package<'_>, ar: &mut ArchiveReader<'_>) -> Result<Mip> {
    let (_, location, end) = package.bulk_at(ar.offset().cast_signed())?;
    ar.seek(end)?;
    Ok(Mip { location, width: ar.read()?, height: ar.read()?, depth: ar.read()? })
}

/// A texture: the description of its pixels, and its mips.
#[derive(Clone, Debug)]
pub struct Texture<'p> {
    pub data: PlatformData<'p>,
    pub mips: Vec<Mip>,
}

/// Reads the native data of a `UTexture2D`.
pub fn read_texture<'p>(package: &'p Package<'_>, export: &Export) -> AnyResult<Texture<'p>> {
    let has_mip_flag = has_mip_flag(package)?;
    let ar = package.native_archive(export)?;
    let mut ar = ar.ok_or("the properties have no tags, so mappings are needed")?;
    let strip: StripFlags = ar.read()?;
    if strip.global & 1 == 0 {
        return Err("the texture has data for the editor, so it is not cooked".into());
    }
    ar.read::<StripFlags>()?;
    if !ar.read::<bool>()? {
        return Err("the texture is not cooked".into());
    }
    if has_mip_flag && !ar.read::<bool>()? {
        return Err("the mips have no data".into());
    }
    // A package can contain the pixels in several formats. This is the name of the first one.
    let format: NameRef<'_> = ar.read()?;
    if ar.name_text(format).is_none_or(|format| format == *"None") {
        return Err("the texture has no pixels".into());
    }
    let start = ar.offset();
    let end = start.saturating_add_signed(ar.read()?);

    let data: PlatformData<'_> = ar.read()?;
    let (mut count, mut mips) = (0, Vec::new());
    ar.array(&mut count, 16, |ar, _| {
        mips.push(read_mip(package, ar)?);
        Ok(())
    })?;
    if ar.read::<bool>()? {
        return Err("virtual textures are not supported".into());
    }
    match ar.offset() == end {
        true => Ok(Texture { data, mips }),
        false => Err("the texture does not end where it should".into()),
    }
}

/// Reads the first `UTexture2D` of a package.
pub fn first_texture<'p>(package: &'p Package<'_>) -> AnyResult<Texture<'p>> {
    for export in package.exports() {
        let export = export?;
        if package.class_name(&export).is_some_and(|class| class == *"Texture2D") {
            return read_texture(package, &export);
        }
    }
    Err("the package has no Texture2D".into())
}

#[allow(dead_code, reason = "tests include this file as a module")]
fn main() -> AnyResult<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [file, index, out, rest @ ..] = &*args else {
        return Err("usage: texture_mip FILE.uasset MIP OUT [ENGINE [FILE.usmap]]".into());
    };
    let read = |extension| fs::read(Path::new(file).with_extension(extension)).ok();
    let (header, exports, separate) = (fs::read(file)?, read("uexp"), read("ubulk"));
    let engine = match rest.first().and_then(|engine| engine.split_once('.')) {
        Some((major, minor)) => Versions::of_engine(major.parse()?, minor.parse()?),
        None => None,
    };
    let mut package = Package::open_as(&header, exports.as_deref(), engine)?;
    let bytes = rest.get(1).map(fs::read).transpose()?;
    let mappings;
    if let Some(bytes) = &bytes {
        mappings = Mappings::open(bytes)?;
        package = package.with_mappings(&mappings);
    }

    let texture = first_texture(&package)?;
    println!("{}, {} mips", texture.data.pixel_format, texture.mips.len());
    let mip = texture.mips.get(index.parse::<usize>()?).ok_or("no such mip")?;
    let files = BulkFiles { separate: separate.as_deref(), ..BulkFiles::default() };
    let pixels = package.bulk_bytes(&mip.location, &files)?;
    println!("{} × {}: {} bytes in {}", mip.width, mip.height, pixels.len(), mip.location.file);
    Ok(fs::write(out, pixels)?)
}
