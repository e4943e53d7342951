//! Reads captured traffic: the pcap and pcapng files of `tcpdump` and Wireshark, as a stream.
//!
//! [`Reader`] reads the [`Packet`]s of a capture from any [`Read`](std::io::Read), including a pipe
//! that is still being written. [`segment`] finds the UDP or TCP payload of a packet. A
//! [`Reassembler`] does the same, and also reassembles packets that were sent in fragments.
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
//!     assert_eq!(packet.time, Some(5_000_007_000)); // 5 s and 7 µs after the start of 1970
//!     let segment = packet.segment()?;
//!     assert_eq!(segment.source.to_string(), "127.0.0.1:12345");
//!     let Transport::Udp { payload } = segment.transport else { panic!("not UDP") };
//!     assert_eq!(payload, b"hi!");
//!     assert_eq!(packet.offset, 40); // offset of the Ethernet header in the file
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Comparison with other libraries
//!
//! This module uses bounded memory and allocates nothing per packet. It returns each packet as soon
//! as its last byte has arrived. It distinguishes a truncated file from the end of a file. Each
//! library below lacks some of these properties. The times are for one packet of 83 bytes, in a
//! capture like that of `benches/capture.rs`. This module takes 12 ns for pcap and 15 ns for
//! pcapng, including 6 ns for the copy into the buffer.
//!
//! * `pcap-parser` 0.17: 19 ns for pcap, 53 ns for pcapng. It allocates a `Vec` for the options of
//!   each packet. The header of the file must arrive in one `read`, so a slow pipe causes an error.
//!   The caller must keep track of interfaces and their clocks, and of the offset in the file.
//! * `pcap-file` 2.0: 14 ns for pcap, 33 ns for pcapng. It has a fixed buffer of 8 MB. A larger
//!   block is an error, even if its content is not needed. The end of the file gives the same
//!   error. It also allocates a `Vec` for the options. It rejects packets whose original length is
//!   less than the captured length, although some tools write such packets.
//! * `etherparse` 0.21 parses the headers in a packet. The documentation of [`segment`] compares it
//!   with this module.

mod additions;
mod copied_blocks;
mod copier;
mod error;
mod exported_pdu;
mod held_packet;
mod interface;
mod ip;
mod layers;
mod limits;
mod link;
mod link_type;
mod partial_packet;
mod pcap;
mod pcapng;
mod reader;
mod reassembler;
mod step;
mod writer;

pub use additions::Additions;
pub use copier::{Copier, CopyError};
pub use error::{Error, ErrorKind};
pub use exported_pdu::ExportedPdu;
pub use interface::{Interface, PacketRecord};
pub use ip::{Segment, Skipped, Transport};
pub use layers::Layers;
pub use limits::{Limits, ReassemblyLimits};
pub use link::segment;
pub use link_type::LinkType;
pub(crate) use reader::is_capture;
pub use reader::{Packet, Position, Reader};
pub use reassembler::Reassembler;
pub use writer::Writer;
