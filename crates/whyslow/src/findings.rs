//! Which findings are shown: those of some size that no reviewed file accepts, and those of the user's rules.

use std::io::Read;
use std::path::{Path, PathBuf};

use whyslow_explain::{Answer, Explained, Finding, Machine, Target};
use whyslow_query::View;
use whyslow_review::Accepted;
use whyslow_rules::Rules;

use crate::args::FindingArgs;
use crate::ask::failed;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::terminal::Terminal;

/// The file of the current directory that lists what is accepted.
const USUAL: &str = ".whyslow-ignore";

/// What to leave out, and what to add.
#[derive(Debug)]
pub(crate) struct Filter {
    min_share: f64,
    accepted: Accepted,
    today: String,
    rules: Option<Rules>,
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
            rules: args.rules.as_deref().map(rules).transpose()?,
        })
    }

    /// Adds what the user's rules find.
    pub(crate) fn with_rules(
        &self,
        mut answer: Answer,
        view: View<'_>,
        target: &Target,
    ) -> Result<Answer, Failure> {
        if let (Some(rules), Answer::Explained(answer)) = (&self.rules, &mut answer) {
            rules.add_to(answer, view, target).map_err(failed)?;
        }
        Ok(answer)
    }

    /// Adds what the user's rules find for each program and for the machine, and leaves out what the user does not
    /// want to see.
    pub(crate) fn apply_to_all(
        &self,
        mut machine: Machine,
        view: View<'_>,
        target: &Target,
    ) -> Result<Machine, Failure> {
        if let Some(rules) = &self.rules {
            rules
                .add_to_machine(&mut machine, view, target)
                .map_err(failed)?;
        }
        for program in &mut machine.programs {
            self.leave_out(&mut program.answer);
        }
        let accepted = |one: &Finding| self.accepted.of(one, &self.today).is_some();
        machine.leave_out(accepted, self.min_share);
        Ok(machine)
    }

    /// Leaves out what the user does not want to see.
    pub(crate) fn apply(&self, answer: Answer) -> Answer {
        let Answer::Explained(mut answer) = answer else {
            return answer;
        };
        self.leave_out(&mut answer);
        Answer::Explained(answer)
    }

    fn leave_out(&self, answer: &mut Explained) {
        answer.suppress(|finding| self.accepted.of(finding, &self.today));
        answer.leave_out_below(self.min_share);
    }
}

/// Checks a file of rules; prints everything that is wrong in it.
pub(crate) fn check(path: &Path) -> Result<Exit, Failure> {
    let shown = path.display();
    match Rules::read(&shown.to_string(), &bytes(path)?) {
        Ok(rules) => {
            let (rules, examples) = (rules.count(), rules.examples());
            let (s, of_s) = (plural(rules), plural(examples));
            let text = format!("{shown} is right: {rules} rule{s}, {examples} example{of_s}\n");
            Ok(output::print(text))
        }
        Err(faults) => {
            output::print(faults.list(&shown.to_string()));
            let text = format!("{} mistake{}", faults.count(), plural(faults.count()));
            let failure = Failure::cannot(format!("use {shown}"), text);
            Err(failure.hint("docs/rules.md explains the keys of a rule"))
        }
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Returns the rules of a file.
fn rules(path: &Path) -> Result<Rules, Failure> {
    let shown = path.display().to_string();
    Rules::read(&shown, &bytes(path)?).map_err(|faults| {
        let hint = format!("whyslow why --check {shown} lists all that is wrong");
        Failure::cannot(format!("use {shown}"), faults).hint(hint)
    })
}

/// Returns a file of rules, or enough of it to see that it is too long.
fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let most = u64::try_from(Rules::MOST_BYTES).unwrap_or(u64::MAX);
    let opened = std::fs::File::open(path);
    let read = opened.and_then(|file| file.take(most + 1).read_to_end(&mut bytes));
    read.map_err(|error| Failure::unread(format!("read {}", path.display()), &error))?;
    Ok(bytes)
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
