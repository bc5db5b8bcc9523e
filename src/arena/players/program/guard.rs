//! Kills a child process with its group if this process dies first, even by `kill -9`.

use std::io;
use std::process::{Child, Command, Stdio};

/// Shell that waits for the end of its input, and then kills a process group and its leader.
///
/// This process holds the writing end of the guard's input. The system closes that end when this
/// process ends for any reason. `PR_SET_PDEATHSIG` cannot replace the guard. Its signal reaches
/// only the direct child, which is the shell that runs the program's command, not the program
/// itself. The signal is also sent when only the thread that started the child ends.
#[derive(Debug)]
pub(super) struct Guard(Child);

/// Script of the guard. `$0` is the PID of the group's leader. The leader is also killed by its
/// PID, because it may have moved to another group.
const SCRIPT: &str = r#"read -r line; kill -9 "-$0"; kill -9 "$0""#;

/// Makes the process of `command` the leader of a new process group, out of reach of Ctrl-C.
pub(super) fn in_own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

impl Guard {
    /// Starts a guard for the process group of the child with PID `leader`. Returns `None` on
    /// Windows.
    pub(super) fn start(leader: u32) -> io::Result<Option<Guard>> {
        if cfg!(windows) {
            return Ok(None);
        }
        let mut shell = Command::new("/bin/sh");
        shell
            .args(["-c", SCRIPT, &leader.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        in_own_group(&mut shell);
        Ok(Some(Guard(shell.spawn()?)))
    }
}

/// Ends the guard and spares the group. Drop the guard before reaping the child: afterwards the
/// child's PID may be reused.
impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
