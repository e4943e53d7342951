#![no_main]

use gamewire_fuzz::laws;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    laws::rems_text(data);
    laws::rems_text_written(data);
    #[cfg(feature = "serde")]
    laws::rems_text_typed(data);
});
