/// Limits on the bytes that a [`Stream`](super::Stream) keeps because earlier bytes are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum distance in bytes from the first missing byte to the end of a segment that is kept:
    /// 256 KiB by default. If a segment ends further ahead, missing bytes are given up. A stream
    /// allocates at most twice this much memory, and none until a segment arrives after a gap.
    pub ahead: u32,
    /// Maximum number of contiguous runs of bytes after gaps: 256 by default. Each run takes 16
    /// bytes of memory. If there are more runs, missing bytes are given up.
    pub runs: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { ahead: 256 << 10, runs: 256 }
    }
}
