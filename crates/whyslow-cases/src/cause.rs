//! The causes that a case may expect, forbid or allow: one id for each mechanism.

/// All causes with what each means.
pub(crate) const CAUSES: &[(&str, &str)] = &[
    // Waits for another thread or process.
    (
        "lock",
        "waits for a mutex or monitor that another thread holds",
    ),
    (
        "gil",
        "threads of an interpreter take turns behind its global lock",
    ),
    (
        "file-lock",
        "waits for a file lock (flock, fcntl) that another process holds",
    ),
    (
        "database-lock",
        "waits for a database lock that another session holds",
    ),
    ("semaphore", "waits for a permit that others have"),
    (
        "hand-over",
        "two threads pass one item back and forth and sleep in between",
    ),
    (
        "deadlock",
        "two threads hold what the other wants, until a time-out",
    ),
    ("child", "waits for a child process that works"),
    ("process-storm", "starts a short process for each item"),
    ("thread-storm", "starts a short thread for each item"),
    (
        "pipe",
        "waits for the other end of a pipe, terminal or Unix socket",
    ),
    (
        "slow-peer",
        "waits for replies of another process or machine",
    ),
    ("signal", "waits for a signal"),
    ("stopped", "was stopped by a signal or a debugger"),
    // Waits for time.
    ("sleep", "sleeps because it asked to"),
    (
        "timeout",
        "waits for something that does not come, until its own time-out",
    ),
    (
        "poll-loop",
        "sleeps and looks again until something is there",
    ),
    ("retry", "repeats a call that fails"),
    // Network.
    ("dns", "waits for a name server"),
    (
        "connect-refused",
        "connects to a port where nothing listens",
    ),
    ("no-answer", "connects to an address where nothing answers"),
    (
        "listen-queue",
        "waits to connect while the listen queue of the server is full",
    ),
    ("packet-loss", "packets are lost and sent again"),
    (
        "delayed-ack",
        "small sends wait for a delayed acknowledgement",
    ),
    // Files and disks.
    (
        "fsync",
        "makes each item durable on its own (fsync, fdatasync, O_SYNC)",
    ),
    ("cold-read", "waits for reads from the disk"),
    (
        "scanner",
        "waits for a scanner's permission to use files (fanotify)",
    ),
    (
        "slow-file-system",
        "waits for a file system served by a slow process or machine",
    ),
    ("disk", "waits for the disk in another way"),
    (
        "busy-disk",
        "waits for a disk that another process keeps busy",
    ),
    (
        "inode-search",
        "ext4 looks for a free inode among those of files deleted shortly before",
    ),
    (
        "copy-up",
        "an overlay file system copies whole files to its upper layer before they change",
    ),
    ("tiny-reads", "reads a few bytes per system call"),
    ("tiny-writes", "writes a few bytes per system call"),
    (
        "flooded-log",
        "writes to one file again and again, a line or so per system call",
    ),
    (
        "reopen",
        "opens, reads and closes the same file again and again",
    ),
    ("reread", "reads the same parts of a file again and again"),
    (
        "name-search",
        "probes one name after the other until one is free",
    ),
    (
        "search-path",
        "looks for files in places where they are not",
    ),
    (
        "stat-storm",
        "asks for the attributes of many files, or often",
    ),
    (
        "file-churn",
        "renames, makes, removes or changes the same files again and again",
    ),
    ("rescan", "lists the same directory again and again"),
    ("dir-listing", "lists a large directory"),
    (
        "growing-folder",
        "uses a folder in which each call takes longer the more files there are",
    ),
    ("cheap-calls", "makes a cheap system call millions of times"),
    // Computation.
    ("cpu", "computes in the named function"),
    ("one-thread", "computes on one thread while CPUs are idle"),
    ("quadratic", "cost per item grows with the number of items"),
    ("copying", "copies memory"),
    ("regex", "matches regular expressions"),
    ("hash-collisions", "probes a hash table whose keys collide"),
    ("parse-date", "parses dates"),
    ("parse-json", "reads or writes JSON"),
    ("exceptions", "throws and catches exceptions"),
    ("deep-copy", "makes deep copies of objects"),
    ("logging", "writes log records"),
    ("formatting", "formats text"),
    ("reflection", "looks up classes and methods by name"),
    ("boxing", "wraps numbers in objects"),
    ("gc", "collects garbage"),
    ("startup", "starts an interpreter or loads modules"),
    ("spin", "burns CPU while it waits for another thread"),
    (
        "blocked-loop",
        "an event loop is blocked by a synchronous call",
    ),
    // Memory.
    ("page-faults", "touches fresh memory again and again"),
    (
        "huge-pages",
        "touches fresh memory in huge pages again and again",
    ),
    ("memory-limit", "reclaims memory because a limit is reached"),
    (
        "memory-short",
        "reclaims memory because the machine has none left",
    ),
    ("write-pause", "writes faster than the disk, and is paused"),
    ("fork-cost", "forks a process with much memory"),
    // CPUs that are not there.
    ("quota", "a CPU quota stops it"),
    ("pinned", "may only run on a CPU that others use, too"),
    ("competing", "other programs use the CPUs (starved)"),
    ("low-priority", "has a lower priority than its competitors"),
    ("too-many-threads", "its own threads compete for the CPUs"),
    // Nothing wrong.
    ("idle", "waits for work, a client or its user"),
];

/// Causes that describe what a program does without blaming anything.
pub(crate) const DESCRIPTIONS: &[&str] = &["cpu", "one-thread", "idle"];

/// Whether there is such a cause.
pub(crate) fn is_known(id: &str) -> bool {
    CAUSES.iter().any(|(known, _)| *known == id)
}
