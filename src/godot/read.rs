//! Reading: the walk over a value, its visitors, the reader, and decoding of bytes already walked.

pub(crate) mod compact_form;
pub(crate) mod detect;
pub(crate) mod encoded;
pub(crate) mod fast_path;
pub(crate) mod reader;
pub(crate) mod strictness;
pub(crate) mod trusted;
pub(crate) mod walk;
