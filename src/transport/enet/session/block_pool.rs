//! A pool of blocks of one size for the bytes of waiting commands. The pool never exceeds its
//! limit, and released blocks fit any later command, so memory does not fragment.

use alloc::vec::Vec;

const BLOCK: usize = 256;

/// An index that stands for no block.
const NIL: u32 = u32::MAX;

/// Bytes in a linked list of blocks of a pool. A chain that is no longer needed must be returned to
/// this pool with [`BlockPool::release`].
#[derive(Clone, Debug)]
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

#[derive(Clone, Debug)]
pub(super) struct BlockPool {
    blocks: Vec<[u8; BLOCK]>,
    /// For each block, the index of the next block in its list.
    next: Vec<u32>,
    /// First block in the list of free blocks, which has `free_count` blocks.
    free: u32,
    free_count: usize,
    max_blocks: usize,
}

impl BlockPool {
    /// Creates a pool for at most `bytes`, rounded up to whole blocks.
    pub(super) fn new(bytes: usize) -> Self {
        let max_blocks = bytes.div_ceil(BLOCK).min(NIL as usize);
        Self { blocks: Vec::new(), next: Vec::new(), free: NIL, free_count: 0, max_blocks }
    }

    pub(super) fn memory(&self) -> usize {
        let links = self.next.capacity().saturating_mul(size_of::<u32>());
        self.blocks.capacity().saturating_mul(BLOCK).saturating_add(links)
    }

    /// Drops all chains.
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        self.next.clear();
        self.free = NIL;
        self.free_count = 0;
    }

    /// Appends `bytes` to a chain. Returns `false` and appends nothing if they do not fit.
    #[must_use]
    #[allow(
        clippy::disallowed_methods,
        reason = "splits within the length; source and destination have the same length"
    )]
    pub(super) fn append(&mut self, chain: &mut Chain, mut bytes: &[u8]) -> bool {
        let used = chain.len % BLOCK;
        let free = if used == 0 { 0 } else { BLOCK.wrapping_sub(used) };
        let needed = bytes.len().saturating_sub(free).div_ceil(BLOCK);
        let fresh = self.max_blocks.saturating_sub(self.blocks.len());
        if needed > self.free_count.saturating_add(fresh) {
            return false;
        }
        while !bytes.is_empty() {
            let used = chain.len % BLOCK;
            if used == 0 {
                self.add_block(chain);
            }
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK.wrapping_sub(used)));
            let block = self.blocks.get_mut(chain.last as usize);
            if let Some(target) =
                block.and_then(|block| block.get_mut(used..)?.get_mut(..now.len()))
            {
                target.copy_from_slice(now);
            }
            chain.len = chain.len.saturating_add(now.len());
            bytes = later;
        }
        true
    }

    fn add_block(&mut self, chain: &mut Chain) {
        let block = self.allocate();
        match self.next.get_mut(chain.last as usize) {
            Some(next) => *next = block,
            None => chain.first = block,
        }
        chain.last = block;
    }

    fn allocate(&mut self) -> u32 {
        let block = self.free;
        if let Some(next) = self.next.get_mut(block as usize) {
            self.free = *next;
            self.free_count = self.free_count.saturating_sub(1);
            *next = NIL;
            return block;
        }
        let len = self.blocks.len();
        if len == self.blocks.capacity() {
            // Doubles the capacity up to the limit.
            let more = len.max(16).min(self.max_blocks.saturating_sub(len)).max(1);
            self.blocks.reserve_exact(more);
            self.next.reserve_exact(more);
        }
        self.blocks.push([0; BLOCK]);
        self.next.push(NIL);
        len as u32
    }

    /// Appends the bytes of a chain to `into`.
    pub(super) fn read(&self, chain: &Chain, into: &mut Vec<u8>) {
        let mut at = chain.first;
        let mut left = chain.len;
        while left > 0
            && let Some(block) = self.blocks.get(at as usize)
        {
            let block = block.get(..left.min(BLOCK)).unwrap_or_default();
            into.extend_from_slice(block);
            left = left.saturating_sub(block.len());
            at = self.next.get(at as usize).map_or(NIL, |next| *next);
        }
    }

    /// Returns the blocks of a chain to the pool.
    pub(super) fn release(&mut self, chain: Chain) {
        if let Some(next) = self.next.get_mut(chain.last as usize) {
            *next = self.free;
            self.free = chain.first;
            self.free_count = self.free_count.saturating_add(chain.len.div_ceil(BLOCK));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn chains_grow_to_the_limit() {
        let mut pool = BlockPool::new(10 * BLOCK);
        let bytes: Vec<u8> = (0..=255).cycle().take(3 * BLOCK).collect();
        let (mut a, mut b) = (Chain::EMPTY, Chain::EMPTY);
        let (mut expected_a, mut expected_b) = (vec![], vec![]);
        for len in [0, 1, 255, 256, 257, 300] {
            assert!(pool.append(&mut a, &bytes[..len]));
            expected_a.extend_from_slice(&bytes[..len]);
            assert!(pool.append(&mut b, &bytes[len..2 * len]));
            expected_b.extend_from_slice(&bytes[len..2 * len]);
        }
        for (chain, expected) in [(&a, &expected_a), (&b, &expected_b)] {
            let mut read = vec![];
            pool.read(chain, &mut read);
            assert_eq!(&read, expected);
            assert_eq!(chain.len(), expected.len());
        }
        // 1069 bytes each: 5 blocks each, with 211 bytes free in the last one.
        assert!(!pool.append(&mut a, &bytes[..212]));
        assert!(pool.append(&mut a, &bytes[..211]));
        pool.release(b);
        assert!(pool.append(&mut a, &bytes[..3 * BLOCK]));
        assert!(pool.append(&mut a, &bytes[..2 * BLOCK]));
        assert!(!pool.append(&mut a, &bytes[..1]));
        assert_eq!(pool.blocks.len(), 10);
        pool.release(a);
        assert_eq!(pool.free_count, 10);
    }
}
