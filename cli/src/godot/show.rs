//! `gamewire show`.

use super::tree::{self, Options, Tree};
use super::{config, messages};
use crate::args::Show;
use crate::detected_input::DetectedInput;
use crate::ui::input::{self, Input, Stop};
use crate::ui::report;
use crate::ui::style::{BOLD, Styled};
use crate::ui::text::Count;
use crate::{rems, unreal};
use gamewire::godot::frame::Frames;
use gamewire::godot::{Error, Reader};
use std::io::{self, Write};

/// Prints all files. Returns `false` after an error.
pub fn run(args: &Show, out: &mut impl Write) -> io::Result<bool> {
    let mut blank = "";
    input::for_each(&args.files, out, |input, out| {
        let name = input.name();
        if args.files.len() > 1 {
            let heading = Styled(BOLD, format_args!("==> {name} <=="));
            writeln!(out, "{blank}{heading}").map_err(Stop::Output)?;
            blank = "\n";
        }
        let bytes =
            match DetectedInput::detect(input, input.load(args.source)?, args.unreal, args.rems)? {
                DetectedInput::Unreal(files) => return unreal::show(&name, &files, args.full, out),
                DetectedInput::Rems(file) => return rems::show(&file, args.full, out),
                DetectedInput::Other(bytes) => bytes,
            };
        if let Some(file) = config::File::detect(&bytes, args.source) {
            return config::show(args, &name, &file, out).map_err(Stop::Output);
        }
        if let Some(kind) = messages::foreign(input, &bytes, args.source) {
            out.flush().map_err(Stop::Output)?;
            messages::report_foreign(&name, kind);
            return Ok(false);
        }
        File { args, input, name: &name, bytes: &bytes, out }.show().map_err(Stop::Output)
    })
}

/// A file of Godot values, and the output for it.
struct File<'a, W> {
    args: &'a Show,
    input: Input<'a>,
    name: &'a str,
    bytes: &'a [u8],
    out: &'a mut W,
}

impl<W: Write> File<'_, W> {
    /// Prints the file. Returns `false` if it is malformed.
    fn show(&mut self) -> io::Result<bool> {
        if self.args.source.format().frames {
            return self.frames();
        }
        let reader = Reader::new(self.bytes, self.args.source.format().dialect);
        let end = self.values(reader, 0, "")?;
        if end != End::Complete {
            self.hint_at_formats();
        }
        Ok(end != End::Malformed)
    }

    fn frames(&mut self) -> io::Result<bool> {
        if self.bytes.is_empty() {
            self.out.flush()?;
            report::warning(self.name, "the file is empty: there are no frames");
        }
        let mut ok = true;
        let mut complete = true;
        let mut frames = Frames::new(self.bytes);
        let mut start = frames.offset();
        for index in 0_u64.. {
            let context = format!("frame {index}: ");
            match frames.next() {
                None => break,
                Some(Err(error)) => {
                    self.malformed(&context, &error)?;
                    (ok, complete) = (false, false);
                }
                Some(Ok(frame)) => {
                    self.frame_line(index, start, frame.offset, frame.bytes.len())?;
                    let reader = Reader::new(frame.bytes, self.args.source.format().dialect);
                    let end = self.values(reader.origin(frame.offset), 1, &context)?;
                    ok &= end != End::Malformed;
                    complete &= end == End::Complete;
                }
            }
            start = frames.offset();
        }
        if !complete {
            self.hint_at_formats();
        }
        Ok(ok)
    }

    fn frame_line(&mut self, index: u64, start: u64, value: u64, len: usize) -> io::Result<()> {
        let range = usize::try_from(start).ok().zip(usize::try_from(value).ok());
        let head = range.and_then(|(start, end)| self.bytes.get(start..end)).unwrap_or_default();
        let text = format!("frame {index}, {}", Count(len as u64, "byte"));
        let options = self.options();
        Tree::new(self.out, options, 0).heading(start, head, text)
    }

    /// Prints the first value, or all values with `--all`.
    fn values(
        &mut self,
        mut reader: Reader<'_, '_>,
        base: usize,
        context: &str,
    ) -> io::Result<End> {
        loop {
            let options = self.options();
            let mut tree = Tree::new(self.out, options, base);
            match reader.visit_dyn(&mut tree) {
                Ok(()) => {}
                Err(tree::Stop::Output(error)) => return Err(error),
                Err(tree::Stop::Malformed(error)) => {
                    tree.finish()?;
                    self.malformed(context, &error)?;
                    return Ok(End::Malformed);
                }
            }
            if reader.is_empty() {
                return Ok(End::Complete);
            }
            if !self.args.all {
                self.left_over(&reader, context)?;
                return Ok(End::LeftOver);
            }
        }
    }

    fn left_over(&mut self, reader: &Reader<'_, '_>, context: &str) -> io::Result<()> {
        self.out.flush()?;
        messages::left_over(self.name, context, reader.rest(), reader.offset());
        Ok(())
    }

    fn malformed(&mut self, context: &str, error: &Error) -> io::Result<()> {
        self.out.flush()?;
        messages::malformed(self.name, context, error);
        Ok(())
    }

    fn hint_at_formats(&self) {
        messages::hint_at_formats(self.input, self.bytes, self.args.source);
    }

    fn options(&self) -> Options {
        let columns = self.bytes.len().to_string().len();
        Options { full: self.args.full, hex: self.args.hex, offset_columns: columns, margin: 0 }
    }
}

/// State at the end of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// No bytes follow the printed values.
    Complete,
    /// The packet contains further bytes after the first value.
    LeftOver,
    Malformed,
}
