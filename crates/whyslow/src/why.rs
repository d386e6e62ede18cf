//! `why`: the answer of `run`, from existing extracts.

mod single;

use whyslow_explain::{Answer, Target, UnitAsked, explain_machine, explain_unit};
use whyslow_extract::Extract;
use whyslow_model::{Unit, UnitsOf, WantedUnit};
use whyslow_query::facts::Facts;
use whyslow_query::groups::Groups;
use whyslow_query::nothing::window_inside;
use whyslow_query::{NamePattern, Selection, parallel};

use crate::args::{AnswerFormat, WhyArgs};
use crate::ask::failed;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::findings::{self, Filter};
use crate::inputs::Inputs;
use crate::reply::{self, Reply};
use crate::terminal::Terminal;

/// Explains each extract.
pub(crate) fn why(args: &WhyArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    if let Some(file) = &args.check {
        return findings::check(file);
    }
    let selection = args.selection()?;
    let filter = Filter::new(&args.findings, terminal)?;
    let inputs = Inputs::open(&args.extracts, terminal)?;
    let asked = Asked {
        args,
        selection: &selection,
        filter: &filter,
        terminal,
    };
    if let Some(name) = &args.finding {
        return single::finding(name, &asked, &inputs.extracts, terminal);
    }
    let mut answers = Vec::with_capacity(inputs.extracts.len());
    let mut machines = Vec::with_capacity(inputs.extracts.len());
    let mut unexplained = None;
    let all = parallel::map(&inputs.extracts, |extract| asked.explain(extract));
    for (extract, answer) in inputs.extracts.iter().zip(all) {
        match answer {
            Ok(answer) => {
                answers.push(answer);
                machines.push(host(extract));
            }
            Err(failure) if inputs.extracts.len() == 1 => return Err(failure),
            // One that fails does not keep the others from being explained.
            Err(failure) => {
                let _code = terminal.fail(&failure);
                unexplained = unexplained.or(Some(failure.exit));
            }
        }
    }
    let is_text = args.answer.format() == AnswerFormat::Text;
    let found = answers.iter().any(Reply::is_found);
    let is_each = args.each || args.unit.wanted().is_some();
    if args.together || answers.len() > 1 && is_text && !is_each {
        reply::write_across(&answers, &machines, &args.answer, terminal)?;
    } else {
        reply::write(&answers, &args.answer, terminal)?;
    }
    Ok(match found {
        _ if inputs.unreadable > 0 => Exit::Failure,
        _ if unexplained.is_some() => unexplained.unwrap_or(Exit::Failure),
        true => Exit::Success,
        false => Exit::NothingMatched,
    })
}

/// Returns the name of the machine that was recorded.
fn host(extract: &Extract) -> String {
    let facts = Facts::head(extract);
    let trace = facts.ok().and_then(|facts| facts.trace);
    trace.and_then(|trace| trace.host).unwrap_or_default()
}

/// What is asked of each extract.
pub(crate) struct Asked<'a> {
    pub(crate) args: &'a WhyArgs,
    selection: &'a Selection,
    filter: &'a Filter,
    terminal: &'a Terminal,
}

impl Asked<'_> {
    /// Explains one extract.
    fn explain(&self, extract: &Extract) -> Result<Reply, Failure> {
        let mut target = self.target(extract)?;
        let wanted = self.args.unit.wanted();
        let unit = wanted.map(|wanted| unit_of(extract, wanted)).transpose()?;
        let machine = match (&unit, target.os_pid) {
            (Some(unit), _) => {
                (target.os_pid, target.command) = (None, None);
                let os_pids = &[];
                explain_unit(extract, &target, UnitAsked { unit, os_pids })
            }
            (None, Some(_)) => return Ok(Reply::Process(self.answer(extract, &target)?)),
            (None, None) => explain_machine(extract, &target),
        };
        let machine = machine.map_err(failed)?;
        let shown = self.filter.apply_to_all(machine, extract, &target)?;
        Ok(Reply::Machine(Box::new(shown)))
    }

    /// Returns what is to be explained.
    pub(crate) fn target(&self, extract: &Extract) -> Result<Target, Failure> {
        let path = extract.path().to_string_lossy().into_owned();
        let os_pid = match &self.args.process {
            Some(wanted) => Some(pid_of(extract, wanted, self.terminal)?),
            None => whyslow_explain::subject(extract).map_err(failed)?,
        };
        // The command as typed says more than what a wrapper made of it.
        let command = match (os_pid, &self.args.process) {
            (Some(_), None) => whyslow_explain::recorded_line(extract).map_err(failed)?,
            _ => None,
        };
        let facts = Facts::head(extract).map_err(failed)?;
        let window = window_inside(extract, &facts, self.selection).map_err(failed)?;
        Ok(Target {
            os_pid,
            command,
            from_ns: window.map(|(from, _)| from),
            to_ns: window.map(|(_, to)| to),
            extract: Some(path),
        })
    }

    /// Returns what is shown of the answer about a process.
    pub(crate) fn answer(&self, extract: &Extract, target: &Target) -> Result<Answer, Failure> {
        let answer = self.whole(extract, target)?;
        Ok(self.filter.apply(reply::with_packages(answer, extract)))
    }

    /// Returns the answer with all findings, also those that are not shown.
    pub(crate) fn whole(&self, extract: &Extract, target: &Target) -> Result<Answer, Failure> {
        let answer = whyslow_explain::explain(extract, target).map_err(failed)?;
        self.filter.with_rules(answer, extract, target)
    }
}

/// Returns the pid of the process that a user names; of several, the one that lived longest.
pub(crate) fn pid_of(extract: &Extract, wanted: &str, terminal: &Terminal) -> Result<i32, Failure> {
    let path = extract.path().to_string_lossy();
    let pids = whyslow_explain::processes_of(extract, &NamePattern::parse(wanted));
    let pids = pids.map_err(failed)?;
    if let [first, _, ..] = pids[..] {
        let text = format!(
            "{} processes in {path} match {wanted}; this is about pid {first}",
            pids.len()
        );
        terminal.note("note", &text);
    }
    pids.first().copied().ok_or_else(|| {
        Failure::cannot(
            format!("explain {path}"),
            format!("no process matches {wanted}"),
        )
        .hint(format!("`whyslow processes {path}` lists them"))
        .exit(Exit::NothingMatched)
    })
}

/// Returns the container or service that a user means.
fn unit_of(extract: &Extract, wanted: WantedUnit<'_>) -> Result<Unit, Failure> {
    let units = Groups::read(extract).map_err(failed)?.units();
    wanted.among(units.iter()).cloned().map_err(|why| {
        let what = format!("explain {wanted} in {}", extract.path().display());
        Failure::cannot(what, why.cause(wanted, UnitsOf::Recording))
            .hint(why.advice(wanted, UnitsOf::Recording))
            .exit(Exit::NothingMatched)
    })
}
