//! Tests that run the program as a user would run it.

#![allow(clippy::unwrap_used, clippy::panic)]

mod command;
mod completions;
mod config;
mod containers;
mod diagnose;
mod editing;
mod file_parts;
mod find;
mod format_hints;
mod godot;
mod help;
mod manual;
mod other_traffic;
mod packet_kinds;
mod packet_series;
mod packet_stats;
mod packets;
mod packets_corpus;
mod packets_in_order;
#[cfg(unix)]
mod pages;
#[cfg(feature = "parquet")]
mod parquet;
mod recognition;
mod rems;
mod schema;
#[cfg(unix)]
mod special_files;
#[allow(dead_code, unused_imports)]
#[path = "../../../tests/support"]
mod support {
    pub mod corpus;
    pub mod fields;
    pub mod godot;
    pub mod native_json;
    pub mod net;
    pub mod random;
    pub mod strict_json;
    pub mod unreal {
        pub mod compressed_containers;
        pub mod transform;
        pub mod wrapped;
    }
}
#[cfg(unix)]
mod terminal;
mod unreal;
mod unreal_check;
mod unreal_compressed;
mod unreal_containers;
mod unreal_declarations;
mod unreal_editing;
mod unreal_locres;
mod unreal_mappings;
mod unreal_paks;
mod unreal_paths;
mod unreal_registry;
mod unreal_types;
mod unreal_wrapped;
mod unreal_zen;
mod value_lines;
mod wireshark;
#[cfg(unix)]
mod writing;
