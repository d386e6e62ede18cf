//! The cases. **A case is added** as a file here and a line in [`ALL`]: command line, help, completion,
//! the keys of a suite and the tables follow.

mod command;
mod create;
mod list;
mod open;
mod probe;
mod rename;
mod reopen;
mod shortnames;
mod spawn;
mod stat;
mod write;

pub use probe::{START, start};

pub(crate) use reopen::{
    SETTINGS_FILE, ShareReading, ShareSettings, WORDS as SETTINGS_WORDS, settings,
};

use crate::case::Case;
use crate::options::Parameter;

/// Every case, in the order of the help.
pub static ALL: &[&Case] = &[
    &create::CASE,
    &rename::CASE,
    &stat::CASE,
    &open::CASE,
    &list::CASE,
    &shortnames::CASE,
    &reopen::CASE,
    &probe::CASE,
    &spawn::CASE,
    &write::CASE,
    &command::CASE,
];

/// Returns the case called `name`.
pub fn named(name: &str) -> Option<&'static Case> {
    let called = |case: &&&Case| case.name == name || case.aliases.contains(&name);
    ALL.iter().find(called).copied()
}

/// Returns every parameter once, with the names of the cases that take it.
pub fn parameters() -> Vec<(&'static Parameter, Vec<&'static str>)> {
    let mut all: Vec<(&Parameter, Vec<&str>)> = Vec::new();
    for case in ALL {
        for parameter in case.parameters {
            match all.iter_mut().find(|(one, _)| one.name == parameter.name) {
                Some((_, cases)) => cases.push(case.name),
                None => all.push((parameter, vec![case.name])),
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::tests::UNITS;

    #[test]
    fn every_case_says_what_it_is() {
        for case in ALL {
            assert_eq!(named(case.name).map(|found| found.name), Some(case.name));
            assert!(!case.about.is_empty() && !case.about.ends_with('.'));
            assert!(!case.words.doing.is_empty() && !case.words.things.is_empty());
            let said = case.examples.iter().all(|line| line.starts_with(case.name));
            assert!(said, "{}: its examples", case.name);
            assert_eq!(case.takes_command, case.usual_count.is_none());
        }
    }

    #[test]
    fn a_parameter_means_the_same_in_every_case() {
        for (parameter, cases) in parameters() {
            let of = |name: &&str| {
                let own = named(name).map_or(&[][..], |case| case.parameters);
                own.iter().find(|one| one.name == parameter.name)
            };
            for one in cases.iter().filter_map(of) {
                assert_eq!((one.help, one.value), (parameter.help, parameter.value));
            }
        }
    }

    #[test]
    fn short_names_are_off_or_of_a_generation() {
        let all = parameters();
        let short = all.iter().find(|(one, _)| one.name == "short-names");
        let (short, _) = short.expect("a parameter");
        assert_eq!(short.parse("off,windows7", UNITS), Ok(vec![0, 4]));
        let why = short.parse("windows95", UNITS).expect_err("unknown");
        assert!(why.contains("nt3.1, nt4"), "{why}");
    }
}
