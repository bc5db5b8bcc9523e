//! Kills the child processes if this process dies first, even by `kill -9`.
//! A small shell holds the list of process groups and acts when its input pipe closes.

use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// Shell script of the guard: input lines `+ID` and `-ID` add and remove a process group.
/// At the end of input, the script kills the listed groups.
/// It also kills the leaders by PID, because they may have moved to another group.
const SCRIPT: &str = r#"
list=" "
while read -r line; do
    id=${line#?}
    case $line in
        +*) list="$list$id " ;;
        -*) list="${list%% $id *} ${list#* $id }" ;;
    esac
done
for id in $list; do kill -9 "-$id"; kill -9 "$id"; done
"#;

/// Shell that kills the registered process groups when this process ends.
/// The pipe to the shell closes however this process ends.
#[derive(Clone, Debug)]
pub(crate) struct Guard(Arc<Mutex<Shell>>);

#[derive(Debug)]
struct Shell {
    child: Child,
    list: Option<ChildStdin>,
}

/// Makes the process of `command` the leader of a new process group, out of reach of Ctrl-C.
pub(super) fn in_own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

impl Guard {
    /// Starts the shell, with an empty list.
    pub(crate) fn start() -> io::Result<Guard> {
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        in_own_group(&mut command);
        let mut child = command.spawn()?;
        let list = child.stdin.take();
        Ok(Guard(Arc::new(Mutex::new(Shell { child, list }))))
    }

    /// Registers a process group.
    pub(super) fn add(&self, group: u32) {
        self.send(&format!("+{group}\n"));
    }

    /// Unregisters a process group.
    /// Call this before reaping the leader: afterwards the PID may be reused.
    pub(super) fn remove(&self, group: u32) {
        self.send(&format!("-{group}\n"));
    }

    fn send(&self, line: &str) {
        let mut shell = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(list) = &mut shell.list
            && let Err(error) = list.write_all(line.as_bytes())
        {
            log::warn!("the guard process of the child processes has ended: {error}");
            shell.list = None;
        }
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        self.list = None;
        // The shell ends by itself now. If waiting fails, nothing can be done.
        let _ = self.child.wait();
    }
}
