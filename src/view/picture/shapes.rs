//! Shapes of a drawing in painting order, independent of the output format.
//! Lengths are in drawing units, which the formats scale.

/// Point: distances to the right and downwards from the upper left corner.
pub(super) type Point = (f32, f32);

/// Drawing that can be written as SVG or painted as pixels.
#[derive(Clone, Debug)]
pub(super) struct Drawing {
    /// Description for readers who cannot see the image.
    pub(super) title: String,
    pub(super) width: u16,
    pub(super) height: u16,
    pub(super) shapes: Vec<(Shape, Paint)>,
}

/// Geometry of a shape.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// Corner, size, and radius of the rounded corners.
    Rectangle(Point, Point, f32),
    /// Centre and radius.
    Circle(Point, f32),
    /// Line segments.
    Lines(Vec<[Point; 2]>),
    /// Line of text.
    Text(Text),
}

/// Line of text with its position and font size.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) content: String,
    /// Horizontal anchor position, and height of the baseline.
    pub(super) at: Point,
    pub(super) anchor: Anchor,
    pub(super) size: f32,
}

/// Horizontal text alignment relative to the anchor position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a shape is painted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Paint {
    Fill(Ink),
    Gradient(&'static Gradient),
    /// Outline with this width.
    Stroke(Ink, f32),
}

/// Colour with opacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ink {
    /// Red, green and blue as `0xRRGGBB`.
    pub(super) rgb: u32,
    /// Opacity, 0 (transparent) to 1 (opaque).
    pub(super) opacity: f32,
}

impl Ink {
    pub(super) const fn solid(rgb: u32) -> Ink {
        Ink { rgb, opacity: 1.0 }
    }

    pub(super) const fn clear(rgb: u32, opacity: f32) -> Ink {
        Ink { rgb, opacity }
    }
}

/// Radial gradient. Lengths are relative to the bounding box of the shape.
#[derive(Debug)]
pub(super) struct Gradient {
    /// Unique name, used as the SVG identifier.
    pub(super) name: &'static str,
    pub(super) center: Point,
    pub(super) radius: f32,
    /// Colour stops, each with its distance from the centre, as a fraction of the radius.
    pub(super) stops: &'static [(f32, Ink)],
}
