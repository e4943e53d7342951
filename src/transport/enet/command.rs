use super::wire::{CommandHeader, FragmentHeader, Layout, ReliableHeader, UnreliableHeader};
use super::{
    Acknowledge, BandwidthLimit, Connect, Disconnect, Error, ErrorKind, Result, ThrottleConfigure,
    VerifyConnect,
};
use crate::buffer::{Cursor, Full, Sink};
use core::iter::FusedIterator;

/// The upper 4 bits of a command's first byte. ENet interprets two of them; the others are
/// preserved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(u8);

impl Flags {
    /// No flags.
    pub const NONE: Self = Self(0);
    /// The command is outside the order of its channel.
    pub const UNSEQUENCED: Self = Self(1 << 6);
    /// The receiver must acknowledge the command. The sender repeats it until it is acknowledged.
    pub const ACKNOWLEDGE: Self = Self(1 << 7);

    /// Returns `true` if the receiver must acknowledge the command.
    pub const fn acknowledge(self) -> bool {
        self.0 & Self::ACKNOWLEDGE.0 != 0
    }

    /// Returns `true` if the command is outside the order of its channel.
    pub const fn unsequenced(self) -> bool {
        self.0 & Self::UNSEQUENCED.0 != 0
    }
}

/// A command of a datagram, with a borrowed payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Command<'a> {
    /// Flags of the command.
    pub flags: Flags,
    /// Channel, 255 for commands about the connection itself.
    pub channel: u8,
    /// Sequence number. A reliable command has its own number. An unreliable command has the number
    /// of the last reliable command of the channel. An unsequenced packet has the number 0. An
    /// acknowledgement has the number of the command that it acknowledges.
    pub sequence: u16,
    /// Type and fields of the command.
    pub body: Body<'a>,
}

/// The type and the fields of a command. The variants are in the order of the type numbers 1 to 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Body<'a> {
    /// A reliable command has arrived.
    Acknowledge(Acknowledge),
    /// A client requests a connection.
    Connect(Connect),
    /// The server accepts the connection.
    VerifyConnect(VerifyConnect),
    /// The connection ends.
    Disconnect(Disconnect),
    /// A request for an acknowledgement, to keep the connection alive.
    Ping,
    /// A packet that is repeated until it is acknowledged.
    Reliable {
        /// The packet.
        payload: &'a [u8],
    },
    /// A packet that may be lost, and is dropped if it arrives after a later one.
    Unreliable {
        /// Number of the packet. Starts at 1 after each reliable command of the channel.
        number: u16,
        /// The packet.
        payload: &'a [u8],
    },
    /// A fragment of a reliable packet. Each fragment has its own sequence number.
    Fragment(Fragment<'a>),
    /// A packet that may be lost and may arrive in any order.
    Unsequenced {
        /// Number of the packet. Starts at 1 in each connection.
        group: u16,
        /// The packet.
        payload: &'a [u8],
    },
    /// Bandwidth limits of the sender.
    BandwidthLimit(BandwidthLimit),
    /// Settings of the throttle for unreliable packets.
    ThrottleConfigure(ThrottleConfigure),
    /// A fragment of an unreliable packet. All fragments have the same sequence number.
    UnreliableFragment(Fragment<'a>),
}

/// A part of a packet that is larger than a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fragment<'a> {
    /// Number of the packet. For a reliable packet, this is the sequence number of its first
    /// fragment. For an unreliable packet, it is the packet's own number.
    pub start: u16,
    /// Number of fragments.
    pub count: u32,
    /// Index of this fragment, from 0.
    pub number: u32,
    /// Length of the packet.
    pub total: u32,
    /// Offset of this fragment in the packet.
    pub offset: u32,
    /// Bytes of this fragment.
    pub payload: &'a [u8],
}

impl<'a> Command<'a> {
    /// Returns the length of the command on the wire, including its payload.
    pub fn wire_len(&self) -> usize {
        CommandHeader::SIZE.saturating_add(self.body.wire_len())
    }

    /// Appends the command to `sink`. Writes nothing if there is an error.
    ///
    /// ```
    /// use gamewire::transport::enet::{Body, Command, Flags};
    ///
    /// let body = Body::Reliable { payload: b"hi" };
    /// let command = Command { flags: Flags::ACKNOWLEDGE, channel: 0, sequence: 1, body };
    /// let mut bytes = Vec::new();
    /// command.write(&mut bytes)?;
    /// assert_eq!(bytes, b"\x86\0\0\x01\0\x02hi");
    /// # Ok::<(), gamewire::transport::enet::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::OutOfRange`] for a payload of 64 KiB or more,
    /// [`ErrorKind::BufferFull`] if the sink is full.
    pub fn write<S: Sink>(&self, sink: &mut S) -> Result<()> {
        let at = sink.position() as u64;
        let payload = self.body.payload();
        let Ok(len) = u16::try_from(payload.len()) else {
            return Err(Error::new(ErrorKind::OutOfRange, at));
        };
        let mut write = || {
            sink.reserve(self.wire_len())?;
            let kind = self.flags.0 | self.body.id();
            CommandHeader { kind, channel: self.channel, sequence: self.sequence }.write(sink)?;
            self.body.write_fields(len, sink)?;
            sink.put(payload);
            Ok(())
        };
        write().map_err(|full: Full| Error::new(full.into(), at))
    }

    /// Appends the command up to its payload of `len` bytes, which the caller appends.
    #[cfg(feature = "host")]
    pub(super) fn write_head<S: Sink>(
        &self,
        len: u16,
        sink: &mut S,
    ) -> core::result::Result<(), Full> {
        sink.reserve(self.wire_len())?;
        let kind = self.flags.0 | self.body.id();
        CommandHeader { kind, channel: self.channel, sequence: self.sequence }.write(sink)?;
        self.body.write_fields(len, sink)
    }

    /// Returns `true` if ENet sends commands of this type with these flags on this channel. ENet also
    /// accepts other flags and channels, but such bytes are more likely something else.
    pub(crate) fn is_plausible(&self) -> bool {
        const CONTROL_CHANNEL: u8 = 255;
        let control = self.channel == CONTROL_CHANNEL;
        match self.body {
            Body::Acknowledge(_) => self.flags == Flags::NONE,
            Body::Reliable { .. } | Body::Fragment(_) => {
                self.flags == Flags::ACKNOWLEDGE && !control
            }
            Body::Unreliable { .. } | Body::UnreliableFragment(_) => {
                self.flags == Flags::NONE && !control
            }
            Body::Unsequenced { .. } => self.flags == Flags::UNSEQUENCED && !control,
            Body::Disconnect(_) => control,
            _ => self.flags == Flags::ACKNOWLEDGE && control,
        }
    }

    // `Layout::plain` instead of `Layout::read`: a small struct in a `Result` is returned through
    // memory, and reading it back in a different width stalls the processor.
    #[inline(always)]
    pub(super) fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        let start = cursor.pos() as u64;
        let header = CommandHeader::plain(cursor.read()?);
        let body = match header.kind & TYPE {
            1 => Body::Acknowledge(Layout::plain(cursor.read()?)),
            6 => {
                let ReliableHeader { len } = Layout::plain(cursor.read()?);
                Body::Reliable { payload: cursor.slice(len.into())? }
            }
            7 => {
                let UnreliableHeader { number, len } = Layout::plain(cursor.read()?);
                Body::Unreliable { number, payload: cursor.slice(len.into())? }
            }
            9 => {
                let UnreliableHeader { number: group, len } = Layout::plain(cursor.read()?);
                Body::Unsequenced { group, payload: cursor.slice(len.into())? }
            }
            _ => return Self::read_infrequent(header, cursor, start),
        };
        Ok(Self::new(header, body))
    }

    /// Reads the less frequent types.
    #[inline(never)]
    fn read_infrequent(header: CommandHeader, cursor: &mut Cursor<'a>, start: u64) -> Result<Self> {
        let body = match header.kind & TYPE {
            2 => Body::Connect(Layout::read(cursor)?),
            3 => Body::VerifyConnect(Layout::read(cursor)?),
            4 => Body::Disconnect(Layout::read(cursor)?),
            5 => Body::Ping,
            8 => Body::Fragment(Fragment::read(cursor)?),
            10 => Body::BandwidthLimit(Layout::read(cursor)?),
            11 => Body::ThrottleConfigure(Layout::read(cursor)?),
            12 => Body::UnreliableFragment(Fragment::read(cursor)?),
            id => return Err(Error::new(ErrorKind::UnknownCommand { id }, start)),
        };
        Ok(Self::new(header, body))
    }

    #[inline(always)]
    fn new(header: CommandHeader, body: Body<'a>) -> Self {
        let CommandHeader { kind, channel, sequence } = header;
        Self { flags: Flags(kind & !TYPE), channel, sequence, body }
    }
}

/// The bits of a command's first byte that are its type.
const TYPE: u8 = 0x0F;

impl<'a> Body<'a> {
    /// Returns the type on the wire, 1 to 12.
    pub const fn id(&self) -> u8 {
        match self {
            Self::Acknowledge(_) => 1,
            Self::Connect(_) => 2,
            Self::VerifyConnect(_) => 3,
            Self::Disconnect(_) => 4,
            Self::Ping => 5,
            Self::Reliable { .. } => 6,
            Self::Unreliable { .. } => 7,
            Self::Fragment(_) => 8,
            Self::Unsequenced { .. } => 9,
            Self::BandwidthLimit(_) => 10,
            Self::ThrottleConfigure(_) => 11,
            Self::UnreliableFragment(_) => 12,
        }
    }

    /// Returns the bytes of a packet or fragment, or an empty slice for other commands.
    pub const fn payload(&self) -> &'a [u8] {
        match *self {
            Self::Reliable { payload }
            | Self::Unreliable { payload, .. }
            | Self::Unsequenced { payload, .. }
            | Self::Fragment(Fragment { payload, .. })
            | Self::UnreliableFragment(Fragment { payload, .. }) => payload,
            _ => &[],
        }
    }

    /// Writes the fields between the command's header and a payload of `len` bytes.
    fn write_fields<S: Sink>(&self, len: u16, sink: &mut S) -> core::result::Result<(), Full> {
        match *self {
            Self::Acknowledge(fields) => fields.write(sink),
            Self::Connect(fields) => fields.write(sink),
            Self::VerifyConnect(fields) => fields.write(sink),
            Self::Disconnect(fields) => fields.write(sink),
            Self::Ping => Ok(()),
            Self::Reliable { .. } => ReliableHeader { len }.write(sink),
            Self::Unreliable { number, .. } | Self::Unsequenced { group: number, .. } => {
                UnreliableHeader { number, len }.write(sink)
            }
            Self::Fragment(part) | Self::UnreliableFragment(part) => part.header(len).write(sink),
            Self::BandwidthLimit(fields) => fields.write(sink),
            Self::ThrottleConfigure(fields) => fields.write(sink),
        }
    }

    fn wire_len(&self) -> usize {
        let fields = match self {
            Self::Acknowledge(_) => Acknowledge::SIZE,
            Self::Connect(_) => Connect::SIZE,
            Self::VerifyConnect(_) => VerifyConnect::SIZE,
            Self::Disconnect(_) => Disconnect::SIZE,
            Self::Ping => 0,
            Self::Reliable { .. } => ReliableHeader::SIZE,
            Self::Unreliable { .. } | Self::Unsequenced { .. } => UnreliableHeader::SIZE,
            Self::Fragment(_) | Self::UnreliableFragment(_) => FragmentHeader::SIZE,
            Self::BandwidthLimit(_) => BandwidthLimit::SIZE,
            Self::ThrottleConfigure(_) => ThrottleConfigure::SIZE,
        };
        self.payload().len().saturating_add(fields)
    }
}

impl<'a> Fragment<'a> {
    #[inline]
    fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        let FragmentHeader { start, len, count, number, total, offset } = Layout::read(cursor)?;
        let payload = cursor.slice(len.into())?;
        Ok(Self { start, count, number, total, offset, payload })
    }

    fn header(self, len: u16) -> FragmentHeader {
        let Self { start, count, number, total, offset, .. } = self;
        FragmentHeader { start, len, count, number, total, offset }
    }
}

/// An iterator over the commands in a datagram's uncompressed body. It ends after an error, since
/// the start of the next command is then unknown.
#[derive(Clone, Debug)]
pub struct Commands<'a> {
    cursor: Cursor<'a>,
    /// Offset of the body in the datagram.
    origin: u64,
    failed: bool,
}

impl<'a> Commands<'a> {
    /// Creates an iterator over `body`, which starts at offset `origin` of the datagram.
    pub fn new(body: &'a [u8], origin: usize) -> Self {
        Self { cursor: Cursor::new(body), origin: origin as u64, failed: false }
    }

    /// Returns the offset in the datagram of the next command, or of the malformed one after an
    /// error. In a compressed datagram, offsets count decompressed bytes.
    pub fn offset(&self) -> u64 {
        self.origin.saturating_add(self.cursor.pos() as u64)
    }
}

impl<'a> Iterator for Commands<'a> {
    type Item = Result<Command<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.cursor.is_empty() {
            return None;
        }
        let mut cursor = self.cursor;
        let command = Command::read(&mut cursor);
        match command {
            Ok(_) => self.cursor = cursor,
            Err(_) => self.failed = true,
        }
        Some(command.map_err(|error| error.shifted(self.origin)))
    }
}

impl FusedIterator for Commands<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn part(payload: &[u8]) -> Fragment<'_> {
        Fragment { start: 3, count: 2, number: 1, total: 9, offset: 7, payload }
    }

    /// A command of each type, with its length according to the protocol.
    fn one_of_each() -> [(Body<'static>, usize); 12] {
        [
            (Body::Acknowledge(Acknowledge { sequence: 1, sent_time: 2 }), 8),
            (Body::Connect(Connect { outgoing_peer: 1, data: 9, ..Connect::default() }), 48),
            (Body::VerifyConnect(VerifyConnect { mtu: 1392, ..VerifyConnect::default() }), 44),
            (Body::Disconnect(Disconnect { data: 1 }), 8),
            (Body::Ping, 4),
            (Body::Reliable { payload: b"ab" }, 8),
            (Body::Unreliable { number: 4, payload: b"abc" }, 11),
            (Body::Fragment(part(b"ab")), 26),
            (Body::Unsequenced { group: 5, payload: b"" }, 8),
            (Body::BandwidthLimit(BandwidthLimit { incoming: 1, outgoing: 2 }), 12),
            (Body::ThrottleConfigure(ThrottleConfigure::default()), 16),
            (Body::UnreliableFragment(part(b"a")), 25),
        ]
    }

    #[test]
    fn each_type_makes_a_round_trip() {
        let mut bytes = Vec::new();
        for (id, (body, len)) in (1..).zip(one_of_each()) {
            let start = bytes.len();
            let flags = Flags(u8::from(id % 2 == 0) << 7);
            let command = Command { flags, channel: id, sequence: 0x102, body };
            command.write(&mut bytes).unwrap();
            assert_eq!((bytes.len() - start, command.wire_len()), (len, len), "{body:?}");
            assert_eq!(bytes[start..][..4], [flags.0 | id, id, 1, 2]);
            let read = Commands::new(&bytes[start..], 0).next().unwrap().unwrap();
            assert_eq!(read, command);
        }
        assert_eq!(Commands::new(&bytes, 0).filter(|command| command.is_ok()).count(), 12);
    }

    #[test]
    fn truncated_commands_are_errors() {
        for (body, len) in one_of_each() {
            let mut bytes = Vec::new();
            let command = Command { flags: Flags::NONE, channel: 0, sequence: 1, body };
            command.write(&mut bytes).unwrap();
            for cut in 1..len {
                let mut commands = Commands::new(&bytes[..cut], 100);
                let error = commands.next().unwrap().unwrap_err();
                let ErrorKind::UnexpectedEnd { missing } = *error.kind() else { panic!("{error}") };
                assert!(cut + missing as usize <= len, "{body:?}, {cut}");
                assert!((100..=100 + cut as u64).contains(&error.offset()));
                assert_eq!(commands.offset(), 100);
                assert!(commands.next().is_none());
            }
        }
    }

    #[test]
    fn unknown_types_are_errors() {
        for id in [0, 13, 14, 15] {
            let bytes = [5, 0, 0, 1, 0x80 | id, 0, 0, 2, 0, 0, 0, 0];
            let mut commands = Commands::new(&bytes, 4);
            assert!(commands.next().unwrap().is_ok());
            let error = commands.next().unwrap().unwrap_err();
            assert_eq!(error, Error::new(ErrorKind::UnknownCommand { id }, 8));
            assert!(commands.next().is_none());
        }
    }

    #[test]
    fn failed_writes_leave_nothing() {
        let large = alloc::vec![0; 0x1_0000];
        let mut bytes = alloc::vec![7];
        let body = Body::Reliable { payload: &large };
        let command = Command { flags: Flags::NONE, channel: 0, sequence: 1, body };
        let error = command.write(&mut bytes).unwrap_err();
        assert_eq!(error, Error::new(ErrorKind::OutOfRange, 1));

        let mut memory = [0; 10];
        let mut sink = crate::SliceSink::new(&mut memory);
        let body = Body::Reliable { payload: b"12345" };
        let command = Command { flags: Flags::NONE, channel: 0, sequence: 1, body };
        let error = command.write(&mut sink).unwrap_err();
        assert_eq!(error, Error::new(ErrorKind::BufferFull { missing: 1 }, 0));
        assert!(sink.written().is_empty());
    }
}
