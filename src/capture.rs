//! Captured traffic: the files of `tcpdump` and Wireshark, read as a stream.
//!
//! [`Reader`] takes pcap and pcapng from anything that can be read, a pipe that is still
//! written to included, and gives one [`Packet`] after the other; [`segment`] finds the
//! UDP or TCP payload in one.
//!
//! ```
//! use gamewire::capture::{Reader, Transport};
//!
//! // A pcap file of one packet: Ethernet, IPv4, UDP, "hi!".
//! let file = b"\xd4\xc3\xb2\xa1\x02\0\x04\0\0\0\0\0\0\0\0\0\0\0\x04\0\x01\0\0\0\
//!     \x05\0\0\0\x07\0\0\0\x2d\0\0\0\x2d\0\0\0\
//!     \0\0\0\0\0\0\0\0\0\0\0\0\x08\0\
//!     \x45\0\0\x1f\0\0\0\0\x40\x11\0\0\x7f\0\0\x01\x7f\0\0\x02\
//!     \x30\x39\x1f\x90\0\x0b\0\0hi!";
//! let mut reader = Reader::new(&file[..]);
//! while let Some(packet) = reader.next_packet()? {
//!     assert_eq!(packet.time, Some(5_000_007_000)); // 5 s and 7 µs after 1970 began
//!     let segment = packet.segment()?;
//!     assert_eq!(segment.source.to_string(), "127.0.0.1:12345");
//!     let Transport::Udp { payload } = segment.transport else { panic!("not UDP") };
//!     assert_eq!(payload, b"hi!");
//!     assert_eq!(packet.offset, 40); // of the Ethernet header in the file
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Why not a library
//!
//! Both formats are small, and what is asked for here – memory that no file can grow,
//! nothing allocated per packet, each packet as soon as its last byte is there, a file
//! that is cut off told from one that ends – is where the libraries are weak. Looked at,
//! and measured on a capture like that of `benches/capture.rs` (packets of 83 bytes; this
//! module takes 12 ns for one in pcap, 15 in pcapng, of which 6 are the copy into the
//! buffer):
//!
//! * `pcap-parser` 0.17: 19 ns a packet for pcap, 53 for pcapng. A packet's options come
//!   in a new `Vec`; the file's header must arrive in one `read`, so that a slow pipe is
//!   an error; interfaces, their clocks, and where in the file an error is are left to the
//!   caller.
//! * `pcap-file` 2.0: 14 ns and 33 ns (3.0 is not out). Its buffer has 8 MB and a fixed
//!   size: a block that is larger is an error even where nobody wants it, and the same
//!   error as the end of the file. Options come in a new `Vec` here, too. It rejects a
//!   packet whose original length is less than what was captured, which some tools write.
//! * `etherparse` 0.21, for what is inside: see [`segment`].

mod error;
mod ip;
mod link;
mod pcap;
mod pcapng;
mod reader;

pub use error::{Error, ErrorKind};
pub use ip::{Segment, Skipped, Transport};
pub use link::{LinkType, segment};
pub use reader::{Limits, Packet, Reader};

/// What a format makes of the bytes at hand.
enum Step {
    /// A packet.
    Packet(Found),
    /// Nothing to give; the next record starts so many bytes further on.
    Skip(u64),
    /// The record goes on; from its start, so many bytes are needed.
    More(usize),
}

/// Where a packet is in the bytes at hand, and what its record says about it.
struct Found {
    time: Option<i64>,
    link_type: LinkType,
    original_len: u32,
    /// Where its bytes start and how many there are.
    start: usize,
    len: usize,
    /// The size of the record.
    size: usize,
}

/// A word in the byte order of the machine that wrote the file.
#[derive(Clone, Copy, Debug, Default)]
struct Order {
    swapped: bool,
}

impl Order {
    #[inline(always)]
    fn u32(self, bytes: [u8; 4]) -> u32 {
        let word = u32::from_le_bytes(bytes);
        if self.swapped { word.swap_bytes() } else { word }
    }

    #[inline(always)]
    fn u16(self, bytes: [u8; 2]) -> u16 {
        let word = u16::from_le_bytes(bytes);
        if self.swapped { word.swap_bytes() } else { word }
    }
}

/// `bytes` as words, for a header of known size.
#[inline(always)]
fn words<const N: usize>(bytes: &[u8], order: Order) -> Option<[u32; N]> {
    let (words, _) = bytes.as_chunks::<4>();
    Some(words.first_chunk::<N>()?.map(|word| order.u32(word)))
}
