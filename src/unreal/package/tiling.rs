//! Checks that the tables of a package follow each other without gaps or overlaps. Engines always
//! write them like this. An overlap therefore means that the package is damaged or is being read
//! with a wrong version. A gap can mean the same, or that a tool has converted the package.

use crate::unreal::format::{Error, ErrorKind};

/// A table and its place in the file.
#[derive(Clone, Copy, Debug)]
struct Tile {
    key: &'static str,
    start: u64,
    end: u64,
}

/// Maximum number of tables in the header of a package.
const MOST: usize = 20;

/// The tables in the header of a package.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiling {
    tiles: [Tile; MOST],
    count: usize,
}

impl Tiling {
    pub const fn new() -> Self {
        Self { tiles: [Tile { key: "", start: 0, end: 0 }; MOST], count: 0 }
    }

    /// Adds a table. A table without bytes can have any offset, so it is left out.
    pub fn add(&mut self, key: &'static str, start: u64, end: u64) {
        if let (true, Some(tile)) = (start < end, self.tiles.get_mut(self.count)) {
            *tile = Tile { key, start, end };
            self.count = self.count.saturating_add(1);
        }
    }

    /// Checks that the tables fill the header from the end of the summary to `header`, the end of
    /// the header. Known gaps are allowed. If a table begins at a wrong offset, returns an error
    /// with the key of that table. If the size of the header is wrong, returns an error with the
    /// key of the summary. If there are both overlaps and gaps, an overlap is reported.
    pub fn check(
        mut self,
        summary_end: u64,
        header: u64,
        is_known_gap: impl Fn(u64, u64) -> bool,
    ) -> Result<(), (&'static str, Error)> {
        let tiles = self.tiles.get_mut(..self.count).unwrap_or_default();
        tiles.sort_unstable_by_key(|tile| (tile.start, tile.end));
        let mut end = summary_end;
        let last = tiles.iter().map(|tile| tile.end).fold(end, u64::max);
        if last > header {
            let sizes = ErrorKind::SizesDiffer { declared: header, found: last };
            return Err((SUMMARY, Error::new(sizes, header)));
        }
        let mut gap = None;
        let header_end = Tile { key: SUMMARY, start: header, end: header };
        for tile in tiles.iter().chain([&header_end]) {
            if tile.start < end {
                return Err((tile.key, Error::new(ErrorKind::Overlap, tile.start)));
            }
            if tile.start > end && !is_known_gap(end, tile.start) {
                let unused = ErrorKind::Unused(tile.start.saturating_sub(end));
                gap = gap.or(Some((tile.key, Error::new(unused, end))));
            }
            end = tile.end;
        }
        gap.map_or(Ok(()), Err)
    }
}

/// The key of the summary.
pub(super) const SUMMARY: &str = "summary";
