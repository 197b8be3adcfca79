#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| jsonseam_fuzz::stream(bytes));
