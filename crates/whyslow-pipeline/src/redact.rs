//! Extracts that can be given to others: paths, arguments and names are replaced by pseudonyms.
//!
//! The personal texts of an extract are listed here, column by column; a test fails for a column
//! that is in none of the lists. Functions keep their names: without them an extract says nothing.

mod groups;
mod pseudonyms;

use std::net::SocketAddr;
use std::sync::Arc;

use whyslow_model::tables::{self, ModuleRow, ProcessRow, WaitObjectRow};
use whyslow_model::{Column, Layer, Table, TableRow, TableSchema, TraceView, ViewError};
use whyslow_query::wait::Rules;

pub(crate) use pseudonyms::Pseudonyms;

/// What kind of texts a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Text {
    /// Paths.
    Path,
    /// Paths and names of control groups.
    Group,
    /// Names of processes and threads.
    Name,
    /// Names of users.
    Person,
    /// Names of modules.
    Module,
    /// Names of functions, which are kept, but for paths in them.
    Function,
    /// Command lines.
    Command,
    /// Names or addresses of machines.
    Host,
    /// Texts of events: mostly names or addresses of machines, but also paths, and types of objects.
    Label,
    /// Sentences that may contain paths.
    Sentence,
}

/// Texts that are replaced: table, column, kind of text.
const REPLACED: &[(&str, &str, Text)] = &[
    ("trace", "source", Text::Path),
    ("trace", "host", Text::Host),
    ("trace", "command", Text::Command),
    ("trace", "test_case", Text::Name),
    ("capability", "note", Text::Sentence),
    ("problem", "detail", Text::Sentence),
    ("problem", "advice", Text::Sentence),
    ("process", "name", Text::Name),
    ("process", "path", Text::Path),
    ("process", "command_line", Text::Command),
    ("process", "user", Text::Person),
    ("thread", "name", Text::Name),
    ("module", "path", Text::Path),
    ("module", "name", Text::Module),
    ("module", "pdb_name", Text::Path),
    ("module", "product", Text::Name),
    ("module", "vendor", Text::Name),
    ("file", "path", Text::Path),
    ("symbol", "function", Text::Function),
    ("symbol", "file", Text::Path),
    ("process_group", "path", Text::Group),
    ("process_group", "name", Text::Group),
    ("label", "text", Text::Label),
    ("process", "services", Text::Name),
];

/// Tables and columns whose texts are personal only in some rows; the functions below handle them.
const BY_ROW: &[(&str, &str)] = &[
    ("fact", "value"),
    ("wait_object", "name"),
    ("wait_object", "local"),
];

/// Texts that say nothing about a person; all others are listed above.
#[cfg(test)]
const KEPT: &[(&str, &str)] = &[
    ("trace", "trace_id"),
    ("trace", "tool_version"),
    ("trace", "os"),
    ("trace", "arch"),
    ("trace", "cpu_name"),
    ("trace", "zone"),
    ("trace", "boot_id"),
    ("trace", "clock"),
    ("trace", "recorder"),
    ("fact", "subject"),
    ("fact", "key"),
    ("capability", "name"),
    ("capability", "presence"),
    ("event_count", "event"),
    ("event_count", "used_for"),
    ("code", "table"),
    ("code", "column"),
    ("code", "name"),
    ("problem", "kind"),
    ("problem", "severity"),
    ("affinity", "cpus"),
    ("module", "kind"),
    ("module", "build_id"),
    ("module", "version"),
    ("file", "kind"),
    ("file", "file_system"),
    ("symbol", "reason"),
    ("process_group", "resource"),
    ("wait_object", "kind"),
    ("wait_object", "file_system"),
    // Sums are computed from the other tables after those are redacted.
    ("method", "process_name"),
    ("method", "function"),
    ("method", "module"),
];

/// Facts with personal values of a known kind. Numbers, and what [`KEPT_FACTS`] lists, are kept; every other fact is
/// taken for a command line, of which little is left.
const FACTS: &[(&str, Text)] = &[
    ("host", Text::Host),
    ("command_argument", Text::Command),
    ("command_folder", Text::Path),
    ("file_name", Text::Path),
    ("missing", Text::Sentence),
    ("limit", Text::Sentence),
];

/// Facts whose values say nothing about a person.
const KEPT_FACTS: &[&str] = &[
    "system",
    "kernel",
    "kernel_version",
    "cpu_model",
    "cpus_online",
    "cpus_possible",
    "cpus_available",
    "boot_id",
    "time_zone",
    "scope",
    "follows",
    "recorder",
    "build_lab",
];

/// Types of objects of the Windows kernel, which its handles are of.
const OBJECT_TYPES: &[&str] = &[
    "ALPC Port",
    "ActivityReference",
    "Adapter",
    "Callback",
    "Composition",
    "Controller",
    "CoreMessaging",
    "DebugObject",
    "Desktop",
    "Device",
    "Directory",
    "Driver",
    "DxgkSharedResource",
    "EtwConsumer",
    "EtwRegistration",
    "EtwSessionDemuxEntry",
    "Event",
    "File",
    "FilterCommunicationPort",
    "FilterConnectionPort",
    "IRTimer",
    "IoCompletion",
    "IoCompletionReserve",
    "Job",
    "Key",
    "KeyedEvent",
    "Mutant",
    "Partition",
    "PcwObject",
    "PowerRequest",
    "Process",
    "Profile",
    "RawInputManager",
    "RegistryTransaction",
    "Section",
    "Semaphore",
    "Session",
    "SymbolicLink",
    "Thread",
    "Timer",
    "TmEn",
    "TmRm",
    "TmTm",
    "TmTx",
    "Token",
    "TpWorkerFactory",
    "Type",
    "UserApcReserve",
    "WaitCompletionPacket",
    "WindowStation",
    "WmiGuid",
];

/// Beginnings of the keys of such facts.
const KEPT_PREFIXES: &[&str] = &["command_limit.", "sampled_wait."];

/// Returns the tables of an extract that hold personal texts, with pseudonyms in their place.
///
/// # Errors
/// When a table cannot be read.
pub(crate) fn redacted(
    view: &dyn TraceView,
    names: &mut Pseudonyms,
) -> Result<Vec<Table>, ViewError> {
    know_programs(view, names)?;
    know_people(view, names)?;
    let mut redacted = Vec::new();
    // By then, the names that sentences mention are known.
    let speaks = |schema: &&TableSchema| ["capability", "problem", "fact"].contains(&schema.name);
    let plain = tables::ALL.iter().filter(|schema| !speaks(schema));
    for schema in plain.chain(tables::ALL.iter().filter(|schema| speaks(schema))) {
        let columns = schema.columns.iter().enumerate();
        let personal: Vec<(usize, &str)> = columns
            .map(|(at, column)| (at, column.name))
            .filter(|&(_, column)| is_personal(schema.name, column))
            .collect();
        if personal.is_empty() || schema.layer == Layer::Raw {
            continue;
        }
        let table = view.read(schema, &[])?;
        let table = match schema.name {
            "wait_object" => wait_objects(&table, names),
            "fact" => facts(&table, names),
            "thread" => with_columns(kept_helpers(table, names), &personal, names),
            _ => with_columns(table, &personal, names),
        };
        redacted.push(rebuilt(&table));
    }
    Ok(redacted)
}

fn is_personal(table: &str, column: &str) -> bool {
    let replaced = REPLACED.iter().map(|&(table, column, _)| (table, column));
    let mut all = replaced.chain(BY_ROW.iter().copied());
    all.any(|one| one == (table, column))
}

fn text_of(table: &str, column: &str) -> Option<Text> {
    let mut replaced = REPLACED.iter();
    let found = replaced.find(|&&(of, name, _)| (of, name) == (table, column));
    found.map(|&(_, _, text)| text)
}

fn replaced(word: &str, text: Text, names: &mut Pseudonyms) -> String {
    match text {
        Text::Path => names.path(word),
        Text::Group => names.group(word),
        Text::Name => names.name(word),
        Text::Person => names.person(word),
        Text::Module => names.module(word),
        Text::Function => names.function(word),
        Text::Command => names.command(word),
        Text::Host => names.host(word),
        Text::Label => label(word, names),
        Text::Sentence => names.sentence(word),
    }
}

fn label(text: &str, names: &mut Pseudonyms) -> String {
    let number = text.strip_prefix("[type ");
    let number = number.and_then(|rest| rest.strip_suffix(']'));
    let is_number = number.is_some_and(|number| number.parse::<u16>().is_ok());
    match text {
        _ if is_number || OBJECT_TYPES.contains(&text) => text.to_owned(),
        path if path.contains(['/', '\\']) => names.path(path),
        host => names.host(host),
    }
}

/// Replaces the texts of whole columns.
fn with_columns(mut table: Table, columns: &[(usize, &str)], names: &mut Pseudonyms) -> Table {
    for &(at, column) in columns {
        let text = text_of(table.schema.name, column);
        let (Some(Column::Str(texts)), Some(text)) = (table.columns.get_mut(at), text) else {
            continue;
        };
        for word in &mut texts.dictionary {
            *word = Arc::from(replaced(word, text, names));
        }
    }
    table
}

/// Two texts may have become one, so the dictionary is rebuilt.
fn rebuilt(table: &Table) -> Table {
    let rows = u32::try_from(table.len()).unwrap_or(u32::MAX);
    let rows: Vec<u32> = (0..rows).collect();
    table.pick(&rows)
}

/// Learns which programs come with a system, so that their processes and modules keep their names.
fn know_programs(view: &dyn TraceView, names: &mut Pseudonyms) -> Result<(), ViewError> {
    let modules = view.read(ModuleRow::SCHEMA, &[])?;
    for module in modules.rows::<ModuleRow>() {
        names.know_program(&module.path);
    }
    let processes = view.read(ProcessRow::SCHEMA, &[])?;
    for process in processes.rows::<ProcessRow>() {
        if let Some(path) = &process.path {
            names.know_program(path);
            names.know_process(&process.name, path);
        }
        // Kernel threads have names that the kernel chose.
        if process.is_kernel != 0 {
            names.keep(&process.name);
        }
    }
    Ok(())
}

/// Learns who the users are and how the machine is called, so that no part of their names passes for an extension.
fn know_people(view: &dyn TraceView, names: &mut Pseudonyms) -> Result<(), ViewError> {
    let trace = view.read(tables::TraceRow::SCHEMA, &["host"])?;
    let processes = view.read(ProcessRow::SCHEMA, &["user"])?;
    for (table, column) in [(&trace, "host"), (&processes, "user")] {
        for name in words(table, column) {
            names.know_person(name);
        }
    }
    for (schema, column) in [
        (tables::FileRow::SCHEMA, "path"),
        (ModuleRow::SCHEMA, "path"),
        (ProcessRow::SCHEMA, "path"),
    ] {
        let table = view.read(schema, &[column])?;
        for path in words(&table, column) {
            names.know_homes(path);
        }
    }
    Ok(())
}

/// Returns the different texts of a column.
fn words<'a>(table: &'a Table, column: &str) -> impl Iterator<Item = &'a str> {
    let words = match table.column(column) {
        Column::Str(texts) => texts.dictionary.as_slice(),
        _ => &[],
    };
    words.iter().map(AsRef::as_ref)
}

/// Learns the names of threads that a runtime gave its helpers: rules for waits look at them.
fn kept_helpers(table: Table, names: &mut Pseudonyms) -> Table {
    let rules = Rules::shipped();
    for name in words(&table, "name").filter(|name| rules.is_helper(name)) {
        names.keep(name);
    }
    table
}

fn facts(table: &Table, names: &mut Pseudonyms) -> Table {
    let rows = table.rows::<tables::FactRow>().map(|mut row| {
        row.value = fact(&row.key, &row.value, names);
        row
    });
    Table::from_rows(rows.collect::<Vec<_>>())
}

/// Returns the value of a fact without what is personal in it.
fn fact(key: &str, value: &str, names: &mut Pseudonyms) -> String {
    let mut facts = FACTS.iter();
    if let Some(&(_, text)) = facts.find(|(known, _)| *known == key) {
        return replaced(value, text, names);
    }
    let is_kept = KEPT_FACTS.contains(&key)
        || KEPT_PREFIXES.iter().any(|prefix| key.starts_with(prefix))
        || value.parse::<f64>().is_ok();
    match key {
        _ if is_kept => value.to_owned(),
        "file_system" => mounted(value, names),
        "file_lock" => match value.split_once(' ') {
            Some((pid, path)) => format!("{pid} {}", names.path(path)),
            None => names.path(value),
        },
        _ => names.command(value),
    }
}

fn wait_objects(table: &Table, names: &mut Pseudonyms) -> Table {
    let rows = table.rows::<WaitObjectRow>().map(|mut row| {
        row.name = match row.kind.as_str() {
            "tcp" | "udp" | "socket" => names.socket(&row.name),
            // Numbers.
            "futex" | "child" | "signal" | "semaphore" | "queue" => row.name,
            "unix" if row.name == NAMELESS => row.name,
            "pipe" if !row.name.starts_with('/') => row.name,
            "epoll" | "poll" => watched(&row.name, names),
            _ => names.path(&row.name),
        };
        row.local = row.local.map(|local| names.socket(&local));
        row
    });
    Table::from_rows(rows.collect::<Vec<_>>())
}

/// What a Unix socket without a name is called.
const NAMELESS: &str = "a Unix socket";

/// Replaces what is personal of a file system that is mounted: device, kind, source, where, server, options.
fn mounted(text: &str, names: &mut Pseudonyms) -> String {
    let words = text.splitn(6, ' ').enumerate().map(|(at, word)| match at {
        2 | 3 => names.path(word),
        5 => {
            let options = word.split(',').filter(|option| is_plain_option(option));
            options.collect::<Vec<_>>().join(",")
        }
        _ => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Options whose values say nothing of a person.
fn is_plain_option(option: &str) -> bool {
    match option.split_once('=') {
        Some((name, _)) => ["vers", "proto", "rsize", "wsize", "sec", "cache"].contains(&name),
        None => true,
    }
}

/// Replaces the names of what an epoll watches. What is not known to be impersonal is a path, or a part of one.
fn watched(text: &str, names: &mut Pseudonyms) -> String {
    let parts = text.split(", ").map(|part| {
        let (address, state) = part.split_once(' ').unwrap_or((part, ""));
        let is_address = address.parse::<SocketAddr>().is_ok();
        if is_address && ["", "(listening)", "(not connected)"].contains(&state) {
            return names.socket(part);
        }
        let number = part.strip_prefix("pipe:[").unwrap_or(part);
        let is_pipe = number
            .strip_suffix(']')
            .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
        let is_own = part.starts_with('[') && part.ends_with(']');
        let is_plain = ["inotify", NAMELESS, "not connected"].contains(&part);
        match is_pipe || is_own || is_plain {
            true => part.to_owned(),
            false => names.path(part),
        }
    });
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyslow_model::ColumnType;

    #[test]
    fn what_is_mounted_keeps_its_kind_only() {
        let mut names = Pseudonyms::default();
        let told = "46 cifs //nas/payroll /mnt/payroll 7 rw,vers=3.1.1,username=ann,addr=10.0.0.9";
        let text = mounted(told, &mut names);
        for secret in ["nas", "payroll", "ann", "10.0.0.9"] {
            assert!(!text.contains(secret), "{text}");
        }
        assert!(
            text.starts_with("46 cifs //") && text.ends_with(" 7 rw,vers=3.1.1"),
            "{text}"
        );
        let text = watched(
            "10.1.2.3:5432, /home/ann/pipe, [eventfd], pipe:[7]",
            &mut names,
        );
        assert!(
            !text.contains("10.1.2.3") && !text.contains("ann"),
            "{text}"
        );
        assert!(text.ends_with(", [eventfd], pipe:[7]"), "{text}");
        let told = "@ann/bus, /srv/pay, roll:2024, secret]"; // One path has a comma.
        let text = watched(
            &format!("{told}, pipe:[ann], ann:80 (listening)"),
            &mut names,
        );
        for secret in ["ann", "bus", "pay", "roll", "secret"] {
            assert!(!text.contains(secret), "{text}");
        }
        let text = watched(
            "[fe80::7]:80 (listening), not connected, inotify",
            &mut names,
        );
        assert!(
            !text.contains("fe80") && text.contains("]:80 (listening)"),
            "{text}"
        );
        assert!(text.ends_with(", not connected, inotify"), "{text}");
    }

    #[test]
    fn of_every_text_it_is_decided_whether_it_is_personal() {
        for schema in tables::ALL {
            for column in schema.columns {
                if column.ty != ColumnType::Str {
                    continue;
                }
                let place = (schema.name, column.name);
                // Rows of events are copied as they are.
                assert_ne!(schema.layer, Layer::Raw, "{place:?}");
                let kept = KEPT.contains(&place);
                assert!(
                    is_personal(place.0, place.1) != kept,
                    "decide about {place:?}"
                );
            }
        }
    }
}
