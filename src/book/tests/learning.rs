//! Tests of learning: which leaves (best moves that lead out of the book) are expanded or searched
//! again, and which values the book then has.

use super::*;

#[test]
fn learning_expands_all_leaves_within_the_error_and_nothing_else() {
    let book = small_book();
    assert_clean(&book);
    assert!(entries(&book).len() > 20);
    // Follows all lines from the start position. Before ply 6, a position within the error must not
    // have a leaf that is also within the error, because learning expands it.
    let mut open = vec![(Board::START.canonical(), Value::ZERO)];
    let mut visited = BTreeMap::new();
    let most = Value::from_score(3);
    while let Some((board, error)) = open.pop() {
        if visited.get(&board).is_some_and(|&known| known <= error) {
            continue;
        }
        visited.insert(board, error);
        let Entry { value, leaf, .. } = book.get(&board).unwrap().unwrap();
        let is_open = leaf.is_some_and(|leaf| error + (value - leaf.value) <= most);
        assert!(!is_open || board.empty_count() <= 54, "{board:?}");
        for (_, child) in children(&board) {
            let of_child = book.get(&child).unwrap();
            let total = of_child.map(|of_child| error + value + of_child.value);
            open.extend(
                total
                    .filter(|total| *total <= most)
                    .map(|total| (child, total)),
            );
        }
    }
    assert_eq!(
        extend(&book, &limits(2, 3, 6), 2),
        0,
        "nothing is left to learn"
    );
}

#[test]
fn learning_at_a_higher_level_raises_the_values_on_good_lines() {
    let book = small_book();
    extend(&book, &limits(4, 0, 6), 2);
    let start = book.get(&Board::START).unwrap().unwrap();
    let best = book_moves(&book, &Board::START)[0];
    assert_eq!((start.value, start.level), (best.value, 4));
    let mut board = Board::START;
    while let Some(best) = book_moves(&book, &board).first() {
        assert!(best.level >= 4, "{board:?} {best:?}");
        board = board.play_or_pass(best.mv);
    }
}

#[test]
fn leaves_of_a_lower_level_are_searched_again_and_written() {
    let book = small_book();
    let learned = entries(&book);
    // Selects leaves that are worse than a link of the same position. Lowering their level then
    // changes nothing but the leaves.
    let mut worse = Vec::new();
    for (&board, &entry) in &learned {
        if let Some(leaf) = entry.leaf.filter(|leaf| leaf.value < entry.value) {
            let leaf = Some(Leaf { level: 1, ..leaf });
            worse.push((board, Entry { leaf, ..entry }));
        }
    }
    assert!(worse.len() > 3, "{worse:?}");
    put_all(&book, &worse);
    // The error of 64 discs includes all leaves, and a limit of ply 1 prevents new positions. The
    // searches give the same values again.
    assert_eq!(extend(&book, &limits(2, 64, 1), 2), 0);
    for (board, entry) in entries(&book) {
        if let Some(leaf) = entry.leaf {
            assert_eq!(leaf.level, 2, "{board:?} {entry:?}");
        }
        assert_eq!(entry.value, learned[&board].value);
    }
}

#[test]
fn learning_begins_at_any_position() {
    let over = Board {
        player: Bitboard(1),
        opponent: Bitboard(0),
    };
    let with_root = |root| LearnLimits {
        root,
        positions: Some(12),
        ..limits(1, 4, 60)
    };
    for root in [Board::START, passing()] {
        let book = BookFile::in_memory().unwrap();
        assert!(extend(&book, &with_root(root), 2) > 4, "{root:?}");
        assert_clean(&book);
    }
    let (book, stop) = (BookFile::in_memory().unwrap(), StopFlag::default());
    let error = learn(&book, &mut [], &with_root(over), &stop, &mut |_| ()).unwrap_err();
    assert!(
        error.to_string().contains("more than 60 empty squares"),
        "{error}"
    );
}

#[test]
fn moves_of_games_become_links_with_values() {
    let book = small_book();
    let before = entries(&book);
    let games =
        ["f5d6c3d3c4f4f6f3e6e7", "f5f6e6f4e3"].map(|text| text.parse::<Transcript>().unwrap());
    let positions = games.iter().flat_map(Transcript::positions);
    let boards: Vec<Board> = positions.map(|position| position.board).collect();
    let learned = |level| {
        let settings = Settings::default().with_hash_mib(1).with_evaluator(Simple);
        let mut engines = Engine::several(&settings, 2).unwrap();
        let mut searched = 0;
        let mut report = |_, all| searched = all;
        let stop = StopFlag::default();
        let boards = boards.iter().copied();
        learn_games(&book, boards, &mut engines, level, &stop, &mut report).unwrap();
        searched
    };
    assert!(learned(2) > 3);
    assert_clean(&book);
    for pair in boards.windows(2) {
        let Some((mv, _)) = children(&pair[0]).find(|(_, after)| *after == pair[1].canonical())
        else {
            continue;
        };
        let moves = book_moves(&book, &pair[0]);
        let played = moves.iter().find(|one| one.mv == mv).expect("a link");
        assert!(!played.is_leaf && played.level >= 2, "{played:?}");
    }
    assert!(
        before
            .keys()
            .all(|board| book.get(board).unwrap().is_some())
    );
    assert_eq!(learned(2), 0, "nothing is searched again");
}
