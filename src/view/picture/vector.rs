//! Writer of drawings as SVG documents.

use std::collections::BTreeMap;
use std::fmt;

use super::shapes::{Anchor, Drawing, Gradient, Ink, Paint, Shape};
use crate::chart::escaped;

/// Font families of the text, in order of preference.
const FONTS: &str =
    "Inter,system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Helvetica,Arial,sans-serif";

/// Writes the SVG document.
impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Drawing { width, height, .. } = self;
        let title = escaped(&self.title);
        let head = r#"<svg xmlns="http://www.w3.org/2000/svg" role="img""#;
        writeln!(
            f,
            r#"{head} viewBox="0 0 {width} {height}" width="{width}" height="{height}"
font-family="{FONTS}" font-weight="600">
<title>{title}</title>
<defs>"#
        )?;
        let gradients = self.shapes.iter().filter_map(|(_, paint)| match paint {
            Paint::Gradient(gradient) => Some((gradient.name, *gradient)),
            Paint::Fill(_) | Paint::Stroke(..) => None,
        });
        for gradient in gradients.collect::<BTreeMap<_, _>>().into_values() {
            write_gradient(f, gradient)?;
        }
        writeln!(f, "</defs>")?;
        for (shape, paint) in &self.shapes {
            write_shape(f, shape, *paint)?;
        }
        writeln!(f, "</svg>")
    }
}

fn write_gradient(f: &mut fmt::Formatter<'_>, gradient: &Gradient) -> fmt::Result {
    let Gradient { name, radius, .. } = gradient;
    let (x, y) = gradient.center;
    let place = format!(r#"cx="{x}" cy="{y}" r="{radius}""#);
    write!(f, r#"<radialGradient id="{name}" {place}>"#)?;
    for (offset, Ink { rgb, opacity }) in gradient.stops {
        let color = format!(r##"stop-color="#{rgb:06x}" stop-opacity="{opacity}""##);
        write!(f, r#"<stop offset="{offset}" {color}/>"#)?;
    }
    writeln!(f, "</radialGradient>")
}

fn write_shape(f: &mut fmt::Formatter<'_>, shape: &Shape, paint: Paint) -> fmt::Result {
    match shape {
        Shape::Rectangle((x, y), (width, height), rounding) => {
            let size = format!(r#"width="{width}" height="{height}" rx="{rounding}""#);
            writeln!(f, r#"<rect x="{x}" y="{y}" {size} {paint}/>"#)
        }
        Shape::Circle((x, y), radius) => {
            writeln!(f, r#"<circle cx="{x}" cy="{y}" r="{radius}" {paint}/>"#)
        }
        Shape::Lines(lines) => {
            let line = |[(x, y), (to_x, to_y)]: &[_; 2]| format!("M{x} {y}L{to_x} {to_y}");
            let lines: String = lines.iter().map(line).collect();
            writeln!(f, r#"<path d="{lines}" {paint}/>"#)
        }
        Shape::Text(text) => {
            let ((x, y), size, content) = (text.at, text.size, escaped(&text.content));
            let anchor = match text.anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            let style = format!(r#"font-size="{size}" text-anchor="{anchor}""#);
            writeln!(
                f,
                r#"<text x="{x}" y="{y}" {style} {paint}>{content}</text>"#
            )
        }
    }
}

/// Writes the SVG attributes of the paint.
impl fmt::Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Paint::Fill(Ink { rgb, opacity: 1.0 }) => write!(f, r##"fill="#{rgb:06x}""##),
            Paint::Fill(Ink { rgb, opacity }) => {
                write!(f, r##"fill="#{rgb:06x}" fill-opacity="{opacity}""##)
            }
            Paint::Gradient(gradient) => write!(f, r#"fill="url(#{})""#, gradient.name),
            Paint::Stroke(Ink { rgb, opacity }, width) => {
                let color = format!(r##"stroke="#{rgb:06x}" stroke-opacity="{opacity}""##);
                write!(f, r#"fill="none" {color} stroke-width="{width}""#)
            }
        }
    }
}
