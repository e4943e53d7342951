//! The state of a session: which packets the receiver's application gets, and when.

mod block_pool;
mod buffer;
mod channel;
mod detection;
mod event;
mod limits;
mod reliable;
#[cfg(all(feature = "serde", feature = "traffic"))]
pub(crate) mod state;
mod unreliable;

pub use event::{Arrival, Delivery, Event, Lost, Packet};
pub use limits::Limits;

use super::codec::Opened;
use super::{
    Body, Command, Commands, CompressionMode, Datagram, DatagramCodec, Error, ErrorKind, Fragment,
    Result,
};
use crate::buffer::Cursor;
use crate::transport::Breakdown;
use alloc::vec::Vec;
use buffer::{PacketBuffer, Rejected};
use channel::Channel;
use detection::Detection;

/// One direction of a connection: turns the datagrams of the sender into the packets that the
/// receiver's application gets.
///
/// Feed it the datagrams in the order of capture; it reports [`Event`]s to a callback. Use one
/// session for each pair of source and destination address. The peer id in the header does not
/// identify the sender, as it is the receiver's slot.
///
/// * Reliable packets are delivered once and in order. A packet after a gap waits until the gap is
///   filled. At a [limit](Limits), the oldest gap is given up and reported as [`Event::Lost`].
/// * Unreliable packets are dropped if they repeat the newest one of their channel or are older. As
///   in ENet, they follow the last reliable packet before them: they wait for it, and are dropped
///   once the next reliable packet has arrived.
/// * Unsequenced packets are dropped if they are repeated within the 1024 groups that ENet
///   remembers.
/// * A CONNECT or VERIFY_CONNECT with a new id resets the session, and waiting packets are dropped.
///   If the start of the connection was not captured, each channel starts with its first command.
///
/// ```
/// use gamewire::transport::enet::{Body, Command, DatagramCodec, Event, Flags, Limits, Session};
///
/// let packet = |sequence, payload| {
///     let body = Body::Reliable { payload };
///     let mut datagram = vec![0x80, 0, 0x12, 0x34];
///     let command = Command { flags: Flags::ACKNOWLEDGE, channel: 0, sequence, body };
///     command.write(&mut datagram).map(|()| datagram)
/// };
/// // The third packet arrives before the second, and the second twice.
/// let datagrams = [packet(7, b"a")?, packet(9, b"c")?, packet(8, b"b")?, packet(8, b"b")?];
///
/// let mut session = Session::new(Limits::default());
/// let mut codec = DatagramCodec::new(); // one for all sessions
/// let mut text = Vec::new();
/// for datagram in &datagrams {
///     session.feed(datagram, &mut codec, |event| match event {
///         Event::Packet(packet) => text.extend_from_slice(packet.payload),
///         other => panic!("{other:?}"),
///     });
/// }
/// assert_eq!(text, b"abc");
/// # Ok::<(), gamewire::transport::enet::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    checksums: bool,
    compression: Detection,
    /// Id of the connection, if its start was captured.
    connect_id: Option<u32>,
    channels: Vec<Channel>,
    groups: Groups,
    buffer: PacketBuffer,
    /// `true` if the session reports [`Event::Arrived`].
    reports_arrivals: bool,
    /// Time of sending of the current datagram.
    sent_time: Option<u16>,
}

impl Session {
    /// Creates a session without any state. Does not allocate.
    pub fn new(limits: Limits) -> Self {
        Self {
            checksums: false,
            compression: Detection::Unknown(None),
            connect_id: None,
            channels: Vec::new(),
            groups: Groups::default(),
            buffer: PacketBuffer::new(limits),
            reports_arrivals: false,
            sent_time: None,
        }
    }

    /// Sets whether datagrams have checksums. The session skips the checksums without verifying
    /// them. The default is `false`, because Godot's datagrams have none.
    #[must_use]
    pub fn checksums(mut self, checksums: bool) -> Self {
        self.checksums = checksums;
        self
    }

    /// Sets the compression of datagrams. By default, it is detected: see
    /// [`compression_mode`](Self::compression_mode).
    #[must_use]
    pub fn compression(mut self, mode: CompressionMode) -> Self {
        self.compression = Detection::Fixed(mode);
        self
    }

    /// Returns the compression of datagrams, if it was set or was detected with certainty.
    ///
    /// A datagram does not say how it is compressed. Until the mode is certain, each compressed
    /// datagram is decompressed in two modes. One is the range coder. The other is zlib or
    /// Zstandard if the first bytes indicate it and the result fits, and FastLZ otherwise. A mode
    /// fits if the result consists only of complete, valid commands, with flags and channels as
    /// ENet sends them. If only one mode fits, the session uses this mode until the next connection
    /// begins, and data in a different mode is [`Event::Malformed`].
    pub fn compression_mode(&self) -> Option<CompressionMode> {
        match self.compression {
            Detection::Fixed(mode) | Detection::Detected(mode) => Some(mode),
            Detection::Unknown(_) => None,
        }
    }

    /// Sets whether each command with a packet or fragment is reported as [`Event::Arrived`]. The
    /// default is `false`.
    pub fn report_arrivals(&mut self, arrivals: bool) {
        self.reports_arrivals = arrivals;
    }

    /// Uses the compression that was detected in the other direction. Has no effect if the compression
    /// was [set](Self::compression).
    pub fn learn_compression(&mut self, mode: CompressionMode) {
        self.compression.learn(mode, true);
    }

    /// Processes a datagram, the payload of a UDP packet, and calls `each` for each event.
    pub fn feed(
        &mut self,
        datagram: &[u8],
        codec: &mut DatagramCodec,
        each: impl FnMut(Event<'_>),
    ) {
        self.feed_counting(datagram, codec, &mut Breakdown::default(), each);
    }

    /// Processes a datagram as [`feed`](Self::feed) does, and adds all its bytes to `breakdown`. A
    /// payload is [accepted](Breakdown::accepted) even if it must wait for other commands. The
    /// packets that the session delivers never have more bytes in total than were accepted.
    pub fn feed_counting(
        &mut self,
        datagram: &[u8],
        codec: &mut DatagramCodec,
        breakdown: &mut Breakdown,
        mut each: impl FnMut(Event<'_>),
    ) {
        if let Err(error) = self.process(datagram, codec, breakdown, &mut each) {
            each(Event::Malformed(error));
        }
    }

    /// Gives up all gaps, for example at the end of a capture. Delivers the packets that wait after
    /// a gap, and reports incomplete packets as lost.
    pub fn flush(&mut self, mut each: impl FnMut(Event<'_>)) {
        while self.give_up_oldest(&mut each) {}
    }

    /// Returns `true` if a command waits for missing commands. [`flush`](Self::flush) reports it.
    pub fn is_waiting(&self) -> bool {
        self.channels.iter().any(|channel| channel.oldest().is_some())
    }

    /// Resets the session to its initial state. Keeps the allocated memory.
    pub fn reset(&mut self) {
        self.restart(None);
    }

    /// Ends the connection: the next CONNECT resets the session even if it has the same id. The end
    /// is not detected automatically, because it may be captured only in the other direction.
    pub fn end(&mut self) {
        self.connect_id = None;
    }

    /// Returns the allocated memory in bytes.
    ///
    /// With the default limits, the upper bound is about 19 MiB: 8 MiB for waiting packets
    /// ([`Limits::buffered`]), 8 MiB to reassemble a packet (the larger of [`Limits::buffered`] and
    /// [`Limits::packet`]), and 3 MiB for 255 channels and their queues. A session without loss or
    /// fragments takes a few hundred bytes per channel.
    pub fn memory(&self) -> usize {
        let own = self.shared_memory();
        self.channels.iter().map(Channel::memory).fold(own, usize::saturating_add)
    }

    /// Returns the allocated memory without the queues of the channels, in constant time.
    pub(crate) fn shared_memory(&self) -> usize {
        let channels = self.channels.capacity().saturating_mul(size_of::<Channel>());
        self.buffer.memory().saturating_add(channels)
    }

    fn process<E: FnMut(Event<'_>)>(
        &mut self,
        datagram: &[u8],
        codec: &mut DatagramCodec,
        breakdown: &mut Breakdown,
        each: &mut E,
    ) -> Result<()> {
        let len = datagram.len();
        let datagram = Datagram::parse_as(datagram, self.checksums)
            .inspect_err(|_| breakdown.malformed.add(len))?;
        let origin = datagram.header_len();
        self.sent_time = datagram.sent_time;
        breakdown.datagram_headers.add(origin);
        if !datagram.compressed {
            return self.commands(datagram.body, origin, breakdown, each);
        }
        let opened = self
            .open(codec, datagram.body, origin)
            .inspect_err(|_| breakdown.malformed.add(datagram.body.len()))?;
        let [plain, compressed] = [opened.commands, datagram.body].map(|bytes| bytes.len() as i64);
        breakdown.compressed = breakdown.compressed.wrapping_add(1);
        breakdown.inflation = breakdown.inflation.wrapping_add(plain.wrapping_sub(compressed));
        self.commands(opened.commands, origin, breakdown, each)?;
        // The mode is recorded after the commands, as one of them may begin a new connection.
        self.compression.learn(opened.mode, opened.is_certain);
        Ok(())
    }

    /// Decompresses the body of a datagram.
    fn open<'c>(
        &self,
        codec: &'c mut DatagramCodec,
        body: &[u8],
        origin: usize,
    ) -> Result<Opened<'c>> {
        let opened = self.compression.open(codec, body, origin)?;
        // Data that was compressed in a different mode decodes to random bytes, which may begin
        // with valid commands. All commands are therefore checked before any is reported.
        for command in Commands::new(opened.commands, origin) {
            if !command?.is_plausible() && !self.compression.is_fixed() {
                return Err(Error::new(ErrorKind::BadCode, origin as u64));
            }
        }
        Ok(opened)
    }

    /// Processes the commands of a datagram. `origin` is the offset of the first command in the
    /// datagram.
    #[inline(always)]
    fn commands<E: FnMut(Event<'_>)>(
        &mut self,
        body: &[u8],
        origin: usize,
        breakdown: &mut Breakdown,
        each: &mut E,
    ) -> Result<()> {
        let (mut cursor, origin) = (Cursor::new(body), origin as u64);
        while !cursor.is_empty() {
            let start = cursor.pos();
            let offset = origin.saturating_add(start as u64);
            // By reference, and without `Commands`, to avoid copying the command.
            let result = match &Command::read(&mut cursor) {
                Ok(command) => {
                    let size = cursor.pos().wrapping_sub(start);
                    self.command(command, size, breakdown, each)
                }
                Err(error) => {
                    breakdown.malformed.add(body.len().wrapping_sub(start));
                    return Err(error.shifted(origin));
                }
            };
            if let Err(kind) = result {
                each(Event::Malformed(Error::new(kind, offset)));
            }
        }
        Ok(())
    }

    /// Processes a command that takes `size` bytes.
    fn command<E: FnMut(Event<'_>)>(
        &mut self,
        command: &Command<'_>,
        size: usize,
        breakdown: &mut Breakdown,
        each: &mut E,
    ) -> core::result::Result<(), ErrorKind> {
        let part = match &command.body {
            Body::Reliable { payload }
            | Body::Unreliable { payload, .. }
            | Body::Unsequenced { payload, .. }
            | Body::Fragment(Fragment { payload, .. })
            | Body::UnreliableFragment(Fragment { payload, .. }) => {
                return self.count_packet(command, size, payload.len(), breakdown, each);
            }
            Body::Connect(connect) => {
                self.connect(connect.connect_id);
                &mut breakdown.control
            }
            Body::VerifyConnect(verify) => {
                self.connect(verify.connect_id);
                &mut breakdown.control
            }
            Body::Acknowledge(_) => &mut breakdown.acknowledgements,
            Body::Ping => &mut breakdown.pings,
            _ => &mut breakdown.control,
        };
        part.add(size);
        each(Event::Control(*command));
        Ok(())
    }

    /// Processes a command that contains a packet or a fragment with `payload` bytes.
    #[inline(always)]
    fn count_packet<E: FnMut(Event<'_>)>(
        &mut self,
        command: &Command<'_>,
        size: usize,
        payload: usize,
        breakdown: &mut Breakdown,
        each: &mut E,
    ) -> core::result::Result<(), ErrorKind> {
        let arrival = match command.channel {
            Channel::CONTROL => Err(ErrorKind::BadChannel),
            _ => self.packet(command, each),
        };
        if let Ok(arrival) = arrival
            && self.reports_arrivals
        {
            let (command, sent_time) = (*command, self.sent_time);
            each(Event::Arrived { command, sent_time, arrival });
        }
        match arrival {
            Ok(Arrival::InOrder | Arrival::Early) => {
                breakdown.command_headers.add(size.wrapping_sub(payload));
                breakdown.accepted.add(payload);
            }
            Ok(Arrival::Repeated) => breakdown.repeated.add(size),
            Ok(Arrival::Late) => breakdown.late.add(size),
            Err(_) => breakdown.malformed.add(size),
        }
        arrival.map(|_| ())
    }

    /// Resets the session for a new connection. CONNECT is repeated until it is acknowledged, so a
    /// command with the id of the current connection does not reset it.
    fn connect(&mut self, id: u32) {
        if self.connect_id != Some(id) {
            self.restart(Some(id));
        }
    }

    fn restart(&mut self, connect_id: Option<u32>) {
        self.connect_id = connect_id;
        self.compression.restart();
        self.groups = Groups::default();
        self.buffer.clear();
        let first = self.first_sequence();
        self.channels.iter_mut().for_each(|channel| channel.clear(first));
    }

    /// Returns the first reliable sequence number of each channel, if the start of the connection
    /// was captured.
    fn first_sequence(&self) -> Option<u16> {
        self.connect_id.map(|_| 1)
    }

    /// Passes a packet or fragment to its channel. If the buffer is full, gives up the oldest gaps.
    fn packet<E: FnMut(Event<'_>)>(
        &mut self,
        command: &Command<'_>,
        each: &mut E,
    ) -> core::result::Result<Arrival, ErrorKind> {
        if let Body::Unsequenced { group: number, payload } = command.body {
            if !self.groups.is_new(number, self.connect_id.is_some()) {
                return Ok(Arrival::Repeated);
            }
            let (channel, delivery) = (command.channel, Delivery::Unsequenced);
            each(Event::Packet(Packet { channel, delivery, number, payload }));
            return Ok(Arrival::InOrder);
        }
        let first = self.first_sequence();
        let known = u8::try_from(self.channels.len()).unwrap_or(u8::MAX);
        self.channels.extend((known..=command.channel).map(|number| Channel::new(number, first)));
        let index = usize::from(command.channel);
        loop {
            let Some(channel) = self.channels.get_mut(index) else { return Ok(Arrival::InOrder) };
            match channel.push(command, &mut self.buffer, each) {
                Ok(arrival) => return Ok(arrival),
                Err(Rejected::Malformed) => return Err(ErrorKind::BadFragment),
                Err(Rejected::Full) if self.give_up_oldest(each) => {}
                Err(Rejected::Full) => {
                    // The command exceeds the limits even in an empty buffer.
                    let Some(channel) = self.channels.get_mut(index) else { continue };
                    if !channel.skip(command, &mut self.buffer, each) {
                        return Ok(Arrival::InOrder);
                    }
                }
            }
        }
    }

    /// Gives up the oldest gap. Returns `false` if there is none.
    fn give_up_oldest<E: FnMut(Event<'_>)>(&mut self, each: &mut E) -> bool {
        let waiting = self.channels.iter_mut().filter_map(|at| Some((at.oldest()?, at)));
        let Some((_, channel)) = waiting.min_by_key(|(since, _)| *since) else { return false };
        channel.give_up(&mut self.buffer, each);
        true
    }
}

impl Default for Session {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

/// The unsequenced groups that have arrived, in an aligned window of 1024 groups as in ENet.
#[derive(Clone, Debug, Default)]
struct Groups {
    /// First group of the window.
    base: Option<u16>,
    arrived: [u64; 16],
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
            *self = Self { base: Some(start), arrived: [0; 16] };
        }
        let bit = 1 << (group & 63);
        let Some(word) = self.arrived.get_mut(usize::from(group >> 6 & 15)) else { return false };
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}
