//! Call chains: markers say where kernel frames end and user frames begin.
//!
//! Every frame but the innermost of a half is a return address, which points behind its call. The
//! address that is kept is one less, so that it lies within the call: the caller's line, and the
//! right function where a call never returns.

use whyslow_perfdata::abi::context;
use whyslow_perfdata::{Callchain, Sample};

use crate::event::{HalfRef, StackRef};
use crate::importer::Importer;
use crate::stacks::Root;

/// Splits call chains into halves.
#[derive(Debug)]
pub(super) struct Chains {
    kernel: Vec<u64>,
    user: Vec<u64>,
    /// The recorder unwinds user stacks itself, and says how they end.
    is_own: bool,
    /// Samples with only an address, without the stack they were asked for.
    pub(super) bare: u64,
}

impl Chains {
    /// Returns a splitter; `is_own` where Whyslow's recorder wrote the file.
    pub(super) fn new(is_own: bool) -> Self {
        Self {
            kernel: Vec::new(),
            user: Vec::new(),
            is_own,
            bare: 0,
        }
    }

    /// Returns the stack of an event's call chain.
    pub(super) fn stack(&mut self, importer: &mut Importer<'_>, chain: Callchain<'_>) -> StackRef {
        self.kernel.clear();
        self.user.clear();
        let mut is_user = false;
        let mut markers = 0;
        for ip in chain.iter() {
            if ip < context::MAX {
                let half = if is_user {
                    &mut self.user
                } else {
                    &mut self.kernel
                };
                half.push(if half.is_empty() {
                    ip
                } else {
                    ip.wrapping_sub(1)
                });
                markers = 0;
                continue;
            }
            is_user = matches!(ip, context::USER | context::USER_DEFERRED);
            markers = if is_user { markers + 1 } else { 0 };
        }
        let kernel = match self.kernel.as_slice() {
            [] => HalfRef::Absent,
            frames => importer.half(Root::Kernel, frames),
        };
        let has_frames = !self.user.is_empty();
        // Trailing markers say that the walk stopped early; without frames one opens the half.
        let is_cut = markers > usize::from(!has_frames);
        let user = match (has_frames, is_cut) {
            (false, false) => HalfRef::Absent,
            (_, true) if self.is_own => importer.half(Root::UserTruncated, &self.user),
            (true, _) if self.is_own => importer.half(Root::UserComplete, &self.user),
            (true, _) => importer.half(Root::User, &self.user),
            (false, true) => HalfRef::Absent,
        };
        StackRef { kernel, user }
    }

    /// Returns the stack of a sample: its call chain, or at least its address.
    pub(super) fn of_sample(
        &mut self,
        importer: &mut Importer<'_>,
        sample: &Sample<'_>,
        is_user: bool,
    ) -> StackRef {
        if !sample.callchain.is_empty() {
            return self.stack(importer, sample.callchain);
        }
        let Some(ip) = sample.ip else {
            return StackRef::NONE;
        };
        self.bare += u64::from(!sample.has_callchain);
        if is_user {
            let user = importer.half(Root::UserTruncated, &[ip]);
            StackRef {
                user,
                ..StackRef::NONE
            }
        } else {
            let kernel = importer.half(Root::Kernel, &[ip]);
            StackRef {
                kernel,
                ..StackRef::NONE
            }
        }
    }
}
