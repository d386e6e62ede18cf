//! Problems of a recording, reported at the end of the work.

use whyslow_model::tables::ProblemRow;
use whyslow_model::{ProblemKind, Severity};

use crate::terminal::Terminal;

/// Reports what is missing or damaged; mere remarks are counted.
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
        terminal.tell(&format!("  {}", whyslow_render::escape(&row.advice)));
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

/// Reports how many problems make figures incomplete, after an answer that has named what matters.
/// `unknown` is the share of the answer's time about which nothing is known (0 to 1): a
/// problem that only made time unknown counts if that share is large enough to see.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "for `run`"))]
pub(crate) fn count(extract: &str, problems: &[ProblemRow], unknown: f64, terminal: &Terminal) {
    let count = problems.iter().filter(|row| counts(row, unknown)).count();
    if count > 0 {
        let s = if count == 1 { "" } else { "s" };
        let text =
            format!("{count} problem{s} with the recording; see `whyslow problems {extract}`");
        terminal.note("note", &text);
    }
}

/// The smallest share of unknown time that is worth a note.
const VISIBLE: f64 = 0.005;

fn counts(row: &ProblemRow, unknown: f64) -> bool {
    let is_unknown_time = || {
        [ProblemKind::BrokenSchedule, ProblemKind::LateEvents]
            .iter()
            .any(|kind| kind.name() == row.kind)
    };
    row.severity != Severity::Info.name() && (unknown >= VISIBLE || !is_unknown_time())
}

fn remarks(count: usize, more: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count}{more} remark{s}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kind: ProblemKind) -> ProblemRow {
        ProblemRow {
            severity: kind.severity().name().to_owned(),
            kind: kind.name().to_owned(),
            count: 1,
            first_offset: None,
            first_ns: None,
            detail: String::new(),
            advice: String::new(),
        }
    }

    #[test]
    fn a_gap_elsewhere_is_no_problem_of_this_answer() {
        assert!(!counts(&row(ProblemKind::BrokenSchedule), 0.0));
        assert!(counts(&row(ProblemKind::BrokenSchedule), 0.02));
        assert!(counts(&row(ProblemKind::LostEvents), 0.0));
        assert!(!counts(&row(ProblemKind::HiddenStacks), 0.5));
    }
}
