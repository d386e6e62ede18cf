//! Sites: they show which switches and wake-ups belong together, where only a sample of them has a
//! stack.
//!
//! Where threads switch extremely often, only a sample of the switches has a stack. The *site* of a
//! switch shows which switches belong together: it is a number that is the same whenever the same
//! thread leaves the CPU in the same system call, called from the same place. Wake-ups have sites
//! in the same way. The payload of `sched:sched_switch` is followed by two numbers ([`push_sites`],
//! [`sites`]), after the fields that the tracepoint's format names: the site of the thread that
//! leaves, and the site from which the thread that comes was woken. A `sched:sched_waking` with a
//! stack is followed by one number, its own site. 0, or no number, means that the site is not
//! known.

use crate::endian::Endian;

/// Appends sites to the payload of a tracepoint, in this machine's byte order.
pub fn push_sites(payload: &mut Vec<u8>, sites: &[u64]) {
    payload.resize(payload.len().next_multiple_of(8), 0);
    for site in sites {
        payload.extend_from_slice(&site.to_ne_bytes());
    }
}

/// Returns the first two sites that follow the payload of a tracepoint whose fields end at
/// `fields_end`; 0 if there are none.
pub fn sites(payload: &[u8], fields_end: usize, endian: Endian) -> [u64; 2] {
    let start = fields_end.next_multiple_of(8);
    [start, start + 8].map(|offset| endian.u64(payload, offset).unwrap_or(0))
}
