//! Reading a rule file.

use super::{ClassId, Fixed, Rule, Rules, Strength, WaitClass};
use crate::error::QueryError;
use crate::pattern::Pattern;

/// The most classes a file may declare.
const MOST_CLASSES: usize = 200;

/// Returns the rules that `text` states.
pub(super) fn rules(text: &str) -> Result<Rules, QueryError> {
    let mut classes: Vec<WaitClass> = Vec::new();
    let mut rules: Vec<Rule> = Vec::new();
    for (line, statement) in statements(text) {
        let bad = |why: String| QueryError::BadRule { line, why };
        if let Some(declared) = statement.strip_prefix("class ") {
            let (name, phrase) = declared
                .split_once(':')
                .ok_or_else(|| bad("a class needs a colon and words".to_owned()))?;
            if classes.len() == MOST_CLASSES {
                return Err(bad(format!("more than {MOST_CLASSES} classes")));
            }
            classes.push(WaitClass {
                name: name.trim().to_owned(),
                phrase: phrase.trim().to_owned(),
            });
            continue;
        }
        rules.push(rule(&statement, &classes).map_err(bad)?);
    }
    let mut fixed = |name: &str| match class(name, &classes) {
        Ok(id) => id,
        Err(_) => {
            classes.push(WaitClass {
                name: name.to_owned(),
                phrase: name.to_owned(),
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
        rules,
        fixed,
    })
}

/// Returns every statement with the number of its first line: comments off, lines joined.
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
    let at = at.ok_or_else(|| "neither a class nor a rule (= or ~)".to_owned())?;
    let (names, patterns) = statement.split_at(at);
    let weak = patterns.starts_with('~');
    let patterns: Vec<&str> = patterns[1..].split_whitespace().collect();
    if patterns.is_empty() {
        return Err("a rule needs a function".to_owned());
    }
    let patterns = Pattern::parse(&patterns.join(";"));
    let (of, strength) = match names.split_once('/') {
        Some((broad, finer)) => (
            class(broad, classes)?,
            Strength::Finer(class(finer, classes)?),
        ),
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
