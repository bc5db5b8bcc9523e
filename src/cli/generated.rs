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
    let (folder, mut command) = (&args.folder, command_line());
    command.build();
    let commands = command
        .get_subcommands()
        .filter(|one| one.get_name() != "help" && !one.is_hide_set());
    let pages = commands.map(|one| {
        let name = format!("{PROGRAM}-{}", one.get_name());
        (name.clone(), one.clone().display_name(name))
    });
    let mut texts = Vec::new();
    for (name, command) in pages.chain([(PROGRAM.to_owned(), command.clone())]) {
        let mut text = Vec::new();
        Man::new(command).render(&mut text)?;
        texts.push((format!("{name}.1"), text));
    }
    let names = texts.iter().map(|(name, _)| name.clone());
    Paths::default()
        .folder_output("DIR", folder, names)
        .check(args.force.force)?;
    fs::create_dir_all(folder).map_err(|error| FileError::new(folder, error))?;
    for (name, text) in &texts {
        emilia_files::replace(&folder.join(name), text)?;
    }
    writeln!(out, "{} pages in {}", texts.len(), folder.display())?;
    Ok(Verdict::Yes)
}
