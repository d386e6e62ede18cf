//! Sites: they show which switches and wake-ups belong together, where only a sample of them has a
//! stack. And the kernel's account of the CPU time that ends at a switch.
//!
//! Where threads switch extremely often, only a sample of the switches has a stack. The *site* of a
//! switch shows which switches belong together: it is a number that is the same whenever the same
//! thread leaves the CPU in the same system call, called from the same place. Wake-ups have sites
//! in the same way. The payload of `sched:sched_switch` is followed by two numbers ([`push_sites`],
//! [`sites`]), after the fields that the tracepoint's format names: the site of the thread that
//! leaves, and the site from which the thread that comes was woken. A `sched:sched_waking` with a
//! stack is followed by one number, its own site. 0, or no number, means that the site is not
//! known.
//!
//! A third number may follow a switch ([`accounted_ns`]): how long the thread that leaves was on the CPU, as
//! the kernel accounts it. That differs from the time between the switches by which it came and leaves: where
//! a wake-up takes the CPU from another thread, the kernel opens the account at the wake-up, and it leaves out
//! time in interrupts if it is built to. No number says that it is not known. After it comes a fourth one
//! ([`recorder_ns`]): how long the recorder's own programs ran meanwhile. They are part of the account.

use crate::endian::Endian;

/// Appends sites to the payload of a tracepoint, in this machine's byte order.
pub fn push_sites(payload: &mut Vec<u8>, sites: &[u64]) {
    payload.resize(payload.len().next_multiple_of(8), 0);
    for site in sites {
        payload.extend_from_slice(&site.to_ne_bytes());
    }
}

/// Appends to the payload of a switch the sites; and how long the thread that leaves was on the CPU as the kernel
/// accounts it, and how long the recorder's own programs ran meanwhile. What is not known at the end is left out.
pub fn push_behind_switch(payload: &mut Vec<u8>, sites: [u64; 2], account: Option<(u64, u64)>) {
    if sites != [0; 2] || account.is_some() {
        push_sites(payload, &sites);
    }
    if let Some((ns, recorder_ns)) = account {
        payload.extend_from_slice(&ns.to_ne_bytes());
        payload.extend_from_slice(&recorder_ns.to_ne_bytes());
    }
}

/// Returns how long the recorder's own programs ran on the account of the thread that leaves, as [`accounted_ns`].
pub fn recorder_ns(payload: &[u8], fields_end: usize, endian: Endian) -> Option<u64> {
    endian.u64(payload, fields_end.next_multiple_of(8) + 24)
}

/// Returns how long the thread that leaves was on the CPU as the kernel accounts it, from the payload of a
/// switch whose fields end at `fields_end`.
pub fn accounted_ns(payload: &[u8], fields_end: usize, endian: Endian) -> Option<u64> {
    endian.u64(payload, fields_end.next_multiple_of(8) + 16)
}

/// Returns the first two sites that follow the payload of a tracepoint whose fields end at
/// `fields_end`; 0 if there are none.
pub fn sites(payload: &[u8], fields_end: usize, endian: Endian) -> [u64; 2] {
    let start = fields_end.next_multiple_of(8);
    [start, start + 8].map(|offset| endian.u64(payload, offset).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::{accounted_ns, push_behind_switch, recorder_ns, sites};
    use crate::endian::Endian;

    const NATIVE: Endian = if cfg!(target_endian = "little") {
        Endian::Little
    } else {
        Endian::Big
    };

    #[test]
    fn what_follows_a_switch_is_read_as_it_was_written() {
        for (of, ns) in [
            ([0, 0], None),
            ([7, 0], None),
            ([7, 9], Some((0, 0))),
            ([0, 0], Some((5_000, 700))),
        ] {
            let mut payload = vec![1; 44];
            push_behind_switch(&mut payload, of, ns);
            // The kernel, and the writer, pad.
            payload.extend([0; 4]);
            assert_eq!(sites(&payload, 44, NATIVE), of);
            let accounted = accounted_ns(&payload, 44, NATIVE);
            assert_eq!(accounted.zip(recorder_ns(&payload, 44, NATIVE)), ns);
        }
    }
}
