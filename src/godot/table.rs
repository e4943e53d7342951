//! The tables from which reading and writing follow: types, dialects, payloads and errors.
//!
//! * `kinds` has one row for each type: its payload, and its id and name in each dialect. The
//!   enums [`Kind`](crate::godot::Kind) and [`VariantRef`](crate::godot::VariantRef) are made
//!   from these rows, and so is the `match` that reads a payload.
//! * `dialect` has one set of rules for each dialect: width of reals, conversion of text, form of
//!   null, and whatever else differs between engines beyond ids.
//! * `payload` has the trait that a row's payload implements, and the scalar payloads.
//! * `layouts` has the field order of vectors, matrices and colours.
//! * `error` has the error type of all functions that read or write Variants.
//!
//! A new type is a row in `kinds` and a `Payload`. A new dialect is a set of rules in `dialect`,
//! and a column in `kinds` if it numbers the types differently.

pub(crate) mod dialect;
pub(crate) mod error;
pub(crate) mod kinds;
pub(crate) mod layouts;
pub(crate) mod payload;
