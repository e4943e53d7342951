//! Reassembly of one direction of a TCP connection.
//!
//! Feed a [`Stream`] the segments in the order of capture. It reports the bytes in the order in
//! which they were sent. Segments in order are passed on without a copy; segments after a gap wait
//! in bounded memory. If segments repeat bytes or overlap, the bytes that arrived first are kept.
//! If missing bytes never arrive, they are reported as a gap, and the stream continues after the
//! gap.
//!
//! ```
//! use gamewire::transport::tcp::{Event, Flags, Segment, Stream};
//!
//! let mut stream = Stream::new();
//! let mut seen = Vec::new();
//! for (sequence, flags, payload) in [
//!     (99, Flags::SYN, b"".as_slice()),
//!     (100, Flags::ACK, b"Hel"),
//!     (106, Flags::FIN, b"world"), // early: has to wait
//!     (102, Flags::ACK, b"llo,"),  // overlaps
//! ] {
//!     let segment = Segment { sequence, flags: Flags(flags), payload, ..Segment::default() };
//!     stream.feed(segment, |event| match event {
//!         Event::Bytes(bytes) => seen.extend(bytes),
//!         Event::Start { whole } => assert!(whole),
//!         Event::End => seen.push(b'.'),
//!         Event::Gap { .. } | Event::Reset => panic!("{event:?}"),
//!     });
//! }
//! assert_eq!(seen, b"Hello,world.");
//! ```

mod limits;
mod reassembly;
#[cfg(all(feature = "serde", feature = "traffic"))]
pub(crate) mod state;

pub use limits::Limits;

use reassembly::ReassemblyBuffer;

/// The flags of a TCP header. Only those that matter to the user of a [`Stream`] have constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub u8);

impl Flags {
    /// The last segment of this direction.
    pub const FIN: u8 = 1;
    /// The first segment of this direction. Its sequence number is one less than that of the first
    /// byte.
    pub const SYN: u8 = 2;
    /// The connection is reset.
    pub const RST: u8 = 4;
    /// The acknowledgement number is valid.
    pub const ACK: u8 = 16;

    /// Returns `true` if `flag` is set.
    #[inline]
    pub const fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }
}

/// A TCP segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Sequence number of the first byte of the payload, or of the SYN.
    pub sequence: u32,
    /// Sequence number of the next byte expected from the other side. Valid with [`Flags::ACK`].
    pub acknowledgement: u32,
    /// Flags of the segment.
    pub flags: Flags,
    /// Bytes of the stream.
    pub payload: &'a [u8],
}

/// An event of a [`Stream`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A connection starts. Reported again if a new connection uses the same ports.
    Start {
        /// `true` if the stream starts with the first byte of the connection, `false` if it starts
        /// with the first captured segment.
        whole: bool,
    },
    /// The next bytes, at least one.
    Bytes(&'a [u8]),
    /// Bytes are missing before the next bytes.
    Gap {
        /// Number of missing bytes, modulo 2³².
        bytes: u32,
    },
    /// The stream ends with a FIN. All bytes before it were reported, or are part of a reported
    /// gap.
    End,
    /// The connection was reset, which ends the stream.
    Reset,
}

/// The numbers of new and of repeated bytes in a segment, returned by [`Stream::feed`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Novelty {
    /// Bytes that arrived for the first time.
    pub new: usize,
    /// Bytes that arrived before. Bytes that are neither new nor repeated are outside of the
    /// stream: after its end, or too far from the next byte.
    pub repeated: usize,
}

/// A reassembler of one direction of a TCP connection. See the [module documentation](self).
#[derive(Clone, Debug)]
pub struct Stream {
    limits: Limits,
    phase: Phase,
    /// Sequence number of the byte at position 0.
    first: u32,
    /// Number of bytes that were reported or given up.
    position: u64,
    /// Position of the end of the stream, if a FIN has arrived.
    end: Option<u64>,
    /// Sequence number after the last implausible segment; see [`MAX_DISTANCE`].
    stray: Option<u32>,
    early: ReassemblyBuffer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The start of the stream is not known yet.
    Before,
    Open,
    /// The stream has ended. A SYN starts a new one.
    Over,
}

/// Maximum distance in bytes, in either direction, between the next expected byte and a plausible
/// segment. A segment beyond this distance is forged, or the capture has lost much data. If the
/// next implausible segment directly follows the previous one, the stream assumes that data was
/// lost.
const MAX_DISTANCE: u32 = 1 << 24;

impl Default for Stream {
    fn default() -> Self {
        Self::new()
    }
}

impl Stream {
    /// Creates a stream before its first segment, with [`Limits::default`].
    pub fn new() -> Self {
        Self {
            limits: Limits::default(),
            phase: Phase::Before,
            first: 0,
            position: 0,
            end: None,
            stray: None,
            early: ReassemblyBuffer::default(),
        }
    }

    /// Replaces the default limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the number of bytes since the start of the stream, including gaps.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Returns `true` if bytes after a gap wait for the missing bytes.
    pub fn is_waiting(&self) -> bool {
        !self.early.is_empty()
    }

    /// Returns the allocated memory in bytes.
    pub fn memory(&self) -> usize {
        self.early.memory()
    }

    /// Returns `true` if the stream has ended or was reset.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// Processes the next segment, and calls `then` for each event.
    ///
    /// Without a SYN, the stream starts with the first segment that has a payload. The following
    /// are ignored: bytes before the start, repeated bytes (as in most keep-alives), bytes after a
    /// FIN, and a FIN before bytes that have already arrived.
    ///
    /// Returns how many bytes of the payload are new, and how many are repeated. In total, the
    /// stream never reports more bytes than were new.
    #[inline]
    pub fn feed(&mut self, segment: Segment<'_>, mut then: impl FnMut(Event<'_>)) -> Novelty {
        let Segment { sequence, flags, payload, .. } = segment;
        let plain = !flags.has(Flags::SYN | Flags::FIN | Flags::RST);
        if plain && self.is_next(sequence) {
            if !payload.is_empty() {
                then(Event::Bytes(payload));
                self.position = self.position.wrapping_add(payload.len() as u64);
            }
            return Novelty { new: payload.len(), repeated: 0 };
        }
        self.feed_out_of_order(segment, &mut then)
    }

    /// Notes that the other side has acknowledged all bytes before `number`. If bytes after a gap
    /// wait for missing bytes before `number`, the missing bytes were sent and received but not
    /// captured, so they are given up.
    ///
    /// Call this only for captures in which a segment never follows its acknowledgement, such as
    /// those taken at one end of the connection.
    pub fn acknowledged(&mut self, number: u32, mut then: impl FnMut(Event<'_>)) {
        let ahead = u64::from(number.wrapping_sub(self.sequence()));
        if self.phase != Phase::Open || ahead > u64::from(MAX_DISTANCE) {
            return;
        }
        let up_to = self.position.wrapping_add(ahead);
        while let Some(start) = self.early.first().filter(|start| *start <= up_to) {
            self.give_up(start, &mut then);
        }
        self.check_end(&mut then);
    }

    /// Reports all waiting bytes, and the gaps between them. Useful at the end of a capture.
    pub fn flush(&mut self, mut then: impl FnMut(Event<'_>)) {
        self.flush_all(&mut then);
    }

    /// Resets the stream for a new connection. Keeps the allocated memory.
    pub fn reset(&mut self) {
        self.phase = Phase::Before;
        self.begin(0);
    }

    /// Returns the sequence number of the next byte.
    #[inline(always)]
    fn sequence(&self) -> u32 {
        self.first.wrapping_add(self.position as u32)
    }

    /// Returns `true` if bytes at `sequence` can be reported immediately: the stream is open,
    /// `sequence` is the number of the next byte, no bytes wait after a gap, and no FIN has
    /// arrived.
    #[inline(always)]
    fn is_next(&self, sequence: u32) -> bool {
        self.phase == Phase::Open
            && sequence == self.sequence()
            && self.early.is_empty()
            && self.end.is_none()
    }

    fn begin(&mut self, first: u32) {
        self.first = first;
        self.position = 0;
        self.end = None;
        self.stray = None;
        self.early.clear();
    }

    /// Processes a segment, in order or not. Counts the bytes that are reported or stored.
    #[inline(never)]
    fn feed_out_of_order(
        &mut self,
        segment: Segment<'_>,
        then: &mut dyn FnMut(Event<'_>),
    ) -> Novelty {
        let (len, before) = (segment.payload.len(), self.early.len());
        let next = self.sequence();
        let mut reported = 0_usize;
        self.feed_any(segment, &mut |event| {
            if let Event::Bytes(bytes) = event {
                reported = reported.wrapping_add(bytes.len());
            }
            then(event);
        });
        let new = reported.wrapping_add(self.early.len()).wrapping_sub(before).min(len);
        let old = len.wrapping_sub(new);
        // Repeated bytes are those that are neither new nor outside of the stream.
        let is_near = self.phase == Phase::Open
            && (segment.sequence.wrapping_sub(next) as i32).unsigned_abs() <= MAX_DISTANCE;
        Novelty { new, repeated: if is_near { old } else { 0 } }
    }

    fn feed_any(&mut self, segment: Segment<'_>, then: &mut dyn FnMut(Event<'_>)) {
        let Segment { mut sequence, flags, payload, .. } = segment;
        if flags.has(Flags::SYN) {
            sequence = sequence.wrapping_add(1);
        }
        if !self.start(sequence, segment, then) {
            return;
        }
        // Negative for bytes before the position.
        let distance = i64::from(sequence.wrapping_sub(self.sequence()) as i32);
        let far = distance.unsigned_abs() > u64::from(MAX_DISTANCE);
        if flags.has(Flags::RST) {
            if !far {
                self.give_up_all(then);
                self.phase = Phase::Over;
                then(Event::Reset);
            }
            return;
        }
        if far {
            return self.far(sequence, payload, then);
        }
        self.near(distance, flags, payload, then);
        self.check_end(then);
    }

    /// Starts the stream if the segment is its first one, or is the SYN of a new connection.
    /// Returns `true` if the stream is open afterwards.
    fn start(
        &mut self,
        sequence: u32,
        segment: Segment<'_>,
        then: &mut dyn FnMut(Event<'_>),
    ) -> bool {
        let flags = segment.flags;
        // A segment with RST never starts a connection.
        let whole = flags.has(Flags::SYN) && !flags.has(Flags::RST);
        let begins = match self.phase {
            // A segment without payload may be a keep-alive, whose sequence number lies before the
            // next byte.
            Phase::Before => whole || !segment.payload.is_empty() && !flags.has(Flags::RST),
            // A SYN with a different number starts a new connection on the same ports.
            Phase::Open | Phase::Over => whole && sequence != self.first,
        };
        if begins {
            self.flush_all(then);
            self.begin(sequence);
            self.phase = Phase::Open;
            then(Event::Start { whole });
        }
        self.phase == Phase::Open
    }

    /// Processes an implausible segment; see [`MAX_DISTANCE`].
    fn far(&mut self, sequence: u32, payload: &[u8], then: &mut dyn FnMut(Event<'_>)) {
        if payload.is_empty() {
            return;
        }
        if self.stray == Some(sequence) {
            self.give_up_all(then);
            let ahead = u64::from(sequence.wrapping_sub(self.sequence()));
            self.end = None;
            self.give_up(self.position.wrapping_add(ahead), then);
            self.deliver(payload, then);
        } else {
            self.stray = Some(sequence.wrapping_add(payload.len() as u32));
        }
    }

    fn near(
        &mut self,
        distance: i64,
        flags: Flags,
        payload: &[u8],
        then: &mut dyn FnMut(Event<'_>),
    ) {
        let known = distance.min(0).unsigned_abs() as usize;
        let Some(fresh) = payload.get(known..) else { return };
        let start = self.position.wrapping_add(distance.max(0).unsigned_abs());
        if flags.has(Flags::FIN) {
            self.note_end(start.wrapping_add(fresh.len() as u64));
        }
        let fresh = self.before_end(start, fresh);
        if start > self.position {
            self.store_early(start, fresh, then);
        } else {
            self.deliver(fresh, then);
        }
    }

    /// Returns the part of `bytes` before a FIN.
    fn before_end<'a>(&self, start: u64, bytes: &'a [u8]) -> &'a [u8] {
        let len = self.end.map_or(u64::MAX, |end| end.saturating_sub(start));
        bytes.get(..usize::try_from(len).unwrap_or(usize::MAX)).unwrap_or(bytes)
    }

    fn note_end(&mut self, end: u64) {
        if self.end.is_none() && end >= self.early.last().unwrap_or(self.position) {
            self.end = Some(end);
        }
    }

    /// Reports bytes that start at `position`, and the waiting bytes that follow them.
    fn deliver(&mut self, mut bytes: &[u8], then: &mut dyn FnMut(Event<'_>)) {
        loop {
            // The waiting bytes arrived first, so they are kept where segments overlap.
            let until = self.early.first().unwrap_or(u64::MAX).saturating_sub(self.position);
            let len = bytes.len().min(usize::try_from(until).unwrap_or(usize::MAX));
            let (now, rest) = bytes.split_at_checked(len).unwrap_or_default();
            if !now.is_empty() {
                then(Event::Bytes(now));
                self.position = self.position.wrapping_add(now.len() as u64);
            }
            let Some(run) = self.early.take(self.position) else { return };
            then(Event::Bytes(run));
            let run = run.len();
            self.position = self.position.wrapping_add(run as u64);
            bytes = rest.get(run..).unwrap_or_default();
        }
    }

    /// Stores bytes ahead of the position. If they exceed the limits, first gives up missing bytes.
    fn store_early(&mut self, start: u64, bytes: &[u8], then: &mut dyn FnMut(Event<'_>)) {
        if bytes.is_empty() {
            return;
        }
        while start > self.position {
            if self.early.insert(self.position, start, bytes, self.limits) {
                return;
            }
            let first = self.early.first().unwrap_or(start);
            self.give_up(first.min(start), then);
        }
        let known = self.position.wrapping_sub(start) as usize;
        self.deliver(bytes.get(known..).unwrap_or_default(), then);
    }

    /// Reports the missing bytes before `position` as a gap, and continues at `position`.
    fn give_up(&mut self, position: u64, then: &mut dyn FnMut(Event<'_>)) {
        then(Event::Gap { bytes: position.wrapping_sub(self.position) as u32 });
        self.position = position;
        self.deliver(&[], then);
    }

    fn give_up_all(&mut self, then: &mut dyn FnMut(Event<'_>)) {
        while let Some(start) = self.early.first() {
            self.give_up(start, then);
        }
    }

    fn flush_all(&mut self, then: &mut dyn FnMut(Event<'_>)) {
        if self.phase != Phase::Open {
            return;
        }
        self.give_up_all(then);
        if let Some(end) = self.end.filter(|end| *end > self.position) {
            self.give_up(end, then);
        }
        self.check_end(then);
    }

    fn check_end(&mut self, then: &mut dyn FnMut(Event<'_>)) {
        if self.phase == Phase::Open && self.end == Some(self.position) {
            self.phase = Phase::Over;
            then(Event::End);
        }
    }
}
