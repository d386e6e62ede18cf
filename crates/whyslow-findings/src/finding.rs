//! A finding: what was found, as data. Sentences are made of it elsewhere .

use whyslow_model::StackId;
use whyslow_query::Kind;

use whyslow_story::place::Place;

/// What the causes of findings begin with that rules of users make.
pub const OF_RULE: &str = "rule:";

/// One cause of the command's time.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Name of the finding within the answer: its cause, and a number if there are several.
    pub id: String,
    /// Stable id of the mechanism: `cpu`, `competing`, `process-storm`, or a class of waits.
    pub cause: String,
    /// How sure it is.
    pub confidence: Confidence,
    /// Wall time that it is about.
    pub wall_ns: i64,
    /// Part of it that no finding before it in its group explains; over all findings at most the
    /// wall time of the command.
    pub explained_ns: i64,
    /// The finding that mostly explains the same time, by its id, if there is one: this one says
    /// more about it.
    pub below: Option<String>,
    /// Values by name. Usual names are `share` (of the command's wall time), `process`, `class`,
    /// `object`, `place`, `peer` (who is behind it), `count`; `waiter` where it is about what another
    /// process did while the command waited for it.
    pub facts: Vec<(&'static str, Value)>,
    /// What happened.
    pub claim: Message,
    /// What else is known about it.
    pub details: Vec<Message>,
    /// Rows, stacks and counts that it was concluded from; never empty.
    pub evidence: Vec<Evidence>,
    /// What to do; only where the mechanism is known.
    pub advice: Option<Message>,
    /// What shows that it was right, or that the advice helped.
    pub verify: Option<Message>,
}

impl Finding {
    /// Returns a value by its name.
    #[must_use]
    pub fn fact(&self, name: &str) -> Option<&Value> {
        let mut facts = self.facts.iter();
        facts.find(|fact| fact.0 == name).map(|(_, value)| value)
    }

    /// Returns whether a rule of a user made it.
    #[must_use]
    pub fn is_of_rule(&self) -> bool {
        self.cause.starts_with(OF_RULE)
    }

    /// Returns whether the finding covers a known amount of time. Only findings of a user's rules may not.
    #[must_use]
    pub fn has_time(&self) -> bool {
        !self.is_of_rule() || matches!(self.fact("share"), Some(Value::Share(_)))
    }
}

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The mechanism was observed.
    Certain,
    /// The mechanism fits, and others were excluded.
    Likely,
    /// Only the symptom is known.
    Possible,
}

impl Confidence {
    /// Returns the word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Likely => "likely",
            Self::Possible => "possible",
        }
    }
}

/// A value of a finding.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A share, 0 to 100.
    Share(f64),
    /// Nanoseconds.
    Time(i64),
    /// A number of things.
    Count(i64),
    /// A number with decimals.
    Ratio(f64),
    /// Name of a process or a thread, or a command line.
    Process(String),
    /// A place in a program.
    Place(Place),
    /// A class of waits.
    Class {
        /// Its name, such as `disk`.
        name: String,
        /// Words that end the sentence "it waited for".
        phrase: String,
    },
    /// Words.
    Text(String),
    /// A file or a folder.
    Path {
        /// Its whole path.
        full: String,
        /// What sentences show: the path from the folder in which the command ran on, or the end of a
        /// long path.
        short: String,
    },
    /// Names of processes with their shares, largest first.
    Shares(Vec<(String, f64)>),
    /// A figure as tables show those of this kind.
    Figure(Kind, i64),
}

/// A sentence in pieces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message(pub Vec<Piece>);

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Our own words: `{name}` is replaced by a value of the finding, `*…*` marks the point.
    Ours(&'static str),
    /// Words of a user, which are said as they are.
    Theirs(String),
    /// The value of this name.
    Value(&'static str),
}

impl Message {
    /// Begins a sentence.
    #[must_use]
    pub fn new(part: &'static str) -> Self {
        Self(vec![Piece::Ours(part)])
    }

    /// Continues it.
    pub fn and(mut self, part: &'static str) -> Self {
        self.0.push(Piece::Ours(part));
        self
    }

    /// Returns the names of the values it needs.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().flat_map(|piece| {
            let (ours, value) = match piece {
                Piece::Ours(text) => (*text, None),
                Piece::Theirs(_) => ("", None),
                Piece::Value(name) => ("", Some(*name)),
            };
            let named = ours.split('{').skip(1);
            let named = named.filter_map(|part| part.split_once('}').map(|(name, _)| name));
            named.chain(value)
        })
    }
}

/// Something a finding was concluded from, and the question that shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// What it is.
    pub shown: Shown,
    /// Time in it.
    pub ns: i64,
    /// How many there are.
    pub count: i64,
    /// The question that shows it.
    pub query: Query,
}

/// What a piece of evidence is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// Rows of a table of the extract, by its name.
    Rows(&'static str),
    /// A stack of the extract.
    Stack {
        /// Its id in the table `stack`.
        id: StackId,
        /// Where it is in the program.
        place: Place,
    },
    /// Rows of the answer to the question, which a rule of a user counts.
    Rule {
        /// The user's file.
        file: String,
        /// The line of the file in which the rule begins.
        line: usize,
    },
}

/// A question to the extract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Its name.
    pub question: &'static str,
    /// Its arguments, without the extract.
    pub arguments: Vec<String>,
    /// What it shows.
    pub shows: &'static str,
}

impl Query {
    /// Makes a question.
    pub fn new(shows: &'static str, question: &'static str, arguments: &[&str]) -> Self {
        Self {
            question,
            arguments: arguments.iter().map(|&arg| arg.to_owned()).collect(),
            shows,
        }
    }
}

impl std::fmt::Display for Query {
    /// Writes the command line, for a shell, with EXTRACT in place of the extract.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.on("EXTRACT").fmt(f)
    }
}

impl Query {
    /// Returns the command line that asks `extract`, for a shell.
    #[must_use]
    pub fn on(&self, extract: &str) -> String {
        self.words(extract).join(" ")
    }

    /// Returns the words of the command line that asks `extract`, each for a shell.
    #[must_use]
    pub fn words(&self, extract: &str) -> Vec<String> {
        let own = ["whyslow", self.question, extract].into_iter();
        let words = own.chain(self.arguments.iter().map(String::as_str));
        words.map(quoted).collect()
    }
}

/// Returns `text` as one word of a shell.
#[must_use]
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./+:@%=,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}
