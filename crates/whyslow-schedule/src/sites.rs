//! Stacks of places where threads leave the CPU, for switches and wake-ups that have none.
//!
//! Where threads switch extremely often, the recorder takes stacks of only a sample, fair per
//! *site* ([`Site`]). An event without a stack gets the last one taken at its site, so every class
//! of waits has the same share as in the sample, whatever the rate. Such rows are flagged
//! [`APPROXIMATE_STACK`](StateFlags::APPROXIMATE_STACK).

use whyslow_model::{FastMap, StateFlags, WakerKind};

use super::{Off, Wake};
use crate::event::Site;
use whyslow_stacks::{HalfWord, StackWord};

/// Maximum number of sites; each costs some tens of bytes. Events of later ones keep only their own
/// stacks.
const MAX_SITES: usize = 1 << 18;

/// The stacks seen last.
#[derive(Debug, Default)]
pub struct Sites {
    stacks: FastMap<Site, StackWord>,
    /// Stacks of wakers: an interrupt may occur where a thread wakes another one.
    wakers: FastMap<(Site, WakerKind), HalfWord>,
}

impl Sites {
    /// Handles a thread that leaves the CPU: its kernel half is noted, or taken from the sample.
    pub fn leave(&mut self, off: &mut Off) {
        if off.site == Site::default() {
            return;
        }
        if !off.stack.kernel.is_absent() {
            if let Some(known) = entry(&mut self.stacks, off.site, StackWord::NONE) {
                known.kernel = off.stack.kernel;
            }
        } else if let Some(known) = self.stacks.get(&off.site) {
            off.stack.kernel = known.kernel;
            if !known.kernel.is_absent() {
                off.flags = off.flags.with(StateFlags::APPROXIMATE_STACK);
            }
        }
    }

    /// Completes a time off the CPU that has all halves that came: its user half is noted, or taken
    /// from the sample.
    pub fn complete(&mut self, off: &mut Off) {
        if off.site == Site::default() {
            return;
        }
        if off.stack.user.is_absent() {
            let known = self.stacks.get(&off.site).map(|known| known.user);
            if let Some(user) = known.filter(|user| !user.is_absent()) {
                off.stack.user = user;
                off.flags = off.flags.with(StateFlags::APPROXIMATE_STACK);
            }
        } else if let Some(known) = entry(&mut self.stacks, off.site, StackWord::NONE) {
            known.user = off.stack.user;
        }
    }

    /// Notes the stack of a wake-up from a site.
    pub fn wake(&mut self, site: Site, wake: &Wake) {
        let kernel = wake.stack.kernel;
        if site != Site::default()
            && !kernel.is_absent()
            && let Some(known) = entry(&mut self.wakers, (site, wake.kind), HalfWord::ABSENT)
        {
            *known = kernel;
        }
    }

    /// Completes the wake-up of a thread that comes onto the CPU and was woken from a site.
    pub fn enter(&self, site: Site, wake: &mut Wake) {
        if wake.stack.kernel.is_absent()
            && let Some(&kernel) = self.wakers.get(&(site, wake.kind))
        {
            wake.stack.kernel = kernel;
        }
    }
}

/// The value of a key, created if there is room.
fn entry<K: Eq + std::hash::Hash, V: Copy>(
    map: &mut FastMap<K, V>,
    key: K,
    default: V,
) -> Option<&mut V> {
    if map.len() >= MAX_SITES && !map.contains_key(&key) {
        return None;
    }
    Some(map.entry(key).or_insert(default))
}
