//! What a rule finds in an extract.

use std::collections::BTreeSet;

use whyslow_explain::finding::{Evidence, Finding, Message, OF_RULE, Piece, Query, Shown, Value};
use whyslow_explain::gaps::Gap;
use whyslow_explain::{Explained, Machine, Target};
use whyslow_query::error::QueryError;
use whyslow_query::{Kind, ResultColumn, View};

use crate::about::About;
use crate::asked::{self, Answered};
use crate::rule::{Found, OBJECT, ROWS, Rule, SHARE, TAGS, fact_of, percent};
use crate::rules::Rules;

/// Letters of the longest value that is said.
const MOST_LETTERS: usize = 200;

/// What is said about rules that could not be tried: by the names of the rules.
type Untried<'r> = Vec<(&'r str, Gap)>;

impl Rules {
    /// Adds what the rules find in `view` to an answer about `target`.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn add_to(
        &self,
        answer: &mut Explained,
        view: View<'_>,
        target: &Target,
    ) -> Result<(), QueryError> {
        let about = About::command(view, target, answer)?;
        let (findings, gaps) = self.tried(|_| true, view, &about)?;
        answer.add_of_rules(findings);
        answer.gaps.extend(gaps.into_iter().map(|(_, gap)| gap));
        Ok(())
    }

    /// Adds what the rules find in `view` to what is said of each program of a machine, and of the machine.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub fn add_to_machine(
        &self,
        machine: &mut Machine,
        view: View<'_>,
        target: &Target,
    ) -> Result<(), QueryError> {
        let mut said = BTreeSet::new();
        for program in &mut machine.programs {
            let target = Target {
                os_pid: Some(program.os_pid),
                ..target.clone()
            };
            let about = About::command(view, &target, &program.answer)?;
            let of_command = |rule: &Rule| rule.asks.is_of_command;
            let (findings, gaps) = self.tried(of_command, view, &about)?;
            program.answer.add_of_rules(findings);
            // What was not recorded is missing for each program; it is said once.
            for (name, gap) in gaps {
                if said.insert(name) {
                    machine.gaps.push(gap);
                }
            }
        }
        let of_machine = |rule: &Rule| !rule.asks.is_of_command;
        if machine.unit.is_some() {
            let why =
                "it is about the whole machine, but this answer is about one container or service.";
            let rules = self.all.iter().filter(|rule| of_machine(rule));
            machine
                .gaps
                .extend(rules.map(|rule| self.untried(rule, why)));
            return Ok(());
        }
        let about = About {
            target: target.clone(),
            command: target.clone(),
            wall_ns: machine.wall_ns,
        };
        let (findings, gaps) = self.tried(of_machine, view, &about)?;
        machine.findings.extend(findings);
        machine.gaps.extend(gaps.into_iter().map(|(_, gap)| gap));
        Ok(())
    }

    /// Returns what some of the rules find, and which could not be tried.
    fn tried(
        &self,
        is_wanted: impl Fn(&Rule) -> bool,
        view: View<'_>,
        about: &About,
    ) -> Result<(Vec<Finding>, Untried<'_>), QueryError> {
        let rules: Vec<&Rule> = self.all.iter().filter(|rule| is_wanted(rule)).collect();
        let answers = asked::answers(&rules, view, about);
        let (mut findings, mut gaps) = (Vec::new(), Vec::new());
        for (rule, answer) in rules.into_iter().zip(answers) {
            let why = match answer {
                Answered::Rows(found) => {
                    findings.extend(self.found(rule, &found, about));
                    continue;
                }
                Answered::Nothing(missing) => match missing.first() {
                    None => continue,
                    Some(table) => format!(
                        "{table}.parquet is missing in the extract; extract the recording again with --force."
                    ),
                },
                Answered::NotRecorded(what) => format!(
                    "the recording does not hold {} ({}).",
                    what.capability.name(),
                    what.how.trim_end_matches('.')
                ),
                Answered::Impossible(why) => format!("{why}."),
                // What cannot be read is missing for everything, not only for this rule.
                Answered::Unread(error) => return Err(QueryError::View(error)),
            };
            gaps.push((rule.name.as_str(), self.untried(rule, &why)));
        }
        Ok((findings, gaps))
    }

    /// Returns the finding of the rows that a rule counts, if there are enough.
    fn found(&self, rule: &Rule, found: &Found, about: &About) -> Option<Finding> {
        let time_ns = rule.time_ns(found, about.wall_ns);
        let share = time_ns.map(|ns| percent(ns, about.wall_ns));
        let is_little = rule.least_share > 0.0 && share.unwrap_or(0.0) < rule.least_share;
        if rule.unmet(found).is_some() || is_little {
            return None;
        }
        let query = Query {
            question: rule.asks.question.name,
            arguments: asked::words(rule, about.of(rule)),
            shows: "the rows that it counts",
        };
        Some(self.finding(rule, found, (time_ns, share), query))
    }

    fn finding(
        &self,
        rule: &Rule,
        found: &Found,
        (time_ns, share): (Option<i64>, Option<f64>),
        query: Query,
    ) -> Finding {
        let mut facts = Vec::new();
        match share {
            Some(share) => facts.push((SHARE, Value::Share(share))),
            None if rule.time.is_some() => {
                facts.push((SHARE, Value::Text("an unknown part".to_owned())));
            }
            None => {}
        }
        let rows = [ROWS];
        for column in rule
            .said
            .iter()
            .chain(rows.iter().filter(|rows| !rule.said.contains(rows)))
        {
            facts.push((fact_of(column), value(column, &rule.value(found, column))));
        }
        if let Some(column) = &rule.about {
            facts.push((OBJECT, value(column, &rule.value(found, column))));
        }
        if !rule.tags.is_empty() {
            facts.push((TAGS, Value::Text(rule.tags.join(", "))));
        }
        let cause = format!("{OF_RULE}{}", rule.name);
        Finding {
            id: cause.clone(),
            cause,
            confidence: rule.confidence,
            wall_ns: time_ns.unwrap_or(0),
            explained_ns: 0,
            below: None,
            facts,
            claim: with_others(&rule.text, rule, found),
            details: vec![self.source(rule, found.rows)],
            evidence: vec![Evidence {
                shown: Shown::Rule {
                    file: self.file.clone(),
                    line: rule.line,
                },
                ns: time_ns.unwrap_or(0),
                count: found.rows,
                query,
            }],
            advice: rule
                .advice
                .as_ref()
                .map(|advice| with_others(advice, rule, found)),
            verify: None,
        }
    }

    /// Says which rule it is.
    fn source(&self, rule: &Rule, rows: i64) -> Message {
        let (file, line, question) = (&self.file, rule.line, rule.asks.question.name);
        let tags = match rule.tags.is_empty() {
            true => String::new(),
            false => format!("; {}", rule.tags.join(", ")),
        };
        let word = if rows == 1 { "row" } else { "rows" };
        Message(vec![
            Piece::Theirs(format!(
                "Your rule {} ({file}, line {line}{tags}): ",
                rule.name
            )),
            Piece::Value(ROWS.key),
            Piece::Theirs(format!(" {word} of {question}.")),
        ])
    }

    /// Says that a rule could not be tried, and why.
    fn untried(&self, rule: &Rule, why: &str) -> Gap {
        let (name, file, line) = (&rule.name, &self.file, rule.line);
        let text = format!("Your rule {name} ({file}, line {line}) was not tried: {why}");
        Gap {
            message: Message(vec![Piece::Theirs(text)]),
            facts: Vec::new(),
        }
    }
}

/// What is said of a value that is not known.
const UNKNOWN: &str = "unknown";

/// Returns a message that also mentions the other texts of the rows where it names that of the first.
fn with_others(message: &Message, rule: &Rule, found: &Found) -> Message {
    let named = rule.said.iter().map(|column| (fact_of(column), column));
    let about = rule.about.iter().map(|column| (OBJECT, column));
    let named: Vec<_> = named.chain(about).collect();
    let pieces = message.0.iter().flat_map(|piece| {
        let column = named.iter().find(|(fact, _)| *piece == Piece::Value(fact));
        let others = column.and_then(|(_, column)| rule.others(found, column));
        [Some(piece.clone()), others.map(Piece::Theirs)]
    });
    Message(pieces.flatten().collect())
}

/// Returns a cell as a value of a finding.
fn value(column: &ResultColumn, cell: &whyslow_query::Value) -> Value {
    use whyslow_query::Value as Cell;
    match cell {
        Cell::Null => Value::Text(UNKNOWN.to_owned()),
        Cell::Int(number) => match column.kind {
            Kind::Count => Value::Count(*number),
            Kind::Duration => Value::Time(*number),
            kind => Value::Figure(kind, *number),
        },
        Cell::Quantity(kind, number) => Value::Figure(*kind, *number),
        Cell::Float(number) if column.kind == Kind::Percent => Value::Share(*number),
        Cell::Float(number) => Value::Ratio(*number),
        Cell::Text(text) | Cell::Json(text) => {
            let mut letters = text.chars();
            let mut short: String = letters.by_ref().take(MOST_LETTERS).collect();
            if letters.next().is_some() {
                short.push('…');
            }
            match column.key {
                "process" => Value::Process(short),
                _ => Value::Text(short),
            }
        }
    }
}
