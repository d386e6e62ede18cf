//! An adapter for answers that are only text: guesses findings from words.
//!
//! It exists until `whyslow run --format json` does, and makes no claim to be exact: a sentence is taken for
//! a finding of every cause whose words are in it, and all of the sentence is its object, place and peer.

use crate::finding::{Confidence, Finding};

/// Words for a cause, in lower case. A word in a sentence is enough.
const WORDS: &[(&str, &[&str])] = &[
    (
        "lock",
        &["a lock between", "mutex", "one lock", "held the lock"],
    ),
    ("gil", &["interpreter lock", "gil"]),
    (
        "file-lock",
        &["file lock", "lock on a file", "flock", "fcntl"],
    ),
    ("semaphore", &["semaphore"]),
    ("hand-over", &["hand-over", "hand over", "take turns"]),
    ("deadlock", &["deadlock"]),
    (
        "child",
        &["for a child", "child process", "for its child", "to end"],
    ),
    ("process-storm", &["short process", "processes, each"]),
    ("thread-storm", &["short thread", "threads, each"]),
    ("pipe", &["pipe", "terminal"]),
    (
        "slow-peer",
        &[
            "for network",
            "for the network",
            "for a reply",
            "for replies",
            "for a socket",
            "event file",
        ],
    ),
    ("signal", &["for a signal"]),
    ("stopped", &["stopped"]),
    ("sleep", &["slept", "sleeps", "asked to sleep"]),
    ("timeout", &["time-out", "timeout", "timed out"]),
    ("poll-loop", &["polls", "looks again"]),
    ("retry", &["tries again", "retried", "retries"]),
    ("dns", &["name server", "getaddrinfo", "dns"]),
    ("connect-refused", &["refused"]),
    ("no-answer", &["nothing answered"]),
    ("database-lock", &["a database lock"]),
    ("listen-queue", &["listen queue"]),
    ("packet-loss", &["retransmi", "sent again"]),
    ("delayed-ack", &["delayed ack", "nagle", "acknowledgement"]),
    (
        "fsync",
        &["fsync", "fdatasync", "sync_all", "writeback", "durable"],
    ),
    ("cold-read", &["for the disk", "read from the disk"]),
    ("scanner", &["fanotify"]),
    ("slow-file-system", &["fuse", "nfs", "smb"]),
    ("disk", &["for the disk"]),
    ("busy-disk", &["used the same disk"]),
    (
        "tiny-reads",
        &["byte reads", "bytes per read", "bytes a read"],
    ),
    (
        "tiny-writes",
        &["byte writes", "bytes per write", "bytes a write"],
    ),
    ("flooded-log", &["lines to the log", "log lines"]),
    (
        "reopen",
        &["opened, read and closed", "opened again", "opens, reads"],
    ),
    ("name-search", &["names were tried", "free name"]),
    ("search-path", &["enoent", "not found"]),
    ("stat-storm", &["stat calls", "attributes"]),
    ("file-churn", &["renames the same", "renamed files"]),
    ("growing-folder", &["growing folder", "the more files"]),
    ("rescan", &["listed again", "lists the directory"]),
    ("dir-listing", &["directory with", "lists the directory"]),
    ("cheap-calls", &["system calls of"]),
    ("cpu", &["it computed", "computes", "on cpu"]),
    (
        "one-thread",
        &["one thing after the other", "one thread at a time"],
    ),
    ("quadratic", &["quadratic"]),
    ("copying", &["memcpy", "memmove", "copying"]),
    ("regex", &["regular expression", "regex"]),
    ("hash-collisions", &["collision", "collide"]),
    ("parse-date", &["parsing dates", "parses dates", "strptime"]),
    ("parse-json", &["json"]),
    ("exceptions", &["exception"]),
    ("deep-copy", &["deep copy", "deepcopy", "deep-copies"]),
    ("logging", &["log records"]),
    ("formatting", &["formats text", "formatting"]),
    ("reflection", &["reflection"]),
    ("boxing", &["boxing"]),
    ("gc", &["garbage"]),
    (
        "startup",
        &["start-up", "loading modules", "dynamic linker"],
    ),
    ("reread", &["times over"]),
    ("spin", &["spins", "spinning"]),
    ("blocked-loop", &["event loop"]),
    ("inode-search", &["free inode"]),
    ("copy-up", &["upper layer"]),
    ("page-faults", &["page by page"]),
    ("huge-pages", &["huge pages"]),
    ("memory-limit", &["memory limit", "reclaim"]),
    ("memory-short", &["short of memory"]),
    ("write-pause", &["faster than the disk"]),
    ("fork-cost", &["copies its memory map", "fork"]),
    ("quota", &["quota", "throttled"]),
    ("pinned", &["pinned", "affinity"]),
    (
        "competing",
        &["starved", "without a cpu", "used the cpus", "competed"],
    ),
    ("low-priority", &["nice", "priority"]),
    ("too-many-threads", &["more threads than", "own threads"]),
    ("idle", &["idle", "for work"]),
];

/// Sentences below this share of the time accuse nobody.
const SMALLEST_SHARE: f64 = 0.03;

/// Guesses the findings of an answer that was printed.
pub(crate) fn findings(text: &str) -> Vec<Finding> {
    statements(text)
        .iter()
        .filter_map(|text| finding(text))
        .collect()
}

/// The lines that claim something: those of "why", and numbered ones with the indented lines below.
fn statements(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let label = line.split_whitespace().next().unwrap_or_default();
        let numbered = label.parse::<u8>().is_ok();
        if !line.starts_with(' ') {
            inside = label == "why" || numbered;
        }
        if !inside {
            continue;
        }
        let of_it = line.contains("% of that in");
        let numbered = found.last().is_some_and(|last| starts_numbered(last));
        let detail = line.starts_with(' ') && (numbered || of_it);
        match found.last_mut().filter(|_| detail) {
            Some(last) => {
                last.push(' ');
                last.push_str(line.trim());
            }
            None => found.push(line.trim_start_matches("why").trim().to_owned()),
        }
    }
    found
}

fn starts_numbered(statement: &str) -> bool {
    let label = statement.split_whitespace().next().unwrap_or_default();
    label.parse::<u8>().is_ok()
}

fn finding(text: &str) -> Option<Finding> {
    let lower = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let causes = WORDS.iter().filter(|(_, words)| has(words));
    let causes: Vec<_> = causes.map(|(id, _)| (*id).to_owned()).collect();
    let shares = percentages(text);
    let small = shares.first().is_some_and(|share| *share < SMALLEST_SHARE);
    if causes.is_empty() || small {
        return None;
    }
    let unsure = has(&["possibl", "perhaps", "may be", "might", " or limited"]);
    Some(Finding {
        of_peer: false,
        causes,
        object: text.to_owned(),
        place: vec![text.to_owned()],
        peer: text.to_owned(),
        shares,
        kept_out: 0.0,
        confidence: if unsure {
            Confidence::Possible
        } else {
            Confidence::Certain
        },
        text: text.to_owned(),
    })
}

/// All numbers before a percent sign, as parts of one.
fn percentages(text: &str) -> Vec<f64> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('%') {
        let before = text[..at].trim_end();
        let digits = before.rfind(|c: char| !c.is_ascii_digit() && c != '.');
        let start = digits.map_or(0, |at| {
            at + before[at..].chars().next().map_or(1, char::len_utf8)
        });
        found.extend(
            before[start..]
                .parse::<f64>()
                .ok()
                .map(|percent| percent / 100.0),
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = "took  418 ms  ./notes\n\
        why   It computed for 71 % of the time.\n\
        \x20     66 % of that in main > count_words.\n\
        \x20     It waited for the disk: 24\u{a0}% of the time, in main > append > fsync.\n\
        on CPU  297 ms  71 %, starved\n\
        1  One lock makes four workers take turns: 17 % of the time\n\
        \x20    Index::add_note holds it\n";

    #[test]
    fn sentences_become_findings() {
        let found = findings(ANSWER);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].causes, ["cpu"]);
        assert!(found[0].place[0].contains("count_words"));
        assert!(found[1].causes.contains(&"fsync".to_owned()));
        assert_eq!(found[1].shares, [0.24]);
        assert!(found[2].causes.contains(&"lock".to_owned()));
        assert!(found[2].text.contains("add_note"));
    }

    #[test]
    fn every_word_is_of_a_known_cause() {
        for (id, _) in WORDS {
            assert!(crate::cause::is_known(id), "{id}");
        }
        assert_eq!(WORDS.len(), crate::cause::CAUSES.len());
    }
}
