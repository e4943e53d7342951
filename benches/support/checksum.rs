//! A checksum over everything that a traversal visits. It keeps the compiler from removing any part
//! of the traversal.

#[derive(Default)]
pub struct Checksum(pub u64);

impl Checksum {
    #[inline(always)]
    pub fn add(&mut self, part: u64) {
        self.0 = self.0.wrapping_mul(31).wrapping_add(part);
    }

    #[inline(always)]
    pub fn text(&mut self, text: impl AsRef<[u8]>) {
        let text = text.as_ref();
        self.add(text.len() as u64);
        self.add(text.first().map_or(0, |byte| u64::from(*byte)));
    }

    #[inline(always)]
    pub fn parts(&mut self, parts: &[f64]) {
        parts.iter().for_each(|part| self.add(part.to_bits()));
    }
}
