//! A sink that collects bytes in a vector, up to a limit.

use crate::buffer::{Full, Sink};
use alloc::vec::Vec;

/// A vector of at most `limit` bytes.
#[derive(Debug)]
pub(super) struct Limited {
    pub bytes: Vec<u8>,
    limit: usize,
}

impl Limited {
    pub(super) const fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), limit }
    }
}

impl Sink for Limited {
    const REWINDS: bool = true;

    #[inline]
    fn reserve(&mut self, n: usize) -> Result<(), Full> {
        let left = self.limit.saturating_sub(self.bytes.len());
        if n > left {
            return Err(Full::short_of(n, left));
        }
        self.bytes.reserve(n);
        Ok(())
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    fn position(&self) -> usize {
        self.bytes.len()
    }

    fn rewind(&mut self, position: usize) {
        self.bytes.truncate(position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rems::{Dialect, TextReader, TextWriter, WriteErrorKind, rewrite};

    #[test]
    fn a_result_that_is_too_long_is_refused() {
        let text = br#"[{"class":"A","i:*ptr":1}]"#;
        let written = |limit| {
            let mut writer = TextWriter::new(Limited::new(limit), Dialect::Engine2026);
            rewrite(&mut TextReader::new(text), &mut writer, drop)?;
            writer.finish().map(|sink| sink.bytes)
        };
        assert_eq!(written(text.len()).unwrap(), text);
        let error = written(text.len() - 1).unwrap_err();
        assert!(matches!(error.kind(), WriteErrorKind::Full(_)), "{error:?}");
    }
}
