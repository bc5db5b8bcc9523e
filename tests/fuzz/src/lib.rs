//! Library of the fuzz targets: `src/laws` holds a law, and `src/bin` a program, for each target.

mod laws;

/// Returns the law of the fuzz target `name`.
///
/// # Panics
/// If there is no such target.
pub fn law(name: &str) -> fn(&[u8]) {
    let mut targets = laws::TARGETS.into_iter();
    let target = targets.find(|&(target, _)| target == name);
    target.expect("one of the targets").1
}
