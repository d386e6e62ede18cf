//! Colors, where the reader can see them. Meaning never hangs on a color alone.

/// Whether and how text is styled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// No styles: a pipe, a file, `NO_COLOR`, `--no-color`.
    Plain,
    /// Styles of a terminal.
    Colors,
}

impl Paint {
    /// Returns `text` as a heading.
    pub fn heading(self, text: &str) -> String {
        self.styled("1", text)
    }

    /// Returns `text` where it should step back: guides, unknown values.
    pub fn faint(self, text: &str) -> String {
        self.styled("2", text)
    }

    /// Returns `text` as something to notice.
    pub fn warning(self, text: &str) -> String {
        self.styled("33", text)
    }

    /// Returns `text` as an error.
    pub fn error(self, text: &str) -> String {
        self.styled("1;31", text)
    }

    /// Returns `text` as the name of something: a process, a function, a command to paste.
    pub fn name(self, text: &str) -> String {
        self.styled("36", text)
    }

    /// Returns `text` as a bar of a chart.
    pub fn bar(self, text: &str) -> String {
        self.styled("36", text)
    }

    fn styled(self, code: &str, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Colors if text.is_empty() => String::new(),
            Self::Colors => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}
