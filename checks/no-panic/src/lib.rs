//! The readers, linked so that a panic that can be reached is a symbol that nobody has: where
//! `./check` links them, none can be.
//!
//! Each function is a way into the crate that needs no allocator. Whatever it finds goes through
//! `black_box`, so that nothing is left out for not being used.
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
    /// Is not there.
    fn a_panic_can_be_reached() -> !;
}

#[cfg(not(feature = "allocating"))]
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: what does not link is not called.
    unsafe { a_panic_can_be_reached() }
}

/// The caller's bytes.
///
/// # Safety
/// As `core::slice::from_raw_parts`.
unsafe fn bytes<'a>(data: *const u8, len: usize) -> &'a [u8] {
    // SAFETY: the caller's promise.
    unsafe { core::slice::from_raw_parts(data, len) }
}

/// Makes a function that C can call, so that the linker keeps it.
macro_rules! entry_points {
    ($($name:ident: $of:path),* $(,)?) => {$(
        /// # Safety
        /// As `core::slice::from_raw_parts`.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(data: *const u8, len: usize) {
            // SAFETY: the caller's promise.
            $of(black_box(unsafe { bytes(data, len) }));
        }
    )*};
}

entry_points! {
    godot_skip: godot::skip,
    godot_visit: godot::visit,
    godot_views: godot::views,
    godot_index: godot::index,
    godot_detect: godot::detect,
    godot_frames: godot::frames,
    godot_compact: godot::compact,
    godot_multiplayer: godot::multiplayer,
    godot_debugger: godot::debugger,
    unreal_package: unreal::package,
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
    tcp: allocating::tcp,
    websocket: allocating::websocket,
    conversation: allocating::conversation,
    unreal_edit: allocating::unreal_edit,
    unreal_compressed: allocating::unreal_compressed,
    unreal_save_owned: allocating::unreal_save,
    rems_binary: allocating::rems_binary,
    rems_container: allocating::rems_container,
    rems_rewrite: allocating::rems_rewrite,
}
