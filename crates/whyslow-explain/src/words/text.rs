//! Lines of spans: text with what each piece of it is.

use whyslow_query::result::Kind;

/// What a span of text is, and so how it may be colored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Plain text.
    Plain,
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

/// One line of the answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Line {
    /// A word at the left edge, as `waiting`; empty on lines that continue the one before.
    pub label: &'static str,
    /// How far the text is indented below the line it belongs to.
    pub indent: u8,
    /// The text, without spaces added between the spans.
    pub spans: Vec<Span>,
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

    /// Adds a class of waits.
    pub(super) fn class(self, name: &str) -> Self {
        self.words(Role::WaitClass, name)
    }

    /// Adds a length of time.
    pub(super) fn time(self, ns: i64) -> Self {
        self.span(Role::Figure, Content::Quantity(Kind::Duration, ns))
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
