//! Build script: unpacks the weights that the library embeds.

use std::error::Error;
use std::io::Read;
use std::path::Path;
use std::{env, fs, thread};

use lzma_rust2::LzmaReader;

fn main() -> Result<(), Box<dyn Error>> {
    let target = env::var("OUT_DIR")?;
    thread::scope(|scope| {
        let light = scope.spawn(|| unpack("light", &target));
        unpack("net", &target)?;
        light.join().expect("unpacking does not panic")
    })?;
    Ok(())
}

/// Unpacks the weights in `eval/NAME.lzma` to the file `NAME.bin` in the directory `target`.
fn unpack(name: &str, target: &str) -> Result<(), String> {
    let packed = format!("eval/{name}.lzma");
    println!("cargo::rerun-if-changed={packed}");
    let error = |why| format!("{packed}: {why}");
    let bytes = fs::read(&packed).map_err(error)?;
    let mut weights = Vec::new();
    LzmaReader::new_mem_limit(&bytes[..], u32::MAX, None)
        .and_then(|mut reader| reader.read_to_end(&mut weights))
        .map_err(error)?;
    fs::write(Path::new(target).join(name).with_extension("bin"), weights).map_err(error)
}
