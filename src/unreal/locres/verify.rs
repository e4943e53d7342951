//! Checks the hashes, the number of texts and the position of the strings.

use super::records::{LocalizedString, TextKey};
use super::view::Locres;
use crate::unreal::format::{Error, ErrorKind, Result};

impl Locres<'_> {
    /// Checks what engines guarantee: each key has the right hash, each text has a string, the
    /// stated number of texts is right, the strings begin where the texts end, and nothing follows
    /// the strings. Passes each problem to `report`. Works in linear time, apart from the access to
    /// strings (see [`with_string_index`](Self::with_string_index)). Returns `true` if there are no
    /// problems.
    pub fn verify(&self, mut report: impl FnMut(Error)) -> bool {
        let mut ok = true;
        let mut report = |error| {
            ok = false;
            report(error);
        };
        let mut count = 0u32;
        let mut namespaces = self.namespaces();
        for namespace in namespaces.by_ref() {
            let namespace = match namespace {
                Ok(namespace) => namespace,
                Err(error) => {
                    report(error);
                    return false;
                }
            };
            let before = namespace.from.offset();
            self.verify_key(&namespace.key, before, &mut report);
            for text in namespace.texts() {
                count = count.saturating_add(1);
                match text {
                    Ok(text) => self.verify_key(&text.key, before, &mut report),
                    Err(error) => report(error),
                }
            }
        }
        if let Some(stated) = self.stated_count().filter(|stated| *stated != count) {
            let (what, found) = ("texts", stated.cast_signed());
            report(Error::new(ErrorKind::CountsDiffer { what, found, there: count }, 0));
        }
        if let Err(error) = self.verify_end(namespaces.from.offset()) {
            report(error);
        }
        ok
    }

    fn verify_key(&self, key: &TextKey<'_>, offset: u64, report: &mut impl FnMut(Error)) {
        let expected = key.expected_hash(self.version().into());
        if let (Some(expected), Some(found)) = (expected, key.hash)
            && expected != found
        {
            report(Error::new(ErrorKind::KeyHashDiffers { expected, found }, offset));
        }
    }

    /// Checks that the strings follow the texts, and that nothing follows the strings.
    fn verify_end(&self, end: u64) -> Result<()> {
        let (mut end, len) = (end, self.len());
        if let Some(mut strings) = self.strings() {
            // The number of strings precedes the strings.
            let start = strings.offset().saturating_sub(4);
            if start != end {
                let unused = start.saturating_sub(end);
                return Err(Error::new(ErrorKind::Unused(unused), end));
            }
            for _ in 0..self.string_count() {
                strings.read::<LocalizedString<'_>>(self.layout())?;
            }
            end = strings.offset();
        }
        match len.saturating_sub(end) {
            0 => Ok(()),
            unused => Err(Error::new(ErrorKind::Unused(unused), end)),
        }
    }
}
