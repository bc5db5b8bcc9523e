//! Help of all commands, wrapped to the terminal width.
//! A command's own options come first and the shared options last.
//! Shared options without effect in a command are hidden.

use clap::builder::PossibleValue;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use super::options::DEFAULT_HASH_MIB;
use super::{PROGRAM, analyze, eval_test, gui, levels, selfplay, train};
use emilia_core::search::level_solve_from;
use emilia_player::options::EvalName;
use emilia_view::{width, wrap};

/// Maximum width of help in columns. Wider lines are hard to read.
const WIDEST: usize = 100;

/// The command whose subcommands, but for two, do not search.
const BOOK: &str = "book";

/// Prefix of the usage line of clap.
const USAGE: &str = "Usage: ";

/// Removes suggestions that begin with another letter than the wrong word. For clap, `book` is
/// similar to `foo`.
pub(super) fn with_likely_suggestions(mut error: clap::Error) -> clap::Error {
    let initial = |word: &str| word.trim_start_matches('-').chars().next();
    for (wrong, suggested) in [
        (
            ContextKind::InvalidSubcommand,
            ContextKind::SuggestedSubcommand,
        ),
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidValue, ContextKind::SuggestedValue),
    ] {
        let Some(ContextValue::String(word)) = error.get(wrong) else {
            continue;
        };
        let wanted = initial(word);
        let words = match error.remove(suggested) {
            Some(ContextValue::Strings(words)) => words,
            Some(ContextValue::String(word)) => vec![word],
            _ => continue,
        };
        let likely = words.into_iter().filter(|word| initial(word) == wanted);
        let likely: Vec<String> = likely.collect();
        if !likely.is_empty() {
            error.insert(suggested, ContextValue::Strings(likely));
        }
    }
    error
}

/// Returns whether a shared option has an effect in a command.
fn is_used(command: &str, option: &str) -> bool {
    match (command, option) {
        (_, "verbose") | ("play" | "emilia" | "analyze" | "practice" | "show", "color") => true,
        (_, "color")
        | ("convert" | "completions" | "levels" | "man" | "train" | "train level", _)
        | (
            "games" | "train net" | "train pattern" | "train people",
            "hash" | "eval" | "weights" | "selectivity",
        )
        | ("compare", "threads")
        | ("perft", "eval" | "weights" | "selectivity")
        | ("train selectivity", "selectivity") => false,
        ("book learn", _) => true,
        _ => !command.starts_with(BOOK),
    }
}

/// Returns the flag without which a shared option has no effect in a command, if there is one.
fn condition(command: &str, option: &str) -> Option<(&'static str, &'static str)> {
    match (command, option) {
        ("show", "hash" | "threads" | "eval" | "selectivity") => Some(("scores", "--scores")),
        _ => None,
    }
}

/// Returns the default of an option in a command, as the help prints it.
fn default_text(command: &str, option: &str) -> Option<String> {
    Some(match (command, option) {
        ("match", "hash") => "by the limits of a player".to_owned(),
        ("gui", "hash") => gui::DEFAULT_HASH_MIB.to_string(),
        ("eval-test", "hash") => eval_test::DEFAULT_HASH_MIB.to_string(),
        ("selfplay", "hash") => selfplay::HASH_MIB.to_string(),
        ("train selectivity", "hash") => train::selectivity::HASH_MIB.to_string(),
        ("perft", "hash") => "no table".to_owned(),
        (_, "hash") => DEFAULT_HASH_MIB.to_string(),
        ("match" | "bench" | "perft" | "show", "threads") => "1".to_owned(),
        (_, "threads") => "one for each core".to_owned(),
        ("eval-test", "depth") => format!("{} without other limits", eval_test::DEFAULT_DEPTH),
        ("analyze" | "practice", "depth") => format!("{} without other limits", analyze::DEPTH),
        ("selfplay", "depth") => format!(
            "{}, or {} with --roots; none with --nodes",
            selfplay::DEFAULT_DEPTH,
            selfplay::DEFAULT_LEAF_DEPTH
        ),
        ("eval-test", "exact") => "off".to_owned(),
        ("selfplay", "exact") => format!(
            "{}, or {} with --roots",
            selfplay::DEFAULT_EXACT,
            selfplay::DEFAULT_POSITION_EXACT
        ),
        (_, "exact") => format!("by --depth, {} at depth 8", level_solve_from(8)),
        (_, "eval") => EvalName::default().name().to_owned(),
        _ => return None,
    })
}

/// Returns `option` with its help and default in this command.
/// A shared option without effect in the command is hidden.
fn fitted(command: &str, option: Arg) -> Arg {
    let id = option.get_id().to_string();
    let useless = option.is_global_set() && !is_used(command, &id);
    let is_job = ["eval-test", "games", "selfplay", "perft"].contains(&command);
    let option = if id == "threads" && (is_job || command.starts_with("train")) {
        option.help("Threads of the whole job")
    } else {
        option
    };
    let option = in_one_line(option).hide(useless);
    match (option.get_help(), default_text(command, &id)) {
        (Some(help), Some(default)) => {
            let help = format!("{help} [default: {default}]");
            option.help(help)
        }
        _ => option,
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
    let fit = |command: Command, name: &str| command.mut_args(|option| fitted(name, option));
    let shape = |command: Command, name: &str| {
        let given: Vec<String> = command
            .get_arguments()
            .map(|own| own.get_id().to_string())
            .collect();
        let missing = shared
            .iter()
            .filter(|one| !given.contains(&one.get_id().to_string()));
        // Clap does not pass on options that a command has already, so these come after its own.
        let command = with_usage(fit(command.args(missing), name), name, width);
        match command.get_after_help().map(ToString::to_string) {
            Some(text) => command.after_help(reflowed(&text, width)),
            None if name == levels::NAME => command.after_help(levels::tables(width)),
            None => command,
        }
    };
    fit(command.term_width(width), PROGRAM).mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        let inner = |command: Command| {
            let name = format!("{name} {}", command.get_name());
            shape(command, &name)
        };
        shape(command.mut_subcommands(inner), &name)
    })
}

/// Wraps the usage line of a command to `width` columns.
fn with_usage(command: Command, name: &str, width: usize) -> Command {
    let name = format!("{PROGRAM} {name}");
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
    let inner = given.subcommand();
    let name = &inner.map_or(name.to_owned(), |(inner, _)| format!("{name} {inner}"))[..];
    let shared = command.get_arguments().filter(|one| one.is_global_set());
    let ids: Vec<String> = shared.map(|one| one.get_id().to_string()).collect();
    let is_given = |id: &&String| given.value_source(id) == Some(ValueSource::CommandLine);
    for id in ids.iter().filter(is_given) {
        // `--color` is accepted everywhere, so that a script can pass it to every command.
        let without = match condition(name, id) {
            _ if id == "color" => continue,
            Some((flag, option)) if !given.get_flag(flag) => format!(" without {option}"),
            _ if is_used(name, id) => continue,
            _ => String::new(),
        };
        let sentence = format!("--{id} does nothing in 'emilia {name}'{without}");
        return Err(command.error(ErrorKind::UnknownArgument, sentence));
    }
    Ok(())
}

/// Moves the descriptions of an option's values from clap's list into its help line.
fn in_one_line(option: Arg) -> Arg {
    let value = |value: &PossibleValue| {
        let help = value.get_help()?.to_string();
        let (first, rest) = help.split_at_checked(1)?;
        Some(format!(
            "{} ({}{rest})",
            value.get_name(),
            first.to_lowercase()
        ))
    };
    let values: Vec<String> = option
        .get_possible_values()
        .iter()
        .filter_map(value)
        .collect();
    match option.get_help() {
        Some(help) if !values.is_empty() => {
            let help = format!("{help}: {}", values.join(", "));
            option.hide_possible_values(true).help(help)
        }
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
