//! `why`: the answer of `run`, from existing extracts.

use whyslow_explain::Target;
use whyslow_extract::Extract;
use whyslow_query::{Clock, NamePattern, QueryError, Selection};

use crate::args::WhyArgs;
use crate::ask::failed;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::reply::{self, Reply};
use crate::terminal::Terminal;

/// Explains each extract.
pub(crate) fn why(args: &WhyArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let selection = args.selection()?;
    let inputs = Inputs::open(&args.extracts, terminal)?;
    let mut answers = Vec::with_capacity(inputs.extracts.len());
    let mut unexplained = None;
    for extract in &inputs.extracts {
        match explained(args, extract, &selection, terminal) {
            Ok(answer) => answers.push(answer),
            Err(failure) if inputs.extracts.len() == 1 => return Err(failure),
            // One that fails does not keep the others from being explained.
            Err(failure) => {
                let _code = terminal.fail(&failure);
                unexplained = unexplained.or(Some(failure.exit));
            }
        }
    }
    reply::write(&answers, &args.answer, terminal)?;
    let found = answers.iter().any(Reply::is_found);
    Ok(match found {
        _ if inputs.unreadable > 0 => Exit::Failure,
        _ if unexplained.is_some() => unexplained.unwrap_or(Exit::Failure),
        true => Exit::Success,
        false => Exit::NothingMatched,
    })
}

/// Explains one extract.
fn explained(
    args: &WhyArgs,
    extract: &Extract,
    selection: &Selection,
    terminal: &Terminal,
) -> Result<Reply, Failure> {
    let path = extract.path().to_string_lossy().into_owned();
    let os_pid = match &args.process {
        Some(wanted) => Some(pid_of(extract, wanted, terminal)?),
        None => whyslow_explain::recorded_command(extract).map_err(failed)?,
    };
    // The command as typed says more than what a wrapper made of it.
    let command = match (os_pid, &args.process) {
        (Some(_), None) => whyslow_explain::recorded_line(extract).map_err(failed)?,
        _ => None,
    };
    let window = window(extract, selection, &path).map_err(failed)?;
    let target = Target {
        os_pid,
        command,
        from_ns: window.map(|(from, _)| from),
        to_ns: window.map(|(_, to)| to),
        extract: Some(path),
    };
    Ok(match os_pid {
        Some(_) => {
            let answer = whyslow_explain::explain(extract, &target).map_err(failed)?;
            #[cfg(target_os = "linux")]
            let answer = crate::debug_package::named(answer, extract);
            Reply::Process(answer)
        }
        None => Reply::Machine(whyslow_explain::explain_machine(extract, &target).map_err(failed)?),
    })
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

/// Returns the requested time.
fn window(
    extract: &Extract,
    selection: &Selection,
    path: &str,
) -> Result<Option<(i64, i64)>, QueryError> {
    let facts = whyslow_query::facts::Facts::read(extract)?;
    match &facts.trace {
        Some(trace) => selection.window(path, &Clock::of(trace)),
        None => Ok(None),
    }
}
