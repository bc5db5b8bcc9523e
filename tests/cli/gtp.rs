//! End-to-end tests of the binary as a GTP engine, driven through pipes.

use crate::common::Process;
use crate::common::run;

fn engine() -> Process {
    Process::emilia(&["gtp", "--depth", "2", "--hash", "1"])
}

#[test]
fn every_command_is_listed_and_answered() {
    let mut engine = engine();
    let listed = engine.ask("list_commands");
    for name in listed.lines().filter(|&name| name != "quit") {
        assert_eq!(engine.gtp(&format!("known_command {name}")), "= true");
        // With missing or invalid arguments each command responds, and the session goes on.
        let _ = engine.gtp(name);
        let _ = engine.gtp(&format!("{name} \u{1F600} 1 2 3"));
    }
    engine.check("name -> = Emilia\nknown_command nonsense -> = false");
    assert_eq!(engine.finish(), Vec::<String>::new());
}

#[test]
fn illegal_moves_are_refused_and_undo_takes_back_moves() {
    engine().check(
        "protocol_version -> = 2
list_games -> = Othello
set_game Othello -> =
boardsize 8 -> =
undo -> ? cannot undo
play B F5 -> =
play white d6 -> =
gogui-rules_side_to_move -> = black
play b a1 -> ? illegal move
play w c3 -> ? illegal move
play b pass -> ? illegal move
play w pass -> ? illegal move
play b i9 -> ? invalid color or coordinate
play red c3 -> ? invalid color or coordinate
play b -> ? invalid color or coordinate
genmove white -> ? illegal move: it is the turn of black
reg_genmove w -> ? illegal move: it is the turn of black
genmove -> ? a color is needed
genmove red -> ? invalid color
boardsize 10 -> ? unacceptable size
boardsize -> ? unacceptable size
set_game Go -> ? unsupported game
komi x -> ? komi is not a number
komi 6.5 -> =
final_score -> ? cannot score: the game is not over
reg_genmove b -> = C...
gogui-rules_legal_moves -> = C3 C4 C5 C6 C7
play b c3 -> =
undo -> =
undo -> =
undo -> =
undo -> ? cannot undo
gogui-rules_legal_moves -> = D3 C4 F5 E6",
    );
}

#[test]
fn passes_may_be_implied_or_sent() {
    let mut engine = engine();
    // Implied pass: the same colour moves twice in a row, as Quarry sends it. `undo` takes it back
    // together with the move. An illegal move leaves none in the game.
    for mv in ["play white a3 -> =", "genmove white -> = ..."] {
        engine.check(&format!(
            "emilia-setboard d3c3f5d2d1e1b2c1 -> =
gogui-rules_legal_moves -> = PASS
{mv}
undo -> =
gogui-rules_legal_moves -> = PASS
undo -> ? cannot undo"
        ));
    }
    // A pass that is sent is a move of its own for `undo`.
    engine.check(
        "play white h8 -> ? illegal move
gogui-rules_side_to_move -> = black
reg_genmove black -> = PASS
genmove black -> = PASS
play white a3 -> =
undo -> =
undo -> =
play b Pass -> =
gogui-rules_side_to_move -> = white",
    );
}

#[test]
fn a_finished_game_is_scored_and_accepts_only_passes() {
    let mut engine = engine();
    let moves = "b e6 w f6 b c4 w c5 b b6 w d6 b e7 w f5 b g5";
    let moves: Vec<&str> = moves.split(' ').collect();
    for mv in moves.chunks(2) {
        engine.ask(&format!("play {} {}", mv[0], mv[1]));
    }
    // The undone moves are the four passes and the last move.
    engine.check(
        "final_score -> = B+64
gogui-rules_legal_moves -> =
gogui-rules_final_result -> = Black wins, 13 to 0 discs
genmove white -> = PASS
reg_genmove black -> = PASS
play b pass -> =
genmove white -> = PASS
play b pass -> =
play b a1 -> ? illegal move
emilia-eval -> = -64.00
emilia-hint 3 -> =
undo -> =
undo -> =
undo -> =
undo -> =
undo -> =
play b g5 -> =
clear_board -> =
final_score -> ? ...",
    );
}

#[test]
fn boards_and_gogui_commands_have_their_format() {
    let mut engine = engine();
    engine.check(
        "play b f5 -> =
gogui-rules_board -> = . . . . . . . .|. . . . . . . .|. . . . . . . .|. . . X X X . .|\
. . . O X . . .|. . . . . . . .|. . . . . . . .|. . . . . . . .
gogui-rules_game_id -> = Othello
gogui-rules_board_size -> = 8
gogui-rules_final_result -> = The game is not over",
    );
    let board = engine.ask("showboard");
    let lines: Vec<&str> = board.lines().collect();
    assert_eq!(lines[..2], ["", "   A B C D E F G H"]);
    assert_eq!(lines[5..7], [" 4 . . . O X . . .", " 5 . . . X X X . ."]);
    assert_eq!(lines[10..], [" X Black 4, O White 1, white to move"]);
}

#[test]
fn the_emilia_commands_check_their_arguments() {
    let mut engine = engine();
    engine.check(
        "emilia-setboard xo -> ? position: ...
emilia-setboard f5f5 -> ? position: column 3, move 2: illegal move...
emilia-hint 0 -> ? emilia-hint needs...
emilia-set depth -> ? emilia-set needs a name and a value
emilia-set depth 0 -> ? '0': expected a depth from 1 to 60, or none
emilia-set colour 2 -> ? 'colour': no such option; expected one of level, seed, ...
emilia-set weights x -> ? 'x': ...
emilia-set depth 3 -> =
emilia-set time 2.5 -> =
emilia-set time none -> =
emilia-set hash 2 -> =
emilia-set eval classic -> =
emilia-setboard f5d6 -> =
gogui-rules_side_to_move -> = black",
    );
    assert_eq!(engine.ask("emilia-hint 3").lines().count(), 3);
    let value = engine.ask("emilia-eval");
    assert!(value.parse::<f64>().is_ok(), "{value}");
}

#[test]
fn loadsgf_loads_a_game_or_refuses_the_file() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/quarry.sgf");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    engine().check(&format!(
        "loadsgf {file} -> =
gogui-rules_legal_moves -> =
loadsgf {file} 3 -> =
gogui-rules_legal_moves -> = B6 C6 D6 E6 F6
undo -> =
undo -> =
undo -> ? cannot undo
loadsgf -> ? ...
loadsgf /nowhere/at all -> ? ...
loadsgf {source} -> ? ...
gogui-rules_legal_moves -> = D3 C4 F5 E6"
    ));
}

#[test]
fn a_batch_gets_the_same_responses_as_single_commands() {
    let arguments = ["gtp", "--book=off", "--depth=9", "--threads=1", "--hash=8"];
    let commands =
        "emilia-hint 1\nplay b f5\n7 genmove w\nreg_genmove b\nemilia-hint 3\nshowboard\n";
    let mut engine = Process::emilia(&arguments);
    let answers = commands.lines().map(|command| engine.gtp(command) + "\n\n");
    let expected: String = answers.collect();
    // Commands after `quit` are not executed, and one without a line break at its end is.
    for (end, answer) in [("quit\nname\n", "=\n\n"), ("8 name", "=8 Emilia\n\n")] {
        let run = run::emilia(&arguments, format!("{commands}{end}").as_bytes());
        assert_eq!(run.stdout, expected.clone() + answer, "{end:?}");
        run.assert_done();
    }
}

#[test]
fn clear_cache_empties_the_table_and_clear_board_keeps_it() {
    let arguments = ["gtp", "--threads", "1", "--nodes", "20000", "--hash", "8"];
    let mut engine = Process::emilia(&arguments);
    let fresh = engine.ask("emilia-hint 1");
    engine.ask("clear_board");
    let warm = engine.ask("emilia-hint 1");
    let reason = "the second search must use the table of the first";
    assert_ne!(warm, fresh, "{reason}");
    engine.ask("clear_cache");
    assert_eq!(engine.ask("emilia-hint 1"), fresh);
}

#[test]
fn a_pondering_engine_prints_nothing_and_answers_at_once() {
    // Without a depth limit, pondering goes on until the next command.
    let arguments = ["gtp", "--ponder", "--time", "0.03", "--hash", "1"];
    for last in ["quit\n", ""] {
        let mut engine = Process::emilia(&arguments);
        for mv in ["f5", "d3"] {
            engine.ask(&format!("play b {mv}"));
            engine.ask("genmove white");
            std::thread::sleep(std::time::Duration::from_millis(30));
            engine.check("1 name -> =1 Emilia\nclear_board -> =");
        }
        engine.ask("genmove black");
        engine.send_bytes(last.as_bytes());
        let answer = ["", "="][usize::from(!last.is_empty())];
        assert_eq!(engine.finish().concat(), answer);
    }
}

#[test]
fn a_closed_output_ends_the_session_with_exit_code_0() {
    let mut engine = engine();
    engine.ask("name");
    engine.close_output();
    // The first response that cannot be written ends the session, which closes its stdin.
    while engine.try_send_bytes(b"showboard\n").is_ok() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(engine.wait().success());
}
