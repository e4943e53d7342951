//! Processes many files on all cores, and prints their output in order.

use crate::ui::budget;
use crate::ui::input::{self, Input, Stop};
use crate::ui::progress::Progress;
use std::collections::HashMap;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, ThreadId};

/// Calls `process` for each file like [`for_each`](input::for_each), but on all cores. Prints the
/// output in the order of the files.
///
/// At most 4 MiB of output wait for each file. Files are not processed at the same time if their
/// `size`s together exceed [`FILES`](budget::FILES). The file whose output is being printed does
/// not wait for the others, even if the limit is then exceeded.
pub fn for_each<W: Write>(
    paths: &[PathBuf],
    size: impl Fn(&Path) -> u64 + Sync,
    progress: &Progress,
    out: &mut W,
    process: impl Fn(Input<'_>, &mut dyn Write) -> Result<bool, Stop> + Sync,
) -> io::Result<Processed> {
    let process = |_: usize, input: Input<'_>, out: &mut dyn Write| {
        let _reserved = budget::FILES.reserve(size(input.path()));
        process(input, out)
    };
    let mut processed = Processed { ok: true, unread: 0 };
    in_order(paths, 4 << 20, out, process, |input, result, out| {
        let is_unread = matches!(result, Err(Stop::Unreadable(_)));
        processed.unread = processed.unread.saturating_add(is_unread.into());
        processed.ok &= input::report_stop(input, result, out)?;
        progress.advance(1);
        Ok(())
    })?;
    Ok(processed)
}

/// Calls `process` for each file, with its index, on all cores. Prints the output in the order of the
/// files, and calls `finish` with each result after the output of the file.
///
/// The output for a file must wait until the output for all earlier files has been printed. For
/// each core, the output of at most [`FILES_PER_CORE`] files waits, with at most `waiting` bytes
/// for each file. When this memory is full, the threads wait, too.
pub fn in_order<'p, T: Send, W: Write>(
    paths: &'p [PathBuf],
    waiting: usize,
    out: &mut W,
    process: impl Fn(usize, Input<'p>, &mut dyn Write) -> T + Sync,
    mut finish: impl FnMut(Input<'p>, T, &mut W) -> io::Result<()>,
) -> io::Result<()> {
    let process = &process;
    // Two more messages are in memory: one is being collected, and one is being printed.
    let ahead = (waiting / CHUNK).saturating_sub(2);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let (started, outputs) = channel();
    let (permit, permits) = channel();
    let permits = Mutex::new(permits);
    for _ in 0..cores.saturating_mul(FILES_PER_CORE) {
        let _ = permit.send(()); // `permits` receives it
    }
    thread::scope(|scope| {
        let permit = permit;
        for _ in 0..cores.min(paths.len()) {
            let started = started.clone();
            scope.spawn(|| work(paths, (&next, &permits), ahead, started, process));
        }
        drop(started);
        let mut outputs = Outputs { started: outputs, waiting: HashMap::new() };
        for (index, path) in paths.iter().enumerate() {
            let result = outputs.print(index, out)?;
            finish(Input::new(path), result, out)?;
            let _ = permit.send(()); // cannot fail: `permits` is dropped later
        }
        Ok(())
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
enum Message<T> {
    Text(Vec<u8>),
    End(T),
}

/// Maximum number of files for each core that are being processed or whose output is waiting.
const FILES_PER_CORE: usize = 2;

/// Number of bytes of output that are collected before they are sent.
const CHUNK: usize = 1 << 20;

/// A file that is being processed.
struct Started<T> {
    index: usize,
    thread: ThreadId,
    output: Receiver<Message<T>>,
}

/// Processes one file after another, until none are left or nobody receives the output. Waits for a
/// permit before each file. At most `ahead` messages wait for each file.
fn work<'p, T>(
    paths: &'p [PathBuf],
    (next, permits): (&AtomicUsize, &Mutex<Receiver<()>>),
    ahead: usize,
    started: Sender<Started<T>>,
    process: impl Fn(usize, Input<'p>, &mut dyn Write) -> T,
) {
    while permits.lock().is_ok_and(|permits| permits.recv().is_ok()) {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(path) = paths.get(index) else { return };
        let (to, output) = sync_channel(ahead);
        let thread = thread::current().id();
        if started.send(Started { index, thread, output }).is_err() {
            return;
        }
        let mut out = Chunks { to: &to, text: Vec::new() };
        let result = process(index, Input::new(path), &mut out);
        let sent = out.flush().map(|()| to.send(Message::End(result)));
        if !matches!(sent, Ok(Ok(()))) {
            return;
        }
    }
}

/// A writer that sends the output of a file to the thread that prints it.
struct Chunks<'c, T> {
    to: &'c SyncSender<Message<T>>,
    text: Vec<u8>,
}

impl<T> Write for Chunks<'_, T> {
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

struct Outputs<T> {
    started: Receiver<Started<T>>,
    /// Files that have started, but are printed later.
    waiting: HashMap<usize, Started<T>>,
}

impl<T> Outputs<T> {
    /// Prints the output of a file. Returns the result of processing it.
    fn print(&mut self, index: usize, out: &mut impl Write) -> io::Result<T> {
        let stopped = || io::Error::other("a thread has stopped");
        let file = loop {
            if let Some(file) = self.waiting.remove(&index) {
                break file;
            }
            let file = self.started.recv().map_err(|_| stopped())?;
            self.waiting.insert(file.index, file);
        };
        budget::permit_excess(file.thread);
        loop {
            match file.output.recv().map_err(|_| stopped())? {
                Message::Text(text) => out.write_all(&text)?,
                Message::End(result) => return Ok(result),
            }
        }
    }
}
