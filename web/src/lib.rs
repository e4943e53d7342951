//! The Rust side of the page. `web/build` compiles it four times, each time with one of the Cargo
//! features: a module that recognises files, and a module for each family of formats. The worker
//! of the page loads the modules that it needs.
//!
//! Files of the families `unreal` and `values` are opened in a [`Page`](file::page::Page), and
//! captures in a [`Capture`](capture::Capture).
#![cfg_attr(
    not(all(
        feature = "captures",
        feature = "recognition",
        feature = "unreal",
        feature = "values"
    )),
    allow(dead_code, reason = "a module does not use everything that several modules share")
)]

#[cfg(feature = "captures")]
mod capture;
mod family;
#[cfg(any(feature = "unreal", feature = "values"))]
mod file;
mod json_text;
#[cfg(feature = "unreal")]
mod unreal;
#[cfg(feature = "values")]
mod values;
