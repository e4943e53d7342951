//! Writing: the encoder of values, the writer, and the sinks that join short pieces into one
//! append.

pub(crate) mod encoder;
pub(crate) mod entry_sink;
pub(crate) mod inline_sink;
pub(crate) mod to_variant;
pub(crate) mod transcode;
pub(crate) mod writer;
