//! Marks set by the recorded command or by a program that it started, for the report.

use whyslow_perfdata::whyslow_events::Mark;

use crate::report::SeenMark;

/// Most marks that are kept; the last one always is.
const MOST: usize = 10_000;

/// The marks of the command, in the order of time.
#[derive(Debug, Default)]
pub(crate) struct OwnMarks {
    marks: Vec<SeenMark>,
}

impl OwnMarks {
    /// Takes a mark.
    pub(crate) fn take(&mut self, time_ns: u64, mark: &Mark) {
        if !mark.descends {
            return;
        }
        self.marks.truncate(MOST - 1);
        self.marks.push(SeenMark {
            time_ns,
            text: mark.text.clone(),
        });
    }

    /// Returns the marks.
    pub(crate) fn own(&self) -> &[SeenMark] {
        &self.marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_marks_and_the_last_one_of_the_command_are_kept() {
        let mut marks = OwnMarks::default();
        let mark = |descends| Mark {
            descends,
            ..Mark::default()
        };
        marks.take(1, &mark(false));
        for time_ns in 2..MOST as u64 + 5 {
            marks.take(time_ns, &mark(true));
        }
        let times = marks.own().iter().map(|mark| mark.time_ns);
        let times: Vec<_> = times.collect();
        assert_eq!((times.len(), times[0]), (MOST, 2));
        assert_eq!(times.last(), Some(&(MOST as u64 + 4)));
    }
}
