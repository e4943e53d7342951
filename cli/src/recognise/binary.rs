//! Binary formats: those that gamewire reads, those of Godot, and common ones.

use super::text::PDF;
use super::unreal::{is_block_container, is_zlib};
use super::{FileKind, Row, Sample, Sign, row};
use gamewire::capture::{self, ErrorKind};
use gamewire::godot::file::Container;
use gamewire::rems::FileFormat;
use gamewire::unreal::{Package, Save};

const UNPACK: &str = "`gamewire unpack` writes its content; `gamewire show` and others open it";

/// Files that some command of gamewire reads.
pub const OURS: &[Row] = &[
    row(
        Sign::Test(|sample| is_capture(sample.head)),
        "a capture of network traffic",
        "read it with `gamewire packets`",
    ),
    row(
        Sign::Test(|sample| Package::is_package(sample.head) && !is_block_container(sample.head)),
        "a package of Unreal Engine",
        "read it with `gamewire show`, `check`, `json` or `get`",
    ),
    row(
        Sign::Test(|sample| Save::is_save(sample.head)),
        "a save of Unreal Engine",
        "read it with `gamewire show`, `check`, `json` or `get`",
    ),
    row(
        Sign::Test(|sample| FileFormat::detect(sample.head).is_some()),
        "a save of Rem's Engine",
        "read it with `gamewire show`, `check`, `json`, `get`, `diff` or `rems convert`",
    ),
    row(
        Sign::Test(|sample| Container::recognise(sample.head) == Some(Container::Compressed)),
        "a compressed file of Godot",
        UNPACK,
    ),
    row(
        Sign::Test(|sample| Container::recognise(sample.head) == Some(Container::Encrypted)),
        "an encrypted file of Godot",
        UNPACK,
    ),
];

/// The kind of an unrecognised binary file, for a command that reads text.
pub const UNKNOWN: FileKind = FileKind {
    name: "binary data",
    advice: "`gamewire json` prints Godot values as the JSON that `gamewire encode` reads",
};

const EDITOR: &str =
    "open it in the Godot editor; GDRE Tools convert it to text without the project";
const GDRE: &str = "GDRE Tools convert it";

/// Files of Godot that do not consist of plain values.
pub const GODOT: &[Row] = &[
    row(Sign::Magic(b"RSRC"), "a binary resource or scene of Godot", EDITOR),
    row(Sign::Magic(b"RSCC"), "a compressed binary resource or scene of Godot", EDITOR),
    row(Sign::Magic(b"GDPC"), "a pack of a Godot game (.pck)", "GDRE Tools extract its files"),
    row(Sign::Magic(b"ECFG"), "binary project settings of Godot (project.binary)", GDRE),
    row(Sign::Magic(b"GDSC"), "a compiled script of Godot (.gdc)", GDRE),
    row(Sign::Magic(b"GST2"), "an imported texture of Godot", GDRE),
    row(Sign::Magic(b"GDST"), "an imported texture of Godot 3", GDRE),
];

const IMAGE: &str = "an image viewer opens it";
const SOUND: &str = "a media player opens it";
const PROGRAM: &str = "if it is a Godot game, GDRE Tools extract the files of its pack";

/// Common formats.
pub const OTHERS: &[Row] = &[
    row(Sign::Test(is_zip), "a ZIP archive", "extract its files with `unzip`"),
    row(Sign::Magic(b"\x1F\x8B\x08"), "data compressed by gzip", "decompress it with `gzip -dc`"),
    row(
        Sign::Test(|sample| matches!(sample.head, [a, b, ..] if is_zlib(*a, *b))),
        "data compressed by zlib",
        "decompress it with `zlib-flate -uncompress` or `pigz -dcz`",
    ),
    row(
        Sign::Magic(b"\x28\xB5\x2F\xFD"),
        "data compressed by Zstandard",
        "decompress it with `zstd -dc`",
    ),
    row(Sign::Magic(b"\xFD7zXZ\0"), "data compressed by xz", "decompress it with `xz -dc`"),
    row(
        Sign::Test(|sample| matches!(sample.head, [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..])),
        "data compressed by bzip2",
        "decompress it with `bzip2 -dc`",
    ),
    row(Sign::Magic(b"\x04\x22\x4D\x18"), "data compressed by LZ4", "decompress it with `lz4 -dc`"),
    row(Sign::Magic(b"7z\xBC\xAF\x27\x1C"), "a 7z archive", "extract its files with `7z x`"),
    row(Sign::Magic(b"Rar!\x1A\x07"), "a RAR archive", "extract its files with `unrar x`"),
    row(Sign::At(257, b"ustar"), "a tar archive", "extract its files with `tar -xf`"),
    row(Sign::Magic(b"SQLite format 3\0"), "an SQLite database", "read it with `sqlite3`"),
    row(Sign::Magic(b"\x89PNG\r\n\x1A\n"), "a PNG image", IMAGE),
    row(Sign::Magic(b"\xFF\xD8\xFF"), "a JPEG image", IMAGE),
    row(Sign::Magic(b"GIF87a"), "a GIF image", IMAGE),
    row(Sign::Magic(b"GIF89a"), "a GIF image", IMAGE),
    row(Sign::Test(|sample| is_riff(sample, b"WEBP")), "a WebP image", IMAGE),
    row(Sign::Test(|sample| is_riff(sample, b"WAVE")), "a WAV sound", SOUND),
    row(Sign::Magic(b"OggS"), "an Ogg sound or video", SOUND),
    Row { sign: Sign::Magic(b"%PDF-"), kind: PDF },
    row(Sign::Magic(b"\x7FELF"), "a program or library (ELF)", PROGRAM),
    row(Sign::Test(is_pe), "a program or library of Windows", PROGRAM),
    row(
        Sign::Magic(b"\0asm\x01\0\0\0"),
        "a WebAssembly module",
        "`wasm-tools print` shows it as text",
    ),
    row(Sign::Magic(b"UnityFS\0"), "an asset bundle of Unity", "AssetStudio and UnityPy read it"),
    row(
        Sign::Magic(b"\0\x01\0\0\0\xFF\xFF\xFF\xFF\x01\0\0\0\0\0\0\0"),
        "data of .NET's BinaryFormatter, as many Unity games save it",
        "a reader of MS-NRBF, such as .NET's NrbfDecoder, shows it",
    ),
    row(
        Sign::Test(is_blank),
        "a file of nothing but zeros",
        "it was never written, or a crash lost its content: look for a backup",
    ),
];

/// Returns `true` if the bytes are the beginning of a capture.
pub fn is_capture(head: &[u8]) -> bool {
    let first = capture::Reader::new(head).next_packet().map(|_| ());
    head.len() >= 4 && !first.is_err_and(|error| matches!(error.kind(), ErrorKind::NotACapture(_)))
}

/// Checks for the signature of a record that can be the first one in an archive: the record of a
/// file, the directory of an empty archive, or the mark of an archive in several parts.
fn is_zip(sample: &Sample<'_>) -> bool {
    matches!(sample.head, [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..])
}

fn is_riff(sample: &Sample<'_>, form: &[u8]) -> bool {
    sample.head.starts_with(b"RIFF") && sample.head.get(8..12) == Some(form)
}

/// Checks for a DOS header, and for a Windows header at the offset that the DOS header contains.
fn is_pe(sample: &Sample<'_>) -> bool {
    let offset = sample.head.get(0x3C..).and_then(<[u8]>::first_chunk);
    let offset = offset.and_then(|offset| usize::try_from(u32::from_le_bytes(*offset)).ok());
    let header = offset.and_then(|offset| sample.head.get(offset..));
    sample.head.starts_with(b"MZ") && header.is_some_and(|header| header.starts_with(b"PE\0\0"))
}

/// Checks for a file of at least 32 zeros and nothing else. As Godot values, every four zeros would
/// be one Nil.
fn is_blank(sample: &Sample<'_>) -> bool {
    let is_zero = |bytes: &[u8]| bytes.iter().all(|byte| *byte == 0);
    sample.head.len() >= 32 && is_zero(sample.head) && is_zero(sample.tail)
}
