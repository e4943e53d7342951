//! Reads a capture in blocks.

use super::source::{Control, Source};
use crate::error::{kind_name, raise};
use gamewire::capture::{Error, ErrorKind, Reader, Reassembler};
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Conversations, Options, Record};
use pyo3::prelude::*;
use std::io;

/// Maximum number of captured packets that are read between two checks for Ctrl+C.
const BLOCK: usize = 4096;

/// The error of a reader whose source is paused. The reader can continue.
const PAUSED: ErrorKind = ErrorKind::Read(io::ErrorKind::WouldBlock);

/// A captured packet: its number, and its length on the wire.
pub(super) type Frame = (u64, u32);

/// A capture that is being read.
pub(super) struct Capture {
    reader: Reader<Source>,
    control: Control,
    reassembler: Reassembler,
    conversations: Conversations,
    pub(super) names: MethodNames,
    /// `true` to report control packets and encrypted traffic as well.
    all: bool,
    /// `true` if only the packets of one port are read.
    has_port: bool,
    /// Number of captured packets so far.
    number: u64,
    is_over: bool,
    /// The error that ended the capture, until it is raised.
    error: Option<Error>,
}

impl Capture {
    pub(super) fn new(
        source: Source,
        control: Control,
        options: Options,
        names: MethodNames,
        all: bool,
    ) -> Self {
        Self {
            reader: Reader::new(source),
            control,
            reassembler: Reassembler::default(),
            has_port: options.port.is_some(),
            conversations: Conversations::new(options),
            names,
            all,
            number: 0,
            is_over: false,
            error: None,
        }
    }

    /// Reads a block. Calls `listener` for each packet of a game that is not hidden. Returns `false`
    /// at the end of the capture. Does not wait for more input if `listener` was called.
    pub(super) fn block(
        &mut self,
        listener: &mut dyn FnMut(&Record<'_>, Option<Frame>, &MethodNames),
    ) -> bool {
        let Self { reader, control, reassembler, conversations, names, all, has_port, .. } = self;
        let (all, has_port) = (*all, *has_port);
        let (mut read, mut called) = (0, false);
        control.pause(false);
        while !self.is_over && read < BLOCK {
            let packet = match reader.next_packet() {
                Ok(Some(packet)) => packet,
                Err(error) if called && *error.kind() == PAUSED => break,
                outcome => {
                    self.is_over = true;
                    self.error = outcome.err();
                    // Packets that still wait for missing packets are reported, even if the capture is
                    // cut off.
                    conversations.finish(&mut |record| {
                        if all || is_shown(record, has_port) {
                            listener(record, None, names);
                        }
                    });
                    break;
                }
            };
            self.number += 1;
            let (time, frame) = (packet.time, Some((self.number, packet.original_len)));
            if let Ok(Some(segment)) = reassembler.segment(&packet) {
                conversations.segment(time, &segment, &mut |record| {
                    if all || is_shown(record, has_port) {
                        if !called {
                            called = true;
                            control.pause(true);
                        }
                        listener(record, frame, names);
                    }
                });
            }
            read += 1;
        }
        !self.is_over
    }

    /// Returns the error that ended the capture, once.
    pub(super) fn take_problem(&mut self) -> Option<Problem> {
        let error = self.error.take()?;
        Some(self.control.take_raised().map_or(Problem::Capture(error), Problem::Raised))
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

/// Returns `true` if the command line shows the record without `--all`. It hides control packets,
/// and it hides encrypted traffic and STUN unless a port is selected.
fn is_shown(record: &Record<'_>, has_port: bool) -> bool {
    match record.is_encrypted() {
        true => has_port,
        false => !record.is_control(),
    }
}
