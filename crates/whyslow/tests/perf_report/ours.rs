//! What Whyslow says of the same recording.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use whyslow_model::AddressId;

use whyslow_extract::Extract;
use whyslow_model::TraceView as _;
use whyslow_model::tables::{ADDRESS, AddressRow, MODULE, ModuleRow, SYMBOL, SymbolRow};

use crate::perf::Key;

/// Samples of a function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Counts {
    /// At the leaf.
    pub(crate) exclusive: u64,
    /// Anywhere on the stack, recursion once.
    pub(crate) inclusive: u64,
}

/// What an address is called.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    /// Module and method as `whyslow cpu --functions` shows them.
    pub(crate) key: Key,
    /// Offset in the function; `None` where it has no name.
    pub(crate) offset: Option<u64>,
}

/// An extract's functions and addresses.
#[derive(Debug)]
pub(crate) struct Ours {
    /// Sums over all processes.
    pub(crate) counts: BTreeMap<Key, Counts>,
    /// By path of the module (empty where there is none) and offset in it.
    pub(crate) names: HashMap<(String, u64), Named>,
}

/// Extracts the recording.
pub(crate) fn extract(file: &Path) -> PathBuf {
    whyslow(&["extract", "-q", "--force", &file.to_string_lossy()]);
    file.with_extension("whyslow")
}

/// Asks the extract.
pub(crate) fn ask(extract: &Path) -> Ours {
    let path = extract.to_string_lossy();
    let text = whyslow(&[
        "cpu",
        &path,
        "--functions",
        "*",
        "--idle",
        "--format",
        "csv",
    ]);
    let mut rows = text.lines().map(fields);
    let head = rows.next().expect("a header");
    let column = |name: &str| head.iter().position(|head| head == name).expect("a column");
    let (method, module) = (column("method"), column("module"));
    let (all, own) = (column("samples"), column("samples_exclusive"));
    let mut counts: BTreeMap<Key, Counts> = BTreeMap::new();
    for row in rows {
        let entry = counts.entry((row[module].clone(), row[method].clone()));
        let entry = entry.or_default();
        entry.inclusive += row[all].parse::<u64>().unwrap_or(0);
        entry.exclusive += row[own].parse::<u64>().unwrap_or(0);
    }
    Ours {
        counts,
        names: names(extract),
    }
}

fn names(extract: &Path) -> HashMap<(String, u64), Named> {
    let extract = Extract::open(extract).expect("an extract");
    let read = |schema| extract.read(schema, &[]).expect("a table");
    let modules: Vec<ModuleRow> = read(&MODULE).rows().collect();
    let symbols = read(&SYMBOL);
    let symbols = symbols.rows::<SymbolRow>().filter(|row| row.depth == 0);
    let symbols: HashMap<AddressId, SymbolRow> = symbols.map(|row| (row.address, row)).collect();
    let named = |row: AddressRow| {
        let module = row.module.and_then(|id| modules.get(id.index()));
        let name = module.map_or("", |module| &module.name);
        let symbol = symbols.get(&row.id)?;
        let method = match (&symbol.function, &symbol.reason) {
            (Some(function), _) => function.clone(),
            (None, reason) => {
                let space = if name.is_empty() { "" } else { " " };
                let reason = reason.as_deref().unwrap_or("?");
                format!("[unresolved] {name}{space}({reason})")
            }
        };
        let path = module.map_or(String::new(), |module| module.path.clone());
        let named = Named {
            key: (name.to_owned(), method),
            offset: symbol.offset.map(i64::cast_unsigned),
        };
        Some(((path, row.rva.cast_unsigned()), named))
    };
    read(&ADDRESS).rows().filter_map(named).collect()
}

/// Runs the program and returns what it prints.
fn whyslow(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_whyslow"));
    let output = command.args(arguments).stdin(Stdio::null()).output();
    let output = output.expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "whyslow {arguments:?}: {said}");
    String::from_utf8(output.stdout).expect("text")
}

/// Splits a line of CSV; no field of ours holds a line break.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                fields.last_mut().expect("a field").push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            letter => fields.last_mut().expect("a field").push(letter),
        }
    }
    fields
}
