//! Tests of trees as text: round trip and error messages.

use crate::{Game, Tree};

#[test]
fn tree_text_round_trips() {
    for text in [
        "[[-5, 1, -7], [3, -9, x]]",
        "min [3, [4, x]]",
        "7",
        "[x]",
        "5[-1[2], 3]",
    ] {
        assert_eq!(text.parse::<Tree>().unwrap().to_string(), text);
    }
    let loose: Tree = " MAX[ [\u{2212}5,1 ],X\n]".parse().unwrap();
    assert_eq!(loose.to_string(), "[[-5, 1], x]");
    assert_eq!(loose.height(), 2);
    assert!(loose.root().play(1).moves().is_empty());
    for (uniform, text) in [
        ("best 2 2", "[[0, 1], -2[-2, -1]]"),
        ("worst 2 2", "[-2[-1, -2], [1, 0]]"),
        ("min best 2 1", "min [0, 1]"),
    ] {
        assert_eq!(uniform.parse::<Tree>().unwrap().to_string(), text);
    }
    let random = |seed| format!("random 3 3 {seed}").parse::<Tree>().unwrap();
    assert_eq!(random(1), random(1));
    assert_ne!(random(1), random(2));
}

#[test]
fn tree_errors_name_column_found_and_expected() {
    let number = "a list [...], x, or a whole number up to a million";
    let deep = "[".repeat(100);
    for (text, column, found, expected) in [
        ("", 1, "the text ends", number),
        ("[]", 2, "found ']'", number),
        ("[1, [2, y]]", 9, "found 'y'", number),
        ("[1, 1000001]", 5, "found '1000001'", number),
        ("[1 2]", 4, "found '2'", "a comma or ]"),
        ("[1] 2", 5, "found '2'", "the end of the text"),
        ("best 21 2", 6, "found '21'", "a number of moves, 1 to 20"),
        ("random 3 3", 11, "the text ends", "a seed, a whole number"),
        (&deep, 61, "found '['", "a leaf (at most 60 nested lists)"),
    ] {
        let error = text.parse::<Tree>().unwrap_err();
        let sentence = format!("column {column}: {found} where {expected} was expected");
        assert_eq!(*error, *sentence, "{text}");
    }
    let large = "worst 20 4".parse::<Tree>().unwrap_err();
    assert_eq!(large, "20 moves to height 4: more than 20000 leaves");
}
