//! A slow FastLZ decoder that copies one byte at a time.

/// Decompresses a block of level 1 or 2. Returns `None` if the block is damaged, or has more than
/// `limit` bytes of content.
pub fn decompress(block: &[u8], limit: usize) -> Option<Vec<u8>> {
    let mut input = block.iter().copied();
    let mut out = Vec::new();
    let Some(first) = input.next() else { return Some(out) };
    let level = first / 32 + 1;
    if level > 2 {
        return None;
    }
    let mut opcode = first % 32;
    loop {
        if opcode < 32 {
            for _ in 0..=opcode {
                out.push(input.next()?);
            }
        } else {
            let mut len = usize::from(opcode / 32) + 2;
            if opcode / 32 == 7 {
                let mut byte = input.next()?;
                len += usize::from(byte);
                while level == 2 && byte == 255 {
                    byte = input.next()?;
                    len += usize::from(byte);
                }
            }
            let low = input.next()?;
            let mut back = usize::from(opcode % 32) * 256 + usize::from(low) + 1;
            if level == 2 && opcode % 32 == 31 && low == 255 {
                back += usize::from(input.next()?) * 256;
                back += usize::from(input.next()?);
            }
            for _ in 0..len {
                if out.len() > limit {
                    return None;
                }
                let from = out.len().checked_sub(back)?;
                out.push(out[from]);
            }
        }
        match input.next() {
            Some(next) => opcode = next,
            None => return (out.len() <= limit).then_some(out),
        }
    }
}
