//! Ctrl-C and SIGTERM, from the start of the process on: it ends with the exit code of an interruption, and not by the signal.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use guardhost_core::error::FaultKind;
use guardhost_core::stop::StopToken;
use guardhost_provider::Cancel;
use signals::Signals;

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as signals;
#[cfg(windows)]
use windows as signals;

/// Enough to kill a process group and to write the end of a trace.
const SOON: Duration = Duration::from_secs(1);

/// What a signal means at the moment.
enum SignalPhase {
    /// The command line is being read. The process ends.
    Reading,
    /// The process ends, and this says so.
    Working(Box<dyn Fn() + Send>),
    /// The first signal is a request, which the command notices. After the second, the process ends within a second.
    Cancelling(Cancel),
    /// The command is done, and its report is being written. The process ends within a second.
    Reporting,
}

/// The thread that waits for signals.
#[derive(Clone)]
pub struct Interrupts(Arc<Mutex<SignalPhase>>);

impl Interrupts {
    /// Errors: the system gives no thread.
    pub fn listen() -> io::Result<Self> {
        let interrupts = Interrupts(Arc::new(Mutex::new(SignalPhase::Reading)));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        // Listened to from here on, not from whenever the thread starts.
        let inside = runtime.enter();
        let mut signals = Signals::listen()?;
        drop(inside);
        let own = interrupts.clone();
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            loop {
                runtime.block_on(signals.next());
                own.arrived();
            }
        })?;
        Ok(interrupts)
    }

    /// From here on, a signal is followed by `say`, and by the end of the process.
    pub fn work(&self, say: impl Fn() + Send + 'static) {
        *self.phase() = SignalPhase::Working(Box::new(say));
    }

    /// From here on, the first signal interrupts the holders of `stop`, and the run of what is returned.
    pub fn ask(&self, stop: &StopToken) -> Cancel {
        let cancel = Cancel::with(stop.clone());
        *self.phase() = SignalPhase::Cancelling(cancel.clone());
        cancel
    }

    /// From here on, the first signal is a request that only the command notices, which ends what it has begun; the second ends the
    /// process.
    pub fn drain(&self) -> Cancel {
        self.ask(&StopToken::default())
    }

    /// The command is done.
    pub fn report(&self) {
        *self.phase() = SignalPhase::Reporting;
    }

    fn phase(&self) -> MutexGuard<'_, SignalPhase> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn arrived(&self) {
        let phase = self.phase();
        match &*phase {
            SignalPhase::Reading => end(),
            // Nothing else is written meanwhile: a report waits for the lock.
            SignalPhase::Working(say) => {
                say();
                end();
            }
            SignalPhase::Cancelling(cancel) => {
                let is_second = cancel.is_cancelled();
                cancel.cancel();
                if is_second {
                    end_soon(phase);
                }
            }
            SignalPhase::Reporting => end_soon(phase),
        }
    }
}

fn end_soon(phase: MutexGuard<'_, SignalPhase>) -> ! {
    drop(phase);
    thread::sleep(SOON);
    end()
}

fn end() -> ! {
    std::process::exit(FaultKind::Interrupted.exit_code().into())
}
