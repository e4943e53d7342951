//! TCP: one direction of a connection put in order.
//!
//! A [`Stream`] is fed the segments in the order in which they were captured, and gives
//! the bytes in the order in which they were sent. A segment that comes when its turn is
//! passed on as it is; of what comes again, or overlaps, the first bytes count; what comes
//! early waits in bounded memory. Where bytes are missing for good, a gap is told of, and
//! the stream goes on behind it.
//!
//! ```
//! use gamewire::transport::tcp::{Event, Flags, Segment, Stream};
//!
//! let mut stream = Stream::new();
//! let mut seen = Vec::new();
//! for (sequence, flags, payload) in [
//!     (99, Flags::SYN, b"".as_slice()),
//!     (100, Flags::ACK, b"Hel"),
//!     (106, Flags::FIN, b"world"), // early: waits
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

mod early;

use early::Early;

/// The flags of a TCP header that matter to who reads the stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub u8);

impl Flags {
    /// Nothing follows from this side.
    pub const FIN: u8 = 1;
    /// The first segment; its sequence number is one less than that of the first byte.
    pub const SYN: u8 = 2;
    /// The connection is given up.
    pub const RST: u8 = 4;
    /// The acknowledgement number counts.
    pub const ACK: u8 = 16;

    /// Whether the flag is set.
    #[inline]
    pub const fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }
}

/// One segment of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment<'a> {
    /// The number of the payload's first byte (of the SYN, where there is one).
    pub sequence: u32,
    /// The next byte expected from the other side, where the flag [`Flags::ACK`] is set.
    pub acknowledgement: u32,
    /// What the segment is for, beside its payload.
    pub flags: Flags,
    /// The bytes of the stream.
    pub payload: &'a [u8],
}

/// What a [`Stream`] has to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A connection begins here (again, where its ports are used once more).
    Start {
        /// From its first byte; otherwise the first segment seen is the start.
        whole: bool,
    },
    /// The next bytes, never none.
    Bytes(&'a [u8]),
    /// Bytes that are missing between the last ones and the next.
    Gap {
        /// How many, modulo 2³².
        bytes: u32,
    },
    /// All bytes were given, and nothing follows.
    End,
    /// The connection was given up; nothing follows.
    Reset,
}

/// What a [`Stream`] allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How far ahead of the first missing byte an early segment may reach, in bytes:
    /// 256 KiB by default. A stream takes twice this much memory at the most, and none
    /// before a segment comes early. Beyond it, what is missing is given up.
    pub ahead: u32,
    /// How many runs of bytes may wait with gaps between them: 256 by default, of 16
    /// bytes each.
    pub runs: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { ahead: 256 << 10, runs: 256 }
    }
}

/// One direction of a TCP connection. See the [module](self).
#[derive(Clone, Debug)]
pub struct Stream {
    limits: Limits,
    phase: Phase,
    /// The sequence number of the byte at position 0.
    first: u32,
    /// How many bytes were given, or given up.
    position: u64,
    /// Where a FIN says that the stream ends.
    end: Option<u64>,
    /// Behind the last segment that was too far off to belong here, see [`FAR`].
    stray: Option<u32>,
    early: Early,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing seen yet that says where the stream starts.
    Before,
    Open,
    /// Until the next SYN.
    Over,
}

/// A segment further away than this, forward or back, does not belong to the stream: it
/// was made up, or the capture has lost a great deal. If the next such segment follows on
/// it, it was the latter.
const FAR: u32 = 1 << 24;

impl Default for Stream {
    fn default() -> Self {
        Self::new()
    }
}

impl Stream {
    /// A stream of which nothing was seen yet, with [`Limits::default`].
    pub fn new() -> Self {
        Self {
            limits: Limits::default(),
            phase: Phase::Before,
            first: 0,
            position: 0,
            end: None,
            stray: None,
            early: Early::default(),
        }
    }

    /// With other limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How many bytes were given, gaps included, since the connection began.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Whether early bytes wait for missing ones.
    pub fn is_waiting(&self) -> bool {
        !self.early.is_empty()
    }

    /// How many bytes of memory the stream has allocated.
    pub fn memory(&self) -> usize {
        self.early.memory()
    }

    /// Whether the stream has ended, or was reset.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// Takes the next segment, and calls `then` with what follows from it.
    ///
    /// Without a SYN, the first segment with a payload is the start. Bytes before the
    /// start, bytes that were given already (as in most keep-alives), and those behind a
    /// FIN are ignored, and so is a FIN that would cut off bytes that have come.
    #[inline]
    pub fn feed(&mut self, segment: Segment<'_>, mut then: impl FnMut(Event<'_>)) {
        let Segment { sequence, flags, payload, .. } = segment;
        let plain = !flags.has(Flags::SYN | Flags::FIN | Flags::RST);
        if plain && self.is_next(sequence) {
            if !payload.is_empty() {
                then(Event::Bytes(payload));
                self.position = self.position.wrapping_add(payload.len() as u64);
            }
            return;
        }
        self.any(segment, &mut then);
    }

    /// Takes note that the other side has acknowledged everything before `number`: what is
    /// missing there was sent and received, and only the capture has not got it. For
    /// captures in which a segment never comes after its acknowledgement, such as those
    /// taken at one end.
    pub fn acknowledged(&mut self, number: u32, mut then: impl FnMut(Event<'_>)) {
        let ahead = u64::from(number.wrapping_sub(self.sequence()));
        if self.phase != Phase::Open || ahead > u64::from(FAR) {
            return;
        }
        let up_to = self.position.wrapping_add(ahead);
        while let Some(start) = self.early.first().filter(|start| *start <= up_to) {
            self.give_up(start, &mut then);
        }
        self.check_end(&mut then);
    }

    /// Gives all that waits, with the gaps between: for the end of a capture.
    pub fn flush(&mut self, mut then: impl FnMut(Event<'_>)) {
        self.flush_all(&mut then);
    }

    /// Forgets everything, and keeps the memory for another connection.
    pub fn reset(&mut self) {
        self.phase = Phase::Before;
        self.begin(0);
    }

    /// The number of the next byte.
    #[inline(always)]
    fn sequence(&self) -> u32 {
        self.first.wrapping_add(self.position as u32)
    }

    /// Whether nothing can happen but that the bytes at `sequence` are given.
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

    #[inline(never)]
    fn any(&mut self, segment: Segment<'_>, then: &mut dyn FnMut(Event<'_>)) {
        let Segment { mut sequence, flags, payload, .. } = segment;
        if flags.has(Flags::SYN) {
            sequence = sequence.wrapping_add(1);
        }
        if !self.start(sequence, segment, then) {
            return;
        }
        // Less than 0 for what came before.
        let distance = i64::from(sequence.wrapping_sub(self.sequence()) as i32);
        let far = distance.unsigned_abs() > u64::from(FAR);
        if flags.has(Flags::RST) {
            if !far {
                self.give_all(then);
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

    /// Whether the stream is open (now).
    fn start(
        &mut self,
        sequence: u32,
        segment: Segment<'_>,
        then: &mut dyn FnMut(Event<'_>),
    ) -> bool {
        let flags = segment.flags;
        // A reset ends what there is, it does not begin anything.
        let whole = flags.has(Flags::SYN) && !flags.has(Flags::RST);
        let begins = match self.phase {
            // A bare acknowledgement may be a keep-alive, which has an old number.
            Phase::Before => whole || !segment.payload.is_empty() && !flags.has(Flags::RST),
            // If not repeated, it is that of another connection on the same ports.
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

    /// What is too far off, see [`FAR`].
    fn far(&mut self, sequence: u32, payload: &[u8], then: &mut dyn FnMut(Event<'_>)) {
        if payload.is_empty() {
            return;
        }
        if self.stray == Some(sequence) {
            self.give_all(then);
            let ahead = u64::from(sequence.wrapping_sub(self.sequence()));
            self.end = None;
            self.give_up(self.position.wrapping_add(ahead), then);
            self.in_turn(payload, then);
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
            self.wait(start, fresh, then);
        } else {
            self.in_turn(fresh, then);
        }
    }

    /// What of `bytes` lies before a FIN.
    fn before_end<'a>(&self, start: u64, bytes: &'a [u8]) -> &'a [u8] {
        let room = self.end.map_or(u64::MAX, |end| end.saturating_sub(start));
        bytes.get(..usize::try_from(room).unwrap_or(usize::MAX)).unwrap_or(bytes)
    }

    fn note_end(&mut self, end: u64) {
        if self.end.is_none() && end >= self.early.last().unwrap_or(self.position) {
            self.end = Some(end);
        }
    }

    /// Bytes at the position, and the early ones that follow on them.
    fn in_turn(&mut self, mut bytes: &[u8], then: &mut dyn FnMut(Event<'_>)) {
        loop {
            // What came early came first.
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

    /// Bytes ahead of the position.
    fn wait(&mut self, start: u64, bytes: &[u8], then: &mut dyn FnMut(Event<'_>)) {
        if bytes.is_empty() {
            return;
        }
        while start > self.position {
            if self.early.put(self.position, start, bytes, self.limits) {
                return;
            }
            let first = self.early.first().unwrap_or(start);
            self.give_up(first.min(start), then);
        }
        let known = self.position.wrapping_sub(start) as usize;
        self.in_turn(bytes.get(known..).unwrap_or_default(), then);
    }

    /// Goes on at `position`, without what is missing before it.
    fn give_up(&mut self, position: u64, then: &mut dyn FnMut(Event<'_>)) {
        then(Event::Gap { bytes: position.wrapping_sub(self.position) as u32 });
        self.position = position;
        self.in_turn(&[], then);
    }

    fn give_all(&mut self, then: &mut dyn FnMut(Event<'_>)) {
        while let Some(start) = self.early.first() {
            self.give_up(start, then);
        }
    }

    fn flush_all(&mut self, then: &mut dyn FnMut(Event<'_>)) {
        if self.phase != Phase::Open {
            return;
        }
        self.give_all(then);
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
