//! The table of types and dialects, and the layouts, payloads and errors that it is made of.

pub(crate) mod dialect;
pub(crate) mod error;
pub(crate) mod kinds;
pub(crate) mod layouts;
pub(crate) mod payload;
