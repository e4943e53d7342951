//! Encodes values and the state of a game as maps with text keys.

use crate::state::{self, Fields, Player, State};
use crate::value::Value;
use musli::en::{Encode, Encoder, MapEncoder, SequenceEncoder};

/// Writes a float in the narrowest width that holds it.
fn float<E: Encoder>(value: f64, to: E) -> Result<(), E::Error> {
    let narrow = value as f32;
    if f64::from(narrow) == value { to.encode_f32(narrow) } else { to.encode_f64(value) }
}

impl<M: 'static> Encode<M> for Value {
    type Encode = Self;

    fn encode<E: Encoder<Mode = M>>(&self, to: E) -> Result<(), E::Error> {
        match self {
            Self::Nil => to.encode_empty(),
            Self::Bool(value) => to.encode_bool(*value),
            Self::Int(int) => to.encode_i64(*int),
            Self::Float(value) => float(*value, to),
            Self::Text(text) | Self::Name(text) => to.encode_string(text),
            Self::Path(text) => to.encode_string(text),
            Self::Vector2i(parts) => list(parts, to),
            Self::Vector2(parts) => list(parts, to),
            Self::Vector3(parts) => list(parts, to),
            Self::Quaternion(parts) | Self::Color(parts) => list(parts, to),
            Self::Ints(ints) => list(ints, to),
            Self::Floats(floats) | Self::Vectors { flat: floats, .. } => list(floats, to),
            Self::Texts(texts) => list(texts, to),
            Self::Array(items) => list(items, to),
            Self::Map(pairs) => to.encode_map_fn(pairs.len(), |map| {
                pairs.iter().try_for_each(|(key, value)| map.insert_entry(*key, value))
            }),
        }
    }

    fn as_encode(&self) -> &Self {
        self
    }
}

fn list<E: Encoder, T: Encode<E::Mode>>(items: &[T], to: E) -> Result<(), E::Error> {
    to.encode_sequence_fn(items.len(), |list| items.iter().try_for_each(|item| list.push(item)))
}

impl<M: 'static> Encode<M> for State {
    type Encode = Self;

    fn encode<E: Encoder<Mode = M>>(&self, to: E) -> Result<(), E::Error> {
        to.encode_map_fn(25, |map| {
            state::state(self, &mut Map(map));
            Ok(())
        })
    }

    fn as_encode(&self) -> &Self {
        self
    }
}

impl<M: 'static> Encode<M> for Player {
    type Encode = Self;

    fn encode<E: Encoder<Mode = M>>(&self, to: E) -> Result<(), E::Error> {
        to.encode_map_fn(8, |map| {
            state::player(self, &mut Map(map));
            Ok(())
        })
    }

    fn as_encode(&self) -> &Self {
        self
    }
}

struct Map<'m, W>(&'m mut W);

impl<W: MapEncoder> Map<'_, W> {
    fn entry<V: Encode<W::Mode>>(&mut self, key: &str, value: V) {
        assert!(self.0.insert_entry(key, value).is_ok());
    }
}

impl<W: MapEncoder> Fields for Map<'_, W> {
    fn int(&mut self, key: &str, value: i64) {
        self.entry(key, value);
    }

    fn float(&mut self, key: &str, value: f64) {
        let narrow = value as f32;
        if f64::from(narrow) == value { self.entry(key, narrow) } else { self.entry(key, value) }
    }

    fn bool(&mut self, key: &str, value: bool) {
        self.entry(key, value);
    }

    fn text(&mut self, key: &str, value: &str) {
        self.entry(key, value);
    }

    fn vector<const N: usize>(&mut self, key: &str, parts: &[f32; N]) {
        self.entry(key, List(parts));
    }

    fn players(&mut self, key: &str, players: &[Player; 4]) {
        self.entry(key, Players(players));
    }
}

struct List<'p>(&'p [f32]);

impl<M: 'static> Encode<M> for List<'_> {
    type Encode = Self;

    fn encode<E: Encoder<Mode = M>>(&self, to: E) -> Result<(), E::Error> {
        list(self.0, to)
    }

    fn as_encode(&self) -> &Self {
        self
    }
}

struct Players<'p>(&'p [Player; 4]);

impl<M: 'static> Encode<M> for Players<'_> {
    type Encode = Self;

    fn encode<E: Encoder<Mode = M>>(&self, to: E) -> Result<(), E::Error> {
        to.encode_map_fn(self.0.len(), |map| {
            self.0.iter().try_for_each(|player| map.insert_entry(&*player.key, player))
        })
    }

    fn as_encode(&self) -> &Self {
        self
    }
}
