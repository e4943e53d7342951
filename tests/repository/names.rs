//! Checks that items named in the documentation exist in the sources.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

const PAGES: [&str; 6] = [
    "docs/bounds.md",
    "docs/dialects.md",
    "docs/json.md",
    "docs/library.md",
    "docs/rems.md",
    "docs/unreal.md",
];

/// Names of items in engines that the pages mention.
const FOREIGN: [&str; 52] = [
    "ArIsCountingMemory",
    "ArIsObjectReferenceCollector",
    "AtEnd",
    "Compact",
    "CompressedChunks",
    "CountBytes",
    "CreateExport",
    "CustomVer",
    "EDependencyProperty",
    "FArchive",
    "FArchiveLoadCompressedProxy",
    "FArchiveSaveCompressedProxy",
    "FAssetData",
    "FBitReader",
    "FBitWriter",
    "FBulkDataMapEntry",
    "FCompression",
    "FDependsNode",
    "FEntry",
    "FExportBundleEntry",
    "FExportBundleHeader",
    "FExportMapEntry",
    "FIoChunkId",
    "FIoDirectoryIndexResource",
    "FIoOffsetAndLength",
    "FIoStoreTocCompressedBlockEntry",
    "FIoStoreTocEntryMeta",
    "FIoStoreTocHeader",
    "FIoStoreTocResource",
    "FMappedName",
    "FPackageSummary",
    "FPakEntry",
    "FPakEntryLocation",
    "FPakInfo",
    "FStore",
    "FTextKey",
    "FZenPackageSummary",
    "FZenPackageVersioningInfo",
    "IsFilterEditorOnly",
    "Legacy",
    "Optimized_CRC32",
    "Optimized_CityHash64_UTF16",
    "Preload",
    "Seek",
    "SerializeBits",
    "SerializeInt",
    "SerializeIntPacked",
    "TArray",
    "TaggedAssetBundles",
    "TagsAndValues",
    "Tell",
    "UEVer",
];

/// Collects the identifiers in the sources under a folder.
fn identifiers(folder: &Path, found: &mut HashSet<String>) {
    for entry in folder.read_dir().expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            identifiers(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a readable source");
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            found.extend(words.map(str::to_owned));
        }
    }
}

/// Returns the names in backticks: the last segments of paths such as `Reader::index`, and type
/// names such as `VariantRef`.
fn items(page: &str) -> impl Iterator<Item = &str> {
    let prose = page.split("```").step_by(2);
    let quoted = prose.flat_map(|prose| prose.split('`').skip(1).step_by(2));
    let is_path = |text: &&str| text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':');
    quoted.filter(is_path).filter_map(|path| match path.rsplit_once("::") {
        Some((_, name)) => Some(name),
        None => is_type(path).then_some(path),
    })
}

fn is_type(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
}

#[test]
fn named_items_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = HashSet::new();
    for folder in ["src", "cli/src", "tests/bounds", "cli/tests/bounds"] {
        identifiers(&root.join(folder), &mut sources);
    }
    let mut missing = Vec::new();
    for page in PAGES {
        let text = fs::read_to_string(root.join(page)).expect("a readable page");
        let unknown = items(&text).filter(|name| !sources.contains(*name));
        let unknown = unknown.filter(|name| !FOREIGN.contains(name));
        missing.extend(unknown.map(|name| format!("{page}: {name}")));
    }
    assert!(missing.is_empty(), "not found in the sources:\n{}", missing.join("\n"));
}
