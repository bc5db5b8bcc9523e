//! The icon of the site: the discs of the start position.

use tiny_skia::{
    Color, FillRule, GradientStop, Paint, Path, PathBuilder, Pixmap, Point, RadialGradient, Rect,
    Shader, SpreadMode, Stroke, Transform,
};

/// Half the side of the icon, and the side of a square, in drawing units.
const MIDDLE: f32 = 90.0;
const CELL: f32 = 60.0;

/// Radius of a disc in drawing units.
const DISC: f32 = 25.5;

/// Distances from the light, 0 to 1, with their colours.
const FELT: [(f32, u32); 2] = [(0.0, 0x3a_93_5b), (1.0, 0x23_6b_40)];
const BLACK: [(f32, u32); 3] = [(0.0, 0x5b_60_68), (0.5, 0x22_25_2a), (1.0, 0x08_09_0a)];
const WHITE: [(f32, u32); 3] = [(0.0, 0xff_ff_ff), (0.65, 0xec_ea_e2), (1.0, 0xb9_b6_aa)];
const GRID: u32 = 0x17_4a_2c;

/// Returns the icon as a square PNG file. The discs stay inside a circle of 80 % of the side, which
/// systems that round icons keep. `None` if it has no pixels.
pub(crate) fn icon(pixels: u16) -> Option<Vec<u8>> {
    let mut image = Pixmap::new(pixels.into(), pixels.into())?;
    let scale = f32::from(pixels) / (2.0 * MIDDLE);
    let scale = Transform::from_scale(scale, scale);
    let middle = Point::from_xy(MIDDLE, MIDDLE);
    let mut fill = |path: Option<Path>, shader: Option<Shader>| {
        let paint = paint(shader?);
        image.fill_path(&path?, &paint, FillRule::Winding, scale, None);
        Some(())
    };
    let board = Rect::from_xywh(0.0, 0.0, 2.0 * MIDDLE, 2.0 * MIDDLE)?;
    fill(
        Some(PathBuilder::from_rect(board)),
        light(middle, MIDDLE, &FELT),
    )?;
    let mut lines = PathBuilder::new();
    for line in [-1.0, 0.0, 1.0].map(|index| MIDDLE + index * CELL) {
        lines.move_to(0.0, line);
        lines.line_to(2.0 * MIDDLE, line);
        lines.move_to(line, 0.0);
        lines.line_to(line, 2.0 * MIDDLE);
    }
    let lines = lines.finish()?.stroke(
        &Stroke {
            width: 2.0,
            ..Stroke::default()
        },
        1.0,
    );
    fill(lines, Some(Shader::SolidColor(color(GRID, 1.0))))?;
    for (x, y, stops) in [
        (-0.5, -0.5, &WHITE),
        (0.5, -0.5, &BLACK),
        (-0.5, 0.5, &BLACK),
        (0.5, 0.5, &WHITE),
    ] {
        let at = middle + Point::from_xy(x * CELL, y * CELL);
        let shadow = PathBuilder::from_circle(at.x + DISC * 0.06, at.y + DISC * 0.12, DISC * 1.04);
        fill(shadow, Some(Shader::SolidColor(color(0, 0.35))))?;
        fill(
            PathBuilder::from_circle(at.x, at.y, DISC),
            light(at, DISC, stops),
        )?;
    }
    image.encode_png().ok()
}

fn paint(shader: Shader) -> Paint {
    Paint {
        shader,
        ..Paint::default()
    }
}

fn color(rgb: u32, opacity: f32) -> Color {
    let [_, red, green, blue] = rgb.to_be_bytes();
    let mut color = Color::from_rgba8(red, green, blue, u8::MAX);
    color.set_alpha(opacity);
    color
}

/// Returns the light on a shape around `at` that is `half` a side large: a radial gradient, with
/// its brightest point at the upper left.
fn light(at: Point, half: f32, stops: &[(f32, u32)]) -> Option<Shader<'static>> {
    let stops = stops.iter();
    let stops = stops.map(|&(distance, rgb)| GradientStop::new(distance, color(rgb, 1.0)));
    let center = at - Point::from_xy(0.28 * half, 0.4 * half);
    let (radius, place) = (1.7 * half, Transform::identity());
    let mode = SpreadMode::Pad;
    RadialGradient::new(center, 0.0, center, radius, stops.collect(), mode, place)
}
