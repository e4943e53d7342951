//! Opens saves and packages that a game has wrapped. Also contains the commands `gamewire unreal
//! unwrap` and `gamewire unreal wrap`.

use super::{Content, Refusal};
use crate::args::{Unwrap, Wrap, WrapForm};
use crate::godot::extent::are_values;
use crate::recognise::{Sample, recognise};
use crate::ui::conversion::write_changed;
use crate::ui::input::{Input, Stop};
use crate::ui::{budget, report};
use gamewire::godot::Dialect;
use gamewire::unreal::compression::{CompressedPackage, ContainerVersion};
use gamewire::unreal::wrapper::{
    self, BlockMethod, Body, Containers, Deflate, Header, Layer, Options, Unwrapped, Wrapping,
};
use gamewire::unreal::{Error, ErrorKind, Package, Save, Versions};
use std::io::{self, Write};

/// Returns the content of a wrapped file or compressed package, or `None` for any other file. Also
/// returns `None` for a file that looks wrapped but consists of Godot values. The inner result is
/// an error if a compressed package cannot be decompressed: the caller can then show the readable
/// part of the package. The outer result is an error if a wrapped file cannot be opened: the caller
/// then stops processing this file.
pub(super) fn content(
    input: Input<'_>,
    bytes: &[u8],
    engine: Option<Versions>,
) -> Result<Option<Result<Content, Error>>, Stop> {
    let options = options(engine);
    if !wrapper::is_wrapped(bytes, &options) {
        return Ok(compressed_package(bytes, options));
    }
    let mut reserved = budget::DECOMPRESSED.reserve(options.limit as u64);
    match wrapper::unwrap(bytes, &options) {
        Ok(Some(Unwrapped { wrapping, bytes })) if is_content(&bytes) => {
            reserved.shrink(bytes.len() as u64);
            Ok(Some(Ok(Content { bytes, wrapping, _reserved: reserved })))
        }
        Ok(None) => Ok(None),
        _ if are_values(bytes, Dialect::Godot4) => Ok(None),
        Ok(Some(Unwrapped { wrapping, .. })) => Err(Stop::input(format_args!(
            "{}the data in it ({wrapping}) are neither a save nor a package; `gamewire unreal unwrap` \
             writes them",
            kind(input, bytes)
        ))),
        Err(error) => Err(refused(input, bytes, &error)),
    }
}

/// Returns `true` if the file is probably a wrapped save or package. Does not decompress it.
pub(super) fn is_wrapped(bytes: &[u8]) -> bool {
    wrapper::is_wrapped(bytes, &options(None)) && !are_values(bytes, Dialect::Godot4)
}

/// Returns the content of a compressed package, or `None` for any other file.
fn compressed_package(bytes: &[u8], options: Options) -> Option<Result<Content, Error>> {
    if !Package::is_package(bytes) {
        return None;
    }
    let package = CompressedPackage::open(bytes, options.versions).transpose()?;
    Some(package.and_then(|package| {
        let size = package.size().min(options.limit as u64);
        let reserved = budget::DECOMPRESSED.reserve(size);
        let Unwrapped { wrapping, bytes } = wrapper::unwrap(bytes, &options)?.unwrap_or_default();
        Ok(Content { bytes, wrapping, _reserved: reserved })
    }))
}

fn options(engine: Option<Versions>) -> Options {
    let mut options = Options::default();
    (options.prefixes, options.versions) = (true, engine);
    options
}

fn is_content(bytes: &[u8]) -> bool {
    Save::is_save(bytes) || Package::is_package(bytes)
}

/// Returns the beginning of an error message: what kind of file this is. Returns an empty string if
/// the file is not recognised.
fn kind(input: Input<'_>, bytes: &[u8]) -> String {
    let kind = recognise(&Sample::whole(input.path(), bytes));
    kind.map(|kind| format!("this is {kind}: ")).unwrap_or_default()
}

/// Returns the error for a file that could not be unwrapped.
fn refused(input: Input<'_>, bytes: &[u8], error: &Error) -> Stop {
    match error.kind() {
        // The message of this error already says what the file is.
        kind @ ErrorKind::CannotUnwrap(_) => Stop::input(kind),
        _ => Stop::input(format_args!("{}{}", kind(input, bytes), Refusal(error))),
    }
}

/// Writes the content of a wrapped file.
pub fn unwrap(args: &Unwrap, out: &mut impl Write) -> io::Result<bool> {
    write_changed(&args.file, args.output.as_deref(), out, |input, file| {
        let unwrapped = open(input, &file, args.unreal.engine.map(|engine| engine.0))?;
        report::note(&input.name(), format_args!("unwrapped {}", unwrapped.wrapping));
        Ok(unwrapped.bytes)
    })
}

/// Wraps a file in a given form, or like another file.
pub fn wrap(args: &Wrap, out: &mut impl Write) -> io::Result<bool> {
    let engine = args.unreal.engine.map(|engine| engine.0);
    write_changed(&args.file, args.output.as_deref(), out, |_, content| {
        let Some(like) = &args.like else {
            let form = args.to.unwrap_or(WrapForm::Zlib);
            return wrapping_of(form).wrap(&content).map_err(|error| Stop::input(Refusal(&error)));
        };
        let original = Input::new(like);
        let file = original.load()?;
        let unwrapped = open(original, &file, engine)
            .map_err(|stop| Stop::input(format_args!("{}: {stop}", original.name())))?;
        rewrap(&original.name(), &unwrapped.wrapping, &content, &file)
    })
}

fn open(input: Input<'_>, file: &[u8], engine: Option<Versions>) -> Result<Unwrapped, Stop> {
    match wrapper::unwrap(file, &options(engine)) {
        Ok(Some(unwrapped)) => Ok(unwrapped),
        Ok(None) if is_content(file) => Err(Stop::input(
            "this is a save or package without a wrapper: there is nothing to unwrap",
        )),
        Ok(None) => Err(Stop::input(format_args!(
            "{}no wrapper of a save or package was recognised{}",
            kind(input, file),
            looks_random(file)
        ))),
        Err(error) => Err(refused(input, file, &error)),
    }
}

/// Returns the end of an error message: that the file looks compressed or encrypted. Returns an
/// empty string if the entropy of the file is at most 7.9 bits per byte.
fn looks_random(file: &[u8]) -> &'static str {
    let sample = file.get(..file.len().min(1 << 16)).unwrap_or_default();
    let mut counts = [0u32; 256];
    for byte in sample {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count = count.saturating_add(1);
        }
    }
    let bits = |count: u32| {
        let share = f64::from(count) / sample.len() as f64;
        -share * share.log2()
    };
    let bits: f64 = counts.into_iter().filter(|count| *count > 0).map(bits).sum();
    match bits > 7.9 {
        true => "; it looks compressed or encrypted",
        false => "",
    }
}

/// Wraps changed content like the original file. Prints a warning if unknown bytes precede the
/// save, since the game may then refuse the file.
pub fn rewrap(
    name: &str,
    wrapping: &Wrapping,
    content: &[u8],
    original: &[u8],
) -> Result<Vec<u8>, Stop> {
    let file = wrapping.rewrap(content, original).map_err(|error| Stop::input(Refusal(&error)))?;
    if wrapping.has_prefix() && *file != *original {
        report::warning(
            name,
            "the bytes before the save are copied: if they contain a size or a checksum, it is wrong \
             now",
        );
    }
    Ok(file.into_owned())
}

/// Returns the layers that make up a form.
fn wrapping_of(form: WrapForm) -> Wrapping {
    let zlib = Deflate::default();
    let blocks = |version| {
        let (method, block_size) = (BlockMethod::Zlib, 0x2_0000);
        Body::Containers(Containers {
            version,
            big_endian: false,
            method,
            block_size,
            part: None,
            deflate: zlib,
        })
    };
    let (header, body) = match form {
        WrapForm::Zlib => (Header::None, Body::Zlib(zlib)),
        WrapForm::Palworld => (Header::Palworld(None), Body::Zlib(zlib)),
        WrapForm::PalworldTwice => {
            (Header::Palworld(None), Body::ZlibTwice { inner: zlib, outer: zlib })
        }
        WrapForm::Blocks => (Header::None, blocks(ContainerVersion::One)),
        WrapForm::BlocksNew => (Header::None, blocks(ContainerVersion::Two)),
    };
    Wrapping { layers: vec![Layer { header, body, rest: Vec::new() }] }
}
