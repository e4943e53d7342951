//! The laws that the tests check, compiled once for all fuzz targets.

#[allow(dead_code, unused_imports)]
#[path = "../../tests/laws"]
pub mod laws {
    mod compression;
    mod godot;
    mod net;
    mod rems;
    mod unreal;

    pub use compression::*;
    pub use godot::*;
    pub use net::*;
    pub use rems::*;
    pub use unreal::*;
}

#[allow(dead_code, unused_imports)]
#[path = "../../tests/support"]
mod support {
    pub mod corpus;
    pub mod damage;
    pub mod fastlz;
    pub mod fields;
    pub mod godot;
    pub mod native_json;
    pub mod net;
    pub mod random;
    pub mod rems;
    pub mod strict_json;
    pub mod unreal;
}
