//! What can be found out, in ten lines.

use crate::abilities::{Abilities, Recordable};

/// How root records a command.
const AS_ROOT: &str = "sudo whyslow run -- make";

/// Returns in ten lines what a user can do; `at_hand` is the newest extract, and how many there are.
#[must_use]
pub fn overview(abilities: &Abilities, at_hand: Option<(&str, usize)>) -> String {
    let whom = if abilities.is_root {
        "as root"
    } else {
        "without root"
    };
    let is_machine = abilities.recordable == Recordable::Machine;
    let now = if is_machine {
        "whyslow now"
    } else {
        "sudo whyslow now"
    };
    let word = |can| if can { "yes" } else { "no" };
    let or_root = |can| if can { "" } else { AS_ROOT };
    let [run, waits] = of_a_command(abilities);
    let (calls, kernel) = (abilities.calls, abilities.kernel);
    let lines = [
        format!(
            "Whyslow finds out why a computer was slow. On this machine it can tell you now, {whom}:"
        ),
        run,
        waits,
        row(
            word(calls),
            "  its files, connections and system calls",
            or_root(calls),
        ),
        row(
            word(kernel),
            "  its CPU time inside the kernel",
            or_root(kernel),
        ),
        row(word(is_machine), "what the whole machine does", now),
        of_extracts(at_hand),
        row(
            "yes",
            "about recordings from elsewhere (Windows)",
            "whyslow extract trace.etl",
        ),
        row(
            "yes",
            "how the cost of an operation grows",
            "whyslow lab create",
        ),
        "whyslow --help lists all commands; whyslow COMMAND --help has examples.".to_owned(),
    ];
    lines.join("\n") + "\n"
}

fn row(can: &str, what: &str, command: &str) -> String {
    let line = format!("  {can:<6} {what:<43} {command}");
    line.trim_end().to_owned()
}

fn of_a_command(abilities: &Abilities) -> [String; 2] {
    let why = "why a command is slow";
    let run = match abilities.recordable {
        Recordable::Nothing => row("no", why, AS_ROOT),
        _ => row("yes", why, "whyslow run -- make"),
    };
    let waits = match (abilities.waits, abilities.recordable) {
        (true, _) => row("yes", "  what it waits for, and for whom", ""),
        (false, Recordable::Nothing) => row("no", "  what it waits for", AS_ROOT),
        (false, _) => row(
            "partly",
            "  what it waits for: looked up now and then",
            AS_ROOT,
        ),
    };
    [run, waits]
}

fn of_extracts(at_hand: Option<(&str, usize)>) -> String {
    match at_hand {
        Some((newest, 1)) => row(
            "yes",
            "questions to the extract here",
            &format!("whyslow why {newest}"),
        ),
        Some((_, count)) => row(
            "yes",
            &format!("questions to the {count} extracts here"),
            "whyslow why",
        ),
        None => row("no", "questions to extracts: none is here", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: Abilities = Abilities {
        is_root: true,
        recordable: Recordable::Machine,
        kernel: true,
        waits: true,
        calls: true,
    };

    #[test]
    fn root_sees_everything() {
        let expected = "\
Whyslow finds out why a computer was slow. On this machine it can tell you now, as root:
  yes    why a command is slow                       whyslow run -- make
  yes      what it waits for, and for whom
  yes      its files, connections and system calls
  yes      its CPU time inside the kernel
  yes    what the whole machine does                 whyslow now
  yes    questions to the extract here               whyslow why make.whyslow
  yes    about recordings from elsewhere (Windows)   whyslow extract trace.etl
  yes    how the cost of an operation grows          whyslow lab create
whyslow --help lists all commands; whyslow COMMAND --help has examples.
";
        assert_eq!(overview(&ROOT, Some(("make.whyslow", 1))), expected);
    }

    #[test]
    fn others_are_told_how_to_see_more() {
        let own = Abilities {
            is_root: false,
            recordable: Recordable::OwnCommands,
            kernel: false,
            waits: false,
            calls: false,
        };
        let text = overview(&own, Some(("a", 3)));
        assert_eq!(text.lines().count(), 10);
        for part in [
            "without root:",
            "partly",
            "sudo whyslow now",
            "the 3 extracts here",
        ] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        let nothing = Abilities {
            recordable: Recordable::Nothing,
            ..own
        };
        let text = overview(&nothing, None);
        assert_eq!(text.lines().count(), 10);
        assert!(text.contains("  no     why a command is slow"), "{text}");
        for line in text.lines() {
            assert!(line.len() <= 100, "{line}");
        }
    }
}
