#![no_main]

use gamewire_fuzz::laws;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    laws::enet_host(data);
    laws::enet_host_agreement(data);
});
