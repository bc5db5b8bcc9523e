//! Picture of a position as PNG: a green board in a wooden frame, with a caption.

mod canvas;

use std::fmt;

use tiny_skia::{PathBuilder, Point};

use super::board::turn;
use super::outcome::outcome;
use super::terminal::cut;
pub use canvas::INTER;
use canvas::{Canvas, circle, ink, light, rounded};
use emilia_core::board::{Color, Move, Position, Square};

/// Picture of a position, with coordinates, the last move and dots on legal moves.
///
/// The caption shows the players, their numbers of discs, and the side to move or the result.
///
/// ```
/// use emilia_core::board::Position;
/// use emilia_view::Picture;
/// let picture = Picture {
///     position: Position::START,
///     squares: Vec::new(),
///     names: ["Ann", "Bob"].map(String::from),
///     numbers: false,
///     scores: Vec::new(),
///     depth: String::new(),
/// };
/// assert!(picture.to_png().starts_with(b"\x89PNG"));
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    /// Position to draw.
    pub position: Position,
    /// Squares of the moves so far, in order, passes omitted.
    pub squares: Vec<Square>,
    /// Names of Black and White.
    pub names: [String; 2],
    /// Whether discs show the number of the move that placed them.
    pub numbers: bool,
    /// Scores of the legal moves, best first. Those equal to the best are gold.
    pub scores: Vec<DrawnScore>,
    /// Depth of the search that gave the scores, for the caption.
    pub depth: String,
}

/// Score of a legal move in a picture.
#[derive(Clone, Copy, Debug)]
pub struct DrawnScore {
    /// Legal move.
    pub mv: Move,
    /// Score in discs for the side to move.
    pub discs: f64,
    /// Whether the score is certain. It is then shown without decimals.
    pub is_exact: bool,
}

/// Side length of a square, in drawing units.
const CELL: f32 = 60.0;
/// Width of the frame above, left and right of the board, in drawing units.
const FRAME: f32 = 36.0;
/// Side length of the board, in drawing units.
const BOARD: f32 = 8.0 * CELL;
/// Height of the caption below the board, in drawing units.
const CAPTION: f32 = 88.0;
/// Radius of a disc on the board, in drawing units.
const DISC: f32 = 25.5;
/// Maximum length of a player's name, in characters.
const LONGEST_NAME: usize = 17;

/// Colour of coordinates and names.
const IVORY: u32 = 0xf0_e9_dc;
/// Colour of the second line of the caption.
const PALE: u32 = 0xc9_bf_ae;
const GRID: u32 = 0x17_4a_2c;
/// Colour of the best move and of the ring around the side to move.
const GOLD: u32 = 0xff_d4_5c;
/// Colour of the dot on the last move.
const RED: u32 = 0xe0_39_2b;

const WOOD: [(f32, u32); 2] = [(0.0, 0x4b_37_2a), (1.0, 0x28_1c_15)];
const FELT: [(f32, u32); 2] = [(0.0, 0x3a_93_5b), (1.0, 0x23_6b_40)];
const BLACK: [(f32, u32); 3] = [(0.0, 0x5b_60_68), (0.5, 0x22_25_2a), (1.0, 0x08_09_0a)];
const WHITE: [(f32, u32); 3] = [(0.0, 0xff_ff_ff), (0.65, 0xec_ea_e2), (1.0, 0xb9_b6_aa)];

impl Picture {
    /// Returns the picture as a PNG file.
    pub fn to_png(&self) -> Vec<u8> {
        const WIDTH: f32 = BOARD + 2.0 * FRAME;
        const HEIGHT: f32 = FRAME + BOARD + CAPTION;
        let mut canvas = Canvas::new(WIDTH, HEIGHT, 2.0);
        let (corner, middle) = (point(WIDTH, HEIGHT), point(WIDTH / 2.0, HEIGHT / 2.0));
        let frame = rounded(Point::zero(), corner, 14.0);
        canvas.fill(frame, light(middle, HEIGHT / 2.0, &WOOD));
        draw_board(&mut canvas);
        for square in Square::all() {
            match self.position.disc_on(square) {
                Some(color) => self.draw_disc(square, color, &mut canvas),
                None => self.draw_empty_square(square, &mut canvas),
            }
        }
        self.draw_caption(&mut canvas);
        canvas.png()
    }

    /// Draws a disc, with its number or the mark of the last move.
    fn draw_disc(&self, square: Square, color: Color, canvas: &mut Canvas) {
        let at = center(square);
        disc(at, DISC, color, canvas);
        let is_last = self.squares.last() == Some(&square);
        let number = self.squares.iter().position(|&placed| placed == square);
        if let Some(index) = number.filter(|_| self.numbers) {
            let rgb = match (is_last, color) {
                (true, Color::Black) => 0xff_8a_75,
                (true, Color::White) => 0xc8_26_19,
                (false, Color::Black) => 0xf6_f6_f2,
                (false, Color::White) => 0x15_17_1a,
            };
            canvas.text(&(index + 1).to_string(), at, 0.5, 23.0, rgb);
        } else if is_last {
            canvas.fill(circle(at, 6.0), ink(RED, 1.0));
        }
    }

    /// Draws the score of a legal move, or a dot on it.
    fn draw_empty_square(&self, square: Square, canvas: &mut Canvas) {
        let at = center(square);
        let is_here = |score: &&DrawnScore| score.mv == Move::Place(square);
        if let Some(score) = self.scores.iter().find(is_here) {
            let score = score.to_string();
            // Scores that are equal as text get the same mark.
            let is_best = self.scores[0].to_string() == score;
            if is_best {
                canvas.stroke(circle(at, DISC), ink(GOLD, 1.0), 2.5);
            }
            let rgb = if is_best { GOLD } else { IVORY };
            canvas.text(&score, at, 0.5, 16.5, rgb);
        } else if self.position.board.legal_moves().contains(square) {
            let dot = match self.position.mover {
                Color::Black => ink(0, 0.35),
                Color::White => ink(0xff_ff_ff, 0.45),
            };
            canvas.fill(circle(at, 4.5), dot);
        }
    }

    /// Draws the caption: both sides with their discs, and the remarks below.
    fn draw_caption(&self, canvas: &mut Canvas) {
        const RADIUS: f32 = 13.0;
        const TOP: f32 = FRAME + BOARD + 30.0;
        // Distance between a disc and the ring around the side to move.
        const RING: f32 = 3.5;
        for color in [Color::Black, Color::White] {
            let count = self.position.discs(color).count();
            let name = match cut(self.names[color as usize].trim(), LONGEST_NAME) {
                "" => color.name(),
                name => name,
            };
            let (edge, inward, anchor, text) = match color {
                Color::Black => (FRAME + RING, 1.0, 0.0, format!("{count}  {name}")),
                Color::White => (FRAME + BOARD - RING, -1.0, 1.0, format!("{name}  {count}")),
            };
            let at = point(edge + inward * RADIUS, TOP);
            disc(at, RADIUS, color, canvas);
            if self.position.mover == color && !self.position.is_over() {
                canvas.stroke(circle(at, RADIUS + RING), ink(GOLD, 1.0), 2.0);
            }
            let at = point(edge + inward * (2.0 * RADIUS + 11.0), TOP);
            canvas.text(&text, at, anchor, 15.0, IVORY);
        }
        let at = point(FRAME + BOARD / 2.0, TOP + 35.0);
        canvas.text(&self.remarks(), at, 0.5, 13.0, PALE);
    }

    /// Returns the last move, the side to move or the result, and the meaning of the scores.
    fn remarks(&self) -> String {
        let last = self.squares.last();
        let last = last.map(|square| format!("{}. {square}", self.squares.len()));
        let state = if self.position.is_over() {
            outcome(&self.position)
        } else {
            turn(&self.position)
        };
        let scores = (!self.scores.is_empty())
            .then(|| format!("discs for {}, depth {}", self.position.mover, self.depth));
        let remarks: Vec<String> = [last, Some(state), scores].into_iter().flatten().collect();
        remarks.join(" · ")
    }
}

/// Returns the icon of the program as a square PNG file: the discs of the start position. They stay
/// inside a circle of 80 % of the side, which systems that round icons keep.
pub fn icon(pixels: u16) -> Vec<u8> {
    const MIDDLE: f32 = 1.5 * CELL;
    let mut canvas = Canvas::new(
        2.0 * MIDDLE,
        2.0 * MIDDLE,
        f32::from(pixels) / (2.0 * MIDDLE),
    );
    let (middle, end) = (point(MIDDLE, MIDDLE), point(2.0 * MIDDLE, 2.0 * MIDDLE));
    canvas.fill(
        rounded(Point::zero(), end, 0.0),
        light(middle, MIDDLE, &FELT),
    );
    let mut lines = PathBuilder::new();
    for line in [-1.0, 0.0, 1.0].map(|index| MIDDLE + index * CELL) {
        lines.move_to(0.0, line);
        lines.line_to(end.x, line);
        lines.move_to(line, 0.0);
        lines.line_to(line, end.y);
    }
    canvas.stroke(lines.finish(), ink(GRID, 1.0), 2.0);
    for (x, y, color) in [
        (-0.5, -0.5, Color::White),
        (0.5, -0.5, Color::Black),
        (-0.5, 0.5, Color::Black),
        (0.5, 0.5, Color::White),
    ] {
        disc(middle + point(x * CELL, y * CELL), DISC, color, &mut canvas);
    }
    canvas.png()
}

/// Draws the empty board: its grid, four dots at the corners of the central 4×4 squares, and the
/// names of files and ranks.
fn draw_board(canvas: &mut Canvas) {
    const BESIDE: f32 = FRAME / 2.0 - 1.0;
    let end = FRAME + BOARD;
    // Below the felt, the dark edge of the frame around the board.
    let edge = rounded(
        point(FRAME - 3.0, FRAME - 3.0),
        point(end + 3.0, end + 3.0),
        3.0,
    );
    canvas.fill(edge, ink(0x15_0e_0a, 1.0));
    let middle = point(FRAME + BOARD / 2.0, FRAME + BOARD / 2.0);
    let felt = rounded(point(FRAME, FRAME), point(end, end), 0.0);
    canvas.fill(felt, light(middle, BOARD / 2.0, &FELT));
    let mut lines = PathBuilder::new();
    for line in (0..=8u8).map(|index| FRAME + f32::from(index) * CELL) {
        lines.move_to(FRAME, line);
        lines.line_to(end, line);
        lines.move_to(line, FRAME);
        lines.line_to(line, end);
    }
    canvas.stroke(lines.finish(), ink(GRID, 1.0), 1.5);
    let dots = [FRAME + 2.0 * CELL, FRAME + 6.0 * CELL];
    for at in dots.into_iter().flat_map(|x| dots.map(|y| point(x, y))) {
        canvas.fill(circle(at, 4.0), ink(GRID, 1.0));
    }
    for index in 0..8 {
        let along = FRAME + (f32::from(index) + 0.5) * CELL;
        let (file, rank) = (char::from(b'a' + index).to_string(), index + 1);
        canvas.text(&file, point(along, BESIDE), 0.5, 16.0, IVORY);
        canvas.text(&rank.to_string(), point(BESIDE, along), 0.5, 16.0, IVORY);
    }
}

/// Draws a disc with its shadow.
fn disc(at: Point, radius: f32, color: Color, canvas: &mut Canvas) {
    let shadow = at + point(radius * 0.06, radius * 0.12);
    canvas.fill(circle(shadow, radius * 1.04), ink(0, 0.35));
    let stops = match color {
        Color::Black => &BLACK,
        Color::White => &WHITE,
    };
    canvas.fill(circle(at, radius), light(at, radius, stops));
}

/// Returns the centre of a square.
fn center(square: Square) -> Point {
    let middle = |index: u8| FRAME + (f32::from(index) + 0.5) * CELL;
    point(middle(square.file()), middle(square.rank()))
}

fn point(x: f32, y: f32) -> Point {
    Point::from_xy(x, y)
}

/// Formats the discs: an integer if exact, otherwise one decimal.
impl fmt::Display for DrawnScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = usize::from(!self.is_exact);
        let text = format!("{:+.decimals$}", self.discs);
        let is_zero = text.bytes().all(|byte| !matches!(byte, b'1'..=b'9'));
        if is_zero {
            f.write_str(&text[1..])
        } else {
            f.write_str(&text.replace('-', "\u{2212}"))
        }
    }
}
