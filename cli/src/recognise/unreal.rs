//! Recognises files of Unreal Engine games that are neither plain packages nor plain saves.

use super::{Row, Sample, Sign, row};
use gamewire::unreal::Locres;
use gamewire::unreal::pak::Footer;
use gamewire::unreal::registry::Registry;

const OPENED: &str = "read it with `gamewire show`, `check`, `json` or `get`; `gamewire unreal unwrap` \
                      writes the save inside";
const OODLE: &str = "gamewire has no decoder for Oodle: convert it to zlib (`PlZ`) with a tool for \
                     saves of Palworld, such as `palworld-save-pal`, and gamewire reads the result";
const KEY: &str = "only a tool that has the game's key reads it";
const SAVE_TOOL: &str = "decompress it with a tool for saves of this game; gamewire reads the save \
                         inside, which begins with `GVAS`";
const BROKEN: &str =
    "gamewire reads such packages of engines 4.26 to 5.8 if their header is intact";

pub const ROWS: &[Row] = &[
    row(
        Sign::Test(|sample| is_block_container(sample.head)),
        "data of Unreal Engine, compressed in blocks",
        OPENED,
    ),
    row(
        Sign::Test(|sample| is_palworld(sample, b"PlZ")),
        "a save of Palworld, compressed with zlib",
        OPENED,
    ),
    row(
        Sign::Test(|sample| is_palworld(sample, b"PlM")),
        "a save of Palworld, compressed with Oodle",
        OODLE,
    ),
    row(
        Sign::Magic(b"\xBE\x40\x37\x4A\xEE\x0B\x74\xA3\x01\0\0\0"),
        "a compressed save of Astroneer",
        OPENED,
    ),
    row(Sign::Magic(b"pmOc"), "a compressed save of Days Gone", SAVE_TOOL),
    row(
        Sign::Magic(b"\x82\xF2\x98\x4F\x92\x77\x47\x1A"),
        "an encrypted save of Goat Simulator 3",
        KEY,
    ),
    row(Sign::Magic(b"\xED\xC0\xDA\x71"), "an encrypted save of Aliens: Dark Descent", KEY),
    row(
        Sign::Magic(b"\xCF\xCC\x5D\xA7"),
        "an encrypted save of Mortal Kombat 1 or Mortal Kombat 11",
        KEY,
    ),
    row(
        Sign::Magic(b"GEVASEND"),
        "a save of Unreal Engine whose content is encrypted or compressed in an unknown way",
        SAVE_TOOL,
    ),
    row(Sign::Test(is_wrapped_in_save), "a compressed save of Unreal Engine", OPENED),
    row(
        Sign::Test(has_game_header),
        "a save of Unreal Engine after a header of the game",
        "read it with `gamewire show`, `check`, `json` or `get`; if they do not open it, the header \
         of the save itself is damaged",
    ),
    row(
        Sign::Test(|sample| Footer::is_pak(sample.tail)),
        "a pak of Unreal Engine",
        "`gamewire show game.pak` lists its files, and `gamewire json game.pak:PATH` reads one of them; \
         a pak is read from a file, not from standard input",
    ),
    row(
        Sign::Magic(b"-==--==--==--==-"),
        "the table of contents of an IoStore container of Unreal Engine (.utoc)",
        "`gamewire show game.utoc` lists its files, and `gamewire json game.utoc:PATH` reads one of them; \
         a container is read from files, not from standard input",
    ),
    row(
        Sign::Test(|sample| Locres::is_locres(sample.head)),
        "a file of localized texts of Unreal Engine (.locres)",
        "read them with `gamewire show`, `check` or `json`",
    ),
    row(
        Sign::Test(|sample| Registry::is_registry(sample.head)),
        "an asset registry of Unreal Engine (AssetRegistry.bin)",
        "read it with `gamewire show`, `check` or `json`",
    ),
    row(
        Sign::Test(is_mappings),
        "mappings of Unreal Engine (.usmap)",
        "`gamewire show --mappings` reads packages with them",
    ),
];

/// Files without a signature, recognised by their extensions.
pub const BY_NAME: &[Row] = &[
    row(
        Sign::Extension("ucas"),
        "the data of an IoStore container of Unreal Engine (.ucas)",
        "name the .utoc beside it: `gamewire show game.utoc` lists the files of the container",
    ),
    row(Sign::Extension("uasset"), ZEN_PACKAGE, BROKEN),
    row(Sign::Extension("umap"), ZEN_PACKAGE, BROKEN),
];

const ZEN_PACKAGE: &str = "a package of Unreal Engine without its tag, probably a damaged package of an IoStore container";

/// Returns `true` for data that is compressed in blocks. Such data begins with the same tag as a
/// package. The tag is followed by the block size or by the upper half of a 64-bit tag; in a
/// package, it is followed by a negative version.
pub fn is_block_container(bytes: &[u8]) -> bool {
    const TAG: [u8; 4] = [0xC1, 0x83, 0x2A, 0x9E];
    let Some((&[a, b, c, d, rest @ ..], _)) = bytes.split_first_chunk::<8>() else { return false };
    [a, b, c, d] == TAG && matches!(u32::from_le_bytes(rest), 0 | 0x2222_2222 | 0x0002_0000)
}

/// Checks for a header of Palworld with this magic. The header consists of the size of the save,
/// its compressed size, the magic and the type of compression. Another header of 12 bytes can
/// precede it, with the magic `CNK` at its start or at offset 8.
fn is_palworld(sample: &Sample<'_>, magic: &[u8]) -> bool {
    let is_at = |offset: usize| {
        let rest = sample.head.get(offset..).unwrap_or_default();
        let Some((&[_, _, _, _, _, _, _, _, a, b, c, kind, first, second], _)) =
            rest.split_first_chunk::<14>()
        else {
            return false;
        };
        let is_data = match (magic, kind) {
            (b"PlZ", b'0') => rest.get(12..).is_some_and(|data| data.starts_with(b"GVAS")),
            (b"PlZ", b'1' | b'2') => is_zlib(first, second),
            // The low half of the first byte is the same in all blocks of Oodle.
            (b"PlM", b'0'..=b'9') => first & 0x0F == 0x0C,
            _ => false,
        };
        [a, b, c] == *magic && is_data
    };
    let is_chunked = [0, 8]
        .iter()
        .any(|offset| sample.head.get(*offset..).is_some_and(|bytes| bytes.starts_with(b"CNK")));
    is_at(0) || (is_chunked && is_at(12))
}

/// Returns `true` if these are the two header bytes of a zlib stream with a window of 32 KiB.
pub fn is_zlib(first: u8, second: u8) -> bool {
    first == 0x78 && matches!(second, 0x01 | 0x5E | 0x9C | 0xDA)
}

/// Checks for the header of Bravely Default II: `SAVE`, the number 1, the size, and a zlib stream.
fn is_wrapped_in_save(sample: &Sample<'_>) -> bool {
    let is_stream = |bytes: &[u8]| matches!(bytes, [first, second, ..] if is_zlib(*first, *second));
    sample.head.starts_with(b"SAVE\x01\0\0\0") && sample.head.get(12..).is_some_and(is_stream)
}

/// Checks for the tag of a save, followed by a known version, near the beginning.
fn has_game_header(sample: &Sample<'_>) -> bool {
    let is_save = |bytes: &[u8]| matches!(bytes, [b'G', b'V', b'A', b'S', 1..=3, 0, 0, 0, ..]);
    let near = sample.head.get(..sample.head.len().min(72)).unwrap_or_default();
    near.windows(8).any(is_save)
}

/// Checks for the magic of mappings, a known version, and a plausible field after the version. The
/// field is the compression method in version 0, and a flag in later versions.
fn is_mappings(sample: &Sample<'_>) -> bool {
    matches!(sample.head, [0xC4, 0x30, 0, 0..=3, ..] | [0xC4, 0x30, 1..=4, 0 | 1, 0, 0, 0, ..])
}
