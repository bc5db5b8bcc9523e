//! Text tables with aligned columns, at most as wide as the terminal.

use textwrap::core::display_width;

use super::terminal::{cut, wrap};

/// Alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Left, for words. In the column of row names, long texts are shortened.
    Left,
    /// Right, for numbers.
    Right,
    /// Left, for a line of play, which is cut between moves. Only the last column may have this
    /// alignment.
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
    /// Returns the minimum width of the column. A line of play needs space for three moves.
    fn least(&self) -> usize {
        match self.align {
            Align::Left | Align::Right => self.width,
            Align::Line => self.width.min(8),
        }
    }

    /// Returns the text of a cell, padded or cut to the width of the column.
    fn cell(&self, text: &str) -> String {
        let pad = || " ".repeat(self.width.saturating_sub(display_width(text)));
        match self.align {
            Align::Line => cut(text, self.width).to_owned(),
            Align::Right => pad() + text,
            Align::Left if display_width(text) <= self.width => text.to_owned() + &pad(),
            Align::Left => {
                let mut kept = text.to_owned();
                while display_width(&kept) >= self.width && kept.pop().is_some() {}
                kept + "…"
            }
        }
    }
}

/// Columns of a table whose rows are written one at a time.
///
/// Columns that do not fit are left out, the last column first. Important columns should therefore
/// come first.
/// Columns that name the row are always kept: the first column, and the second column if the first
/// has numbers and the second has words.
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
    /// Width of all columns together, including the columns left out.
    full: usize,
}

impl Columns {
    /// Gap between columns.
    const GAP: &str = "  ";

    /// Minimum width in columns of a shortened row name. In a wide terminal, a row name is
    /// shortened to half of the terminal's width.
    const MIN_NAME: usize = 24;

    /// Creates columns with these names, alignments and widths. Keeps the columns that fit in
    /// `terminal` columns of text.
    /// A column is at least as wide as its name.
    pub fn new<'a>(
        columns: impl IntoIterator<Item = (&'a str, Align, usize)>,
        terminal: usize,
    ) -> Columns {
        let mut kept: Vec<Column> = (columns.into_iter())
            .map(|(name, align, width)| Column {
                name: name.to_owned(),
                align,
                width: width.max(display_width(name)),
            })
            .collect();
        let total = |columns: &[Column], width: fn(&Column) -> usize| {
            let gaps = Columns::GAP.len() * columns.len().saturating_sub(1);
            columns.iter().map(width).sum::<usize>() + gaps
        };
        let full = total(&kept, |column| column.width);
        let names = match &kept[..] {
            [first, second, ..] if (first.align, second.align) == (Align::Right, Align::Left) => 2,
            _ => 1,
        };
        if total(&kept, Column::least) > terminal
            && let Some(name) = kept.get_mut(names - 1)
        {
            name.width = name.width.min(Columns::MIN_NAME.max(terminal / 2));
        }
        let mut left_out = Vec::new();
        while kept.len() > names && total(&kept, Column::least) > terminal {
            left_out.extend(kept.pop().map(|column| column.name));
        }
        left_out.reverse();
        let spare = terminal.saturating_sub(total(&kept, Column::least));
        if let Some(line) = kept.last_mut().filter(|last| last.align == Align::Line) {
            line.width = line.least().saturating_add(spare);
        }
        Columns {
            kept,
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
        let aligned: Vec<String> = (cells.into_iter().zip(&self.kept))
            .map(|(cell, column)| column.cell(cell.as_ref()))
            .collect();
        aligned.join(Columns::GAP).trim_end().to_owned()
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
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table with these headings and without rows.
    pub fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Align)>) -> Table {
        let owned = columns
            .into_iter()
            .map(|(name, align)| (name.to_owned(), align));
        Table {
            columns: owned.collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row. Missing cells stay blank, and cells beyond the last column are ignored.
    pub fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Formats the table for a terminal of `terminal` columns. Below the table, a note names the
    /// columns left out: see [`Columns`].
    pub fn fitted(&self, terminal: usize) -> String {
        let named = self.columns.iter().enumerate();
        let widths = named.map(|(index, (name, align))| {
            let cells = self.rows.iter().filter_map(|row| row.get(index));
            let width = cells.map(|cell| display_width(cell)).max();
            (&**name, *align, width.unwrap_or(0))
        });
        let columns = Columns::new(widths, terminal);
        let rows = self.rows.iter().map(|row| columns.row(row));
        let lines: Vec<String> = std::iter::once(columns.heading()).chain(rows).collect();
        lines.join("\n") + "\n" + &columns.note()
    }
}
