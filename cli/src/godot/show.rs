//! `gamewire show`.

use crate::args::Show;
use crate::detected_input::DetectedInput;
use crate::godot::tree::{self, Options, Tree};
use crate::ui::input::{self, Stop};
use crate::ui::report;
use crate::ui::style::{BOLD, Styled};
use crate::ui::text::Count;
use crate::{rems, unreal};
use gamewire::godot::frame::Frames;
use gamewire::godot::{Error, Reader};
use std::io::{self, Write};

/// Shows all files; whether all were fine.
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
        File { args, name: &name, bytes: &bytes, out }.show().map_err(Stop::Output)
    })
}

/// One file on its way out.
struct File<'a, W> {
    args: &'a Show,
    name: &'a str,
    bytes: &'a [u8],
    out: &'a mut W,
}

impl<W: Write> File<'_, W> {
    /// Whether it was fine.
    fn show(&mut self) -> io::Result<bool> {
        if self.args.source.format.frames {
            return self.frames();
        }
        let reader = Reader::new(self.bytes, self.args.source.format.dialect);
        let whole = self.values(reader, 0, "")?;
        if whole != Whole::Yes {
            self.hint_at_formats();
        }
        Ok(whole != Whole::Malformed)
    }

    fn frames(&mut self) -> io::Result<bool> {
        if self.bytes.is_empty() {
            self.out.flush()?;
            report::warning(self.name, "empty, no frames");
        }
        let mut fine = true;
        let mut fitting = true;
        let mut frames = Frames::new(self.bytes);
        let mut start = frames.offset();
        for index in 0_u64.. {
            let context = format!("frame {index}: ");
            match frames.next() {
                None => break,
                Some(Err(error)) => {
                    self.malformed(&context, &error)?;
                    (fine, fitting) = (false, false);
                }
                Some(Ok(frame)) => {
                    self.frame_line(index, start, frame.offset, frame.bytes.len())?;
                    let reader = Reader::new(frame.bytes, self.args.source.format.dialect);
                    let whole = self.values(reader.origin(frame.offset), 1, &context)?;
                    fine &= whole != Whole::Malformed;
                    fitting &= whole == Whole::Yes;
                }
            }
            start = frames.offset();
        }
        if !fitting {
            self.hint_at_formats();
        }
        Ok(fine)
    }

    fn frame_line(&mut self, index: u64, start: u64, value: u64, len: usize) -> io::Result<()> {
        let range = usize::try_from(start).ok().zip(usize::try_from(value).ok());
        let head = range.and_then(|(start, end)| self.bytes.get(start..end)).unwrap_or_default();
        let text = format!("frame {index}, {}", Count(len as u64, "byte"));
        let options = self.options();
        Tree::new(self.out, options, 0).heading(start, head, text)
    }

    /// Prints the first value, or all of them.
    fn values(
        &mut self,
        mut reader: Reader<'_, '_>,
        base: usize,
        context: &str,
    ) -> io::Result<Whole> {
        loop {
            let options = self.options();
            let mut tree = Tree::new(self.out, options, base);
            match reader.visit(&mut tree) {
                Ok(()) => {}
                Err(tree::Stop::Output(error)) => return Err(error),
                Err(tree::Stop::Malformed(error)) => {
                    tree.finish()?;
                    self.malformed(context, &error)?;
                    return Ok(Whole::Malformed);
                }
            }
            if reader.is_empty() {
                return Ok(Whole::Yes);
            }
            if !self.args.all {
                self.left_over(&reader, context)?;
                return Ok(Whole::No);
            }
        }
    }

    fn left_over(&mut self, reader: &Reader<'_, '_>, context: &str) -> io::Result<()> {
        self.out.flush()?;
        report::left_over(self.name, context, reader.rest(), reader.offset());
        Ok(())
    }

    fn malformed(&mut self, context: &str, error: &Error) -> io::Result<()> {
        self.out.flush()?;
        report::malformed(self.name, context, error);
        Ok(())
    }

    fn hint_at_formats(&self) {
        for line in report::other_formats(self.bytes, self.args.source.format) {
            report::hint(line);
        }
    }

    fn options(&self) -> Options {
        let columns = self.bytes.len().to_string().len();
        Options { full: self.args.full, hex: self.args.hex, offset_columns: columns, margin: 0 }
    }
}

/// Whether a packet was what its values said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whole {
    Yes,
    /// Something follows.
    No,
    Malformed,
}
