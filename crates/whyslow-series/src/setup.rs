//! How a series is made: what it does, in which way, and where. All of this is decided before the first measurement.

use crate::words::Words;

/// How a series is made.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Its words.
    pub words: Words,
    /// The way, as `linear`; empty where there is only one.
    pub arm: String,
    /// The system, as the user calls it; empty where none matters.
    pub system: String,
    /// The file system's driver, where one matters.
    pub driver: Option<String>,
    /// Operations that were asked for.
    pub asked: u64,
    /// Processes or threads.
    pub workers: u32,
    /// Files that are there from the beginning.
    pub prefilled: u64,
    /// Bytes that each operation writes.
    pub bytes: u64,
    /// Whether creating a file passes over the inodes of files that were deleted in the last minutes, one by one.
    pub skips_deleted: bool,
    /// What measuring adds to each operation, in nanoseconds; `None` if another program timed the operations.
    pub own_ns: Option<u64>,
}

impl Setup {
    /// Returns the setup for `asked` operations by one worker, timed by another program; the system does not matter.
    pub fn new(words: Words, asked: u64) -> Self {
        Self {
            words,
            arm: String::new(),
            system: String::new(),
            driver: None,
            asked,
            workers: 1,
            prefilled: 0,
            bytes: 0,
            skips_deleted: false,
            own_ns: None,
        }
    }

    /// Returns it as the way `arm`.
    pub fn named(mut self, arm: &str) -> Self {
        arm.clone_into(&mut self.arm);
        self
    }

    /// Returns it with this number of operations.
    pub fn asking(self, asked: u64) -> Self {
        Self { asked, ..self }
    }

    /// Returns it with this number of processes or threads.
    pub fn by(self, workers: u32) -> Self {
        Self { workers, ..self }
    }

    /// Returns it with operations that write `bytes` each.
    pub fn writing(self, bytes: u64) -> Self {
        Self { bytes, ..self }
    }

    /// Returns it with this number of files from the beginning.
    pub fn prefilled(self, prefilled: u64) -> Self {
        Self { prefilled, ..self }
    }

    /// Returns it with operations that another program times.
    pub fn timed_elsewhere(self) -> Self {
        Self {
            own_ns: None,
            ..self
        }
    }

    /// Returns whether `other` does the same in the same way.
    pub fn is_like(&self, other: &Self) -> bool {
        self.words == other.words && self.arm == other.arm
    }

    /// Returns its title: operation, way, system, driver.
    pub fn title(&self) -> String {
        let mut title = self.words.operation.to_owned();
        if !self.arm.is_empty() {
            title += &format!(", {}", self.arm);
        }
        match &self.driver {
            Some(driver) if *driver == self.system => title + &format!(", on {driver}"),
            Some(driver) => title + &format!(", on {} ({driver})", self.system),
            None => title,
        }
    }
}
