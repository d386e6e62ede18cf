//! Programs of an object that are attached to tracepoints.

use aya::Ebpf;
use aya::programs::BtfTracePoint;
use aya::programs::tp_btf::BtfTracePointLinkId;

use crate::error::{BpfError, MISSING};

/// The attached ones, in the order in which they were attached.
#[derive(Default)]
pub(crate) struct Links(Vec<(&'static str, BtfTracePointLinkId)>);

impl Links {
    /// Attaches a program that is loaded.
    pub(crate) fn attach(&mut self, ebpf: &mut Ebpf, name: &'static str) -> Result<(), BpfError> {
        let link = program(ebpf, name)?.attach();
        let link = link.map_err(|error| BpfError::refused(name, &error))?;
        self.0.push((name, link));
        Ok(())
    }

    /// Detaches all of them. They stay loaded, and can be attached again.
    ///
    /// # Errors
    /// The first failure; the others are detached nevertheless.
    pub(crate) fn detach(&mut self, ebpf: &mut Ebpf) -> Result<(), BpfError> {
        let mut outcome = Ok(());
        for (name, link) in self.0.drain(..) {
            let detached = program(ebpf, name).and_then(|program| {
                let detached = program.detach(link);
                detached.map_err(|error| BpfError::refused(name, &error))
            });
            outcome = outcome.and(detached);
        }
        outcome
    }
}

/// Returns a program for a tracepoint by its name.
pub(crate) fn program<'e>(
    ebpf: &'e mut Ebpf,
    name: &str,
) -> Result<&'e mut BtfTracePoint, BpfError> {
    let program = ebpf.program_mut(name).ok_or(MISSING)?;
    program
        .try_into()
        .map_err(|error| BpfError::refused(name, &error))
}
