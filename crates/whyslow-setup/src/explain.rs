//! What is possible on this machine, what each way allows whom, and the exact commands.

use std::fs;
use std::path::Path;

use crate::copy::{Copy, Made, last_right};
use crate::file_rights;

/// What is so on this machine now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Whether the user is root.
    pub is_root: bool,
    /// Whether `sudo` is installed.
    pub has_sudo: bool,
    /// Whether files can be given the rights that the recorder uses.
    pub has_rights: bool,
    /// The copy with rights, if there is one.
    pub copy: Option<Made>,
    /// Where a copy would be.
    pub place: String,
    /// `kernel.perf_event_paranoid`.
    pub paranoid: String,
    /// `kernel.kptr_restrict`.
    pub pointers: String,
}

impl Facts {
    /// Looks at the machine.
    #[must_use]
    pub fn now(copy: &Copy) -> Self {
        let setting = |name: &str| {
            let text = fs::read_to_string(format!("/proc/sys/kernel/{name}"));
            text.map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned())
        };
        let mut usual = ["/usr/bin/sudo", "/bin/sudo", "/usr/local/bin/sudo"].iter();
        Self {
            is_root: rustix::process::geteuid().is_root(),
            has_sudo: usual.any(|path| Path::new(path).is_file()),
            has_rights: file_rights::are_known(last_right()),
            copy: copy.found(),
            place: copy.path().display().to_string(),
            paranoid: setting("perf_event_paranoid"),
            pointers: setting("kptr_restrict"),
        }
    }
}

/// Returns what there is to say, in lines of at most 100 characters.
#[must_use]
pub fn explain(facts: &Facts) -> String {
    let now = match (facts.is_root, &facts.copy) {
        (true, _) => "You are root, who may record everything.",
        (false, Some(_)) => "You record with the rights of the copy below, if you may execute it.",
        (false, None) => {
            "You record with your own rights: your own commands, as far as the kernel allows."
        }
    };
    let parts = [
        format!(
            "How users may be allowed to record this machine. This page changes nothing.\n{now}\n"
        ),
        of_sudo(facts),
        of_copy(facts),
        of_settings(facts),
    ];
    parts.join("\n")
}

fn of_sudo(facts: &Facts) -> String {
    let is_missing = match facts.has_sudo {
        true => "",
        false => "   sudo is not installed here.\n",
    };
    format!(
        "\
1  sudo: for users who may use it
     sudo whyslow run -- make
   The recorder runs as root, the command as the person who called sudo; the files are theirs. A
   rule for sudo that allows only whyslow allows as much as one that allows everything: as root, it
   can write files anywhere and run any command.
{is_missing}"
    )
}

fn of_copy(facts: &Facts) -> String {
    if !facts.has_rights {
        return "2  A copy of this program with rights of its own: needs Linux 5.8 or newer\n"
            .to_owned();
    }
    let place = &facts.place;
    let now = match &facts.copy {
        Some(Made {
            group: Some(group), ..
        }) => format!("there now, for the members of {group}"),
        Some(_) => "there now, for everybody".to_owned(),
        None => "for a group, or everybody".to_owned(),
    };
    let rights = file_rights::as_text();
    format!(
        "\
2  A copy of this program with rights of its own: {now}
     sudo groupadd --system whyslow               if there is no group yet
     sudo usermod --append --groups whyslow USER  for each who may record, from the next login on
     sudo whyslow setup --capabilities --group whyslow
     sudo whyslow setup --capabilities            without a group: everybody on this machine
     sudo whyslow setup --undo                    removes it again, and nothing else
   Makes {place}. `whyslow run`, `record` and `now` continue as this copy for
   users who may execute it. Make it anew when whyslow is updated.
   It allows: anyone who may execute it can read what all users of this machine do. That is command
   lines, names of files, connections, where programs compute and wait, and the contents of their
   stacks, which may hold secrets. It can also slow the machine down, and lock memory.
   It does not allow to write files or read any but one's own: the copy opens files with the user's
   own rights, reads only the formats of events with more, and uses none of them to extract and
   explain. Commands that it runs have none. Functions of other users' programs have no names.
   By hand: install --group whyslow --mode 0750 $(command -v whyslow) COPY
            setcap {rights} COPY
   A copy at another place is started by its path.
"
    )
}

fn of_settings(facts: &Facts) -> String {
    let (paranoid, pointers) = (&facts.paranoid, &facts.pointers);
    format!(
        "\
3  Settings of the kernel: for everybody, until the next start (to keep them: /etc/sysctl.d)
     sudo sysctl kernel.perf_event_paranoid=1     own commands, with the time inside the kernel
     sudo sysctl kernel.perf_event_paranoid=-1    CPU samples of all programs
     sudo sysctl kernel.kptr_restrict=0           with -1: the kernel's functions have names
   Now kernel.perf_event_paranoid is {paranoid}, and kernel.kptr_restrict is {pointers}.
   Every program may use this, not only whyslow. What threads wait for is only looked up now and
   then: eBPF and the formats of events stay with root.
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        Facts {
            is_root: false,
            has_sudo: true,
            has_rights: true,
            copy: None,
            place: "/usr/local/lib/whyslow/whyslow".to_owned(),
            paranoid: "2".to_owned(),
            pointers: "1".to_owned(),
        }
    }

    #[track_caller]
    fn says(facts: &Facts, parts: &[&str]) {
        let text = explain(facts);
        for part in parts {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        for line in text.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }

    #[test]
    fn every_way_has_its_command_and_says_what_it_allows() {
        says(
            &facts(),
            &[
                "This page changes nothing.",
                "sudo whyslow run -- make",
                "sudo whyslow setup --capabilities --group whyslow",
                "can read what all users of this machine do",
                "setcap cap_perfmon,cap_bpf,",
                "Now kernel.perf_event_paranoid is 2, and kernel.kptr_restrict is 1.",
            ],
        );
        assert!(!explain(&facts()).contains("sudo is not installed"));
    }

    #[test]
    fn what_is_there_is_said() {
        let made = Made {
            path: "/usr/local/lib/whyslow/whyslow".into(),
            group: Some("perf".to_owned()),
        };
        let set_up = Facts {
            copy: Some(made),
            has_sudo: false,
            ..facts()
        };
        says(
            &set_up,
            &[
                "there now, for the members of perf",
                "sudo is not installed here.",
            ],
        );
        let old = Facts {
            has_rights: false,
            ..facts()
        };
        says(&old, &["needs Linux 5.8"]);
    }
}
