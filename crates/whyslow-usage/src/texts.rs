//! The longer texts of the help: what the program is for, and examples per command.

/// What `whyslow` without arguments says.
pub const WELCOME: &str = "\
Whyslow finds out why a computer was slow.

Why is this command slow?
    whyslow run -- make -j2
        runs it, records the whole machine meanwhile, and says where the time went

What is this machine doing?
    whyslow now
        records for five seconds, says how busy the machine is, and explains what keeps it busy

Somebody sent me a recording (perf.data).
    whyslow extract perf.data
    whyslow processes perf.whyslow
    whyslow cpu perf.whyslow --process firefox --functions '*' --top 20
        reduces it to an extract once; every question after that takes moments

whyslow --help lists all commands; whyslow COMMAND --help has examples.
";

/// Of the program.
pub const AFTER_HELP: &str = "\
Examples:
  whyslow run -- make -j2                 record a command, explain where its time went
  whyslow extract perf.data               reduce a recording to an extract
  whyslow cpu perf.whyslow                what used the CPUs
  whyslow threads perf.whyslow --wait 1s..
                                          who waited longer than a second

whyslow help exit-codes explains the exit codes, whyslow columns the columns.";

/// Of `run`.
pub const RUN: &str = "\
The command keeps its input, output and exit code; whyslow answers on standard error (or -o FILE).
The extract is kept for further questions: it is called COMMAND-<date>.whyslow, or with --name
NAME_<ms>ms<HOST>.<date>.whyslow, where <ms> is the wall time of the command, or what --measured
says.

Examples:
  whyslow run -- make -j2
  whyslow run --name checkout -- git checkout main
  whyslow run --name load --measured 'stdout:loaded in (.*)' -- ./load
  whyslow run -o why.txt --output-dir runs -- ./server --once
  whyslow run -o why.json -- make         the findings with their evidence, for a program
  sudo whyslow run -- make                the whole machine; make runs as you

--measured takes the time that the command measured itself:
  exit-code       what it passes to exit, in milliseconds. Shells and Linux itself keep only 0 to 255
                  of it; where system calls are recorded, all of it counts
  stdout:REGEX    the first group of the last line on standard output that matches, with a unit (ns,
                  us, ms, s, min, h) or in ms. The output is passed on unchanged, through a pipe: the
                  command does not print to a terminal, as in `COMMAND | cat`. The pipe is closed when
                  the command ends: a program that it leaves in the background cannot print any more
  mark            the value of its last mark measured=NUMBER, in ms; without one, the time from its
                  first mark to its last. Marks of other programs do not count
If the command gives no time, a message says why, and the extract belongs to no test case.

Needs root for the whole machine. With sudo, the command still runs as the person who called sudo
(user, groups, environment, directory, terminal), and the files are theirs; --as-root runs it as
root, --user NAME as somebody else. Without root, the answer says what the kernel allows: what the
command waited for is then looked up in /proc, about 100 times a second, and marked as sampled.

The file .whyslow-ignore lists findings that are accepted. A line has a cause or a finding's key,
a pattern for what it is about, the last day on which that holds, and the reason:
  fsync  */journal.log  2027-06-30  The journal must survive a power cut.";

/// Of `mark`.
pub const MARK: &str = "\
Scripts and programs set marks to find a moment again: `whyslow marks` lists them, and --from and
--to of every question and of `why` take their names. A mark is set for every recording that runs on
this machine. It prints nothing and exits with 0 whether somebody records or not, because it cannot
know.

A mark is a question for a file that cannot exist, so any program in any container can set one
without whyslow. There, % and two hexadecimal digits mean a byte:
  test -e '/dev/null/whyslow-mark/warm-up done'

Examples:
  whyslow mark 'warm-up done'
  whyslow mark --value requests=17        the same as: whyslow mark requests=17

The recorder needs eBPF programs that see system calls: marks are not recorded without root, with
--no-bpf, --no-syscalls or --profile light. Each is recorded exactly, up to 10,000 per second and
CPU; further ones are counted as lost.";

/// Of `record`.
pub const RECORD: &str = "\
Records CPU samples with stacks, every context switch and wake-up, and the start and end of every
process, for the whole machine. The file is a perf.data file, which `perf report` opens, too. It
appears when it is complete; a recorder that is killed leaves FILE.PID.part, which can be extracted.

A command keeps its input, output and exit code. Ctrl-C reaches it as usual; the recording ends with
the command, or at once if there is none. A second Ctrl-C discards the recording.

Examples:
  whyslow record --for 10s -o now.data
  whyslow record -o build.data -- make -j2
  whyslow record                          until Ctrl-C

Afterwards: whyslow extract now.data

Needs root for the whole machine; without it, records a command as far as the kernel allows and says
what is missing.

On Windows it drives `wpr`, the recorder that comes with Windows, as administrator; the file is an
.etl. For another Windows machine, --print-windows writes everything that is needed there:
  whyslow record --print-windows -o for-the-customer";

/// Of `extract`.
pub const EXTRACT: &str = "\
A recording NAME.data becomes the directory NAME.whyslow: Parquet files that hold every sample and
every switch, and answer all questions without the recording. The paths of the extracts are printed
on standard output. An extract appears complete or not at all. A recording may come through a pipe (an
.etl is kept beside the extract while it is read) or be in an archive. If an archive holds several
recordings, each becomes an extract: ARCHIVE.NAME.whyslow.

Examples:
  whyslow extract perf.data
  whyslow extract *.data -o extracts
  whyslow extract perf.data --symbols-from /mnt/other-machine
  whyslow extract trace.etl
  whyslow extract --together trace.etl trace.kernel.etl
  whyslow extract from-the-customer.7z
  whyslow cpu $(whyslow extract perf.data)";

/// Of `export`.
pub const EXPORT: &str = "\
With --redact nothing in the copy says whose machine it was: paths, command lines, users, hosts,
addresses, mounts, and names of programs and threads are replaced, in all copies of one call by the
same pseudonyms. Every question and `whyslow why` answer from a copy as from the original, so an
answer without names comes from a copy. Read it before you give it away: functions keep their names.

Examples:
  whyslow export slow.whyslow --redact -o for-support.whyslow
  whyslow why for-support.whyslow -o why.json    the answer, without names
  whyslow export 'runs/*.whyslow' --redact -o for-support";

/// Of `events`.
pub const EVENTS: &str = "\
Reads the trace itself, not an extract: every event of every provider, decoded as far as anything
describes it. Counts the events, or lists them with their fields; events without a description are
counted and shown raw. Windows disk and file events refer to a file by a number: their last field,
FileName, comes from other events and is not part of their payload. Conditions on fields compare
text by pattern and numbers by value. k, KB, M, MB … are thousands, KiB, MiB … powers of 1,024. A
time such as 5ms is compared in the unit at the end of the field's name (PauseMSec, wait_us), else
in ns.

Examples:
  whyslow events trace.etl                              what is in it
  whyslow events trace.etl --list --event 'Process/*'   processes that start and end
  whyslow events trace.etl -l --provider '*DotNET*' --process devenv.exe --from 2s --to +1s
  whyslow events trace.etl -l --where 'FileName=*.dll' --where 'ImageSize>=1M'
  whyslow events perf.data -l --event 'sched_*' --format csv -o sched.csv";

/// Of `symbolize`.
pub const SYMBOLIZE: &str = "\
Known names are kept where the new look-up finds nothing. Only the names, and the sums made with
them, are rewritten, not the recorded facts.

Symbols of Windows modules (PDBs) are found by their ids, in the --from folders, in everything that
--symbol-path and the environment variable _NT_SYMBOL_PATH list, and in the cache: plain folders,
symbol stores, compressed files in them. Servers are asked only with --symbols, for at most 8 GB and
half an hour per run. The next run resumes interrupted downloads.

Debug files of Linux modules are found by their build ids, in /usr/lib/debug, in the --from folders
and in the cache of debuginfod. With --symbols the servers that DEBUGINFOD_URLS lists are asked.
The system's certificates, or those in SSL_CERT_FILE, decide which servers are trusted.

Examples:
  whyslow symbolize x.whyslow --from /mnt/other-machine     a copy of its root directory
  whyslow symbolize x.whyslow --from ~/builds/debug --inlined
  whyslow symbolize x.whyslow --symbols                     download from Microsoft's server
  DEBUGINFOD_URLS=https://debuginfod.debian.net whyslow symbolize x.whyslow --symbols
  whyslow symbolize x.whyslow --symbols --symbol-path 'srv*sym*https://symbols.example.com'";

/// Of `why`.
pub const WHY: &str = "\
Nothing is recorded: the answer comes from the extract alone, so you can ask again, about another
process or a part of the time. If no command was recorded, the answer is about the whole machine: how
busy it was, and where the busiest programs spent their time.

A container or service is looked for in the control groups (cgroups) that limit CPU time or memory, as they were
recorded. The answer is about the processes that were in it when they ended, or at the end of the recording.

Several extracts are compared: which findings they have in common, in how many recordings, on how
many machines, and how much of the time each takes. Findings have the same key everywhere.

Examples:
  whyslow why make-20261121-101500.whyslow
  whyslow why now.whyslow --process postgres --from 2s --to 5s
  whyslow why now.whyslow --container 3f2a   the container whose id begins like this
  whyslow why x.whyslow --finding 1       one finding, with all its evidence
  whyslow why x.whyslow --finding fsync --share --redact   the same as a file, without names
  whyslow why 'runs/*.whyslow'            what they have in common
  whyslow why 'runs/*.whyslow' -f json    one object per line, as docs/answer.schema.json describes
  whyslow why --check rules.toml          check these rules, and try them on their examples
  whyslow why --rules rules.toml x.whyslow   also the findings that your own rules make

A file of rules adds causes that you know: a question, conditions as --where takes them, and words.
docs/rules.md explains it, docs/rules.example.toml is one to begin with.";

/// Of `now`.
pub const NOW: &str = "\
The programs that computed most, or waited most for a CPU or in the kernel, come first, each with
where its time went. The extract is kept for further questions, except with --watch.

A container or service is looked for in the control groups (cgroups) of the processes that run now. The answer is about
the processes in it and what they start there.

It takes about 1.5 s of CPU time to start, end and explain a recording. With --watch, only the first one costs that much;
each later one costs a few tenths of a second. So a longer --for costs less: docs/decisions/recording-cost.md has figures.

Examples:
  whyslow now
  whyslow now --for 20s --process postgres    a program that is already running
  whyslow now --container 3f2a                the container whose id begins like this
  whyslow now --service nginx                 a service of systemd
  whyslow now --rules rules.toml              also the findings that your own rules make
  whyslow now --watch --for 3s                again and again, until Ctrl-C

Needs root for the whole machine.";

/// Of `setup`.
pub const SETUP: &str = "\
Without options, it only prints what is possible on this machine, what each way allows whom, and the commands.

Examples:
  whyslow setup
  sudo whyslow setup --capabilities --group whyslow    the members of this group may record
  sudo whyslow setup --undo";

/// Of `columns`.
pub const COLUMNS: &str = "\
Examples:
  whyslow columns                 all questions and tables
  whyslow columns cpu             a question's columns, their names in CSV and JSON
  whyslow columns thread_state    a table of an extract, for SQL";

/// Of `completions`.
pub const COMPLETIONS: &str = "\
Examples:
  whyslow completions bash > /usr/share/bash-completion/completions/whyslow
  whyslow completions zsh > \"${fpath[1]}/_whyslow\"
  whyslow completions fish > ~/.config/fish/completions/whyslow.fish";

/// Every code with its meaning, for help and documentation.
pub const MEANINGS: [(&str, &str); 11] = [
    ("0", "Done"),
    ("1", "Nothing matched the selection"),
    ("2", "The command line was not understood"),
    (
        "3",
        "Something could not be read or written; with several inputs, some of them",
    ),
    ("4", "The recording does not hold what the question needs"),
    ("130", "Stopped by Ctrl-C"),
    ("125", "run, record: whyslow itself failed"),
    ("126", "run, record: the command cannot be executed"),
    ("127", "run, record: the command was not found"),
    ("128+n", "run, record: signal n ended the command"),
    ("other", "run, record: the exit code of the command"),
];

/// Returns the exit codes with their meanings.
#[must_use]
pub fn exit_codes() -> String {
    let lines = MEANINGS
        .iter()
        .map(|(code, meaning)| format!("{code:>5}  {meaning}\n"));
    let lines: String = lines.collect();
    format!("Exit codes\n\n{lines}")
}
