//! Values by themselves, which do not say whose they are.

use super::Options;
use super::envelope::Envelope;
use super::record::{Content, Engine, Record};
use crate::godot::{Dialect, Error, Limits, Reader};

impl Engine {
    /// In the order in which they are thought of.
    const ALL: [Self; 2] = [Self::Godot4, Self::Godot3];
}

/// Those that come into question.
pub(super) fn engines(options: &Options) -> impl Iterator<Item = Engine> {
    let told = options.engine;
    Engine::ALL.into_iter().filter(move |engine| told.is_none_or(|told| told == *engine))
}

/// Whether this is a value from start to end.
pub(super) fn is_value(bytes: &[u8], dialect: Dialect) -> bool {
    let mut reader = Reader::new(bytes, dialect).limits(Limits::ENGINE);
    reader.skip().is_ok() && reader.is_empty()
}

/// Whether this begins with a value of the engine. Whose it is was guessed from the first one,
/// and many are a value to either engine: one that is so to the other alone tells better.
pub(super) fn judge(engine: &mut Engine, bytes: &[u8], options: &Options) -> Result<(), Error> {
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

/// Tells of a value.
pub(super) fn tell<'a>(
    envelope: &Envelope<'_>,
    engine: &mut Engine,
    content: Content<'a>,
    bytes: &'a [u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    let read = judge(engine, bytes, envelope.place.options);
    let envelope = Envelope { engine: Some(*engine), ..*envelope };
    match read {
        Ok(()) => listener(&envelope.record(content, bytes)),
        Err(error) => listener(&envelope.malformed(&error, bytes)),
    }
}
