//! Links the readers, so that `./check` can search them for calls to a panic.
//!
//! Without features, this crate contains the readers of Godot and Unreal data that need no
//! allocator. Every panic calls a function that does not exist, so linking succeeds only if no
//! panic is reachable. The features `rems` and `allocating` add readers that call other libraries,
//! which contain panics. `./check` searches the compiled code of these readers for calls to a panic
//! function.
//!
//! Each function is an entry point of the readers. Its results pass through `black_box`, so that
//! the compiler cannot remove any code as unused.
#![cfg_attr(not(feature = "allocating"), no_std)]

#[cfg(feature = "allocating")]
mod allocating;
mod godot;
#[cfg(feature = "rems")]
mod rems;
mod unreal;

use core::hint::black_box;
#[cfg(not(feature = "allocating"))]
use core::panic::PanicInfo;

#[cfg(not(feature = "allocating"))]
unsafe extern "C" {
    /// A function that is declared but never defined, so a program that calls it does not link.
    fn a_panic_can_be_reached() -> !;
}

#[cfg(not(feature = "allocating"))]
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: this is never called, since a program that calls it does not link.
    unsafe { a_panic_can_be_reached() }
}

/// Returns the bytes at the address that the caller passes.
///
/// # Safety
/// The requirements of `core::slice::from_raw_parts` apply.
unsafe fn bytes<'a>(data: *const u8, len: usize) -> &'a [u8] {
    // SAFETY: promised by the caller.
    unsafe { core::slice::from_raw_parts(data, len) }
}

/// Defines a function with C linkage, so that the linker keeps it.
macro_rules! entry_points {
    ($($name:ident: $of:path),* $(,)?) => {$(
        /// # Safety
        /// The requirements of `core::slice::from_raw_parts` apply.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(data: *const u8, len: usize) {
            // SAFETY: promised by the caller.
            $of(black_box(unsafe { bytes(data, len) }));
        }
    )*};
}

entry_points! {
    godot_skip: godot::skip,
    godot_visit: godot::visit,
    godot_views: godot::views,
    godot_index: godot::index,
    godot_lazy: godot::lazy,
    godot_detect: godot::detect,
    godot_find: godot::find,
    godot_frames: godot::frames,
    godot_compact: godot::compact,
    godot_multiplayer: godot::multiplayer,
    godot_debugger: godot::debugger,
    unreal_package: unreal::package,
    unreal_archive: unreal::archive,
    unreal_locres: unreal::locres,
    unreal_registry: unreal::registry,
    unreal_iostore: unreal::iostore,
    unreal_pak: unreal::pak,
    unreal_save: unreal::save,
}

#[cfg(feature = "rems")]
entry_points! {
    rems_text: rems::text,
}

#[cfg(feature = "allocating")]
entry_points! {
    json_read: allocating::json_read,
    json_print: allocating::json_print,
    notation_read: allocating::notation_read,
    notation_print: allocating::notation_print,
    owned: allocating::owned,
    differences: allocating::differences,
    schema: allocating::schema,
    framer: allocating::framer,
    enet: allocating::enet,
    range_coder: allocating::range_coder,
    compression: allocating::compression,
    tcp: allocating::tcp,
    websocket: allocating::websocket,
    conversation: allocating::conversation,
    unreal_edit: allocating::unreal_edit,
    unreal_compressed: allocating::unreal_compressed,
    unreal_wrapped: allocating::unreal_wrapped,
    unreal_save_owned: allocating::unreal_save,
    rems_binary: allocating::rems_binary,
    rems_container: allocating::rems_container,
    rems_rewrite: allocating::rems_rewrite,
}
