//! Build script: unpacks the weights that the library embeds.

use std::error::Error;
use std::path::Path;
use std::{env, fs, thread};

mod coder;
mod file;
mod mixer;
mod table;

fn main() -> Result<(), Box<dyn Error>> {
    let source = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("src/eval");
    let target = env::var("OUT_DIR")?;
    println!("cargo::rerun-if-changed=src/eval/packed");
    let unpack = |name: &str| {
        let packed = source.join(name).with_extension("packed");
        println!("cargo::rerun-if-changed={}", packed.display());
        let error = |what: &dyn std::fmt::Display| format!("{}: {what}", packed.display());
        let bytes = fs::read(&packed).map_err(|why| error(&why))?;
        let weights = file::unpack(&bytes).ok_or_else(|| error(&"these are no packed weights"))?;
        fs::write(Path::new(&target).join(name), weights).map_err(|why| error(&why))
    };
    let unpack = &unpack;
    thread::scope(|scope| {
        let pattern = scope.spawn(move || unpack("weights.bin"));
        unpack("net.bin")?;
        pattern.join().expect("unpacking does not panic")
    })?;
    Ok(())
}
