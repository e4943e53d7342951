//! Values by themselves, which do not say whose they are.

use super::multiplayer;
use super::record::{Content, Engine, Record, Transport};
use super::{Options, Place};
use crate::godot::{Dialect, Limits, Reader};

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

/// Tells of a value. Whose it is was guessed from the first one, and many are a value to
/// either engine: one that is so to the other alone tells better.
pub(super) fn tell<'a>(
    place: &Place<'_>,
    transport: Transport,
    engine: &mut Engine,
    content: Content<'a>,
    bytes: &'a [u8],
    listener: &mut impl FnMut(&Record<'_>),
) {
    let mut reader = Reader::new(bytes, engine.dialect()).limits(Limits::ENGINE);
    let mut read = reader.skip();
    if read.is_err() || !reader.is_empty() {
        let fits = |other: &Engine| is_value(bytes, other.dialect());
        if let Some(other) = engines(place.options).find(fits) {
            (*engine, read) = (other, Ok(()));
        }
    }
    let record = Record {
        engine: Some(*engine),
        guessed: place.options.engine.is_none(),
        ..place.record(transport, content, bytes)
    };
    match read {
        Ok(()) => listener(&record),
        Err(error) => listener(&multiplayer::malformed(record, &error)),
    }
}
