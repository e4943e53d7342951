//! Damaged files, by format.

use crate::support::corpus::corpus;
use crate::support::damage::damaged;
use crate::support::random::Random;
use std::fs;
use std::path::{Path, PathBuf};

/// Files of one format.
pub struct Family {
    pub name: &'static str,
    /// Arguments that name the format.
    pub format: &'static [&'static str],
    /// Content and extension of each file.
    files: Vec<(Vec<u8>, String)>,
}

/// The maximum size of a file in bytes. Larger files would take most of the time.
const MAX_SIZE: u64 = 40_000;

/// The number of files in a batch.
const BATCH: usize = 48;

impl Family {
    pub fn all() -> Vec<Self> {
        let family = |name, folders: &[&str], extensions: &[&str], format| {
            let files: Vec<_> =
                folders.iter().flat_map(|folder| files(&corpus(folder), extensions)).collect();
            assert!(!files.is_empty(), "{name}");
            Self { name, format, files }
        };
        vec![
            family("godot4", &["godot4", "godot4-double", "hostile"], &["bin"], &[]),
            family("godot3", &["godot3"], &["bin"], &["--as", "godot3"]),
            family("frames", &["frames"], &["dat", "bin"], &["--as", "godot4-frames"]),
            family("notation", &["godot4", "godot3", "notation"], &["txt", "json"], &[]),
            family("configurations", &["godot-files", "config"], &["cfg", "godot"], &[]),
            family("captures", &["captures"], &["pcap"], &[]),
            family("saves", &["rems"], &["rem", "json", "bin"], &[]),
            family("packages", &["unreal"], &["uasset", "umap"], &[]),
            family("unreal saves", &["unreal"], &["sav"], &[]),
        ]
    }
}

fn files(folder: &Path, extensions: &[&str]) -> Vec<(Vec<u8>, String)> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        if path.is_dir() {
            all.extend(files(&path, extensions));
            continue;
        }
        let extension = path.extension().unwrap_or_default().to_str().unwrap().to_owned();
        let is_small = fs::metadata(&path).unwrap().len() <= MAX_SIZE;
        if is_small && extensions.contains(&&*extension) {
            all.push((fs::read(&path).unwrap(), extension));
        }
    }
    all
}

/// Texts that could forge or hide output.
const TEXTS: [&str; 12] = [
    "\n",
    "\r",
    "\u{1b}[2J",
    "\u{9b}1m",
    "\u{202e}",
    "\u{200b}",
    "\u{2028}",
    "\u{e0041}",
    "\nok       x\n",
    "\nerror: y\n",
    "\"",
    "\\",
];

/// Copies of files of a family in a folder on disk. Most of the copies are damaged.
pub struct Batch<'f> {
    pub family: &'f Family,
    pub paths: Vec<PathBuf>,
}

impl<'f> Batch<'f> {
    pub fn new(family: &'f Family, random: &mut Random) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("campaign");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let paths = (0..BATCH).map(|number| {
            let (content, extension) = &family.files[random.below(family.files.len())];
            let (other, _) = &family.files[random.below(family.files.len())];
            let content = match random.below(8) {
                0 => content.clone(),
                1 => with_text(content, random),
                2 => with_text(&damaged(content, other, random), random),
                _ => damaged(content, other, random),
            };
            // Some file names contain such texts, too.
            let name = match random.below(16) {
                0 => TEXTS[random.below(TEXTS.len())],
                _ => "",
            };
            let path = folder.join(format!("{number}{name}.{extension}"));
            fs::write(&path, content).unwrap();
            path
        });
        let paths = paths.collect();
        Self { family, paths }
    }
}

/// Returns the content with one to three of the [`TEXTS`] inserted or written over other bytes.
fn with_text(content: &[u8], random: &mut Random) -> Vec<u8> {
    let mut content = content.to_vec();
    for _ in 0..=random.below(3) {
        let text = TEXTS[random.below(TEXTS.len())];
        let start = random.below(content.len() + 1);
        let end = match random.below(2) {
            0 => start,
            _ => (start + text.len()).min(content.len()),
        };
        content.splice(start..end, text.bytes());
    }
    content
}
