//! From a document to rules, with everything that is wrong in it.

use toml::de::{DeTable, DeValue};

use whyslow_explain::finding::{Confidence, Message};
use whyslow_query::condition::Condition;
use whyslow_query::error::QueryError;
use whyslow_query::question::Subject;
use whyslow_query::{Kind, ResultColumn, questions};

use crate::document::{Document, Item, Key, kind, number};
use crate::examples;
use crate::fault::Faults;
use crate::rule::{Asks, ROWS, Rule};
use crate::wording::{named, not_one_of, wording};

/// The most rules of a file.
pub(crate) const MOST_RULES: usize = 100;

/// The most conditions of a rule, of either sort.
const MOST_CONDITIONS: usize = 20;

/// The most tags of a rule.
const MOST_TAGS: usize = 10;

/// The longest name and tag.
const MOST_LETTERS: usize = 50;

/// The keys of a rule.
pub(crate) const KEYS: [&str; 14] = [
    "name",
    "question",
    "options",
    "scope",
    "when",
    "total",
    "time",
    "least-share",
    "about",
    "text",
    "advice",
    "confidence",
    "tags",
    "example",
];

/// Reads the rules of a document; returns them with the number of examples.
pub(crate) fn read(file: &Document<'_>, faults: &mut Faults) -> (Vec<Rule>, usize) {
    let (root, broken) = file.parse(faults);
    for key in root.keys() {
        if *key.get_ref() != "rule" {
            let what = not_one_of("key", key.get_ref(), ["[[rule]]"].into_iter());
            faults.add(file.line(&key.span()), what);
        }
    }
    let Some((_, rules)) = root.iter().find(|(key, _)| *key.get_ref() == "rule") else {
        if broken.is_empty() && root.is_empty() {
            faults.add(1, "there is no [[rule]]");
        }
        return (Vec::new(), 0);
    };
    let tables = file.tables("rule", "[[rule]]", rules, faults);
    if let Some(&(line, _)) = tables.get(MOST_RULES) {
        faults.add(line, format!("there are more than {MOST_RULES} rules"));
    }
    let mut all: Vec<Rule> = Vec::new();
    let mut examples = 0;
    let ends = tables.iter().skip(1).map(|&(line, _)| line);
    let ends = ends.chain([usize::MAX]);
    for (&(line, table), end) in tables.iter().zip(ends).take(MOST_RULES) {
        // What is left of a rule that is no TOML means something else.
        if broken.range(line..end.max(line)).next().is_some() {
            continue;
        }
        let mut one = Reader {
            file,
            table,
            line,
            faults,
        };
        let Some((rule, its_examples)) = one.rule() else {
            continue;
        };
        examples += its_examples;
        if let Some(other) = all.iter().find(|other| other.name == rule.name) {
            let first = other.line;
            let what = format!("the rule of line {first} is called {}, too", rule.name);
            one.faults.add(line, what);
        }
        all.push(rule);
    }
    (all, examples)
}

/// Reads one rule.
pub(crate) struct Reader<'a, 't> {
    pub(crate) file: &'a Document<'t>,
    table: &'a DeTable<'t>,
    line: usize,
    pub(crate) faults: &'a mut Faults,
}

impl<'a, 't> Reader<'a, 't> {
    /// Returns the rule and its number of examples, if it can be asked; adds what is wrong.
    fn rule(&mut self) -> Option<(Rule, usize)> {
        self.only_known_keys();
        let before = self.faults.count();
        let name = self.name();
        let asks = self.asks()?;
        let (time, about) = (self.time(&asks), self.about(&asks));
        let mut said = Vec::new();
        let mut has_share = false;
        let text = self.message("text", &asks, &mut said, &mut has_share);
        if text.is_none() && self.get("text").is_none() {
            self.missing("text", "what happened, as \"{calls} calls on {path}\"");
        }
        let advice = self.message("advice", &asks, &mut said, &mut has_share);
        let (written, when) = self.conditions("when", &asks.columns, &asks);
        let (_, total) = self.conditions("total", &summed(&asks), &asks);
        let rule = Rule {
            name: name.unwrap_or_default(),
            line: self.line,
            tags: self.tags(),
            when,
            written,
            total,
            time,
            least_share: self.least_share(),
            about,
            confidence: self.confidence(),
            text: text.unwrap_or_default(),
            advice,
            said,
            asks,
        };
        let rule = rule.with_object();
        if time.is_none() && self.get("time").is_none() && (has_share || rule.least_share > 0.0) {
            let what = "a share needs time = \"COLUMN\", the column that says how much time it is";
            self.add(what);
        }
        // What an example comes to means little for a rule that is not understood.
        let is_right = self.faults.count() == before;
        let written = self.get("example").map(|(_, value)| value);
        let examples = examples::check(&rule, written, (self.file, self.faults), is_right);
        Some((rule, examples))
    }

    /// Adds a fault of the rule as a whole.
    fn add(&mut self, what: impl Into<String>) {
        self.faults.add(self.line, what);
    }

    fn missing(&mut self, key: &str, what: &str) {
        self.add(format!("the key {key} is missing: {what}"));
    }

    /// Returns a key with its value.
    fn get(&self, name: &str) -> Option<(&'a Key<'t>, &'a Item<'t>)> {
        let mut all = self.table.iter();
        all.find(|(key, _)| key.get_ref() == name)
    }

    fn line_of(&self, value: &Item<'_>) -> usize {
        self.file.line(&value.span())
    }

    /// Returns the text of a key, with its line.
    fn text(&mut self, name: &str) -> Option<(usize, String)> {
        let (_, value) = self.get(name)?;
        let text = self.file.text(name, value, self.faults)?;
        Some((self.line_of(value), text))
    }

    fn only_known_keys(&mut self) {
        for key in self.table.keys() {
            if !KEYS.contains(&&**key.get_ref()) {
                let what = not_one_of("key", key.get_ref(), KEYS.into_iter());
                self.faults.add(self.file.line(&key.span()), what);
            }
        }
    }

    fn name(&mut self) -> Option<String> {
        let Some(_) = self.get("name") else {
            self.missing("name", "letters, digits and -, such as \"many-syncs\"");
            return None;
        };
        let (line, name) = self.text("name")?;
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if !name.chars().all(is_plain) || name.len() > MOST_LETTERS {
            let what = format!(
                "a name has up to {MOST_LETTERS} letters (a to z), digits, - _ and ., not {name:?}"
            );
            self.faults.add(line, what);
            return None;
        }
        Some(name)
    }

    fn asks(&mut self) -> Option<Asks> {
        if self.get("question").is_none() {
            self.missing("question", "what is asked, such as \"files\" or \"waits\"");
        }
        let (line, name) = self.text("question")?;
        let Some(question) = questions::find(&name) else {
            let known = questions::ALL.iter().map(|question| question.name);
            self.faults.add(line, not_one_of("question", &name, known));
            return None;
        };
        let is_of_command = match self.text("scope") {
            Some((line, scope)) => {
                let known = ["command", "machine"];
                if !known.contains(&scope.as_str()) {
                    self.faults
                        .add(line, not_one_of("scope", &scope, known.into_iter()));
                }
                scope != "machine"
            }
            None => true,
        };
        let is_of_command = is_of_command && question.about_what == Subject::Selection;
        let mut asks = Asks::new(question, is_of_command);
        if let Some((_, value)) = self.get("options") {
            match value.get_ref() {
                DeValue::Table(options) => asks.take(options, self.file, self.faults),
                _ => {
                    let is = kind(value);
                    let what = format!("options is written as {{ by = \"file\" }}, not as {is}");
                    self.faults.add(self.line_of(value), what);
                }
            }
        }
        if let Err(error) = asks.find_columns() {
            self.faults.add(line, format!("{name}: {error}"));
            return None;
        }
        if asks.is_tree {
            let why = "the rows are a tree, and each contains those below it: ask for a list, such as cpu with functions";
            self.faults.add(line, format!("{name}: {why}"));
            return None;
        }
        Some(asks)
    }

    /// Returns the column of which a key names one.
    fn column(&mut self, key: &str, asks: &Asks) -> Option<(usize, ResultColumn)> {
        let (line, name) = self.text(key)?;
        match named(&name, &asks.columns).filter(|column| *column != ROWS) {
            Some(column) => Some((line, column)),
            None => {
                let known = asks.columns.iter().map(|column| column.key);
                self.faults.add(line, not_one_of("column", &name, known));
                None
            }
        }
    }

    fn time(&mut self, asks: &Asks) -> Option<ResultColumn> {
        let (line, column) = self.column("time", asks)?;
        if column.kind != Kind::Duration {
            let times = asks.columns.iter();
            let times = times.filter(|column| column.kind == Kind::Duration);
            let times: Vec<&str> = times.map(|column| column.key).collect();
            let what = match times.is_empty() {
                true => format!("{} has no column of time", asks.question.name),
                false => format!("{} is no time: it can be {}", column.key, times.join(", ")),
            };
            self.faults.add(line, what);
            return None;
        }
        if !asks.is_of_command {
            let what =
                "time needs a question about the command: what others did is no part of its time";
            self.faults.add(line, what);
            return None;
        }
        Some(column)
    }

    fn about(&mut self, asks: &Asks) -> Option<ResultColumn> {
        let (line, column) = self.column("about", asks)?;
        if column.kind != Kind::Text {
            let what = format!("about needs a column of text; {} has numbers", column.key);
            self.faults.add(line, what);
        }
        Some(column)
    }

    /// Returns the conditions of a key: as they are written, and as they are understood.
    fn conditions(
        &mut self,
        key: &str,
        columns: &[ResultColumn],
        asks: &Asks,
    ) -> (Vec<String>, Vec<Condition>) {
        let Some((_, value)) = self.get(key) else {
            return Default::default();
        };
        let texts = self.file.texts(key, value, self.faults);
        if let Some((line, _)) = texts.get(MOST_CONDITIONS) {
            let what = format!("{key} has more than {MOST_CONDITIONS} conditions");
            self.faults.add(*line, what);
        }
        let (mut written, mut all) = (Vec::new(), Vec::new());
        for (line, text) in texts.into_iter().take(MOST_CONDITIONS) {
            match Condition::of(&text, columns, asks.question.name) {
                Ok(condition) => {
                    all.push(condition);
                    written.push(text);
                }
                Err(error) => self.faults.add(line, why(&error, key, columns, asks)),
            }
        }
        (written, all)
    }

    fn message(
        &mut self,
        key: &str,
        asks: &Asks,
        said: &mut Vec<ResultColumn>,
        has_share: &mut bool,
    ) -> Option<Message> {
        let (line, text) = self.text(key)?;
        match wording(&text, &asks.columns) {
            Ok(wording) => {
                *has_share |= wording.has_share;
                let new = wording.columns.into_iter();
                said.extend(
                    new.filter(|column| !said.contains(column))
                        .collect::<Vec<_>>(),
                );
                Some(wording.message)
            }
            Err(faults) => {
                for what in faults {
                    self.faults.add(line, format!("{key}: {what}"));
                }
                None
            }
        }
    }

    fn confidence(&mut self) -> Confidence {
        let all = [
            Confidence::Certain,
            Confidence::Likely,
            Confidence::Possible,
        ];
        let Some((line, word)) = self.text("confidence") else {
            return Confidence::Possible;
        };
        let found = all.into_iter().find(|one| one.name() == word);
        found.unwrap_or_else(|| {
            let known = all.iter().map(|one| one.name());
            self.faults
                .add(line, not_one_of("confidence", &word, known));
            Confidence::Possible
        })
    }

    fn least_share(&mut self) -> f64 {
        let Some((_, value)) = self.get("least-share") else {
            return 0.0;
        };
        let share = number(value).and_then(|digits| digits.parse::<f64>().ok());
        match share.filter(|share| (0.0..=100.0).contains(share)) {
            Some(share) => share,
            None => {
                let what = "least-share must be a number between 0 and 100";
                self.faults.add(self.line_of(value), what);
                0.0
            }
        }
    }

    fn tags(&mut self) -> Vec<String> {
        let Some((_, value)) = self.get("tags") else {
            return Vec::new();
        };
        let tags = self.file.texts("tags", value, self.faults);
        let is_long = |tag: &str| tag.chars().count() > MOST_LETTERS || tag.contains(',');
        if tags.len() > MOST_TAGS || tags.iter().any(|(_, tag)| is_long(tag)) {
            let what = format!(
                "tags are up to {MOST_TAGS} words of up to {MOST_LETTERS} letters, without commas"
            );
            self.faults.add(self.line_of(value), what);
        }
        let tags = tags.into_iter().take(MOST_TAGS);
        tags.map(|(_, tag)| tag).collect()
    }
}

/// Returns the columns on which conditions on all rows together are possible.
fn summed(asks: &Asks) -> Vec<ResultColumn> {
    let sums = asks.columns.iter().filter(|column| column.additive);
    std::iter::once(ROWS).chain(sums.copied()).collect()
}

/// Says what is wrong with a condition.
fn why(error: &QueryError, key: &str, columns: &[ResultColumn], asks: &Asks) -> String {
    let QueryError::UnknownColumn { word, .. } = error else {
        return error.to_string();
    };
    let keys = columns.iter().map(|column| column.key);
    let is_known = named(word, &asks.columns).is_some();
    match key {
        "total" if is_known => {
            let keys: Vec<&str> = keys.collect();
            format!("{word} has no sum: total can be about {}", keys.join(", "))
        }
        _ => not_one_of("column", word, keys),
    }
}
