//! Tests of archives: they have the same games as [`Collection`], for any number of threads and all
//! symmetries.

use std::collections::HashMap;
use std::fs;
use std::num::NonZero;

use super::*;
use crate::wthor::{WthorNames, WthorWriter};
use crate::{Game, Outcome};
use emilia_core::board::{Color, Position, Square, Symmetry, Transcript};

/// Returns a random game between two of twenty players.
fn random_game(random: &mut fastrand::Rng) -> Game {
    let mut game = crate::tests::plain_game(random, 64);
    game.tags.black = format!("Player {}", random.u32(..20));
    game.tags.white = format!("Player {}", random.u32(..20));
    game.tags.event = "Club".to_owned();
    game.tags.outcome = game.score().map(|score| Outcome::played(score.into()));
    game
}

#[test]
fn archives_have_the_games_of_collections_in_their_order() {
    let mut random = fastrand::Rng::with_seed(1);
    let games: Vec<Game> = (0..BLOCK + 300).map(|_| random_game(&mut random)).collect();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    let mut writer = WthorWriter::new(&WthorNames::default()).unwrap();
    for game in &games {
        writer.add(game, Some(1999)).unwrap();
    }
    let mut files = writer.files(1999, [2026, 11, 24]);
    write("WTHOR.JOU", &files.players.unwrap());
    write("WTH_1999.wtb", &files.games);
    // Makes a move of the third game illegal.
    files.games[16 + 68 * 2 + 8] = 11;
    write("bad.wtb", &files.games);
    let lines: String = games[..50].iter().map(Game::to_transcript).collect();
    write("a.txt", lines.as_bytes());
    write("notes.md", b"no games\n");
    let files = input::files_in(&[folder.path().to_owned()]).unwrap();
    let read = files
        .iter()
        .map(|file| file.checked(input::collection(&file.path)));
    let expected = read.flatten().flat_map(|collection| collection.games);
    let expected: Vec<PackedGame> = expected.filter_map(Result::ok).collect();
    assert_eq!(expected.len(), 2 * games.len() - 1 + 50);
    for threads in [1, 3] {
        let (archives, not_read) = Archives::read(&files, NonZero::new(threads).unwrap());
        assert_eq!(archives.games(), expected.len() + 1);
        assert!(matches!(
            not_read[..],
            [NotRead::Skipped(None), NotRead::Skipped(Some(_))]
        ));
        let visited =
            archives.visit(|games: &mut Vec<PackedGame>, _, game| games.push(game.clone()));
        let bad = "bad.wtb': byte 160: record 3: move 1: illegal move: a1 for black";
        assert!(visited.bad[0].to_string().contains(bad));
        assert!(visited.results.concat() == expected, "{threads} threads");
    }
}

fn archived(moves: &str, black: &str, white: &str, margin: f64) -> PackedGame {
    let mut game = Game::from(&Transcript::parse(moves, Position::START).unwrap());
    game.tags.black = black.to_owned();
    game.tags.white = white.to_owned();
    game.tags.date = "3.5.2019".to_owned();
    game.tags.outcome = Some(Outcome::played(margin));
    game.into()
}

#[test]
fn queries_ignore_case_accents_and_the_order_of_words() {
    let game = archived("f5d6", "Fran\u{e7}ois L\u{e9}", "\u{d8}rsted Bo", -2.0);
    let matches = |player: &str, against: Option<&str>, year: &str, result: &str| {
        let query = Query {
            player: Some(player.parse().unwrap()),
            against: against.map(|name| name.parse().unwrap()),
            event: None,
            years: Some(year.parse().unwrap()),
            results: vec![result.parse().unwrap()],
        };
        query.matches(&game)
    };
    assert!(matches("le FRANCOIS", None, "2019", "lost"));
    assert!(matches("Bo", None, "2018-2019", "won"));
    assert!(matches("bo", Some("le"), "2019", "white"));
    assert!(matches("bo", None, "2019", "1-2"));
    assert!(!matches("francoise", None, "2019", "lost"));
    assert!(!matches("bo", Some("bo"), "2019", "won"));
    assert!(!matches("bo", None, "2020-2021", "won"));
    for result in ["lost", "black", "draw", "3-64"] {
        assert!(!matches("bo", None, "2019", result), "{result}");
    }
    assert!("2019-2018".parse::<Years>().is_err());
    assert!(" ".parse::<Words>().is_err());
    for date in ["2019-05-03", "20190503", "May 2019", "03.05.2019"] {
        assert_eq!(year(date), Some(2019), "{date}");
    }
    assert_eq!((year("201905"), year("020190503")), (None, None));
}

#[test]
fn counts_of_moves_equal_those_of_all_positions_of_all_games() {
    let mut random = fastrand::Rng::with_seed(3);
    let games: Vec<Game> = (0..300).map(|_| random_game(&mut random)).collect();
    for moves in ["", "f5", "f5d6", "f5f6", "d3c5"] {
        let position = Transcript::parse(moves, Position::START).unwrap().end();
        // Expected numbers of games and sums of margins. Moves that a symmetry of the position maps
        // to each other count as one move.
        let own: Vec<Symmetry> = Symmetry::all()
            .filter(|symmetry| symmetry.board(&position.board) == position.board)
            .collect();
        let mut expected: HashMap<Option<Square>, (u32, f64)> = HashMap::new();
        for game in &games {
            for (at, played) in game.positions().iter().zip(game.moves()) {
                let symmetry =
                    Symmetry::all().find(|symmetry| symmetry.board(&at.board) == position.board);
                if let Some(symmetry) = symmetry {
                    let square = symmetry.square(played.mv.square().unwrap());
                    let least = own.iter().map(|own| own.square(square)).min();
                    let margin = f64::from(game.score().unwrap());
                    let sign = if at.mover == Color::Black { 1.0 } else { -1.0 };
                    let count = expected.entry(least).or_default();
                    *count = (count.0 + 1, count.1 + sign * margin);
                }
            }
        }
        let reached = ReachedPosition::new(&position);
        let mut counts = MoveCounts::default();
        for game in games.iter().cloned().map(PackedGame::from) {
            counts.add(&reached, &game);
        }
        let total = MoveCounts::total(&reached, [counts]);
        assert_eq!(total.len(), expected.len(), "{moves}");
        for (square, count) in total {
            let least = own
                .iter()
                .map(|own| square.map(|one| own.square(one)))
                .min();
            let (games, margins) = expected[&least.unwrap()];
            assert_eq!(count.games, games, "{moves}: {square:?}");
            assert!((count.mean().unwrap() - margins / f64::from(games)).abs() < 1e-9);
        }
    }
}

#[test]
fn a_position_before_a_pass_is_the_one_after_it() {
    let before = Transcript::parse("d3c3f5d2d1e1b2c1", Position::START).unwrap();
    let game = archived("d3c3f5d2d1e1b2c1a3", "Ann", "Bob", 0.0);
    assert!(before.end().must_pass());
    let reached = ReachedPosition::new(&before.end());
    assert!(reached.is_in(&game));
    let mut counts = MoveCounts::default();
    counts.add(&reached, &game);
    let total = MoveCounts::total(&reached, [counts]);
    assert_eq!(total[0].0, Some("a3".parse().unwrap()));
    assert_eq!(total[0].1.players(), [("Bob", 1)]);
}

#[test]
fn images_of_a_game_are_duplicates_and_other_games_are_not() {
    let mut random = fastrand::Rng::with_seed(4);
    let start = &Position::START.board;
    let mut keys = Vec::new();
    for _ in 0..50 {
        let game = random_game(&mut random);
        // Symmetries that map the start position to itself. The other symmetries exchange its
        // colours.
        for symmetry in Symmetry::all().filter(|symmetry| symmetry.board(start) == *start) {
            let squares = game
                .squares()
                .map(|square| symmetry.square(square).to_string());
            let key = move_key(&archived(&squares.collect::<String>(), "", "", 0.0)).unwrap();
            let game = keys.len() as u32;
            keys.push((key, GamePlace { file: 0, game }));
        }
    }
    let groups = duplicates(keys);
    assert_eq!(groups.len(), 50);
    assert!(
        groups
            .iter()
            .all(|group| group.len() == 4 && group[0].game % 4 == 0)
    );
}

#[test]
fn the_nearest_players_have_the_most_similar_words() {
    let names = ["Ann Lee", "Anna Le", "Bob Stone", "Zo\u{e9} Lea", "Kim"];
    let games = names.map(|name| format!("% Black: {name}\n% White: Kim\nf5d6\n"));
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), games.concat()).unwrap();
    let files = input::files_in(&[file.path().to_owned()]).unwrap();
    let (archives, _) = Archives::read(&files, NonZero::<usize>::MIN);
    let nearest = |words: &str| archives.nearest_players(&words.parse().unwrap());
    assert_eq!(nearest("anm lee")[..2], ["Ann Lee", "Anna Le"]);
    assert_eq!(nearest("ston")[0], "Bob Stone");
    assert_eq!(nearest("Zoe")[0], "Zo\u{e9} Lea");
}
