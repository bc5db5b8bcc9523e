//! The targets of the fuzzer, one for each law.

mod laws;

/// The law of the target with this name.
///
/// # Panics
/// If there is none.
pub fn law(name: &str) -> fn(&[u8]) {
    let mut targets = laws::TARGETS.into_iter();
    let target = targets.find(|&(target, _)| target == name);
    target.expect("one of the targets").1
}
