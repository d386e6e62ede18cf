//! What is asked of an experiment: how much of it, and the parameters of its case.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::named_command::NamedCommand;
use crate::number::count;

/// A parameter of one case or several: an option of the command line, and a key in the file of a suite.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The name: `jobs` for `--jobs`.
    pub name: &'static str,
    /// A letter for it.
    pub short: Option<char>,
    /// What help calls its value: `N`.
    pub value: &'static str,
    /// What it does, for help.
    pub help: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// Whether it makes no sense on a share.
    pub local_only: bool,
}

impl Parameter {
    /// Returns the values in `text`.
    ///
    /// # Errors
    /// When there are none.
    pub fn parse(&self, text: &str, units: Units) -> Result<Vec<u64>, String> {
        match self.takes {
            Takes::Number => count(text).map(|number| vec![number]),
            Takes::Size => (units.size)(text).map(|size| vec![size]),
            Takes::List(parse) => parse(text),
        }
    }
}

/// How people write sizes and lengths of time; the same everywhere in the program.
#[derive(Debug, Clone, Copy)]
pub struct Units {
    /// Returns the length of time in a text.
    pub duration: fn(&str) -> Result<Duration, String>,
    /// Returns the number of bytes in a text.
    pub size: fn(&str) -> Result<u64, String>,
}

/// What a parameter takes; its values are numbers, whatever they mean.
#[derive(Debug, Clone, Copy)]
pub enum Takes {
    /// A whole number.
    Number,
    /// A size, as 100KB.
    Size,
    /// What the function understands; it returns why not otherwise.
    List(fn(&str) -> Result<Vec<u64>, String>),
}

/// What is asked of an experiment.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Operations per series; 0 where the parameters of a case say how many.
    pub count: u64,
    /// Time per series.
    pub budget: Duration,
    /// Passes at most: further ones where the first leaves a doubt, and `budget` allows them.
    pub passes: u32,
    /// The commands of a case that takes some.
    pub commands: Vec<NamedCommand>,
    /// The values of the parameters that were given.
    pub given: BTreeMap<&'static str, Vec<u64>>,
}

impl Options {
    /// Returns whether `parameter` was given.
    pub(crate) fn has(&self, parameter: &Parameter) -> bool {
        self.given.contains_key(parameter.name)
    }

    /// Returns the values of `parameter`; none if it was not given.
    pub(crate) fn list(&self, parameter: &Parameter) -> &[u64] {
        self.given
            .get(parameter.name)
            .map_or(&[], |values| values.as_slice())
    }

    /// Returns the value of `parameter`, the last of several; `usual` if it was not given.
    pub(crate) fn number(&self, parameter: &Parameter, usual: u64) -> u64 {
        self.list(parameter).last().copied().unwrap_or(usual)
    }
}

/// Returns the positions in `names` of the words of a list with commas.
pub(crate) fn words(text: &str, names: &[&str]) -> Result<Vec<u64>, String> {
    let position = |word: &str| {
        let at = names.iter().position(|name| *name == word.trim());
        at.and_then(|at| u64::try_from(at).ok())
            .ok_or_else(|| format!("there are {}", names.join(", ")))
    };
    text.split(',').map(position).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Milliseconds and seconds, bytes and kB: as much as tests need.
    pub(crate) const UNITS: Units = Units {
        duration: |text| {
            let units = [("ms", 1), ("min", 60_000), ("s", 1_000)];
            let mut split = units.iter();
            let split = split.find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
            let (number, factor) = split.unwrap_or((text, &1_000));
            let number = number.parse::<u64>().ok().filter(|number| *number > 0);
            let ms = number.map(|number| Duration::from_millis(number * factor));
            ms.ok_or_else(|| format!("{text:?} is not a unit of time"))
        },
        size: |text| {
            let number = text.trim_end_matches(['k', 'K', 'B']).parse();
            number.map_err(|_| format!("{text:?} is not a size"))
        },
    };

    #[test]
    fn lists_are_known_words() {
        assert_eq!(words("b,a", &["a", "b"]), Ok(vec![1, 0]));
        let why = words("c", &["a", "b"]).expect_err("unknown");
        assert_eq!(why, "there are a, b");
    }
}
