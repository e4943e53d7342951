//! The list of packets. Its rows are decoded again when they are shown.

use super::cursor::{Cursor, Frame, Listener};
use super::filter::Filter;
use super::index::{Index, Step, Walk};
use super::json;
use super::line::Line;
use super::source::Source;
use super::summary::Summary;
use gamewire::traffic::{Options, Record};
use std::rc::Rc;

/// Maximum memory of the rows of a filtered list that are kept, in bytes. If only few packets match,
/// they are far apart in the file, and finding them again would take long.
const KEPT: usize = 4 << 20;
/// Number of rows that are decoded before and after those that are requested.
const MARGIN: u64 = 100;

/// A capture.
pub struct List {
    pub index: Index,
    pub summary: Summary,
    /// The cursor at the end of what was read so far, until the whole capture was read.
    front: Option<Cursor>,
    /// The error that ended the capture.
    pub fault: Option<(String, u64)>,
    view: View,
    filtering: Option<Walk>,
    exporting: Option<Export>,
    /// Rows that were decoded for the last request, and the number of the first one.
    window: (u64, Vec<String>),
}

/// A filtered list.
#[derive(Default)]
struct View {
    filter: Filter,
    /// For each chunk, the number of rows before it. `None` for the list that is not filtered, whose
    /// numbers are in the chunks.
    before: Option<Vec<u64>>,
    rows: u64,
    /// The first rows.
    kept: Vec<String>,
    kept_bytes: usize,
}

struct Export {
    walk: Walk,
    is_csv: bool,
    is_first: bool,
}

impl List {
    /// Creates an empty list. `all` is `true` to show control packets, encrypted packets and the
    /// bytes of other protocols.
    pub fn new(source: Rc<dyn Source>, all: bool) -> Self {
        let mut options = Options::default();
        options.other_protocols = all;
        let filter = Filter { all, ..Filter::default() };
        Self {
            index: Index::new(source.clone()),
            summary: Summary::new(filter.clone()),
            front: Some(Cursor::new(source, options)),
            fault: None,
            view: View { filter, ..View::default() },
            filtering: None,
            exporting: None,
            window: Default::default(),
        }
    }

    /// Reads some bytes of the capture. Returns the offset, and `true` at the end.
    pub fn read(&mut self, budget: u64) -> (u64, bool) {
        let Some(mut front) = self.front.take() else { return (0, true) };
        let end = front.offset() + budget;
        while front.offset() < end {
            if self.index.is_due(&front) {
                let content = std::mem::take(&mut self.summary.content);
                self.index.add(&front, self.summary.rows, content);
            }
            let is_over = match front.step(&mut self.summary) {
                Ok(more) => !more,
                Err(error) => {
                    self.fault = Some((error.kind().to_string(), error.offset()));
                    true
                }
            };
            self.index.packets = front.number;
            if is_over {
                front.finish(&mut self.summary);
                self.index.is_complete = true;
                self.end(&front);
                return (front.offset(), true);
            }
        }
        let offset = front.offset();
        self.front = Some(front);
        (offset, false)
    }

    /// Ends the list with what was read so far.
    pub fn stop(&mut self) {
        if let Some(front) = self.front.take() {
            self.end(&front);
        }
        self.filtering = None;
        self.exporting = None;
    }

    fn end(&mut self, front: &Cursor) {
        self.index.end_chunk(std::mem::take(&mut self.summary.content));
        self.summary.finish(&front.conversations, &front.reassembler, front.offset());
    }

    /// Returns the number of rows.
    pub fn len(&self) -> u64 {
        if self.view.before.is_some() { self.view.rows } else { self.summary.rows }
    }

    /// Returns the time from which times are counted.
    pub fn start(&self) -> i64 {
        self.summary.timeline.start.unwrap_or(0)
    }

    /// Replaces the filter. If it has conditions, the list is empty until [`filter`](Self::filter)
    /// fills it.
    pub fn set_filter(&mut self, filter: Filter) {
        self.window = Default::default();
        self.filtering = None;
        let is_plain = !filter.has_conditions();
        self.view = View { filter, ..View::default() };
        if !is_plain {
            self.view.before = Some(Vec::new());
            self.filtering = Some(Walk::default());
        }
    }

    /// Applies the filter to some bytes of the capture. Returns the offset, and `true` at the end.
    pub fn filter(&mut self, budget: u64) -> (u64, bool) {
        let Some(mut walk) = self.filtering.take() else { return (0, true) };
        let start = self.start();
        let end = self.index.offset(&walk) + budget;
        let view = &mut self.view;
        while !self.index.is_over(&walk) && self.index.offset(&walk) < end {
            let before = view.before.get_or_insert_default();
            if before.len() <= walk.chunk {
                before.push(view.rows);
                if !self.index.chunks[walk.chunk].content.can_match(&view.filter) {
                    walk.skip();
                    continue;
                }
            }
            self.index.step(&mut walk, &mut Matches { view, start, line: &mut self.summary.line });
        }
        let offset = self.index.offset(&walk);
        if self.index.is_over(&walk) {
            return (offset, true);
        }
        self.filtering = Some(walk);
        (offset, false)
    }

    /// Returns the number of the chunk that contains a row.
    fn chunk_of(&self, row: u64) -> usize {
        let after = match &self.view.before {
            Some(before) => before.partition_point(|before| *before <= row),
            None => self.index.chunks.partition_point(|chunk| chunk.rows <= row),
        };
        after.saturating_sub(1)
    }

    /// Returns the number of rows before a chunk.
    fn before(&self, chunk: usize) -> u64 {
        match &self.view.before {
            Some(before) => before.get(chunk).copied(),
            None => self.index.chunks.get(chunk).map(|chunk| chunk.rows),
        }
        .unwrap_or_else(|| self.len())
    }

    /// Returns rows of the list as JSON.
    pub fn rows(&mut self, from: u64, count: u64) -> &[String] {
        let to = from.saturating_add(count).min(self.len());
        let from = from.min(to);
        if to <= self.view.kept.len() as u64 {
            return &self.view.kept[from as usize..to as usize];
        }
        let (first, window) = &self.window;
        if from < *first || to > first + window.len() as u64 {
            let first = from.saturating_sub(MARGIN);
            let last = to.saturating_add(MARGIN).min(self.len());
            let (start, mut rows) = (self.start(), Vec::new());
            self.decode(first, last, &mut |record, _, line| {
                rows.push(json::row(record, start, line));
            });
            self.window = (first, rows);
        }
        let (first, window) = &self.window;
        let end = ((to - first) as usize).min(window.len());
        window.get((from - first) as usize..end).unwrap_or_default()
    }

    /// Returns everything about the packet in a row.
    pub fn details(&mut self, row: u64) -> String {
        let (start, mut details) = (self.start(), "{}".into());
        self.decode(row, row + 1, &mut |record, frame, line| {
            details = json::details(record, frame, start, line);
        });
        details
    }

    /// Decodes the packets in some rows.
    fn decode(&mut self, from: u64, to: u64, each: &mut Each<'_>) {
        let to = to.min(self.len());
        let mut line = std::mem::take(&mut self.summary.line);
        let mut row = from;
        let mut walk = Walk::at(self.chunk_of(from));
        while row < to && !self.index.is_over(&walk) {
            let chunk = walk.chunk;
            let skip = row - self.before(chunk).min(row);
            let left = to - row;
            let mut found = Found { filter: &self.view.filter, skip, left, each, line: &mut line };
            while found.left > 0 && self.index.step(&mut walk, &mut found) == Step::Packet {}
            row = to - found.left;
            // Chunks without rows are skipped.
            if row < to && self.chunk_of(row) > walk.chunk {
                walk = Walk::at(self.chunk_of(row));
            }
        }
        self.summary.line = line;
    }

    /// Begins to export the list, as JSON lines or as CSV.
    pub fn start_export(&mut self, is_csv: bool) {
        self.exporting = Some(Export { walk: Walk::default(), is_csv, is_first: true });
    }

    /// Exports the packets in some bytes of the capture. Returns the offset, and `true` at the end.
    pub fn export(&mut self, budget: u64, out: &mut String) -> (u64, bool) {
        let Some(mut export) = self.exporting.take() else { return (0, true) };
        if export.is_first && export.is_csv {
            out.push_str(json::CSV_HEAD);
        }
        export.is_first = false;
        let (is_csv, filter) = (export.is_csv, &self.view.filter);
        let mut each = |record: &Record<'_>, frame: Option<&Frame<'_>>, line: &mut Line| {
            if is_csv {
                return json::csv(out, record, frame, line);
            }
            json::object(out, record, line);
            out.push('\n');
        };
        let line = &mut self.summary.line;
        let mut found = Found { filter, skip: 0, left: u64::MAX, each: &mut each, line };
        let walk = &mut export.walk;
        let end = self.index.offset(walk) + budget;
        let mut chunk = usize::MAX;
        while !self.index.is_over(walk) && self.index.offset(walk) < end {
            if chunk != walk.chunk {
                chunk = walk.chunk;
                if !self.index.chunks[chunk].content.can_match(filter) {
                    walk.skip();
                    continue;
                }
            }
            self.index.step(walk, &mut found);
        }
        let offset = self.index.offset(walk);
        if self.index.is_over(walk) {
            return (offset, true);
        }
        self.exporting = Some(export);
        (offset, false)
    }
}

/// Adds the packets that a filter accepts to its list.
struct Matches<'l> {
    view: &'l mut View,
    start: i64,
    line: &'l mut Line,
}

impl Listener for Matches<'_> {
    fn record(&mut self, record: &Record<'_>, _: Option<&Frame<'_>>) {
        let Self { view, start, line } = self;
        if !view.filter.accepts(record, line) {
            return;
        }
        if view.kept.len() as u64 == view.rows && view.kept_bytes < KEPT {
            let row = json::row(record, *start, line);
            view.kept_bytes += row.len() + size_of::<String>();
            view.kept.push(row);
        }
        view.rows += 1;
    }
}

type Each<'e> = dyn FnMut(&Record<'_>, Option<&Frame<'_>>, &mut Line) + 'e;

/// Calls `each` with accepted packets, after it has skipped the first ones.
struct Found<'l, 'e> {
    filter: &'l Filter,
    skip: u64,
    left: u64,
    each: &'l mut Each<'e>,
    line: &'l mut Line,
}

impl Listener for Found<'_, '_> {
    fn record(&mut self, record: &Record<'_>, frame: Option<&Frame<'_>>) {
        if self.left == 0 || !self.filter.accepts(record, self.line) {
            return;
        }
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        self.left -= 1;
        (self.each)(record, frame, self.line);
    }
}
