use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use gamewire::godot::{Dialect, Error, detect};
use std::fmt::Display;
use std::io::{self, BufWriter, Stdout, Write};

pub const DIM: Style = Style::new().dimmed();
pub const NAME: Style = AnsiColor::Cyan.on_default();
pub const TYPE: Style = AnsiColor::Blue.on_default();
pub const TEXT: Style = AnsiColor::Green.on_default();
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
pub const BAD: Style = AnsiColor::Red.on_default().bold();
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// How it went with the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Fine,
    Malformed,
}

/// Where results and complaints go.
pub struct Report {
    pub out: BufWriter<AutoStream<Stdout>>,
    color: ColorChoice,
}

impl Report {
    pub fn new(color: ColorChoice) -> Self {
        let out = AutoStream::new(io::stdout(), color);
        Self { out: BufWriter::with_capacity(1 << 16, out), color }
    }

    pub fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Results come out before what is said about them.
    fn complain(&mut self, style: Style, word: &str, text: &dyn Display) {
        let _ = self.out.flush();
        let mut stderr = AutoStream::new(io::stderr(), self.color);
        // Where standard error is closed, there is nobody to tell.
        let _ = writeln!(stderr, "{style}{word}{style:#}: {text}");
    }

    pub fn error(&mut self, name: &str, error: &dyn Display) {
        self.complain(BAD, "error", &format_args!("{name}: {error}"));
    }

    pub fn warning(&mut self, name: &str, text: &dyn Display) {
        self.complain(WARNING, "warning", &format_args!("{name}: {text}"));
    }

    /// What is wrong with a packet, and who else might have written it.
    pub fn malformed(&mut self, name: &str, error: &Error, packet: &[u8], dialect: Dialect) {
        self.error(name, &reason(error));
        if let Some(hint) = hint(packet, dialect) {
            self.complain(WARNING, "hint", &hint);
        }
    }
}

/// The offset first, for the eye that goes down a list.
pub fn reason(error: &Error) -> String {
    format!("{}: {}", place(error.offset()), error.kind())
}

pub fn place(offset: u64) -> String {
    format!("offset {offset} ({offset:#x})")
}

/// The formats under which a refused packet is one whole value.
pub fn hint(packet: &[u8], dialect: Dialect) -> Option<String> {
    let fitting = detect(packet);
    if fitting.contains(dialect) {
        return None; // it is not the format that is wrong
    }
    let names: Vec<_> = fitting.iter().map(Dialect::name).collect();
    let first = names.first()?;
    Some(format!("one whole value as {} (--as {first})", names.join(" or ")))
}
