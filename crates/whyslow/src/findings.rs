//! Which findings are shown: those of some size that no reviewed file accepts.

use std::io::Read;
use std::path::{Path, PathBuf};

use whyslow_explain::Answer;
use whyslow_review::Accepted;

use crate::args::FindingArgs;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// The file of the current directory that lists what is accepted.
const USUAL: &str = ".whyslow-ignore";

/// What to leave out.
#[derive(Debug)]
pub(crate) struct Filter {
    min_share: f64,
    accepted: Accepted,
    today: String,
}

impl Filter {
    /// Reads what the user accepts, and says what no longer holds.
    pub(crate) fn new(args: &FindingArgs, terminal: &Terminal) -> Result<Self, Failure> {
        let min_share = args.min_share.unwrap_or(0.0);
        if !(0.0..=100.0).contains(&min_share) {
            return Err(Failure::usage("--min-share must be between 0 and 100"));
        }
        let today: String = whyslow_stamp::local().chars().take(10).collect();
        let usual = || Some(PathBuf::from(USUAL)).filter(|path| path.is_file());
        let file = args
            .ignore
            .clone()
            .or_else(usual)
            .filter(|_| !args.no_ignore);
        let accepted = match &file {
            Some(path) => read(path)?,
            None => Accepted::default(),
        };
        for (cause, about, until) in accepted.expired(&today) {
            let text = format!("{cause} {about} was accepted until {until}: review it again");
            terminal.note("note", &text);
        }
        Ok(Self {
            min_share,
            accepted,
            today,
        })
    }

    /// Leaves out what the user does not want to see.
    pub(crate) fn apply(&self, answer: Answer) -> Answer {
        let Answer::Explained(mut answer) = answer else {
            return answer;
        };
        answer.suppress(|finding| self.accepted.of(finding, &self.today));
        answer.leave_out_below(self.min_share);
        Answer::Explained(answer)
    }
}

fn read(path: &Path) -> Result<Accepted, Failure> {
    let what = || format!("read {}", path.display());
    let mut text = String::new();
    let opened = std::fs::File::open(path);
    // What is larger is refused.
    let read = opened.and_then(|file| file.take(2 << 20).read_to_string(&mut text));
    read.map_err(|error| Failure::unread(what(), &error))?;
    Accepted::parse(&text).map_err(|fault| {
        let hint = "a line is: cause or key, what it is about, last day, reason";
        Failure::cannot(what(), fault).hint(hint)
    })
}
