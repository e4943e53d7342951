//! The part of [`Page`] for files that belong together, and for files in archives.

use crate::session::Needs;
use crate::{Page, failed};
use gamewire::godot::json::Text;
use std::fmt::Write;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Page {
    /// Keeps a file that belongs to the next one: the exports of a package (`.uexp`), or mappings
    /// (`.usmap`).
    ///
    /// Returns an empty object, or an error.
    pub fn add(&mut self, name: &str, file: Vec<u8>) -> String {
        match self.extras.add(name, file) {
            Ok(()) => "{}".into(),
            Err(fault) => failed(&fault),
        }
    }

    /// Opens the file again, with the files that were [added](Self::add). Changes are kept, but can
    /// no longer be undone. Returns its [`state`](Self::state).
    pub fn reopen(&mut self) -> String {
        let Some(session) = &self.session else { return self.state() };
        let (name, content) = (session.name.clone(), session.content.clone());
        self.extras.exports_name.clone_from(&session.second);
        self.open_as(&name, content)
    }

    /// Reads a package that does not state its version as a file of another engine version, such as
    /// `4.27`. Returns its [`state`](Self::state).
    pub fn choose_engine(&mut self, engine: &str) -> String {
        self.extras.engine = engine
            .split_once('.')
            .and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
        self.reopen()
    }

    /// Opens the archived file that a row shows. Returns its [`state`](Self::state).
    pub fn open_entry(&mut self, row: f64) -> String {
        let Some(session) = &self.session else { return self.state() };
        match session.extract(row as u64) {
            Ok(Some((name, file))) => self.open(&name, file),
            Ok(None) => self.state(),
            Err(fault) => failed(&fault),
        }
    }

    /// Returns the second file of a package with all changes.
    ///
    /// # Errors
    /// Returns a message if the content is too large for the format.
    pub fn save_second(&self) -> Result<Vec<u8>, String> {
        let Some(session) = &self.session else { return Ok(Vec::new()) };
        Ok(session
            .save_files([0; 16])?
            .into_iter()
            .nth(1)
            .map(|(_, file)| file)
            .unwrap_or_default())
    }
}

/// Appends what is known about the other files that belong to the opened one.
pub fn write_state(page: &Page, out: &mut String) {
    let Some(session) = &page.session else { return };
    if let Some(second) = &session.second {
        let _ = write!(out, ",\"second\":{}", Text(second));
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
