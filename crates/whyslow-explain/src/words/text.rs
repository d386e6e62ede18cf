//! Lines of spans: text with what each piece of it is.

use whyslow_query::Kind;

use super::parts::Part;
use crate::finding::Confidence;

/// What a span of text is, and so how it may be colored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Plain text.
    Plain,
    /// The command that the answer is about.
    Title,
    /// The point of the line.
    Strong,
    /// Of less interest.
    Faint,
    /// A figure.
    Figure,
    /// Name of a process or thread.
    Process,
    /// Name of a function.
    Function,
    /// What a thread waited for.
    WaitClass,
    /// Trouble with the data.
    Warning,
    /// A command to paste.
    Command,
}

/// What a span says.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Text as it is.
    Text(String),
    /// A figure the renderer gives its unit, as in a table.
    Quantity(Kind, i64),
    /// A share, 0 to 100.
    Percent(f64),
    /// A plain number with decimals.
    Ratio(f64),
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// What it is.
    pub role: Role,
    /// What it says.
    pub content: Content,
}

/// What a line is, and so how it is laid out.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// The first line; the parts of the wall time follow its text.
    Title(Vec<Part>),
    /// What the causes below it are about.
    Heading {
        /// Its number.
        number: usize,
    },
    /// What happened.
    Cause {
        /// Its number; `None` for one below another.
        number: Option<usize>,
        /// How sure it is.
        confidence: Confidence,
    },
    /// More about the cause above.
    Detail {
        /// Whether that cause is one below another.
        is_below: bool,
    },
    /// A sentence for itself.
    Plain,
    /// A command to paste: each span is a word of it.
    Command {
        /// Whether it is the first of several.
        is_first: bool,
        /// What it shows.
        shows: &'static str,
    },
    /// Nothing.
    Blank,
}

/// One line of the answer, which may be too long for one line of a terminal.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// What it is.
    pub shape: Shape,
    /// The text, without spaces added between the spans.
    pub spans: Vec<Span>,
}

impl Line {
    pub(super) fn of(shape: Shape, text: Text) -> Self {
        let spans = text.0;
        Self { shape, spans }
    }

    pub(super) fn blank() -> Self {
        Self::of(Shape::Blank, Text::default())
    }
}

/// Text under construction.
#[derive(Debug, Default, Clone)]
pub(super) struct Text(pub(super) Vec<Span>);

impl Text {
    fn span(mut self, role: Role, content: Content) -> Self {
        self.0.push(Span { role, content });
        self
    }

    /// Adds words in a role.
    pub(super) fn words(self, role: Role, text: &str) -> Self {
        self.span(role, Content::Text(text.to_owned()))
    }

    /// Adds plain words.
    pub(super) fn say(self, text: &str) -> Self {
        self.words(Role::Plain, text)
    }

    /// Adds words of less interest.
    pub(super) fn faint(self, text: &str) -> Self {
        self.words(Role::Faint, text)
    }

    /// Adds the name of a process or thread.
    pub(super) fn process(self, name: &str) -> Self {
        self.words(Role::Process, name)
    }

    /// Adds the name of a function, or a place in the program.
    pub(super) fn function(self, name: &str) -> Self {
        self.words(Role::Function, name)
    }

    /// Takes off the dot that ends it.
    pub(super) fn end_without_dot(&mut self) {
        if let Some(Span {
            content: Content::Text(text),
            ..
        }) = self.0.last_mut()
        {
            text.truncate(text.trim_end_matches('.').len());
        }
    }

    /// Adds a class of waits.
    pub(super) fn class(self, name: &str) -> Self {
        self.words(Role::WaitClass, name)
    }

    /// Adds a length of time.
    pub(super) fn time(self, ns: i64) -> Self {
        self.span(Role::Figure, Content::Quantity(Kind::Duration, ns))
    }

    /// Adds a figure of a kind.
    pub(super) fn figure(self, kind: Kind, figure: i64) -> Self {
        self.span(Role::Figure, Content::Quantity(kind, figure))
    }

    /// Adds the exit code of a process.
    pub(super) fn exit_code(self, code: i32) -> Self {
        self.span(Role::Figure, Content::Quantity(Kind::ExitCode, code.into()))
    }

    /// Adds a number of things.
    pub(super) fn count(self, count: i64) -> Self {
        self.span(Role::Figure, Content::Quantity(Kind::Count, count))
    }

    /// Adds a share, 0 to 100.
    pub(super) fn percent(self, share: f64) -> Self {
        self.span(Role::Figure, Content::Percent(share))
    }

    /// Adds a number with decimals.
    pub(super) fn ratio(self, ratio: f64) -> Self {
        self.span(Role::Figure, Content::Ratio(ratio))
    }
}
