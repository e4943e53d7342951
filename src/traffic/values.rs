//! Single values, which do not identify their engine.

use super::builder::RecordBuilder;
use super::options::Options;
use super::record::{Content, Engine, Record};
use crate::godot::find::{Confidence, Finder};
use crate::godot::{Dialect, Error, Limits, Reader};

impl Engine {
    /// The engines in the order in which they are tried.
    const ALL: [Self; 2] = [Self::Godot4, Self::Godot3];
}

/// Returns the engines that are possible with these options.
pub(super) fn engines(options: &Options) -> impl Iterator<Item = Engine> {
    let given = options.engine;
    Engine::ALL.into_iter().filter(move |engine| given.is_none_or(|given| given == *engine))
}

/// Returns `true` if the bytes are exactly one value.
pub(super) fn is_value(bytes: &[u8], dialect: Dialect) -> bool {
    let mut reader = Reader::new(bytes, dialect).limits(Limits::ENGINE);
    reader.skip().is_ok() && reader.is_empty()
}

/// Returns `true` if there is certainly a value in the first bytes of a segment or datagram.
#[cold]
pub(super) fn has_value(bytes: &[u8], options: &Options) -> bool {
    let bytes = bytes.get(..MAX_SEARCHED).unwrap_or(bytes);
    let mut finder = match options.engine {
        Some(engine) => Finder::new(bytes).only(engine.dialect()),
        None => Finder::new(bytes),
    };
    finder.any(|found| found.confidence == Confidence::Certain)
}

/// Maximum number of bytes of a segment that are searched for values: more than an Ethernet frame
/// carries.
const MAX_SEARCHED: usize = 2048;

/// Checks that the bytes begin with a value of the engine. Returns the number of bytes after the
/// value.
///
/// The engine was guessed from the first value, and many values are valid in both engines. If this
/// value is only valid in the other engine, `engine` is set to the other engine.
pub(super) fn check(engine: &mut Engine, bytes: &[u8], options: &Options) -> Result<usize, Error> {
    let mut reader = Reader::new(bytes, engine.dialect()).limits(Limits::ENGINE);
    let read = reader.skip();
    let rest = bytes.len().saturating_sub(usize::try_from(reader.offset()).unwrap_or(usize::MAX));
    if read.is_ok() && rest == 0 {
        return Ok(0);
    }
    match engines(options).find(|other| is_value(bytes, other.dialect())) {
        Some(other) => {
            *engine = other;
            Ok(0)
        }
        None => read.map(|()| rest),
    }
}

/// Reports a value. If the bytes are not a value, reports them as [`report_other`] does.
pub(super) fn report<'a>(
    builder: &RecordBuilder<'_>,
    engine: &mut Engine,
    content: Content<'a>,
    bytes: &'a [u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    let read = check(engine, bytes, builder.context.options);
    let builder = RecordBuilder { engine: Some(*engine), ..*builder };
    match read {
        Ok(_) => listener(&builder.record(content, bytes)),
        Err(error) => report_other(&builder, &error, bytes, listener),
    }
}

/// Reports bytes that are not a value. A script can send such bytes between values, so they are
/// only malformed if they begin with the type of a value.
#[cold]
pub(super) fn report_other(
    builder: &RecordBuilder<'_>,
    error: &Error,
    bytes: &[u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    match error.offset() {
        0 => listener(&builder.record(Content::Bytes { offset: None }, bytes)),
        _ => listener(&builder.malformed(error, bytes)),
    }
}
