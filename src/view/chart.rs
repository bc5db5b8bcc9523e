//! Charts as SVG: panels of bars and lines between two axes.

use std::fmt;

/// Colour of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// First item compared, or the only one.
    Blue,
    /// Second item compared.
    Red,
}

impl Tone {
    const fn color(self) -> &'static str {
        match self {
            Tone::Blue => "#2f6db5",
            Tone::Red => "#c8553d",
        }
    }

    /// Returns the attributes of a line.
    fn stroke(self) -> String {
        format!(r#"class="line" stroke="{}""#, self.color())
    }
}

/// Axis of a panel: its label and range.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    label: String,
    low: f64,
    high: f64,
}

impl Axis {
    /// Creates an axis from `low` to `high`, both finite. The label gives the unit.
    pub fn new(label: impl Into<String>, low: f64, high: f64) -> Axis {
        Axis {
            label: label.into(),
            low,
            high: if high > low { high } else { low + 1.0 },
        }
    }

    /// Returns the position of a value on the axis, 0 to 1 within its range.
    /// Values far outside are clamped to -1 and 2, which keeps coordinates small.
    fn fraction(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(-1.0, 2.0)
    }

    /// Returns the positions and texts of the labels, at most `most` round values.
    /// Their step is the smallest 1, 2 or 5 times a power of ten that is large enough.
    fn labels(&self, most: f64) -> Vec<(f64, String)> {
        let least = (self.high - self.low) / most;
        let power = 10_f64.powf(least.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let is_enough = |step: &f64| *step >= least * (1.0 - 1e-9);
        let step = steps.into_iter().find(is_enough).unwrap_or(least);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let numbers = (self.low / step).ceil() as i64..=(self.high / step).floor() as i64;
        let values = numbers.map(|number| number as f64 * step);
        let label = |value| format!("{value:.decimals$}").replace('-', "−");
        values.map(|value| (value, label(value))).collect()
    }
}

/// Mark in a panel.
#[derive(Clone, Debug)]
pub enum Mark {
    /// Bars, each given by its left x, right x and height.
    Bars(Tone, Vec<[f64; 3]>),
    /// Line through points.
    Line(Tone, Vec<[f64; 2]>),
    /// Dashed vertical line with a label, which may be empty.
    Vertical(f64, String),
    /// Thin horizontal line with a label, which may be empty.
    Horizontal(f64, String),
}

/// Part of a chart: a title, a legend, two axes, and marks in the order in which they are drawn.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Title of the panel.
    pub title: String,
    /// Meanings of the colours.
    pub legend: Vec<(Tone, String)>,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// What the panel shows.
    pub marks: Vec<Mark>,
}

/// Panels side by side under one title.
///
/// ```
/// use emilia_view::{Axis, Chart, Mark, Panel, Tone};
/// let panel = Panel {
///     title: "Error".into(),
///     legend: Vec::new(),
///     x: Axis::new("depth (plies)", 1.0, 3.0),
///     y: Axis::new("discs", 0.0, 5.0),
///     marks: vec![Mark::Line(Tone::Blue, vec![[1.0, 4.5], [2.0, 3.2], [3.0, 2.9]])],
/// };
/// let chart = Chart {
///     title: "Search".into(),
///     subtitle: "12 positions".into(),
///     panels: vec![panel],
/// };
/// assert!(chart.to_string().starts_with("<svg "));
/// ```
#[derive(Clone, Debug)]
pub struct Chart {
    /// Title of the chart.
    pub title: String,
    /// Line below the title.
    pub subtitle: String,
    /// Panels from left to right.
    pub panels: Vec<Panel>,
}

/// Style sheet: fonts and lines. Texts without a class have the smallest size.
const STYLE: &str = "\
text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Helvetica,Arial,sans-serif;\
fill:#3c4148}\
.heading{font-size:19px;font-weight:600;fill:#1d2126}\
.title{font-size:14px;font-weight:600;fill:#1d2126}\
.label{font-size:13px}\
.meaning{paint-order:stroke;stroke:#ffffff;stroke-width:3px}\
.end{text-anchor:end}.middle{text-anchor:middle}\
.grid{stroke:#e4e7eb;fill:none}.axis{stroke:#6b717a;fill:none}\
.edge{stroke:#ffffff;stroke-width:2;stroke-opacity:0.7}\
.mark{stroke:#1d2126;stroke-dasharray:5 4;fill:none}\
.line{stroke-width:2;stroke-linejoin:round;fill:none}";

/// Margin of the chart and between its panels, and height of its titles, in pixels.
const MARGIN: f64 = 24.0;
const HEADING: f64 = 66.0;

/// Width and height of a plot area, in pixels.
const WIDTH: f64 = 430.0;
const HEIGHT: f64 = 270.0;

/// Margins of a plot area in pixels: axis labels left and below, title and legend on top.
const LEFT: f64 = 76.0;
const TOP: f64 = 62.0;
const BELOW: f64 = 62.0;

/// Width of a character of the smallest text, in pixels, rounded up.
const LETTER: f64 = 7.0;

/// Gap between bars, in pixels.
const GAP: f64 = 1.0;

/// Formats the SVG document.
impl fmt::Display for Chart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut x, y) = (0.0, HEADING + TOP);
        let mut panels = String::new();
        for panel in &self.panels {
            x += LEFT;
            panels += &group(&format!(r#"transform="translate({x} {y})""#), &panel.draw());
            x += WIDTH + MARGIN;
        }
        let (width, height) = (x + MARGIN / 2.0, y + HEIGHT + BELOW);
        let title = escaped(&self.title);
        let head = r#"<svg xmlns="http://www.w3.org/2000/svg""#;
        writeln!(
            f,
            r#"{head} viewBox="0 0 {width} {height}" width="{width}" height="{height}">
<title>{title}</title>
<style>{STYLE}</style>
<clipPath id="plot"><rect width="{WIDTH}" height="{HEIGHT}"/></clipPath>
<rect width="{width}" height="{height}" fill="white"/>"#
        )?;
        f.write_str(&text("heading", MARGIN, 36.0, &self.title))?;
        f.write_str(&text("label", MARGIN, 58.0, &self.subtitle))?;
        writeln!(f, "{panels}</svg>")
    }
}

impl Panel {
    /// Converts chart values to pixels from the upper left corner of the plot area.
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (
            self.x.fraction(x) * WIDTH,
            (1.0 - self.y.fraction(y)) * HEIGHT,
        )
    }

    /// Returns the panel. The origin is the upper left corner of its plot area.
    fn draw(&self) -> String {
        let mut svg = text("title", 0.0, -38.0, &self.title);
        let mut x = 0.0;
        for (tone, meaning) in &self.legend {
            svg += &rectangle([x, -24.0, 10.0, 10.0], *tone, 1.0);
            svg += &text("start", x + 15.0, -15.0, meaning);
            x += 36.0 + LETTER * meaning.chars().count() as f64;
        }
        for (value, label) in self.y.labels(6.0) {
            let (_, y) = self.at(self.x.low, value);
            svg += &path(r#"class="grid""#, &format!("M0 {y:.1}H{WIDTH}"));
            svg += &text("end", -9.0, y + 4.0, &label);
        }
        for (value, label) in self.x.labels(8.0) {
            let (x, _) = self.at(value, self.y.low);
            svg += &path(r#"class="axis""#, &format!("M{x:.1} {HEIGHT}v5"));
            svg += &text("middle", x, HEIGHT + 20.0, &label);
        }
        let (center, middle) = (WIDTH / 2.0, HEIGHT / 2.0);
        svg += &text("middle label", center, HEIGHT + 44.0, &self.x.label);
        let upright = format!(r#"transform="translate(-52 {middle}) rotate(-90)""#);
        svg += &group(&upright, &text("middle label", 0.0, 0.0, &self.y.label));
        let marks: String = self.marks.iter().map(|mark| self.mark(mark)).collect();
        svg += &group(r#"clip-path="url(#plot)""#, &marks);
        svg + &path(r#"class="axis""#, &format!("M0 0V{HEIGHT}H{WIDTH}"))
    }

    fn mark(&self, mark: &Mark) -> String {
        /// Distance between a line and its label, and the baseline of a text at the top.
        const BESIDE: f64 = 5.0;
        const FIRST_LINE: f64 = 14.0;
        match mark {
            Mark::Bars(tone, bars) => {
                let bar = |&[from, to, size]: &[f64; 3]| {
                    let ((left, top), (right, bottom)) = (self.at(from, size), self.at(to, 0.0));
                    let area = [left + GAP / 2.0, top, right - left - GAP, bottom - top];
                    rectangle(area, *tone, 1.0)
                };
                bars.iter().map(bar).collect()
            }
            Mark::Line(tone, points) => path(&tone.stroke(), &self.outline(points.iter().copied())),
            Mark::Vertical(x, label) => {
                let (x, _) = self.at(*x, self.y.low);
                let line = format!("M{x:.1} 0V{HEIGHT}");
                // The label goes to the side with more room.
                let (class, at) = if x > WIDTH / 2.0 {
                    ("end meaning", x - BESIDE)
                } else {
                    ("start meaning", x + BESIDE)
                };
                // A light outline keeps the line visible across bars.
                let edge = path(r#"class="edge""#, &line);
                edge + &path(r#"class="mark""#, &line) + &text(class, at, FIRST_LINE, label)
            }
            Mark::Horizontal(y, label) => {
                let (_, y) = self.at(self.x.low, *y);
                let line = path(r#"class="axis""#, &format!("M0 {y:.1}H{WIDTH}"));
                line + &text("start meaning", BESIDE, y - BESIDE, label)
            }
        }
    }

    /// Returns a line through the points as path data.
    fn outline(&self, points: impl Iterator<Item = [f64; 2]>) -> String {
        let points = points.map(|[x, y]| self.at(x, y));
        let points: Vec<String> = points.map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        format!("M{}", points.join("L"))
    }
}

/// Returns elements with a common attribute.
fn group(attribute: &str, content: &str) -> String {
    format!("<g {attribute}>\n{content}</g>\n")
}

/// Returns a text, or nothing if it is empty.
fn text(class: &str, x: f64, y: f64, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let text = escaped(text);
    format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>\n")
}

/// Returns a path, or nothing if it has no points.
fn path(style: &str, data: &str) -> String {
    if data == "M" {
        return String::new();
    }
    format!("<path {style} d=\"{data}\"/>\n")
}

/// Returns a filled rectangle, given by x, y, width and height.
fn rectangle(area: [f64; 4], tone: Tone, opacity: f64) -> String {
    let ([x, y, width, height], fill) = (area, tone.color());
    let place = format!(r#"x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}""#);
    format!("<rect {place} fill=\"{fill}\" fill-opacity=\"{opacity:.2}\"/>\n")
}

/// Escapes text for XML. Control characters are left out, because XML forbids them.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            control if control.is_control() => {}
            other => escaped.push(other),
        }
    }
    escaped
}
