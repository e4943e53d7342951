#![no_main]

use gamewire_fuzz::laws;

libfuzzer_sys::fuzz_target!(|data: &[u8]| laws::websocket_host(data));
