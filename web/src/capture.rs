//! Captures of traffic: the packets of games in pcap and pcapng files.
//!
//! A capture is read once, in slices. Rows, details and filters decode parts of it again, from the
//! checkpoint before them, so the memory does not grow with the file.

mod cursor;
mod filter;
mod index;
mod json;
mod line;
mod list;
mod source;
mod summary;
#[cfg(test)]
mod tests;
mod text;
mod timeline;
mod values;

use filter::Filter;
use gamewire::godot::json::Text;
use list::List;
use source::Source;
use std::rc::Rc;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// A file, as an object of the worker.
    pub type CaptureFile;

    /// Reads bytes at an offset. Returns their number, or -1 if the file cannot be read.
    #[wasm_bindgen(method)]
    fn read(this: &CaptureFile, offset: f64, to: &mut [u8]) -> i32;
}

impl Source for CaptureFile {
    fn read_at(&self, offset: u64, to: &mut [u8]) -> Option<usize> {
        usize::try_from(self.read(offset as f64, to)).ok()
    }
}

/// The opened capture.
#[wasm_bindgen]
pub struct Capture(List);

impl std::fmt::Debug for Capture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Capture")
    }
}

#[wasm_bindgen]
impl Capture {
    /// Opens a capture. `all` is `true` to list control packets, encrypted packets, and the bytes of
    /// other protocols.
    #[wasm_bindgen(constructor)]
    pub fn new(file: CaptureFile, all: bool) -> Self {
        Self(List::new(Rc::new(file), all))
    }

    /// Returns the names of all kinds.
    pub fn kinds() -> String {
        json::kinds()
    }

    /// Reads some bytes of the capture. Rows can be requested before all is read.
    pub fn scan(&mut self, budget: u32) -> String {
        let progress = self.0.read(budget.into());
        self.progress(progress)
    }

    /// Ends the capture with what was read so far. Also ends filtering and exporting.
    pub fn stop(&mut self) {
        self.0.stop();
    }

    fn progress(&self, (offset, done): (u64, bool)) -> String {
        let mut out = format!("{{\"offset\":{offset},\"done\":{done},\"rows\":{}", self.0.len());
        if let Some((text, offset)) = &self.0.fault {
            out += &format!(",\"fault\":{{\"text\":{},\"offset\":{offset}}}", Text(text));
        }
        out + "}"
    }

    /// Returns the memory of all checkpoints, in bytes.
    pub fn memory(&self) -> f64 {
        self.0.index.memory() as f64
    }

    /// Returns rows.
    pub fn rows(&mut self, from: f64, count: u32) -> String {
        format!("[{}]", self.0.rows(from as u64, count.into()).join(","))
    }

    /// Returns everything about the packet in a row.
    pub fn details(&mut self, row: f64) -> String {
        self.0.details(row as u64)
    }

    /// Sets the filter. `kinds` has a bit for each kind to show, or is 0 for any kind. The times are
    /// in nanoseconds since the first packet; `to` is negative for any time.
    #[allow(clippy::too_many_arguments, reason = "an object would make the program larger")]
    pub fn set_filter(
        &mut self,
        all: bool,
        kinds: u32,
        text: &str,
        peer: &str,
        member: &str,
        errors: bool,
        from: f64,
        to: f64,
    ) {
        let time = |passed: f64| self.0.start().saturating_add(passed as i64);
        let times = (to >= 0.0).then(|| (time(from), time(to)));
        let (text, peer, member) = (text.into(), peer.into(), member.into());
        self.0.set_filter(Filter { all, only: kinds, text, peer, member, errors, times });
    }

    /// Applies the filter to some bytes of the capture.
    pub fn filter(&mut self, budget: u32) -> String {
        let progress = self.0.filter(budget.into());
        self.progress(progress)
    }

    /// Begins to export the list.
    pub fn start_export(&mut self, csv: bool) {
        self.0.start_export(csv);
    }

    /// Exports the packets in some bytes of the capture.
    pub fn export(&mut self, budget: u32) -> String {
        let mut text = String::new();
        let (offset, done) = self.0.export(budget.into(), &mut text);
        format!("{{\"offset\":{offset},\"done\":{done},\"text\":{}}}", Text(&text))
    }

    /// Returns packets and bytes over time.
    pub fn timeline(&self) -> String {
        self.0.summary.timeline.json()
    }

    /// Returns the ledger and the totals.
    pub fn summary(&self) -> String {
        self.0.summary.json()
    }
}
