//! The object that the worker of the page owns for an opened file. It returns structured answers as
//! JSON.

use super::diff::{Diff, Difference};
use super::open::{Extras, Needs, Opened, open};
use super::place::{Fault, Part};
use super::search::{Field, Hit, Needle};
use super::session::Session;
use super::tree::ShownRow;
use gamewire::godot::Dialect;
use gamewire::godot::find::Endian;
use gamewire::godot::json::Text;
use std::fmt::Write;
use wasm_bindgen::prelude::wasm_bindgen;

/// The opened file.
#[wasm_bindgen]
#[derive(Default)]
pub struct Page {
    pub(crate) session: Option<Session>,
    /// A file that waits for its password.
    pub(crate) locked: Option<(String, Vec<u8>)>,
    /// What the next file needs besides its own bytes.
    pub(crate) extras: Extras,
    /// The file that was taken out of an archive last.
    pub(crate) entry: Vec<u8>,
    /// The file with which the opened one is compared.
    other: Option<Session>,
    diff: Option<Diff>,
}

impl std::fmt::Debug for Page {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Page")
    }
}

#[wasm_bindgen]
impl Page {
    /// Creates a page without a file.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens a file, and returns its [`state`](Self::state).
    pub fn open(&mut self, name: &str, file: Vec<u8>) -> String {
        self.extras.password = None;
        self.open_again(name, file)
    }

    /// Opens a file with the password and the files that were given.
    pub(crate) fn open_again(&mut self, name: &str, file: Vec<u8>) -> String {
        let opened = open(name, file, &mut self.extras);
        // Exports that this file has not used do not belong to the next one, either.
        self.extras.exports = None;
        match opened {
            Ok(Opened::Session(session)) => {
                (self.session, self.locked) = (Some(*session), None);
                (self.diff, self.other) = (None, None);
                self.state()
            }
            Ok(Opened::NeedsPassword(file)) => {
                self.locked = Some((name.into(), file));
                r#"{"needs":"password"}"#.into()
            }
            Err(fault) => failed(&fault),
        }
    }

    /// Closes the file. Mappings are kept.
    pub fn close(&mut self) {
        let mappings = self.extras.mappings;
        *self = Self { extras: Extras { mappings, ..Extras::default() }, ..Self::default() };
    }

    /// Returns what is known about the file.
    pub fn state(&self) -> String {
        let Some(session) = &self.session else { return "{}".into() };
        let (name, format) = (Text(&session.name), Text(&session.format));
        let mut out = format!(
            "{{\"name\":{name},\"format\":{format},\"size\":{},\"rows\":{},\"values\":{},\"undo\":{},\"redo\":{}",
            session.content.len(),
            session.tree.len(),
            session.tree.listing().count,
            session.can_undo(),
            session.can_redo(),
        );
        write_choice(session, &mut out);
        write_companions(session, &mut out);
        if let Some(fault) = &session.tree.listing().fault {
            let _ = write!(out, ",\"fault\":{}", fault_json(fault));
        }
        out + "}"
    }

    /// Returns rows of the tree.
    pub fn rows(&self, from: f64, count: u32) -> String {
        let Some(session) = &self.session else { return "[]".into() };
        let rows = session.rows(from as u64, count.into());
        let rows: Vec<_> = rows.iter().map(row_json).collect();
        format!("[{}]", rows.join(","))
    }

    /// Opens or closes the value in a row. Returns the new number of rows.
    pub fn toggle(&mut self, row: f64, open: bool) -> f64 {
        self.session.as_mut().map_or(0.0, |session| {
            session.toggle(row as u64, open);
            session.tree.len() as f64
        })
    }

    /// Returns the row of the value at an offset, or -1. Opens the containers around it.
    pub fn row_at(&mut self, offset: u32) -> f64 {
        let row = self.session.as_mut().and_then(|session| session.at_offset(offset as usize));
        row.map_or(-1.0, |row| row as f64)
    }

    /// Returns the row of a value that a search found. Opens the containers around it.
    pub fn reveal(&mut self, chain: &str) -> f64 {
        let chain: Vec<u64> = chain.split(',').filter_map(|index| index.parse().ok()).collect();
        self.session.as_mut().map_or(0.0, |session| session.reveal(&chain) as f64)
    }

    /// Returns bytes of the content.
    pub fn bytes(&self, from: u32, count: u32) -> Vec<u8> {
        let Some(session) = &self.session else { return Vec::new() };
        let from = (from as usize).min(session.content.len());
        let to = from.saturating_add(count as usize).min(session.content.len());
        session.content[from..to].to_vec()
    }

    /// Returns the path of a value.
    pub fn path(&self, row: f64) -> String {
        self.session.as_ref().map(|session| session.path(row as u64)).unwrap_or_default()
    }

    /// Returns the text of a value or key, as it can be edited.
    pub fn text(&self, row: f64, key: bool) -> String {
        self.session.as_ref().map(|session| session.text(row as u64, part(key))).unwrap_or_default()
    }

    /// Changes a value or key. Returns the state, or an error.
    pub fn edit(&mut self, row: f64, key: bool, text: &str) -> String {
        let Some(session) = &mut self.session else { return "{}".into() };
        (self.diff, self.other) = (None, None); // they refer to the old content
        match session.edit(row as u64, part(key), text) {
            Ok(()) => self.state(),
            Err(fault) => failed(&fault),
        }
    }

    /// Takes back the last change, or makes it again. Returns the offset of the change, or -1.
    pub fn step_back(&mut self, redo: bool) -> f64 {
        (self.diff, self.other) = (None, None);
        let offset = self.session.as_mut().and_then(|session| session.step_back(redo));
        offset.map_or(-1.0, |offset| offset as f64)
    }

    /// Returns the file with all changes, or the first file if a package has two. `iv` has 16
    /// random bytes, for an encrypted file.
    ///
    /// # Errors
    /// Returns a message if the content is too large for the format, or if `iv` does not have 16
    /// bytes.
    pub fn save(&self, iv: &[u8]) -> Result<Vec<u8>, String> {
        let Some(session) = &self.session else { return Ok(Vec::new()) };
        let iv = iv.try_into().map_err(|_| "16 random bytes are needed")?;
        Ok(session.save_files(iv)?.into_iter().next().map(|(_, file)| file).unwrap_or_default())
    }

    /// Begins a search for a text, given in lower and in upper case, in `any`, `key`, `value` or
    /// `path`.
    pub fn start_search(&mut self, lower: &str, upper: &str, field: &str) {
        let field = match field {
            "key" => Field::Key,
            "value" => Field::Value,
            "path" => Field::Path,
            _ => Field::Any,
        };
        if let Some(session) = &mut self.session {
            session.start_search(Needle::new(lower, upper), field);
        }
    }

    /// Continues the search.
    pub fn search(&mut self, budget: u32) -> String {
        let Some(session) = &mut self.session else { return "{}".into() };
        let (hits, offset, done) = session.search(budget as usize);
        let hit = |hit: &Hit| {
            let (chain, path, text) = (chain_text(&hit.chain), Text(&hit.path), Text(&hit.text));
            format!("{{\"chain\":\"{chain}\",\"path\":{path},\"text\":{text}}}")
        };
        let hits: Vec<_> = hits.iter().map(hit).collect();
        format!("{{\"hits\":[{}],\"offset\":{offset},\"done\":{done}}}", hits.join(","))
    }

    /// Opens another file and begins to compare the opened one with it. Returns an empty object, an
    /// error, or the fact that the file is encrypted and needs a `password`. The other file gets the
    /// files that were added.
    pub fn compare(&mut self, name: &str, file: Vec<u8>, password: Option<String>) -> String {
        let exports = self.extras.exports.take();
        let Some(session) = &self.session else { return "{}".into() };
        let mut extras = Extras { password, exports, exports_name: None, ..self.extras.clone() };
        match open(name, file, &mut extras) {
            Ok(Opened::Session(other)) => {
                self.diff = Some(session.compare(&other));
                self.other = Some(*other);
                "{}".into()
            }
            Ok(Opened::NeedsPassword(_)) => r#"{"needs":"password"}"#.into(),
            Err(fault) => failed(&fault),
        }
    }

    /// Continues the comparison. Releases the other file at the end.
    pub fn diff(&mut self, budget: u32) -> String {
        let (Some(session), Some(other)) = (&self.session, &self.other) else { return "{}".into() };
        let Some(diff) = &mut self.diff else { return "{}".into() };
        let mut found = Vec::new();
        let sides = [session.side(), other.side()];
        let (offset, done) = diff.run(sides, budget as usize, &mut |difference| {
            found.push(difference_json(&difference));
        });
        let count = diff.found;
        if done {
            (self.diff, self.other) = (None, None);
        }
        let found = found.join(",");
        format!("{{\"found\":[{found}],\"count\":{count},\"offset\":{offset},\"done\":{done}}}")
    }

    /// Begins an export as CSV.
    pub fn start_csv(&mut self) {
        if let Some(session) = &mut self.session {
            session.start_csv();
        }
    }

    /// Continues the export as CSV.
    pub fn csv(&mut self, budget: u32) -> String {
        let Some(session) = &mut self.session else { return "{}".into() };
        let mut text = String::new();
        let result = session.csv(budget as usize, &mut text);
        progress(Ok(result), &text)
    }

    /// Begins a check or an export.
    pub fn rewind(&mut self) {
        if let Some(session) = &mut self.session {
            session.rewind();
        }
    }

    /// Continues the check of all values.
    pub fn check(&mut self, budget: u32) -> String {
        let Some(session) = &mut self.session else { return "{}".into() };
        progress(session.check(budget as usize), "")
    }

    /// Continues the export as JSON.
    pub fn export(&mut self, budget: u32) -> String {
        let Some(session) = &mut self.session else { return "{}".into() };
        let mut text = String::new();
        let result = session.export(budget as usize, &mut text);
        progress(result, &text)
    }
}

const fn part(key: bool) -> Part {
    if key { Part::Key } else { Part::Value }
}

fn chain_text(chain: &[u64]) -> String {
    let indices: Vec<_> = chain.iter().map(u64::to_string).collect();
    indices.join(",")
}

fn difference_json(difference: &Difference) -> String {
    let (chain, path) = (chain_text(&difference.chain), Text(&difference.path));
    let mut out = format!("{{\"chain\":\"{chain}\",\"path\":{path}");
    for (name, text) in ["old", "new"].into_iter().zip(&difference.texts) {
        if let Some(text) = text {
            let _ = write!(out, ",\"{name}\":{}", Text(text));
        }
    }
    out + "}"
}

fn fault_json(fault: &Fault) -> String {
    format!("{{\"text\":{},\"offset\":{}}}", Text(&fault.text), fault.offset)
}

pub fn failed(fault: &Fault) -> String {
    format!("{{\"error\":{}}}", fault_json(fault))
}

fn progress(result: Result<(usize, bool), Fault>, text: &str) -> String {
    let text = Text(text);
    match result {
        Ok((offset, done)) => format!("{{\"offset\":{offset},\"done\":{done},\"text\":{text}}}"),
        Err(fault) => {
            format!("{{\"done\":true,\"text\":{text},\"error\":{}}}", fault_json(&fault))
        }
    }
}

fn row_json(shown: &ShownRow) -> String {
    let ShownRow { shown, row } = shown;
    let place = &shown.place;
    let mut out = format!(
        "{{\"depth\":{},\"index\":{},\"siblings\":{},\"label\":{},\"kind\":{},\"text\":{},\"at\":{},\"len\":{}",
        shown.depth,
        place.index,
        shown.siblings,
        Text(&row.label),
        Text(&row.kind),
        Text(&row.text),
        place.value.start,
        place.value.len(),
    );
    if !place.key.is_empty() {
        let _ = write!(out, ",\"keyAt\":{},\"keyLen\":{}", place.key.start, place.key.len());
    }
    if let Some(count) = row.count {
        let _ = write!(out, ",\"count\":{count}");
    }
    let flags = [
        ("canOpen", row.can_open),
        ("isOpen", shown.is_open),
        ("canEdit", row.can_edit),
        ("canEditKey", row.can_edit_key),
        ("canExtract", row.can_extract),
    ];
    for (name, _) in flags.into_iter().filter(|(_, is_set)| *is_set) {
        let _ = write!(out, ",\"{name}\":true");
    }
    out + "}"
}

/// Appends how values of Godot are read.
fn write_choice(session: &Session, out: &mut String) {
    let Some(choice) = &session.choice else { return };
    let dialect = match choice.dialect {
        Dialect::Godot2 => 2,
        Dialect::Godot3 => 3,
        _ => 4,
    };
    let framing = match choice.framing {
        None => "none",
        Some(Endian::Little) => "little",
        Some(Endian::Big) => "big",
    };
    let unique = choice.is_unique;
    let _ = write!(out, ",\"dialect\":\"{dialect}\",\"framing\":\"{framing}\",\"unique\":{unique}");
}

/// Appends what is known about the other files that belong to the opened one.
fn write_companions(session: &Session, out: &mut String) {
    if let Some(second) = &session.second {
        let _ = write!(out, ",\"second\":{}", Text(&second.name));
    }
    if let Some(needs) = session.needs {
        let name = match needs {
            Needs::Exports => "exports",
            Needs::Mappings => "mappings",
        };
        let _ = write!(out, ",\"wants\":\"{name}\"");
    }
    if let Some((own, all)) = &session.engines {
        let names: Vec<_> =
            all.iter().map(|(major, minor)| format!("\"{major}.{minor}\"")).collect();
        let (major, minor) = own;
        let _ = write!(out, ",\"engine\":\"{major}.{minor}\",\"engines\":[{}]", names.join(","));
    }
}
