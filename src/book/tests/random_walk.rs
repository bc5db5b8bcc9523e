//! Random commands. After each command, a negamax that shares no code with the book checks the
//! values.

use super::*;

/// Returns the value of a position by plain recursion over all legal moves, or `None` if the book
/// lacks the position.
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

/// Returns a book of Egaroucid with the positions of random games, whose values, levels and leaves
/// contradict each other.
fn random_book(rng: &mut Rng) -> Vec<u8> {
    let games = (0..3).flat_map(|_| random_game(rng, 30));
    let boards: std::collections::BTreeSet<Board> = games.map(|board| board.canonical()).collect();
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

/// Runs `count` random commands, and checks the book after each.
fn walk_at_random(count: usize, seed: u64) {
    let mut rng = Rng::with_seed(seed);
    let folder = tempdir().unwrap();
    let mut book = BookFile::create(&folder.path().join("0.book")).unwrap();
    let file = folder.path().join("file");
    for number in 1..=count {
        let before = entries(&book);
        let command = rng.u8(..10);
        let what = format!("seed {seed}, command {number} of kind {command}");
        match command {
            0 | 1 => {
                fs::write(&file, random_book(&mut rng)).unwrap();
                let first = import(&book, &[&file, &file]).unwrap().0;
                assert_eq!(first[1].new, 0, "{what}");
            }
            2..=5 => {
                let plies = [0, 0, 4, 40][rng.usize(..4)];
                let limits = LearnLimits {
                    root: *random_game(&mut rng, plies).last().unwrap(),
                    positions: Some(before.len() + rng.usize(1..30)),
                    ..limits(rng.u8(1..4), rng.i32(0..5), rng.u32(5..50))
                };
                extend(&book, &limits, 1);
            }
            6 => {
                let is_there = before.contains_key(&Board::START.canonical());
                let root = (is_there && rng.bool()).then_some(&Board::START);
                prune(&book, root, &reach(rng.i32(0..12), rng.u32(4..60))).unwrap();
            }
            7 => {
                let other = folder.path().join(format!("other-{number}.book"));
                let other = BookFile::create(&other).unwrap();
                let limits = limits(rng.u8(1..4), rng.i32(0..3), rng.u32(2..7));
                extend(&other, &limits, 2);
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
        // This holds for commands that neither search nor remove positions: a leaf disappears only
        // if the position after it was added, or if a leaf of at least the same level replaced it.
        for (board, entry) in before.iter().filter(|_| !(2..=6).contains(&command)) {
            let Some(leaf) = entry.leaf else { continue };
            let is_link = after.contains_key(&board.play(leaf.square).canonical());
            let kept = after[board].leaf.is_some_and(|own| own.level >= leaf.level);
            assert!(is_link || kept, "{what}: {leaf:?} of {board:?}");
        }
    }
}

/// The environment variable `EMILIA_SEEDS` is the number of seeds, 1 by default.
#[test]
fn every_command_leaves_a_sound_book() {
    let seeds = std::env::var("EMILIA_SEEDS").map_or(1, |seeds| seeds.parse().unwrap());
    for seed in 1..=seeds {
        walk_at_random(30, seed);
    }
}
