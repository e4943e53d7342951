use super::record::Engine;
use crate::transport::enet;
use crate::transport::tcp as stream;

/// Options of [`Conversations`](super::Conversations).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Engine of the packets. `None` detects it.
    pub engine: Option<Engine>,
    /// Port of the conversations. Segments that are neither from nor to this port are ignored.
    /// `None` accepts all ports.
    pub port: Option<u16>,
    /// Compression of ENet's datagrams. `None` detects it for each pair of addresses.
    pub enet_compression: Option<enet::CompressionMode>,
    /// `true` to report the bytes of all streams and datagrams that are not recognised, as
    /// [`Content::Bytes`](super::Content::Bytes). By default, such bytes are reported only if their
    /// two addresses belong to a game: a WebSocket or frames of values were recognised between
    /// them, or a [certain](crate::godot::find::Confidence::Certain) value was found in one of the
    /// first 64 segments or datagrams. All other bytes are only counted (see
    /// [`Conversations::other_protocols`](super::Conversations::other_protocols)).
    pub other_protocols: bool,
    /// Limits of memory.
    pub limits: Limits,
}

/// Limits on the state that [`Conversations`](super::Conversations) keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Number of pairs of addresses: 1024 by default. A new pair replaces one that was not
    /// used recently.
    pub flows: usize,
    /// Bytes of memory for all pairs together: 64 MiB by default. If the pairs exceed this limit,
    /// the state of the largest pair is dropped. Memory is measured each time a pair may have grown
    /// by 1 KiB, so the total can exceed the limit by a few KiB for each pair.
    pub memory: usize,
    /// Limits for each direction of an ENet connection. By default, 1 MiB of packets can wait
    /// for missing ones.
    pub enet: enet::Limits,
    /// Limits for each direction of a TCP connection: [`stream::Limits::default`].
    pub tcp: stream::Limits,
    /// Maximum length in bytes of a WebSocket message, or of a value in a TCP stream. The default
    /// is 8 MiB. A message in several segments is kept in memory until it is complete.
    pub message: u32,
}

impl Default for Limits {
    fn default() -> Self {
        let enet = enet::Limits { buffered: 1 << 20, waiting: 1024, packet: 1 << 20 };
        let tcp = stream::Limits::default();
        Self { flows: 1024, memory: 64 << 20, enet, tcp, message: 8 << 20 }
    }
}
