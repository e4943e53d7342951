//! The part of [`Page`] for files that belong together, and for files in archives.

use crate::file::page::{Page, failed};
use gamewire::godot::json::Text;
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
        self.extras.exports_name = session.second.as_ref().map(|second| second.name.clone());
        self.open_again(&name, content)
    }

    /// Reads a package that does not state its version as a file of another engine version, such as
    /// `4.27`. Returns its [`state`](Self::state).
    pub fn choose_engine(&mut self, engine: &str) -> String {
        self.extras.engine = engine
            .split_once('.')
            .and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
        self.reopen()
    }

    /// Takes the archived file that a row shows out of the archive. Returns its name, or an error.
    /// [`take_entry`](Self::take_entry) returns its bytes.
    pub fn extract(&mut self, row: f64) -> String {
        let Some(session) = &self.session else { return "{}".into() };
        match session.extract(row as u64) {
            Ok(Some((name, file))) => {
                self.entry = file;
                format!("{{\"name\":{}}}", Text(&name))
            }
            Ok(None) => "{}".into(),
            Err(fault) => failed(&fault),
        }
    }

    /// Returns the bytes of the file that was taken out of an archive.
    pub fn take_entry(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.entry)
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
