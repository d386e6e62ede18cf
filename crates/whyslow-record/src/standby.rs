//! What one recording opens and loads, and the next one of the same process uses again.
//!
//! ```text
//! recording ─► events off, programs detached ─► … ─► what they know is forgotten, attached again ─► recording
//! ```
//!
//! The kernel takes long to check the programs, and to close the events of tracepoints and probes. Both happen once.
//! Everything else is done anew for each recording, and nothing of an earlier one is left: see
//! [`Programs::resume`](whyslow_bpf::Programs::resume) and its like.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use whyslow_bpf::BpfError;
use whyslow_bpf::costs::{Runs, add_runs};
use whyslow_person::rights::while_recording;
use whyslow_proc::cpus;

use crate::events::Scope;
use crate::kernel::KeptSymbols;
use crate::open::{LIMITED, OpenEvents};
use crate::settings::Settings;
use crate::settling::wait_for_programs;
use crate::sys::clock;

/// If the machine was suspended this long, its CPUs were off meanwhile, and the events of a CPU end when it goes off.
/// Reading two clocks takes less.
const SUSPENDED: Duration = Duration::from_millis(10);

/// What recordings that follow each other share; see [`Recorder::run_round`](crate::Recorder::run_round). Dropping it
/// closes it all.
#[derive(Debug, Default)]
pub struct Standby {
    kept: Option<Kept>,
    symbols: KeptSymbols,
}

#[derive(Debug)]
struct Kept {
    opened: OpenEvents,
    settings: Settings,
    scope: Scope,
}

impl Standby {
    /// Returns what an earlier recording opened, ready for the next one; `None`: all must be opened anew.
    pub(crate) fn take(&mut self, settings: &Settings, scope: Scope) -> Option<OpenEvents> {
        let mut kept = self.kept.take()?;
        let is_same = kept.scope == scope
            && opens(&kept.settings) == opens(settings)
            && cpus::online().is_ok_and(|cpus| cpus == kept.opened.cpus)
            && clock::suspended().abs_diff(kept.opened.suspended) < SUSPENDED;
        if is_same && kept.opened.resume().is_ok() {
            return Some(kept.opened);
        }
        kept.opened.close();
        None
    }

    /// Takes the symbols of the kernel that an earlier recording read.
    pub(crate) fn take_symbols(&mut self) -> KeptSymbols {
        std::mem::take(&mut self.symbols)
    }

    /// Keeps what a recording opened, if that is still as it was, and read.
    pub(crate) fn put(
        &mut self,
        (mut opened, symbols): (OpenEvents, KeptSymbols),
        settings: &Settings,
        scope: Scope,
    ) {
        self.symbols = symbols;
        if !opened.pause() {
            return opened.close();
        }
        let settings = settings.clone();
        self.kept = Some(Kept {
            opened,
            settings,
            scope,
        });
    }
}

impl Drop for Standby {
    fn drop(&mut self) {
        if let Some(mut kept) = self.kept.take() {
            while_recording(|| kept.opened.close());
        }
    }
}

/// What of the settings decides what is opened.
fn opens(settings: &Settings) -> Settings {
    Settings {
        output: PathBuf::new(),
        replace_output: false,
        numbers_output: false,
        command_of: None,
        command_line: Vec::new(),
        ..settings.clone()
    }
}

impl OpenEvents {
    /// Detaches what costs other programs time. Returns whether all that was opened can be used again.
    fn pause(&mut self) -> bool {
        let has_all_stacks = self.unlimit().is_ok();
        let programs = self.programs.as_mut();
        let are_paused = [
            programs.is_none_or(|programs| programs.pause().is_ok()),
            self.python
                .as_ref()
                .is_none_or(|python| python.pause().is_ok()),
        ];
        let is_whole = !self.is_spoiled && self.rings.len() == self.cpus.len();
        is_whole && has_all_stacks && are_paused == [true, true]
    }

    /// Has every switch and every wake-up get a stack again, as at first: a limiter may have thinned them out.
    fn unlimit(&self) -> io::Result<()> {
        for (full, bare) in LIMITED {
            let Some(full) = self.of_kind(full).filter(|_| self.of_kind(bare).is_some()) else {
                continue;
            };
            let mut events = full.per_cpu.iter();
            events.try_for_each(|event| event.set_period(1))?;
        }
        Ok(())
    }

    /// Makes everything as it was when it was opened.
    fn resume(&mut self) -> Result<(), BpfError> {
        // Programs that were detached may still have been running.
        wait_for_programs();
        self.missing.truncate(self.earlier.missing);
        if let Some(calls) = &mut self.system_calls {
            calls.forget()?;
        }
        if let Some(network) = &mut self.network {
            network.forget()?;
        }
        // Those that others end in come before these.
        if let Some(python) = &self.python {
            python.resume()?;
        }
        if let Some(programs) = &mut self.programs {
            programs.resume()?;
        }
        self.earlier.lost = self.lost_ever();
        let mut runs = Runs::new();
        self.each_object(|loaded| add_runs(loaded.object(), &mut runs));
        self.earlier.runs = runs;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use whyslow_testenv::{Feature, has};

    use super::*;
    use crate::open::Observed;
    use crate::rights;

    #[test]
    fn after_the_machine_was_suspended_all_is_opened_anew() {
        if !has(Feature::Recording) {
            return;
        }
        let scope = rights::probe().unwrap();
        let mut settings = Settings::new("a.data");
        settings.use_bpf = false;
        let nobody = Observed { own_pid: None };
        let opened = OpenEvents::open(&settings, scope, nobody, &|| Ok(())).unwrap();
        let mut standby = Standby::default();
        standby.put((opened, KeptSymbols::default()), &settings, scope);
        let mut opened = standby.take(&settings, scope).unwrap();
        // As if it had been suspended since.
        opened.suspended += Duration::from_secs(3600);
        standby.put((opened, KeptSymbols::default()), &settings, scope);
        assert!(standby.take(&settings, scope).is_none());
    }
}
