//! Müsli's self-describing format, read and written by `musli::descriptive`. Types decode and encode
//! themselves. A traversal is a visitor, which the decoder calls with whatever comes next.

mod writing;

use crate::contents::{Content, STATE};
use crate::eye::{Blind, Census, Checksum, Eye};
use crate::rows::{Peer, Row};
use crate::state::{self, State};
use musli::de::{
    Decode, Decoder, EntryDecoder, MapDecoder, SequenceDecoder, SizeHint, UnsizedVisitor, Visitor,
};
use musli::descriptive::{encode, from_slice};
use musli::{Allocator, Context};
use std::cell::Cell;
use std::fmt::{Formatter, Result as Written};
use std::hint::black_box;

pub fn rows(content: &'static Content, rows: &mut Vec<Row>) {
    let mut bytes = Vec::new();
    encode(&mut bytes, &content.value).unwrap();
    let bytes = &*bytes.leak();
    assert_eq!(traverse::<Census>(bytes), content.census, "Müsli");
    let mut peer = Peer::new(rows, content, "musli", bytes.len());
    peer.add("traverse", || traverse::<Checksum>(black_box(bytes)).0);
    peer.add("validate", || {
        traverse::<Blind>(black_box(bytes));
        0
    });
    peer.add("skip", || from_slice::<Skipped>(black_box(bytes)).is_ok().into());
    if let Some((key, _)) = content.key {
        peer.get(content, move |_| get(black_box(bytes), black_box(key)));
    }
    if content.name == STATE {
        let state = State::from(state::sample());
        peer.encode(bytes, move |out| encode(out, black_box(&state)).unwrap());
    } else {
        peer.encode(bytes, |out| encode(out, black_box(&content.value)).unwrap());
    }
}

fn traverse<E: Eye>(bytes: &[u8]) -> E {
    from_slice::<Seen<E>>(bytes).unwrap().0
}

/// The result of a traversal.
struct Seen<E>(E);

impl<'de, M, A: Allocator, E: Eye> Decode<'de, M, A> for Seen<E> {
    fn decode<D: Decoder<'de, Mode = M, Allocator = A>>(decoder: D) -> Result<Self, D::Error> {
        let mut eye = E::default();
        decoder.decode_any(Walk(&mut eye))?;
        Ok(Self(eye))
    }
}

/// A visitor that forwards every leaf.
struct Walk<'e, E>(&'e mut E);

#[musli::trait_defaults]
impl<'de, 'e, C: Context, E: Eye> Visitor<'de, C> for Walk<'e, E> {
    type Ok = ();
    type String = Text<'e, E>;

    fn expecting(&self, f: &mut Formatter<'_>) -> Written {
        f.write_str("any value")
    }

    fn visit_empty(self, _: C) -> Result<(), C::Error> {
        self.0.null();
        Ok(())
    }

    fn visit_bool(self, _: C, value: bool) -> Result<(), C::Error> {
        self.0.bool(value);
        Ok(())
    }

    fn visit_i32(self, _: C, value: i32) -> Result<(), C::Error> {
        self.0.int(value.into());
        Ok(())
    }

    fn visit_i64(self, _: C, value: i64) -> Result<(), C::Error> {
        self.0.int(value);
        Ok(())
    }

    fn visit_f32(self, _: C, value: f32) -> Result<(), C::Error> {
        self.0.float(value.into());
        Ok(())
    }

    fn visit_f64(self, _: C, value: f64) -> Result<(), C::Error> {
        self.0.float(value);
        Ok(())
    }

    fn visit_string(self, _: C, _: SizeHint) -> Result<Self::String, C::Error> {
        Ok(Text(self.0))
    }

    fn visit_sequence<D>(self, items: &mut D) -> Result<(), C::Error>
    where
        D: ?Sized + SequenceDecoder<'de, Cx = C, Error = C::Error, Allocator = C::Allocator>,
    {
        while let Some(item) = items.try_decode_next()? {
            item.decode_any(Walk(&mut *self.0))?;
        }
        Ok(())
    }

    fn visit_map<D>(self, entries: &mut D) -> Result<(), C::Error>
    where
        D: ?Sized + MapDecoder<'de, Cx = C, Error = C::Error, Allocator = C::Allocator>,
    {
        while let Some(mut entry) = entries.decode_entry()? {
            entry.decode_key()?.decode_string(Text(&mut *self.0))?;
            entry.decode_value()?.decode_any(Walk(&mut *self.0))?;
        }
        Ok(())
    }
}

/// A visitor that passes on one text.
struct Text<'e, E>(&'e mut E);

#[musli::trait_defaults]
impl<'de, C: Context, E: Eye> UnsizedVisitor<'de, C, str> for Text<'_, E> {
    type Ok = ();

    fn expecting(&self, f: &mut Formatter<'_>) -> Written {
        f.write_str("a text")
    }

    fn visit_ref(self, _: C, text: &str) -> Result<(), C::Error> {
        self.0.text(text);
        Ok(())
    }
}

struct Skipped;

impl<'de, M, A: Allocator> Decode<'de, M, A> for Skipped {
    fn decode<D: Decoder<'de, Mode = M, Allocator = A>>(decoder: D) -> Result<Self, D::Error> {
        decoder.skip()?;
        Ok(Self)
    }
}

thread_local! {
    /// The key to look up. A type that decodes itself takes no argument.
    static KEY: Cell<&'static str> = const { Cell::new("") };
}

fn get(bytes: &[u8], key: &'static str) -> Option<i64> {
    KEY.set(key);
    from_slice::<Found>(bytes).unwrap().0
}

/// The number that stands for the value of the key.
struct Found(Option<i64>);

impl<'de, M: 'static, A: Allocator> Decode<'de, M, A> for Found {
    fn decode<D: Decoder<'de, Mode = M, Allocator = A>>(decoder: D) -> Result<Self, D::Error> {
        decoder.decode_map(|entries| {
            while let Some(mut entry) = entries.decode_entry()? {
                let found = entry.decode_key()?.decode_string(IsKey)?;
                let value = entry.decode_value()?;
                if found {
                    return Ok(Self(Some(value.decode_any(Number)?)));
                }
                value.skip()?;
            }
            Ok(Self(None))
        })
    }
}

/// A visitor that compares a text with the key.
struct IsKey;

#[musli::trait_defaults]
impl<'de, C: Context> UnsizedVisitor<'de, C, str> for IsKey {
    type Ok = bool;

    fn expecting(&self, f: &mut Formatter<'_>) -> Written {
        f.write_str("a key")
    }

    fn visit_ref(self, _: C, text: &str) -> Result<bool, C::Error> {
        Ok(text == KEY.get())
    }
}

/// A visitor that returns an int, or the number of items of a sequence.
struct Number;

#[musli::trait_defaults]
impl<'de, C: Context> Visitor<'de, C> for Number {
    type Ok = i64;

    fn expecting(&self, f: &mut Formatter<'_>) -> Written {
        f.write_str("an int or a sequence")
    }

    fn visit_i64(self, _: C, value: i64) -> Result<i64, C::Error> {
        Ok(value)
    }

    fn visit_sequence<D>(self, items: &mut D) -> Result<i64, C::Error>
    where
        D: ?Sized + SequenceDecoder<'de, Cx = C, Error = C::Error, Allocator = C::Allocator>,
    {
        let mut count = 0;
        while let Some(item) = items.try_decode_next()? {
            item.skip()?;
            count += 1;
        }
        Ok(count)
    }
}
