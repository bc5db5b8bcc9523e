//! Writes the light weights of a file of pattern weights in the form that the library embeds.

use std::error::Error;
use std::{env, fs};

use emilia_core::eval::PatternWeights;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [from, to] = &arguments[..] else {
        return Err("expected a file of pattern weights and the file to write".into());
    };
    Ok(fs::write(
        to,
        PatternWeights::pack_light(&fs::read(from)?)?,
    )?)
}
