//! Tables with aligned columns. Stands on nothing.

use std::fmt;

/// Where the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
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
    columns: Vec<Align>,
    /// The heading first.
    rows: Vec<Vec<String>>,
}

impl Table {
    /// The gap between columns.
    const GAP: &str = "  ";

    /// A table with these headings, and no rows yet.
    pub fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Align)>) -> Table {
        let (heading, columns) = columns
            .into_iter()
            .map(|(name, align)| (name.to_owned(), align))
            .unzip();
        Table {
            columns,
            rows: vec![heading],
        }
    }

    /// Adds a row. Cells that are missing stay blank; cells beyond the last column are left out.
    pub fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let row = cells
            .into_iter()
            .take(self.columns.len())
            .map(Into::into)
            .collect();
        self.rows.push(row);
    }

    /// The width of a column in characters.
    fn width(&self, column: usize) -> usize {
        self.rows
            .iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    }
}

/// A line for the heading and for each row, no spaces at its end.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: Vec<usize> = (0..self.columns.len()).map(|at| self.width(at)).collect();
        for row in &self.rows {
            let cells: Vec<String> = row
                .iter()
                .zip(self.columns.iter().zip(&widths))
                .map(|(cell, (align, &width))| match align {
                    Align::Left => format!("{cell:<width$}"),
                    Align::Right => format!("{cell:>width$}"),
                })
                .collect();
            writeln!(f, "{}", cells.join(Table::GAP).trim_end())?;
        }
        Ok(())
    }
}
