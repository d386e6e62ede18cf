//! Problems of a recording, told at the end of the work.

use whyslow_model::Severity;
use whyslow_model::tables::ProblemRow;

use crate::terminal::Terminal;

/// Tells what is missing or damaged; what is only good to know is counted.
pub(crate) fn tell(extract: &str, problems: &[ProblemRow], terminal: &Terminal) {
    let info = Severity::Info.name();
    for row in problems.iter().filter(|row| row.severity != info) {
        let times = if row.count == 1 {
            String::new()
        } else {
            format!(" ({} times)", whyslow_render::number::grouped(row.count))
        };
        terminal.note(
            &row.severity,
            &format!("{}{times}: {}", row.kind, row.detail),
        );
        terminal.tell(&format!("  {}", whyslow_render::harmless(&row.advice)));
    }
    let others = problems.iter().filter(|row| row.severity == info).count();
    if others > 0 {
        let text = format!(
            "{}; `whyslow problems {extract}` explains",
            remarks(others, " more")
        );
        terminal.note("note", &text);
    }
}

/// Tells how many problems mean that figures are incomplete, after an answer that has named what
/// matters.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "for `run`"))]
pub(crate) fn count(extract: &str, problems: &[ProblemRow], terminal: &Terminal) {
    let info = Severity::Info.name();
    let count = problems.iter().filter(|row| row.severity != info).count();
    if count > 0 {
        let s = if count == 1 { "" } else { "s" };
        let text =
            format!("{count} problem{s} with the recording; see `whyslow problems {extract}`");
        terminal.note("note", &text);
    }
}

fn remarks(count: usize, more: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count}{more} remark{s}")
}
