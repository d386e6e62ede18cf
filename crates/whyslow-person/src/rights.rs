//! Rights that a program has beyond those of its user: the capabilities of its file.
//!
//! Whoever may execute such a file starts it with arguments and files of their choice. So a right is in effect only where
//! it is needed:
//!
//! ```text
//! start ─► set_aside: none in effect ─► while_recording: what a recorder uses ─► give_up: none is left
//!                                          └► while_reading_tracefs: reads any file, this thread only
//! ```
//!
//! All files that a user names are opened, and all output is written, with the user's own rights. The kernel itself takes
//! the rights from commands that are started. Root has no rights to set aside: nothing here changes for root.

use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set, set_capabilities,
};

/// What a recorder uses as long as it records.
const OF_RECORDING: CapabilitySet = CapabilitySet::PERFMON
    .union(CapabilitySet::BPF)
    .union(CapabilitySet::SYSLOG)
    .union(CapabilitySet::IPC_LOCK)
    .union(CapabilitySet::SYS_PTRACE);

/// What makes files readable that the user cannot read.
const OF_READING: CapabilitySet = CapabilitySet::DAC_READ_SEARCH;

/// Whether the program has rights beyond those of its user.
#[must_use]
pub fn are_lent() -> bool {
    lent().is_some()
}

/// Takes all rights out of effect. To be called before anything else is done, as long as there is one thread.
pub fn set_aside() {
    if let Some(sets) = lent() {
        let _none = clear_ambient_capability_set();
        apply(CapabilitySets {
            effective: CapabilitySet::empty(),
            inheritable: CapabilitySet::empty(),
            ..sets
        });
    }
}

/// Gives all rights up. Other threads must have ended.
pub fn give_up() {
    if lent().is_some() {
        apply(CapabilitySets {
            effective: CapabilitySet::empty(),
            permitted: CapabilitySet::empty(),
            inheritable: CapabilitySet::empty(),
        });
    }
}

/// Does something with the rights of a recorder; threads that it starts have them, too.
pub fn while_recording<T>(work: impl FnOnce() -> T) -> T {
    with(OF_RECORDING, work)
}

/// Does something that reads `tracefs`, and nothing that a user names.
pub fn while_reading_tracefs<T>(work: impl FnOnce() -> T) -> T {
    with(OF_READING, work)
}

/// Does something with more rights in effect, as far as they are permitted; only for the calling thread.
fn with<T>(more: CapabilitySet, work: impl FnOnce() -> T) -> T {
    let before = lent();
    if let Some(sets) = before {
        apply(CapabilitySets {
            effective: sets.effective | (sets.permitted & more),
            ..sets
        });
    }
    // Taken back also if the work panics.
    let _back = Back(before);
    work()
}

/// Puts the sets back.
struct Back(Option<CapabilitySets>);

impl Drop for Back {
    fn drop(&mut self) {
        if let Some(sets) = self.0 {
            apply(sets);
        }
    }
}

/// Returns the calling thread's sets if it has rights and is not root.
fn lent() -> Option<CapabilitySets> {
    let uids = [rustix::process::getuid(), rustix::process::geteuid()];
    if uids.iter().any(|uid| uid.is_root()) {
        return None;
    }
    let sets = capabilities(None).ok()?;
    (!sets.permitted.is_empty()).then_some(sets)
}

/// Sets them. Less is always allowed; if the kernel refuses all the same, the program must not go on with more.
fn apply(sets: CapabilitySets) {
    if set_capabilities(None, sets).is_err() {
        std::process::abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_keeps_its_rights() {
        if !rustix::process::geteuid().is_root() {
            return;
        }
        let before = capabilities(None).unwrap();
        assert!(!are_lent());
        set_aside();
        give_up();
        assert_eq!(while_recording(|| 7), 7);
        assert_eq!(capabilities(None).unwrap(), before);
    }

    #[test]
    fn rights_are_in_effect_where_they_are_needed() {
        let root = rustix::process::geteuid().is_root();
        if !root {
            return;
        }
        // Capabilities and users are of a thread.
        let thread = std::thread::spawn(|| {
            rustix::thread::set_keep_capabilities(true).unwrap();
            let ann = rustix::process::Uid::from_raw(54_321);
            rustix::thread::set_thread_res_uid(ann, ann, ann).unwrap();
            let lent = OF_RECORDING | OF_READING;
            apply(CapabilitySets {
                effective: lent,
                permitted: lent,
                inheritable: CapabilitySet::empty(),
            });
            let now = || capabilities(None).unwrap();
            assert!(are_lent());
            set_aside();
            assert!(now().effective.is_empty());
            assert_eq!(now().permitted, lent);
            while_recording(|| {
                assert_eq!(now().effective, OF_RECORDING);
                while_reading_tracefs(|| assert_eq!(now().effective, lent));
                assert_eq!(now().effective, OF_RECORDING);
            });
            while_reading_tracefs(|| assert_eq!(now().effective, OF_READING));
            assert!(now().effective.is_empty());
            give_up();
            assert!(!are_lent() && now().permitted.is_empty());
            while_recording(|| assert!(now().effective.is_empty()));
        });
        thread.join().unwrap();
    }
}
