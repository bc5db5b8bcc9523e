//! Canvas of shapes and text, built on `tiny_skia` and `ttf_parser`.
//! Lengths are in drawing units, from the upper left corner.
//!
//! The font is Inter, under the SIL Open Font License (`inter-LICENSE.txt`).
//! `inter.ttf` contains its semi-bold weight with the European Latin script only.

use std::sync::LazyLock;

use tiny_skia::{
    Color, FillRule, GradientStop, Paint, Path, PathBuilder, Pixmap, Point, RadialGradient, Shader,
    SpreadMode, Stroke, Transform,
};
use ttf_parser::{Face, OutlineBuilder};

/// The font file.
pub const INTER: &[u8] = include_bytes!("inter.ttf");

static FONT: LazyLock<Face<'static>> =
    LazyLock::new(|| Face::parse(INTER, 0).expect("the embedded font is valid"));

/// Image of shapes.
pub(super) struct Canvas {
    image: Pixmap,
    /// Pixels per drawing unit.
    scale: f32,
}

impl Canvas {
    pub(super) fn new(width: f32, height: f32, scale: f32) -> Canvas {
        let image = Pixmap::new((width * scale) as u32, (height * scale) as u32);
        let image = image.expect("a picture has a positive size");
        Canvas { image, scale }
    }

    /// Fills an outline, or nothing if it is empty.
    pub(super) fn fill(&mut self, outline: Option<Path>, shader: Shader) {
        let (paint, scale) = self.painting(shader);
        if let Some(path) = outline {
            (self.image).fill_path(&path, &paint, FillRule::Winding, scale, None);
        }
    }

    /// Draws an outline as a line of this width.
    pub(super) fn stroke(&mut self, outline: Option<Path>, shader: Shader, width: f32) {
        let (paint, scale) = self.painting(shader);
        let stroke = Stroke {
            width,
            ..Stroke::default()
        };
        if let Some(path) = outline {
            self.image.stroke_path(&path, &paint, &stroke, scale, None);
        }
    }

    /// Writes a line of text whose digits are centred at the height of `at`.
    /// `anchor` is the share of the text that lies left of `at`.
    /// Characters missing from the font become empty boxes.
    pub(super) fn text(&mut self, text: &str, at: Point, anchor: f32, size: f32, rgb: u32) {
        let mut pen = Pen::default();
        for letter in text.chars() {
            let glyph = FONT.glyph_index(letter).unwrap_or_default();
            // Glyphs without an outline, such as the space, return `None`.
            let _ = FONT.outline_glyph(glyph, &mut pen);
            pen.x += f32::from(FONT.glyph_hor_advance(glyph).unwrap_or_default());
        }
        let scale = size / f32::from(FONT.units_per_em());
        let left = at.x - anchor * pen.x * scale;
        // Digits are 0.72 of the font size high.
        let baseline = at.y + 0.36 * size;
        let place = Transform::from_row(scale, 0.0, 0.0, -scale, left, baseline);
        let outline = pen.path.finish().and_then(|path| path.transform(place));
        self.fill(outline, ink(rgb, 1.0));
    }

    fn painting<'s>(&self, shader: Shader<'s>) -> (Paint<'s>, Transform) {
        let paint = Paint {
            shader,
            ..Paint::default()
        };
        (paint, Transform::from_scale(self.scale, self.scale))
    }

    /// Returns the image as a PNG file.
    pub(super) fn png(&self) -> Vec<u8> {
        let png = self.image.encode_png();
        png.expect("an image in memory can be encoded")
    }
}

fn color(rgb: u32, opacity: f32) -> Color {
    let [_, red, green, blue] = rgb.to_be_bytes();
    let mut color = Color::from_rgba8(red, green, blue, u8::MAX);
    color.set_alpha(opacity);
    color
}

/// Returns a colour, given as `0xRRGGBB`, and its opacity, 0 (transparent) to 1 (opaque).
pub(super) fn ink(rgb: u32, opacity: f32) -> Shader<'static> {
    Shader::SolidColor(color(rgb, opacity))
}

/// Returns the light on a shape around `at` that is `half` a side large: a radial gradient, with
/// its brightest point at the upper left. Stops are distances, 0 to 1, with their colours.
pub(super) fn light(at: Point, half: f32, stops: &[(f32, u32)]) -> Shader<'static> {
    let stops = stops.iter();
    let stops = stops.map(|&(distance, rgb)| GradientStop::new(distance, color(rgb, 1.0)));
    let center = at - Point::from_xy(0.28 * half, 0.4 * half);
    let (radius, place) = (1.7 * half, Transform::identity());
    let mode = SpreadMode::Pad;
    RadialGradient::new(center, 0.0, center, radius, stops.collect(), mode, place)
        .expect("a gradient has two stops and a positive radius")
}

/// Returns a rectangle with corners rounded by quadratic curves.
pub(super) fn rounded(from: Point, to: Point, radius: f32) -> Option<Path> {
    let (left, top, right, bottom) = (from.x, from.y, to.x, to.y);
    let mut path = PathBuilder::new();
    path.move_to(left + radius, top);
    path.line_to(right - radius, top);
    path.quad_to(right, top, right, top + radius);
    path.line_to(right, bottom - radius);
    path.quad_to(right, bottom, right - radius, bottom);
    path.line_to(left + radius, bottom);
    path.quad_to(left, bottom, left, bottom - radius);
    path.line_to(left, top + radius);
    path.quad_to(left, top, left + radius, top);
    path.close();
    path.finish()
}

/// Returns a circle.
pub(super) fn circle(at: Point, radius: f32) -> Option<Path> {
    PathBuilder::from_circle(at.x, at.y, radius)
}

/// Outlines of the glyphs of a line, in font units above the baseline.
#[derive(Default)]
struct Pen {
    path: PathBuilder,
    /// Start of the next glyph.
    x: f32,
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.x + x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.x + x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.path.quad_to(self.x + x1, y1, self.x + x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let left = self.x;
        (self.path).cubic_to(left + x1, y1, left + x2, y2, left + x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
