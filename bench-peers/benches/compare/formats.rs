//! One file per format: how its crate is used at its best, as far as safe code goes.
//! `traverse` looks at every leaf, with every text checked; `get` finds the value of one key;
//! `validate` makes sure that all of it can be read; `skip` goes past it; `encode` writes it
//! into a buffer that has room. What a crate cannot do, it has no row for.

pub mod bson;
pub mod cbor;
pub mod flexbuffers;
pub mod gamewire;
pub mod godot_binary_serialization;
pub mod messagepack;
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
    sonic::rows(content, &mut rows);
    simd_json::rows(content, &mut rows);
    rkyv::rows(content, &mut rows);
    rows
}
