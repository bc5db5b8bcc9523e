#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| emilia_fuzz::law(env!("CARGO_BIN_NAME"))(bytes));
