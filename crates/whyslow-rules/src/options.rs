//! The options of the question that a rule asks, as on the command line.

use toml::de::{DeTable, DeValue};

use whyslow_arguments::argument::{Argument, ArgumentValue, Takes};
use whyslow_arguments::size;
use whyslow_query::{
    FunctionPattern, NamePattern, Outcome, QueryError, Question, Request, Selection,
};

use crate::document::{Document, Item, kind, number};
use crate::fault::Faults;
use crate::rule::Asks;
use crate::wording::not_one_of;

/// Options of every question that a rule may have.
const OF_ALL: [&str; 2] = ["functions", "thread"];

impl Asks {
    /// Returns what asks a question without options.
    pub(crate) fn new(question: &'static Question, is_of_command: bool) -> Self {
        Self {
            question,
            arguments: whyslow_query::Arguments::default(),
            functions: None,
            threads: None,
            words: Vec::new(),
            is_of_command,
            columns: Vec::new(),
            is_tree: false,
        }
    }

    /// Takes the options of a table; adds what is wrong with them.
    pub(crate) fn take(&mut self, options: &DeTable<'_>, file: &Document<'_>, faults: &mut Faults) {
        for (key, value) in options {
            let name: &str = key.get_ref();
            let line = file.line(&key.span());
            if OF_ALL.contains(&name) {
                let Some(text) = file.text(name, value, faults) else {
                    continue;
                };
                match name {
                    "functions" => self.functions = Some(FunctionPattern::parse(&text)),
                    _ => self.threads = Some(NamePattern::parse(&text)),
                }
                self.words.extend([format!("--{name}"), text]);
                continue;
            }
            let Some(argument) = self.question.argument(name) else {
                let own = self.question.arguments.iter().map(|one| one.name);
                faults.add(line, not_one_of("option", name, own.chain(OF_ALL)));
                continue;
            };
            match taken(argument, value, file, faults) {
                Ok(Some((given, word))) => {
                    self.words.push(format!("--{name}"));
                    self.words.extend(word);
                    self.arguments.set(argument, given);
                }
                Ok(None) => {}
                Err(why) => faults.add(line, why),
            }
        }
    }

    /// Asks for the columns of the answer, which depend on the options.
    ///
    /// # Errors
    /// When the question cannot be asked with these options.
    pub(crate) fn find_columns(&mut self) -> Result<(), QueryError> {
        let selection = Selection {
            functions: self.functions.clone(),
            ..Selection::default()
        };
        let request = Request {
            selection: &selection,
            arguments: &self.arguments,
            chart_slices: Request::CHART_SLICES,
        };
        // Without extracts there are no rows.
        if let Outcome::Table(table) = (self.question.ask)(&[], &request)? {
            self.is_tree = table.contains;
            let columns = table.columns.into_iter();
            self.columns = columns.filter(|column| column.key != "file").collect();
        }
        Ok(())
    }
}

/// Returns the value that an argument gets, and its word on the command line; nothing if it is not given, or if what
/// is wrong has been said.
fn taken(
    argument: &'static Argument,
    value: &Item<'_>,
    file: &Document<'_>,
    faults: &mut Faults,
) -> Result<Option<(ArgumentValue, Option<String>)>, String> {
    let name = argument.name;
    let is = kind(value);
    let digits = || number(value).ok_or_else(|| format!("{name} must be a number, not {is}"));
    if argument.takes == Takes::Nothing {
        return match value.get_ref() {
            DeValue::Boolean(true) => Ok(Some((ArgumentValue::Given, None))),
            DeValue::Boolean(false) => Ok(None),
            _ => Err(format!("{name} must be true or false, not {is}")),
        };
    }
    let (given, word) = match argument.takes {
        Takes::Percent { .. } => {
            let digits = digits()?;
            let share = digits
                .parse()
                .ok()
                .filter(|share| (0.0..=100.0).contains(share));
            let share = share.ok_or_else(|| format!("{name} must be between 0 and 100"))?;
            (ArgumentValue::Percent(share), digits)
        }
        Takes::Count { .. } => {
            let digits = digits()?;
            let count = digits.parse();
            let count = count.map_err(|_| format!("{name} must be a whole number"))?;
            (ArgumentValue::Count(count), digits)
        }
        _ => {
            let Some(text) = file.text(name, value, faults) else {
                return Ok(None);
            };
            (of_text(argument, &text)?, text)
        }
    };
    Ok(Some((given, Some(word))))
}

fn of_text(argument: &Argument, text: &str) -> Result<ArgumentValue, String> {
    let name = argument.name;
    match argument.takes {
        Takes::Choice { choices, .. } => {
            let known = choices.iter().map(|choice| choice.word);
            match known.clone().any(|word| word == text) {
                true => Ok(ArgumentValue::Word(text.to_owned())),
                false => Err(not_one_of(name, text, known)),
            }
        }
        Takes::Duration => {
            let time = size::duration(text).map_err(|why| format!("{name}: {why}"))?;
            let ns = i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
            Ok(ArgumentValue::DurationNs(ns))
        }
        _ => Ok(ArgumentValue::Pattern(text.to_owned())),
    }
}
