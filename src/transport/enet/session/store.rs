//! Bytes that have to wait, in pieces of one size: memory grows to its limit and no
//! further, and what is given back fits whatever comes next.

use alloc::vec::Vec;

const PIECE: usize = 256;

/// No piece.
const NIL: u32 = u32::MAX;

/// Bytes in pieces. It has to be given back to the store it is of.
#[derive(Debug)]
pub(super) struct Chain {
    first: u32,
    last: u32,
    len: usize,
}

impl Chain {
    pub(super) const EMPTY: Self = Self { first: NIL, last: NIL, len: 0 };

    pub(super) fn len(&self) -> usize {
        self.len
    }
}

#[derive(Debug)]
pub(super) struct Store {
    pieces: Vec<[u8; PIECE]>,
    /// Which piece comes after each.
    next: Vec<u32>,
    /// The first of those that are free, of `free_count`.
    free: u32,
    free_count: usize,
    most: usize,
}

impl Store {
    /// For at most `bytes`.
    pub(super) fn new(bytes: usize) -> Self {
        let most = bytes.div_ceil(PIECE).min(NIL as usize);
        Self { pieces: Vec::new(), next: Vec::new(), free: NIL, free_count: 0, most }
    }

    pub(super) fn memory(&self) -> usize {
        let links = self.next.capacity().saturating_mul(size_of::<u32>());
        self.pieces.capacity().saturating_mul(PIECE).saturating_add(links)
    }

    /// Forgets all chains.
    pub(super) fn clear(&mut self) {
        self.pieces.clear();
        self.next.clear();
        self.free = NIL;
        self.free_count = 0;
    }

    /// Appends all of `bytes`, or nothing where there is no room.
    #[must_use]
    #[allow(
        clippy::disallowed_methods,
        reason = "at most the length; the place is as long as what is put there"
    )]
    pub(super) fn append(&mut self, chain: &mut Chain, mut bytes: &[u8]) -> bool {
        let used = chain.len % PIECE;
        let rest = if used == 0 { 0 } else { PIECE.wrapping_sub(used) };
        let wanted = bytes.len().saturating_sub(rest).div_ceil(PIECE);
        let fresh = self.most.saturating_sub(self.pieces.len());
        if wanted > self.free_count.saturating_add(fresh) {
            return false;
        }
        while !bytes.is_empty() {
            let used = chain.len % PIECE;
            if used == 0 {
                self.lengthen(chain);
            }
            let (now, later) = bytes.split_at(bytes.len().min(PIECE.wrapping_sub(used)));
            let piece = self.pieces.get_mut(chain.last as usize);
            if let Some(place) = piece.and_then(|piece| piece.get_mut(used..)?.get_mut(..now.len()))
            {
                place.copy_from_slice(now);
            }
            chain.len = chain.len.saturating_add(now.len());
            bytes = later;
        }
        true
    }

    fn lengthen(&mut self, chain: &mut Chain) {
        let piece = self.take();
        match self.next.get_mut(chain.last as usize) {
            Some(next) => *next = piece,
            None => chain.first = piece,
        }
        chain.last = piece;
    }

    fn take(&mut self) -> u32 {
        let piece = self.free;
        if let Some(next) = self.next.get_mut(piece as usize) {
            self.free = *next;
            self.free_count = self.free_count.saturating_sub(1);
            *next = NIL;
            return piece;
        }
        let len = self.pieces.len();
        if len == self.pieces.capacity() {
            // Doubled, but not past the limit.
            let more = len.max(16).min(self.most.saturating_sub(len)).max(1);
            self.pieces.reserve_exact(more);
            self.next.reserve_exact(more);
        }
        self.pieces.push([0; PIECE]);
        self.next.push(NIL);
        len as u32
    }

    /// Appends what a chain holds.
    pub(super) fn read(&self, chain: &Chain, into: &mut Vec<u8>) {
        let mut at = chain.first;
        let mut left = chain.len;
        while left > 0
            && let Some(piece) = self.pieces.get(at as usize)
        {
            let piece = piece.get(..left.min(PIECE)).unwrap_or_default();
            into.extend_from_slice(piece);
            left = left.saturating_sub(piece.len());
            at = self.next.get(at as usize).map_or(NIL, |next| *next);
        }
    }

    /// Takes a chain back.
    pub(super) fn release(&mut self, chain: Chain) {
        if let Some(next) = self.next.get_mut(chain.last as usize) {
            *next = self.free;
            self.free = chain.first;
            self.free_count = self.free_count.saturating_add(chain.len.div_ceil(PIECE));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn chains_grow_side_by_side_up_to_the_limit() {
        let mut store = Store::new(10 * PIECE);
        let bytes: Vec<u8> = (0..=255).cycle().take(3 * PIECE).collect();
        let (mut a, mut b) = (Chain::EMPTY, Chain::EMPTY);
        let (mut expected_a, mut expected_b) = (vec![], vec![]);
        for len in [0, 1, 255, 256, 257, 300] {
            assert!(store.append(&mut a, &bytes[..len]));
            expected_a.extend_from_slice(&bytes[..len]);
            assert!(store.append(&mut b, &bytes[len..2 * len]));
            expected_b.extend_from_slice(&bytes[len..2 * len]);
        }
        for (chain, expected) in [(&a, &expected_a), (&b, &expected_b)] {
            let mut read = vec![];
            store.read(chain, &mut read);
            assert_eq!(&read, expected);
            assert_eq!(chain.len(), expected.len());
        }
        // 1069 bytes each: 5 pieces and 5, and 211 bytes left in the last ones.
        assert!(!store.append(&mut a, &bytes[..212]));
        assert!(store.append(&mut a, &bytes[..211]));
        store.release(b);
        assert!(store.append(&mut a, &bytes[..3 * PIECE]));
        assert!(store.append(&mut a, &bytes[..2 * PIECE]));
        assert!(!store.append(&mut a, &bytes[..1]));
        assert_eq!(store.pieces.len(), 10);
        store.release(a);
        assert_eq!(store.free_count, 10);
    }
}
