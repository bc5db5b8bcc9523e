//! Help of all commands, wrapped to the terminal width.
//! A command's own options come first and the shared options last.
//! Shared options without effect in a command are hidden.

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use super::options::DEFAULT_HASH_MIB;
use super::{analyze, eval_test, levels, selfplay, train};
use crate::player::options::EvalName;
use crate::search::level_solve_from;
use crate::view::width;
use crate::view::wrap;

/// Maximum width of help in columns. Wider lines are hard to read.
const WIDEST: usize = 100;

/// Name of the program.
const PROGRAM: &str = env!("CARGO_PKG_NAME");

/// Prefix of the usage line of clap.
const USAGE: &str = "Usage: ";

/// Shared options that a command uses, with their defaults.
#[derive(Clone, Debug)]
struct Uses {
    /// Default hash size as text, or `None` if the command has no transposition table.
    hash: Option<String>,
    /// Default number of threads and their work, or `None` if the command takes no threads.
    threads: Option<(&'static str, ThreadsOf)>,
    /// Default of `--depth` as text, or `None` if there is none.
    depth: Option<String>,
    /// Default of `--exact` as text, shown if the command has that option.
    exact: String,
    /// Ids of the other shared options that the command uses.
    others: &'static [&'static str],
}

/// Work of the threads of a command.
#[derive(Clone, Copy, Debug)]
enum ThreadsOf {
    /// One search at a time, shared by all threads.
    Search,
    /// Many searches or counts, one on each thread.
    Job,
}

impl Uses {
    /// Returns the shared options that `command` uses.
    fn of(command: &str) -> Uses {
        use ThreadsOf::{Job, Search};
        let one_per_core = "one for each core";
        let mib = |size: usize| Some(size.to_string());
        let all = Uses {
            hash: mib(DEFAULT_HASH_MIB),
            threads: Some((one_per_core, Search)),
            depth: None,
            exact: format!("by --depth, {} at depth 8", level_solve_from(8)),
            others: &["eval", "weights", "selectivity", "verbose"],
        };
        let one = Some(("1", Search));
        match command {
            "play" | "emilia" => Uses {
                others: &["eval", "weights", "selectivity", "verbose", "color"],
                ..all
            },
            "match" => Uses {
                hash: Some("by the limits of a player".to_owned()),
                threads: one,
                ..all
            },
            "bench" => Uses {
                threads: one,
                ..all
            },
            "compare" => Uses {
                threads: None,
                ..all
            },
            "eval-test" => Uses {
                hash: mib(eval_test::DEFAULT_HASH_MIB),
                threads: Some((one_per_core, Job)),
                depth: Some(format!("{} without other limits", eval_test::DEFAULT_DEPTH)),
                exact: "off".to_owned(),
                ..all
            },
            "selfplay" => Uses {
                hash: mib(selfplay::HASH_MIB),
                threads: Some((one_per_core, Job)),
                depth: Some(format!(
                    "{}, or {} with --roots; none with --nodes",
                    selfplay::DEFAULT_DEPTH,
                    selfplay::DEFAULT_LEAF_DEPTH
                )),
                exact: format!(
                    "{}, or {} with --roots",
                    selfplay::DEFAULT_EXACT,
                    selfplay::DEFAULT_POSITION_EXACT
                ),
                ..all
            },
            "train" => Uses {
                hash: mib(train::error_model::HASH_MIB),
                threads: Some((one_per_core, Job)),
                others: &["eval", "weights", "verbose"],
                ..all
            },
            "perft" => Uses {
                hash: Some("no table".to_owned()),
                threads: Some(("1", Job)),
                others: &["verbose"],
                ..all
            },
            "analyze" => Uses {
                depth: Some(format!("{} without other limits", analyze::DEPTH)),
                others: &["eval", "weights", "selectivity", "verbose", "color"],
                ..all
            },
            "convert" | "merge" | "completions" | "levels" | "man" => Uses {
                hash: None,
                threads: None,
                others: &["verbose"],
                ..all
            },
            "show" => Uses {
                threads: one,
                others: &["eval", "weights", "selectivity", "verbose", "color"],
                ..all
            },
            _ => all,
        }
    }

    /// Returns the shared options that a command uses with the arguments `given`.
    /// The second value is the missing flag with which it would use more of them.
    fn of_call(command: &str, given: &ArgMatches) -> (Uses, Option<&'static str>) {
        let is_given = |flag: &str| given.get_flag(flag);
        match command {
            "show" if !is_given("scores") => {
                let uses = Uses {
                    hash: None,
                    threads: None,
                    others: &["weights", "verbose", "color"],
                    ..Uses::of(command)
                };
                (uses, Some("--scores"))
            }
            "train" if !is_given("fit_selectivity") => {
                let uses = Uses {
                    hash: None,
                    others: &["verbose"],
                    ..Uses::of(command)
                };
                (uses, Some("--fit-selectivity"))
            }
            _ => (Uses::of(command), None),
        }
    }

    /// Returns a shared option or limit with the help and default of this command, or hides it.
    fn fit(&self, option: Arg) -> Arg {
        let with_default = |option: Arg, default: Option<&str>| match (option.get_help(), default) {
            (Some(help), Some(default)) => {
                let help = format!("{help} [default: {default}]");
                option.help(help)
            }
            _ => option.hide(true),
        };
        match option.get_id().as_str() {
            "hash" => with_default(option, self.hash.as_deref()),
            "threads" => {
                let option = match self.threads {
                    Some((_, ThreadsOf::Job)) => option.help("Threads of the whole job"),
                    _ => option,
                };
                with_default(option, self.threads.map(|(default, _)| default))
            }
            "depth" if self.depth.is_some() => with_default(option, self.depth.as_deref()),
            "exact" => with_default(option, Some(&self.exact)),
            "eval" if self.takes("eval") => with_default(option, Some(EvalName::default().name())),
            id if option.is_global_set() => {
                let useless = !self.others.contains(&id);
                option.hide(useless)
            }
            _ => option,
        }
    }

    /// Returns whether the command accepts a shared option.
    /// `--color` is accepted everywhere, so that a script can pass it to every command.
    fn takes(&self, option: &str) -> bool {
        match option {
            "hash" => self.hash.is_some(),
            "threads" => self.threads.is_some(),
            "color" => true,
            other => self.others.contains(&other),
        }
    }
}

/// Returns the command line with its help wrapped and its shared options fitted to each command.
pub(super) fn shaped(command: Command) -> Command {
    let width = width().min(WIDEST);
    let shared: Vec<Arg> = command
        .get_arguments()
        .filter(|option| option.is_global_set())
        .cloned()
        .collect();
    let fit = |command: Command| {
        let uses = Uses::of(command.get_name());
        command.mut_args(|option| uses.fit(in_one_line(option)))
    };
    fit(command.term_width(width)).mut_subcommands(|command| {
        // Clap does not pass on options that a command has already, so these come after its own.
        let command = with_usage(fit(command.args(&shared)), width);
        match command.get_after_help().map(ToString::to_string) {
            Some(text) => command.after_help(reflowed(&text, width)),
            None if command.get_name() == levels::NAME => command.after_help(levels::tables(width)),
            None => command,
        }
    })
}

/// Wraps the usage line of a command to `width` columns.
fn with_usage(command: Command, width: usize) -> Command {
    let name = format!("{PROGRAM} {}", command.get_name());
    let usage = command.clone().bin_name(name).render_usage().to_string();
    let wrapped = wrap(&usage, width, USAGE.len() + 4);
    match wrapped.strip_prefix(USAGE) {
        Some(wrapped) if wrapped.contains('\n') => command.override_usage(wrapped.to_owned()),
        _ => command,
    }
}

/// Checks that every shared option given has an effect in its command.
///
/// # Errors
/// If a shared option has no effect. The error names the option and the command.
pub(super) fn check(command: &mut Command, matches: &ArgMatches) -> Result<(), clap::Error> {
    let Some((name, given)) = matches.subcommand() else {
        return Ok(());
    };
    let (uses, condition) = Uses::of_call(name, given);
    let useless = command
        .get_arguments()
        .filter(|option| option.is_global_set() && !uses.takes(option.get_id().as_str()))
        .map(|option| option.get_id().to_string())
        .find(|id| given.value_source(id) == Some(ValueSource::CommandLine));
    match useless {
        None => Ok(()),
        Some(id) => {
            let condition = condition.filter(|_| Uses::of(name).takes(&id));
            let without = condition.map_or(String::new(), |option| format!(" without {option}"));
            let sentence = format!("--{id} does nothing in 'emilia {name}'{without}");
            Err(command.error(ErrorKind::UnknownArgument, sentence))
        }
    }
}

/// Moves the descriptions of an option's values from clap's list into its help line.
fn in_one_line(option: Arg) -> Arg {
    let values: Vec<String> = option
        .get_possible_values()
        .iter()
        .filter_map(|value| {
            let help = value.get_help()?.to_string();
            let mut letters = help.chars();
            let first = letters.next()?.to_lowercase();
            Some(format!(
                "{} ({first}{})",
                value.get_name(),
                letters.as_str()
            ))
        })
        .collect();
    match option.get_help().map(ToString::to_string) {
        Some(help) if !values.is_empty() => option
            .hide_possible_values(true)
            .help(format!("{help}: {}", values.join(", "))),
        _ => option,
    }
}

/// Wraps help text to `width` columns.
/// Lines at the margin form paragraphs. Indented lines are rows with a hanging indent.
/// Two spaces inside a row begin its second column.
fn reflowed(text: &str, width: usize) -> String {
    let mut paragraphs: Vec<(String, usize)> = Vec::new();
    let mut open = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        match paragraphs.last_mut() {
            Some((paragraph, _)) if !line.is_empty() && open == Some(indent) => {
                paragraph.push(' ');
                paragraph.push_str(line.trim_start());
            }
            _ => {
                let hang = hanging_indent(line);
                paragraphs.push((line.to_owned(), hang));
                // A row continues in its last column.
                open = (!line.is_empty() && (indent == 0 || has_column(line))).then_some(hang);
            }
        }
    }
    let lines = paragraphs
        .iter()
        .map(|(text, hang)| wrap(text, width, *hang));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns whether two spaces divide the line into columns.
fn has_column(line: &str) -> bool {
    line.trim().contains("  ")
}

/// Returns the indent of continuation lines: the second column of a row, or 4 more than the row.
fn hanging_indent(line: &str) -> usize {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    match (indent, text.find("  ")) {
        (0, _) => 0,
        (_, None) => indent + 4,
        (_, Some(gap)) => line.len() - text[gap..].trim_start().len(),
    }
}

#[cfg(test)]
mod tests {
    use super::reflowed;

    #[test]
    fn reflow_wraps_paragraphs_at_the_margin_and_rows_at_their_column() {
        let text = "\
One paragraph
of two lines.

Conventions:
  A  a pass is a ply, and so
     on to the end
  B  no ply

Example:
  emilia perft 9 --convention A
  emilia bench";
        let expected = "\
One paragraph of two
lines.

Conventions:
  A  a pass is a
     ply, and so on
     to the end
  B  no ply

Example:
  emilia perft 9
      --convention A
  emilia bench";
        assert_eq!(reflowed(text, 20), expected);
        assert_eq!(reflowed(expected, 20), expected);
    }
}
