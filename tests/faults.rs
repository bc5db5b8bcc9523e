//! What goes wrong around the program: full disks, folders that are read-only or gone, the end in the middle of a file, few
//! files that may be open, signals. Files have the old content or the new one, or are gone on with; errors are a sentence.
//!
//! The shell sets a limit to the length of files. Beyond it a process gets a signal and ends in the middle of a write, at
//! a byte that is known; where it ignores that signal, it has an error as on a full disk.

#![cfg(unix)]

mod matches;
mod signals;

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use matches::{EMILIA, PATIENCE, Scratch, numbers, script, text};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use signals::deadly_signals;

/// A command that writes files.
struct Job {
    arguments: &'static str,
    files: &'static [&'static str],
}

/// Commands that replace files though they exist, in a folder beside that of their inputs.
const REPLACING: [Job; 9] = [
    Job {
        arguments: "show f5d6 --svg out.svg --png out.png --force",
        files: &["out.svg", "out.png"],
    },
    Job {
        arguments: "convert --force ../games.txt out.ggf",
        files: &["out.ggf"],
    },
    Job {
        arguments: "play --depth 1 --hash 1 --human both <../moves",
        files: &["out.sgf"],
    },
    Job {
        arguments: "analyze ../games.txt:1:20 --depth 1 --hash 1 --svg out.svg --html out.html --force",
        files: &["out.svg", "out.html"],
    },
    Job {
        arguments: "analyze ../games.txt --depth 1 --hash 1 --pages . --force",
        files: &["1.html", "2.html", "index.html"],
    },
    Job {
        arguments: "match --first builtin:depth=1,hash=1 --second builtin:depth=1,hash=1 --games 2 --svg out.svg --force",
        files: &["out.svg"],
    },
    Job {
        arguments: "match --first builtin:depth=1,hash=1 --second builtin:depth=1,hash=1 --games 2 --transcripts out.txt --force",
        files: &["out.txt"],
    },
    Job {
        arguments: "train --data ../data --passes 1 --out out.weights --svg out.svg --force",
        files: &["out.weights", "out.svg"],
    },
    Job {
        arguments: "man . --force",
        files: &["emilia.1", "emilia-play.1", "emilia-match.1"],
    },
];

/// Commands that add to a file, and go on with it when they are given again, with this option.
const ADDING: [(Job, &str); 3] = [
    (
        Job {
            arguments: "match --first builtin:depth=1,hash=1 --second builtin:depth=1,hash=1 --games 6 --seed 1 --out log",
            files: &["log"],
        },
        "--resume",
    ),
    (
        Job {
            arguments: "analyze ../games.txt --depth 1 --hash 1 --out games.jsonl",
            files: &["games.jsonl"],
        },
        "--resume",
    ),
    (
        Job {
            arguments: "selfplay --games 200 --depth 1 --exact 4 --out games",
            files: &["games"],
        },
        "",
    ),
];

/// Lengths of files, in blocks of the shell, that are tried until one is enough.
const LIMITS: [u32; 6] = [0, 1, 12, 60, 300, 20_000];

/// How a limit is felt.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Limit {
    /// The process ends in the middle of a write.
    Kills,
    /// The write fails.
    Fails,
}

impl Limit {
    /// In the words of the shell.
    fn set(self, blocks: u32) -> String {
        match self {
            Limit::Kills => format!("ulimit -c 0; ulimit -f {blocks}"),
            Limit::Fails => format!("trap '' XFSZ; ulimit -f {blocks}"),
        }
    }

    /// Whether the command has felt it; if not, it has done what it was asked to.
    fn is_felt(self, output: &Output, job: &Job) -> bool {
        let errors = text(&output.stderr);
        // `convert` reports what it has written.
        if output.status.success() && (errors.is_empty() || errors.contains(" written, from ")) {
            return false;
        }
        match self {
            Limit::Kills => {
                let expected = Some(Signal::SIGXFSZ as i32);
                assert_eq!(
                    output.status.signal(),
                    expected,
                    "{}: {errors}",
                    job.arguments
                );
            }
            Limit::Fails => {
                // The game goes on without the file.
                let code = if job.arguments.starts_with("play") {
                    0
                } else {
                    2
                };
                assert_eq!(
                    output.status.code(),
                    Some(code),
                    "{}: {errors}",
                    job.arguments
                );
                expect_sentence(&errors, "File too large (os error 27)");
            }
        }
        true
    }
}

/// One line for the user, which names a file and ends with these words.
fn expect_sentence(errors: &str, end: &str) {
    assert_eq!(errors.lines().count(), 1, "{errors}");
    let named = ["emilia: '", "emilia: log '", "save '"];
    assert!(
        named.iter().any(|start| errors.starts_with(start)),
        "{errors}"
    );
    let sentence = errors.trim_end().trim_end_matches('.');
    assert!(sentence.ends_with(end), "{errors}");
}

/// A folder with inputs, and one in it for the outputs.
fn scratch(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    fs::create_dir_all(scratch.path("out")).unwrap();
    let game = "f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3g3\n";
    fs::write(scratch.path("games.txt"), [game, "f5f4e3\n"].concat()).unwrap();
    fs::write(scratch.path("moves"), "f5\nd6\nsave out.sgf\nquit\n").unwrap();
    scratch
}

/// Runs the command in the folder for outputs, after what the shell is told before.
fn run(scratch: &Scratch, before: &str, arguments: &str) -> Output {
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", &format!("{before}\nexec '{EMILIA}' {arguments}")])
        .current_dir(scratch.0.join("out"))
        .env("EMILIA_TEST", &scratch.0)
        .stdin(Stdio::null());
    command.output().unwrap()
}

/// The same without limits; it succeeds.
fn done(scratch: &Scratch, arguments: &str) {
    let output = run(scratch, "", arguments);
    assert!(output.status.success(), "{arguments}: {output:?}");
}

fn make_data(scratch: &Scratch) {
    done(
        scratch,
        "selfplay --games 60 --depth 1 --exact 4 --out ../data",
    );
}

/// What is in the folder for outputs.
fn names(scratch: &Scratch) -> Vec<String> {
    let entries = fs::read_dir(scratch.path("out")).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn a_file_that_is_replaced_has_the_old_content_or_the_new_one() {
    const OLD: &[u8] = b"old";
    let scratch = scratch("replaced");
    make_data(&scratch);
    let mut all = [0; 2];
    for job in &REPLACING {
        let paths = job
            .files
            .iter()
            .map(|file| scratch.0.join("out").join(file));
        let paths: Vec<_> = paths.collect();
        done(&scratch, job.arguments);
        let new: Vec<_> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
        // Who is killed leaves what it had begun beside the file.
        for limit in [Limit::Fails, Limit::Kills] {
            let mut felt = 0;
            for blocks in LIMITS {
                for path in &paths {
                    fs::write(path, OLD).unwrap();
                }
                // A game of its own is not saved over another file without being asked to.
                if job.arguments.starts_with("play") {
                    fs::remove_file(&paths[0]).unwrap();
                }
                let output = run(&scratch, &limit.set(blocks), job.arguments);
                let is_felt = limit.is_felt(&output, job);
                for (path, new) in paths.iter().zip(&new) {
                    let found = fs::read(path).unwrap_or(OLD.to_vec());
                    assert!(
                        found == *new || is_felt && found == OLD,
                        "{path:?}: {limit:?} {blocks}"
                    );
                }
                if !is_felt {
                    break;
                }
                felt += 1;
                if limit == Limit::Fails {
                    let left = names(&scratch);
                    assert!(!left.iter().any(|name| name.contains(".new")), "{left:?}");
                }
            }
            assert!(felt > 0, "{}: no limit is felt", job.arguments);
            all[limit as usize] += felt;
        }
        fs::remove_dir_all(scratch.path("out")).unwrap();
        fs::create_dir(scratch.path("out")).unwrap();
    }
    println!("{} writes killed, {} failed", all[0], all[1]);
}

/// A file without the times of its moves, which are others each time.
fn without_times(path: &Path) -> String {
    let bytes = fs::read(path).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let mut pieces = text.split("\"time\":");
    let first = pieces.next().unwrap_or_default().to_owned();
    let rest = pieces.map(|piece| piece.split_once(',').map_or(piece, |(_, rest)| rest));
    first + &rest.collect::<Vec<_>>().join("\"time\":,")
}

#[test]
fn a_file_that_grows_is_gone_on_with_wherever_it_was_left() {
    let scratch = scratch("grows");
    let mut all = [0; 2];
    for (job, resume) in &ADDING {
        let path = scratch.0.join("out").join(job.files[0]);
        done(&scratch, job.arguments);
        let whole = without_times(&path);
        for limit in [Limit::Kills, Limit::Fails] {
            let mut felt = 0;
            for blocks in LIMITS {
                fs::remove_file(&path).unwrap();
                if !limit.is_felt(&run(&scratch, &limit.set(blocks), job.arguments), job) {
                    break;
                }
                felt += 1;
                done(&scratch, &format!("{} {resume}", job.arguments));
                assert_eq!(without_times(&path), whole, "{limit:?} {blocks}");
            }
            assert!(felt > 1, "{}: {felt} limits are felt", job.arguments);
            all[limit as usize] += felt;
        }
    }
    println!("{} writes killed, {} failed", all[0], all[1]);
}

#[test]
fn weights_come_out_the_same_wherever_the_checkpoint_was_left() {
    let scratch = scratch("checkpoint");
    make_data(&scratch);
    let weights = scratch.0.join("out/out.weights");
    let job = Job {
        arguments: "train --data ../data --passes 1 --out out.weights",
        files: &["out.weights"],
    };
    done(&scratch, job.arguments);
    let whole = fs::read(&weights).unwrap();
    for limit in [Limit::Kills, Limit::Fails] {
        for blocks in [0, 2187] {
            fs::remove_file(&weights).unwrap();
            assert!(limit.is_felt(&run(&scratch, &limit.set(blocks), job.arguments), &job));
            assert!(scratch.0.join("out/out.weights.part").exists());
            done(&scratch, job.arguments);
            assert_eq!(fs::read(&weights).unwrap(), whole, "{limit:?} {blocks}");
            assert_eq!(names(&scratch), ["out.weights"]);
        }
    }
}

/// Runs a script of the shell that may mount over the folder for outputs; for the script alone.
fn with_mounts(scratch: &Scratch, lines: &str) -> Option<Output> {
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        command
            .args(["-r", "-m", "/bin/sh", "-c", script])
            .current_dir(&scratch.0)
            .stdin(Stdio::null());
        command.output().ok()
    };
    let may = unshare("mount -t tmpfs none out");
    if !may.is_some_and(|output| output.status.success()) {
        eprintln!("skipped: nothing can be mounted here");
        return None;
    }
    unshare(lines)
}

/// The first file of each job, in a folder of a file system that is made by `mount` and has no room after `spoil`.
fn expect_refusals(name: &str, mount: &str, spoil: &str, sentence: &str) {
    let scratch = scratch(name);
    make_data(&scratch);
    let adding = ADDING.iter().map(|(job, _)| job);
    for job in REPLACING.iter().chain(adding) {
        if job.arguments.starts_with("play") {
            continue;
        }
        let (arguments, files) = (job.arguments, job.files.join(" "));
        let old = if REPLACING.iter().any(|other| other.arguments == arguments) {
            format!("for file in {files}; do echo old >$file; done")
        } else {
            String::new()
        };
        let script = format!(
            "{mount} && cd out && {old}\n{spoil}\n'{EMILIA}' {arguments} >/dev/null\necho code $?\ncat {files} 2>/dev/null\nls | grep new"
        );
        let Some(output) = with_mounts(&scratch, &script) else {
            return;
        };
        let errors = text(&output.stderr);
        expect_sentence(&errors, sentence);
        let shown = text(&output.stdout);
        let kept = shown.strip_prefix("code 2\n");
        let kept = kept.unwrap_or_else(|| panic!("{arguments}: {shown}"));
        let expected = if old.is_empty() { 0 } else { job.files.len() };
        assert_eq!(
            kept.matches("old\n").count(),
            expected,
            "{arguments}: {shown}"
        );
        assert!(!kept.contains(".new"), "{arguments}: {shown}");
    }
}

#[test]
fn a_full_disk_is_an_error_and_old_files_stay() {
    expect_refusals(
        "full",
        "mount -t tmpfs -o size=64k none out",
        "cat /dev/zero >full 2>/dev/null",
        "No space left on device (os error 28)",
    );
}

#[test]
fn a_read_only_folder_is_an_error_and_old_files_stay() {
    expect_refusals(
        "read-only",
        "mount -t tmpfs none out",
        "cd .. && mount -o remount,ro out && cd out",
        "Read-only file system (os error 30)",
    );
}

#[test]
fn a_folder_that_is_gone_is_an_error() {
    let scratch = scratch("gone");
    make_data(&scratch);
    let inputs = scratch.0.to_str().unwrap();
    let adding = ADDING.iter().map(|(job, _)| job);
    for job in REPLACING.iter().chain(adding) {
        let arguments = job.arguments.replace("..", inputs);
        let output = run(
            &scratch,
            "mkdir gone && cd gone && rmdir ../gone",
            &arguments,
        );
        let errors = text(&output.stderr);
        let code = if arguments.starts_with("play") { 0 } else { 2 };
        assert_eq!(output.status.code(), Some(code), "{arguments}: {errors}");
        expect_sentence(&errors, "No such file or directory (os error 2)");
    }
    for (arguments, input) in [("gtp", "name"), ("nboard", "ping 1"), ("uci", "isready")] {
        let output = run(
            &scratch,
            "mkdir gone && cd gone && rmdir ../gone",
            &format!("{arguments} <<.\n{input}\n."),
        );
        assert!(
            output.status.success() && !output.stdout.is_empty(),
            "{arguments}: {output:?}"
        );
    }
}

#[test]
fn a_folder_that_goes_during_a_match_ends_it() {
    let scratch = scratch("goes");
    let engine = script(
        &scratch,
        "engine",
        &format!(
            "rm -r '{}'; exec '{EMILIA}' gtp --depth 1 --hash 1",
            scratch.path("out")
        ),
    );
    for (option, sentence) in [
        ("--out log", "it was removed while it was being written"),
        ("--svg svg", "No such file or directory (os error 2)"),
    ] {
        fs::create_dir_all(scratch.path("out")).unwrap();
        let output = run(
            &scratch,
            "",
            &format!("match --first 'gtp:{engine}' --second builtin:depth=1 --games 20 {option}"),
        );
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        expect_sentence(&text(&output.stderr), sentence);
        scratch.expect_nobody_left();
    }
}

#[test]
fn twenty_open_files_are_enough() {
    let scratch = scratch("files");
    let endings = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/endings-6.tsv");
    let jobs = [
        "gtp <<.\ngenmove b\n.",
        "nboard --depth 4 <<.\ngo\n.",
        "uci <<.\ngo depth 4\n.",
        "play --depth 1 --human none",
        "perft 6 --threads 8",
        "bench --depth 4 --threads 8",
        "match --first builtin:depth=1 --second 'gtp:exec \"$EMILIA\" gtp --depth 1' --games 4",
        "selfplay --games 10 --depth 1 --exact 4 --threads 8 --out games",
    ];
    let solve = [
        format!("solve {endings} --threads 8"),
        format!("eval-test {endings} --threads 8"),
    ];
    let replacing = REPLACING
        .iter()
        .filter(|job| !job.arguments.starts_with("train"));
    let replacing = replacing.map(|job| job.arguments.to_owned());
    for arguments in replacing.chain(jobs.map(str::to_owned)).chain(solve) {
        let before = format!("EMILIA='{EMILIA}'; export EMILIA; ulimit -n 20");
        let output = run(&scratch, &before, &arguments);
        assert!(output.status.success(), "{arguments}: {output:?}");
    }
}

/// The command that lets a user who is nobody have one process and no second thread, if that can be had here.
fn without_threads(scratch: &Scratch) -> Option<Vec<&'static str>> {
    let mut command = vec!["prlimit", "--nproc=1"];
    if fs::metadata(&scratch.0).unwrap().uid() == 0 {
        // Root has as many as there are.
        command.extend([
            "setpriv",
            "--reuid=65533",
            "--regid=65533",
            "--clear-groups",
        ]);
    }
    let tried = Command::new(command[0])
        .args(&command[1..])
        .arg("true")
        .status();
    if tried.is_ok_and(|status| status.success()) {
        return Some(command);
    }
    eprintln!("skipped: prlimit and setpriv do not work here");
    None
}

#[test]
fn a_thread_that_cannot_start_is_done_without_or_an_error() {
    let scratch = scratch("threads");
    let Some(limit) = without_threads(&scratch) else {
        return;
    };
    // The one of the build may be in a folder that nobody else can look into.
    let binary = scratch.0.join("emilia");
    fs::copy(EMILIA, &binary).unwrap();
    for (arguments, code) in [
        ("gtp", 2),
        ("nboard", 2),
        ("uci", 2),
        ("play", 2),
        ("hint f5d6 --depth 4", 2),
        ("match --first builtin:depth=1 --second builtin:depth=1", 2),
        ("show f5d6", 0),
        ("perft 5 --threads 4", 0),
        ("bench --depth 4 --threads 4", 0),
    ] {
        let mut command = Command::new(limit[0]);
        command.args(&limit[1..]).arg(&binary);
        command.args(arguments.split(' ')).stdin(Stdio::null());
        let output = command.output().unwrap();
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments}: {errors}");
        let lines = usize::from(code == 2);
        assert_eq!(errors.lines().count(), lines, "{arguments}: {errors}");
        assert!(
            code == 0 || errors.starts_with("emilia: cannot "),
            "{arguments}: {errors}"
        );
    }
}

#[test]
fn a_signal_ends_a_match_and_its_players_and_the_log_is_whole() {
    let scratch = scratch("signal");
    let engine = script(
        &scratch,
        "engine",
        &format!("'{EMILIA}' gtp --depth 1 --hash 1"),
    );
    for signal in deadly_signals() {
        let start = |games: &str, resume: &str| {
            let arguments = "--second builtin:depth=1 --concurrency 2 --out log --seed 3 --games";
            let mut command = scratch.command(&format!("{arguments} {games}{resume} --first"));
            command.arg(format!("gtp:{engine}")).stdout(Stdio::null());
            command.spawn().unwrap()
        };
        let mut match_ = start("100000", "");
        let begun = Instant::now();
        while scratch.log("log").len() < 4 {
            assert!(begun.elapsed() < PATIENCE);
            thread::sleep(Duration::from_millis(1));
        }
        kill(Pid::from_raw(match_.id().cast_signed()), signal).unwrap();
        assert_eq!(match_.wait().unwrap().signal(), Some(signal as i32));
        scratch.expect_nobody_left();
        let before = scratch.log("log");
        let games = numbers(&before).len() + 2;
        let mut rest = start(&games.next_multiple_of(2).to_string(), " --resume");
        assert!(rest.wait().unwrap().success());
        let after = scratch.log("log");
        assert_eq!(after[..before.len()], before[..], "finished games stay");
        assert_eq!(
            numbers(&after),
            (0..games.next_multiple_of(2) as u64).collect()
        );
        fs::remove_file(scratch.path("log")).unwrap();
    }
}
