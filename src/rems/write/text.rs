//! Writer of text files.

mod values;

use super::error::{KindResult, WriteError, WriteErrorKind};
use super::item_sink::{ItemSink, OutputFormat};
use super::output::{Output, shared_sink_methods};
use super::readback;
use super::scanned_str::{ScannedStr, find_escape};
use super::state::{Enclosing, Expected, State};
use crate::buffer::Sink;
use crate::rems::print::{Dialect, Unreadable, Warning, numbers};
use crate::rems::{Kind, Part, Piece, StrRef, Type, Value};

/// A writer of a text file. It produces the same bytes as an engine.
///
/// Only the sink allocates. `DEPTH` is the maximum nesting of objects and lists, as for
/// [`TextReader`](crate::rems::TextReader). [`ItemSink`] describes what can be written and in which
/// order.
///
/// ```
/// use gamewire::rems::{Dialect, ItemSink, TextWriter};
///
/// let mut writer = TextWriter::new(Vec::new(), Dialect::Engine2026);
/// writer.object("Outer", Some(1))?;
/// writer.put("position", [0.5_f32, 0.5, 0.5])?;
/// writer.put("ids", &[7, -8, 0, 0][..])?;
/// writer.end()?;
/// let text = writer.finish()?;
/// assert_eq!(text, br#"[{"class":"Outer","i:*ptr":1,"v3:position":[0.5],"i[]:ids":[4,7,-8]}]"#);
/// # Ok::<(), gamewire::rems::WriteError>(())
/// ```
#[derive(Debug)]
pub struct TextWriter<S, const DEPTH: usize = 256> {
    out: Output<S>,
    dialect: Dialect,
    state: State<DEPTH>,
    /// `true` if neither a number nor a property of the innermost object has been written.
    unnumbered: bool,
}

impl<S: Sink> TextWriter<S> {
    /// Creates a writer that appends to a sink.
    pub fn new(sink: S, dialect: Dialect) -> Self {
        Self::with_depth(sink, dialect)
    }
}

impl<S: Sink, const DEPTH: usize> TextWriter<S, DEPTH> {
    /// Creates a writer whose `DEPTH` can differ from the default of 256.
    pub fn with_depth(sink: S, dialect: Dialect) -> Self {
        Self { out: Output::new(sink), dialect, state: State::new(), unnumbered: false }
    }

    /// Ends the file and returns the sink.
    ///
    /// # Errors
    /// If an object or list is still open, if the sink is full, or if an earlier error left the
    /// output incomplete.
    pub fn finish(mut self) -> Result<S, WriteError> {
        let begins = self.state.top.first;
        self.atomic(|writer| {
            writer.state.finish()?;
            writer.out.bytes(if begins { b"[]" } else { b"]" });
            writer.out.flush()
        })?;
        Ok(self.out.sink)
    }

    /// Calls `write`, and rewinds the sink to the position before the call if `write` fails. If the
    /// sink cannot rewind and has already received a part of what this call writes, all later calls
    /// fail.
    #[inline]
    fn atomic(&mut self, write: impl FnOnce(&mut Self) -> KindResult) -> Result<(), WriteError> {
        let start = self.out.start();
        let result = if self.out.broken { Err(WriteErrorKind::HalfWritten) } else { write(self) };
        result.map_err(|kind| self.out.failed(kind, start))
    }

    fn integer(&mut self, value: u32) {
        self.out.reserve_part();
        _ = numbers::integer(value, &mut self.out.printed);
    }

    /// Writes escaped text without quotes.
    #[inline(always)]
    fn escaped(&mut self, text: ScannedStr<'_>) {
        match text.plain {
            Some(bytes) => self.out.bytes(bytes),
            None => self.escape(text.text),
        }
    }

    #[inline(never)]
    fn escape(&mut self, text: StrRef<'_>) {
        text.pieces().for_each(|piece| match piece {
            Piece::Bytes(bytes) => self.escaped_bytes(bytes),
            Piece::Char(char) => self.escaped_bytes(char.encode_utf8(&mut [0; 4]).as_bytes()),
        })
    }

    fn escaped_bytes(&mut self, mut bytes: &[u8]) {
        while let Some((at, escape)) = find_escape(bytes) {
            let (plain, rest) = bytes.split_at_checked(at).unwrap_or((bytes, &[]));
            self.out.bytes(plain);
            self.out.bytes(&[b'\\', escape]);
            bytes = rest.get(1..).unwrap_or_default();
        }
        self.out.bytes(bytes)
    }

    /// Writes escaped text in quotes.
    fn quoted(&mut self, text: ScannedStr<'_>) {
        self.out.bytes(b"\"");
        self.escaped(text);
        self.out.bytes(b"\"")
    }

    /// Writes the separator before an element or top-level object. Writes nothing before the value
    /// of a property, because that value directly follows the key.
    #[inline]
    fn comma(&mut self) {
        match (self.state.in_property(), self.state.top.enclosing, self.state.top.first) {
            (true, ..) => {}
            (_, Enclosing::File, true) => self.out.bytes(b"["),
            (_, _, true) => {}
            (_, _, false) => self.out.bytes(b","),
        }
    }

    /// Writes the key of a property. In the dialect of 2021, reproduces two bugs of the engine. The
    /// engine swaps the type and the name of a single integer vector, and writes the type of a
    /// vector of four integers as `v3i`. It also writes the type of a single `v4d` as `vd4`.
    fn key(&mut self, ty: Type<'_>, name: ScannedStr<'_>) -> KindResult {
        self.key_is_read_back(ty, name)?;
        self.out.bytes(if self.state.top.first { b"\"" } else { b",\"" });
        let swapped = match (self.dialect, ty) {
            (Dialect::Engine2021, Type::Kind(Kind::Vec2i, 0)) => Some(b":v2i\":"),
            (Dialect::Engine2021, Type::Kind(Kind::Vec3i | Kind::Vec4i, 0)) => Some(b":v3i\":"),
            _ => None,
        };
        if let Some(swapped) = swapped {
            self.escaped(name);
            self.out.bytes(swapped);
            return Ok(());
        }
        self.type_name(ty);
        self.out.bytes(b":");
        self.escaped(name);
        self.out.bytes(b"\":");
        Ok(())
    }

    fn kind_name(&self, kind: Kind, dim: u8) -> &'static str {
        match (self.dialect, kind) {
            (Dialect::Engine2021, Kind::Vec4d) if dim == 0 => "vd4",
            (Dialect::Engine2021, _) => kind.name_2021().unwrap_or(kind.name()),
            (Dialect::Engine2026, _) => kind.name(),
        }
    }

    /// Writes the name of a type.
    fn type_name(&mut self, ty: Type<'_>) {
        match ty {
            Type::Kind(kind, dim) => self.out.bytes(self.kind_name(kind, dim).as_bytes()),
            Type::Class(class, _) => self.escaped(ScannedStr::new(class)),
            Type::Mixed(_) => self.out.bytes(b"*"),
            Type::Object => self.out.bytes(b"?"),
        }
        (0..ty.dim()).for_each(|_| self.out.bytes(b"[]"))
    }

    /// Checks that the engine reads the key back unchanged.
    #[inline(always)]
    fn key_is_read_back(&mut self, ty: Type<'_>, name: ScannedStr<'_>) -> KindResult {
        if self.unnumbered && ty == Type::Kind(Kind::I32, 0) && name.text == *"*ptr" {
            self.out.read_back(Err(Unreadable::LooksLikeNumber))?;
        }
        self.out.read_back(readback::key(self.dialect, ty, name))
    }
}

impl<S: Sink, const DEPTH: usize> ItemSink for TextWriter<S, DEPTH> {
    fn format(&self) -> OutputFormat {
        OutputFormat::Text(self.dialect)
    }

    shared_sink_methods!();

    fn object<'s>(
        &mut self,
        class: impl Into<StrRef<'s>>,
        number: Option<u32>,
    ) -> Result<(), WriteError> {
        let class = class.into();
        self.atomic(|writer| {
            let class_known = writer.state.object(class)?;
            writer.state.check_depth()?;
            if class_known {
                writer.comma();
                writer.out.bytes(b"{");
            } else {
                let class = ScannedStr::new(class);
                writer.out.read_back(readback::utf8(class))?;
                writer.comma();
                writer.out.bytes(b"{\"class\":");
                writer.quoted(class);
            }
            if let Some(number) = number {
                if number > i32::MAX.cast_unsigned() {
                    return Err(WriteErrorKind::BadNumber(number.into()));
                }
                writer.out.bytes(if class_known { b"\"i:*ptr\":" } else { b",\"i:*ptr\":" });
                writer.integer(number);
            }
            writer.out.hold()?;
            writer.state.open_object(class_known && number.is_none(), 0);
            writer.unnumbered = number.is_none();
            Ok(())
        })
    }

    fn property<'s>(
        &mut self,
        ty: Type<'_>,
        name: impl Into<StrRef<'s>>,
    ) -> Result<(), WriteError> {
        let name = ScannedStr::new(name.into());
        self.atomic(|writer| {
            writer.state.property()?;
            writer.key(ty, name)?;
            writer.out.hold()?;
            writer.state.expect(Expected::of(ty));
            writer.unnumbered = false;
            Ok(())
        })
    }

    fn pointer(&mut self, number: u32) -> Result<(), WriteError> {
        self.atomic(|writer| {
            writer.state.pointer()?;
            if number > i32::MAX.cast_unsigned() {
                return Err(WriteErrorKind::BadNumber(number.into()));
            }
            writer.comma();
            writer.integer(number);
            writer.out.hold()?;
            writer.state.done();
            Ok(())
        })
    }

    fn null(&mut self) -> Result<(), WriteError> {
        self.atomic(|writer| {
            let slot = writer.state.null()?;
            let text = match (writer.dialect, slot) {
                // The engine of 2026 writes an empty path instead of null.
                (Dialect::Engine2026, Expected::Kind(Kind::File, 0)) => &b"\"\""[..],
                _ => b"null",
            };
            match slot {
                Expected::Kind(Kind::File, 0) => {}
                Expected::Kind(..) => writer.out.read_back(Err(Unreadable::Null))?,
                other if other.dim() > 0 => writer.out.read_back(Err(Unreadable::Null))?,
                _ => {}
            }
            writer.comma();
            writer.out.bytes(text);
            writer.out.hold()?;
            writer.state.done();
            Ok(())
        })
    }

    fn list(&mut self, len: u32) -> Result<(), WriteError> {
        self.atomic(|writer| {
            let slot = writer.state.list()?;
            writer.state.check_depth()?;
            if len > i32::MAX.cast_unsigned() {
                return Err(WriteErrorKind::TooLong(len as usize));
            }
            writer.comma();
            writer.out.bytes(b"[");
            writer.integer(len);
            writer.out.hold()?;
            writer.state.open_list(slot, len, 0);
            Ok(())
        })
    }

    fn end(&mut self) -> Result<(), WriteError> {
        self.atomic(|writer| {
            let (enclosing, _) = writer.state.end()?;
            writer.out.bytes(if enclosing == Enclosing::Object { b"}" } else { b"]" });
            writer.out.flush()?;
            writer.state.close();
            writer.unnumbered = false;
            Ok(())
        })
    }
}
