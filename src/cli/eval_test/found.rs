//! Errors over all positions, written as tables or as JSON sums.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Known;
use super::errors::{Errors, figure};
use crate::cli::json::Reach;
use crate::cli::terminal::width;
use crate::cli::{Failure, Verdict, json};
use crate::search::Depth;
use crate::view::{Align, Table};

/// Kind of this line in the JSON schema.
pub(in crate::cli) const KIND: &str = "errors";

/// Errors over all positions.
#[derive(Debug, Default)]
pub(in crate::cli) struct Found {
    /// Errors after each iteration, over the positions that completed it, shallowest first.
    pub(super) iterations: BTreeMap<Depth, Errors>,
    /// Errors at the end of the searches, by number of empties.
    by_empties: BTreeMap<u32, Errors>,
    /// Duration of all searches.
    pub(super) time: Duration,
}

/// JSON object of [`Found`].
#[derive(Serialize, Deserialize)]
struct Object {
    seconds: f64,
    depths: Vec<AtDepth>,
    empties: Vec<AtEmpties>,
}

#[derive(Serialize, Deserialize)]
struct AtDepth {
    #[serde(flatten)]
    reach: Reach,
    #[serde(flatten)]
    errors: Errors,
}

#[derive(Serialize, Deserialize)]
struct AtEmpties {
    empties: u32,
    #[serde(flatten)]
    errors: Errors,
}

impl Found {
    /// Adds the errors at the end of a search.
    pub(super) fn add_result(&mut self, known: &Known, errors: Errors) {
        let empties = known.position.board.empty_count();
        *self.by_empties.entry(empties).or_default() += errors;
    }

    /// Returns the errors at the end of the searches, over all positions.
    pub(super) fn result(&self) -> Errors {
        let mut result = Errors::default();
        for &errors in self.by_empties.values() {
            result += errors;
        }
        result
    }

    pub(in crate::cli) fn merge(&mut self, other: Found) {
        for (iteration, errors) in other.iterations {
            *self.iterations.entry(iteration).or_default() += errors;
        }
        for (empties, errors) in other.by_empties {
            *self.by_empties.entry(empties).or_default() += errors;
        }
        self.time = self.time.saturating_add(other.time);
    }

    /// Parses a JSON line.
    ///
    /// # Errors
    /// If the line is of another kind or schema.
    pub(in crate::cli) fn read(line: &str) -> Result<Found, String> {
        json::check_schema(line.as_bytes())?;
        let object: Object = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let mut found = Found {
            time: Duration::try_from_secs_f64(object.seconds).unwrap_or_default(),
            ..Found::default()
        };
        for AtDepth { reach, errors } in object.depths {
            *found.iterations.entry(reach.try_into()?).or_default() += errors;
        }
        for AtEmpties { empties, errors } in object.empties {
            *found.by_empties.entry(empties).or_default() += errors;
        }
        Ok(found)
    }

    /// Writes the tables and the fixed last line, or the JSON line.
    pub(in crate::cli) fn write(
        &self,
        json: bool,
        out: &mut dyn Write,
    ) -> Result<Verdict, Failure> {
        if json {
            let depths = self.iterations.iter().map(|(&depth, &errors)| AtDepth {
                reach: depth.into(),
                errors,
            });
            let empties = self.by_empties.iter();
            let empties = empties.map(|(&empties, &errors)| AtEmpties { empties, errors });
            let object = Object {
                seconds: self.time.as_secs_f64(),
                depths: depths.collect(),
                empties: empties.collect(),
            };
            json::write(KIND, &object, out)?;
        } else {
            print(self, out)?;
        }
        Ok(Verdict::Yes)
    }
}

fn print(found: &Found, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new([
        ("depth", Align::Right),
        ("positions", Align::Right),
        ("MAE", Align::Right),
        ("mean error", Align::Right),
        ("RMSE", Align::Right),
        ("best %", Align::Right),
        ("lost/move", Align::Right),
        ("nodes", Align::Right),
    ]);
    for (depth, errors) in &found.iterations {
        table.row(row(depth.to_string(), errors));
    }
    let result = &found.result();
    table.row(row("result".to_owned(), result));
    writeln!(out, "{}", table.fitted(width()))?;
    let by_empties = empties_table(&found.by_empties);
    writeln!(out, "{}", by_empties.fitted(width()))?;
    writeln!(
        out,
        "eval-test: {} positions, MAE {}, best {} %, {:.3} s, {} nodes",
        result.positions,
        figure(result.mean_absolute()),
        figure(result.best_percent()),
        found.time.as_secs_f64(),
        result.nodes
    )
}

/// Returns the table of errors at the end of the searches, by number of empties.
fn empties_table(by_empties: &BTreeMap<u32, Errors>) -> Table {
    let columns = ["empties", "positions", "exact", "MAE", "mean error", "RMSE"];
    let mut table = Table::new(columns.map(|name| (name, Align::Right)));
    for (empties, errors) in by_empties {
        let [empties, positions, mae, mean, rmse, ..] = row(empties.to_string(), errors);
        let exact = errors.exact.to_string();
        table.row([empties, positions, exact, mae, mean, rmse]);
    }
    table
}

fn row(depth: String, errors: &Errors) -> [String; 8] {
    [
        depth,
        errors.positions.to_string(),
        figure(errors.mean_absolute()),
        errors
            .mean()
            .map_or_else(|| figure(None), |mean| format!("{mean:+.2}")),
        figure(errors.root_mean_square()),
        figure(errors.best_percent()),
        figure(errors.lost_per_move()),
        errors.nodes.to_string(),
    ]
}
