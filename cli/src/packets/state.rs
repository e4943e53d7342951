//! The state that `--state-out` writes at the end of a capture, and that `--state-in` reads before
//! the next capture of the series.
//!
//! A file with a state consists of [`HEADER`], the conversations and the fragments of IP packets as
//! `postcard` encodes them, and a CRC-32 of all bytes before it (little-endian).

use crate::args::Packets;
use crate::ui::file_output;
use crate::ui::input::Input;
use crate::ui::report;
use crate::ui::text::Escaped;
use gamewire::capture::{Reassembler, ReassemblyLimits};
use gamewire::traffic::{Conversations, Options};
use std::io::Read;
use std::path::Path;

/// The start of every file with a state.
const MAGIC: &str = "gamewire state\n";

/// The start of a file that this version can read. The number must be increased when the encoding
/// of the state changes; a test then fails.
const HEADER: &str =
    concat!("gamewire state\nformat 1, gamewire ", env!("CARGO_PKG_VERSION"), "\n");

const CHECKSUM: usize = 4;

/// Maximum length of a file. It is twice the memory of all conversations, which is more than the
/// encoding of this memory takes.
const MAX_LEN: u64 = 128 << 20;

/// The state of all conversations in a capture, or in a series of captures.
#[derive(Debug, Default)]
pub struct State {
    pub conversations: Conversations,
    pub reassembler: Reassembler,
}

impl State {
    pub fn new(options: Options) -> Self {
        let conversations = Conversations::new(options);
        Self { conversations, reassembler: Reassembler::default() }
    }

    /// Returns the state before the first capture if the captures are a series. Returns `None` if
    /// they are independent of each other. An error message begins with the name of the file.
    pub fn of_series(args: &Packets) -> Result<Option<Self>, String> {
        match &args.state_in {
            Some(path) => read(path, args.options()).map(Some),
            None => Ok(args.state_out.is_some().then(|| Self::new(args.options()))),
        }
    }

    fn write(&self, path: &Path) -> Result<(), String> {
        let mut bytes = HEADER.as_bytes().to_vec();
        bytes = postcard::to_extend(&(&self.conversations, &self.reassembler), bytes)
            .map_err(|error| error.to_string())?;
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        file_output::write(path, &bytes).map_err(|error| error.to_string())
    }

    fn decode(bytes: &[u8], options: Options) -> Result<Self, String> {
        if bytes.is_empty() {
            return Ok(Self::new(options));
        }
        let damaged = |problem: &str| format!("the state is damaged: {problem}");
        let cut_short = || damaged("it is cut short");
        let encoded = body(bytes)?;
        let (encoded, checksum) = encoded.split_last_chunk::<CHECKSUM>().ok_or_else(cut_short)?;
        let (checked, _) = bytes.split_last_chunk::<CHECKSUM>().ok_or_else(cut_short)?;
        if u32::from_le_bytes(*checksum) != crc32fast::hash(checked) {
            return Err(damaged("its checksum is wrong"));
        }
        // The errors of `postcard` do not contain the messages of the library.
        let failed = |_: postcard::Error| damaged("it contradicts itself or exceeds a limit");
        let mut encoded = postcard::Deserializer::from_bytes(encoded);
        let conversations = Conversations::restore(options, &mut encoded).map_err(failed)?;
        let limits = ReassemblyLimits::default();
        let reassembler = Reassembler::restore(limits, &mut encoded).map_err(failed)?;
        match encoded.finalize() {
            Ok([]) => Ok(Self { conversations, reassembler }),
            Ok(_) => Err(damaged("it continues after its end")),
            Err(error) => Err(failed(error)),
        }
    }
}

/// Writes the state of a series if a file for it is given. `ok` is `false` if a capture could not
/// be processed to its end. The state is then not written. Returns `false` if a file is given but
/// not written.
pub fn write(args: &Packets, state: &State, ok: bool) -> bool {
    let Some(path) = &args.state_out else { return true };
    let written = match ok {
        true => state.write(path),
        false => Err("not written, because not all captures were processed".into()),
    };
    if let Err(problem) = &written {
        report::error(&Input::new(path).name(), problem);
    }
    written.is_ok()
}

fn read(path: &Path, options: Options) -> Result<State, String> {
    let input = Input::new(path);
    let in_file = |problem: String| format!("{}: {problem}", input.name());
    let stream = input.open_stream().map_err(|stop| in_file(stop.to_string()))?;
    let mut bytes = Vec::new();
    let read = stream.take(MAX_LEN.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| in_file(error.to_string()))?;
    if bytes.len() as u64 > MAX_LEN {
        return Err(in_file("this is not a state of `gamewire packets`: it is too long".into()));
    }
    State::decode(&bytes, options).map_err(in_file)
}

/// Returns the bytes after the header.
fn body(bytes: &[u8]) -> Result<&[u8], String> {
    if let Some(body) = bytes.strip_prefix(HEADER.as_bytes()) {
        return Ok(body);
    }
    let Some(rest) = bytes.strip_prefix(MAGIC.as_bytes()) else {
        return Err("this is not a state of `gamewire packets` (--state-out writes one)".into());
    };
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = Escaped(line.get(..MAX_LINE).unwrap_or(line));
    let own = HEADER.strip_prefix(MAGIC).unwrap_or_default().trim_end();
    Err(format!("the state has {line}, but this program reads only {own}"))
}

/// Maximum number of bytes of a foreign header that a message contains.
const MAX_LINE: usize = 64;
