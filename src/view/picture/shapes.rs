//! What a picture is made of: shapes in the order they are painted, in units that have no size yet.

/// A point, to the right and down from the upper left corner.
pub(super) type Point = (f32, f32);

/// A picture before it has a format.
#[derive(Clone, Debug)]
pub(super) struct Drawing {
    /// What it shows, for those who do not see it.
    pub(super) title: String,
    pub(super) width: u16,
    pub(super) height: u16,
    pub(super) shapes: Vec<Shape>,
}

/// A shape and what it is painted with.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A rectangle, its corners rounded with this radius.
    Rectangle {
        corner: Point,
        size: Point,
        rounding: f32,
        fill: Fill,
    },
    /// A disc.
    Circle {
        center: Point,
        radius: f32,
        fill: Fill,
    },
    /// The outline of a disc.
    Ring {
        center: Point,
        radius: f32,
        width: f32,
        ink: Ink,
    },
    /// Straight lines, each from point to point.
    Lines {
        lines: Vec<[Point; 2]>,
        width: f32,
        ink: Ink,
    },
    /// A line of text.
    Text(Text),
}

/// A line of text.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) content: String,
    /// Where it is anchored, and how high its baseline is.
    pub(super) at: Point,
    pub(super) anchor: Anchor,
    /// The size of the font.
    pub(super) size: f32,
    pub(super) ink: Ink,
}

/// The part of a text that stands where it is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A colour that covers what is below it, or lets some of it through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ink {
    /// Red, green and blue, `0xRRGGBB`.
    pub(super) rgb: u32,
    /// How much it covers, 0 to 1.
    pub(super) opacity: f32,
}

impl Ink {
    /// A colour that covers all.
    pub(super) const fn solid(rgb: u32) -> Ink {
        Ink { rgb, opacity: 1.0 }
    }

    /// A colour that lets something through.
    pub(super) const fn clear(rgb: u32, opacity: f32) -> Ink {
        Ink { rgb, opacity }
    }
}

/// What fills a shape.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fill {
    Plain(Ink),
    Gradient(&'static Gradient),
}

/// Light that falls on a shape: colours in circles around a point. Lengths are shares of the box around the shape.
#[derive(Debug)]
pub(super) struct Gradient {
    /// Different for each.
    pub(super) name: &'static str,
    pub(super) center: Point,
    pub(super) radius: f32,
    /// Colours, each with its distance from the centre, 0 to 1 of the radius.
    pub(super) stops: &'static [(f32, Ink)],
}
