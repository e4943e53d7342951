//! FastLZ: a fast codec of literal runs and references to earlier bytes.
//!
//! A block is a sequence of instructions. In the first byte of a block, the top three bits hold the
//! level of compression minus one. The first instruction begins with the same byte, after these
//! three bits have been cleared.
//!
//! | first byte | further bytes | meaning |
//! |---|---|---|
//! | 0 – 31, *n* | *n* + 1 literals | copies the literals |
//! | 32 – 255 | [more length], low distance, [far distance] | copies earlier bytes |
//!
//! The top three bits of a reference are its length minus 2 (1 to 6). With 7, the length is 9 plus
//! the next byte. In level 2, another byte is added after each byte that is 255. The low five bits
//! and the byte after the length are the distance minus 1. In level 2, if all 13 bits are set, two
//! more bytes follow; they are a big-endian number, which is added to the distance. A reference can
//! overlap the bytes that it produces.

mod compress;
mod decompress;
mod distance;

#[cfg(feature = "transport")]
pub(super) use compress::find_all;
pub use compress::{Level, compress, compress_level, max_compressed_len};
pub use decompress::decompress;
