//! The guard: a small shell that outlives this process by a moment and ends what it has left behind, however it ended.

use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// Keeps a list of process groups, `+ID` and `-ID` on its input; when that ends, it kills those on the list, and their
/// leaders, which may have left them.
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

/// Sees to it that no process group is left when this process is killed. The pipe to it ends with this process, so it
/// hears of every end, that by `kill -9` too.
#[derive(Clone, Debug)]
pub(crate) struct Guard(Arc<Mutex<Shell>>);

#[derive(Debug)]
struct Shell {
    child: Child,
    list: Option<ChildStdin>,
}

/// Makes what `command` starts the leader of a process group of its own; signals from the terminal do not reach it.
pub(super) fn in_own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

impl Guard {
    /// A guard that has nobody on its list.
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

    /// Puts a process group on the list.
    pub(super) fn add(&self, group: u32) {
        self.tell(&format!("+{group}\n"));
    }

    /// Takes a process group off the list; before its leader is waited for, so that its number is still its own.
    pub(super) fn remove(&self, group: u32) {
        self.tell(&format!("-{group}\n"));
    }

    fn tell(&self, line: &str) {
        let mut shell = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(list) = &mut shell.list
            && let Err(error) = list.write_all(line.as_bytes())
        {
            log::warn!("the guard of the child processes is gone: {error}");
            shell.list = None;
        }
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        self.list = None;
        // It ends by itself now; a failure leaves nothing to be done.
        let _ = self.child.wait();
    }
}
