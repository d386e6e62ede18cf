//! Call chains: markers say where kernel frames end and user frames begin.
//!
//! Every frame but the innermost of a half is a return address, which points past its call. The
//! address that is kept is one less, so that it lies within the call: this gives the line of the
//! call, and the right function where a call never returns.

use whyslow_perfdata::abi::context;
use whyslow_perfdata::{Callchain, Sample};

use crate::importer::Importer;
use whyslow_stacks::{HalfRef, Root, StackRef};

/// Splits call chains into halves.
#[derive(Debug)]
pub(super) struct Chains {
    kernel: Vec<u64>,
    user: Vec<u64>,
    /// The recorder unwinds user stacks itself, and reports how they end.
    is_own: bool,
    /// Samples that have only an address, although a stack was requested.
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
        let markers = self.split(chain.iter());
        let kernel = match self.kernel.as_slice() {
            [] => HalfRef::Absent,
            frames => importer.half(Root::Kernel, frames),
        };
        let has_frames = !self.user.is_empty();
        // Trailing markers mean that the walk stopped early; without frames, one of them opens the
        // half.
        let is_cut = markers.is_some_and(|markers| markers > usize::from(!has_frames));
        let user = match (has_frames, is_cut) {
            (false, false) => HalfRef::Absent,
            (true, _) if markers.is_none() => importer.half(Root::UserTruncated, &self.user),
            (_, true) if self.is_own => importer.half(Root::UserTruncated, &self.user),
            (true, _) if self.is_own => importer.half(Root::UserComplete, &self.user),
            (true, _) => importer.half(Root::User, &self.user),
            (false, true) => HalfRef::Absent,
        };
        StackRef { kernel, user }
    }

    /// Splits the addresses. Returns how many markers are at the end, or `None` for a walk that
    /// went astray: in programs without frame pointers, any value may be in their place. An invalid
    /// marker proves that. perf then drops the whole chain; here the kernel half and the user's
    /// instruction pointer are kept, which are certain.
    fn split(&mut self, ips: impl Iterator<Item = u64>) -> Option<usize> {
        use context::{GUEST, GUEST_KERNEL, GUEST_USER, HV, KERNEL, USER, USER_DEFERRED};
        self.kernel.clear();
        self.user.clear();
        let mut is_user = false;
        let mut markers = 0;
        for ip in ips {
            match ip {
                ip if ip < context::MAX => {
                    let half = if is_user {
                        &mut self.user
                    } else {
                        &mut self.kernel
                    };
                    let behind_call = u64::from(!half.is_empty());
                    half.push(ip.wrapping_sub(behind_call));
                    markers = 0;
                }
                USER | USER_DEFERRED => {
                    is_user = true;
                    markers += 1;
                }
                HV | KERNEL | GUEST | GUEST_KERNEL | GUEST_USER => {
                    is_user = false;
                    markers = 0;
                }
                _ => {
                    self.user.truncate(1);
                    return None;
                }
            }
        }
        Some(markers)
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
        let Some(ip) = sample.ip() else {
            return StackRef::NONE;
        };
        self.bare += u64::from(!sample.has_callchain());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ips: &[u64], kernel: &[u64], user: &[u64], markers: Option<usize>) {
        let mut chains = Chains::new(false);
        assert_eq!(chains.split(ips.iter().copied()), markers);
        assert_eq!((&*chains.kernel, &*chains.user), (kernel, user));
    }

    #[test]
    fn markers_part_the_halves() {
        use context::{KERNEL, USER};
        let both = [KERNEL, 0x90, 0x95, USER, 0x10, 0x25];
        check(&both, &[0x90, 0x94], &[0x10, 0x24], Some(0));
        check(&[USER, 0x10, USER], &[], &[0x10], Some(1));
    }

    #[test]
    fn a_walk_that_went_astray_keeps_what_is_sure() {
        use context::{KERNEL, USER};
        let astray = [KERNEL, 0x90, 0x95, USER, 0x10, 0x3, u64::MAX, 0x77];
        check(&astray, &[0x90, 0x94], &[0x10], None);
        check(&[USER, 0x10, u64::MAX], &[], &[0x10], None);
    }
}
