//! The help of `lab`: the cases come from the lab's list.

use std::fmt::Write;

use whyslow_lab::cases;

use super::TOOLS;

/// Returns the text below the options.
pub(crate) fn help() -> String {
    let mut text = "Cases:\n".to_owned();
    let cases = cases::ALL.iter().map(|case| (case.name, case.about));
    for (name, about) in cases.chain(TOOLS) {
        // Writing into a string cannot fail.
        let _written = writeln!(text, "  {name:<10}  {about}");
    }
    text += ABOUT;
    let examples = cases::ALL.iter().flat_map(|case| case.examples);
    for example in examples.copied().chain([
        "suite nightly.toml -o report",
        "compare before after",
        "export create --count 100k --as ps1 > create.ps1",
    ]) {
        let _written = write!(text, "\n  whyslow lab {example}");
    }
    text
}

/// What the list of cases does not say.
const ABOUT: &str = "
Shares: --on smb and --on nfs start a private file server, in memory and in a network of its own,
and reach it with a client that caches nothing and counts its round trips. The name may have a suffix:
smb:3.11 allows only this dialect, smb:case makes names differ by case, smb:rtt=10ms and
nfs:rtt=10ms add this time to every round trip, smb:on=ext4 and nfs:on=xfs serve a file system that
is made for them; smb:3.11+case+rtt=10ms+on=ext4 combines everything.

Every operation is timed and kept. At the end the first sizes are measured once more: if they are
now as slow as the last ones, the operation became slower over time, not with the number. The verdict
names the law: constant, steps, growth like n to the power of p, or drift. Bursts and outliers are
reported, never dropped.

Ctrl-C ends the experiment and shows what was measured; everything that was made is removed. With
-o DIR every operation is kept in DIR/operations.parquet, beside runs.csv, runs.json, a picture per
series, and report.html, which contains every operation and needs no other file.

With --record the machine is recorded at the same time, as by `whyslow run`, and the answer explains
what held the experiment up; `whyslow cpu`, `stacks` and `threads` answer from the extract,
DIR/recording.whyslow.

`lab export create --count 100k --as ps1` prints the same experiment as one self-contained script, for a
machine without Whyslow: Windows with NTFS, a NAS, a server on which nothing may be installed. Its log is a CSV file; `whyslow lab law` judges it.

Examples:";
