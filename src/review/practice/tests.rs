//! Tests of themes, schedule, database file, puzzles and the user's rating.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::fsrs::Rating::{self, Again, Good, Hard};
use super::fsrs::answered;
use super::puzzle_maker::EXACT;
use super::{
    Added, Answer, Exercise, MIN_LEAD, MIN_LOSS, Puzzle, PuzzleSkill, Store, THEMES, Theme,
    days_until, due_count, session,
};
use emilia_core::board::{Position, Square, Symmetry};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Creates an exercise from a position and two moves.
fn exercise(position: Position, best: Square, mistake: Square) -> Exercise {
    let exercise = Exercise {
        position,
        source: "a - b, 2026, move 1".to_owned(),
        themes: Vec::new(),
        mistake,
        best,
        lost: MIN_LOSS,
        answers: Vec::new(),
        due: None,
    };
    exercise.checked().unwrap()
}

/// Returns exercises with random moves, from positions of random games.
fn random_exercises(count: usize) -> Vec<Exercise> {
    let mut random = fastrand::Rng::with_seed(34);
    let mut exercises = Vec::new();
    while exercises.len() < count {
        let mut position = Position::START;
        while !position.is_over() {
            let moves = position.moves();
            let mut draw = || moves[random.usize(..moves.len())];
            let (played, other) = (draw(), draw());
            if let (Some(best), Some(mistake)) = (played.square(), other.square())
                && best != mistake
            {
                exercises.push(exercise(position, best, mistake));
            }
            position = position.play(played).expect("a legal move");
        }
    }
    exercises
}

/// Returns `count` exercises with different keys.
fn distinct_exercises(count: usize) -> Vec<Exercise> {
    let mut exercises = random_exercises(2 * count + 100);
    exercises.sort_by_key(|one| (one.key().player.0, one.key().opponent.0));
    exercises.dedup_by_key(|one| one.key());
    exercises.truncate(count);
    exercises
}

/// Rows of position, best move, mistake, and expected themes. The themes were determined by hand.
const EXAMPLES: &str = "\
--XOO-X---XX-X----XXXOXO-OXXXXXX--XXXO--OOOX--O---OOX-----OOO--- O | f1 | h2 | midgame corners
--XOOOOO--XX-OO-X-XXXXOO-XXXXXOX--XXXOO-OXOX--O-X-OOX-----OOO--- O | b5 | b3 | midgame mobility
--XOOOOO--XX-OOXX-XXXXXXOOOOOOOX-OOXOOO-OXOOX-O-X-OOOX----OOO--- X | b7 | f6 | ending x-squares parity
OOOOOOOOX-XXXXXOXXXXXXXOXXXOXOOOXXXXOXOOXXOOX-X-XXXXXXXXOXOOOO-- O | b2 | h6 | ending quiet
OOOOOOOOXOOOOOOOXXOXXXXOXXXOXOOOXXXXOXOOXXOOX-X-XXXXXXXXOXOOOO-- X | h6 | g8 | ending parity
-----------O-------O-O---OOOOXX--OOOX----O-OX-----OXX----OX-X--- X | b7 | d1 | opening x-squares mobility
-------------------XXX-----XX------XO-O-----OO------O-X---XXX--- O | h8 | c4 | opening corners
-------------------XXX----OXX------OXXO-----OO------OOO---XXXO-O X | g8 | h5 | opening quiet
-XXOOOX-XXXOOOXOXOXXXOXOXXOOXOXOXXOOXXXO-XOOXXXOXOXXOXX-OO-XXXXX O | a1 | h7 | ending corners passes
OOOXOOOOXXXXXOOXXXOOOXXXXOOOOOXXXOOXOXXX-OOOOOXXOOOOOXXXX-OOXXXX X | a6 | b8 | ending passes
--X-O--X---O-OXXOOOOOXXO-OOOXOX--XOOXOOXX-XOOOOO-XXOOOX--OOO---- X | a4 | c2 | ending mobility
-XOOOO----XOOX-O-OOXXXXOOOOXXXOXOOOOXXOOOOOOOOO-OOOOXOOXOOOOOOO- O | b2 | a1 | ending x-squares quiet";

#[test]
fn themes_are_those_of_the_examples_and_the_same_for_all_symmetric_images() {
    let examples = EXAMPLES.lines().map(|row| {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [best, mistake] = [1, 2].map(|at| cells[at].parse().unwrap());
        let one = exercise(cells[0].parse().unwrap(), best, mistake);
        assert_eq!(one.themes.join(" "), cells[3], "{row}");
        one
    });
    let examples: Vec<Exercise> = examples.collect();
    for theme in &THEMES {
        let of_theme = examples.iter().filter(|one| theme.is_of(one)).count();
        assert!((1..examples.len()).contains(&of_theme), "{}", theme.name);
    }
    for one in random_exercises(1000) {
        for symmetry in Symmetry::all() {
            let mut position = one.position;
            position.board = symmetry.board(&position.board);
            let [best, mistake] = [one.best, one.mistake].map(|square| symmetry.square(square));
            let image = exercise(position, best, mistake);
            assert_eq!((&image.themes, image.key()), (&one.themes, one.key()));
        }
    }
}

fn answer(lost: f64, hinted: bool, at: SystemTime) -> Answer {
    let since = at.duration_since(SystemTime::UNIX_EPOCH).unwrap();
    Answer {
        at: since.as_millis() as u64,
        mv: Square::A1,
        lost,
        hinted,
    }
}

/// Temporary folder and the store in it.
struct Scratch(tempfile::TempDir, Store);

impl Scratch {
    fn new() -> Scratch {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("file.db")).unwrap();
        Scratch(folder, store)
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("file.db")
    }

    /// Answers the exercise number `index`, `days` days from now. Returns the number of days after
    /// which it is asked again.
    fn answer(&mut self, index: usize, lost: f64, hinted: bool, days: u32) -> u32 {
        let at = SystemTime::now() + DAY * days;
        let position = self.all()[index].position;
        let answered = (self.1)
            .answer(&position, answer(lost, hinted, at))
            .unwrap();
        days_until(answered.due().unwrap(), at) as u32
    }

    fn all(&self) -> Vec<Exercise> {
        self.1.all().unwrap()
    }
}

#[test]
fn exercises_return_later_after_good_answers_and_tomorrow_after_bad_ones() {
    let mut file = Scratch::new();
    file.1.add(&random_exercises(3)).unwrap();
    assert_eq!(file.answer(0, MIN_LOSS, false, 0), 1);
    let [good, hinted] = [false, true].map(|hinted| file.answer(1, 0.0, hinted, 0));
    assert!(good > 1, "{good}");
    assert!(hinted <= good, "{hinted} {good}");
    let first = file.answer(2, 0.0, false, 0);
    let second = file.answer(2, 0.0, false, first);
    let third = file.answer(2, 0.0, false, first + second);
    assert!(first < second && second < third, "{first} {second} {third}");
    let after_a_mistake = file.answer(2, 10.0, false, first + second + third);
    assert!(after_a_mistake < third, "{after_a_mistake} {third}");
}

/// Days since the last answer, rating, and days until the next question as computed by the crate
/// `rs-fsrs` 1.2.1.
const INTERVALS: [(u64, Rating, u32); 12] = [
    (0, Good, 3),
    (3, Good, 11),
    (11, Good, 36),
    (70, Hard, 66),
    (30, Again, 5),
    (0, Again, 1),
    (1, Hard, 2),
    (2, Good, 3),
    (9, Good, 6),
    (400, Good, 46),
    (5, Again, 4),
    (2, Good, 5),
];

#[test]
fn intervals_are_those_of_another_implementation_of_fsrs() {
    let mut memory = None;
    for (since, rating, expected) in INTERVALS {
        let (after, days) = answered(memory.map(|memory| (memory, since)), rating);
        assert_eq!(days, expected, "{since} {rating:?}");
        memory = Some(after);
    }
}

#[test]
fn every_file_can_be_read_wherever_the_clock_jumps() {
    let mut random = fastrand::Rng::with_seed(50);
    let exercise = distinct_exercises(1);
    for _ in 0..30 {
        let mut file = Scratch::new();
        file.1.add(&exercise).unwrap();
        let mut other = Store::open(&file.path()).unwrap();
        let mut at = SystemTime::now();
        for _ in 0..random.u32(2..12) {
            at = match random.i32(-30..=400) {
                back @ ..0 => at - DAY * back.unsigned_abs(),
                days => at + DAY * days.unsigned_abs(),
            };
            let answer = answer(random.f64() * 4.0, random.bool(), at);
            let tabs = [&mut file.1, &mut other];
            let tab = tabs.into_iter().nth(random.usize(..2)).unwrap();
            let answered = tab.answer(&exercise[0].position, answer).unwrap();
            let days = days_until(answered.due().unwrap(), at);
            assert!((0..=36_503).contains(&days), "{answer:?}");
        }
        assert_eq!(file.all().len(), 1);
    }
}

#[test]
fn a_damaged_row_is_refused() {
    for sql in [
        "'X'",
        "json_set(line, '$.mistake', 'd4')",
        "json_set(line, '$.answers[0].at', -1)",
        "json_set(line, '$.answers[0].lost', 1e300)",
    ] {
        let mut file = Scratch::new();
        file.1.add(&distinct_exercises(2)).unwrap();
        file.answer(0, 0.0, false, 0);
        let damage = rusqlite::Connection::open(file.path()).unwrap();
        let sql = format!("UPDATE exercises SET line = {sql} WHERE id = 1");
        damage.execute_batch(&sql).unwrap();
        let error = file.1.all().unwrap_err().to_string();
        assert!(error.ends_with("the file is damaged"), "{error}");
    }
}

#[test]
fn a_session_has_due_exercises_before_new_ones_and_none_that_wait() {
    let mut file = Scratch::new();
    let mut exercises = distinct_exercises(4);
    for (exercise, lost) in exercises.iter_mut().zip([2.0, 9.0, 3.0, 4.0]) {
        exercise.lost = lost;
    }
    file.1.add(&exercises).unwrap();
    // The store has exercises with symmetric images of these positions, so these are not added
    // again.
    for one in &mut exercises {
        one.position.board = Symmetry::ALL[5].board(&one.position.board);
    }
    assert_eq!(file.1.add(&exercises).unwrap(), Added::default());
    assert_eq!(file.all().len(), exercises.len());
    file.answer(0, 8.0, false, 0);
    file.answer(1, 0.0, false, 0);
    let all = file.all();
    let now = SystemTime::now();
    let losses = |now, count| -> Vec<f64> {
        let asked = session(&all, None, now, count, 1).into_iter();
        let own = asked.take_while(|one| one.puzzle().is_none());
        own.map(|one| one.lost).collect()
    };
    assert_eq!(losses(now, 10), [4.0, 3.0]);
    let tomorrow = now + DAY;
    assert_eq!(losses(tomorrow, 10), [2.0, 4.0, 3.0]);
    assert_eq!(losses(tomorrow, 1), [2.0]);
    assert_eq!((due_count(&all, now), due_count(&all, tomorrow)), (0, 1));
}

#[test]
fn exercises_and_answers_of_a_text_are_added_once() {
    let mut file = Scratch::new();
    file.1.add(&distinct_exercises(3)).unwrap();
    for (index, lost, day) in [(0, 0.0, 0), (0, 3.0, 9), (1, 1.0, 2)] {
        file.answer(index, lost, false, day);
    }
    let text = file.1.export().unwrap();
    let mut other = Scratch::new();
    let added = |exercises, answers| Added { exercises, answers };
    assert_eq!(other.1.import(text.as_bytes()).unwrap(), added(3, 3));
    assert_eq!(other.1.import(text.as_bytes()).unwrap(), added(0, 0));
    assert_eq!(other.1.export().unwrap(), text);

    // Import into a store that has the exercise in a symmetric position, with an answer whose time
    // lies between the imported ones.
    let mut other = Scratch::new();
    let mut image = file.all().swap_remove(0);
    let turn = Symmetry::ALL[5];
    image.position.board = turn.board(&image.position.board);
    (image.best, image.mistake) = (turn.square(image.best), turn.square(image.mistake));
    image.answers.clear();
    other.1.add(&[image]).unwrap();
    other.answer(0, 0.0, true, 5);
    assert_eq!(other.1.import(text.as_bytes()).unwrap(), added(2, 3));
    let all = other.all();
    let answers = all[0].answers.iter().map(|one| (one.mv, one.lost));
    let corner = turn.square(Square::A1);
    let expected = [(corner, 0.0), (Square::A1, 0.0), (corner, 3.0)];
    assert_eq!(answers.collect::<Vec<_>>(), expected);

    let damaged = text.replacen("\"lost\":3.0", "\"lost\":300.0", 1);
    let error = Scratch::new().1.import(damaged.as_bytes()).unwrap_err();
    assert!(
        error.to_string().starts_with("line 1 is not an exercise"),
        "{error}"
    );
    let error = other.1.import(b"\n\nf5d6c3\n").unwrap_err();
    assert!(
        error.to_string().starts_with("line 3 is not an exercise"),
        "{error}"
    );
    assert_eq!(other.all().len(), 3);
}

#[test]
fn other_files_are_refused_and_stay_as_they_are() {
    let file = Scratch::new();
    drop(Store::open(&file.path()).expect("its own file opens again"));
    let path = file.path().with_extension("other");
    drop(emilia_book::BookFile::create(&path).unwrap());
    let book = std::fs::read(&path).unwrap();
    for content in [
        &b"this is no database, but it is long enough"[..],
        b"x",
        &book,
    ] {
        std::fs::write(&path, content).unwrap();
        let error = Store::open(&path).unwrap_err().to_string();
        assert!(error.contains("it is not a file of"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), content);
    }
}

#[test]
fn the_puzzles_differ_and_each_has_one_best_move() {
    let all = Puzzle::embedded();
    assert_eq!(all.len(), 1200);
    for (key, puzzle) in all {
        assert_eq!(*key, puzzle.board.canonical());
        assert_ne!(puzzle.best, puzzle.mistake, "{puzzle:?}");
        // With exact scores, a move that is the only one to win may have a lead below `MIN_LEAD`.
        let least = if puzzle.board.empty_count() <= EXACT {
            2.0
        } else {
            MIN_LEAD
        };
        assert!(f64::from(puzzle.lead) / 2.0 >= least, "{puzzle:?}");
        assert!(puzzle.exercise().is_some(), "{puzzle:?}");
    }
}

#[test]
fn a_damaged_file_of_puzzles_is_refused() {
    let puzzles: Vec<Puzzle> = Puzzle::embedded().values().copied().collect();
    let bytes: Vec<u8> = puzzles.iter().flat_map(Puzzle::bytes).collect();
    assert_eq!(Puzzle::read(&bytes).unwrap(), puzzles);
    assert!(Puzzle::read(&bytes[..=Puzzle::BYTES]).is_err());
    // Damages: squares with discs of both sides, a best move that is not a square, an occupied
    // square as the mistake.
    let overlap: [u8; 8] = bytes[..8].try_into().unwrap();
    for (at, damage) in [(8, &overlap[..]), (16, &[64]), (17, &[27])] {
        let mut damaged = bytes.clone();
        damaged[at..at + damage.len()].copy_from_slice(damage);
        assert!(Puzzle::read(&damaged).is_err(), "{at}");
    }
}

#[test]
fn puzzles_fill_a_session_near_the_rating_and_return_by_their_answers() {
    let mut file = Scratch::new();
    let now = SystemTime::now();
    let asked = session(&[], None, now, 10, 1);
    assert_eq!(asked.len(), 10);
    let distance =
        |one: &Exercise, skill: PuzzleSkill| (one.puzzle().unwrap().rating() - skill.rating).abs();
    assert!(
        asked
            .iter()
            .all(|one| distance(one, PuzzleSkill::of(&[])) < 150.0)
    );
    let corners = Theme::named("corners").unwrap();
    let of_theme = session(&[], Some(corners), now, 10, 1);
    assert!(of_theme.len() == 10 && of_theme.iter().all(|one| corners.is_of(one)));

    // An exercise without an answer stays a new puzzle after it was opened.
    file.1.exercise(&asked[0].position).unwrap();
    assert!(file.all()[0].is_new_puzzle());
    for (index, (one, lost)) in asked.iter().zip([0.0, 0.0, 5.0]).enumerate() {
        let given = answer(lost, false, now + Duration::from_secs(index as u64));
        file.1.answer(&one.position, given).unwrap();
    }
    let answered: Vec<_> = asked[..3].iter().map(Exercise::key).collect();
    let later = |days| session(&file.all(), None, now + DAY * days, 10, 2);
    assert!(later(0).iter().all(|one| !answered.contains(&one.key())));
    assert_eq!(later(1)[0].key(), answered[2]);
}

#[test]
fn the_rating_rises_by_puzzles_solved_at_the_first_try() {
    let asked = session(&[], None, SystemTime::now(), 10, 1);
    let skill = |answers: &[(f64, bool)]| {
        let mut file = Scratch::new();
        for (index, (one, &(lost, hinted))) in asked.iter().zip(answers).enumerate() {
            let at = SystemTime::now() + Duration::from_secs(index as u64);
            file.1
                .answer(&one.position, answer(lost, hinted, at))
                .unwrap();
            // Only the first answer to a puzzle changes the rating.
            let again = answer(0.0, false, at + DAY);
            file.1.answer(&one.position, again).unwrap();
        }
        PuzzleSkill::of(&file.all())
    };
    let [start, good, bad, hinted] =
        [&[][..], &[(0.0, false)], &[(3.0, false)], &[(0.0, true)]].map(skill);
    assert!(good.rating > start.rating && bad.rating < start.rating);
    assert!((hinted.rating - bad.rating).abs() < 1e-9);
    assert_eq!((good.streak, bad.streak, hinted.streak), (1, 0, 0));
    let run = skill(&[(0.0, false), (9.0, false), (0.0, false), (0.0, false)]);
    assert_eq!((run.streak, run.answered), (2, 4));
}
