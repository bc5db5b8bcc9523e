//! Random commands, checked after each by a negamax and a count of games that share no code with
//! the book.

use fastrand::Rng;

use super::*;

/// Value of a position by plain recursion over all legal moves. `None` if the book lacks it.
fn negamax_of(
    board: &Board,
    book: &BTreeMap<Board, Entry>,
    known: &mut HashMap<Board, Value>,
) -> Option<Value> {
    let board = board.canonical();
    let entry = book.get(&board)?;
    if let Some(&value) = known.get(&board) {
        return Some(value);
    }
    let mut best: Option<Value> = None;
    for square in board.legal_moves().squares() {
        let of_link = negamax_of(&board.play(square), book, known).map(|value| -value);
        let leaf = entry.leaf.filter(|leaf| leaf.square == square);
        let of_leaf = leaf.map(|leaf| leaf.value);
        assert!(of_link.is_none() || of_leaf.is_none(), "linked: {board:?}");
        best = best.max(of_link).max(of_leaf);
    }
    if !board.can_move() && board.pass().can_move() {
        best = negamax_of(&board.pass(), book, known).map(|value| -value);
    }
    let value = best.unwrap_or(entry.value);
    known.insert(board, value);
    Some(value)
}

fn assert_sound(book: &BookFile, what: &str) {
    let all = entries(book);
    let mut known = HashMap::new();
    for (board, entry) in &all {
        let value = negamax_of(board, &all, &mut known);
        assert_eq!(Some(entry.value), value, "{what}: {board:?}");
    }
    assert_clean(book);
}

/// A random game of at most `plies` moves.
fn random_game(rng: &mut Rng, plies: usize) -> Game {
    let mut game = Game::default();
    while !game.is_over() && game.moves().len() < plies {
        let moves = game.position().moves();
        game.play(moves[rng.usize(..moves.len())]).unwrap();
    }
    let (margin, ending) = (rng.i8(-2..=2).into(), Ending::Agreed);
    game.tags.outcome = Some(Outcome { margin, ending });
    game
}

/// A book of Egaroucid of random games, whose values, levels and leaves contradict each other.
fn random_book(rng: &mut Rng) -> Vec<u8> {
    let games: Vec<Game> = (0..3).map(|_| random_game(rng, 30)).collect();
    let positions = games.iter().flat_map(Game::positions);
    let boards = positions.map(|position| position.board.canonical());
    let boards: std::collections::BTreeSet<Board> = boards.collect();
    let positions = boards.into_iter().map(|board| {
        let mut level = || [1, 2, 3, 60, 255][rng.usize(..5)];
        let [level, of_leaf] = [level(), level()];
        let square = rng.choice(board.legal_moves().squares());
        let (value, mv) = match square.filter(|_| rng.u8(..3) > 0) {
            Some(square) => (rng.i8(-9..=9), square.index() as u8),
            None => (-126, 125),
        };
        let own = rng.i8(-9..=9) as u8;
        (board, [own, level, 1, 0, 0, 0, value as u8, mv, of_leaf])
    });
    of_egaroucid(&positions.collect::<Vec<_>>())
}

/// Asserts that the book counts these games at each of their positions.
fn assert_counted(book: &BookFile, played: &[(Game, u32)], what: &str) {
    let mut counted: HashMap<Board, Counts> = HashMap::new();
    for (game, least) in played {
        for position in game.positions() {
            if position.board.empty_count() < *least {
                continue;
            }
            let margin = game.tags.outcome.unwrap().margin;
            let margin = game.score().map_or(margin, f64::from);
            let black = [margin > 0.0, margin == 0.0, margin < 0.0].map(u32::from);
            let black = Counts::of(black);
            let count = counted.entry(position.board.canonical()).or_default();
            *count = count.plus(match position.mover {
                Color::Black => black,
                Color::White => black.reversed(),
            });
        }
    }
    for (board, count) in counted {
        assert_eq!(book.played(&board).unwrap(), count, "{what}: {board:?}");
    }
}

/// Walks `count` random commands.
fn walk_at_random(count: usize, seed: u64) {
    let mut rng = Rng::with_seed(seed);
    let folder = tempdir().unwrap();
    let mut book = BookFile::create(&folder.path().join("0.book")).unwrap();
    let file = folder.path().join("file");
    let mut played: Vec<(Game, u32)> = Vec::new();
    for number in 1..=count {
        let before = entries(&book);
        let command = rng.u8(..12);
        let what = format!("seed {seed}, command {number} of kind {command}");
        match command {
            0 | 1 => {
                fs::write(&file, random_book(&mut rng)).unwrap();
                let first = import(&book, &[&file, &file]).unwrap().0;
                assert_eq!(first[1].new, 0, "{what}");
            }
            2 | 3 => {
                let least = rng.u32(30..60);
                let count = rng.usize(1..4);
                let games: Vec<Game> = (0..count).map(|_| random_game(&mut rng, 60)).collect();
                for _ in 0..2 {
                    add_games(&book, games.iter().cloned().map(Ok), least).unwrap();
                }
                played.extend(games.into_iter().map(|game| (game, least)));
                assert_eq!(entries(&book), before, "{what}");
            }
            4..=7 => {
                let plies = [0, 0, 4, 40][rng.usize(..4)];
                let limits = LearnLimits {
                    root: random_game(&mut rng, plies).position().board,
                    positions: Some(before.len() + rng.usize(1..30)),
                    ..limits(rng.u8(1..4), rng.i32(0..5), rng.u32(5..50))
                };
                extend(&book, &limits, 1);
            }
            8 => {
                let is_there = before.contains_key(&Board::START.canonical());
                let root = (is_there && rng.bool()).then_some(&Board::START);
                prune(&book, root, &reach(rng.i32(0..12), rng.u32(4..60))).unwrap();
            }
            9 => {
                let other = folder.path().join(format!("other-{number}.book"));
                let other = BookFile::create(&other).unwrap();
                let limits = limits(rng.u8(1..4), rng.i32(0..3), rng.u32(2..7));
                extend(&other, &limits, 2);
                let game = random_game(&mut rng, 60);
                add_games(&other, std::iter::once(Ok(game.clone())), 40).unwrap();
                played.push((game, 40));
                import(&book, &[other.path(), book.path(), other.path()]).unwrap();
            }
            _ => {
                let formats = [BookFormat::Edax, BookFormat::Egaroucid, BookFormat::Emilia];
                let format = formats[rng.usize(..3)];
                let path = folder.path().join(format!("{number}.book"));
                export(&book, &path, format).unwrap();
                let copy = folder.path().join(format!("{number}-again.book"));
                let copy = BookFile::create(&copy).unwrap();
                import(&copy, &[&path]).unwrap();
                assert_sound(&copy, &what);
                if format == BookFormat::Emilia {
                    assert_eq!(entries(&copy), before, "{what}");
                    book = copy;
                } else {
                    import(&book, &[&path]).unwrap();
                }
            }
        }
        assert_sound(&book, &what);
        let after = entries(&book);
        // A leaf is lost only to its position or a leaf of as high a level, unless positions are
        // searched or removed.
        for (board, entry) in before.iter().filter(|_| !(4..=8).contains(&command)) {
            let Some(leaf) = entry.leaf else { continue };
            let is_link = after.contains_key(&board.play(leaf.square).canonical());
            let kept = after[board].leaf.is_some_and(|own| own.level >= leaf.level);
            assert!(is_link || kept, "{what}: {leaf:?} of {board:?}");
        }
        assert_counted(&book, &played, &what);
    }
}

/// `EMILIA_SEEDS=60` walks with this number of seeds.
#[test]
fn every_command_leaves_a_sound_book() {
    let seeds = std::env::var("EMILIA_SEEDS").map_or(1, |seeds| seeds.parse().unwrap());
    for seed in 1..=seeds {
        walk_at_random(200, seed);
    }
}
