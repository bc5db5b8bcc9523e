//! The structs, constants and status codes of `emilia.h`, with comments for callers in C.

use std::ffi::c_char;

/// Status code of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum EmiliaStatus {
    /// The call succeeded.
    Ok = 0,
    /// A required pointer is null.
    NullPointer = 1,
    /// The size of a struct is not set, or it is not the size that this library expects.
    BadStruct = 2,
    /// A string is not UTF-8.
    BadText = 3,
    /// The text does not describe a valid position.
    BadPosition = 4,
    /// The text is not a move, or the move is illegal.
    BadMove = 5,
    /// No option has this name, the value is invalid, or there is not enough memory for it.
    BadOption = 6,
    /// A limit or the number of lines is out of range.
    BadLimits = 7,
    /// A search is running: stop it or wait for its end, then repeat the call.
    Searching = 8,
    /// Another thread is in a call on this engine.
    Busy = 9,
    /// The game is over: neither side has a legal move.
    GameOver = 10,
    /// There is no move to undo.
    NoUndo = 11,
    /// The latest iteration has no line of this index.
    NoLine = 12,
    /// There is not enough memory for the engine.
    NoMemory = 13,
    /// The processor lacks instructions that this build of the library uses.
    OldProcessor = 14,
}

/// Value of emilia_position.state: the side to move has a legal move.
pub const EMILIA_TO_MOVE: i32 = 0;
/// Value of emilia_position.state: the side to move must pass.
pub const EMILIA_MUST_PASS: i32 = 1;
/// Value of emilia_position.state: the game is over.
pub const EMILIA_OVER: i32 = 2;

/// Value of emilia_result.state: no search since the position last changed.
pub const EMILIA_IDLE: i32 = 0;
/// Value of emilia_result.state: a search is running.
pub const EMILIA_RUNNING: i32 = 1;
/// Value of emilia_result.state: the search has ended.
pub const EMILIA_DONE: i32 = 2;

/// Value of emilia_position.mover: Black is to move.
pub const EMILIA_BLACK: i32 = 0;
/// Value of emilia_position.mover: White is to move.
pub const EMILIA_WHITE: i32 = 1;

/// Value of emilia_result.square for a pass.
pub const EMILIA_PASS: i32 = 64;
/// Value of emilia_result.square if there is no move.
pub const EMILIA_NO_SQUARE: i32 = -1;

/// A position, written by emilia_get_position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct EmiliaPosition {
    /// sizeof(emilia_position), in bytes; set it before the call.
    pub size: u32,
    /// The side to move: EMILIA_BLACK or EMILIA_WHITE.
    pub mover: i32,
    /// EMILIA_TO_MOVE, EMILIA_MUST_PASS or EMILIA_OVER.
    pub state: i32,
    /// Black's score if the game ended here: the disc difference, -64 to 64. Empty squares count
    /// for the winner.
    pub black_score: i32,
    /// Mask of the black discs.
    pub black: u64,
    /// Mask of the white discs.
    pub white: u64,
}

/// Limits of a search. The first limit that is reached ends the search. If a field is 0, the option
/// set by emilia_set_option applies. At first these options are not set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct EmiliaLimits {
    /// sizeof(emilia_limits), in bytes; set it before the call.
    pub size: u32,
    /// Level of play, 1 to 60: the depth in plies in the midgame. The level also sets from how many
    /// empty squares on a position is solved, unless `exact` or `nodes` is set. Human levels are set
    /// by the option "level" ("h0" to "h14") and have their own depth.
    pub level: u32,
    /// Solve positions with at most this number of empty squares exactly; at most 60.
    pub exact: u32,
    /// Time of the search in milliseconds, at most 3600000000. The search uses all of it, unless
    /// the position is solved or has only one move.
    pub time_ms: u32,
    /// Time left for the game on the clock of the side to move, in milliseconds. Only emilia_go
    /// uses it.
    pub clock_ms: u32,
    /// Time added to the clock after each move, in milliseconds. Only emilia_go uses it.
    pub increment_ms: u32,
    /// Maximum number of nodes to search.
    pub nodes: u64,
}

/// The state of a search and one of its lines. Before the first iteration is complete, `square`
/// is EMILIA_NO_SQUARE, the strings are empty, and the other fields of the line are 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct EmiliaResult {
    /// sizeof(emilia_result), in bytes; set it before the call.
    pub size: u32,
    /// EMILIA_IDLE, EMILIA_RUNNING or EMILIA_DONE.
    pub state: i32,
    /// Number of lines of the latest completed iteration, or 0 before the first iteration is
    /// complete. emilia_go finds 1 line. emilia_hint finds `count` lines, or one for each legal move
    /// if there are fewer moves.
    pub lines: u32,
    /// The first move of the line: 0 to 63, EMILIA_PASS, or EMILIA_NO_SQUARE.
    pub square: i32,
    /// Search depth in plies. If `exact` is 1, the search has reached the end of the game.
    pub depth: u32,
    /// Selectivity in percent: 73, 87, 95, 98, 99, or 100 for a full-width search.
    pub selectivity: u32,
    /// 1 if the position is solved and `value` is its exact final score, else 0.
    pub exact: i32,
    /// Search time in milliseconds.
    pub elapsed_ms: u32,
    /// The expected final score for the side to move, in discs, -64 to 64. Empty squares count
    /// for the winner.
    pub value: f64,
    /// Number of nodes searched.
    pub nodes: u64,
    /// The first move of the line as text: "f5" or "pass".
    pub r#move: [c_char; 8],
    /// The PV as text, with passes: "f5 d6 c3".
    // The longest PV needs 480 bytes: 60 moves, each preceded by a pass.
    pub pv: [c_char; 512],
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
        pv: [0; 512],
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
