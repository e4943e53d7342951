//! A host: the connections of a server or a client, without a socket and without a clock.

mod arena;
mod bandwidth;
mod blocks;
mod budget;
mod channel;
mod checksum;
mod commands;
mod config;
mod connections;
mod control;
mod deadlines;
mod ends;
mod event;
mod fragments;
mod incoming;
mod index;
mod list;
mod outgoing;
mod peer;
mod pool;
mod queues;
mod receive;
mod resend;
mod round_trip;
mod send;
mod slots;
mod throttling;
mod transmit;
mod write;

pub use config::Config;
pub use event::{
    ConnectError, DisconnectReason, Event as HostEvent, PeerInfo, PeerKey, PeerState, SendError,
    Transmit,
};

use super::range_coder::MAX_DATAGRAM;
use super::{CompressionMode, Datagram, DatagramCodec, Delivery};
use crate::transport::random::Random;
use alloc::vec::Vec;
use blocks::BLOCK;
use connections::Connections;
use core::fmt;
use core::net::SocketAddr;
use write::HEADROOM;

/// An ENet host that accepts connections, begins connections, or both. It has no socket, no clock
/// and no source of random numbers: the caller passes in the datagrams that arrive and the time,
/// and sends the datagrams that the host returns.
///
/// It behaves as ENet 1.3.18, the version in Godot 4 and 3.6, except where ENet would let a sender
/// take memory or work without limit, and with these protections for servers on the internet:
///
/// * Until a client has proved its address, the host sends no more bytes to it than came from it.
///   The proof is the acknowledgement of a datagram whose time and session bits nobody else knows.
/// * Clients without proof have [places](Config::half_open) of their own. The oldest goes first.
/// * [`new`](Self::new) allocates all memory. Each peer has a guaranteed share of it, and a part of
///   the rest if others do not need it. What does not fit is not acknowledged, so that the sender
///   repeats it.
///
/// The loop of a program: pass in what the socket has received; take all events; send what
/// [`poll_transmit`](Self::poll_transmit) returns; wait for the socket, or until
/// [`next_timeout`](Self::next_timeout).
///
/// ```
/// use gamewire::transport::enet::{Config, Delivery, Host, HostEvent};
/// use std::net::SocketAddr;
///
/// let [to_server, to_client]: [SocketAddr; 2] = ["127.0.0.1:1".parse()?, "127.0.0.1:2".parse()?];
/// let mut server = Host::new(Config { seed: 1, ..Config::default() });
/// let mut client = Host::new(Config { seed: 2, peers: 1, ..Config::default() });
/// client.connect(0, to_server, 2, 77)?;
/// let mut received = Vec::new();
/// for now in 0..20 {
///     // A program would use a socket here.
///     while let Some(datagram) = client.poll_transmit(now) {
///         server.receive(now, to_client, datagram.bytes);
///     }
///     while let Some(datagram) = server.poll_transmit(now) {
///         client.receive(now, to_server, datagram.bytes);
///     }
///     let mut joined = None;
///     while let Some(event) = server.poll_event() {
///         if let HostEvent::Connected { peer, data: 77 } = event {
///             joined = Some(peer);
///         }
///     }
///     if let Some(peer) = joined {
///         server.send(peer, 0, Delivery::Reliable, b"welcome")?;
///     }
///     while let Some(event) = client.poll_event() {
///         if let HostEvent::Received { payload, .. } = event {
///             received.extend_from_slice(payload);
///         }
///     }
/// }
/// assert_eq!(received, b"welcome");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Host {
    connections: Connections,
    codec: DatagramCodec,
    /// The packet of the last event.
    packet: Vec<u8>,
}

impl Host {
    /// Creates a host without peers, and allocates all its memory. After that, nothing is allocated,
    /// with one exception: with [`CompressionMode::Zstd`], the first datagram that needs a table
    /// causes its allocation; all tables together take at most 300 KB.
    pub fn new(config: Config) -> Self {
        let connections = Connections::new(config);
        let packet = Vec::with_capacity(connections.max_packet as usize);
        let mut codec = DatagramCodec::new();
        warm_up(&mut codec, connections.config.compression);
        Self { connections, codec, packet }
    }

    /// Returns the settings, with numbers out of range replaced by the nearest valid ones.
    pub fn config(&self) -> &Config {
        &self.connections.config
    }

    /// Returns the allocated memory in bytes, without the tables of the compression
    /// ([`DatagramCodec`]). It does not change.
    pub fn memory(&self) -> usize {
        let own = size_of::<Self>().saturating_add(self.packet.capacity());
        own.saturating_add(self.connections.memory())
    }

    /// Returns the bytes of memory that packets take now, in blocks of 128 bytes.
    pub fn used_memory(&self) -> usize {
        self.connections.arena.blocks.used()
    }

    /// Returns the length of the longest packet that can be sent or received: that of the
    /// [settings](Config::max_packet), or less if a peer's share of the memory is smaller.
    pub fn max_packet(&self) -> usize {
        self.connections.max_packet as usize
    }

    /// Begins a connection to a server. The event [`Connected`](HostEvent::Connected) follows when
    /// the server has answered, or [`Disconnected`](HostEvent::Disconnected) if it does not. `data`
    /// is a number for the server's application. Godot's clients send their peer id.
    ///
    /// # Errors
    ///
    /// [`ConnectError::TooManyPeers`], [`ConnectError::BadChannelCount`].
    pub fn connect(
        &mut self,
        now: u64,
        address: SocketAddr,
        channels: u16,
        data: u32,
    ) -> Result<PeerKey, ConnectError> {
        self.connections.advance(now);
        self.connections.connect(address, channels, data)
    }

    /// Processes a datagram, the payload of a UDP packet. Ignores those that are malformed, from a
    /// wrong address, or of an earlier connection. Takes time in proportion to the length.
    ///
    /// `now` is the time in milliseconds since any moment. It must not decrease.
    pub fn receive(&mut self, now: u64, from: SocketAddr, datagram: &[u8]) {
        let Self { connections, codec, .. } = self;
        connections.advance(now);
        let len = datagram.len();
        let parsed = Datagram::parse_as(datagram, connections.config.checksums);
        let Some(header) = parsed.ok().filter(|_| len <= MAX_DATAGRAM) else { return };
        let Some(sender) = connections.sender(&header, from) else { return };
        let mode = connections.config.compression;
        let commands = match header.compressed {
            false => Ok(header.body),
            true => codec.decompress(mode, header.body, header.header_len()),
        };
        let Ok(commands) = commands else { return };
        if connections.has_checksum(datagram, header.checksum, commands, sender) {
            connections.process(from, sender, header.sent_time, commands, len);
        }
    }

    /// Returns the next event. Its payload is valid until the next call. Call this in a loop until
    /// it returns `None`.
    pub fn poll_event(&mut self) -> Option<HostEvent<'_>> {
        loop {
            let slot = self.connections.events.pop()?;
            let (peer, arena) = self.connections.with_arena(slot)?;
            let key = peer.key();
            if core::mem::take(&mut peer.announces_connection) {
                let data = peer.data;
                self.connections.events.push(slot);
                return Some(HostEvent::Connected { peer: key, data });
            }
            if let Some(id) = arena.incoming.links.pop_front(&mut peer.dispatched) {
                let command = arena.incoming.get(id).copied()?;
                self.packet.clear();
                arena.read_packet(id, |bytes| self.packet.extend_from_slice(bytes));
                arena.release_incoming(peer, id);
                if !peer.dispatched.is_empty() || peer.end.is_some() {
                    self.connections.events.push(slot);
                }
                let commands::Incoming { channel, delivery, .. } = command;
                let payload = &self.packet;
                return Some(HostEvent::Received { peer: key, channel, delivery, payload });
            }
            if let Some(reason) = peer.end.take() {
                self.connections.free_if_done(slot);
                return Some(HostEvent::Disconnected { peer: key, reason });
            }
        }
    }

    /// Queues a packet for a peer. It is sent by [`poll_transmit`](Self::poll_transmit).
    ///
    /// A packet that does not fit into a datagram is divided. As in Godot's use of ENet, the parts
    /// of an unsequenced packet are sent as those of an unreliable one.
    ///
    /// # Errors
    ///
    /// All kinds of [`SendError`]; nothing is queued then.
    pub fn send(
        &mut self,
        peer: PeerKey,
        channel: u8,
        delivery: Delivery,
        payload: &[u8],
    ) -> Result<(), SendError> {
        let mut result = Ok(());
        self.send_to_many([peer], channel, delivery, payload, |_, error| result = Err(error));
        result
    }

    /// Queues a packet for several peers, and stores its bytes only once. Calls `failed` for each
    /// peer for which it is not queued.
    pub fn send_to_many(
        &mut self,
        peers: impl IntoIterator<Item = PeerKey>,
        channel: u8,
        delivery: Delivery,
        payload: &[u8],
        mut failed: impl FnMut(PeerKey, SendError),
    ) {
        let is_long = payload.len() > self.max_packet();
        let stored =
            if is_long { Err(SendError::TooLong) } else { self.connections.store(payload) };
        for peer in peers {
            let packet = self.connections.is_connected(peer).and(stored);
            let sent =
                packet.and_then(|packet| self.connections.send(peer, channel, delivery, packet));
            if let Err(error) = sent {
                failed(peer, error);
            }
        }
        if let Ok(packet) = stored {
            self.connections.arena.blocks.release(packet);
        }
    }

    /// Returns the next datagram to send. Call this in a loop until it returns `None`, after
    /// passing in what has arrived, after sending packets, and at
    /// [`next_timeout`](Self::next_timeout).
    pub fn poll_transmit(&mut self, now: u64) -> Option<Transmit<'_>> {
        self.connections.advance(now);
        self.connections.wake();
        loop {
            let slot = self.connections.ready.pop()?;
            let to = self.connections.peer(slot)?.address;
            let written = self.connections.next_datagram(slot);
            self.connections.set_deadline(slot);
            if let Some(has_time) = written {
                let start = self.finish(slot, has_time);
                self.connections.free_if_done(slot);
                let bytes = self.connections.buffer.get(start..).unwrap_or_default();
                return Some(Transmit { to, bytes });
            }
            self.connections.free_if_done(slot);
        }
    }

    /// Compresses the written commands if that makes them shorter, and adds the header. Returns
    /// where the datagram begins.
    fn finish(&mut self, slot: u16, has_time: bool) -> usize {
        let Self { connections, codec, .. } = self;
        let commands = connections.buffer.get(HEADROOM..).unwrap_or_default();
        let mode = connections.config.compression;
        let compressed = codec.compress(mode, commands).ok().flatten();
        let start = connections.write_header(slot, has_time, compressed.is_some());
        connections.write_checksum(start);
        if let Some(compressed) = compressed {
            connections.buffer.truncate(HEADROOM);
            connections.buffer.extend_from_slice(compressed);
        }
        connections.use_credit(slot, connections.buffer.len().saturating_sub(start));
        start
    }

    /// Returns the time at which [`poll_transmit`](Self::poll_transmit) should be called even if
    /// nothing has happened, or `None` if there is nothing to wait for.
    pub fn next_timeout(&self) -> Option<u64> {
        self.connections.next_timeout()
    }

    /// Ends a connection. What is queued is dropped. A message to the peer is repeated until the peer
    /// acknowledges it. The event [`Disconnected`](HostEvent::Disconnected) follows. `data` is a number
    /// for the peer's application. Does nothing if the key is no longer valid.
    pub fn disconnect(&mut self, peer: PeerKey, data: u32) {
        if self.connections.known(peer).is_some() {
            self.connections.disconnect(peer.slot, data);
        }
    }

    /// Ends a connection as [`disconnect`](Self::disconnect) does, once all queued packets have been
    /// sent and acknowledged. No further packets are received or can be sent.
    pub fn disconnect_later(&mut self, peer: PeerKey, data: u32) {
        if self.connections.known(peer).is_some() {
            self.connections.disconnect_later(peer.slot, data);
        }
    }

    /// Ends a connection at once. The peer gets one datagram, which may be lost. The event
    /// [`Disconnected`](HostEvent::Disconnected) follows immediately.
    pub fn disconnect_now(&mut self, peer: PeerKey, data: u32) {
        if self.connections.known(peer).is_some() {
            self.connections.disconnect_now(peer.slot, data);
        }
    }

    /// Returns what is known about a peer, or `None` if the key is no longer valid.
    pub fn peer(&self, peer: PeerKey) -> Option<PeerInfo> {
        self.connections.known(peer).map(|peer| peer.info(BLOCK))
    }

    /// Iterates over the keys of all peers, in any state but half-open.
    pub fn peers(&self) -> impl Iterator<Item = PeerKey> {
        self.connections.peers.iter().filter(|peer| peer.is_known()).map(peer::Peer::key)
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").field("config", &self.connections.config).finish_non_exhaustive()
    }
}

/// Lets the codec allocate the tables and buffers of a mode: for commands without repetitions, which
/// need the most bytes, and for commands of repeated words, which need the most references.
fn warm_up(codec: &mut DatagramCodec, mode: CompressionMode) {
    let mut random = Random::new(0);
    let mut commands = [0; MAX_DATAGRAM - HEADROOM];
    for (len, words) in [(1, 0xFF), (3, 15), (4, 15), (5, 15), (6, 15), (usize::MAX, 0)] {
        let (mut word, mut at) = (0_u8, len);
        for byte in &mut commands {
            if at == len {
                (word, at) = (random.next() as u8 & words, 0);
            }
            *byte = word.wrapping_mul(31).wrapping_add((at as u8).wrapping_mul(67));
            at = at.wrapping_add(1);
        }
        let compressed = codec.compress(mode, &commands).ok().flatten().map(<[u8]>::to_vec);
        if let Some(compressed) = compressed {
            let _ = codec.decompress(mode, &compressed, HEADROOM);
        }
    }
}
