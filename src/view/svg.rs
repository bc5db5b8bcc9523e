//! Charts as SVG: panels with bars, lines, bands, intervals, cells and rules between two axes.

use std::fmt;

/// What a mark is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The first thing compared, or the only one.
    Blue,
    /// The second thing compared.
    Red,
    /// What is neither.
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

/// What a direction of a panel measures, and from where to where.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    label: String,
    low: f64,
    high: f64,
    /// What stands at 0, 1, 2 and so on; numbers stand at round values without.
    names: Vec<String>,
}

impl Axis {
    /// An axis that shows at least `low` to `high`, which are finite; its label says the unit.
    pub fn new(label: impl Into<String>, low: f64, high: f64) -> Axis {
        Axis {
            label: label.into(),
            low,
            high: if high > low { high } else { low + 1.0 },
            names: Vec::new(),
        }
    }

    /// An axis with things at 0, 1, 2 and so on, each with its name.
    pub fn named(label: impl Into<String>, names: Vec<String>) -> Axis {
        let last = names.len() as f64 - 0.5;
        Axis {
            names,
            ..Axis::new(label, -0.5, last)
        }
    }

    /// The length in pixels that gives each thing with a name this much room, and at least `least`.
    fn length(&self, least: f64, room: f64) -> f64 {
        least.max(room * self.names.len() as f64)
    }

    /// What stands on the axis, no more than `most` numbers, and where.
    fn marks(&self, most: f64) -> Vec<(f64, String)> {
        if !self.names.is_empty() {
            let names = self.names.iter().cloned().enumerate();
            return names.map(|(at, name)| (at as f64, name)).collect();
        }
        let (ticks, decimals) = self.ticks(most);
        let ticks = ticks.into_iter();
        ticks.map(|tick| (tick, number(tick, decimals))).collect()
    }

    /// Where a value is, 0 to 1; values far outside come nearer, so that no number grows out of hand.
    fn fraction(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(-1.0, 2.0)
    }

    /// The round values on the axis: the closest 1, 2 or 5 times a power of ten that makes no more than `most`.
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
enum Mark {
    Bars(Tone, Vec<[f64; 3]>),
    Band(Tone, Vec<[f64; 3]>),
    Line(Tone, Vec<[f64; 2]>),
    Intervals(Tone, Vec<([f64; 4], String)>),
    Cells(Vec<([f64; 3], String)>),
    /// An empty text is none.
    Vertical(f64, String),
    Horizontal(f64, String),
}

/// One chart: a title, a legend, two axes, and the marks between them in the order they were added.
#[derive(Clone, Debug)]
pub struct Panel {
    title: String,
    legend: Vec<(Tone, String)>,
    x: Axis,
    y: Axis,
    marks: Vec<Mark>,
}

impl Panel {
    /// The plot itself, in pixels, at least.
    const WIDTH: f64 = 430.0;
    const HEIGHT: f64 = 270.0;
    /// What a thing with a name takes of these.
    const COLUMN: f64 = 36.0;
    const ROW: f64 = 30.0;
    /// Wide enough for a letter of the smallest text.
    const LETTER: f64 = 7.0;
    /// Room to its left for the labels of its axis, above for title and legend, below for the labels.
    const LEFT: f64 = 76.0;
    const TOP: f64 = 62.0;
    const BELOW: f64 = 62.0;

    /// An empty chart.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Panel {
        Panel {
            title: title.into(),
            legend: Vec::new(),
            x,
            y,
            marks: Vec::new(),
        }
    }

    /// Says what a tone means.
    #[must_use]
    pub fn legend(mut self, tone: Tone, meaning: impl Into<String>) -> Panel {
        self.legend.push((tone, meaning.into()));
        self
    }

    /// Bars, each from x to x and so high.
    #[must_use]
    pub fn bars(self, tone: Tone, bars: Vec<[f64; 3]>) -> Panel {
        self.with(Mark::Bars(tone, bars))
    }

    /// The area between two lines: x, and y from and to; infinite ends reach the edge of the chart.
    #[must_use]
    pub fn band(self, tone: Tone, points: Vec<[f64; 3]>) -> Panel {
        self.with(Mark::Band(tone, points))
    }

    /// A line through points.
    #[must_use]
    pub fn line(self, tone: Tone, points: Vec<[f64; 2]>) -> Panel {
        self.with(Mark::Line(tone, points))
    }

    /// Horizontal intervals with a text above each: y, x from, the value in it, and x to.
    #[must_use]
    pub fn intervals(self, tone: Tone, intervals: Vec<([f64; 4], String)>) -> Panel {
        self.with(Mark::Intervals(tone, intervals))
    }

    /// Cells of a table with a text in each: x, y, and a share from 0 (red) to 1 (blue).
    #[must_use]
    pub fn cells(self, cells: Vec<([f64; 3], String)>) -> Panel {
        self.with(Mark::Cells(cells))
    }

    /// A dashed line at this x.
    #[must_use]
    pub fn vertical(self, x: f64) -> Panel {
        self.vertical_named(x, "")
    }

    /// A dashed line at this x, and what it means.
    #[must_use]
    pub fn vertical_named(self, x: f64, meaning: impl Into<String>) -> Panel {
        self.with(Mark::Vertical(x, meaning.into()))
    }

    /// A thin line at this y.
    #[must_use]
    pub fn horizontal(self, y: f64) -> Panel {
        self.horizontal_named(y, "")
    }

    /// A thin line at this y, and what it means.
    #[must_use]
    pub fn horizontal_named(self, y: f64, meaning: impl Into<String>) -> Panel {
        self.with(Mark::Horizontal(y, meaning.into()))
    }

    fn with(mut self, mark: Mark) -> Panel {
        self.marks.push(mark);
        self
    }

    fn width(&self) -> f64 {
        self.x.length(Panel::WIDTH, Panel::COLUMN)
    }

    fn height(&self) -> f64 {
        self.y.length(Panel::HEIGHT, Panel::ROW)
    }

    /// The room to the left of the plot.
    fn left(&self) -> f64 {
        let names = self.y.names.iter().map(|name| name.chars().count());
        let longest = names.max().unwrap_or(0) as f64;
        Panel::LEFT.max(36.0 + Panel::LETTER * longest)
    }

    /// Pixels from the upper left corner of the plot.
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (
            self.x.fraction(x) * self.width(),
            (1.0 - self.y.fraction(y)) * self.height(),
        )
    }

    /// The panel, the upper left corner of its plot at the origin.
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
            writeln!(
                f,
                r#"<rect x="{x:.0}" y="-24" width="10" height="10" rx="2" fill="{color}"/><text x="{:.0}" y="-15">{text}</text>"#,
                x + 15.0
            )?;
            x += 36.0 + Panel::LETTER * meaning.chars().count() as f64;
        }
        Ok(())
    }

    fn draw_axes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = (self.width(), self.height());
        for (tick, text) in self.y.marks(6.0) {
            let (_, y) = self.at(self.x.low, tick);
            writeln!(
                f,
                r#"<path class="grid" d="M0 {y:.1}H{width}"/><text class="end" x="-9" y="{:.1}">{}</text>"#,
                y + 4.0,
                escaped(&text)
            )?;
        }
        for (tick, text) in self.x.marks(8.0) {
            let (x, _) = self.at(tick, self.y.low);
            writeln!(
                f,
                r#"<path class="axis" d="M{x:.1} {height}v5"/><text class="middle" x="{x:.1}" y="{}">{}</text>"#,
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
        writeln!(
            f,
            r#"<text class="middle label" transform="translate(-52 {y}) rotate(-90)">{y_label}</text>"#
        )
    }

    fn draw_mark(&self, f: &mut fmt::Formatter<'_>, mark: &Mark) -> fmt::Result {
        /// Left free between bars, in pixels.
        const GAP: f64 = 1.0;
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
            Mark::Bars(tone, bars) => {
                write!(f, r#"<path fill="{}" d=""#, tone.color())?;
                for &[from, to, height] in bars {
                    let (left, top) = self.at(from, height);
                    let (right, bottom) = self.at(to, 0.0);
                    let (left, right) = (left + GAP / 2.0, right - GAP / 2.0);
                    write!(f, "M{left:.1} {bottom:.1}V{top:.1}H{right:.1}V{bottom:.1}Z")?;
                }
                writeln!(f, r#""/>"#)
            }
            Mark::Band(tone, points) if !points.is_empty() => {
                let lower = points.iter().map(|&[x, low, _]| [x, low]);
                let upper = points.iter().rev().map(|&[x, _, high]| [x, high]);
                let outline = path(&mut lower.chain(upper));
                let color = tone.color();
                writeln!(
                    f,
                    r#"<path fill="{color}" fill-opacity="0.18" d="M{outline}Z"/>"#
                )
            }
            Mark::Line(tone, points) if !points.is_empty() => {
                let line = path(&mut points.iter().copied());
                let color = tone.color();
                writeln!(f, r#"<path class="line" stroke="{color}" d="M{line}"/>"#)
            }
            Mark::Band(..) | Mark::Line(..) => Ok(()),
            Mark::Intervals(tone, intervals) => {
                let color = tone.color();
                intervals.iter().try_for_each(|([y, from, value, to], text)| {
                    let ((left, y), (right, _)) = (self.at(*from, *y), self.at(*to, *y));
                    let ((x, _), text) = (self.at(*value, 0.0), escaped(text));
                    let ends = format!("M{left:.1} {:.1}v8m0 -4H{right:.1}m0 -4v8", y - 4.0);
                    writeln!(
                        f,
                        r#"<path class="line" stroke="{color}" d="{ends}"/><circle cx="{x:.1}" cy="{y:.1}" r="4" fill="{color}"/><text class="middle" x="{x:.1}" y="{:.1}">{text}</text>"#,
                        y - 8.0
                    )
                })
            }
            Mark::Cells(cells) => {
                // The lines of the grid would cross the texts.
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
                writeln!(
                    f,
                    r#"<rect x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}" fill="{}" fill-opacity="{:.2}"/><text class="middle" x="{x:.1}" y="{:.1}">{text}</text>"#,
                    tone.color(),
                    (share - 0.5).abs(),
                    y + 4.0
                )
            })
            }
            Mark::Vertical(x, meaning) => {
                let (x, _) = self.at(*x, self.y.low);
                let (width, height) = (self.width(), self.height());
                // A light edge, for the bars it may cross.
                writeln!(f, r#"<path class="edge" d="M{x:.1} 0V{height}"/>"#)?;
                writeln!(f, r#"<path class="mark" d="M{x:.1} 0V{height}"/>"#)?;
                // On the side that has more room.
                let (class, x) = if x > width / 2.0 {
                    ("end", x - LABEL_GAP)
                } else {
                    ("start", x + LABEL_GAP)
                };
                label(f, class, x, FIRST_LINE, meaning)
            }
            Mark::Horizontal(y, meaning) => {
                let (_, y) = self.at(self.x.low, *y);
                writeln!(f, r#"<path class="axis" d="M0 {y:.1}H{}"/>"#, self.width())?;
                label(f, "start", LABEL_GAP, y - LABEL_GAP, meaning)
            }
        }
    }
}

/// Panels side by side under one title.
///
/// ```
/// use emilia::view::{Axis, Figure, Panel, Tone};
/// let panel = Panel::new("error", Axis::new("depth (plies)", 1.0, 3.0), Axis::new("discs", 0.0, 5.0))
///     .line(Tone::Blue, vec![[1.0, 4.5], [2.0, 3.2], [3.0, 2.9]]);
/// let figure = Figure { title: "Search".into(), subtitle: "12 positions".into(), panels: vec![panel] };
/// assert!(figure.to_string().starts_with("<svg "));
/// ```
#[derive(Clone, Debug)]
pub struct Figure {
    /// The heading.
    pub title: String,
    /// A line below it.
    pub subtitle: String,
    /// The charts, from left to right.
    pub panels: Vec<Panel>,
}

/// Fonts and lines. Every text that has no class of its own is a small one.
const STYLE: &str = "\
text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Helvetica,Arial,sans-serif;fill:#3c4148}\
.heading{font-size:19px;font-weight:600;fill:#1d2126}.title{font-size:14px;font-weight:600;fill:#1d2126}\
.label{font-size:13px}\
.meaning{paint-order:stroke;stroke:#ffffff;stroke-width:3px}\
.end{text-anchor:end}.middle{text-anchor:middle}\
.grid{stroke:#e4e7eb;fill:none}.axis{stroke:#6b717a;fill:none}.edge{stroke:#ffffff;stroke-width:2;stroke-opacity:0.7}.mark{stroke:#1d2126;stroke-dasharray:5 4;fill:none}\
.line{stroke-width:2;stroke-linejoin:round;fill:none}";

/// The SVG document.
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
        writeln!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">"#
        )?;
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

/// From a line to the text that says what it means, in pixels.
const LABEL_GAP: f64 = 5.0;

/// The baseline of a text at the upper edge of a plot.
const FIRST_LINE: f64 = 14.0;

/// Writes what a line means; nothing where it says nothing.
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

/// With the minus sign of a typesetter.
fn number(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}").replace('-', "−")
}

/// Text that XML takes as text; control characters, which it does not take at all, are left out.
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
