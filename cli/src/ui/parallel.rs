//! Processes many files on all cores, and prints their output in order.

use crate::ui::budget;
use crate::ui::input::{self, Input, Stop};
use crate::ui::progress::Progress;
use std::collections::HashMap;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

/// Calls `process` for each file like [`for_each`](input::for_each), but on all cores. Prints the
/// output in the order of the files.
///
/// The output for a file must wait until the output for all earlier files has been printed. Waiting
/// output takes at most a few MiB for each core. When this memory is full, the thread that
/// processes the file waits, too. Files are not processed at the same time if their `size`s
/// together exceed [`FILES`](budget::FILES).
pub fn for_each<W: Write>(
    paths: &[PathBuf],
    size: impl Fn(&Path) -> u64 + Sync,
    progress: &Progress,
    out: &mut W,
    process: impl Fn(Input<'_>, &mut dyn Write) -> Result<bool, Stop> + Sync,
) -> io::Result<Processed> {
    let process = |input: Input<'_>, out: &mut dyn Write| {
        let _reserved = budget::FILES.reserve(size(input.path()));
        process(input, out)
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let (started, outputs) = channel();
    thread::scope(|scope| {
        for _ in 0..cores.min(paths.len()) {
            let started = started.clone();
            scope.spawn(|| work(paths, &next, started, process));
        }
        drop(started);
        let mut outputs = Outputs { started: outputs, waiting: HashMap::new() };
        let mut processed = Processed { ok: true, unread: 0 };
        for (index, path) in paths.iter().enumerate() {
            let result = outputs.print(index, out)?;
            let is_unread = matches!(result, Err(Stop::Unreadable(_)));
            processed.unread = processed.unread.saturating_add(is_unread.into());
            processed.ok &= input::report_stop(Input::new(path), result, out)?;
            progress.advance(1);
        }
        Ok(processed)
    })
}

/// The result of processing several files.
pub struct Processed {
    /// `true` if `process` returned `true` for all files.
    pub ok: bool,
    /// Number of files that could not be read.
    pub unread: u64,
}

/// A part of the output of a file: text or, at the end, the result.
enum Message {
    Text(Vec<u8>),
    End(Result<bool, Stop>),
}

/// Number of messages that can be sent for a file before its output is printed.
const AHEAD: usize = 2;

/// Number of bytes of output that are collected before they are sent.
const CHUNK: usize = 1 << 20;

/// The index of a file that is being processed, and the receiver of its output.
type Started = (usize, Receiver<Message>);

/// Processes one file after another, until none are left or nobody receives the output.
fn work(
    paths: &[PathBuf],
    next: &AtomicUsize,
    started: Sender<Started>,
    process: impl Fn(Input<'_>, &mut dyn Write) -> Result<bool, Stop>,
) {
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(path) = paths.get(index) else { return };
        let (to, from) = sync_channel(AHEAD);
        if started.send((index, from)).is_err() {
            return;
        }
        let mut out = Chunks { to: &to, text: Vec::new() };
        let result = process(Input::new(path), &mut out);
        let sent = out.flush().map(|()| to.send(Message::End(result)));
        if !matches!(sent, Ok(Ok(()))) {
            return;
        }
    }
}

/// A writer that sends the output of a file to the thread that prints it.
struct Chunks<'c> {
    to: &'c SyncSender<Message>,
    text: Vec<u8>,
}

impl Write for Chunks<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        if self.text.len() >= CHUNK {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.text.is_empty() {
            return Ok(());
        }
        let text = std::mem::take(&mut self.text);
        self.to.send(Message::Text(text)).map_err(|_| ErrorKind::BrokenPipe.into())
    }
}

struct Outputs {
    started: Receiver<Started>,
    /// Receivers of the output of files that have started, but are printed later.
    waiting: HashMap<usize, Receiver<Message>>,
}

impl Outputs {
    /// Prints the output of a file. Returns the result of processing it.
    fn print(&mut self, index: usize, out: &mut impl Write) -> io::Result<Result<bool, Stop>> {
        let stopped = || io::Error::other("a thread has stopped");
        let messages = loop {
            if let Some(messages) = self.waiting.remove(&index) {
                break messages;
            }
            let (index, messages) = self.started.recv().map_err(|_| stopped())?;
            self.waiting.insert(index, messages);
        };
        loop {
            match messages.recv().map_err(|_| stopped())? {
                Message::Text(text) => out.write_all(&text)?,
                Message::End(result) => return Ok(result),
            }
        }
    }
}
