//! Picture of a position as SVG or PNG: a green board in a wooden frame, with a caption.
//!
//! One list of shapes ([`shapes`]) is written as SVG ([`vector`]) or painted as PNG ([`raster`]).

mod raster;
mod shapes;
mod vector;

use std::fmt;

use super::board::turn;
use super::outcome::outcome;
use super::terminal::cut;
use emilia_core::board::{Color, Move, Position, Square};
use shapes::{Anchor, Drawing, Gradient, Ink, Paint, Point, Shape, Text};

/// Picture of a position, with coordinates, the last move and dots on legal moves.
///
/// The caption shows the players, their numbers of discs, and the side to move or the result.
///
/// ```
/// use emilia_core::board::Position;
/// use emilia_view::Picture;
/// let picture = Picture::new(Position::START, &[], ["Ann", "Bob"].map(String::from));
/// assert!(picture.to_svg().starts_with("<svg "));
/// assert!(picture.to_png().starts_with(b"\x89PNG"));
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    position: Position,
    /// Squares of the moves so far, in order, passes omitted.
    squares: Vec<Square>,
    /// Names of Black and White.
    names: [String; 2],
    /// Whether discs show move numbers.
    numbers: bool,
    /// Scores of the legal moves, best first.
    scores: Vec<DrawnScore>,
    /// Depth of the search that gave the scores.
    depth: String,
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
/// Pixels per drawing unit in a PNG.
const SCALE: u16 = 2;
/// Radius of a disc on the board, in drawing units.
const DISC: f32 = 25.5;
/// Maximum length of a player's name, in characters.
const LONGEST_NAME: usize = 17;

/// Shape with its paint.
type Painted = (Shape, Paint);

/// Colour of coordinates and names.
const IVORY: Ink = Ink::solid(0xf0_e9_dc);
/// Colour of the second line of the caption.
const PALE: Ink = Ink::solid(0xc9_bf_ae);
const GRID: Ink = Ink::solid(0x17_4a_2c);
/// Colour of the best move and of the ring around the side to move.
const GOLD: Ink = Ink::solid(0xff_d4_5c);
/// Colour of the dot on the last move.
const RED: Ink = Ink::solid(0xe0_39_2b);

/// Centre of the light on a shape, relative to its bounding box: the upper left.
const LIGHT: Point = (0.36, 0.3);

const WOOD: Gradient = Gradient {
    name: "emilia-wood",
    center: (0.4, 0.3),
    radius: 0.9,
    stops: &[(0.0, Ink::solid(0x4b_37_2a)), (1.0, Ink::solid(0x28_1c_15))],
};
const FELT: Gradient = Gradient {
    name: "emilia-felt",
    center: LIGHT,
    radius: 0.95,
    stops: &[(0.0, Ink::solid(0x3a_93_5b)), (1.0, Ink::solid(0x23_6b_40))],
};
const BLACK: Gradient = Gradient {
    name: "emilia-black",
    center: LIGHT,
    radius: 0.8,
    stops: &[
        (0.0, Ink::solid(0x5b_60_68)),
        (0.5, Ink::solid(0x22_25_2a)),
        (1.0, Ink::solid(0x08_09_0a)),
    ],
};
const WHITE: Gradient = Gradient {
    name: "emilia-white",
    center: LIGHT,
    radius: 0.85,
    stops: &[
        (0.0, Ink::solid(0xff_ff_ff)),
        (0.65, Ink::solid(0xec_ea_e2)),
        (1.0, Ink::solid(0xb9_b6_aa)),
    ],
};
const SHADOW: Gradient = Gradient {
    name: "emilia-shadow",
    center: (0.5, 0.5),
    radius: 0.5,
    stops: &[
        (0.0, Ink::clear(0, 0.55)),
        (0.8, Ink::clear(0, 0.45)),
        (1.0, Ink::clear(0, 0.0)),
    ],
};

impl Picture {
    /// Returns a picture of `position`, reached by `moves`, with the names of Black and White.
    pub fn new(position: Position, moves: &[Move], names: [String; 2]) -> Picture {
        Picture {
            position,
            squares: moves.iter().filter_map(|mv| mv.square()).collect(),
            names,
            numbers: false,
            scores: Vec::new(),
            depth: String::new(),
        }
    }

    /// Shows on each disc the number of the move that placed it.
    #[must_use]
    pub fn with_numbers(self) -> Picture {
        Picture {
            numbers: true,
            ..self
        }
    }

    /// Shows scores of legal moves, best first, those equal to the best in gold.
    /// The caption names their search depth.
    #[must_use]
    pub fn with_scores(self, scores: Vec<DrawnScore>, depth: String) -> Picture {
        Picture {
            scores,
            depth,
            ..self
        }
    }

    /// Returns the picture as an SVG document.
    pub fn to_svg(&self) -> String {
        self.drawing().to_string()
    }

    /// Returns the picture as a PNG file.
    ///
    /// # Panics
    /// Never: an image in memory can be encoded.
    pub fn to_png(&self) -> Vec<u8> {
        let pixels = self.drawing().pixels(SCALE);
        pixels
            .encode_png()
            .expect("an image in memory can be encoded")
    }

    fn drawing(&self) -> Drawing {
        const WIDTH: f32 = BOARD + 2.0 * FRAME;
        const HEIGHT: f32 = FRAME + BOARD + CAPTION;
        let frame = Shape::Rectangle((0.0, 0.0), (WIDTH, HEIGHT), 14.0);
        let mut shapes = vec![(frame, Paint::Gradient(&WOOD))];
        shapes.extend(board());
        shapes.extend(coordinates());
        shapes.extend(Square::all().flat_map(|square| self.square(square)));
        shapes.extend(self.caption());
        Drawing {
            title: self.title(),
            width: WIDTH as u16,
            height: HEIGHT as u16,
            shapes,
        }
    }

    /// Returns the shapes on a square: its disc, if any, with its mark.
    fn square(&self, square: Square) -> Vec<Painted> {
        let at = center(square);
        let Some(color) = self.position.disc_on(square) else {
            return self.empty_square(square);
        };
        let mut shapes = disc(at, DISC, color).to_vec();
        let is_last = self.squares.last() == Some(&square);
        let number = self.squares.iter().position(|&placed| placed == square);
        match number.filter(|_| self.numbers) {
            Some(index) => {
                let ink = match (is_last, color) {
                    (true, Color::Black) => Ink::solid(0xff_8a_75),
                    (true, Color::White) => Ink::solid(0xc8_26_19),
                    (false, Color::Black) => Ink::solid(0xf6_f6_f2),
                    (false, Color::White) => Ink::solid(0x15_17_1a),
                };
                shapes.push(centered((index + 1).to_string(), at, 23.0, ink));
            }
            None if is_last => shapes.push((Shape::Circle(at, 6.0), Paint::Fill(RED))),
            None => {}
        }
        shapes
    }

    /// Returns the shapes on an empty square: its score, or a dot if it is a legal move.
    fn empty_square(&self, square: Square) -> Vec<Painted> {
        let at = center(square);
        let is_here = |score: &&DrawnScore| score.mv == Move::Place(square);
        if let Some(score) = self.scores.iter().find(is_here) {
            let score = score.to_string();
            // Scores that are equal as text get the same mark.
            if self.scores.first().map(DrawnScore::to_string).as_ref() == Some(&score) {
                let ring = (Shape::Circle(at, DISC), Paint::Stroke(GOLD, 2.5));
                return vec![ring, centered(score, at, 16.5, GOLD)];
            }
            return vec![centered(score, at, 16.5, IVORY)];
        }
        if !self.position.board.legal_moves().contains(square) {
            return Vec::new();
        }
        let ink = match self.position.mover {
            Color::Black => Ink::clear(0, 0.35),
            Color::White => Ink::clear(0xff_ff_ff, 0.45),
        };
        vec![(Shape::Circle(at, 4.5), Paint::Fill(ink))]
    }

    /// Returns the caption: both sides with their discs, and the remarks below.
    fn caption(&self) -> Vec<Painted> {
        const RADIUS: f32 = 13.0;
        const TOP: f32 = FRAME + BOARD + 30.0;
        const NAME: f32 = 15.0;
        // Wide gap: SVG collapses plain spaces only.
        const GAP: &str = "\u{a0} ";
        // Distance between a disc and the ring around the side to move.
        const RING: f32 = 3.5;
        let mut shapes = Vec::new();
        for color in [Color::Black, Color::White] {
            let (edge, inward, anchor) = match color {
                Color::Black => (FRAME + RING, 1.0, Anchor::Start),
                Color::White => (FRAME + BOARD - RING, -1.0, Anchor::End),
            };
            let at = (edge + inward * RADIUS, TOP);
            shapes.extend(disc(at, RADIUS, color));
            if self.position.mover == color && !self.position.is_over() {
                shapes.push((Shape::Circle(at, RADIUS + RING), Paint::Stroke(GOLD, 2.0)));
            }
            let count = self.position.discs(color).count();
            let name = self.name(color);
            let content = match color {
                Color::Black => format!("{count}{GAP}{name}"),
                Color::White => format!("{name}{GAP}{count}"),
            };
            let at = (edge + inward * (2.0 * RADIUS + 11.0), TOP);
            shapes.push(text(content, at, anchor, NAME, IVORY));
        }
        let at = (FRAME + BOARD / 2.0, TOP + 35.0);
        shapes.push(centered(self.remarks().join(" · "), at, 13.0, PALE));
        shapes
    }

    /// Returns the player's name, shortened, or the colour if there is none.
    fn name(&self, color: Color) -> &str {
        match cut(self.names[color as usize].trim(), LONGEST_NAME) {
            "" => color.name(),
            name => name,
        }
    }

    /// Returns the last move, the side to move or the result, and the meaning of the scores.
    fn remarks(&self) -> Vec<String> {
        let last = self.squares.last();
        let last = last.map(|square| format!("{}. {square}", self.squares.len()));
        let state = if self.position.is_over() {
            outcome(&self.position)
        } else {
            turn(&self.position)
        };
        let scores = (!self.scores.is_empty())
            .then(|| format!("discs for {}, depth {}", self.position.mover, self.depth));
        [last, Some(state), scores].into_iter().flatten().collect()
    }

    /// Returns a description of the position in one sentence.
    fn title(&self) -> String {
        let side = |color| {
            format!(
                "{} {}",
                self.name(color),
                self.position.discs(color).count()
            )
        };
        let sides = [side(Color::Black), side(Color::White)].join(", ");
        format!("Othello: {sides}; {}", self.remarks().join(", "))
    }
}

/// Returns the empty board: its grid, and four dots at the corners of the central 4×4 squares.
fn board() -> Vec<Painted> {
    const DOTS: [f32; 2] = [2.0, 6.0];
    let felt = |margin: f32| {
        let (corner, side) = (FRAME - margin, BOARD + 2.0 * margin);
        Shape::Rectangle((corner, corner), (side, side), margin)
    };
    let across = |line: f32| [(FRAME, line), (FRAME + BOARD, line)];
    let lines = (0..=8u8).flat_map(|index| {
        let across = across(FRAME + f32::from(index) * CELL);
        [across, across.map(|(x, y)| (y, x))]
    });
    // Below the felt, the dark edge of the frame around the board.
    let mut shapes = vec![
        (felt(3.0), Paint::Fill(Ink::solid(0x15_0e_0a))),
        (felt(0.0), Paint::Gradient(&FELT)),
        (Shape::Lines(lines.collect()), Paint::Stroke(GRID, 1.5)),
    ];
    let dots = DOTS.into_iter().flat_map(|x| DOTS.map(|y| (x, y)));
    shapes.extend(dots.map(|(x, y)| {
        let at = (FRAME + x * CELL, FRAME + y * CELL);
        (Shape::Circle(at, 4.0), Paint::Fill(GRID))
    }));
    shapes
}

/// Returns the labels of files and ranks.
fn coordinates() -> impl Iterator<Item = Painted> {
    const SIZE: f32 = 16.0;
    const BESIDE: f32 = FRAME / 2.0 - 1.0;
    let along = |index: u8| FRAME + (f32::from(index) + 0.5) * CELL;
    (0..8).flat_map(move |index| {
        let file = char::from(b'a' + index).to_string();
        [
            centered(file, (along(index), BESIDE), SIZE, IVORY),
            centered((index + 1).to_string(), (BESIDE, along(index)), SIZE, IVORY),
        ]
    })
}

/// Returns the centre of a square, in drawing units.
fn center(square: Square) -> Point {
    let middle = |index: u8| FRAME + (f32::from(index) + 0.5) * CELL;
    (middle(square.file()), middle(square.rank()))
}

/// Returns a disc with its shadow.
fn disc((x, y): Point, radius: f32, color: Color) -> [Painted; 2] {
    let fill = match color {
        Color::Black => &BLACK,
        Color::White => &WHITE,
    };
    let shadow = (x + radius * 0.06, y + radius * 0.12);
    [
        (
            Shape::Circle(shadow, radius * 1.12),
            Paint::Gradient(&SHADOW),
        ),
        (Shape::Circle((x, y), radius), Paint::Gradient(fill)),
    ]
}

/// Returns text centred on a point.
fn centered(content: String, at: Point, size: f32, ink: Ink) -> Painted {
    text(content, at, Anchor::Middle, size, ink)
}

/// Returns text whose digits are centred at the height of `at`.
fn text(content: String, (x, y): Point, anchor: Anchor, size: f32, ink: Ink) -> Painted {
    // Digits are 0.72 of the font size high.
    let text = Text {
        content,
        at: (x, y + 0.36 * size),
        anchor,
        size,
    };
    (Shape::Text(text), Paint::Fill(ink))
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
