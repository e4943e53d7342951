//! Reading: the walk over a value, the reader, the checks, and the decoding of checked bytes.
//!
//! * `walk` makes the only pass over a value. It checks ids, lengths, counts and depth, and calls a
//!   [`Visitor`](crate::godot::Visitor). Reading, skipping, checking and traversing all use this
//!   walk with different visitors, so they cannot disagree about where a value ends.
//! * `reader` has the public [`Reader`](crate::godot::Reader), a cursor over a packet.
//! * `strictness` has the visitors that check more than structure: text as the engine converts
//!   it, and the canonical form.
//! * `encoded` has the bytes of one checked value, and the accessors of decoded values.
//! * `trusted` decodes bytes that a walk has checked before, for views and iterators.
//! * `fast_path` decodes the most common encodings in a few instructions. Anything else falls
//!   back to the general decoder.
//! * `compact_form` decodes the short encodings of multiplayer packets.
//! * `detect` tries a packet in every dialect.
//!
//! Start with `walk`.

pub(crate) mod compact_form;
pub(crate) mod detect;
pub(crate) mod encoded;
pub(crate) mod fast_path;
pub(crate) mod reader;
pub(crate) mod strictness;
pub(crate) mod trusted;
pub(crate) mod walk;
