//! Which command is to be explained.

/// Which command the answer is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// The operating system's pid of the command's first process.
    pub os_pid: Option<i32>,
    /// The command as the user typed it, for the headline.
    pub command: Option<String>,
    /// When the command was started, nanoseconds since the trace's start; `None` to take the
    /// process's own start.
    pub from_ns: Option<i64>,
    /// When it ended; `None` to take the process's own end.
    pub to_ns: Option<i64>,
    /// The extract's path, for the commands that dig deeper.
    pub extract: Option<String>,
}
