//! The tables that drive reading and writing: types, dialects, payloads and errors.
//!
//! * `kinds` has one row for each type: its payload, and its id and name in each dialect. The enums
//!   [`Kind`](crate::godot::Kind) and [`VariantRef`](crate::godot::VariantRef) are generated from
//!   these rows, and so is the `match` that reads a payload.
//! * `dialect` has one set of rules for each dialect: width of reals, conversion of text, form of
//!   null, and all other differences between engines besides the ids.
//! * `payload` has the trait that a row's payload implements, and the scalar payloads.
//! * `layouts` has the field order of vectors, matrices and colours.
//! * `error` has the error type of all functions that read or write Variants.
//!
//! ARCHITECTURE.md lists what a new type or dialect needs.

pub(crate) mod dialect;
pub(crate) mod error;
pub(crate) mod kinds;
pub(crate) mod layouts;
pub(crate) mod payload;
