//! Tables with aligned columns.

use std::fmt;

use super::terminal::{cut, wrap};

/// Where the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// The columns of a table whose rows are shown one at a time, as soon as they are known: their names, and as wide as
/// they are told to be.
///
/// ```
/// use emilia::view::{Align, Columns};
/// let columns = Columns::new([("move", Align::Left, 6), ("nodes", Align::Right, 9)]);
/// assert_eq!(columns.heading(), "move        nodes");
/// assert_eq!(columns.row(["f5", "1,024"]), "f5          1,024");
/// ```
#[derive(Clone, Debug)]
pub struct Columns {
    heading: Vec<String>,
    columns: Vec<(Align, usize)>,
}

impl Columns {
    /// The gap between columns.
    const GAP: &str = "  ";

    /// Columns of these names and widths; a name is never wider.
    pub fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Align, usize)>) -> Columns {
        let (heading, columns) = columns
            .into_iter()
            .map(|(name, align, width)| (name.to_owned(), (align, width.max(length(name)))))
            .unzip();
        Columns { heading, columns }
    }

    /// The names over their columns, without the end of the line.
    pub fn heading(&self) -> String {
        self.row(&self.heading)
    }

    /// The cells in their columns, without the end of the line and spaces before it. Cells beyond the last column are
    /// left out.
    pub fn row<C: AsRef<str>>(&self, cells: impl IntoIterator<Item = C>) -> String {
        let cells: Vec<String> = cells
            .into_iter()
            .zip(&self.columns)
            .map(|(cell, &(align, width))| match align {
                Align::Left => format!("{:<width$}", cell.as_ref()),
                Align::Right => format!("{:>width$}", cell.as_ref()),
            })
            .collect();
        cells.join(Columns::GAP).trim_end().to_owned()
    }
}

/// How many columns of a terminal a cell takes.
fn length(cell: &str) -> usize {
    cell.chars().count()
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
    columns: Columns,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings, and no rows yet.
    pub fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Align)>) -> Table {
        let columns = columns.into_iter().map(|(name, align)| (name, align, 0));
        Table {
            columns: Columns::new(columns),
            rows: Vec::new(),
        }
    }

    /// Adds a row. Cells that are missing stay blank; cells beyond the last column are left out.
    pub fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        for ((_, width), cell) in self.columns.columns.iter_mut().zip(&cells) {
            *width = length(cell).max(*width);
        }
        self.rows.push(cells);
    }
}

impl Table {
    /// The table with the last column wrapped, so that it fits `width` columns if the others leave it some.
    pub fn wrapped(&self, width: usize) -> String {
        let others = self.columns.columns.split_last().map_or(0, |(_, others)| {
            others
                .iter()
                .map(|&(_, width)| width + Columns::GAP.len())
                .sum()
        });
        let lines = self.lines().map(|line| wrap(&line, width, others) + "\n");
        lines.collect()
    }

    /// The lines of the table, each cut to `width` columns between words.
    pub fn cut(&self, width: usize) -> String {
        let lines = self.lines().map(|line| cut(&line, width).to_owned() + "\n");
        lines.collect()
    }

    fn lines(&self) -> impl Iterator<Item = String> {
        let rows = self.rows.iter().map(|row| self.columns.row(row));
        std::iter::once(self.columns.heading()).chain(rows)
    }
}

/// A line for the heading and for each row, no spaces at its end.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.lines() {
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}
