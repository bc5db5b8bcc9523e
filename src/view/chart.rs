//! Charts as SVG: panels of bars, lines, bands, intervals and table cells between two axes.

use std::fmt;

/// Colour of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// First item compared, or the only one.
    Blue,
    /// Second item compared.
    Red,
    /// Marks that belong to neither item.
    Grey,
}

impl Tone {
    const fn color(self) -> &'static str {
        match self {
            Tone::Blue => "#2f6db5",
            Tone::Red => "#c8553d",
            Tone::Grey => "#8a8f98",
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
    /// Labels at 0, 1, 2 and so on. If empty, round values are labelled.
    names: Vec<String>,
}

impl Axis {
    /// Creates an axis from `low` to `high`, both finite. The label gives the unit.
    pub fn new(label: impl Into<String>, low: f64, high: f64) -> Axis {
        Axis {
            label: label.into(),
            low,
            high: if high > low { high } else { low + 1.0 },
            names: Vec::new(),
        }
    }

    /// Creates an axis with named items at 0, 1, 2 and so on.
    pub fn named(label: impl Into<String>, names: Vec<String>) -> Axis {
        let last = names.len() as f64 - 0.5;
        Axis {
            names,
            ..Axis::new(label, -0.5, last)
        }
    }

    /// Returns the length in pixels: `room` for each named item, and at least `least`.
    fn length(&self, least: f64, room: f64) -> f64 {
        least.max(room * self.names.len() as f64)
    }

    /// Returns the position of a value on the axis, 0 to 1 within its range.
    /// Values far outside are clamped to -1 and 2, which keeps coordinates small.
    fn fraction(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(-1.0, 2.0)
    }

    /// Returns the positions and texts of the labels: the names, or at most `most` round values.
    /// Their step is the smallest 1, 2 or 5 times a power of ten that is large enough.
    fn labels(&self, most: f64) -> Vec<(f64, String)> {
        if !self.names.is_empty() {
            let names = self.names.iter().cloned().enumerate();
            return names.map(|(at, name)| (at as f64, name)).collect();
        }
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
    /// Area between two lines, given by x, lower y and upper y. Infinite y reach the edge.
    Band(Tone, Vec<[f64; 3]>),
    /// Line through points.
    Line(Tone, Vec<[f64; 2]>),
    /// Horizontal intervals with a text above each, given by y, lower x, value and upper x.
    Intervals(Tone, Vec<([f64; 4], String)>),
    /// Table cells with a text in each, given by x, y, and a share from 0 (red) to 1 (blue).
    Cells(Vec<([f64; 3], String)>),
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

/// Minimum width and height of a plot area, in pixels.
const WIDTH: f64 = 430.0;
const HEIGHT: f64 = 270.0;

/// Width of a named item on the x axis, and height of one on the y axis, in pixels.
const COLUMN: f64 = 36.0;
const ROW: f64 = 30.0;

/// Margins of a plot area in pixels: axis labels left and below, title and legend on top.
const LEFT: f64 = 76.0;
const TOP: f64 = 62.0;
const BELOW: f64 = 62.0;

/// Width of a character of the smallest text, in pixels, rounded up.
const LETTER: f64 = 7.0;

/// Gap between bars or cells, in pixels.
const GAP: f64 = 1.0;

/// Formats the SVG document.
impl fmt::Display for Chart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plots = self.panels.iter().map(Panel::size);
        let (widest, highest) = plots.fold((WIDTH, HEIGHT), |most, size| {
            (f64::max(most.0, size.0), f64::max(most.1, size.1))
        });
        let (mut x, y) = (0.0, HEADING + TOP);
        let mut panels = String::new();
        for panel in &self.panels {
            x += panel.left();
            panels += &group(&format!(r#"transform="translate({x} {y})""#), &panel.draw());
            x += panel.size().0 + MARGIN;
        }
        let (width, height) = (x + MARGIN / 2.0, y + highest + BELOW);
        let title = escaped(&self.title);
        let head = r#"<svg xmlns="http://www.w3.org/2000/svg""#;
        writeln!(
            f,
            r#"{head} viewBox="0 0 {width} {height}" width="{width}" height="{height}">
<title>{title}</title>
<style>{STYLE}</style>
<clipPath id="plot"><rect width="{widest}" height="{highest}"/></clipPath>
<rect width="{width}" height="{height}" fill="white"/>"#
        )?;
        f.write_str(&text("heading", MARGIN, 36.0, &self.title))?;
        f.write_str(&text("label", MARGIN, 58.0, &self.subtitle))?;
        writeln!(f, "{panels}</svg>")
    }
}

impl Panel {
    /// Returns the size of the plot area in pixels.
    fn size(&self) -> (f64, f64) {
        (self.x.length(WIDTH, COLUMN), self.y.length(HEIGHT, ROW))
    }

    /// Returns the left margin of the plot area in pixels, wide enough for the labels.
    fn left(&self) -> f64 {
        let names = self.y.names.iter().map(|name| name.chars().count());
        LEFT.max(36.0 + LETTER * names.max().unwrap_or(0) as f64)
    }

    /// Converts chart values to pixels from the upper left corner of the plot area.
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let (width, height) = self.size();
        (
            self.x.fraction(x) * width,
            (1.0 - self.y.fraction(y)) * height,
        )
    }

    /// Returns the panel. The origin is the upper left corner of its plot area.
    fn draw(&self) -> String {
        let (width, height) = self.size();
        let mut svg = text("title", 0.0, -38.0, &self.title);
        let mut x = 0.0;
        for (tone, meaning) in &self.legend {
            svg += &rectangle([x, -24.0, 10.0, 10.0], *tone, 1.0);
            svg += &text("start", x + 15.0, -15.0, meaning);
            x += 36.0 + LETTER * meaning.chars().count() as f64;
        }
        for (value, label) in self.y.labels(6.0) {
            let (_, y) = self.at(self.x.low, value);
            svg += &path(r#"class="grid""#, &format!("M0 {y:.1}H{width}"));
            svg += &text("end", -9.0, y + 4.0, &label);
        }
        for (value, label) in self.x.labels(8.0) {
            let (x, _) = self.at(value, self.y.low);
            svg += &path(r#"class="axis""#, &format!("M{x:.1} {height}v5"));
            svg += &text("middle", x, height + 20.0, &label);
        }
        let (center, middle) = (width / 2.0, height / 2.0);
        svg += &text("middle label", center, height + 44.0, &self.x.label);
        let upright = format!(r#"transform="translate(-52 {middle}) rotate(-90)""#);
        svg += &group(&upright, &text("middle label", 0.0, 0.0, &self.y.label));
        let marks: String = self.marks.iter().map(|mark| self.mark(mark)).collect();
        svg += &group(r#"clip-path="url(#plot)""#, &marks);
        svg + &path(r#"class="axis""#, &format!("M0 0V{height}H{width}"))
    }

    fn mark(&self, mark: &Mark) -> String {
        /// Distance between a line and its label, and the baseline of a text at the top.
        const BESIDE: f64 = 5.0;
        const FIRST_LINE: f64 = 14.0;
        let (width, height) = self.size();
        match mark {
            Mark::Bars(tone, bars) => {
                let bar = |&[from, to, size]: &[f64; 3]| {
                    let ((left, top), (right, bottom)) = (self.at(from, size), self.at(to, 0.0));
                    let area = [left + GAP / 2.0, top, right - left - GAP, bottom - top];
                    rectangle(area, *tone, 1.0)
                };
                bars.iter().map(bar).collect()
            }
            Mark::Band(tone, points) => {
                let lower = points.iter().map(|&[x, low, _]| [x, low]);
                let upper = points.iter().rev().map(|&[x, _, high]| [x, high]);
                let fill = format!(r#"fill="{}" fill-opacity="0.18""#, tone.color());
                path(&fill, &self.outline(lower.chain(upper)))
            }
            Mark::Line(tone, points) => path(&tone.stroke(), &self.outline(points.iter().copied())),
            Mark::Intervals(tone, intervals) => {
                let interval = |([y, from, value, to], label): &([f64; 4], String)| {
                    let ((left, y), (right, _)) = (self.at(*from, *y), self.at(*to, *y));
                    let (x, color) = (self.at(*value, 0.0).0, tone.color());
                    let ends = format!("M{left:.1} {:.1}v8m0 -4H{right:.1}m0 -4v8", y - 4.0);
                    let dot =
                        format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{color}\"/>\n");
                    path(&tone.stroke(), &ends) + &dot + &text("middle", x, y - 8.0, label)
                };
                intervals.iter().map(interval).collect()
            }
            Mark::Cells(cells) => {
                // A white background hides the grid lines, which would cross the texts.
                let white =
                    format!("<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n");
                let cell = |([x, y, share], label): &([f64; 3], String)| {
                    let tone = if *share < 0.5 { Tone::Red } else { Tone::Blue };
                    let (left, top) = self.at(x - 0.5, y + 0.5);
                    let (right, bottom) = self.at(x + 0.5, y - 0.5);
                    let area = [left, top, right - left - GAP, bottom - top - GAP];
                    let (x, y) = self.at(*x, *y);
                    rectangle(area, tone, (share - 0.5).abs()) + &text("middle", x, y + 4.0, label)
                };
                white + &cells.iter().map(cell).collect::<String>()
            }
            Mark::Vertical(x, label) => {
                let (x, _) = self.at(*x, self.y.low);
                let line = format!("M{x:.1} 0V{height}");
                // The label goes to the side with more room.
                let (class, at) = if x > width / 2.0 {
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
                let line = path(r#"class="axis""#, &format!("M0 {y:.1}H{width}"));
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
