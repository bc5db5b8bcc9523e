//! The `emilia` program: checks the processor, parses arguments, sets up the log, runs a command.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::SystemTime;

mod cli;
mod play;

use cli::{Cli, Failure, Verdict, print_to_stderr};
use emilia_core::board::printable;

/// Checks the processor before `main` runs.
///
/// A check in `main` can come too late. The runtime code before `main` may be inlined and compiled
/// for the target processor, too, and may then be the first code to use an unsupported instruction.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[allow(
    unsafe_code,
    reason = "runs before the standard library is initialised"
)]
mod before_main {
    use emilia_core::cpu;

    // SAFETY: the functions in `.init_array` have this type, and the loader calls them one by one.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static ASK_THE_PROCESSOR: extern "C" fn() = ask_the_processor;

    // SAFETY: these are the signatures of POSIX, on a system where `ssize_t` has 64 bits.
    unsafe extern "C" {
        fn write(descriptor: i32, bytes: *const u8, count: usize) -> isize;
        fn _exit(status: i32) -> !;
    }

    extern "C" fn ask_the_processor() {
        if !cpu::is_supported(say) {
            // SAFETY: `_exit` has no preconditions. No open file needs to be closed here.
            unsafe { _exit(2) }
        }
    }

    /// Writes to stderr without the standard library, which is not initialised yet.
    fn say(text: &str) {
        // SAFETY: pointer and length describe a live string. Errors cannot be reported.
        unsafe { write(2, text.as_ptr(), text.len()) };
    }
}

fn main() -> ExitCode {
    #[cfg(all(target_arch = "x86_64", not(target_os = "linux")))]
    if !emilia_core::cpu::is_supported(|text| print_to_stderr(&text.trim_end())) {
        return ExitCode::from(2);
    }
    run()
}

/// Runs the program. Never inlined, so that none of its code moves before the processor check.
#[inline(never)]
fn run() -> ExitCode {
    let cli = Cli::from_command_line();
    let mut log = env_logger::Builder::new();
    match cli.verbose {
        0 => log.parse_env(env_logger::Env::new().filter("EMILIA_LOG")),
        1 => log.filter_level(log::LevelFilter::Info),
        _ => log.filter_level(log::LevelFilter::Debug),
    };
    // Messages may quote other programs and files, so control characters are escaped.
    log.format(|out, record| {
        let (time, level, target) = (
            humantime::format_rfc3339_seconds(SystemTime::now()),
            record.level(),
            record.target(),
        );
        let text = printable(&record.args().to_string());
        writeln!(out, "[{time} {level:<5} {target}] {text}")
    });
    log.init();

    let mut out = io::stdout();
    let result = cli
        .run(&mut out)
        .and_then(|verdict| Ok(out.flush().map(|()| verdict)?));
    match result {
        Ok(Verdict::Yes) => ExitCode::SUCCESS,
        Ok(Verdict::No) => ExitCode::from(1),
        Ok(Verdict::Interrupted) => ExitCode::from(130),
        // The reader of stdout has closed the pipe, which is not an error of this program.
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            print_to_stderr(&format_args!("emilia: {failure}"));
            ExitCode::from(2)
        }
    }
}
