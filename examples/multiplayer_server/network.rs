//! Connects a [`Server`] to sockets: a UDP port for ENet, and a TCP port for WebSockets.

use gamewire::server::Server;
use gamewire::transport::websocket::host::PeerKey;
use mio::net::{TcpListener, TcpStream, UdpSocket};
use mio::{Events, Interest, Poll, Token};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

const UDP: Token = Token(0);
const LISTENER: Token = Token(1);
/// The token of the first stream. Those of the others follow in the order of slots.
const STREAMS: usize = 2;

/// Returns a number that nobody can predict, as the seed of a server.
pub fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The sockets of a server.
pub struct Network {
    poll: Poll,
    events: Events,
    /// The tokens of the events, kept to reuse the memory.
    tokens: Vec<Token>,
    start: Instant,
    udp: UdpSocket,
    listener: TcpListener,
    /// The streams by the slots of their keys.
    streams: Vec<Option<(TcpStream, PeerKey)>>,
    buffer: Box<[u8; 1 << 16]>,
}

impl Network {
    /// Listens on these addresses.
    pub fn bind(enet: SocketAddr, websocket: SocketAddr) -> io::Result<Self> {
        let mut udp = UdpSocket::bind(enet)?;
        let mut listener = TcpListener::bind(websocket)?;
        let poll = Poll::new()?;
        poll.registry().register(&mut udp, UDP, Interest::READABLE)?;
        poll.registry().register(&mut listener, LISTENER, Interest::READABLE)?;
        Ok(Self {
            poll,
            events: Events::with_capacity(1024),
            tokens: Vec::new(),
            start: Instant::now(),
            udp,
            listener,
            streams: Vec::new(),
            buffer: Box::new([0; 1 << 16]),
        })
    }

    /// Returns the ports for ENet and for WebSockets.
    pub fn ports(&self) -> io::Result<[u16; 2]> {
        Ok([self.udp.local_addr()?.port(), self.listener.local_addr()?.port()])
    }

    /// Returns the milliseconds since the start.
    pub fn now(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    /// Waits until something arrives or until the time `until`, and passes to the server what has
    /// arrived.
    pub fn receive(&mut self, server: &mut Server, until: u64) -> io::Result<()> {
        let until = until.min(server.next_timeout().unwrap_or(until));
        let at_most = Duration::from_millis(until.saturating_sub(self.now()));
        match self.poll.poll(&mut self.events, Some(at_most)) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => result?,
        }
        let mut tokens = std::mem::take(&mut self.tokens);
        tokens.extend(self.events.iter().map(|event| event.token()));
        for token in tokens.drain(..) {
            match token {
                UDP => self.receive_datagrams(server)?,
                LISTENER => self.accept(server)?,
                Token(token) => self.receive_stream(server, token - STREAMS),
            }
        }
        self.tokens = tokens;
        server.advance(self.now());
        Ok(())
    }

    fn receive_datagrams(&mut self, server: &mut Server) -> io::Result<()> {
        loop {
            match self.udp.recv_from(&mut *self.buffer) {
                Ok((len, from)) => server.receive_datagram(self.now(), from, &self.buffer[..len]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                // A datagram that was sent earlier could not be delivered.
                Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn accept(&mut self, server: &mut Server) -> io::Result<()> {
        loop {
            let mut stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            };
            let Ok(accepted) = server.accept_stream(self.now()) else { continue };
            let slot = usize::from(accepted.peer.slot());
            if self.streams.len() <= slot {
                self.streams.resize_with(slot + 1, || None);
            }
            if let Some(removed) = accepted.removed {
                self.streams[usize::from(removed.slot())] = None;
            }
            let interest = Interest::READABLE | Interest::WRITABLE;
            self.poll.registry().register(&mut stream, Token(STREAMS + slot), interest)?;
            stream.set_nodelay(true)?;
            self.streams[slot] = Some((stream, accepted.peer));
        }
    }

    /// Reads what has arrived on a stream, and writes what could not be written before.
    fn receive_stream(&mut self, server: &mut Server, slot: usize) {
        while let Some(Some((stream, key))) = self.streams.get_mut(slot) {
            match stream.read(&mut *self.buffer) {
                Ok(len @ 1..) => {
                    let now = self.start.elapsed().as_millis() as u64;
                    server.receive_stream(now, *key, &self.buffer[..len]);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Ok(0) | Err(_) => {
                    server.end_stream(self.start.elapsed().as_millis() as u64, *key);
                    self.streams[slot] = None;
                }
            }
        }
        self.write(server, slot);
    }

    /// Sends what the server has to send.
    pub fn transmit(&mut self, server: &mut Server) {
        while let Some(datagram) = server.poll_datagram(self.now()) {
            // A datagram that cannot be sent is lost, as others are on their way.
            let _ = self.udp.send_to(datagram.bytes, datagram.to);
        }
        while let Some((key, _)) = server.poll_stream(self.now()) {
            self.write(server, key.slot().into());
        }
        while let Some(key) = server.poll_ended_stream() {
            self.write(server, key.slot().into());
            server.end_stream(self.now(), key);
            self.streams[usize::from(key.slot())] = None;
        }
    }

    /// Writes to a stream as much as it takes.
    fn write(&mut self, server: &mut Server, slot: usize) {
        let Some(Some((stream, key))) = self.streams.get_mut(slot) else { return };
        while !server.stream_output(*key).is_empty() {
            match stream.write(server.stream_output(*key)) {
                Ok(written) => server.stream_sent(*key, written),
                // The stream takes no more at the moment, or reading from it will fail, too.
                Err(_) => return,
            }
        }
    }
}
