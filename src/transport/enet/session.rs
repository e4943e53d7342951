//! Which packets the receiver's application is given, and when.

mod channel;
mod reliable;
mod room;
mod store;
mod unreliable;

use super::{Body, Command, Commands, Datagram, Error, ErrorKind, RangeCoder, Result};
use crate::buffer::Cursor;
use alloc::vec::Vec;
use channel::Channel;
use core::fmt;
use room::{Refused, Room};

/// How much a [`Session`] keeps. It allocates what it needs, when it needs it, and
/// keeps the memory for the next packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Bytes of packets that cannot be delivered yet, those of incomplete packets
    /// included: by default 8 MiB. (Counted in pieces of 256 bytes.)
    pub buffered: usize,
    /// How many commands with such bytes: by default 4096. Of each, some 64 bytes are
    /// kept besides its own.
    pub waiting: usize,
    /// Bytes of the largest packet that is put together from fragments: by default
    /// 4 MiB. (ENet's own default is 32 MiB.)
    pub packet: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { buffered: 8 << 20, waiting: 4096, packet: 4 << 20 }
    }
}

/// How a packet was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Each packet once, in order.
    Reliable,
    /// Some packets, in order.
    Unreliable,
    /// Some packets, in any order.
    Unsequenced,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Reliable => "reliable",
            Self::Unreliable => "unreliable",
            Self::Unsequenced => "unsequenced",
        })
    }
}

/// A packet, as the receiver's application gets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delivery<'e> {
    /// The channel.
    pub channel: u8,
    /// How it was sent.
    pub mode: Mode,
    /// Its number: sequence (of a fragmented packet the first one), number among the
    /// unreliable packets, or group.
    pub number: u16,
    /// The packet.
    pub payload: &'e [u8],
}

/// Packets that are not delivered, though others that were sent later are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lost {
    /// The channel.
    pub channel: u8,
    /// How they were sent. (A single unreliable packet that is missing is not told of;
    /// an incomplete one is, and one that waited for a reliable one in vain.)
    pub mode: Mode,
    /// The first number, as in [`Delivery::number`].
    pub first: u16,
    /// How many numbers. (A reliable packet in fragments has one for each; what comes of
    /// it later is dropped without being told again.)
    pub count: u32,
}

/// What a datagram brought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Event<'e> {
    /// A packet.
    Delivery(Delivery<'e>),
    /// A command without a packet, as often as it comes: acknowledgements, connecting and
    /// disconnecting, pings, limits.
    Control(Command<'e>),
    /// Packets that were given up.
    Lost(Lost),
    /// What is malformed, with its place in the datagram. After an error in the datagram
    /// itself nothing more is read of it; after a bad fragment or channel, reading goes on
    /// with the next command.
    Malformed(Error),
}

/// One direction of a connection: what the destination's application is given of what
/// the source sent.
///
/// It is fed with the datagrams in the order in which they were seen, and calls back. Keep
/// one for each pair of source and destination address. (The header's peer id is the
/// receiver's slot, so it does not tell who sends.)
///
/// * Reliable packets come once and in order. What comes early waits for the gap to be
///   filled; at a [limit](Limits) the oldest gap is given up, and told of as
///   [`Event::Lost`].
/// * Unreliable packets are dropped if they are older than the newest of their channel, or
///   repeated. As in ENet they belong behind the reliable packet before them: they wait for
///   it, and are dropped once the next one has come.
/// * Unsequenced packets are dropped if they are repeated, within the 1024 groups that ENet
///   remembers.
/// * A CONNECT or VERIFY_CONNECT with another id than the last begins anew, and what was
///   waiting is gone. A session whose beginning was not seen begins, in each channel, with
///   the first sequence that is.
///
/// ```
/// use gamewire::transport::enet::{Body, Command, Event, Flags, Limits, RangeCoder, Session};
///
/// let packet = |sequence, payload| {
///     let body = Body::Reliable { payload };
///     let mut datagram = vec![0x80, 0, 0x12, 0x34];
///     let command = Command { flags: Flags::ACKNOWLEDGE, channel: 0, sequence, body };
///     command.write(&mut datagram).map(|()| datagram)
/// };
/// // The third comes before the second, and the second twice.
/// let datagrams = [packet(7, b"a")?, packet(9, b"c")?, packet(8, b"b")?, packet(8, b"b")?];
///
/// let mut session = Session::new(Limits::default());
/// let mut coder = RangeCoder::new(); // one for all sessions
/// let mut text = Vec::new();
/// for datagram in &datagrams {
///     session.feed(datagram, &mut coder, |event| match event {
///         Event::Delivery(packet) => text.extend_from_slice(packet.payload),
///         other => panic!("{other:?}"),
///     });
/// }
/// assert_eq!(text, b"abc");
/// # Ok::<(), gamewire::transport::enet::Error>(())
/// ```
#[derive(Debug)]
pub struct Session {
    checksums: bool,
    /// Of the connection whose beginning was seen.
    connect_id: Option<u32>,
    channels: Vec<Channel>,
    groups: Groups,
    room: Room,
}

impl Session {
    /// A session of which nothing was seen. It allocates nothing yet.
    pub fn new(limits: Limits) -> Self {
        Self {
            checksums: false,
            connect_id: None,
            channels: Vec::new(),
            groups: Groups::default(),
            room: Room::new(limits),
        }
    }

    /// Between hosts with checksums (which are skipped), or, as Godot's are, without.
    #[must_use]
    pub fn checksums(mut self, checksums: bool) -> Self {
        self.checksums = checksums;
        self
    }

    /// Takes in one datagram, the payload of a UDP packet, and calls `each` with what comes
    /// of it.
    pub fn feed(
        &mut self,
        datagram: &[u8],
        coder: &mut RangeCoder,
        mut each: impl FnMut(Event<'_>),
    ) {
        if let Err(error) = self.walk(datagram, coder, &mut each) {
            each(Event::Malformed(error));
        }
    }

    /// Gives up all gaps, at the end of a capture for example: what is waiting behind them
    /// is delivered, and what is incomplete is told of as lost.
    pub fn flush(&mut self, mut each: impl FnMut(Event<'_>)) {
        while self.give_up_oldest(&mut each) {}
    }

    /// Forgets everything but its memory, as if nothing had been seen.
    pub fn reset(&mut self) {
        self.forget(None);
    }

    /// The connection has ended: a CONNECT begins anew, even with the number of the last. (Its
    /// end may be seen in the other direction, so it is not found in the datagrams here.)
    pub fn end(&mut self) {
        self.connect_id = None;
    }

    /// How many bytes of memory the session has allocated. At the most, with the default
    /// limits, that is some 19 MiB: `buffered`, as much again (or `packet`, if that is more)
    /// to put a packet together, and 3 MiB for 255 channels and what is known of what waits.
    /// A session without loss and without fragments takes a few hundred bytes for a channel.
    pub fn memory(&self) -> usize {
        let own = self.quick_memory();
        self.channels.iter().map(Channel::memory).fold(own, usize::saturating_add)
    }

    /// The same without the lists of what waits in each channel: quickly counted.
    pub(crate) fn quick_memory(&self) -> usize {
        let channels = self.channels.capacity().saturating_mul(size_of::<Channel>());
        self.room.memory().saturating_add(channels)
    }

    fn walk<E: FnMut(Event<'_>)>(
        &mut self,
        datagram: &[u8],
        coder: &mut RangeCoder,
        each: &mut E,
    ) -> Result<()> {
        let datagram = Datagram::parse_as(datagram, self.checksums)?;
        let origin = datagram.header_len();
        let body = match datagram.compressed {
            true => coder.decode_datagram(datagram.body, origin)?,
            false => datagram.body,
        };
        if datagram.compressed {
            // What another coder has compressed becomes some bytes or other, of which a command
            // would be made up now and then.
            Commands::new(body, origin).try_for_each(|command| command.map(drop))?;
        }
        let (mut at, origin) = (Cursor::new(body), origin as u64);
        while !at.is_empty() {
            let offset = origin.saturating_add(at.pos() as u64);
            // (By reference, and without `Commands`: what was just written is not copied.)
            let taken = match &Command::read(&mut at) {
                Ok(command) => self.command(command, each),
                Err(error) => return Err(error.shifted(origin)),
            };
            if let Err(kind) = taken {
                each(Event::Malformed(Error::new(kind, offset)));
            }
        }
        Ok(())
    }

    fn command<E: FnMut(Event<'_>)>(
        &mut self,
        command: &Command<'_>,
        each: &mut E,
    ) -> core::result::Result<(), ErrorKind> {
        match &command.body {
            Body::Connect(connect) => self.connect(connect.connect_id),
            Body::VerifyConnect(verify) => self.connect(verify.connect_id),
            Body::Reliable { .. }
            | Body::Fragment(_)
            | Body::Unreliable { .. }
            | Body::UnreliableFragment(_)
            | Body::Unsequenced { .. } => {
                return match command.channel {
                    Channel::CONTROL => Err(ErrorKind::BadChannel),
                    _ => self.packet(command, each),
                };
            }
            _ => {}
        }
        each(Event::Control(*command));
        Ok(())
    }

    /// Repeats are ordinary: it is sent until it is acknowledged.
    fn connect(&mut self, id: u32) {
        if self.connect_id != Some(id) {
            self.forget(Some(id));
        }
    }

    fn forget(&mut self, connect_id: Option<u32>) {
        self.connect_id = connect_id;
        self.groups = Groups::default();
        self.room.clear();
        let first = self.first();
        self.channels.iter_mut().for_each(|channel| channel.clear(first));
    }

    /// The first reliable sequence of each channel, if the beginning was seen.
    fn first(&self) -> Option<u16> {
        self.connect_id.map(|_| 1)
    }

    /// Has the channel take in a packet or a part of one. Where there is no room for it,
    /// what has waited longest makes room.
    fn packet<E: FnMut(Event<'_>)>(
        &mut self,
        command: &Command<'_>,
        each: &mut E,
    ) -> core::result::Result<(), ErrorKind> {
        if let Body::Unsequenced { group: number, payload } = command.body {
            if self.groups.is_new(number, self.connect_id.is_some()) {
                let (channel, mode) = (command.channel, Mode::Unsequenced);
                each(Event::Delivery(Delivery { channel, mode, number, payload }));
            }
            return Ok(());
        }
        let first = self.first();
        let known = u8::try_from(self.channels.len()).unwrap_or(u8::MAX);
        self.channels.extend((known..=command.channel).map(|number| Channel::new(number, first)));
        let index = usize::from(command.channel);
        loop {
            let Some(channel) = self.channels.get_mut(index) else { return Ok(()) };
            match channel.take_in(command, &mut self.room, each) {
                Ok(()) => return Ok(()),
                Err(Refused::Bad) => return Err(ErrorKind::BadFragment),
                Err(Refused::NoRoom) if self.give_up_oldest(each) => {}
                Err(Refused::NoRoom) => {
                    // There is not even room for this alone.
                    let Some(channel) = self.channels.get_mut(index) else { return Ok(()) };
                    if !channel.skip(command, &mut self.room, each) {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Gives up what has waited longest, if anything does.
    fn give_up_oldest<E: FnMut(Event<'_>)>(&mut self, each: &mut E) -> bool {
        let waiting = self.channels.iter_mut().filter_map(|at| Some((at.oldest()?, at)));
        let Some((_, channel)) = waiting.min_by_key(|(since, _)| *since) else { return false };
        channel.give_up(&mut self.room, each);
        true
    }
}

impl Default for Session {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

/// Which unsequenced packets came, of an aligned window of 1024, as ENet remembers them.
#[derive(Debug, Default)]
struct Groups {
    /// The window's first group.
    base: Option<u16>,
    seen: [u64; 16],
}

impl Groups {
    const WINDOW: u16 = 1024;

    fn is_new(&mut self, group: u16, from_start: bool) -> bool {
        let start = group & !Self::WINDOW.wrapping_sub(1);
        let base = *self.base.get_or_insert(if from_start { 0 } else { start });
        if group.wrapping_sub(base) >= 32 * Self::WINDOW {
            return false;
        }
        if start != base {
            *self = Self { base: Some(start), seen: [0; 16] };
        }
        let bit = 1 << (group & 63);
        let Some(word) = self.seen.get_mut(usize::from(group >> 6 & 15)) else { return false };
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}
