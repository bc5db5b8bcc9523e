//! Learning: which leaves are expanded or searched again, and what is written.

use super::*;

#[test]
fn learning_expands_all_leaves_within_the_error_and_nothing_else() {
    let folder = Folder::new();
    let book = small_book(&folder.file("a.book"));
    let checked = check_graph(&book).unwrap();
    assert_eq!(
        (checked.faults, checked.stale),
        (0, 0),
        "{:?}",
        checked.first
    );
    assert!(checked.positions > 20, "{checked:?}");
    // Best lines from the start: every position within the error has no open leaf.
    let mut open = vec![(Board::START.canonical(), Value::ZERO)];
    let mut visited = BTreeMap::new();
    let most = Value::from_score(3);
    while let Some((board, error)) = open.pop() {
        if visited.get(&board).is_some_and(|&known| known <= error) {
            continue;
        }
        visited.insert(board, error);
        let entry = book.get(&board).unwrap().unwrap();
        let value = entry.value;
        if let Some(leaf) = entry.leaf {
            let within = error + (value - leaf.value) <= most;
            assert!(!within || board.empty_count() <= 54, "{board:?}");
        }
        for (_, child) in children(&board) {
            if let Some(of_child) = book.get(&child).unwrap() {
                let total = error + value + of_child.value;
                if total <= most {
                    open.push((child, total));
                }
            }
        }
    }
    assert_eq!(
        extend(&book, &limits(2, 3, 6)),
        0,
        "nothing is left to learn"
    );
}

#[test]
fn learning_at_a_higher_level_raises_the_values_on_good_lines() {
    let folder = Folder::new();
    let book = small_book(&folder.file("a.book"));
    extend(&book, &limits(4, 0, 6));
    let start = book.get(&Board::START).unwrap().unwrap();
    let best = book_moves(&book, &Board::START)[0];
    assert_eq!(value_of(&book, &Board::START), best.value);
    assert_eq!(start.level, 4);
    let mut board = Board::START;
    while let Some(best) = book_moves(&book, &board).first() {
        assert!(best.level >= 4, "{board:?} {best:?}");
        board = board.make(best.mv);
    }
}

#[test]
fn leaves_of_a_lower_level_are_searched_again_and_written() {
    let folder = Folder::new();
    let book = small_book(&folder.file("a.book"));
    let learned = entries(&book);
    // Leaves worse than a link, so that nothing but the leaf changes.
    let mut worse = 0;
    let lower = || {
        for (board, entry) in &learned {
            let mut entry = *entry;
            if let Some(leaf) = &mut entry.leaf
                && leaf.value < entry.value
            {
                leaf.level = 1;
                worse += 1;
                book.put(board, &entry)?;
            }
        }
        Ok(())
    };
    book.write(lower).unwrap();
    assert!(worse > 3, "{worse}");
    // All leaves are within this error, and no position is added below ply 1. The searches
    // give the same values again.
    assert_eq!(extend(&book, &limits(2, 64, 1)), 0);
    for (board, entry) in entries(&book) {
        if let Some(leaf) = entry.leaf {
            assert_eq!(leaf.level, 2, "{board:?} {entry:?}");
        }
        assert_eq!(entry.value, learned[&board].value);
    }
}

#[test]
fn learning_begins_at_any_position() {
    let folder = Folder::new();
    let passing = boards_of_games(60, 20_000);
    let passing = passing.iter().find(|board| {
        let passed = board.pass();
        !board.can_move() && passed.can_move() && board.empty_count() > 20
    });
    let passing = *passing.expect("games have passes");
    let over = Board {
        player: Bitboard(1),
        opponent: Bitboard(0),
    };
    // Roots with the error, whether games are there before, and whether leaves are expanded.
    for (root, is_learned) in [(Board::START, true), (passing, true), (over, false)] {
        let root_limits = LearnLimits {
            root,
            positions: Some(12),
            ..limits(1, 4, 60)
        };
        let book = BookFile::create(&folder.file(&format!("{}.book", root.empty_count()))).unwrap();
        add_games(&book, std::iter::once(Ok(game("f5d6c3", 2.0))), 0).unwrap();
        if root == over {
            let stop = StopFlag::default();
            let error = learn(&book, &mut [], &root_limits, &stop, &mut |_| ()).unwrap_err();
            assert!(
                error.to_string().contains("more than 60 empty squares"),
                "{error}"
            );
            continue;
        }
        assert_eq!(extend(&book, &root_limits) > 4, is_learned, "{root:?}");
        assert_clean(&book);
    }
}
