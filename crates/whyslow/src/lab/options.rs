//! The options of an experiment from those of the command line, refused where they do not belong.

use whyslow_lab::cases::Strategy;
use whyslow_lab::{Case, Options};

use crate::args::{CaseWord, LabArgs, StrategyWord};
use crate::failure::Failure;

/// Returns the case; `None` for what is no experiment.
pub(super) fn case(word: CaseWord) -> Option<Case> {
    Some(match word {
        CaseWord::Create => Case::Create,
        CaseWord::Rename => Case::Rename,
        CaseWord::Stat => Case::Stat,
        CaseWord::Open => Case::Open,
        CaseWord::List => Case::List,
        CaseWord::ShortNames => Case::ShortNames,
        CaseWord::Reopen => Case::Reopen,
        CaseWord::Probe => Case::Probe,
        CaseWord::Spawn => Case::Spawn,
        CaseWord::Write => Case::Write,
        CaseWord::Command => Case::Command,
        CaseWord::Dialects | CaseWord::Suite | CaseWord::Systems | CaseWord::Clean => return None,
    })
}

/// Cases of one directory, which may have workers.
const SHARED: &[CaseWord] = &[
    CaseWord::Create,
    CaseWord::Rename,
    CaseWord::Stat,
    CaseWord::Open,
];

/// Returns the options.
pub(super) fn options(args: &LabArgs) -> Result<Options, Failure> {
    let only = |given: bool, option: &str, cases: &[CaseWord]| {
        if given && !cases.contains(&args.case) {
            return Err(
                Failure::usage(format!("{option} does not belong to this case"))
                    .hint("whyslow lab --help says which options a case has"),
            );
        }
        Ok(())
    };
    only(!args.jobs.is_empty(), "--jobs", SHARED)?;
    only(args.prefill.is_some(), "--prefill", SHARED)?;
    only(
        !args.short_names.is_empty(),
        "--short-names",
        &[CaseWord::Create, CaseWord::Rename, CaseWord::ShortNames],
    )?;
    only(args.size.is_some(), "--size", &[CaseWord::Write])?;
    only(!args.threads.is_empty(), "--threads", &[CaseWord::Write])?;
    only(!args.strategy.is_empty(), "--strategy", &[CaseWord::Write])?;
    only(args.memory.is_some(), "--memory", &[CaseWord::Spawn])?;
    only(
        args.descriptors.is_some(),
        "--descriptors",
        &[CaseWord::Spawn],
    )?;
    let suite = [CaseWord::Suite];
    only(args.file.is_some(), "a file", &suite)?;
    only(args.example, "--example", &suite)?;
    let command = [CaseWord::Command];
    only(args.numbers.is_some(), "--numbers", &command)?;
    only(args.printed.is_some(), "--printed", &command)?;
    only(!args.command.is_empty(), "a command", &command)?;
    if args.case == CaseWord::Command {
        commanded(args)?;
    }
    if args.count.is_some() && matches!(args.case, CaseWord::Command) {
        let text = "--count does not belong to this case";
        return Err(Failure::usage(text).hint("-n says with which numbers it runs, each once"));
    }
    let placed = args.dir.is_some() || !args.on.is_empty() || args.force;
    if placed && case(args.case).is_some_and(|case| !case.has_files()) {
        let text = "this case has no files that could be somewhere";
        return Err(Failure::usage(text).hint("leave --dir, --on and --force out"));
    }
    let short = args.short_names.iter().any(|names| names.0.is_some());
    let share = args.on.iter().find(|system| system.is_share());
    if let Some(share) = share.filter(|_| short || args.case == CaseWord::ShortNames) {
        let text = format!("{}: files on a share get no short names here", share.name);
        return Err(Failure::usage(text).hint(
            "--on ntfs gives them real ones; shortnames simulates them in any directory, as --on tmpfs",
        ));
    }
    let usual = match args.case {
        CaseWord::Dialects => 2_700,
        word => case(word).map_or(1, Case::usual_count),
    };
    Ok(Options {
        count: args.count.unwrap_or(usual),
        budget: args.budget,
        passes: args.passes,
        jobs: args.jobs.clone(),
        prefill: args.prefill.unwrap_or(0),
        short_names: args.short_names.iter().map(|names| names.0).collect(),
        threads: if args.threads.is_empty() {
            vec![2]
        } else {
            args.threads.iter().cloned().flatten().collect()
        },
        strategies: args.strategy.iter().map(|word| strategy(*word)).collect(),
        size: args.size.unwrap_or(100_000),
        memory: args.memory.unwrap_or(0),
        descriptors: args.descriptors.unwrap_or(0),
        command: args.command.clone(),
        numbers: args
            .numbers
            .clone()
            .map_or_else(Vec::new, |numbers| numbers.0),
        printed_unit_ns: args.printed.map(crate::args::TimeUnit::ns),
    })
}

fn strategy(word: StrategyWord) -> Strategy {
    match word {
        StrategyWord::Serial => Strategy::Serial,
        StrategyWord::Parallel => Strategy::Parallel,
        StrategyWord::Tasks => Strategy::Tasks,
    }
}

fn commanded(args: &LabArgs) -> Result<(), Failure> {
    let example = "whyslow lab command -n 1..1024 -- seq {}";
    if args.command.is_empty() {
        return Err(Failure::usage("the command is missing").hint(format!("as {example}")));
    }
    match (&args.numbers, args.printed) {
        (Some(_), None) | (None, Some(_)) => Ok(()),
        _ => Err(
            Failure::usage("a command needs either --numbers or --printed").hint(
                "-n gives it numbers in place of {}, --printed takes the durations it prints",
            ),
        ),
    }
}
