//! Build script: unpacks the weights that the library embeds.

use std::error::Error;
use std::path::Path;
use std::{env, fs, thread};

pub mod coder;
pub mod file;
mod filter;
pub mod table;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=eval/packed");
    let source = env::var("CARGO_MANIFEST_DIR")? + "/eval";
    let target = env::var("OUT_DIR")?;
    let (source, target) = (Path::new(&source), Path::new(&target));
    let tables = thread::scope(|scope| {
        let pattern = scope.spawn(|| unpack(source, target, "weights.bin"));
        unpack(source, target, "net.bin")?;
        pattern.join().expect("unpacking does not panic")
    })?;
    // The light pattern weights alone, for a program without the full ones: `Weights::embedded`.
    let light = tables.last().ok_or("weights.packed has no table")?;
    let bytes: Vec<u8> = light
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    fs::write(target.join("light.bin"), bytes)?;
    Ok(())
}

/// Writes the weights file `name` to `target` from its packed form in `source`.
/// Returns its tables.
fn unpack(source: &Path, target: &Path, name: &str) -> Result<Vec<Vec<i16>>, String> {
    let packed = source.join(name).with_extension("packed");
    println!("cargo::rerun-if-changed={}", packed.display());
    let error = |what: &dyn std::fmt::Display| format!("{}: {what}", packed.display());
    let bytes = fs::read(&packed).map_err(|why| error(&why))?;
    let (file, tables) =
        file::unpack(&bytes).ok_or_else(|| error(&"these are no packed weights"))?;
    fs::write(target.join(name), file).map_err(|why| error(&why))?;
    Ok(tables)
}
