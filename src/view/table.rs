//! Text tables with aligned columns, at most as wide as the terminal.

use super::terminal::{cut, wrap};

/// Alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Left, for words. In the column of row names, long texts are shortened.
    Left,
    /// Right, for numbers.
    Right,
    /// Left, for a line of play, cut between moves. Only the last column may have it.
    Line,
}

/// Column of a table.
#[derive(Clone, Debug)]
struct Column {
    name: String,
    align: Align,
    /// Width of a cell in terminal columns.
    width: usize,
}

impl Column {
    /// Minimum width of a line of play: three moves.
    const MIN_LINE: usize = 8;

    fn new((name, align, width): (&str, Align, usize)) -> Column {
        Column {
            name: name.to_owned(),
            align,
            width: width.max(length(name)),
        }
    }

    /// Returns the minimum width of the column.
    fn least(&self) -> usize {
        match self.align {
            Align::Left | Align::Right => self.width,
            Align::Line => self.width.min(Column::MIN_LINE),
        }
    }

    /// Aligns the text in the column. In the last column it may end in spaces.
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

/// Columns of a table whose rows are written one at a time.
///
/// Columns that do not fit are left out from the last on, so the important ones come first.
/// Columns that name the row are always kept: the first one, and the second if the first holds
/// numbers and the second words.
///
/// ```
/// use emilia_view::{Align, Columns};
/// let names = [("move", Align::Left, 6), ("nodes", Align::Right, 9), ("time", Align::Right, 5)];
/// let columns = Columns::new(names, 20);
/// assert_eq!(columns.heading(), "move        nodes");
/// assert_eq!(columns.row(["f5", "1,024", "0.1"]), "f5          1,024");
/// assert_eq!(columns.note().lines().next(), Some("left out to fit 20"));
/// ```
#[derive(Clone, Debug)]
pub struct Columns {
    /// Columns that fit.
    kept: Vec<Column>,
    /// Names of the columns that do not fit.
    left_out: Vec<String>,
    /// Width of the terminal in columns.
    terminal: usize,
    /// Width of all columns together.
    full: usize,
}

impl Columns {
    /// Gap between columns.
    const GAP: &str = "  ";

    /// Minimum width of a shortened row name. Half of the terminal is used if that is more.
    const MIN_NAME: usize = 24;

    /// Creates columns with these names, alignments and widths. Keeps those that fit `terminal`.
    /// A column is at least as wide as its name.
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
            let most = Columns::MIN_NAME.max(terminal / 2);
            columns[name].width = longest_name.min(most);
        }
        let mut left_out = Vec::new();
        while columns.len() > name + 1 && least(&columns) > terminal {
            left_out.extend(columns.pop().map(|column| column.name));
        }
        left_out.reverse();
        // Spare width goes to the row name first, then to the line of play.
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

    /// Formats the names above their columns, without a line break.
    pub fn heading(&self) -> String {
        self.row(self.kept.iter().map(|column| &column.name))
    }

    /// Formats a row without line break or trailing spaces. Extra cells are ignored.
    pub fn row<C: AsRef<str>>(&self, cells: impl IntoIterator<Item = C>) -> String {
        let cells: Vec<String> = (cells.into_iter().zip(&self.kept))
            .map(|(cell, column)| column.cell(cell.as_ref()))
            .collect();
        cells.join(Columns::GAP).trim_end().to_owned()
    }

    /// Formats the note below the table that names the columns left out and how to see them.
    /// Empty if all columns fit.
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

/// Returns the width of a text in terminal columns.
fn length(text: &str) -> usize {
    text.chars().count()
}

/// Returns the total width of the columns and the gaps between them.
fn taken(columns: &[Column], width: impl Fn(&Column) -> usize) -> usize {
    let gaps = Columns::GAP.len() * columns.len().saturating_sub(1);
    columns.iter().map(width).sum::<usize>() + gaps
}

/// Table of text rows under a heading. Columns are as wide as their widest cell.
///
/// ```
/// use emilia_view::{Align, Table};
/// let mut table = Table::new([("move", Align::Left), ("nodes", Align::Right)]);
/// table.row(["f5", "1"]);
/// table.row(["d6", "1,024"]);
/// assert_eq!(table.fitted(80), "\
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
    /// Creates a table with these headings and without rows.
    pub fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Align)>) -> Table {
        let columns = columns.into_iter();
        let columns = columns.map(|(name, align)| Column::new((name, align, 0)));
        Table {
            columns: columns.collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row. Missing cells stay blank, and cells beyond the last column are ignored.
    pub fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        for (column, cell) in self.columns.iter_mut().zip(&cells) {
            column.width = length(cell).max(column.width);
        }
        self.rows.push(cells);
    }

    /// Formats the table for `terminal` columns. A note names the [`Columns`] left out.
    pub fn fitted(&self, terminal: usize) -> String {
        let columns = self.columns(terminal);
        let lines: String = self.lines(&columns).map(|line| line + "\n").collect();
        lines + &columns.note()
    }

    /// Formats the table with the last column wrapped to `width`, if the other columns leave room.
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
