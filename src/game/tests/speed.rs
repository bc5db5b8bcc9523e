//! Benchmark of the readers, in games per second. Reading a game includes checking each move.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::*;
use crate::game::Collection;
use crate::game::wthor::Names;

/// Reads the WTHOR files of a folder: its games and names.
fn files_in(folder: &Path) -> (Vec<Vec<u8>>, Names) {
    let with_ending = |ending: &str| -> Vec<Vec<u8>> {
        let paths = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let mut paths: Vec<_> = paths
            .filter(|path| {
                path.extension()
                    .is_some_and(|own| own.eq_ignore_ascii_case(ending))
            })
            .collect();
        paths.sort();
        paths
            .into_iter()
            .map(|path| fs::read(path).unwrap())
            .collect()
    };
    let names = Names {
        players: wthor::read_players(&with_ending("jou")[0]).unwrap(),
        tournaments: wthor::read_tournaments(&with_ending("trn")[0]).unwrap(),
    };
    (with_ending("wtb"), names)
}

/// Generates a WTHOR file with `count` random games, and names.
fn random_file(count: u16) -> (Vec<Vec<u8>>, Names) {
    let mut random = fastrand::Rng::with_seed(1);
    let records: Vec<Vec<u8>> = (0..count)
        .map(|_| {
            let mut game = Game::default();
            while let Some(mv) = random.choice(game.position().moves()) {
                game.play(mv).unwrap();
            }
            wthor_record(&game.transcript().to_string(), 32)
        })
        .collect();
    let records: Vec<&[u8]> = records.iter().map(Vec::as_slice).collect();
    let [low, high] = count.to_le_bytes();
    let names = ["Somebody Else", "Ann Otherman"]
        .map(str::to_owned)
        .to_vec();
    let tournaments = names.clone();
    let names = Names {
        players: names,
        tournaments,
    };
    (vec![file([low, high, 0, 0, 0, 0], TAIL, &records)], names)
}

/// Reads `files` repeatedly for `time`. Returns games per second.
fn speed(files: &[Vec<u8>], names: &Names, time: Duration) -> f64 {
    let (mut games, mut placed) = (0_usize, 0);
    let start = Instant::now();
    while start.elapsed() < time {
        for bytes in files {
            let collection = Collection::read(bytes, names).unwrap();
            games += collection.games.len();
            let good = collection.games.iter().flatten();
            placed += good
                .map(|game| game.position().board.empties().count())
                .sum::<u32>();
        }
    }
    assert!(placed > 0);
    games as f64 / start.elapsed().as_secs_f64()
}

/// Prints the reading speed of each format: of the WTHOR files in a folder, or else random games.
///
/// `EMILIA_GAMES=FOLDER cargo test --release --lib game::tests::speed -- --ignored --nocapture`
#[test]
#[ignore = "measures for ten seconds in a release build"]
fn games_per_second() {
    let (files, names) = match std::env::var_os("EMILIA_GAMES") {
        Some(folder) => files_in(Path::new(&folder)),
        None => random_file(3000),
    };
    let games: Vec<Game> = files
        .iter()
        .flat_map(|bytes| Collection::read(bytes, &names).unwrap().games)
        .map(Result::unwrap)
        .collect();
    let text = |write: fn(&Game) -> String| {
        let texts: Vec<String> = games.iter().map(write).collect();
        vec![texts.concat().into_bytes()]
    };
    println!("{} games", games.len());
    for (kind, files) in [
        ("WTHOR", files),
        ("transcripts", text(Game::to_transcript)),
        ("GGF", text(Game::to_ggf)),
        ("SGF", text(Game::to_sgf)),
    ] {
        let best = (0..5)
            .map(|_| speed(&files, &names, Duration::from_millis(500)))
            .fold(0.0, f64::max);
        println!("{kind}: {best:.0} games/s");
    }
}
