//! One module per format. Each module uses the crate of its format in the fastest way that safe
//! code allows. `traverse` reads every leaf and checks every text; `traverse_bytes` reads every leaf
//! and does not check text, which only some crates can do; `get` finds the value of one
//! key; `validate` makes sure that everything can be read; `skip` finds the end; `encode` writes
//! into a buffer with enough capacity. An operation that a crate lacks has no row.

pub mod bson;
pub mod cbor;
pub mod flexbuffers;
pub mod gamewire;
pub mod godot_binary_serialization;
pub mod ion;
pub mod jsonb;
pub mod messagepack;
pub mod musli;
pub mod parquet_variant;
pub mod rkyv;
pub mod simd_json;
pub mod sonic;

use crate::contents::Content;
use crate::rows::Row;

pub fn rows(content: &'static Content) -> Vec<Row> {
    let mut rows = Vec::new();
    gamewire::rows(content, &mut rows);
    godot_binary_serialization::rows(content, &mut rows);
    bson::rows(content, &mut rows);
    messagepack::rows(content, &mut rows);
    cbor::rows(content, &mut rows);
    flexbuffers::rows(content, &mut rows);
    musli::rows(content, &mut rows);
    ion::rows(content, &mut rows);
    parquet_variant::rows(content, &mut rows);
    jsonb::rows(content, &mut rows);
    sonic::rows(content, &mut rows);
    simd_json::rows(content, &mut rows);
    rkyv::rows(content, &mut rows);
    rows
}
