//! Writer of drawings as SVG documents.
//! Text is escaped by `svg::escaped`.

use std::collections::BTreeMap;
use std::fmt;

use super::shapes::{Anchor, Drawing, DrawnShape, Fill, Gradient, Ink, Text};
use crate::view::svg::escaped;

/// Font families of the text, in order of preference.
const FONTS: &str =
    "Inter,system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Helvetica,Arial,sans-serif";

/// Writes the SVG document.
impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Drawing { width, height, .. } = self;
        writeln!(
            f,
            concat!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" "#,
                r#"width="{width}" height="{height}" role="img" "#,
                r#"font-family="{FONTS}" font-weight="600">"#,
            ),
            width = width,
            height = height,
            FONTS = FONTS,
        )?;
        writeln!(f, "<title>{}</title>", escaped(&self.title))?;
        writeln!(f, "<defs>")?;
        for gradient in self.gradients() {
            write_gradient(f, gradient)?;
        }
        writeln!(f, "</defs>")?;
        for shape in &self.shapes {
            write_shape(f, shape)?;
        }
        writeln!(f, "</svg>")
    }
}

impl Drawing {
    /// Returns the gradients in use, each once, sorted by name.
    fn gradients(&self) -> impl Iterator<Item = &'static Gradient> {
        let fills = self.shapes.iter().filter_map(|shape| match shape {
            DrawnShape::Rectangle { fill, .. } | DrawnShape::Circle { fill, .. } => Some(fill),
            DrawnShape::Ring { .. } | DrawnShape::Lines { .. } | DrawnShape::Text(_) => None,
        });
        let gradients = fills.filter_map(|fill| match fill {
            Fill::Gradient(gradient) => Some((gradient.name, *gradient)),
            Fill::Plain(_) => None,
        });
        gradients.collect::<BTreeMap<_, _>>().into_values()
    }
}

fn write_gradient(f: &mut fmt::Formatter<'_>, gradient: &Gradient) -> fmt::Result {
    let Gradient { name, radius, .. } = gradient;
    let (x, y) = gradient.center;
    write!(
        f,
        r#"<radialGradient id="{name}" cx="{x}" cy="{y}" r="{radius}">"#
    )?;
    for (offset, Ink { rgb, opacity }) in gradient.stops {
        write!(
            f,
            r##"<stop offset="{offset}" stop-color="#{rgb:06x}" stop-opacity="{opacity}"/>"##
        )?;
    }
    writeln!(f, "</radialGradient>")
}

fn write_shape(f: &mut fmt::Formatter<'_>, shape: &DrawnShape) -> fmt::Result {
    match shape {
        DrawnShape::Rectangle {
            corner: (x, y),
            size: (width, height),
            rounding,
            fill,
        } => writeln!(
            f,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{rounding}" {fill}/>"#
        ),
        DrawnShape::Circle {
            center: (x, y),
            radius,
            fill,
        } => writeln!(f, r#"<circle cx="{x}" cy="{y}" r="{radius}" {fill}/>"#),
        DrawnShape::Ring {
            center: (x, y),
            radius,
            width,
            ink: Ink { rgb, opacity },
        } => writeln!(
            f,
            concat!(
                r#"<circle cx="{x}" cy="{y}" r="{radius}" fill="none" "#,
                r##"stroke="#{rgb:06x}" stroke-opacity="{opacity}" stroke-width="{width}"/>"##,
            ),
            x = x,
            y = y,
            radius = radius,
            rgb = rgb,
            opacity = opacity,
            width = width,
        ),
        DrawnShape::Lines {
            lines,
            width,
            ink: Ink { rgb, opacity },
        } => {
            write!(f, r#"<path d=""#)?;
            for [(x, y), (to_x, to_y)] in lines {
                write!(f, "M{x} {y}L{to_x} {to_y}")?;
            }
            writeln!(
                f,
                r##"" stroke="#{rgb:06x}" stroke-opacity="{opacity}" stroke-width="{width}"/>"##
            )
        }
        DrawnShape::Text(Text {
            content,
            at: (x, y),
            anchor,
            size,
            ink,
        }) => {
            let (fill, text) = (Fill::Plain(*ink), escaped(content));
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            writeln!(
                f,
                concat!(
                    r#"<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" "#,
                    "{fill}>{text}</text>",
                ),
                x = x,
                y = y,
                size = size,
                anchor = anchor,
                fill = fill,
                text = text,
            )
        }
    }
}

/// Writes the SVG attributes of the fill.
impl fmt::Display for Fill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fill::Plain(Ink { rgb, opacity: 1.0 }) => write!(f, r##"fill="#{rgb:06x}""##),
            Fill::Plain(Ink { rgb, opacity }) => {
                write!(f, r##"fill="#{rgb:06x}" fill-opacity="{opacity}""##)
            }
            Fill::Gradient(gradient) => write!(f, r#"fill="url(#{})""#, gradient.name),
        }
    }
}
