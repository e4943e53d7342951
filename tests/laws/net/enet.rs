//! Laws of ENet: the range coder agrees with its oracle, and a session accepts arbitrary datagrams.

mod oracle_agreement;

use crate::support::net::range_coder::{self as oracle, DecodeError};
use gamewire::transport::enet::{
    Commands, CompressionMode, Datagram, DatagramCodec, ErrorKind, Event, Limits, RangeCoder,
    Session,
};

/// Maximum size of an ENet datagram.
const MAX_DATAGRAM: usize = 4096;

/// Maximum length of an input that is compared with the oracle's session. An input of this length
/// never exceeds the default limits of a session.
const WITHIN_LIMITS: usize = 1 << 14;

pub use oracle_agreement::session as enet_session;

/// Passes datagrams to a session with small limits. The input contains the length of each datagram
/// in two bytes, and then the datagram. Asserts that the session stays within its memory limit,
/// that decoded datagrams can be encoded again, and that the oracle agrees.
pub fn enet(data: &[u8]) {
    let limits = Limits { buffered: 2000, waiting: 5, packet: 1500 };
    let mut session = Session::new(limits);
    let mut codec = DatagramCodec::new();
    for datagram in datagrams(data) {
        session.feed(datagram, &mut codec, |event| check_event(event, datagram, limits));
        check_memory(&session, limits);
        check_written_back(datagram);
        oracle_agreement::datagram(datagram);
    }
    if data.len() <= WITHIN_LIMITS {
        oracle_agreement::session(datagrams(data));
    }
    session.flush(|event| check_event(event, &[], limits));
    session.flush(|event| panic!("{event:?} after all was given up"));
    check_memory(&session, limits);
}

pub(super) fn datagrams(mut rest: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    std::iter::from_fn(move || {
        let (len, behind) = rest.split_first_chunk()?;
        let len = usize::from(u16::from_le_bytes(*len)).min(behind.len());
        let (datagram, behind) = behind.split_at(len);
        rest = behind;
        Some(datagram)
    })
}

/// Returns datagrams in the form in which [`enet`] reads them.
pub fn enet_input<'a>(datagrams: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut input = Vec::new();
    for datagram in datagrams {
        input.extend((datagram.len() as u16).to_le_bytes());
        input.extend(datagram);
    }
    input
}

fn check_event(event: Event<'_>, datagram: &[u8], limits: Limits) {
    match event {
        Event::Packet(packet) => {
            assert!(packet.channel < 255);
            assert!(packet.payload.len() <= limits.packet.max(usize::from(u16::MAX)));
        }
        Event::Lost(lost) => assert!(lost.channel < 255 && lost.count > 0),
        Event::Malformed(error) => {
            assert!(error.offset() <= datagram.len().max(MAX_DATAGRAM) as u64);
        }
        _ => {}
    }
}

fn check_memory(session: &Session, limits: Limits) {
    let max_memory = max_memory(limits);
    assert!(session.memory() <= max_memory, "{} bytes, of {max_memory}", session.memory());
}

/// Returns an upper bound on the memory of a session: blocks of bytes with their links, one packet,
/// two payloads, 255 channels, and some free entries in both queues of each channel.
pub(super) fn max_memory(limits: Limits) -> usize {
    let bytes = limits.buffered.div_ceil(256) * 260 + limits.buffered.max(limits.packet);
    let waiting = 4 * limits.waiting + 2 * 255 * 33;
    bytes + 2 * usize::from(u16::MAX) + 512 * 256 + waiting * 96
}

fn check_written_back(bytes: &[u8]) {
    for parsed in [Datagram::parse(bytes), Datagram::parse_with_checksum(bytes)] {
        let Ok(datagram) = parsed else { continue };
        let mut again = Vec::new();
        datagram.write(&mut again).unwrap();
        assert_eq!(again, bytes);
        let mut commands = datagram.commands();
        let mut again = bytes[..datagram.header_len()].to_vec();
        for command in commands.by_ref().map_while(Result::ok) {
            let start = again.len();
            command.write(&mut again).unwrap();
            assert_eq!(again.len() - start, command.wire_len());
        }
        assert_eq!(again, bytes[..commands.offset() as usize]);
        assert!(commands.next().is_none());
        if again.len() < bytes.len() {
            cut_off_or_unknown(&bytes[again.len()..]);
        }
    }
}

/// Checks the error of a truncated or unknown command. When the missing bytes are added to a
/// truncated command, it is valid or still truncated. If only its header of four bytes is complete
/// after that, the command may also be unknown.
fn cut_off_or_unknown(rest: &[u8]) {
    let error = Commands::new(rest, 0).next().unwrap().unwrap_err();
    match *error.kind() {
        ErrorKind::UnexpectedEnd { missing } => {
            let more = [rest, &vec![0; missing as usize]].concat();
            let next = Commands::new(&more, 0).next().unwrap();
            let again = next.map_err(|error| *error.kind());
            let cut_again = matches!(again, Err(ErrorKind::UnexpectedEnd { .. }));
            assert!(again.is_ok() || cut_again || more.len() == 4, "{again:?}");
        }
        ErrorKind::UnknownCommand { id } => assert_eq!(id, rest[0] & 15),
        kind => panic!("{kind:?}"),
    }
}

/// Compresses arbitrary bytes in each mode, and decompresses them again; also decompresses the
/// bytes themselves. Asserts that the content is restored, and that the codec agrees with the
/// decompressor of blocks.
#[cfg(feature = "compression")]
pub fn enet_compression(data: &[u8]) {
    use gamewire::compression::{Compression, Decompressor};

    thread_local!(static CODEC: std::cell::RefCell<DatagramCodec> = DatagramCodec::new().into());
    CODEC.with_borrow_mut(|codec| {
        for mode in CompressionMode::ALL {
            if let Ok(plain) = codec.decompress(mode, data, 4) {
                assert!(!plain.is_empty() && plain.len() <= MAX_DATAGRAM - 4);
            }
            let Ok(compressed) = codec.compress(mode, data) else {
                assert!(data.len() > MAX_DATAGRAM);
                continue;
            };
            let Some(body) = compressed.map(<[u8]>::to_vec) else { continue };
            assert!(body.len() < data.len());
            let plain = codec.decompress(mode, &body, 0).unwrap();
            let is_same = match mode {
                // Padding is removed only after valid commands. Zeros at the end of the data are
                // removed with it.
                CompressionMode::FastLz if data.len() <= 16 => {
                    let padded = [data, &[0; 16][data.len()..]].concat();
                    plain == padded || data.starts_with(plain)
                }
                _ => plain == data,
            };
            assert!(is_same, "{mode} {data:x?}");
            let compression = match mode {
                CompressionMode::FastLz => Compression::FastLz,
                CompressionMode::Zlib => Compression::Deflate,
                CompressionMode::Zstd => Compression::Zstd,
                _ => continue,
            };
            let mut out = vec![0; data.len()];
            let len = Decompressor::new().decompress(compression, &body, &mut out);
            assert_eq!((len, &*out), (Ok(data.len()), data), "{mode}");
        }
    });
}

/// Decodes and encodes arbitrary bytes, and compares the results with the oracle. Encoded bytes
/// must be decoded to the original bytes.
pub fn enet_range_coder(data: &[u8]) {
    // Uses one coder for all datagrams, as a session does, because no state may remain from the
    // previous datagram.
    thread_local!(static CODER: std::cell::RefCell<RangeCoder> = RangeCoder::new().into());
    CODER.with_borrow_mut(|coder| {
        check_against_oracle(coder, data);
        check_round_trip(coder, data);
    });
}

fn check_against_oracle(coder: &mut RangeCoder, data: &[u8]) {
    for limit in [MAX_DATAGRAM - 4, 100] {
        let mut memory = vec![0; limit];
        let ours = coder.decode(data, &mut memory).map_err(|error| {
            assert!(error.offset() <= data.len() as u64);
            match *error.kind() {
                ErrorKind::BadCode => DecodeError::InvalidCode,
                ErrorKind::Empty => DecodeError::Empty,
                ErrorKind::TooLong => DecodeError::TooLong,
                kind => panic!("{kind:?}"),
            }
        });
        let theirs = oracle::decode(data, limit);
        assert_eq!(ours, theirs.as_deref().map_err(|error| *error));
    }
    let ours = coder.decode_datagram(data, 4).ok().map(<[u8]>::to_vec);
    assert_eq!(ours, oracle::decode(data, MAX_DATAGRAM - 4).ok());
}

fn check_round_trip(coder: &mut RangeCoder, data: &[u8]) {
    let mut memory = vec![0; 2 * data.len() + 64];
    let coded = coder.encode(data, &mut memory).unwrap().to_vec();
    assert_eq!(coded, oracle::encode(data).0);
    if let Some(short) = coded.len().checked_sub(1) {
        assert!(coder.encode(data, &mut memory[..short]).is_err());
    }
    match coder.decode(&coded, &mut memory) {
        Ok(plain) => assert_eq!(plain, data),
        Err(error) => assert!(data.is_empty(), "{error}"),
    }
}
