//! The structs, constants and status codes of `emilia.h`, which documents them for callers in C.
//!
//! Names, field order and numbers must equal the header's. `tests/capi.rs` compares them.

use std::ffi::c_char;

/// Status codes that the functions of the C interface return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum EmiliaStatus {
    /// The call succeeded.
    Ok = 0,
    /// A required pointer is null.
    NullPointer = 1,
    /// The size field of a struct is out of range, or a field of a newer header is not 0.
    BadStruct = 2,
    /// A string is not UTF-8.
    BadText = 3,
    /// The text does not describe a valid position.
    BadPosition = 4,
    /// The text is not a legal move.
    BadMove = 5,
    /// There is no such option, its value is out of range, or memory for it ran out.
    BadOption = 6,
    /// A limit or a line count is out of range.
    BadLimits = 7,
    /// Refused because a search is running.
    Searching = 8,
    /// Refused because another thread is in a call on this engine.
    Busy = 9,
    /// Refused because neither side has a legal move.
    GameOver = 10,
    /// There is no move to undo.
    NoUndo = 11,
    /// The latest iteration has no line of this index.
    NoLine = 12,
    /// Not enough memory for the engine.
    NoMemory = 13,
    /// The processor lacks instructions that this build uses.
    OldProcessor = 14,
    /// An internal error: a panic was caught.
    Internal = 15,
}

/// Value of [`EmiliaPosition::state`]: the side to move has a legal move.
pub const EMILIA_TO_MOVE: i32 = 0;
/// Value of [`EmiliaPosition::state`]: the side to move must pass.
pub const EMILIA_MUST_PASS: i32 = 1;
/// Value of [`EmiliaPosition::state`]: the game is over.
pub const EMILIA_OVER: i32 = 2;

/// Value of [`EmiliaResult::state`]: no search since the position last changed.
pub const EMILIA_IDLE: i32 = 0;
/// Value of [`EmiliaResult::state`]: a search is running.
pub const EMILIA_RUNNING: i32 = 1;
/// Value of [`EmiliaResult::state`]: the search has ended.
pub const EMILIA_DONE: i32 = 2;

/// Value of [`EmiliaPosition::mover`]: Black is to move.
pub const EMILIA_BLACK: i32 = 0;
/// Value of [`EmiliaPosition::mover`]: White is to move.
pub const EMILIA_WHITE: i32 = 1;

/// Value of [`EmiliaResult::square`] for a pass.
pub const EMILIA_PASS: i32 = 64;
/// Value of [`EmiliaResult::square`] where there is no move.
pub const EMILIA_NO_SQUARE: i32 = -1;

/// A position, as `emilia_get_position` writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct EmiliaPosition {
    /// The size of this struct in bytes, set by the caller.
    pub size: u32,
    /// The side to move: [`EMILIA_BLACK`] or [`EMILIA_WHITE`].
    pub mover: i32,
    /// [`EMILIA_TO_MOVE`], [`EMILIA_MUST_PASS`] or [`EMILIA_OVER`].
    pub state: i32,
    /// Black's score in discs if the game ended here; the empties count for the winner.
    pub black_score: i32,
    /// The black discs as a mask: bit 0 is a1, bit 63 is h8.
    pub black: u64,
    /// The white discs as a mask: bit 0 is a1, bit 63 is h8.
    pub white: u64,
}

/// Limits of a search. A field that is 0 keeps the value of the engine option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct EmiliaLimits {
    /// The size of this struct in bytes, set by the caller.
    pub size: u32,
    /// Level of play, 1 to 60: search depth in plies in the midgame.
    pub level: u32,
    /// Solve exactly from this number of empties on, at most 60.
    pub exact: u32,
    /// Time for the search in milliseconds.
    pub time_ms: u32,
    /// Time left on the clock of the side to move, in milliseconds.
    pub clock_ms: u32,
    /// Increment of that clock after each move, in milliseconds.
    pub increment_ms: u32,
    /// Node limit.
    pub nodes: u64,
}

/// Size of the PV buffer in bytes. The longest PV needs 480: 60 moves, each preceded by a pass.
const PV_SIZE: usize = 512;

/// The state of a search, and one of its lines.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct EmiliaResult {
    /// The size of this struct in bytes, set by the caller.
    pub size: u32,
    /// [`EMILIA_IDLE`], [`EMILIA_RUNNING`] or [`EMILIA_DONE`].
    pub state: i32,
    /// Number of lines of the latest completed iteration.
    pub lines: u32,
    /// The first move of the line: a square from 0 (a1) to 63 (h8), or one of the two constants.
    pub square: i32,
    /// Search depth in plies.
    pub depth: u32,
    /// Selectivity in percent: 100 means full width.
    pub selectivity: u32,
    /// 1 if `value` is the exact final score, else 0.
    pub exact: i32,
    /// Search time in milliseconds.
    pub elapsed_ms: u32,
    /// Expected final score for the side to move, in discs.
    pub value: f64,
    /// Nodes searched.
    pub nodes: u64,
    /// The first move of the line as text, NUL-terminated.
    pub r#move: [c_char; 8],
    /// The PV as text: moves separated by spaces, NUL-terminated.
    pub pv: [c_char; PV_SIZE],
}

impl EmiliaResult {
    /// A result without a line.
    pub(super) const NONE: EmiliaResult = EmiliaResult {
        size: size_of::<EmiliaResult>() as u32,
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

/// Copies ASCII `text` into a NUL-terminated array. Text beyond `N - 1` characters is cut.
pub(super) fn characters<const N: usize>(text: &str) -> [c_char; N] {
    let mut characters = [0; N];
    for (character, byte) in characters.iter_mut().zip(text.bytes().take(N - 1)) {
        *character = byte as c_char;
    }
    characters
}
