//! The bytes of all packets, in blocks of one size. A packet is a chain of blocks; several commands
//! can share it.

use super::list::NIL;
use alloc::boxed::Box;
use alloc::vec;

/// Bytes of a block. Most packets of games fit into one block.
pub(super) const BLOCK: usize = 128;

#[derive(Clone, Copy, Debug)]
struct Head {
    /// The next block of the packet, or the next free block.
    next: u32,
    /// In the first block of a packet: its length.
    len: u32,
    /// In the first block of a packet: the number of its owners.
    owners: u32,
}

/// A position in a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) block: u32,
    /// Offset in the block.
    pub(super) skip: u8,
}

#[derive(Debug)]
pub(super) struct Blocks {
    bytes: Box<[[u8; BLOCK]]>,
    heads: Box<[Head]>,
    free: u32,
    free_count: usize,
}

/// Returns the number of blocks that a packet takes.
pub(super) fn blocks_of(len: usize) -> u32 {
    u32::try_from(len.div_ceil(BLOCK).max(1)).unwrap_or(u32::MAX)
}

impl Blocks {
    pub(super) fn new(count: usize) -> Self {
        let head = |index: u32| Head { next: index.saturating_add(1), len: 0, owners: 0 };
        let mut heads: Box<[Head]> = (0..count as u32).map(head).collect();
        if let Some(last) = heads.last_mut() {
            last.next = NIL;
        }
        let free = if count == 0 { NIL } else { 0 };
        let bytes = vec![[0; BLOCK]; count].into_boxed_slice();
        Self { bytes, heads, free, free_count: count }
    }

    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.bytes).saturating_add(size_of_val(&*self.heads))
    }
    /// Returns the bytes of the blocks that packets take.
    pub(super) fn used(&self) -> usize {
        self.heads.len().saturating_sub(self.free_count).saturating_mul(BLOCK)
    }

    /// Stores a packet with one owner. Returns `None` and stores nothing if it does not fit.
    pub(super) fn store(&mut self, payload: &[u8]) -> Option<u32> {
        if blocks_of(payload.len()) as usize > self.free_count {
            return None;
        }
        let (now, mut rest) = payload.split_at_checked(BLOCK).unwrap_or((payload, &[]));
        let first = self.take(now)?;
        let mut last = first;
        while !rest.is_empty() {
            let (now, later) = rest.split_at_checked(BLOCK).unwrap_or((rest, &[]));
            let block = self.take(now)?;
            self.heads.get_mut(last as usize)?.next = block;
            (last, rest) = (block, later);
        }
        let head = self.heads.get_mut(first as usize)?;
        (head.len, head.owners) = (payload.len() as u32, 1);
        Some(first)
    }

    fn take(&mut self, bytes: &[u8]) -> Option<u32> {
        let block = self.free;
        let head = self.heads.get_mut(block as usize)?;
        self.free = head.next;
        head.next = NIL;
        self.free_count = self.free_count.wrapping_sub(1);
        let target = self.bytes.get_mut(block as usize)?;
        target.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        Some(block)
    }

    /// Adds an owner.
    pub(super) fn retain(&mut self, packet: u32) {
        if let Some(head) = self.heads.get_mut(packet as usize) {
            head.owners = head.owners.saturating_add(1);
        }
    }

    /// Removes an owner, and the packet with its last owner.
    pub(super) fn release(&mut self, packet: u32) {
        let Some(head) = self.heads.get_mut(packet as usize) else { return };
        head.owners = head.owners.saturating_sub(1);
        if head.owners > 0 {
            return;
        }
        let mut at = packet;
        while let Some(head) = self.heads.get_mut(at as usize) {
            let next = core::mem::replace(&mut head.next, self.free);
            self.free = at;
            self.free_count = self.free_count.wrapping_add(1);
            at = next;
        }
    }

    pub(super) fn len(&self, packet: u32) -> usize {
        self.heads.get(packet as usize).map_or(0, |head| head.len as usize)
    }

    /// Passes up to `len` bytes from a position on to `each`, and returns the position after them.
    pub(super) fn read(&self, from: Position, len: usize, mut each: impl FnMut(&[u8])) -> Position {
        let Position { mut block, mut skip } = from;
        let mut left = len;
        while left > 0
            && let Some(bytes) = self.bytes.get(block as usize)
        {
            let bytes = bytes.get(skip.into()..).unwrap_or_default();
            let bytes = bytes.get(..left).unwrap_or(bytes);
            each(bytes);
            left = left.saturating_sub(bytes.len());
            skip = skip.saturating_add(bytes.len() as u8);
            if usize::from(skip) >= BLOCK {
                block = self.heads.get(block as usize).map_or(NIL, |head| head.next);
                skip = 0;
            }
        }
        Position { block, skip }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn packets_are_read_back_in_pieces() {
        let mut blocks = Blocks::new(20);
        let bytes: Vec<u8> = (0..=255).cycle().take(1300).collect();
        for len in [0, 1, 127, 128, 129, 1280, 1300] {
            let packet = blocks.store(&bytes[..len]).unwrap();
            assert_eq!(blocks.used(), blocks_of(len) as usize * BLOCK);
            blocks.retain(packet);
            blocks.release(packet);
            let (mut read, mut at) = (Vec::new(), Position { block: packet, skip: 0 });
            for step in [100, 28, 500, 2000] {
                let left = len - read.len();
                at = blocks.read(at, left.min(step), |piece| read.extend_from_slice(piece));
            }
            assert_eq!(read, &bytes[..len]);
            blocks.release(packet);
            assert_eq!(blocks.used(), 0);
        }
        assert!(blocks.store(&[0; 20 * BLOCK + 1]).is_none());
        assert!(blocks.store(&[0; 20 * BLOCK]).is_some() && blocks.store(&[]).is_none());
    }
}
