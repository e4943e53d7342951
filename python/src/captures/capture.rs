//! Reads a capture, or a series of captures, in blocks.

use super::source::{Control, Pending, Source};
use crate::error::{kind_name, raise};
use gamewire::capture::{Error, ErrorKind, Reader, Reassembler};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Conversations, Filter, Options, Record};
use pyo3::prelude::*;
use std::collections::VecDeque;
use std::io;

/// Maximum number of captured packets that are read between two checks for Ctrl+C.
const BLOCK: usize = 4096;

/// The error of a reader whose source is paused. The reader can continue.
const PAUSED: ErrorKind = ErrorKind::Read(io::ErrorKind::WouldBlock);

/// A function that receives each packet, the captured packet in which it ends, the names of
/// methods, and the name of the capture.
pub(super) type Listener<'l> = dyn FnMut(&Record<'_>, Option<Frame>, &MethodNames, &str) + 'l;

/// A captured packet: its number, and its length on the wire.
pub(super) type Frame = (u64, u32);

/// The options that select the packets to report.
pub(super) struct Selection {
    /// `true` to report control packets and encrypted traffic as well.
    pub all: bool,
    /// `true` if only the packets of one port are read.
    pub has_port: bool,
    pub filters: Vec<Filter>,
}

impl Selection {
    /// Returns `true` if the command line shows the record. Without `--all`, it hides control
    /// packets, and it hides encrypted traffic and STUN unless a port is selected. If a filter
    /// selects kinds, only the filters decide.
    fn accepts(&self, record: &Record<'_>, names: &MethodNames) -> bool {
        let is_shown = || match record.is_encrypted() {
            true => self.has_port,
            false => !record.is_control(),
        };
        (self.all || is_shown() || self.filters.iter().any(Filter::selects_kinds))
            && self.filters.iter().all(|filter| filter.accepts(record, names))
    }
}

/// A capture that is being read, and the captures that continue it.
pub(super) struct Capture {
    /// `None` before the first capture is opened.
    reader: Option<Reader<Source>>,
    waiting: VecDeque<Pending>,
    /// Name of the current capture.
    file: String,
    control: Control,
    reassembler: Reassembler,
    conversations: Conversations,
    pub(super) names: MethodNames,
    selection: Selection,
    /// Number of captured packets of the current capture so far.
    number: u64,
    is_over: bool,
    /// The error that ended the capture, until it is raised.
    error: Option<Problem>,
}

impl Capture {
    pub(super) fn new(
        captures: Vec<Pending>,
        control: Control,
        options: Options,
        names: MethodNames,
        selection: Selection,
    ) -> Self {
        Self {
            reader: None,
            waiting: captures.into(),
            file: String::new(),
            control,
            reassembler: Reassembler::default(),
            conversations: Conversations::new(options),
            names,
            selection,
            number: 0,
            is_over: false,
            error: None,
        }
    }

    /// Opens the next capture of the series. Keeps incomplete packets, which this capture can
    /// complete. Returns `false` if there is no capture left, or if it cannot be opened.
    fn open_next(&mut self) -> bool {
        let Some(next) = self.waiting.pop_front() else { return false };
        if self.reader.is_some() {
            self.reassembler.next_capture();
            self.conversations.next_capture();
        }
        self.number = 0;
        self.file = next.name().to_owned();
        match next.open(&self.control) {
            Ok(source) => {
                self.reader = Some(Reader::new(source));
                true
            }
            Err(error) => {
                self.error = Some(Problem::Raised(error));
                false
            }
        }
    }

    /// Reads a block of one capture. Calls `listener` for each packet of a game that is selected.
    /// Returns `false` at the end of the last capture. Does not wait for more input if `listener` was
    /// called.
    pub(super) fn block(&mut self, listener: &mut Listener<'_>) -> bool {
        if self.is_over || (self.reader.is_none() && !self.open_next()) {
            self.end(listener);
            return false;
        }
        let Self { reader, control, reassembler, conversations, names, selection, file, .. } = self;
        let Some(reader) = reader else { return false };
        let (mut read, mut called) = (0, false);
        control.pause(false);
        while read < BLOCK {
            let packet = match reader.next_packet() {
                Ok(Some(packet)) => packet,
                Err(error) if called && *error.kind() == PAUSED => break,
                Ok(None) => {
                    if !self.open_next() {
                        self.end(listener);
                    }
                    break;
                }
                Err(error) => {
                    self.error = Some(Problem::Capture(error));
                    self.end(listener);
                    break;
                }
            };
            self.number += 1;
            let (time, frame) = (packet.time, Some((self.number, packet.original_len)));
            if let Ok(Some(segment)) = reassembler.segment(&packet) {
                conversations.segment(time, &segment, &mut |record| {
                    if selection.accepts(record, names) {
                        if !called {
                            called = true;
                            control.pause(true);
                        }
                        listener(record, frame, names, file);
                    }
                });
            }
            read += 1;
        }
        !self.is_over
    }

    /// Ends the series. Reports the packets that still wait for missing packets, even if a capture
    /// is cut off.
    fn end(&mut self, listener: &mut Listener<'_>) {
        let Self { conversations, names, selection, file, is_over, .. } = self;
        if !std::mem::replace(is_over, true) {
            conversations.finish(&mut |record| {
                if selection.accepts(record, names) {
                    listener(record, None, names, file);
                }
            });
        }
    }

    /// Returns the error that ended the capture, once.
    pub(super) fn take_problem(&mut self) -> Option<Problem> {
        let error = self.error.take()?;
        Some(self.control.take_raised().map_or(error, Problem::Raised))
    }
}

/// The error that ended a capture.
pub(super) enum Problem {
    Capture(Error),
    /// The exception of the object that was read.
    Raised(PyErr),
}

impl Problem {
    pub(super) fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Raised(error) => error,
            Self::Capture(error) => {
                let (kind, offset) = (kind_name(error.kind()), error.offset());
                raise(py, &error.to_string(), kind, Some(offset), None)
            }
        }
    }

    pub(super) fn message(&self) -> String {
        match self {
            Self::Raised(error) => error.to_string(),
            Self::Capture(error) => error.to_string(),
        }
    }
}
