//! Tests the module for packages and saves of Unreal Engine.

mod archive;
mod bulk;
#[cfg(feature = "unreal-compression")]
mod compressed;
#[cfg(feature = "serde")]
mod document_structs;
#[cfg(feature = "serde")]
mod documents;
mod edit;
mod inference;
#[cfg(feature = "serde")]
mod json;
#[allow(dead_code, unused_imports)]
#[path = "../laws"]
mod laws {
    pub mod unreal;
}
#[cfg(all(feature = "unreal-pak", feature = "unreal-compression", feature = "compression"))]
mod iostore;
mod laws_on_corpus;
#[cfg(feature = "alloc")]
mod locres;
#[cfg(feature = "alloc")]
mod mappings;
#[cfg(feature = "serde")]
mod messages;
#[cfg(feature = "serde")]
mod offsets;
mod oracle_agreement;
mod oracle_agreement_generated;
mod packages;
#[cfg(all(feature = "unreal-pak", feature = "unreal-compression", feature = "compression"))]
mod paks;
mod properties;
#[cfg(feature = "alloc")]
mod registry;
mod small;
#[allow(dead_code, unused_imports)]
#[path = "../support"]
mod support {
    pub mod damage;
    #[cfg(feature = "unreal-pak")]
    pub mod iostore;
    pub mod locres;
    #[cfg(feature = "unreal-pak")]
    pub mod paks;
    pub mod random;
    pub mod registry;
    pub mod small_stack;
    pub mod strings;
    pub mod unreal;
}
#[cfg(feature = "serde")]
mod tables;
mod transformed;
#[cfg(feature = "serde")]
mod ue5_save;
#[cfg(all(feature = "alloc", feature = "unreal-compression"))]
mod wrapped;
mod write;
#[cfg(feature = "serde")]
mod wrong_versions;
#[cfg(feature = "serde")]
mod zen;
