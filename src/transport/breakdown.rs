/// A number of items, and the bytes that they take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sum {
    /// Number of items.
    pub count: u64,
    /// Number of bytes.
    pub bytes: u64,
}

impl Sum {
    /// Adds an item of `bytes` bytes.
    #[inline(always)]
    pub const fn add(&mut self, bytes: usize) {
        self.count = self.count.wrapping_add(1);
        self.bytes = self.bytes.wrapping_add(bytes as u64);
    }
}

/// The number of bytes that the payloads of datagrams and segments spend on each purpose. Each byte
/// is counted once: [`total`](Self::total) is the number of bytes on the wire.
///
/// [`enet::Session::feed_counting`](super::enet::Session::feed_counting) and
/// [`websocket::Decoder::feed_counting`](super::websocket::Decoder::feed_counting) add to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Breakdown {
    /// ENet: headers of datagrams.
    pub datagram_headers: Sum,
    /// ENet: headers of the commands that carry accepted packets or fragments.
    pub command_headers: Sum,
    /// ENet: acknowledgements.
    pub acknowledgements: Sum,
    /// Pings of ENet, and pings and pongs of WebSockets.
    pub pings: Sum,
    /// Messages that open, configure and close connections.
    pub control: Sum,
    /// Heads of HTTP messages that upgrade to a WebSocket.
    pub http_heads: Sum,
    /// Headers of WebSocket frames with data.
    pub frame_headers: Sum,
    /// Length prefixes of the values in a TCP stream.
    pub length_prefixes: Sum,
    /// Bytes that arrived before: repeated ENet commands with their headers, and repeated bytes of
    /// TCP segments.
    pub repeated: Sum,
    /// ENet: unreliable packets that arrived too late, with their headers.
    pub late: Sum,
    /// Bytes of TCP segments outside of the stream, for example after its end.
    pub outside: Sum,
    /// Datagrams, commands and parts of streams that violate their protocol.
    pub malformed: Sum,
    /// Bytes of other protocols.
    pub unrecognised: Sum,
    /// Bytes that the caller's options exclude.
    pub excluded: Sum,
    /// All other bytes. They have arrived for the first time, and are delivered in packets, unless
    /// other bytes of the same packet are missing.
    pub accepted: Sum,
    /// ENet: number of decompressed datagrams.
    pub compressed: u64,
    /// ENet: the number of bytes that decompression adds. All other counts refer to decompressed
    /// bytes. Negative if compression makes datagrams longer.
    pub inflation: i64,
}

impl Breakdown {
    /// Returns the number of bytes on the wire.
    pub fn total(&self) -> i64 {
        let sums = self.sums();
        let plain = sums.iter().fold(0_u64, |total, sum| total.wrapping_add(sum.bytes));
        plain.cast_signed().wrapping_sub(self.inflation)
    }

    /// Moves an item of `bytes` bytes from the accepted bytes to `part`.
    #[inline]
    pub(crate) fn claim(&mut self, part: fn(&mut Self) -> &mut Sum, bytes: usize) {
        part(self).add(bytes);
        self.accepted.bytes = self.accepted.bytes.wrapping_sub(bytes as u64);
    }

    /// Moves a sum from the accepted bytes to `part`.
    #[cfg(feature = "traffic")]
    pub(crate) fn claim_all(&mut self, part: fn(&mut Self) -> &mut Sum, sum: Sum) {
        let part = part(self);
        part.count = part.count.wrapping_add(sum.count);
        part.bytes = part.bytes.wrapping_add(sum.bytes);
        self.accepted.bytes = self.accepted.bytes.wrapping_sub(sum.bytes);
    }

    /// Adds all counts of `other`.
    #[cfg(feature = "traffic")]
    pub(crate) fn add_all(&mut self, other: &Self) {
        let sums = other.sums();
        let parts = [
            &mut self.datagram_headers,
            &mut self.command_headers,
            &mut self.acknowledgements,
            &mut self.pings,
            &mut self.control,
            &mut self.http_heads,
            &mut self.frame_headers,
            &mut self.length_prefixes,
            &mut self.repeated,
            &mut self.late,
            &mut self.outside,
            &mut self.malformed,
            &mut self.unrecognised,
            &mut self.excluded,
            &mut self.accepted,
        ];
        for (part, more) in parts.into_iter().zip(sums) {
            part.count = part.count.wrapping_add(more.count);
            part.bytes = part.bytes.wrapping_add(more.bytes);
        }
        self.compressed = self.compressed.wrapping_add(other.compressed);
        self.inflation = self.inflation.wrapping_add(other.inflation);
    }

    /// Returns all sums, in the order of their declaration.
    pub(crate) const fn sums(&self) -> [Sum; 15] {
        [
            self.datagram_headers,
            self.command_headers,
            self.acknowledgements,
            self.pings,
            self.control,
            self.http_heads,
            self.frame_headers,
            self.length_prefixes,
            self.repeated,
            self.late,
            self.outside,
            self.malformed,
            self.unrecognised,
            self.excluded,
            self.accepted,
        ]
    }
}
