#![no_main]

use gamewire_fuzz::laws;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    laws::rems_binary_any(data);
    laws::rems_binary_written_any(data);
    #[cfg(feature = "serde")]
    laws::rems_binary_typed_any(data);
});
