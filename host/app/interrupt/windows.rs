//! What the console and the system send: Ctrl-C, Ctrl-Break, the closing of the window, the end of the session.

use std::io;

use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown,
};

pub(super) struct Signals {
    interrupted: CtrlC,
    broken: CtrlBreak,
    closed: CtrlClose,
    ended: CtrlShutdown,
}

impl Signals {
    /// Inside of a runtime.
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Signals { interrupted: ctrl_c()?, broken: ctrl_break()?, closed: ctrl_close()?, ended: ctrl_shutdown()? })
    }

    /// Returns when one arrives.
    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupted.recv() => {}
            _ = self.broken.recv() => {}
            _ = self.closed.recv() => {}
            _ = self.ended.recv() => {}
        }
    }
}
