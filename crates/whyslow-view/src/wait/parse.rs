//! Reads a rule file.

use std::collections::BTreeMap;

use super::ends::{EndId, EndRule, FixedEnds, WaitEnd};
use super::{ClassId, Fixed, Nature, Rule, Rules, Strength, WaitClass};
use crate::error::QueryError;
use crate::pattern::Pattern;

/// Maximum number of functions in a statement.
const MOST_WORDS: usize = 10_000;

/// Maximum number of classes that a file may declare.
const MOST_CLASSES: usize = 200;

/// The content of a file so far.
#[derive(Default)]
struct Stated {
    classes: Vec<WaitClass>,
    ends: Vec<WaitEnd>,
    rules: Vec<Rule>,
    end_rules: Vec<EndRule>,
    helpers: Vec<String>,
    sets: BTreeMap<String, Vec<String>>,
}

/// Sets of functions that every file of rules may use.
static SETS: &str = include_str!("../../rules/sets.rules");

/// Returns the rules that `text` states.
pub(super) fn rules(text: &str) -> Result<Rules, QueryError> {
    let mut stated = Stated::default();
    for (line, statement) in statements(SETS) {
        let bad = |why: String| QueryError::BadRule { line, why };
        stated.add(&statement).map_err(bad)?;
    }
    for (line, statement) in statements(text) {
        let bad = |why: String| QueryError::BadRule { line, why };
        stated.add(&statement).map_err(bad)?;
    }
    let Stated {
        mut classes,
        mut ends,
        ..
    } = stated;
    let mut fixed = |name: &str| match class(name, &classes) {
        Ok(id) => id,
        Err(_) => {
            classes.push(WaitClass {
                name: name.to_owned(),
                phrase: name.to_owned(),
                nature: Nature::Others,
            });
            ClassId::try_from(classes.len() - 1).unwrap_or(0)
        }
    };
    fixed("stopped");
    let fixed = Fixed {
        idle: fixed("idle"),
        other: fixed("other"),
        unknown: fixed("unknown"),
    };
    Ok(Rules {
        classes,
        fixed_ends: FixedEnds::among(&mut ends),
        ends,
        rules: stated.rules,
        end_rules: stated.end_rules,
        helpers: (!stated.helpers.is_empty()).then(|| Pattern::parse(&stated.helpers.join(";"))),
        fixed,
    })
}

impl Stated {
    /// Adds a statement; an error says what is wrong with it.
    fn add(&mut self, statement: &str) -> Result<(), String> {
        let statement = &self.expanded(statement)?;
        if let Some(set) = statement.strip_prefix("set ") {
            let (name, patterns) = set.split_once('=').ok_or("a set needs a =")?;
            let patterns = patterns.split_whitespace().map(str::to_owned);
            self.sets.insert(name.trim().to_owned(), patterns.collect());
        } else if let Some(declared) = statement.strip_prefix("class ") {
            let (name, phrase) = declaration(declared, self.classes.len())?;
            let (name, nature) = nature(name)?;
            self.classes.push(WaitClass {
                name: name.to_owned(),
                phrase: phrase.to_owned(),
                nature,
            });
        } else if let Some(declared) = statement.strip_prefix("end ") {
            let (name, phrase) = declaration(declared, self.ends.len())?;
            self.ends.push(WaitEnd {
                name: name.to_owned(),
                phrase: phrase.to_owned(),
            });
        } else if let Some(names) = statement.strip_prefix("helpers ") {
            self.helpers
                .extend(names.split_whitespace().map(str::to_owned));
        } else if let Some((name, patterns)) = end_statement(statement) {
            self.end_rules.push(end_rule(name, patterns, &self.ends)?);
        } else {
            self.rules.extend(rules_of(statement, &self.classes)?);
        }
        Ok(())
    }

    /// Returns a statement with the functions of a set in place of its name.
    fn expanded(&self, statement: &str) -> Result<String, String> {
        if !statement.contains(" @") {
            return Ok(statement.to_owned());
        }
        let mut words: Vec<&str> = Vec::new();
        for word in statement.split_whitespace() {
            match word.strip_prefix('@') {
                Some(name) => {
                    let set = self.sets.get(name);
                    let set = set.ok_or_else(|| format!("set {name:?} is not declared before"))?;
                    words.extend(set.iter().map(String::as_str));
                }
                None => words.push(word),
            }
            if words.len() > MOST_WORDS {
                return Err(format!("more than {MOST_WORDS} functions"));
            }
        }
        Ok(words.join(" "))
    }
}

/// Returns the rules of a statement; there may be several classes before `in` or `/`.
fn rules_of(statement: &str, classes: &[WaitClass]) -> Result<Vec<Rule>, String> {
    let names = statement.find(['=', '~']).map(|at| &statement[..at]);
    let finer = names.and_then(|names| names.find(" in ").or_else(|| names.find('/')));
    let Some(at) = finer.filter(|&at| statement[..at].contains(',')) else {
        return rule(statement, classes).map(|rule| vec![rule]);
    };
    let (broad, rest) = statement.split_at(at);
    let each = broad
        .split(',')
        .map(|broad| format!("{} {rest}", broad.trim()));
    each.map(|statement| rule(&statement, classes)).collect()
}

/// Splits a rule about ends; functions in other rules may also contain a `<`.
fn end_statement(statement: &str) -> Option<(&str, &str)> {
    let at = statement.find(['=', '~', '<'])?;
    let (name, patterns) = statement.split_at(at);
    Some((name, patterns.strip_prefix('<')?))
}

/// Splits a declaration into its name and words; `known` is the number of existing declarations.
fn declaration(declared: &str, known: usize) -> Result<(&str, &str), String> {
    let (name, phrase) = declared
        .split_once(':')
        .ok_or_else(|| "a class or an end needs a colon and words".to_owned())?;
    match known < MOST_CLASSES {
        true => Ok((name.trim(), phrase.trim())),
        false => Err(format!("more than {MOST_CLASSES} classes or ends")),
    }
}

/// Splits `disk [thing]` into the name and what waits of the class are for.
fn nature(name: &str) -> Result<(&str, Nature), String> {
    let Some((name, word)) = name.split_once('[') else {
        return Ok((name, Nature::Others));
    };
    let nature = match word.trim_end_matches(']').trim() {
        "thing" => Nature::Thing,
        "work" => Nature::Work,
        other => return Err(format!("[{other}] is neither [thing] nor [work]")),
    };
    Ok((name.trim(), nature))
}

fn end_rule(name: &str, patterns: &str, ends: &[WaitEnd]) -> Result<EndRule, String> {
    let name = name.trim();
    let at = ends.iter().position(|end| end.name == name);
    let end = at.and_then(|at| EndId::try_from(at).ok());
    let (patterns, strong) = match patterns.strip_prefix('~') {
        Some(patterns) => (patterns, false),
        None => (patterns, true),
    };
    let patterns: Vec<&str> = patterns.split_whitespace().collect();
    if patterns.is_empty() {
        return Err("a rule needs a function".to_owned());
    }
    Ok(EndRule {
        end: end.ok_or_else(|| format!("end {name:?} is not declared before"))?,
        strong,
        patterns: Pattern::parse(&patterns.join(";")),
    })
}

/// Returns every statement with the number of its first line, with comments removed and lines
/// joined.
fn statements(text: &str) -> Vec<(usize, String)> {
    let mut all: Vec<(usize, String)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let code = line.split('#').next().unwrap_or_default();
        if code.trim().is_empty() {
            continue;
        }
        match all.last_mut() {
            Some((_, statement)) if code.starts_with([' ', '\t']) => {
                statement.push(' ');
                statement.push_str(code.trim());
            }
            _ => all.push((number, code.trim().to_owned())),
        }
    }
    all
}

fn rule(statement: &str, classes: &[WaitClass]) -> Result<Rule, String> {
    let at = statement.find(['=', '~']);
    let at = at.ok_or_else(|| "neither a class, an end, nor a rule (=, ~ or <)".to_owned())?;
    let (names, patterns) = statement.split_at(at);
    let weak = patterns.starts_with('~');
    let patterns: Vec<&str> = patterns[1..].split_whitespace().collect();
    if patterns.is_empty() {
        return Err("a rule needs a function".to_owned());
    }
    let patterns = Pattern::parse(&patterns.join(";"));
    let (by_user, by_kernel) = (names.split_once('/'), names.split_once(" in "));
    let (of, strength) = match by_user.or(by_kernel) {
        Some((broad, finer)) => {
            let (broad, finer) = (class(broad, classes)?, class(finer, classes)?);
            match by_user {
                Some(_) => (broad, Strength::Finer(finer)),
                None => (broad, Strength::Within(finer)),
            }
        }
        None if weak => (class(names, classes)?, Strength::Weak),
        None => (class(names, classes)?, Strength::Strong),
    };
    Ok(Rule {
        class: of,
        strength,
        patterns,
    })
}

fn class(name: &str, classes: &[WaitClass]) -> Result<ClassId, String> {
    let name = name.trim();
    let at = classes.iter().position(|class| class.name == name);
    let at = at.and_then(|at| ClassId::try_from(at).ok());
    at.ok_or_else(|| format!("class {name:?} is not declared before"))
}
