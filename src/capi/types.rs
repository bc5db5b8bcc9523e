//! The types of `emilia.h`, which says what their fields mean.

use std::ffi::c_char;

/// What a call came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum EmiliaStatus {
    /// It did what it should.
    Ok = 0,
    /// A pointer is null.
    NullPointer = 1,
    /// The size of a struct makes no sense.
    BadStruct = 2,
    /// A text is not UTF-8.
    BadText = 3,
    /// The text is no position.
    BadPosition = 4,
    /// The text is no legal move.
    BadMove = 5,
    /// The option cannot be set.
    BadOption = 6,
    /// A limit is out of its range.
    BadLimits = 7,
    /// A search is running.
    Searching = 8,
    /// Another thread is in a call on this engine.
    Busy = 9,
    /// Neither side can move.
    GameOver = 10,
    /// There is nothing to take back.
    NoUndo = 11,
    /// There is no such line.
    NoLine = 12,
    /// There is no memory for the engine.
    NoMemory = 13,
    /// The processor lacks instructions.
    OldProcessor = 14,
    /// A panic was caught.
    Internal = 15,
}

/// The side to move has a legal square.
pub const EMILIA_TO_MOVE: i32 = 0;
/// It has none, but the other side has.
pub const EMILIA_MUST_PASS: i32 = 1;
/// Neither side has one.
pub const EMILIA_OVER: i32 = 2;

/// No search was begun.
pub const EMILIA_IDLE: i32 = 0;
/// A search is under way.
pub const EMILIA_RUNNING: i32 = 1;
/// The search has ended.
pub const EMILIA_DONE: i32 = 2;

/// Black.
pub const EMILIA_BLACK: i32 = 0;
/// White.
pub const EMILIA_WHITE: i32 = 1;

/// The square of a pass.
pub const EMILIA_PASS: i32 = 64;
/// The square of no move.
pub const EMILIA_NO_SQUARE: i32 = -1;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct EmiliaPosition {
    /// The size of this struct.
    pub size: u32,
    /// The side to move.
    pub mover: i32,
    /// Whether it can.
    pub state: i32,
    /// Black's score if the game ended here.
    pub black_score: i32,
    /// The black discs.
    pub black: u64,
    /// The white discs.
    pub white: u64,
}

/// What bounds a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct EmiliaLimits {
    /// The size of this struct.
    pub size: u32,
    /// Plies in the midgame.
    pub level: u32,
    /// Solve from so many empty squares on.
    pub exact: u32,
    /// Time for the search.
    pub time_ms: u32,
    /// Time left on the clock.
    pub clock_ms: u32,
    /// What the clock gains with each move.
    pub increment_ms: u32,
    /// Positions visited.
    pub nodes: u64,
}

/// The characters of the longest line with its end: 60 squares, a pass before each, and what parts them take 480.
const PV_SIZE: usize = 512;

/// How a search stands, and one of its lines.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct EmiliaResult {
    /// The size of this struct.
    pub size: u32,
    /// Whether a search runs.
    pub state: i32,
    /// How many lines are known.
    pub lines: u32,
    /// The move to make.
    pub square: i32,
    /// Plies.
    pub depth: u32,
    /// Percent.
    pub selectivity: u32,
    /// Whether the game is solved.
    pub exact: i32,
    /// Time taken.
    pub elapsed_ms: u32,
    /// The expected final score in discs.
    pub value: f64,
    /// Positions visited.
    pub nodes: u64,
    /// The move to make as text.
    pub r#move: [c_char; 8],
    /// The best play of both sides.
    pub pv: [c_char; PV_SIZE],
}

impl EmiliaResult {
    /// Without a line.
    pub(super) const NONE: EmiliaResult = EmiliaResult {
        size: 0,
        state: EMILIA_IDLE,
        lines: 0,
        square: EMILIA_NO_SQUARE,
        depth: 0,
        selectivity: 0,
        exact: 0,
        elapsed_ms: 0,
        value: 0.0,
        nodes: 0,
        r#move: [0; 8],
        pv: [0; PV_SIZE],
    };
}

/// `text`, which is ASCII and shorter than `N`, and NUL up to the end.
pub(super) fn characters<const N: usize>(text: &str) -> [c_char; N] {
    let mut characters = [0; N];
    for (character, byte) in characters.iter_mut().zip(text.bytes().take(N - 1)) {
        *character = byte as c_char;
    }
    characters
}
