//! The words of a series, for sentences and tables.

/// What writing by one thread is called while a scanner reads every file.
pub const SCANNED: &str = "scanned";

/// The words of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// What is done, as one word: `create`.
    pub operation: &'static str,
    /// What is done, to begin a sentence: `Creating a file`.
    pub doing: &'static str,
    /// What *n* counts: `files`.
    pub things: &'static str,
    /// What the operations' own counts count; `None` where they have none.
    pub counts: Option<&'static str>,
    /// Whether the times are computed from the counts, so that measuring again shows nothing new.
    pub simulated: bool,
}

impl Words {
    /// Returns words for operations without counts.
    pub const fn new(operation: &'static str, doing: &'static str, things: &'static str) -> Self {
        Self {
            operation,
            doing,
            things,
            counts: None,
            simulated: false,
        }
    }

    /// Returns them for operations that count these.
    #[must_use]
    pub const fn counting(mut self, counts: &'static str) -> Self {
        self.counts = Some(counts);
        self
    }

    /// Returns them for times that are computed from the counts.
    #[must_use]
    pub const fn simulated(mut self) -> Self {
        self.simulated = true;
        self
    }
}
