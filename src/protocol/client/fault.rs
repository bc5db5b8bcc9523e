//! Sentences for the faults of a program, which cost it the game.

use std::process::ExitStatus;

use super::PlayerError;
use emilia_core::board::excerpt_within;

/// Quotes an answer.
fn quote(text: &str) -> String {
    excerpt_within(text, 60)
}

/// The answer is not a move or response.
pub(crate) fn garbage(answer: &str) -> PlayerError {
    PlayerError::Fault(format!("answered '{}'", quote(answer)))
}

/// The program refused a necessary command.
pub(crate) fn refused(command: &str, refusal: &str) -> PlayerError {
    let [command, refusal] = [command, refusal].map(quote);
    PlayerError::Fault(format!("refused '{command}': {refusal}"))
}

/// No answer came within this number of seconds. `last` is the last line received instead.
pub(super) fn no_answer(seconds: f64, last: Option<String>) -> PlayerError {
    let said = last.map(|line| format!(" (it said '{}')", quote(&line)));
    let said = said.unwrap_or_default();
    PlayerError::Fault(format!("no answer in {seconds:.2} s{said}"))
}

/// The program's output ended. `last` is the last line of its stderr.
/// A shell reports a failed start by one of two exit codes.
pub(super) fn ended(status: Option<ExitStatus>, last: Option<&str>) -> PlayerError {
    /// Maximum length of the quoted line, in characters.
    const MAX_QUOTE: usize = 120;
    let last = last.map(|line| format!(": {}", excerpt_within(line, MAX_QUOTE)));
    let last = last.unwrap_or_default();
    let Some(status) = status else {
        return PlayerError::Fault(format!("closed its output{last}"));
    };
    let status = match status.code() {
        Some(code @ 126) => format!("exit status {code}: not executable"),
        Some(code @ 127) => format!("exit status {code}: command not found"),
        Some(code) => format!("exit status {code}"),
        // Killed by a signal: "signal: 9 (SIGKILL)".
        None => status.to_string(),
    };
    PlayerError::Fault(format!("the program ended ({status}){last}"))
}
