//! What is wrong with values, in the document and besides.

use crate::rems::File;
use crate::ui::report;
use crate::ui::text::Count;
use gamewire::rems::Error;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Of how many values that are malformed is told one by one.
const TOLD: usize = 10;

/// What is wrong with single values: the first few of them, and how many more there are.
#[derive(Debug, Default)]
pub struct Malformed {
    first: Vec<Error>,
    more: u64,
}

impl Malformed {
    pub fn add(&mut self, error: Error) {
        match self.first.len() {
            ..TOLD => self.first.push(error),
            _ => self.more = self.more.saturating_add(1),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    pub fn tell(&self, name: &str, file: &File) {
        for error in &self.first {
            report::error(name, file.refusal(*error));
        }
        if self.more > 0 {
            report::error(name, format_args!("and {} more", Count(self.more, "malformed value")));
        }
    }
}

/// Why something is not there, or not all of it.
pub struct Fault(pub Error);

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(2))?;
        map.serialize_entry("offset", &self.0.offset())?;
        map.serialize_entry("message", &self.0.kind().to_string())?;
        map.end()
    }
}
