//! What a rule finds in an extract.

use whyslow_explain::finding::{Evidence, Finding, Message, OF_RULE, Piece, Query, Shown, Value};
use whyslow_explain::gaps::Gap;
use whyslow_explain::{Explained, Machine, Target};
use whyslow_query::error::QueryError;
use whyslow_query::{
    Kind, NamePattern, NotRecorded, Outcome, Request, ResultColumn, Selection, Sort, TimePoint,
    View, parallel,
};

use crate::about::About;
use crate::rule::{Found, OBJECT, ROWS, Rule, SHARE, TAGS, fact_of, percent};
use crate::rules::Rules;

/// Letters of the longest value that is said.
const MOST_LETTERS: usize = 200;

/// What a rule comes to.
enum Tried {
    Found(Box<Finding>),
    Nothing,
    NotRecorded(NotRecorded),
}

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
        answer.gaps.extend(gaps);
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
        for program in &mut machine.programs {
            let target = Target {
                os_pid: Some(program.os_pid),
                ..target.clone()
            };
            let about = About::command(view, &target, &program.answer)?;
            let of_command = |rule: &Rule| rule.asks.is_of_command;
            let (findings, gaps) = self.tried(of_command, view, &about)?;
            program.answer.add_of_rules(findings);
            // What was not recorded is missing for each program.
            let new = gaps.into_iter();
            let new = new.filter(|gap| !machine.gaps.contains(gap));
            let new: Vec<Gap> = new.collect();
            machine.gaps.extend(new);
        }
        let of_machine = |rule: &Rule| !rule.asks.is_of_command;
        let about = About {
            target: target.clone(),
            command: target.clone(),
            wall_ns: machine.wall_ns,
        };
        let (findings, gaps) = self.tried(of_machine, view, &about)?;
        machine.findings.extend(findings);
        machine.gaps.extend(gaps);
        Ok(())
    }

    /// Returns what some of the rules find, and which could not be tried.
    fn tried(
        &self,
        is_wanted: impl Fn(&Rule) -> bool,
        view: View<'_>,
        about: &About,
    ) -> Result<(Vec<Finding>, Vec<Gap>), QueryError> {
        let rules: Vec<&Rule> = self.all.iter().filter(|rule| is_wanted(rule)).collect();
        let tried = parallel::map(&rules, |rule| self.find(rule, view, about));
        let (mut findings, mut gaps) = (Vec::new(), Vec::new());
        for (rule, tried) in rules.into_iter().zip(tried) {
            match tried {
                Ok(Tried::Found(finding)) => findings.push(*finding),
                Ok(Tried::Nothing) => {}
                Ok(Tried::NotRecorded(what)) => {
                    let what = format!(
                        "the recording does not hold {} ({}).",
                        what.capability.name(),
                        what.how.trim_end_matches('.')
                    );
                    gaps.push(self.untried(rule, &what));
                }
                // What cannot be read is missing for everything, not only for this rule.
                Err(error @ QueryError::View(_)) => return Err(error),
                Err(error) => gaps.push(self.untried(rule, &format!("{error}."))),
            }
        }
        Ok((findings, gaps))
    }

    fn find(&self, rule: &Rule, view: View<'_>, about: &About) -> Result<Tried, QueryError> {
        let (selection, words) = asked(rule, about.of(rule))?;
        let request = Request {
            selection: &selection,
            arguments: &rule.asks.arguments,
            chart_slices: Request::CHART_SLICES,
        };
        let table = match (rule.asks.question.ask)(&[view], &request)? {
            Outcome::Table(table) => table,
            Outcome::NotRecorded(what) => return Ok(Tried::NotRecorded(what)),
        };
        let Some(first) = table.rows.first() else {
            return Ok(Tried::Nothing);
        };
        // The answer also has the column of the file.
        let place = |column: &ResultColumn| table.column(column.key);
        let cells = |row: &[whyslow_query::Value]| {
            let cell = |column: &ResultColumn| place(column).and_then(|at| row.get(at)).cloned();
            let cells = rule
                .asks
                .columns
                .iter()
                .map(|column| cell(column).unwrap_or(whyslow_query::Value::Null));
            cells.collect()
        };
        let found = Found {
            rows: i64::try_from(table.matched_rows).unwrap_or(i64::MAX),
            first: cells(first),
            sums: cells(table.totals.as_deref().unwrap_or_default()),
        };
        let time_ns = rule.time_ns(&found, about.wall_ns);
        let share = time_ns.map(|ns| percent(ns, about.wall_ns));
        let is_little = rule.least_share > 0.0 && share.unwrap_or(0.0) < rule.least_share;
        if rule.unmet(&found).is_some() || is_little {
            return Ok(Tried::Nothing);
        }
        let query = Query {
            question: rule.asks.question.name,
            arguments: words,
            shows: "the rows that it counts",
        };
        Ok(Tried::Found(Box::new(self.finding(
            rule,
            &found,
            (time_ns, share),
            query,
        ))))
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
            claim: rule.text.clone(),
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
            advice: rule.advice.clone(),
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

/// Returns what a rule asks about a target, and the same as words of the command line.
fn asked(rule: &Rule, target: &Target) -> Result<(Selection, Vec<String>), QueryError> {
    let mut selection = Selection {
        functions: rule.asks.functions.clone(),
        threads: rule.asks.threads.clone(),
        conditions: rule.written.clone(),
        top: Some(1),
        totals: true,
        // Some columns are only computed where they are asked for.
        columns: rule.more_columns(),
        ..Selection::default()
    };
    let mut words = Vec::new();
    if let Some(pid) = target.os_pid.filter(|_| rule.asks.is_of_command) {
        selection.processes = Some(NamePattern::parse(&pid.to_string()));
        selection.with_children = true;
        words.extend([
            "--process".to_owned(),
            pid.to_string(),
            "--with-children".to_owned(),
        ]);
    }
    for (option, ns) in [("--from", target.from_ns), ("--to", target.to_ns)] {
        // Where there is no limit, it is far away.
        let Some(ns) = ns.filter(|ns| (1..i64::MAX / 4).contains(ns)) else {
            continue;
        };
        let text = format!("{}.{:09}s", ns / 1_000_000_000, ns % 1_000_000_000);
        let point = Some(TimePoint::parse(&text)?);
        match option {
            "--from" => selection.from = point,
            _ => selection.to = point,
        }
        words.extend([option.to_owned(), text]);
    }
    words.extend(rule.asks.words.iter().cloned());
    for text in &rule.written {
        words.extend(["--where".to_owned(), text.clone()]);
    }
    if let Some(time) = &rule.time {
        selection.sort = Some(Sort::parse(time.key));
        words.extend(["--sort".to_owned(), time.key.to_owned()]);
    }
    Ok((selection, words))
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
