//! Painter of drawings as pixels, built on `tiny_skia` and `ttf_parser`.
//! The font is Inter, under the SIL Open Font License (`inter-LICENSE.txt`).
//! `inter.ttf` contains its semi-bold weight with the European Latin script only.

use std::sync::LazyLock;

use tiny_skia::{
    Color, FillRule, GradientStop, Path, PathBuilder, Pixmap, RadialGradient, Rect, Shader,
    SpreadMode, Stroke, Transform,
};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::shapes::{Anchor, Drawing, Gradient, Ink, Paint, Point, Shape, Text};

static FONT: LazyLock<Face<'static>> = LazyLock::new(|| {
    Face::parse(include_bytes!("inter.ttf"), 0).expect("the embedded font is valid")
});

impl Drawing {
    /// Paints the drawing with `scale` pixels per drawing unit.
    pub(super) fn pixels(&self, scale: u16) -> Pixmap {
        let (width, height) = (self.width * scale, self.height * scale);
        let mut pixels =
            Pixmap::new(width.into(), height.into()).expect("the drawing has a positive size");
        let scale = Transform::from_scale(scale.into(), scale.into());
        for (shape, paint) in &self.shapes {
            // Texts of spaces have no outline.
            if let Some(path) = outline(shape) {
                draw(&mut pixels, &path, *paint, scale);
            }
        }
        pixels
    }
}

fn draw(pixels: &mut Pixmap, path: &Path, paint: Paint, scale: Transform) {
    let (shader, width) = match paint {
        Paint::Fill(ink) => (Shader::SolidColor(color(ink)), None),
        Paint::Stroke(ink, width) => (Shader::SolidColor(color(ink)), Some(width)),
        Paint::Gradient(gradient) => match light(gradient, path.bounds()) {
            Some(shader) => (shader, None),
            None => return,
        },
    };
    let paint = tiny_skia::Paint {
        shader,
        ..tiny_skia::Paint::default()
    };
    match width {
        None => pixels.fill_path(path, &paint, FillRule::Winding, scale, None),
        Some(width) => {
            let stroke = Stroke {
                width,
                ..Stroke::default()
            };
            pixels.stroke_path(path, &paint, &stroke, scale, None);
        }
    }
}

/// Returns the path of a shape. `None` if it is empty.
fn outline(shape: &Shape) -> Option<Path> {
    match shape {
        Shape::Rectangle((x, y), (width, height), rounding) => {
            rounded(Rect::from_xywh(*x, *y, *width, *height)?, *rounding)
        }
        Shape::Circle((x, y), radius) => PathBuilder::from_circle(*x, *y, *radius),
        Shape::Lines(lines) => {
            let mut path = PathBuilder::new();
            for &[from, to] in lines {
                path.move_to(from.0, from.1);
                path.line_to(to.0, to.1);
            }
            path.finish()
        }
        Shape::Text(text) => letters(text),
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

/// Returns a rectangle with corners rounded by quadratic curves.
fn rounded(bounds: Rect, radius: f32) -> Option<Path> {
    let (left, top, right, bottom) = (bounds.left(), bounds.top(), bounds.right(), bounds.bottom());
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

/// Returns the outline of a line of text. Characters missing from the font become empty boxes.
fn letters(text: &Text) -> Option<Path> {
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
