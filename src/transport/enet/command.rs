use super::wire::{FragmentHead, Head, Layout, ReliableHead, UnreliableHead};
use super::{
    Acknowledge, BandwidthLimit, Connect, Disconnect, Error, ErrorKind, Result, ThrottleConfigure,
    VerifyConnect,
};
use crate::buffer::{Cursor, Full, Sink};
use core::iter::FusedIterator;

/// The upper 4 bits of a command's first byte. ENet looks at two of them; the others are
/// kept as they came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(u8);

impl Flags {
    /// No flag.
    pub const NONE: Self = Self(0);
    /// Not in the order of its channel.
    pub const UNSEQUENCED: Self = Self(1 << 6);
    /// The sender wants it acknowledged, and sends it again until it is.
    pub const ACKNOWLEDGE: Self = Self(1 << 7);

    /// Whether the sender wants the command acknowledged.
    pub const fn acknowledge(self) -> bool {
        self.0 & Self::ACKNOWLEDGE.0 != 0
    }

    /// Whether the command is not in the order of its channel.
    pub const fn unsequenced(self) -> bool {
        self.0 & Self::UNSEQUENCED.0 != 0
    }
}

/// One command of a datagram, its payload borrowed from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Command<'a> {
    /// How it is to be treated.
    pub flags: Flags,
    /// 255 for what concerns the connection as a whole.
    pub channel: u8,
    /// The channel's reliable sequence: of this command if it is a reliable one, of the
    /// last reliable one before it if it is not, 0 if it is unsequenced.
    pub sequence: u16,
    /// What the command is about.
    pub body: Body<'a>,
}

/// What a command is about, in the order of the types 1 to 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Body<'a> {
    /// That a reliable command came.
    Acknowledge(Acknowledge),
    /// A client asks for a connection.
    Connect(Connect),
    /// The server agrees.
    VerifyConnect(VerifyConnect),
    /// The connection ends.
    Disconnect(Disconnect),
    /// Is the other side still there?
    Ping,
    /// A packet that is sent until it is acknowledged.
    Reliable {
        /// The packet.
        payload: &'a [u8],
    },
    /// A packet that may get lost, but is not to come after a later one.
    Unreliable {
        /// Its number, from 1 after each reliable command of the channel.
        number: u16,
        /// The packet.
        payload: &'a [u8],
    },
    /// A part of a packet that is sent reliably. Each part has a sequence of its own.
    Fragment(Fragment<'a>),
    /// A packet that may get lost and may come in any order.
    Unsequenced {
        /// Its number, from 1 in each connection.
        group: u16,
        /// The packet.
        payload: &'a [u8],
    },
    /// What the sender takes and sends at the most.
    BandwidthLimit(BandwidthLimit),
    /// How unreliable packets are to be throttled.
    ThrottleConfigure(ThrottleConfigure),
    /// A part of a packet that is sent unreliably. All parts have the same sequence.
    UnreliableFragment(Fragment<'a>),
}

/// A part of a packet that is larger than a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fragment<'a> {
    /// Where a packet begins: the sequence of its first part, or the number that it has
    /// among the unreliable packets.
    pub start: u16,
    /// How many parts there are.
    pub count: u32,
    /// Which of them this is, from 0.
    pub number: u32,
    /// The packet's length.
    pub total: u32,
    /// Where this part belongs in it.
    pub offset: u32,
    /// This part's bytes.
    pub payload: &'a [u8],
}

impl<'a> Command<'a> {
    /// The command's length on the wire, its payload included.
    pub fn wire_len(&self) -> usize {
        Head::SIZE.saturating_add(self.body.wire_len())
    }

    /// Appends the command: whole, or not at all.
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
    /// [`ErrorKind::NoRoom`] if the sink has none.
    pub fn write<S: Sink>(&self, sink: &mut S) -> Result<()> {
        let at = sink.position() as u64;
        let payload = self.body.payload();
        let Ok(len) = u16::try_from(payload.len()) else {
            return Err(Error::new(ErrorKind::OutOfRange, at));
        };
        let mut write = || {
            sink.reserve(self.wire_len())?;
            let kind = self.flags.0 | self.body.id();
            Head { kind, channel: self.channel, sequence: self.sequence }.write(sink)?;
            self.body.write_fields(len, sink)?;
            sink.put(payload);
            Ok(())
        };
        write().map_err(|full: Full| Error::new(full.into(), at))
    }

    // (`plain` of what is read, and not `read`: a small struct in a `Result` goes through
    // memory, and to read it at once in another width stalls.)
    #[inline(always)]
    pub(super) fn read(at: &mut Cursor<'a>) -> Result<Self> {
        let start = at.pos() as u64;
        let head = Head::plain(at.read()?);
        let body = match head.kind & TYPE {
            1 => Body::Acknowledge(Layout::plain(at.read()?)),
            6 => {
                let ReliableHead { len } = Layout::plain(at.read()?);
                Body::Reliable { payload: at.slice(len.into())? }
            }
            7 => {
                let UnreliableHead { number, len } = Layout::plain(at.read()?);
                Body::Unreliable { number, payload: at.slice(len.into())? }
            }
            9 => {
                let UnreliableHead { number: group, len } = Layout::plain(at.read()?);
                Body::Unsequenced { group, payload: at.slice(len.into())? }
            }
            _ => return Self::read_rare(head, at, start),
        };
        Ok(Self::new(head, body))
    }

    /// What is not in every other datagram.
    #[inline(never)]
    fn read_rare(head: Head, at: &mut Cursor<'a>, start: u64) -> Result<Self> {
        let body = match head.kind & TYPE {
            2 => Body::Connect(Layout::read(at)?),
            3 => Body::VerifyConnect(Layout::read(at)?),
            4 => Body::Disconnect(Layout::read(at)?),
            5 => Body::Ping,
            8 => Body::Fragment(Fragment::read(at)?),
            10 => Body::BandwidthLimit(Layout::read(at)?),
            11 => Body::ThrottleConfigure(Layout::read(at)?),
            12 => Body::UnreliableFragment(Fragment::read(at)?),
            id => return Err(Error::new(ErrorKind::UnknownCommand { id }, start)),
        };
        Ok(Self::new(head, body))
    }

    #[inline(always)]
    fn new(head: Head, body: Body<'a>) -> Self {
        let Head { kind, channel, sequence } = head;
        Self { flags: Flags(kind & !TYPE), channel, sequence, body }
    }
}

/// The bits of a command's first byte that are its type.
const TYPE: u8 = 0x0F;

impl<'a> Body<'a> {
    /// The type on the wire, 1 to 12.
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

    /// The bytes of a packet or of a part of one; none for other commands.
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

    /// What stands between the head and the payload, of `len` bytes.
    fn write_fields<S: Sink>(&self, len: u16, sink: &mut S) -> core::result::Result<(), Full> {
        match *self {
            Self::Acknowledge(fields) => fields.write(sink),
            Self::Connect(fields) => fields.write(sink),
            Self::VerifyConnect(fields) => fields.write(sink),
            Self::Disconnect(fields) => fields.write(sink),
            Self::Ping => Ok(()),
            Self::Reliable { .. } => ReliableHead { len }.write(sink),
            Self::Unreliable { number, .. } | Self::Unsequenced { group: number, .. } => {
                UnreliableHead { number, len }.write(sink)
            }
            Self::Fragment(part) | Self::UnreliableFragment(part) => part.head(len).write(sink),
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
            Self::Reliable { .. } => ReliableHead::SIZE,
            Self::Unreliable { .. } | Self::Unsequenced { .. } => UnreliableHead::SIZE,
            Self::Fragment(_) | Self::UnreliableFragment(_) => FragmentHead::SIZE,
            Self::BandwidthLimit(_) => BandwidthLimit::SIZE,
            Self::ThrottleConfigure(_) => ThrottleConfigure::SIZE,
        };
        self.payload().len().saturating_add(fields)
    }
}

impl<'a> Fragment<'a> {
    #[inline]
    fn read(at: &mut Cursor<'a>) -> Result<Self> {
        let FragmentHead { start, len, count, number, total, offset } = Layout::read(at)?;
        let payload = at.slice(len.into())?;
        Ok(Self { start, count, number, total, offset, payload })
    }

    fn head(self, len: u16) -> FragmentHead {
        let Self { start, count, number, total, offset, .. } = self;
        FragmentHead { start, len, count, number, total, offset }
    }
}

/// Iterator over the commands of a datagram's plain body; ends after an error, since
/// where the next command would be is not known then.
#[derive(Clone, Debug)]
pub struct Commands<'a> {
    at: Cursor<'a>,
    /// Where the body begins in the datagram.
    origin: u64,
    failed: bool,
}

impl<'a> Commands<'a> {
    /// The commands of `body`, which begins `origin` bytes into the datagram.
    pub fn new(body: &'a [u8], origin: usize) -> Self {
        Self { at: Cursor::new(body), origin: origin as u64, failed: false }
    }

    /// Where the next command begins, from the start of the datagram; after an error,
    /// where the damaged one does. (Of a compressed datagram: as if it were plain.)
    pub fn offset(&self) -> u64 {
        self.origin.saturating_add(self.at.pos() as u64)
    }
}

impl<'a> Iterator for Commands<'a> {
    type Item = Result<Command<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.at.is_empty() {
            return None;
        }
        let mut at = self.at;
        let command = Command::read(&mut at);
        match command {
            Ok(_) => self.at = at,
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

    /// One of each type, with its length by the protocol's description.
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
    fn each_type_is_read_as_it_was_written() {
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
    fn every_cut_is_an_end_inside_the_command() {
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
    fn types_that_do_not_exist() {
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
    fn what_cannot_be_written_is_not() {
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
        assert_eq!(error, Error::new(ErrorKind::NoRoom { missing: 1 }, 0));
        assert!(sink.written().is_empty());
    }
}
