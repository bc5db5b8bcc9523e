//! Softmax shares of human levels.

use super::*;

#[test]
fn softmax_shares_are_proportional_to_exponentials() {
    let shares = softmax(&[4.0, 4.0, 2.0], 2.0);
    let e = std::f64::consts::E;
    let expected = [
        e / (2.0 * e + 1.0),
        e / (2.0 * e + 1.0),
        1.0 / (2.0 * e + 1.0),
    ];
    for (share, expected) in shares.iter().zip(expected) {
        assert!((share - expected).abs() < 1e-12, "{shares:?}");
    }
    // No overflow with extreme scores.
    assert_eq!(softmax(&[64.0, -64.0], 0.1), [1.0, 0.0]);
    assert_eq!(softmax(&[-64.0], 0.1), [1.0]);
}
