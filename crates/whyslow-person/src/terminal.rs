//! The terminal that sudo made for a command of root.

use rustix::fs::{Gid, Uid, fchown, fstat, major};

use crate::person::Person;

/// Numbers of drivers of terminals that a program makes; `/dev/tty` and the console are everybody's.
const OF_PROGRAMS: std::ops::RangeInclusive<u32> = 136..=143;

/// Gives the person the terminal behind standard input, output or error if it is root's.
///
/// sudo makes a terminal of its own, which belongs to whom the command runs as, and is gone with it. Otherwise the
/// person's command could not open it by its name, as `gpg`, `ssh` and `screen` do.
pub(crate) fn hand_over_terminal(person: &Person) {
    let all = [
        rustix::stdio::stdin(),
        rustix::stdio::stdout(),
        rustix::stdio::stderr(),
    ];
    for one in all {
        let is_roots = || {
            fstat(one)
                .is_ok_and(|stat| stat.st_uid == 0 && OF_PROGRAMS.contains(&major(stat.st_rdev)))
        };
        if rustix::termios::isatty(one) && is_roots() {
            // If it fails, the command still has the terminal as it is open.
            let _kept = fchown(one, Some(Uid::from_raw(person.uid)), None::<Gid>);
        }
    }
}
