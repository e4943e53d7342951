//! `gamewire show`.

use super::region::Region;
use super::tree::{self, Options, Tree};
use super::{config, messages};
use crate::args::Show;
use crate::content;
use crate::detected_input::DetectedInput;
use crate::ui::input::{self, Input, Stop};
use crate::ui::report;
use crate::ui::style::{BOLD, Styled};
use crate::ui::text::Count;
use crate::unreal::{archives, locres, registry};
use crate::{rems, unreal};
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
        if !args.source.is_format_given()
            && let Some(archive) = archives::open(input)?
        {
            return archives::show(&name, archive, args.full, out);
        }
        let content = content::load(input, args.source)?;
        let bytes = match DetectedInput::detect(input, content.bytes, args.unreal, args.rems)? {
            DetectedInput::Unreal(files) => return unreal::show(&name, &files, args.full, out),
            DetectedInput::Locres(bytes) => return locres::show(&name, &bytes, args.full, out),
            DetectedInput::Registry(bytes) => return registry::show(&name, &bytes, args.full, out),
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
        let region = Region::select(input, &bytes, args.source)?;
        let file = File { args, input, name: &name, region, len: bytes.len(), out };
        { file }.show().map_err(Stop::Output)
    })
}

/// A file of Godot values, and the output for it.
struct File<'a, W> {
    args: &'a Show,
    input: Input<'a>,
    name: &'a str,
    region: Region<'a>,
    /// Size of the whole file.
    len: usize,
    out: &'a mut W,
}

impl<W: Write> File<'_, W> {
    /// Prints the file. Returns `false` if it is malformed.
    fn show(&mut self) -> io::Result<bool> {
        if self.region.format.frames {
            return self.frames();
        }
        let count = self.region.count.unwrap_or(if self.args.all { usize::MAX } else { 1 });
        let end = self.values(self.region.reader(), count, 0, "")?;
        if end != End::Complete {
            self.hint_at_formats();
        }
        Ok(end != End::Malformed)
    }

    fn frames(&mut self) -> io::Result<bool> {
        if self.region.bytes.is_empty() {
            self.out.flush()?;
            report::warning(self.name, "the file is empty: there are no frames");
        }
        let mut ok = true;
        let mut complete = true;
        let mut start = self.region.start();
        for (index, frame) in self.region.frames().enumerate() {
            let context = format!("frame {index}: ");
            match frame {
                Err(error) => {
                    self.malformed(&context, &error)?;
                    (ok, complete) = (false, false);
                }
                Ok(frame) => {
                    self.frame_line(index, start, frame.offset, frame.bytes.len())?;
                    let reader = Reader::new(frame.bytes, self.region.format.dialect);
                    let count = if self.args.all { usize::MAX } else { 1 };
                    let end = self.values(reader.origin(frame.offset), count, 1, &context)?;
                    ok &= end != End::Malformed;
                    complete &= end == End::Complete;
                    start = frame.offset.saturating_add(frame.bytes.len() as u64);
                }
            }
        }
        if !complete {
            self.hint_at_formats();
        }
        Ok(ok)
    }

    fn frame_line(&mut self, index: usize, start: u64, value: u64, len: usize) -> io::Result<()> {
        let head = self.region.from(start);
        let size = usize::try_from(value.saturating_sub(start)).unwrap_or_default();
        let head = head.get(..size).unwrap_or_default();
        let text = format!("frame {index}, {}", Count(len as u64, "byte"));
        let options = self.options();
        Tree::new(self.out, options, 0).heading(start, head, text)
    }

    /// Prints up to `count` values. If further bytes follow, warns about them, unless `--count`
    /// limits the values.
    fn values(
        &mut self,
        mut reader: Reader<'_, '_>,
        mut count: usize,
        base: usize,
        context: &str,
    ) -> io::Result<End> {
        loop {
            if count == 0 {
                return Ok(End::Complete);
            }
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
            count = count.saturating_sub(1);
            let is_limited = self.region.count.is_some() && !self.region.format.frames;
            if count == 0 && !is_limited {
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
        messages::hint_at_formats(self.input, self.region, self.args.source);
    }

    fn options(&self) -> Options {
        let columns = self.len.to_string().len();
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
