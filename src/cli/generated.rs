//! `emilia completions` and `emilia man`, generated from the command line by clap.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap_complete::Shell;
use clap_mangen::Man;

use super::options::ForceOption;
use super::{CommandResult, PROGRAM, Verdict, command_line};
use emilia_files::{FileError, Paths};

/// Arguments of `emilia completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  emilia completions bash > ~/.local/share/bash-completion/completions/emilia")]
pub(super) struct CompletionsArgs {
    /// Shell to complete for
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

/// Arguments of `emilia man`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  emilia man ~/.local/share/man/man1")]
pub(super) struct ManArgs {
    /// Folder to write to, created if missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    force: ForceOption,
}

/// Writes the completion script for a shell.
pub(super) fn completions(args: &CompletionsArgs, out: &mut dyn Write) -> CommandResult {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command_line(), PROGRAM, &mut text);
    out.write_all(&text)?;
    Ok(Verdict::Yes)
}

/// Writes a manual page for the program and one for each command.
pub(super) fn man(args: &ManArgs, out: &mut dyn Write) -> CommandResult {
    let folder = &args.folder;
    let mut command = command_line().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    for command in command.get_subcommands().chain([&command]) {
        let page = Man::new(command.clone());
        let mut text = Vec::new();
        page.render(&mut text)?;
        pages.push((page.get_filename(), text));
    }
    let names = pages.iter().map(|(name, _)| name.clone());
    Paths::default()
        .folder_output("DIR", folder, names)
        .check(args.force.force)?;
    fs::create_dir_all(folder).map_err(|error| FileError::new(folder, error))?;
    for (name, text) in &pages {
        emilia_files::replace(&folder.join(name), text)?;
    }
    writeln!(out, "{} pages in {}", pages.len(), folder.display())?;
    Ok(Verdict::Yes)
}
