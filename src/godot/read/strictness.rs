//! How strictly a packet is judged beyond its structure. Each level is a visitor of
//! the one walk.

use super::walk::{ENGINE_DEPTH, Leaf, Open, Property, Visitor};
use crate::buffer::{Full, Sink};
use crate::godot::table::dialect::TextRule;
use crate::godot::types::container::TypeRef;
use crate::godot::types::text::StrRef;
use crate::godot::write::encoder::Encoder;
use crate::godot::{Container, Dialect, Error, ErrorKind, Kind, Result, VariantRef};

/// How strictly a [`Reader`](crate::godot::Reader) judges.
///
/// ```
/// use gamewire::godot::{Dialect, Level, Limits, Reader};
///
/// let judge = |packet: &[u8], level| {
///     let limits = Limits { level, ..Limits::default() };
///     Reader::new(packet, Dialect::Godot4).limits(limits).skip().is_ok()
/// };
/// let bool_2 = [1, 0, 0, 0, 2, 0, 0, 0]; // true, but no engine writes it so
/// assert!(judge(&bool_2, Level::Engine) && !judge(&bool_2, Level::Strict));
/// let not_utf8 = [4, 0, 0, 0, 1, 0, 0, 0, 0xff, 0, 0, 0];
/// assert!(judge(&not_utf8, Level::Structure) && !judge(&not_utf8, Level::Engine));
/// # Ok::<(), gamewire::godot::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Ids, lengths, counts, depth. Text is not looked at until asked for.
    #[default]
    Structure,
    /// Structure, and text by the dialect's rules: accepts and rejects as Godot
    /// 4.6.3, 3.6.2 and 2.1 do, tolerances included. With
    /// [`objects`](crate::godot::Limits::objects) off, as `bytes_to_var` does. Whether a
    /// class exists or a script loads is left to the caller.
    Engine,
    /// Only what an engine would write itself. (The pads of NodePaths may hold
    /// anything, as the engines' do.)
    Strict,
}

/// In what a value differs from how an engine would write it, though engines read
/// it.
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
    /// An int or float in 64 bits that 32 would hold (3.0 did so), or a NaN in 32.
    #[error("a width other than the engine would choose")]
    Width,
    /// Header bits that mean nothing for this type.
    #[error("header bits without meaning")]
    HeaderBits,
    /// Null in a form of its own (3.0 to 3.2), where engines now write Nil.
    #[error("null in an old form")]
    NullForm,
    /// A payload that means the same as another one: a bool of 2, a negative count,
    /// NodePath counts that wrap, bit 31 of a count, a missing NUL.
    #[error("a payload that an engine would write otherwise")]
    Payload,
    /// Text that an engine cannot hold: not UTF-8, a NUL inside, a byte order mark.
    #[error("text that an engine cannot hold")]
    Text,
    /// A NodePath whose text is that of another path: a part is empty or has a separator
    /// inside. No engine makes one from text.
    #[error("a NodePath that its text does not stand for")]
    PathText,
    /// A pad that is not zero: memory of the engine that wrote it (Godot 2 and 3.0).
    #[error("a pad that is not zero")]
    Pad,
    /// The pad of a NodePath's text is not zero: memory of the engine that wrote it
    /// (every engine up to 3.6, and 4.x before its pads were cleared).
    #[error("a NodePath's pad that is not zero")]
    NodePathPad,
    /// The pad of a byte array is missing at the end of the packet.
    #[error("a missing pad")]
    MissingPad,
}

/// The engine's rules for text.
pub(crate) struct EngineCheck;

/// `text` is a part of the `bytes` that stand at `offset`. (The rule is a constant where
/// this is inlined.)
#[inline(always)]
fn check<'a>(rule: TextRule, text: StrRef<'a>, bytes: &'a [u8], offset: u64) -> Result<()> {
    if text.is_valid_under(rule) { Ok(()) } else { Err(bad_text(text, bytes, offset)) }
}

/// Where `text` is, a part of the `bytes` that stand at `offset`.
#[cold]
#[inline(never)]
fn bad_text(text: StrRef<'_>, bytes: &[u8], offset: u64) -> Error {
    let into = text.as_bytes().as_ptr().addr().wrapping_sub(bytes.as_ptr().addr());
    Error::new(ErrorKind::BadText, offset.wrapping_add(into as u64))
}

impl<'a> Visitor<'a> for EngineCheck {
    type Error = Error;
    const PASSES_PLAIN: bool = true;

    #[inline(always)]
    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<()> {
        let (bytes, rule) = (leaf.encoded.as_bytes(), leaf.encoded.dialect().rules().text);
        // ASCII is fine with every engine. One look at many short texts at once, and at the
        // numbers between them, costs a fraction of a look at each.
        let all_plain = match leaf.value {
            VariantRef::PackedStringArray(_) => bytes.is_ascii(),
            // Without its count of names, which has its top bit set.
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

/// Tells in what a packet departs from the canonical form: each value is written
/// again and compared with what is there, so that "canonical" means what the writer
/// writes, and nothing else.
pub(crate) struct CanonicalCheck<'r> {
    pub dialect: Dialect,
    /// How many bytes of pads are not zero.
    pub leaked: u64,
    /// What to do about a deviation, and where it is.
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
        let at = |place: usize| offset.wrapping_add(place as u64);
        if let Some(place) = found.pad {
            let pad = match kind {
                _ if place >= bytes.len() => Deviation::MissingPad,
                Kind::NodePath => Deviation::NodePathPad,
                _ => Deviation::Pad,
            };
            (self.report)(pad, at(place))?;
        }
        match found.other {
            None => Ok(()),
            Some(place) if place >= 4 => (self.report)(Deviation::Payload, at(place)),
            Some(place) => {
                let what = match kind {
                    Kind::Int | Kind::Float if place == 2 => Deviation::Width, // bit 16
                    Kind::Object => Deviation::NullForm,
                    _ => Deviation::HeaderBits,
                };
                (self.report)(what, at(place))
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
            Kind::Object => Kind::Nil, // not a null object's form
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

/// A type of Nil means the same as none, which engines write in its place.
pub(crate) fn has_nil_type(container: &Container<'_>) -> bool {
    let nil = |of: TypeRef<'_>| of == TypeRef::Builtin(Kind::Nil);
    match *container {
        Container::Array { element, .. } => nil(element),
        Container::Dictionary { key, value, .. } => nil(key) || nil(value),
        Container::Object { .. } => false,
    }
}

/// Compares what `write` writes with the `bytes` that are there.
pub(crate) fn rewrite<'a>(
    bytes: &'a [u8],
    dialect: Dialect,
    wide: bool,
    write: impl FnOnce(&mut Encoder<'_, Compare<'a>>) -> Result<()>,
) -> Compare<'a> {
    let mut sink = Compare { expected: bytes, at: 0, other: None, pad: None, leaked: 0 };
    let mut out = Encoder { wide, ..Encoder::new(&mut sink, dialect.into(), ENGINE_DEPTH) };
    let written = write(&mut out);
    debug_assert!(written.is_ok(), "what was read can be written");
    if sink.at < bytes.len() && sink.other.is_none() {
        sink.other = Some(sink.at);
    }
    sink
}

/// Compares what is written with what is there.
pub(crate) struct Compare<'a> {
    expected: &'a [u8],
    at: usize,
    /// The first place where they differ, outside of pads.
    pub other: Option<usize>,
    /// The first pad byte that differs, or is missing.
    pub pad: Option<usize>,
    /// How many pad bytes are not zero.
    pub leaked: u64,
}

impl Compare<'_> {
    fn first_difference(&self, bytes: &[u8]) -> Option<usize> {
        let there = self.expected.get(self.at..).unwrap_or_default();
        if there.starts_with(bytes) {
            return None;
        }
        let same = there.iter().zip(bytes).take_while(|(a, b)| a == b).count();
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
            let there = self.expected.get(self.at..).unwrap_or_default();
            let leaked = there.iter().take(n).filter(|byte| **byte != 0).count();
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
