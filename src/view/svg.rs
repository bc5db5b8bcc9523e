//! SVG charts: panels of bars, lines, bands, intervals, table cells and rules between two axes.

use std::fmt;

/// Colour of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// First item compared, or the only one.
    Blue,
    /// Second item compared.
    Red,
    /// Marks that belong to neither item, such as reference lines.
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

    /// Returns the positions and texts of the labels, at most `most` numbers.
    fn marks(&self, most: f64) -> Vec<(f64, String)> {
        if !self.names.is_empty() {
            let names = self.names.iter().cloned().enumerate();
            return names.map(|(at, name)| (at as f64, name)).collect();
        }
        let (ticks, decimals) = self.ticks(most);
        let ticks = ticks.into_iter();
        ticks.map(|tick| (tick, number(tick, decimals))).collect()
    }

    /// Returns the position of a value on the axis, 0 to 1 within its range.
    /// Values far outside are clamped to -1 and 2, which keeps coordinates small.
    fn fraction(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(-1.0, 2.0)
    }

    /// Returns the round values on the axis and their number of decimals.
    /// The step is the smallest 1, 2 or 5 times a power of ten with at most `most` values.
    fn ticks(&self, most: f64) -> (Vec<f64>, usize) {
        let least = (self.high - self.low) / most;
        let power = 10_f64.powf(least.log10().floor());
        let factors = [1.0, 2.0, 5.0, 10.0];
        let step = factors
            .iter()
            .map(|factor| factor * power)
            .find(|&step| step >= least * (1.0 - 1e-9))
            .unwrap_or(least);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let (from, to) = (
            (self.low / step).ceil() as i64,
            (self.high / step).floor() as i64,
        );
        (
            (from..=to).map(|tick| tick as f64 * step).collect(),
            decimals,
        )
    }
}

#[derive(Clone, Debug)]
enum ChartMark {
    Bars(Tone, Vec<[f64; 3]>),
    Band(Tone, Vec<[f64; 3]>),
    Line(Tone, Vec<[f64; 2]>),
    Intervals(Tone, Vec<([f64; 4], String)>),
    Cells(Vec<([f64; 3], String)>),
    /// Vertical line with a label. An empty text means no label.
    Vertical(f64, String),
    Horizontal(f64, String),
}

/// Chart with title, legend, two axes and marks, drawn in the order they were added.
#[derive(Clone, Debug)]
pub struct Panel {
    title: String,
    legend: Vec<(Tone, String)>,
    x: Axis,
    y: Axis,
    marks: Vec<ChartMark>,
}

impl Panel {
    /// Minimum width of the plot area in pixels. `HEIGHT` is its minimum height.
    const WIDTH: f64 = 430.0;
    const HEIGHT: f64 = 270.0;
    /// Width of a named item on the x axis in pixels. `ROW` is the height of one on the y axis.
    const COLUMN: f64 = 36.0;
    const ROW: f64 = 30.0;
    /// Width of a character of the smallest text, in pixels, rounded up.
    const LETTER: f64 = 7.0;
    /// Margins of the plot area in pixels: axis labels left and below, title and legend on top.
    const LEFT: f64 = 76.0;
    const TOP: f64 = 62.0;
    const BELOW: f64 = 62.0;

    /// Creates an empty chart.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Panel {
        Panel {
            title: title.into(),
            legend: Vec::new(),
            x,
            y,
            marks: Vec::new(),
        }
    }

    /// Adds the meaning of a tone to the legend.
    #[must_use]
    pub fn legend(mut self, tone: Tone, meaning: impl Into<String>) -> Panel {
        self.legend.push((tone, meaning.into()));
        self
    }

    /// Adds bars, each given by its left x, right x and height.
    #[must_use]
    pub fn bars(self, tone: Tone, bars: Vec<[f64; 3]>) -> Panel {
        self.with(ChartMark::Bars(tone, bars))
    }

    /// Adds an area between two lines, given by x, lower y and upper y. Infinite y reach the edge.
    #[must_use]
    pub fn band(self, tone: Tone, points: Vec<[f64; 3]>) -> Panel {
        self.with(ChartMark::Band(tone, points))
    }

    /// Adds a line through points.
    #[must_use]
    pub fn line(self, tone: Tone, points: Vec<[f64; 2]>) -> Panel {
        self.with(ChartMark::Line(tone, points))
    }

    /// Adds horizontal intervals with a text above each, given by y, lower x, value and upper x.
    #[must_use]
    pub fn intervals(self, tone: Tone, intervals: Vec<([f64; 4], String)>) -> Panel {
        self.with(ChartMark::Intervals(tone, intervals))
    }

    /// Adds table cells with a text in each, given by x, y, and a share from 0 (red) to 1 (blue).
    #[must_use]
    pub fn cells(self, cells: Vec<([f64; 3], String)>) -> Panel {
        self.with(ChartMark::Cells(cells))
    }

    /// Adds a dashed vertical line.
    #[must_use]
    pub fn vertical(self, x: f64) -> Panel {
        self.vertical_named(x, "")
    }

    /// Adds a dashed vertical line with a label.
    #[must_use]
    pub fn vertical_named(self, x: f64, meaning: impl Into<String>) -> Panel {
        self.with(ChartMark::Vertical(x, meaning.into()))
    }

    /// Adds a thin horizontal line.
    #[must_use]
    pub fn horizontal(self, y: f64) -> Panel {
        self.horizontal_named(y, "")
    }

    /// Adds a thin horizontal line with a label.
    #[must_use]
    pub fn horizontal_named(self, y: f64, meaning: impl Into<String>) -> Panel {
        self.with(ChartMark::Horizontal(y, meaning.into()))
    }

    fn with(mut self, mark: ChartMark) -> Panel {
        self.marks.push(mark);
        self
    }

    fn width(&self) -> f64 {
        self.x.length(Panel::WIDTH, Panel::COLUMN)
    }

    fn height(&self) -> f64 {
        self.y.length(Panel::HEIGHT, Panel::ROW)
    }

    /// Returns the left margin of the plot area in pixels, wide enough for the labels.
    fn left(&self) -> f64 {
        let names = self.y.names.iter().map(|name| name.chars().count());
        let longest = names.max().unwrap_or(0) as f64;
        Panel::LEFT.max(36.0 + Panel::LETTER * longest)
    }

    /// Converts chart values to pixels from the upper left corner of the plot area.
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (
            self.x.fraction(x) * self.width(),
            (1.0 - self.y.fraction(y)) * self.height(),
        )
    }

    /// Writes the panel. The origin is the upper left corner of its plot area.
    fn draw(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = escaped(&self.title);
        writeln!(f, r#"<text class="title" x="0" y="-38">{title}</text>"#)?;
        self.draw_legend(f)?;
        self.draw_axes(f)?;
        writeln!(f, r#"<g clip-path="url(#plot)">"#)?;
        self.marks
            .iter()
            .try_for_each(|mark| self.draw_mark(f, mark))?;
        writeln!(f, "</g>")?;
        let (width, height) = (self.width(), self.height());
        writeln!(f, r#"<path class="axis" d="M0 0V{height}H{width}"/>"#)
    }

    fn draw_legend(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut x = 0.0;
        for (tone, meaning) in &self.legend {
            let (color, text) = (tone.color(), escaped(meaning));
            write!(
                f,
                r#"<rect x="{x:.0}" y="-24" width="10" height="10" rx="2" fill="{color}"/>"#
            )?;
            writeln!(f, r#"<text x="{:.0}" y="-15">{text}</text>"#, x + 15.0)?;
            x += 36.0 + Panel::LETTER * meaning.chars().count() as f64;
        }
        Ok(())
    }

    fn draw_axes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = (self.width(), self.height());
        for (tick, text) in self.y.marks(6.0) {
            let (_, y) = self.at(self.x.low, tick);
            write!(f, r#"<path class="grid" d="M0 {y:.1}H{width}"/>"#)?;
            writeln!(
                f,
                r#"<text class="end" x="-9" y="{:.1}">{}</text>"#,
                y + 4.0,
                escaped(&text)
            )?;
        }
        for (tick, text) in self.x.marks(8.0) {
            let (x, _) = self.at(tick, self.y.low);
            write!(f, r#"<path class="axis" d="M{x:.1} {height}v5"/>"#)?;
            writeln!(
                f,
                r#"<text class="middle" x="{x:.1}" y="{}">{}</text>"#,
                height + 20.0,
                escaped(&text)
            )?;
        }
        let (x_label, y_label) = (escaped(&self.x.label), escaped(&self.y.label));
        let (x, y) = (width / 2.0, height / 2.0);
        writeln!(
            f,
            r#"<text class="middle label" x="{x}" y="{}">{x_label}</text>"#,
            height + 44.0
        )?;
        write!(
            f,
            r#"<text class="middle label" transform="translate(-52 {y}) rotate(-90)">"#
        )?;
        writeln!(f, "{y_label}</text>")
    }

    fn draw_mark(&self, f: &mut fmt::Formatter<'_>, mark: &ChartMark) -> fmt::Result {
        let path = |points: &mut dyn Iterator<Item = [f64; 2]>| -> String {
            let points: Vec<String> = points
                .map(|[x, y]| {
                    let (x, y) = self.at(x, y);
                    format!("{x:.1} {y:.1}")
                })
                .collect();
            points.join("L")
        };
        match mark {
            ChartMark::Bars(tone, bars) => {
                write!(f, r#"<path fill="{}" d=""#, tone.color())?;
                for &[from, to, height] in bars {
                    let (left, top) = self.at(from, height);
                    let (right, bottom) = self.at(to, 0.0);
                    let (left, right) = (left + GAP / 2.0, right - GAP / 2.0);
                    write!(f, "M{left:.1} {bottom:.1}V{top:.1}H{right:.1}V{bottom:.1}Z")?;
                }
                writeln!(f, r#""/>"#)
            }
            ChartMark::Band(tone, points) if !points.is_empty() => {
                let lower = points.iter().map(|&[x, low, _]| [x, low]);
                let upper = points.iter().rev().map(|&[x, _, high]| [x, high]);
                let outline = path(&mut lower.chain(upper));
                let color = tone.color();
                writeln!(
                    f,
                    r#"<path fill="{color}" fill-opacity="0.18" d="M{outline}Z"/>"#
                )
            }
            ChartMark::Line(tone, points) if !points.is_empty() => {
                let line = path(&mut points.iter().copied());
                let color = tone.color();
                writeln!(f, r#"<path class="line" stroke="{color}" d="M{line}"/>"#)
            }
            ChartMark::Band(..) | ChartMark::Line(..) => Ok(()),
            ChartMark::Intervals(tone, intervals) => self.draw_intervals(f, *tone, intervals),
            ChartMark::Cells(cells) => self.draw_cells(f, cells),
            ChartMark::Vertical(x, meaning) => {
                let (x, _) = self.at(*x, self.y.low);
                let (width, height) = (self.width(), self.height());
                // A light outline keeps the line visible across bars.
                writeln!(f, r#"<path class="edge" d="M{x:.1} 0V{height}"/>"#)?;
                writeln!(f, r#"<path class="mark" d="M{x:.1} 0V{height}"/>"#)?;
                // The label goes to the side with more room.
                let (class, x) = if x > width / 2.0 {
                    ("end", x - LABEL_GAP)
                } else {
                    ("start", x + LABEL_GAP)
                };
                label(f, class, x, FIRST_LINE, meaning)
            }
            ChartMark::Horizontal(y, meaning) => {
                let (_, y) = self.at(self.x.low, *y);
                writeln!(f, r#"<path class="axis" d="M0 {y:.1}H{}"/>"#, self.width())?;
                label(f, "start", LABEL_GAP, y - LABEL_GAP, meaning)
            }
        }
    }

    fn draw_intervals(
        &self,
        f: &mut fmt::Formatter<'_>,
        tone: Tone,
        intervals: &[([f64; 4], String)],
    ) -> fmt::Result {
        let color = tone.color();
        intervals
            .iter()
            .try_for_each(|([y, from, value, to], text)| {
                let ((left, y), (right, _)) = (self.at(*from, *y), self.at(*to, *y));
                let ((x, _), text) = (self.at(*value, 0.0), escaped(text));
                let ends = format!("M{left:.1} {:.1}v8m0 -4H{right:.1}m0 -4v8", y - 4.0);
                write!(f, r#"<path class="line" stroke="{color}" d="{ends}"/>"#)?;
                write!(
                    f,
                    r#"<circle cx="{x:.1}" cy="{y:.1}" r="4" fill="{color}"/>"#
                )?;
                writeln!(
                    f,
                    r#"<text class="middle" x="{x:.1}" y="{:.1}">{text}</text>"#,
                    y - 8.0
                )
            })
    }

    fn draw_cells(&self, f: &mut fmt::Formatter<'_>, cells: &[([f64; 3], String)]) -> fmt::Result {
        // A white background hides the grid lines, which would cross the texts.
        let (width, height) = (self.width(), self.height());
        writeln!(
            f,
            r##"<rect width="{width}" height="{height}" fill="#ffffff"/>"##
        )?;
        cells.iter().try_for_each(|([x, y, share], text)| {
            let tone = if *share < 0.5 { Tone::Red } else { Tone::Blue };
            let ((left, top), (right, bottom)) =
                (self.at(x - 0.5, y + 0.5), self.at(x + 0.5, y - 0.5));
            let (width, height) = (right - left - GAP, bottom - top - GAP);
            let ((x, y), text) = (self.at(*x, *y), escaped(text));
            write!(
                f,
                r#"<rect x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}""#
            )?;
            write!(
                f,
                r#" fill="{}" fill-opacity="{:.2}"/>"#,
                tone.color(),
                (share - 0.5).abs()
            )?;
            writeln!(
                f,
                r#"<text class="middle" x="{x:.1}" y="{:.1}">{text}</text>"#,
                y + 4.0
            )
        })
    }
}

/// Gap between bars in pixels.
const GAP: f64 = 1.0;

/// Panels side by side under one title.
///
/// ```
/// use emilia::view::{Axis, Figure, Panel, Tone};
/// let (depth, error) = (Axis::new("depth (plies)", 1.0, 3.0), Axis::new("discs", 0.0, 5.0));
/// let panel = Panel::new("error", depth, error)
///     .line(Tone::Blue, vec![[1.0, 4.5], [2.0, 3.2], [3.0, 2.9]]);
/// let figure = Figure {
///     title: "Search".into(),
///     subtitle: "12 positions".into(),
///     panels: vec![panel],
/// };
/// assert!(figure.to_string().starts_with("<svg "));
/// ```
#[derive(Clone, Debug)]
pub struct Figure {
    /// Title of the figure.
    pub title: String,
    /// Line below the title.
    pub subtitle: String,
    /// Charts from left to right.
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

/// Formats the SVG document.
impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MARGIN: f64 = 24.0;
        const HEADING: f64 = 66.0;
        let widest = self.panels.iter().map(Panel::width);
        let widest = widest.fold(Panel::WIDTH, f64::max);
        let highest = self.panels.iter().map(Panel::height);
        let highest = highest.fold(Panel::HEIGHT, f64::max);
        let step = |panel: &Panel| panel.left() + panel.width() + MARGIN;
        let width = self.panels.iter().map(step).sum::<f64>() + MARGIN / 2.0;
        let height = HEADING + Panel::TOP + highest + Panel::BELOW;
        let (title, subtitle) = (escaped(&self.title), escaped(&self.subtitle));
        write!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}""#
        )?;
        writeln!(f, r#" width="{width}" height="{height}">"#)?;
        writeln!(f, "<title>{title}</title>\n<style>{STYLE}</style>")?;
        writeln!(
            f,
            r#"<clipPath id="plot"><rect width="{widest}" height="{highest}"/></clipPath>"#
        )?;
        writeln!(
            f,
            r##"<rect width="{width}" height="{height}" fill="#ffffff"/>"##
        )?;
        writeln!(
            f,
            r#"<text class="heading" x="{MARGIN}" y="36">{title}</text>"#
        )?;
        writeln!(
            f,
            r#"<text class="label" x="{MARGIN}" y="58">{subtitle}</text>"#
        )?;
        let mut before = 0.0;
        for panel in &self.panels {
            let (x, y) = (before + panel.left(), HEADING + Panel::TOP);
            before += step(panel);
            writeln!(f, r#"<g transform="translate({x} {y})">"#)?;
            panel.draw(f)?;
            writeln!(f, "</g>")?;
        }
        writeln!(f, "</svg>")
    }
}

/// Distance between a line and its label, in pixels.
const LABEL_GAP: f64 = 5.0;

/// Baseline of a text at the top of the plot area, in pixels.
const FIRST_LINE: f64 = 14.0;

/// Writes the label of a line. Writes nothing if `meaning` is empty.
fn label(f: &mut fmt::Formatter<'_>, class: &str, x: f64, y: f64, meaning: &str) -> fmt::Result {
    if meaning.is_empty() {
        return Ok(());
    }
    let meaning = escaped(meaning);
    writeln!(
        f,
        r#"<text class="{class} meaning" x="{x:.1}" y="{y:.1}">{meaning}</text>"#
    )
}

/// Formats a number with a typographic minus sign.
fn number(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}").replace('-', "−")
}

/// Escapes text for XML. Control characters are left out, because XML forbids them.
pub(super) fn escaped(text: &str) -> String {
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
