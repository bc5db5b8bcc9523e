//! `emilia completions` and `emilia man`, generated from the command line by clap.

use std::fs;
use std::io::Write;
use std::path::Path;

use clap_complete::Shell;
use clap_mangen::Man;

use super::{CommandResult, PROGRAM, Verdict, command_line};
use emilia_files::{FileError, Paths};

/// Writes the completion script for a shell.
pub(super) fn completions(shell: Shell, out: &mut dyn Write) -> CommandResult {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command_line(), PROGRAM, &mut text);
    out.write_all(&text)?;
    Ok(Verdict::Yes)
}

/// Writes a manual page for the program and one for each command.
pub(super) fn man(folder: &Path, force: bool, out: &mut dyn Write) -> CommandResult {
    let mut command = command_line().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    for command in command.get_subcommands().chain([&command]) {
        let page = Man::new(command.clone());
        let mut text = Vec::new();
        page.render(&mut text)?;
        pages.push((page.get_filename(), text));
    }
    fs::create_dir_all(folder).map_err(|error| FileError::new(folder, error))?;
    let paths = pages.iter().map(|(name, _)| folder.join(name));
    paths
        .fold(Paths::default(), |all, path| all.output("DIR", Some(&path)))
        .check(force)?;
    for (name, text) in &pages {
        emilia_files::replace(&folder.join(name), text)?;
    }
    writeln!(out, "{} pages in {}", pages.len(), folder.display())?;
    Ok(Verdict::Yes)
}
