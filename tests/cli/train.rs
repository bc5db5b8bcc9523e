//! End-to-end tests of `emilia train` and `selfplay`: weights that can be used, resumption, refused files, and the
//! models that are printed.

use std::fs;

use crate::common::matches::Scratch;
use emilia_core::eval::Light;

/// Makes training data with these options of `selfplay`, in a folder of its own.
fn selfplay(name: &str, options: &str) -> Scratch {
    let folder = Scratch::new("train");
    let run = folder.emilia(&format!("selfplay --out {name} {options}"));
    run.assert_done();
    folder
}

const GAMES: &str = "--games 400 --depth 1 --exact 6";

#[test]
fn light_weights_are_fitted() {
    let folder = selfplay("1.games", GAMES);
    let positions = "selfplay --out 2.positions --roots 320 --depth 2 --empties 3-5";
    folder.emilia(positions).assert_done();
    let run = folder.emilia("train light --data 1.games 2.positions --out light.bin");
    run.assert_done();
    // The errors by number of empties.
    run.assert_shows("\n    4-7 ");
    let file = fs::read(folder.path("light.bin")).unwrap();
    assert!(Light::from_bytes(&file).unwrap() != *Light::embedded());
}

#[test]
fn the_error_model_of_probcut_is_fitted_and_shown() {
    // At most 18 empties remain after the random moves, so solving is fast.
    let options = "--games 220 --depth 1 --exact 6 --random-plies 42-42";
    let folder = selfplay("1.games", options);
    let fit = |more: &str| folder.emilia(&format!("train selectivity --data 1.games {more}"));
    let run = fit("--positions 200 --depth 6 --eval classic");
    run.assert_done();
    assert!(run.stdout.starts_with("200 positions, "), "{run:?}");
    for (name, numbers) in [("midgame: [", 6), ("endgame: [", 4)] {
        let line = run.stdout.lines().find(|line| line.starts_with(name));
        assert_eq!(line.expect(name).split(", ").count(), numbers, "{run:?}");
    }
    fit("--positions 60 --depth 3").assert_refused("too few positions");
}

#[test]
fn the_model_of_people_is_fitted_to_games_and_predicts_others() {
    let folder = Scratch::new("train");
    for seed in ["7", "8"] {
        let players = "--first builtin:name=a,level=h6 --second builtin:name=b,level=h12";
        let openings = format!("--games 20 --openings random:4 --seed {seed}");
        folder.play(&format!("{players} {openings} --out {seed}"));
    }
    let run = folder.emilia("train people --data 7 --held-out 8");
    run.assert_done();
    // The players choose by this model: its mean −ln p is 1.01, for an even choice it is 1.97.
    let words = run.stdout.split_whitespace().collect::<Vec<_>>();
    let nats = words.windows(2).filter(|pair| pair[1] == "nats");
    let nats: Vec<f64> = nats.map(|pair| pair[0].parse().unwrap()).collect();
    assert!(nats[0] < 1.2 && nats[1] > 1.8, "{run:?}");
}
