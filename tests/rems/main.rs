//! Tests the module for saves of Rem's Engine, as text and as binary streams.

mod binary_streams;
mod conversions;
mod engine_files;
mod error_messages;
mod graph;
#[allow(dead_code, unused_imports)]
#[path = "../laws"]
mod laws {
    pub mod rems;
}
mod new_properties;
mod odd_texts;
mod oracle_agreement;
mod pointers;
mod print;
#[cfg(feature = "serde")]
mod serde;
mod sinks;
mod skipping;
#[allow(dead_code, unused_imports)]
#[path = "../support"]
mod support {
    pub mod random;
    pub mod rems;
}
mod unusual_files;
mod value_conversions;
mod values;
mod write;
mod write_errors;
