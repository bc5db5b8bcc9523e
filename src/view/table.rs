//! Tables with aligned columns, as wide as the terminal at most.

use std::fmt;

use super::terminal::{cut, wrap};

/// Where the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words. Where the names of the rows are too long, they are shortened.
    Left,
    /// Numbers.
    Right,
    /// A line of play: cut between words where the room ends. Only the last column is one.
    Line,
}

/// A column of a table.
#[derive(Clone, Debug)]
struct Column {
    name: String,
    align: Align,
    /// How many columns of the terminal a cell takes.
    width: usize,
}

impl Column {
    /// The least room for a line of play: three moves.
    const LEAST_LINE: usize = 8;

    fn new((name, align, width): (&str, Align, usize)) -> Column {
        Column {
            name: name.to_owned(),
            align,
            width: width.max(length(name)),
        }
    }

    /// The least width that is of use.
    fn least(&self) -> usize {
        match self.align {
            Align::Left | Align::Right => self.width,
            Align::Line => self.width.min(Column::LEAST_LINE),
        }
    }

    /// The cell at its place; of the last column with spaces after it.
    fn cell(&self, text: &str) -> String {
        let width = self.width;
        match self.align {
            Align::Left if length(text) > width => {
                let kept = text.chars().take(width.saturating_sub(1));
                kept.chain(['…']).collect()
            }
            Align::Left => format!("{text:<width$}"),
            Align::Right => format!("{text:>width$}"),
            Align::Line => cut(text, width).to_owned(),
        }
    }
}

/// The columns of a table whose rows are shown one at a time, as soon as they are known.
///
/// The columns fit the terminal: those that do not are left out, the last first, so the important
/// ones stand first. The columns that name the row stay: the first one, and the second where it has
/// words and the first one numbers.
///
/// ```
/// use emilia::view::{Align, Columns};
/// let names = [("move", Align::Left, 6), ("nodes", Align::Right, 9), ("time", Align::Right, 5)];
/// let columns = Columns::new(names, 20);
/// assert_eq!(columns.heading(), "move        nodes");
/// assert_eq!(columns.row(["f5", "1,024", "0.1"]), "f5          1,024");
/// assert_eq!(columns.note().lines().next(), Some("left out to fit 20"));
/// ```
#[derive(Clone, Debug)]
pub struct Columns {
    /// Those that fit.
    kept: Vec<Column>,
    /// The names of the columns that do not fit.
    left_out: Vec<String>,
    /// The width of the terminal.
    terminal: usize,
    /// The width that all columns take.
    full: usize,
}

impl Columns {
    /// The gap between columns.
    const GAP: &str = "  ";

    /// Where columns do not fit, a name of a row is shortened to half of the terminal, but not
    /// below this.
    const LEAST_NAME: usize = 24;

    /// Columns of these names and widths, as many as fit `terminal` columns. A column is as wide as
    /// its name at least.
    pub fn new<'a>(
        columns: impl IntoIterator<Item = (&'a str, Align, usize)>,
        terminal: usize,
    ) -> Columns {
        Columns::fitted(columns.into_iter().map(Column::new).collect(), terminal)
    }

    fn fitted(mut columns: Vec<Column>, terminal: usize) -> Columns {
        let full = taken(&columns, |column| column.width);
        let least = |columns: &[Column]| taken(columns, Column::least);
        let name = match columns.as_slice() {
            [first, second, ..] if first.align == Align::Right && second.align == Align::Left => 1,
            _ => 0,
        };
        let longest_name = columns.get(name).map_or(0, |column| column.width);
        if least(&columns) > terminal {
            let most = Columns::LEAST_NAME.max(terminal / 2);
            columns[name].width = longest_name.min(most);
        }
        let mut left_out = Vec::new();
        while columns.len() > name + 1 && least(&columns) > terminal {
            left_out.extend(columns.pop().map(|column| column.name));
        }
        left_out.reverse();
        // The room that is left belongs to the name, then to the line of play.
        let others = least(&columns) - columns.get(name).map_or(0, Column::least);
        if let Some(name) = columns.get_mut(name) {
            name.width = longest_name.min(terminal.saturating_sub(others));
        }
        let spare = terminal.saturating_sub(least(&columns));
        if let Some(line) = columns.last_mut().filter(|last| last.align == Align::Line) {
            line.width = line.least().saturating_add(spare);
        }
        Columns {
            kept: columns,
            left_out,
            terminal,
            full,
        }
    }

    /// The names over their columns, without the end of the line.
    pub fn heading(&self) -> String {
        self.row(self.kept.iter().map(|column| &column.name))
    }

    /// The cells in their columns, without the end of the line and spaces before it. Cells beyond the last column are
    /// left out.
    pub fn row<C: AsRef<str>>(&self, cells: impl IntoIterator<Item = C>) -> String {
        let cells: Vec<String> = (cells.into_iter().zip(&self.kept))
            .map(|(cell, column)| column.cell(cell.as_ref()))
            .collect();
        cells.join(Columns::GAP).trim_end().to_owned()
    }

    /// What stands below the table where columns were left out: their names and how to see them,
    /// with the end of the line. Empty where all columns fit.
    pub fn note(&self) -> String {
        let Columns { terminal, full, .. } = self;
        if self.left_out.is_empty() {
            return String::new();
        }
        let names = self.left_out.join(", ");
        let note = format!(
            "left out to fit {terminal} columns: {names} (all with COLUMNS={full} or a wider \
             terminal)"
        );
        wrap(&note, *terminal, 2) + "\n"
    }
}

/// How many columns of a terminal a text takes.
fn length(text: &str) -> usize {
    text.chars().count()
}

/// How many columns of a terminal all of these take with the gaps between them.
fn taken(columns: &[Column], width: impl Fn(&Column) -> usize) -> usize {
    let gaps = Columns::GAP.len() * columns.len().saturating_sub(1);
    columns.iter().map(width).sum::<usize>() + gaps
}

/// Rows of text under a heading, in columns as wide as their widest cell.
///
/// ```
/// use emilia::view::{Align, Table};
/// let mut table = Table::new([("move", Align::Left), ("nodes", Align::Right)]);
/// table.row(["f5", "1"]);
/// table.row(["d6", "1,024"]);
/// assert_eq!(table.to_string(), "\
/// move  nodes
/// f5        1
/// d6    1,024
/// ");
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings, and no rows yet.
    pub fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Align)>) -> Table {
        let columns = columns.into_iter();
        let columns = columns.map(|(name, align)| Column::new((name, align, 0)));
        Table {
            columns: columns.collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row. Cells that are missing stay blank; cells beyond the last column are left out.
    pub fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        for (column, cell) in self.columns.iter_mut().zip(&cells) {
            column.width = length(cell).max(column.width);
        }
        self.rows.push(cells);
    }

    /// The table in lines of at most `terminal` columns. [`Columns`] that do not fit are left out
    /// and named below it.
    pub fn fitted(&self, terminal: usize) -> String {
        let columns = self.columns(terminal);
        let lines: String = self.lines(&columns).map(|line| line + "\n").collect();
        lines + &columns.note()
    }

    /// The table with the last column wrapped, so that it fits `width` columns if the others leave it some.
    pub fn wrapped(&self, width: usize) -> String {
        let others = self.columns.split_last().map_or(0, |(_, others)| {
            others
                .iter()
                .map(|column| column.width + Columns::GAP.len())
                .sum()
        });
        let columns = self.columns(usize::MAX);
        let lines = self.lines(&columns);
        lines
            .map(|line| wrap(&line, width, others) + "\n")
            .collect()
    }

    fn columns(&self, terminal: usize) -> Columns {
        Columns::fitted(self.columns.clone(), terminal)
    }

    fn lines(&self, columns: &Columns) -> impl Iterator<Item = String> {
        let rows = self.rows.iter().map(|row| columns.row(row));
        std::iter::once(columns.heading()).chain(rows)
    }
}

/// A line for the heading and for each row, no spaces at its end, however wide.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fitted(usize::MAX))
    }
}
