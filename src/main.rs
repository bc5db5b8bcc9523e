//! The binary: arguments, log, dispatch, exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use emilia::cli::{Cli, Failure, Verdict};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut log = env_logger::Builder::new();
    match cli.log_level() {
        Some(level) => log.filter_level(level),
        None => log.parse_env(env_logger::Env::new().filter("EMILIA_LOG")),
    };
    log.init();

    let mut out = io::stdout().lock();
    let result = cli
        .run(&mut out)
        .and_then(|verdict| Ok(out.flush().map(|()| verdict)?));
    match result {
        Ok(Verdict::Yes) => ExitCode::SUCCESS,
        Ok(Verdict::No) => ExitCode::from(1),
        // Whoever read our output has seen enough.
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("emilia: {failure}");
            ExitCode::from(2)
        }
    }
}
