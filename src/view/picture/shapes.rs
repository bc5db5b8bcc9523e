//! Shapes of a drawing in painting order, independent of the output format.
//! Lengths are in drawing units, which the formats scale.

/// Point: distances to the right and downwards from the upper left corner, in drawing units.
pub(super) type Point = (f32, f32);

/// Drawing that can be written as SVG or painted as pixels.
#[derive(Clone, Debug)]
pub(super) struct Drawing {
    /// Description for readers who cannot see the image.
    pub(super) title: String,
    pub(super) width: u16,
    pub(super) height: u16,
    pub(super) shapes: Vec<DrawnShape>,
}

/// Geometric shape with its colour or gradient.
#[derive(Clone, Debug)]
pub(super) enum DrawnShape {
    /// Rectangle with corners rounded by the radius `rounding`.
    Rectangle {
        corner: Point,
        size: Point,
        rounding: f32,
        fill: Fill,
    },
    /// Filled circle.
    Circle {
        center: Point,
        radius: f32,
        fill: Fill,
    },
    /// Outline of a circle.
    Ring {
        center: Point,
        radius: f32,
        width: f32,
        ink: Ink,
    },
    /// Line segments, each between two points.
    Lines {
        lines: Vec<[Point; 2]>,
        width: f32,
        ink: Ink,
    },
    /// Line of text.
    Text(Text),
}

/// Line of text with its position, size and colour.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) content: String,
    /// Horizontal anchor position, and height of the baseline.
    pub(super) at: Point,
    pub(super) anchor: Anchor,
    /// Font size in drawing units.
    pub(super) size: f32,
    pub(super) ink: Ink,
}

/// Horizontal text alignment relative to the anchor position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
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
    /// Returns an opaque colour.
    pub(super) const fn solid(rgb: u32) -> Ink {
        Ink { rgb, opacity: 1.0 }
    }

    /// Returns a partly transparent colour.
    pub(super) const fn clear(rgb: u32, opacity: f32) -> Ink {
        Ink { rgb, opacity }
    }
}

/// Fill of a shape: a plain colour or a gradient.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fill {
    Plain(Ink),
    Gradient(&'static Gradient),
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
