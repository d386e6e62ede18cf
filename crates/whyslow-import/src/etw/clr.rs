//! Methods of .NET, which the runtime compiles while the program runs.
//!
//! A method's code is a module of its own, as a program of the Linux kernel is: kind
//! [`ModuleKind::Jit`](crate::ModuleKind::Jit), its path is `[.net]` and the method's full name, and
//! its mapping the code's range in the process since the method was compiled. Addresses in it are
//! absolute, and all mean this method.

use whyslow_etl::{Descriptor, Guid, Record};

use super::Frontend;

/// Microsoft-Windows-DotNETRuntime.
const RUNTIME: Guid = Guid::new(
    0xe13c_0d23,
    0xccbc,
    0x4e12,
    [0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4],
);
/// Microsoft-Windows-DotNETRuntimeRundown.
const RUNDOWN: Guid = Guid::new(
    0xa669_021c,
    0xc450,
    0x4609,
    [0xa0, 0x35, 0x5a, 0xf5, 0x9a, 0xf4, 0xdf, 0x18],
);

impl Frontend<'_> {
    /// Takes an event of a provider.
    pub(super) fn provider_event(&mut self, _record: &Record<'_>, of: &Descriptor) {
        if of.provider == RUNTIME || of.provider == RUNDOWN {
            self.seen.runtime_events += 1;
        }
    }
}
