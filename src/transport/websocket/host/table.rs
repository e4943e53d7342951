//! Many WebSockets.

use super::config::Config;
use super::connection::{Connection, SendError};
use super::event::Event;
use crate::transport::websocket::event::Kind;
use alloc::collections::VecDeque;
use alloc::vec::Vec;

/// The configuration of a [`Host`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostConfig {
    /// Maximum number of streams: 32, as in Godot's servers.
    pub peers: u16,
    /// Maximum number of streams whose handshake is not complete: 16. If another one is accepted,
    /// the oldest of them ends, so that streams that stay silent do not keep clients out.
    pub half_open: u16,
    /// The configuration of each connection.
    pub connection: Config,
}

impl Default for HostConfig {
    fn default() -> Self {
        Self { peers: 32, half_open: 16, connection: Config::default() }
    }
}

/// A stream of a [`Host`]. The key of a stream that has ended never means another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PeerKey {
    slot: u16,
    generation: u32,
}

impl PeerKey {
    /// Returns the number of the slot, which is less than [`HostConfig::peers`]. Slots are used
    /// again.
    pub const fn slot(self) -> u16 {
        self.slot
    }
}

/// The result of [`Host::accept`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The new stream.
    pub peer: PeerKey,
    /// A stream that was removed to make room for the new one. The caller closes it.
    pub removed: Option<PeerKey>,
}

/// All slots of a [`Host`] are used, and the handshakes of all streams are complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("all slots for peers are used")]
pub struct HostFull;

/// The server's side of many WebSockets.
///
/// Each slot allocates its memory when it is first used, and keeps it.
///
/// ```
/// use gamewire::transport::websocket::Kind;
/// use gamewire::transport::websocket::host::{Config, Connection, Event, Host, HostConfig};
///
/// let mut host = Host::new(HostConfig::default());
/// let peer = host.accept(0)?.peer;
///
/// let mut client = Connection::client(Config::default(), 0, "127.0.0.1", "/", 7)?;
/// host.receive(0, peer, client.output(), |event| assert!(matches!(event, Event::Opened(_))));
/// host.send(peer, Kind::Binary, b"welcome")?;
/// while let Some((to, bytes)) = host.poll_transmit() {
///     let written = bytes.len(); // what the stream of `to` took
///     client.receive(0, bytes, |_| {});
///     host.sent(to, written);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Host {
    config: HostConfig,
    slots: Vec<Slot>,
    /// Slots that are not used.
    free: Vec<u16>,
    /// Slots with new output.
    ready: VecDeque<u16>,
}

#[derive(Clone, Debug)]
struct Slot {
    generation: u32,
    /// Time of the start of the stream, or `None` if the slot is not used.
    since: Option<u64>,
    is_ready: bool,
    connection: Connection,
}

impl Host {
    /// Creates a host without streams.
    pub fn new(config: HostConfig) -> Self {
        let peers = usize::from(config.peers);
        Self {
            config,
            slots: Vec::with_capacity(peers),
            free: Vec::with_capacity(peers),
            ready: VecDeque::with_capacity(peers),
        }
    }

    /// Adds a stream that was accepted at `now`. Looks at all slots if
    /// [`HostConfig::half_open`] is reached, and is constant otherwise.
    ///
    /// # Errors
    /// Returns an error if there is no slot for it.
    pub fn accept(&mut self, now: u64) -> Result<Accepted, HostFull> {
        let removed = self.make_room();
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => self.add_slot(now)?,
        };
        let Some(entry) = self.slots.get_mut(usize::from(slot)) else { return Err(HostFull) };
        entry.connection.restart(now);
        entry.since = Some(now);
        Ok(Accepted { peer: PeerKey { slot, generation: entry.generation }, removed })
    }

    fn add_slot(&mut self, now: u64) -> Result<u16, HostFull> {
        let slot = u16::try_from(self.slots.len()).map_err(|_| HostFull)?;
        if slot >= self.config.peers {
            return Err(HostFull);
        }
        let connection = Connection::server(self.config.connection, now);
        self.slots.push(Slot { generation: 0, since: None, is_ready: false, connection });
        Ok(slot)
    }

    /// Removes the oldest stream whose handshake is not complete, if there are too many of them.
    fn make_room(&mut self) -> Option<PeerKey> {
        let opening = |slot: &&Slot| slot.since.is_some() && slot.connection.is_opening();
        if self.slots.len().saturating_sub(self.free.len()) < usize::from(self.config.half_open)
            || self.slots.iter().filter(opening).count() < usize::from(self.config.half_open)
        {
            return None;
        }
        let keyed = self.slots.iter().enumerate().filter(|(_, slot)| opening(slot));
        let (slot, entry) = keyed.min_by_key(|(_, slot)| slot.since)?;
        let key = PeerKey { slot: u16::try_from(slot).ok()?, generation: entry.generation };
        self.remove(key);
        Some(key)
    }

    /// Frees the slot of a stream that is closed. Its key becomes invalid.
    pub fn remove(&mut self, peer: PeerKey) {
        if let Some(entry) = self.slot_mut(peer) {
            entry.since = None;
            entry.generation = entry.generation.wrapping_add(1);
            self.free.push(peer.slot);
        }
    }

    /// Processes bytes of a stream. See [`Connection::receive`].
    pub fn receive(&mut self, now: u64, peer: PeerKey, bytes: &[u8], each: impl FnMut(Event<'_>)) {
        self.with(peer, |connection| connection.receive(now, bytes, each));
    }

    /// Processes the end of a stream.
    pub fn end(&mut self, peer: PeerKey, each: impl FnMut(Event<'_>)) {
        self.with(peer, |connection| connection.end(each));
    }

    /// Queues a message. See [`Connection::send`].
    ///
    /// # Errors
    /// Returns the errors of [`Connection::send`]. A stream that has ended is not open.
    pub fn send(&mut self, peer: PeerKey, kind: Kind, payload: &[u8]) -> Result<(), SendError> {
        let sent = self.with(peer, |connection| connection.send(kind, payload));
        sent.unwrap_or(Err(SendError::NotOpen))
    }

    /// Closes a WebSocket. See [`Connection::close`].
    pub fn close(&mut self, now: u64, peer: PeerKey, code: u16, reason: &str) {
        self.with(peer, |connection| connection.close(now, code, reason));
    }

    /// Ends what has lasted too long, and sends pings that are due. Looks at all slots.
    pub fn advance(&mut self, now: u64, mut each: impl FnMut(PeerKey, Event<'_>)) {
        for slot in 0..self.slots.len() {
            if let Some(peer) = self.key(slot) {
                self.with(peer, |connection| connection.advance(now, |event| each(peer, event)));
            }
        }
    }

    /// Returns the time at which [`advance`](Self::advance) has something to do. Looks at all
    /// slots.
    pub fn next_timeout(&self) -> Option<u64> {
        let used = self.slots.iter().filter(|slot| slot.since.is_some());
        used.filter_map(|slot| slot.connection.next_timeout()).min()
    }

    /// Returns a stream with new output, and bytes to write to it. The caller writes
    /// them, and calls [`sent`](Self::sent). If the stream takes only a part, the caller writes
    /// the rest when the stream is writable again: see [`output`](Self::output).
    pub fn poll_transmit(&mut self) -> Option<(PeerKey, &[u8])> {
        let peer = loop {
            let slot = self.ready.pop_front()?;
            let entry = self.slots.get_mut(usize::from(slot))?;
            entry.is_ready = false;
            if entry.since.is_some() && !entry.connection.output().is_empty() {
                break PeerKey { slot, generation: entry.generation };
            }
        };
        Some((peer, self.output(peer)))
    }

    /// Returns bytes to write to a stream.
    pub fn output(&self, peer: PeerKey) -> &[u8] {
        self.connection(peer).map(Connection::output).unwrap_or_default()
    }

    /// Removes the first `n` bytes from the output of a stream, because the stream took them. If
    /// bytes are left and it took all it was given, [`poll_transmit`](Self::poll_transmit) returns
    /// them next.
    pub fn sent(&mut self, peer: PeerKey, n: usize) {
        let Some(entry) = self.slot_mut(peer) else { return };
        let took_all = n >= entry.connection.output().len();
        entry.connection.sent(n);
        if took_all {
            self.mark_ready(peer.slot);
        }
    }

    /// Returns the connection of a stream, or `None` if the stream was removed.
    pub fn connection(&self, peer: PeerKey) -> Option<&Connection> {
        let entry = self.slots.get(usize::from(peer.slot))?;
        (entry.generation == peer.generation && entry.since.is_some()).then_some(&entry.connection)
    }

    /// Returns the streams.
    pub fn peers(&self) -> impl Iterator<Item = PeerKey> {
        (0..self.slots.len()).filter_map(|slot| self.key(slot))
    }

    /// Returns the allocated memory in bytes.
    pub fn memory(&self) -> usize {
        let connections = self.slots.iter().map(|slot| slot.connection.memory()).sum::<usize>();
        let slots = self.slots.capacity().saturating_mul(size_of::<Slot>());
        connections.saturating_add(slots)
    }

    fn key(&self, slot: usize) -> Option<PeerKey> {
        let entry = self.slots.get(slot).filter(|slot| slot.since.is_some())?;
        Some(PeerKey { slot: u16::try_from(slot).ok()?, generation: entry.generation })
    }

    fn slot_mut(&mut self, peer: PeerKey) -> Option<&mut Slot> {
        let entry = self.slots.get_mut(usize::from(peer.slot))?;
        (entry.generation == peer.generation && entry.since.is_some()).then_some(entry)
    }

    /// Calls a function with the connection of a stream, and notes its output.
    fn with<T>(&mut self, peer: PeerKey, job: impl FnOnce(&mut Connection) -> T) -> Option<T> {
        let result = job(&mut self.slot_mut(peer)?.connection);
        self.mark_ready(peer.slot);
        Some(result)
    }

    /// Queues a slot for [`poll_transmit`](Self::poll_transmit) if it has output.
    fn mark_ready(&mut self, slot: u16) {
        let Some(entry) = self.slots.get_mut(usize::from(slot)) else { return };
        if !entry.is_ready && !entry.connection.output().is_empty() {
            entry.is_ready = true;
            self.ready.push_back(slot);
        }
    }
}
