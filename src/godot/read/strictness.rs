//! Checks that go beyond the structure of a packet. One checks that the engine accepts the text,
//! the other that the packet is canonical, that is, consists of the bytes that an engine would
//! write. Each check is a visitor of the walk.

use super::fast_path::string_or_int;
use super::walk::{ENGINE_DEPTH, Leaf, Open, Property, Visitor};
use crate::buffer::{Cursor, Full, Sink};
use crate::godot::table::dialect::TextRule;
use crate::godot::types::container::TypeRef;
use crate::godot::types::text::{StrRef, is_plain};
use crate::godot::write::encoder::Encoder;
use crate::godot::{Container, Dialect, Error, ErrorKind, Kind, Result, VariantRef};

/// The strictness with which a [`Reader`](crate::godot::Reader) checks packets.
///
/// ```
/// use gamewire::godot::{Dialect, Level, Limits, Reader};
///
/// let accepts = |packet: &[u8], level| {
///     let limits = Limits { level, ..Limits::default() };
///     Reader::new(packet, Dialect::Godot4).limits(limits).skip().is_ok()
/// };
/// let bool_2 = [1, 0, 0, 0, 2, 0, 0, 0]; // true, but engines write 1
/// assert!(accepts(&bool_2, Level::Engine) && !accepts(&bool_2, Level::Strict));
/// let not_utf8 = [4, 0, 0, 0, 1, 0, 0, 0, 0xff, 0, 0, 0];
/// assert!(accepts(&not_utf8, Level::Structure) && !accepts(&not_utf8, Level::Engine));
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Checks ids, lengths, counts and depth. Text is only checked by
    /// [`StrRef::to_str`](crate::godot::StrRef::to_str).
    #[default]
    Structure,
    /// Checks the structure, and checks text by the dialect's rules. Accepts exactly the packets
    /// that Godot 4.6.3, 3.6.2 and 2.1 accept, including irregular ones that they tolerate. If
    /// [`objects`](crate::godot::Limits::objects) is `false`, accepts the packets that
    /// `bytes_to_var` accepts. The existence of classes and scripts is not checked.
    Engine,
    /// Accepts only the bytes that an engine would write. The pads of NodePaths may have any
    /// content, because engines do not clear them.
    Strict,
}

/// A difference between a value's bytes and those that an engine would write for it. Engines can
/// read both.
///
/// ```
/// use gamewire::godot::{Deviation, Dialect, Reader};
///
/// let packet = b"\x04\0\0\0\x03\0\0\0abc\xcc"; // a pad of 0xcc
/// let mut found = Vec::new();
/// Reader::new(packet, Dialect::Godot4).deviations(|deviation, offset| {
///     found.push((deviation, offset));
///     Ok(())
/// })?;
/// assert_eq!(found, [(Deviation::Pad, 11)]);
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Deviation {
    /// An int or float in 64 bits that would fit in 32 bits, or a NaN in 32 bits. Godot 3.0 wrote
    /// all ints in 64 bits.
    #[error("a width that the engine would not choose")]
    Width,
    /// Header bits without a meaning for this type.
    #[error("header bits without meaning")]
    HeaderBits,
    /// Null with the header of an Object (Godot 3.0 to 3.2). Later engines write Nil.
    #[error("null in an old form")]
    NullForm,
    /// A payload whose value an engine would write with different bytes. Examples are a bool that
    /// is stored as 2, a negative count, a count with bit 31 set, counts of a NodePath whose sum
    /// does not fit in 32 bits, and a missing NUL.
    #[error("a payload that the engine writes differently")]
    Payload,
    /// Text that no engine's string can contain: invalid UTF-8, a NUL, a byte order mark.
    #[error("text that no engine string can contain")]
    Text,
    /// A NodePath whose printed form would be parsed as a different path, because a name is empty
    /// or contains a separator.
    #[error("a NodePath whose text is parsed as a different path")]
    PathText,
    /// A pad that is not zero. It contains leftover memory of the engine that wrote it (Godot 2 or
    /// 3.0).
    #[error("a pad that is not zero")]
    Pad,
    /// A pad in a NodePath that is not zero. It contains leftover memory of the engine that wrote
    /// it. All versions up to 3.6 and 4.6 write such pads.
    #[error("a NodePath's pad that is not zero")]
    NodePathPad,
    /// The pad of a byte array, or of a string in Godot 2, is missing at the end of the packet.
    #[error("a missing pad")]
    MissingPad,
}

/// A visitor that checks text by the rules of the dialect's engine.
pub(crate) struct EngineCheck;

/// Checks `text`, which is a part of the `bytes` at `offset`. This function is inlined so that the
/// rule is a constant.
#[inline(always)]
fn check<'a>(rule: TextRule, text: StrRef<'a>, bytes: &'a [u8], offset: u64) -> Result<()> {
    if text.is_valid_under(rule) { Ok(()) } else { Err(bad_text(text, bytes, offset)) }
}

/// Returns the error for `text`, which is a part of the `bytes` at `offset`.
#[cold]
#[inline(never)]
fn bad_text(text: StrRef<'_>, bytes: &[u8], offset: u64) -> Error {
    let into = text.as_bytes().as_ptr().addr().wrapping_sub(bytes.as_ptr().addr());
    Error::new(ErrorKind::BadText, offset.wrapping_add(into as u64))
}

impl<'a> Visitor<'a> for EngineCheck {
    type Error = Error;
    const PASSES_PLAIN: bool = true;

    // Not inlined in unoptimised builds: each kind of leaf would add its variables to the stack
    // frame of the walk, and the walk over a deep packet has six such frames on the stack.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<()> {
        let (bytes, rule) = (leaf.encoded.as_bytes(), leaf.encoded.dialect().rules().text);
        // Every engine accepts ASCII. The strings of an array are checked in one pass, together
        // with the lengths between them. This takes a fraction of the time of checking each string.
        let all_plain = match leaf.value {
            // A String is checked here and not by the closure below, because the closure is not
            // inlined into the walks of all dialects. Without this arm, short text takes twice as
            // many instructions.
            VariantRef::String(text) | VariantRef::StringName(text) => {
                return check(rule, text, bytes, leaf.offset);
            }
            VariantRef::PackedStringArray(_) => bytes.is_ascii(),
            // Skips the header and the number of names. The number is not ASCII, because its top
            // bit is set.
            VariantRef::NodePath(_) => bytes.get(8..).is_some_and(<[u8]>::is_ascii),
            _ => false,
        };
        if all_plain {
            return Ok(());
        }
        leaf.value.texts(&mut |text| check(rule, text, bytes, leaf.offset))
    }

    #[inline(always)]
    fn open(&mut self, open: Open<'a>) -> Result<()> {
        let mut texts = open.container.texts();
        let rule = open.dialect.rules().text;
        texts.try_for_each(|text| check(rule, text, open.head, open.offset))
    }

    fn property(&mut self, property: Property<'a>) -> Result<()> {
        let rule = property.dialect.rules().text;
        check(rule, property.name, property.bytes, property.offset)
    }

    #[inline(always)]
    fn close(&mut self, _: Kind) -> Result<()> {
        Ok(())
    }
}

/// A visitor that reports the deviations of a packet from the canonical form.
///
/// It writes each value again and compares the result with the packet. The canonical form is
/// therefore, by definition, the bytes that the writer produces.
pub(crate) struct CanonicalCheck<'r> {
    pub dialect: Dialect,
    /// Number of pad bytes that are not zero.
    pub leaked: u64,
    /// Receives each deviation and its offset.
    pub report: &'r mut dyn FnMut(Deviation, u64) -> Result<()>,
}

impl CanonicalCheck<'_> {
    fn compare<'a>(
        &mut self,
        bytes: &'a [u8],
        offset: u64,
        kind: Kind,
        write: impl FnOnce(&mut Encoder<'_, Compare<'a>>) -> Result<()>,
    ) -> Result<()> {
        let found = rewrite(bytes, self.dialect, false, write);
        self.leaked = self.leaked.saturating_add(found.leaked);
        let at = |position: usize| offset.wrapping_add(position as u64);
        if let Some(position) = found.pad {
            let pad = match kind {
                _ if position >= bytes.len() => Deviation::MissingPad,
                Kind::NodePath => Deviation::NodePathPad,
                _ => Deviation::Pad,
            };
            (self.report)(pad, at(position))?;
        }
        match found.other {
            None => Ok(()),
            Some(position) if position >= 4 => (self.report)(Deviation::Payload, at(position)),
            Some(position) => {
                let what = match kind {
                    Kind::Int | Kind::Float if position == 2 => Deviation::Width, // bit 16
                    Kind::Object => Deviation::NullForm,
                    _ => Deviation::HeaderBits,
                };
                (self.report)(what, at(position))
            }
        }
    }

    fn texts<'a>(
        &mut self,
        texts: impl Iterator<Item = StrRef<'a>>,
        bytes: &'a [u8],
        offset: u64,
    ) -> Result<()> {
        for text in texts {
            if !text.is_canonical() {
                (self.report)(Deviation::Text, bad_text(text, bytes, offset).offset())?;
            }
        }
        Ok(())
    }
}

impl<'a> Visitor<'a> for CanonicalCheck<'_> {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<()> {
        let (bytes, offset) = (leaf.encoded.as_bytes(), leaf.offset);
        if is_plainly_canonical(bytes) {
            return Ok(());
        }
        if leaf.value.as_node_path().is_some_and(|path| !path.text_round_trips()) {
            (self.report)(Deviation::PathText, offset)?;
        }
        leaf.value.texts(&mut |text| self.texts([text].into_iter(), bytes, offset))?;
        self.compare(bytes, offset, leaf.value.kind(), |out| leaf.value.encode(out))
    }

    fn open(&mut self, open: Open<'a>) -> Result<()> {
        self.texts(open.container.texts(), open.head, open.offset)?;
        if has_nil_type(&open.container) {
            (self.report)(Deviation::Payload, open.offset.wrapping_add(4))?;
        }
        let kind = match open.container.kind() {
            Kind::Object => Kind::Nil, // reported as `HeaderBits`, not as `NullForm`
            kind => kind,
        };
        self.compare(open.head, open.offset, kind, |out| out.head(&open.container))
    }

    fn property(&mut self, property: Property<'a>) -> Result<()> {
        let (bytes, offset) = (property.bytes, property.offset);
        self.texts([property.name].into_iter(), bytes, offset)?;
        self.compare(bytes, offset, Kind::String, |out| out.property(property.name.as_bytes()))
    }

    fn close(&mut self, _: Kind) -> Result<()> {
        Ok(())
    }
}

/// Returns `true` for a 32-bit Int, and for a String of plain ASCII with zero padding. They are
/// always canonical, so they need not be written again.
fn is_plainly_canonical(bytes: &[u8]) -> bool {
    match string_or_int(&mut Cursor::new(bytes)) {
        Some(VariantRef::String(text)) => {
            let padding = bytes.get(text.as_bytes().len().saturating_add(8)..);
            is_plain(text.as_bytes())
                && padding.is_some_and(|pad| pad.iter().all(|byte| *byte == 0))
        }
        Some(VariantRef::Int(_)) => true,
        _ => false,
    }
}

/// Returns `true` if the container declares Nil as the type of its elements, keys or values.
/// Engines declare no type in this case, which means the same.
pub(crate) fn has_nil_type(container: &Container<'_>) -> bool {
    let nil = |of: TypeRef<'_>| of == TypeRef::Builtin(Kind::Nil);
    match *container {
        Container::Array { element, .. } => nil(element),
        Container::Dictionary { key, value, .. } => nil(key) || nil(value),
        Container::Object { .. } => false,
    }
}

/// Compares the output of `write` with `bytes`.
pub(crate) fn rewrite<'a>(
    bytes: &'a [u8],
    dialect: Dialect,
    wide: bool,
    write: impl FnOnce(&mut Encoder<'_, Compare<'a>>) -> Result<()>,
) -> Compare<'a> {
    let mut sink = Compare { expected: bytes, at: 0, other: None, pad: None, leaked: 0 };
    let mut out = Encoder { wide, ..Encoder::new(&mut sink, dialect.into(), ENGINE_DEPTH) };
    let written = write(&mut out);
    debug_assert!(written.is_ok(), "a value that was read can be written");
    if sink.at < bytes.len() && sink.other.is_none() {
        sink.other = Some(sink.at);
    }
    sink
}

/// A sink that compares the written bytes with expected ones.
pub(crate) struct Compare<'a> {
    expected: &'a [u8],
    at: usize,
    /// Position of the first difference outside of pads.
    pub other: Option<usize>,
    /// Position of the first pad byte that differs or is missing.
    pub pad: Option<usize>,
    /// Number of pad bytes that are not zero.
    pub leaked: u64,
}

impl Compare<'_> {
    fn first_difference(&self, bytes: &[u8]) -> Option<usize> {
        let expected = self.expected.get(self.at..).unwrap_or_default();
        if expected.starts_with(bytes) {
            return None;
        }
        let same = expected.iter().zip(bytes).take_while(|(a, b)| a == b).count();
        Some(self.at.saturating_add(same))
    }
}

impl Sink for Compare<'_> {
    const REWINDS: bool = true;

    fn reserve(&mut self, _: usize) -> core::result::Result<(), Full> {
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) {
        if self.other.is_none() {
            self.other = self.first_difference(bytes);
        }
        self.at = self.at.saturating_add(bytes.len());
    }

    fn pad(&mut self, n: usize) {
        let zeros = [0; 4];
        let zeros = zeros.get(..n).unwrap_or_default();
        if self.other.is_none() {
            let expected = self.expected.get(self.at..).unwrap_or_default();
            let leaked = expected.iter().take(n).filter(|byte| **byte != 0).count();
            self.leaked = self.leaked.saturating_add(leaked as u64);
            self.pad = self.pad.or_else(|| self.first_difference(zeros));
        }
        self.at = self.at.saturating_add(n);
    }

    fn position(&self) -> usize {
        self.at
    }

    fn rewind(&mut self, _: usize) {}
}
