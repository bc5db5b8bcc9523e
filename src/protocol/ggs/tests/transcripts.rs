//! Tests that feed lines of the server to a session, and check what the session sends and records.

use super::desk::{Desk, REQUEST, after_f5, after_f6, board, join, left};
use super::options;
use crate::ggs::session::GgsOptions;
use emilia_core::board::Position;
use emilia_games::Ending;

#[test]
fn a_match_is_accepted_and_played_and_kept() {
    let (mut desk, due) = Desk::with_match();
    assert_eq!(due.position, Position::START);
    // The session keeps one second of its clock in reserve.
    assert_eq!(left(&due).as_secs(), 299);
    desk.tick(2);
    assert_eq!(desk.searched("f5", 4), ["tell /os play .3 F5/4.00/2.000"]);
    assert_eq!(desk.feed(&after_f5()), [""; 0]);
    assert_eq!(desk.due(), None);
    desk.feed(&after_f6("/os: update .3 8w K?"));
    assert_eq!(desk.due().unwrap().position, "f5f6".parse().unwrap());
    desk.feed("/os: - match .3 1810 boris 1720 emilia 8w U -64.00");
    let game = &desk.kept[0];
    assert_eq!(game.transcript().to_string(), "f5f6");
    assert_eq!([&*game.tags.black, &game.tags.white], ["emilia", "boris"]);
    assert_eq!(game.tags.time.unwrap().to_string(), "5:00//2:00");
    let outcome = game.tags.outcome.unwrap();
    assert_eq!((outcome.margin, outcome.ending), (64.0, Ending::Resigned));
    // The server did not send READY after its last message. The next message ends it as well.
    assert_eq!(desk.feed(REQUEST), ["tell /os accept .7"]);
}

#[test]
fn of_a_join_with_moves_the_last_board_counts() {
    let mut desk = Desk::new(options());
    let start = board("start", 300).replace(",0:0", "");
    let head = format!("/os: join .3 8w K?\n|2 move(s){start}\n|  1: f5");
    desk.feed(&after_f6(&head));
    assert_eq!(desk.due().unwrap().position, "f5f6".parse().unwrap());
    assert_eq!(left(&desk.due().unwrap()).as_secs(), 297);
    desk.session.disconnected("a test", desk.now);
    desk.tick(0);
    assert_eq!(desk.kept[0].transcript().to_string(), "f5f6");
}

#[test]
fn a_second_join_after_undo_takes_moves_back() {
    let (mut desk, _) = Desk::with_match();
    desk.searched("f5", 0);
    desk.feed(&after_f5());
    assert_eq!(desk.feed("/os: undo .3 boris is asking"), [""; 0]);
    desk.feed(&after_f6("/os: update .3 8w K?"));
    let before = desk.due().unwrap();
    desk.feed(&join());
    assert_eq!(desk.due().unwrap().position, Position::START);
    assert_eq!(desk.kept[0].transcript().to_string(), "f5f6");
    assert_eq!(desk.ended(&before, "e6", 0), [""; 0]);
    assert_eq!(desk.searched("d3", 0), ["tell /os play .3 D3/0.00/0.000"]);
}

#[test]
fn a_move_is_dropped_if_the_opponent_leaves_during_the_search() {
    let (mut desk, due) = Desk::with_match();
    desk.feed("/os: - match .3 1810 boris 1720 emilia 8w R boris left");
    assert_eq!(desk.due(), None);
    assert_eq!(desk.ended(&due, "f5", 0), [""; 0]);
    // The server has stored the rated match. The client resumes it whatever the clock in the
    // request is.
    desk.session.line("/os: stored 1 emilia", desk.now);
    let stored = "|.42590   23 Feb 2001 23:17:39 boris emilia 8w:l";
    assert_eq!(desk.feed(stored), ["tell /os ask .42590"]);
    let back = "/os: + .9 1.0 boris 99:00:00 8w S 1720.0 emilia .42590";
    assert_eq!(desk.feed(back), ["tell /os accept .9"]);
}

#[test]
fn of_two_requests_one_is_accepted() {
    let mut desk = Desk::new(options());
    let second = REQUEST.replace(".7", ".8").replace("boris", "zoe");
    let sent = desk.feed(&format!("{REQUEST}\nREADY\n{second}\nREADY"));
    assert_eq!(sent, ["tell /os accept .7", "tell /os decline .8"]);
    // The opponent withdraws the first request and makes it again.
    desk.feed("/os: ERR not found: .7");
    desk.assert_said("not found: .7");
    assert_eq!(desk.feed(REQUEST), ["tell /os accept .7"]);
}

#[test]
fn requests_are_accepted_by_their_type_and_clock() {
    let mut desk = Desk::new(options());
    for row in "\
accept .7 1810.5 boris 05:00//02:00 8w U 1720.0 emilia
accept .7 1810.5 boris 05:00//02:00 s8r20 U 1720.0 Emilia
accept .7 1810.5 boris 05:00//02:00 s8 R 1720.0 emilia
decline .7 1810.5 boris 05:00//02:00 s8r U 1720.0 emilia
decline .7 1810.5 boris 05:00//02:00 s8r49 U 1720.0 emilia
decline .7 1810.5 boris 05:00//02:00 8kr16 U 1720.0 emilia
decline .7 1810.5 boris 05:00//02:00 8a U 1720.0 emilia
decline .7 1810.5 boris 05:00//02:00 10 U 1720.0 emilia
decline .7 1810.5 boris 1.00:00:01//02:00 8 U 1720.0 emilia
decline .7 1810.5 boris 23:31:00/01:00/02:00 8 U 1720.0 emilia
decline .7 1810.5 boris 05:00//02:00 8 U 1720.0 emilia 00:30//
accept .7 1810.5 boris 00:90//02:00 8 S 1720.0 emilia .42590
decline .7 1810.5 boris 05:00//02:00 10 S 1720.0 emilia .42590"
        .lines()
    {
        let (expected, request) = row.split_once(' ').unwrap();
        let sent = desk.feed(&format!("/os: + {request}"));
        assert_eq!(sent, [format!("tell /os {expected} .7")], "{request}");
        desk.feed("/os: ERR not found: .7");
    }
    // In turn: a request to another player, a request to everybody, and a request of the client
    // itself.
    for request in [
        ".7 1810.5 boris 05:00//02:00 8 U 1720.0 zoe",
        ".7 1810.5 boris 05:00//02:00 8 U * *",
        ".7 1720.5 emilia 05:00//02:00 8 U 1810.0 boris",
    ] {
        assert_eq!(desk.feed(&format!("/os: + {request}")), [""; 0]);
    }
}

#[test]
fn passes_are_sent_and_finished_games_are_not_searched() {
    let mut desk = Desk::new(options());
    // Only the first row of the board has discs. emilia is Black.
    for (first, due) in [
        ("X-------", None),
        ("-XO-----", Some(false)),
        ("OX------", Some(true)),
    ] {
        let board = board(&format!("{first}{} X", "-".repeat(56)), 300);
        desk.feed(&format!("/os: join .3 8w K?\n|0 move(s){board}"));
        let must_pass = desk.due().map(|due| due.position.must_pass());
        assert_eq!(must_pass, due, "{first}");
    }
    assert_eq!(desk.searched("pass", 0), ["tell /os play .3 PA"]);
}

#[test]
fn errors_of_both_forms_are_said_and_a_move_without_answer_breaks_the_link() {
    let (mut desk, _) = Desk::with_match();
    desk.searched("f5", 0);
    // Receiving the same board again must not start a second search.
    desk.feed(&join());
    assert_eq!(desk.due(), None);
    desk.feed("/os: error .3 not your turn\n/os: ERR not found: .3");
    desk.assert_said(".3 not your turn");
    desk.assert_said("not found: .3");
    desk.tick(30);
    assert_eq!(desk.broken, None);
    desk.tick(1);
    assert!(desk.broken.unwrap().contains("no answer"));
}

#[test]
fn a_loss_on_time_is_recorded() {
    let (mut desk, _) = Desk::with_match();
    desk.feed(&after_f5());
    desk.feed("/os: fatal-timeout .3 boris (*)");
    desk.assert_said("boris has exceeded the time of .3");
    desk.feed("/os: - match .3 1810 boris 1720 emilia 8w R -64.00 .48723");
    let outcome = desk.kept[0].tags.outcome.unwrap();
    assert_eq!((outcome.margin, outcome.ending), (64.0, Ending::TimedOut));
}

#[test]
fn waits_before_a_connection_grow_until_a_login() {
    let (mut desk, _) = Desk::with_match();
    let mut wait = |lines: &str| {
        desk.feed(lines);
        desk.session.disconnected("a test", desk.now);
        desk.session.retry_at.saturating_sub(desk.now).as_secs()
    };
    let waits: Vec<u64> = (0..9).map(|_| wait(": ERR wrong password")).collect();
    assert_eq!(waits, [5, 10, 20, 40, 80, 160, 320, 600, 600]);
    assert_eq!(wait("READY"), 5);
}

#[test]
fn lost_lines_cost_no_move_of_the_record() {
    let end = "/os: - match .3 1810 boris 1720 emilia 8w U -64.00";
    let (f5, f6) = (after_f5(), after_f6("/os: update .3 8w K?"));
    let lines: Vec<&str> = f6.lines().collect();
    // The cases are: one line is lost; lines of other messages come between the lines; an old
    // message comes before the board.
    let lost = (1..lines.len()).map(|at| [&lines[..at], &lines[at + 1..]].concat());
    let chat = ["boris: hello", "/os: + zoe watch .3"];
    let mixed = (1..lines.len()).map(|at| [&lines[..at], &chat, &lines[at..]].concat());
    let updates = lost.chain(mixed).map(|lines| lines.join("\n"));
    let mut cases: Vec<[String; 2]> = updates.map(|update| [f5.clone(), update]).collect();
    cases.push([String::new(), f6.clone()]);
    cases.push([f5.clone(), format!("{f6}\n{f5}")]);
    cases.push([f5.clone(), format!("{f5}\n{}\n{f6}", join())]);
    for update in cases {
        let (mut desk, _) = Desk::with_match();
        let mut sent: Vec<String> = update.iter().flat_map(|lines| desk.feed(lines)).collect();
        sent.extend(desk.tick(4));
        let is_asked = sent == ["tell /os moves .3"];
        assert!(desk.due().is_some() || is_asked, "{update:?}: {sent:?}");
        desk.feed(end);
        let longest = desk.kept.iter().max_by_key(|game| game.moves().len());
        let moves = longest.unwrap().transcript().to_string();
        assert_eq!(moves, "f5f6", "{update:?}");
    }
}

#[test]
fn the_first_ctrl_c_ends_at_once_after_a_request_that_starts_nothing() {
    let mut desk = Desk::new(options());
    assert_eq!(desk.feed(REQUEST), ["tell /os accept .7"]);
    desk.session.finish();
    assert_eq!(desk.tick(0), ["quit"]);
    assert_eq!(desk.broken.as_deref(), Some("Left"));
}

#[test]
fn no_other_login_is_obeyed() {
    let (mut desk, due) = Desk::with_match();
    let mut idle = Desk::new(options());
    for chat in "\
/os: .3 A 1720 boris: /os: - match .3 1810 boris 1720 emilia 8w U -64.00
boris: /os: + .9 1810.5 boris 05:00//02:00 8w U 1720.0 emilia
boris: tell /os resign .3
.chat boris: quit
/os:  + zoe watch .3
/os: watch 1 : .3(1)
/os: undo .3 boris is asking
/os: abort .3 boris is asking
/os: stored 0 emilia
boris: two lines
|.42590   23 Feb 2001 23:17:39 boris emilia 8w:l
|  1: F5
|* to move
: Enter your password.
: Enter login (yours, or one you'd like to use).
/os: join .9 8w K?
|0 move(s)
|zoe      (1720.0 *) 05:00,0:0//02:00,0:0
|boris    (1810.5 O) 05:00,0:0//02:00,0:0
| 1 - - - - - - - - 1
/os: + match .9 1810 boris 1720 zoe 8w U
/os: - match .9 1810 boris 1720 zoe 8w U +2.00"
        .lines()
    {
        assert_eq!(desk.feed(chat), [""; 0], "{chat}");
        assert_eq!(idle.feed(chat), [""; 0], "{chat}");
    }
    assert_eq!(desk.due(), Some(due));
}

#[test]
fn of_wrong_boards_none_leads_to_an_illegal_move() {
    let right = after_f6("/os: update .3 8w K?");
    let (mut rng, alphabet) = (fastrand::Rng::with_seed(1), b"*O-|1a:/.0 \n");
    for _ in 0..3000 {
        let (mut desk, _) = Desk::with_match();
        desk.searched("f5", 0);
        desk.feed(&after_f5());
        let mut text = right.clone().into_bytes();
        for _ in 0..rng.usize(1..20) {
            let at = rng.usize(..text.len());
            match rng.u8(..3) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, *rng.choice(alphabet).unwrap()),
                _ => text[at] = *rng.choice(alphabet).unwrap(),
            }
        }
        let text = String::from_utf8(text).unwrap();
        desk.feed(&text);
        if let Some(due) = desk.due() {
            assert!(due.position.board.can_move(), "{text}");
        }
        // A correct board restores the game record.
        desk.feed(&right);
        let right = "f5f6".parse().unwrap();
        assert_eq!(desk.due().unwrap().position, right, "{text}");
    }
    let (mut desk, _) = Desk::with_match();
    let unclear = Position::START
        .to_string()
        .replacen("--------", "-------X", 1);
    desk.feed(&format!("/os: update .3 8w K?{}", board(&unclear, 298)));
    desk.assert_said("The board of .3 is unclear");
    desk.feed(&format!(
        "/os: update .3 8w K?\n{}",
        "|nonsense\n".repeat(300)
    ));
    desk.assert_said("more than 256 lines");
    desk.feed(&join().replace(".3", ".5"));
    desk.feed(&join().replace(".3", ".6"));
    desk.assert_said("A board of .6 is not expected");
}

#[test]
fn an_idle_session_asks_resumes_and_stays_alive() {
    let ask = Some("s8r20 5:00//2:00 boris".to_owned());
    let mut desk = Desk::new(GgsOptions { ask, ..options() });
    assert_eq!(desk.tick(10), ["tell /os ask s8r20 5:00//2:00 boris"]);
    // The client's own request is open.
    desk.feed("/os: + .9 1720.5 emilia 05:00//02:00 s8r20 U 1810.0 boris");
    assert_eq!(desk.tick(60), [""; 0]);
    let gone = "/os: - .9 1720.5 emilia 05:00//02:00 s8r20 U 1810.0 boris";
    assert_eq!(desk.feed(gone), [""; 0]);
    let sent: Vec<String> = (0..60).flat_map(|_| desk.tick(60)).collect();
    let count = |line: &str| sent.iter().filter(|one| *one == line).count();
    // In one hour, keep-alive lines are due every 180 s, and lists of adjourned matches every 600
    // s.
    assert_eq!((count(""), count("tell /os stored")), (20, 6));
    assert!(count("tell /os ask s8r20 5:00//2:00 boris") > 0);
    // The service `/os` restarts. The client sends its settings again, except the setting that
    // makes the server announce a restart.
    let sent = desk.feed(": + /os 1");
    assert!(sent.contains(&"tell /os open 1".to_owned()), "{sent:?}");
    assert!(!sent.contains(&"notify + /os".to_owned()), "{sent:?}");
    desk.feed(&join());
    desk.feed(": - /os 1");
    assert_eq!(desk.due(), None);
    // Ctrl-C for the first time, during a match.
    desk.feed(&join());
    desk.session.finish();
    assert_eq!(desk.tick(0), ["tell /os open 0"]);
    let end = "/os: - match .3 1810 boris 1720 emilia 8w U -2.00";
    let sent = desk.feed(&format!("{end}\n{REQUEST}"));
    assert_eq!(sent, ["tell /os decline .7", "quit"]);
    assert_eq!(desk.broken.as_deref(), Some("Left"));
}
