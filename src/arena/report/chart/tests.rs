//! Charts of matches and tournaments.

use super::*;

/// Returns pairs of random scores in discs.
fn pairs(count: usize) -> Vec<(Score, Score)> {
    let mut random = fastrand::Rng::with_seed(2);
    (0..count)
        .map(|_| (2 * random.i32(-32..=32), 2 * random.i32(-32..=32)))
        .collect()
}

/// Asserts that all numbers are finite and that all elements are closed.
fn assert_well_formed(svg: &str) {
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    let mut open: Vec<Option<&str>> = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a tag ends");
        let name = tag.trim_start_matches('/').split([' ', '/']).next();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty());
}

#[test]
fn match_charts_are_well_formed_for_every_number_of_pairs() {
    for count in [0, 1, 2, 3, 50, 3000] {
        let svg = match_chart(["one", "other"], &pairs(count)).to_string();
        assert_well_formed(&svg);
        assert!(svg.len() < 40_000, "{}", svg.len());
    }
    for scores in [(64, 64), (-64, -64), (0, 0), (2, -2)] {
        let svg = match_chart(["one", "other"], &[scores; 9]).to_string();
        assert_well_formed(&svg);
    }
}

#[test]
fn tournament_charts_are_well_formed() {
    for count in [2, 3, 40] {
        let player = |rank: usize| RatedPlayer {
            name: format!("<{rank}> {}", "x".repeat(rank)),
            elo: Estimate {
                value: 10.0 - rank as f64,
                low: if rank == 0 { f64::NEG_INFINITY } else { -20.0 },
                high: 30.0,
            },
            shares: (0..count)
                .map(|other| (other != rank).then_some(0.25))
                .collect(),
        };
        let players: Vec<RatedPlayer> = (0..count).map(player).collect();
        let svg = tournament_chart("many games".to_owned(), &players).to_string();
        assert_well_formed(&svg);
        assert_eq!(svg.matches("<circle ").count(), count);
        assert_eq!(svg.matches("fill-opacity=").count(), count * (count - 1));
    }
}

#[test]
fn titles_show_the_finite_bounds() {
    let svg = |pairs: &[(Score, Score)]| match_chart(["a", "b"], pairs).to_string();
    assert!(svg(&[(10, 6), (4, -12)]).contains(">+2.00 ± 11.76 discs per game (95 %)<"));
    assert!(svg(&[(10, 6)]).contains(">Elo (95 %)<"));
    assert!(svg(&[(64, 2); 10]).contains(">at least +182.7 Elo (95 %)<"));
    assert!(svg(&[(2, -2)]).contains(">+0.0 ± n/a Elo (95 %)<"));
    assert!(svg(&[(2, 2), (2, 2), (2, -2), (2, 2)]).contains(">+338.0, at least +"));
}
