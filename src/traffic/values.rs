//! Single values, which do not identify their engine.

use super::builder::RecordBuilder;
use super::options::Options;
use super::record::{Content, Engine, Record};
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

/// Checks that the bytes begin with a value of the engine.
///
/// The engine was guessed from the first value, and many values are valid in both engines. If this
/// value is only valid in the other engine, `engine` is set to the other engine.
pub(super) fn check(engine: &mut Engine, bytes: &[u8], options: &Options) -> Result<(), Error> {
    let mut reader = Reader::new(bytes, engine.dialect()).limits(Limits::ENGINE);
    let read = reader.skip();
    if read.is_ok() && reader.is_empty() {
        return Ok(());
    }
    match engines(options).find(|other| is_value(bytes, other.dialect())) {
        Some(other) => {
            *engine = other;
            Ok(())
        }
        None => read,
    }
}

/// Reports a value, or an error if it is malformed.
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
        Ok(()) => listener(&builder.record(content, bytes)),
        Err(error) => listener(&builder.malformed(&error, bytes)),
    }
}
