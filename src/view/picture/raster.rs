//! Painter of drawings as pixels, built on `tiny_skia` and `ttf_parser`.
//! The font is Inter, under the SIL Open Font License (`inter-LICENSE.txt`).
//! `inter.ttf` contains its semi-bold weight with the European Latin script only.

use std::sync::LazyLock;

use tiny_skia::{
    Color, FillRule, GradientStop, Paint, Path, PathBuilder, Pixmap, RadialGradient, Rect, Shader,
    SpreadMode, Stroke, Transform,
};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::shapes::{Anchor, Drawing, DrawnShape, Fill, Gradient, Ink, Point, Text};

static FONT: LazyLock<Face<'static>> = LazyLock::new(|| {
    Face::parse(include_bytes!("inter.ttf"), 0).expect("the embedded font is valid")
});

impl Drawing {
    /// Paints the drawing with `scale` pixels per drawing unit.
    pub(super) fn pixels(&self, scale: u16) -> Pixmap {
        let (width, height) = (self.width * scale, self.height * scale);
        let pixels =
            Pixmap::new(width.into(), height.into()).expect("the drawing has a positive size");
        let scale = f32::from(scale);
        let mut canvas = Canvas {
            pixels,
            scale: Transform::from_scale(scale, scale),
        };
        for shape in &self.shapes {
            canvas.paint(shape);
        }
        canvas.pixels
    }
}

/// Pixels to paint on, with the scale from drawing units to pixels.
struct Canvas {
    pixels: Pixmap,
    scale: Transform,
}

impl Canvas {
    fn paint(&mut self, shape: &DrawnShape) {
        match *shape {
            DrawnShape::Rectangle {
                corner: (x, y),
                size: (width, height),
                rounding,
                fill,
            } => {
                let bounds = Rect::from_xywh(x, y, width, height);
                self.fill(bounds.and_then(|it| rounded(it, rounding)), fill);
            }
            DrawnShape::Circle {
                center: (x, y),
                radius,
                fill,
            } => self.fill(PathBuilder::from_circle(x, y, radius), fill),
            DrawnShape::Ring {
                center: (x, y),
                radius,
                width,
                ink,
            } => self.stroke(PathBuilder::from_circle(x, y, radius), width, ink),
            DrawnShape::Lines {
                ref lines,
                width,
                ink,
            } => {
                let mut path = PathBuilder::new();
                for [from, to] in lines {
                    path.move_to(from.0, from.1);
                    path.line_to(to.0, to.1);
                }
                self.stroke(path.finish(), width, ink);
            }
            DrawnShape::Text(ref text) => self.fill(outline(text), Fill::Plain(text.ink)),
        }
    }

    /// Fills a path. `None` and paths without an interior paint nothing.
    fn fill(&mut self, path: Option<Path>, fill: Fill) {
        let Some(path) = path else { return };
        let shader = match fill {
            Fill::Plain(ink) => Some(Shader::SolidColor(color(ink))),
            Fill::Gradient(gradient) => light(gradient, path.bounds()),
        };
        let Some(shader) = shader else { return };
        let paint = Paint {
            shader,
            ..Paint::default()
        };
        self.pixels
            .fill_path(&path, &paint, FillRule::Winding, self.scale, None);
    }

    fn stroke(&mut self, path: Option<Path>, width: f32, ink: Ink) {
        let Some(path) = path else { return };
        let paint = Paint {
            shader: Shader::SolidColor(color(ink)),
            ..Paint::default()
        };
        let stroke = Stroke {
            width,
            ..Stroke::default()
        };
        self.pixels
            .stroke_path(&path, &paint, &stroke, self.scale, None);
    }
}

fn color(Ink { rgb, opacity }: Ink) -> Color {
    let [_, red, green, blue] = rgb.to_be_bytes();
    let mut color = Color::from_rgba8(red, green, blue, u8::MAX);
    color.set_alpha(opacity);
    color
}

/// Returns the shader of a gradient for a shape with this bounding box.
fn light(gradient: &Gradient, bounds: Rect) -> Option<Shader<'static>> {
    let stops = gradient.stops.iter();
    let stops = stops.map(|&(offset, ink)| GradientStop::new(offset, color(ink)));
    let center = gradient.center.into();
    let (width, height) = (bounds.width(), bounds.height());
    RadialGradient::new(
        center,
        0.0,
        center,
        gradient.radius,
        stops.collect(),
        SpreadMode::Pad,
        Transform::from_row(width, 0.0, 0.0, height, bounds.x(), bounds.y()),
    )
}

/// Returns a rectangle with rounded corners.
fn rounded(bounds: Rect, radius: f32) -> Option<Path> {
    /// Distance of control points from the corner, in radii, for an approximate quarter circle.
    const STEER: f32 = 0.448;
    let (left, top, right, bottom) = (bounds.left(), bounds.top(), bounds.right(), bounds.bottom());
    // Corners, each with the directions to the preceding and to the following corner.
    let corners = [
        ((left, top), (0.0, 1.0), (1.0, 0.0)),
        ((right, top), (-1.0, 0.0), (0.0, 1.0)),
        ((right, bottom), (0.0, -1.0), (-1.0, 0.0)),
        ((left, bottom), (1.0, 0.0), (0.0, -1.0)),
    ];
    let mut path = PathBuilder::new();
    for ((x, y), before, after) in corners {
        let along = |(dx, dy): Point, length: f32| (x + dx * length, y + dy * length);
        let (from, to) = (along(before, radius), along(after, radius));
        let (first, second) = (along(before, radius * STEER), along(after, radius * STEER));
        if path.is_empty() {
            path.move_to(from.0, from.1);
        } else {
            path.line_to(from.0, from.1);
        }
        path.cubic_to(first.0, first.1, second.0, second.1, to.0, to.1);
    }
    path.close();
    path.finish()
}

/// Returns the outline of a line of text. Characters missing from the font become empty boxes.
fn outline(text: &Text) -> Option<Path> {
    let glyphs: Vec<GlyphId> = text
        .content
        .chars()
        .map(|character| FONT.glyph_index(character).unwrap_or_default())
        .collect();
    let scale = text.size / f32::from(FONT.units_per_em());
    let advance =
        |&glyph: &GlyphId| f32::from(FONT.glyph_hor_advance(glyph).unwrap_or_default()) * scale;
    let width: f32 = glyphs.iter().map(advance).sum();
    let (x, y) = text.at;
    let start = match text.anchor {
        Anchor::Start => x,
        Anchor::Middle => x - width / 2.0,
        Anchor::End => x - width,
    };
    let mut pen = Pen {
        path: PathBuilder::new(),
        origin: (start, y),
        scale,
    };
    for glyph in &glyphs {
        // Glyphs without an outline, such as the space, return `None`.
        let _ = FONT.outline_glyph(*glyph, &mut pen);
        pen.origin.0 += advance(glyph);
    }
    pen.path.finish()
}

/// Appends glyph outlines to a path. Glyph coordinates are in font units above the baseline.
struct Pen {
    path: PathBuilder,
    /// Start of the glyph's baseline, in drawing units.
    origin: Point,
    scale: f32,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> Point {
        let (left, baseline) = self.origin;
        (left + x * self.scale, baseline - y * self.scale)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
