//! What perf says of a recording.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// Shared object and symbol as `perf report` shows them.
pub(crate) type Key = (String, String);

/// A function of one row of `perf report`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Row {
    /// Samples at the leaf.
    pub(crate) exclusive: u64,
    /// Share of all samples that have it on their stack, recursion once; two decimals.
    pub(crate) inclusive_percent: f64,
}

/// One frame of `perf script`.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// Offset in the file, or the address where perf knows no file.
    pub(crate) address: u64,
    /// Path of the file; `[kernel.kallsyms]`, `[vdso]`, `[unknown]`.
    pub(crate) path: String,
    /// The function and the offset in it.
    pub(crate) symbol: Option<(String, u64)>,
}

impl Frame {
    /// Returns the row of `perf report` that the frame is counted in.
    pub(crate) fn key(&self) -> Key {
        match &self.symbol {
            Some((symbol, _)) => (self.unnamed().0, symbol.clone()),
            None => self.unnamed(),
        }
    }

    /// Returns the row of `perf report` that the frame is counted in where it has no name.
    pub(crate) fn unnamed(&self) -> Key {
        let name = self.path.rsplit('/').next();
        let name = name.filter(|name| !name.is_empty()).unwrap_or(&self.path);
        // As printf's `%#.16lx` has it.
        let address = match self.address {
            0 => "0".repeat(16),
            address => format!("{address:#018x}"),
        };
        (object(name), address)
    }

    /// Returns whether it is a frame of the kernel, or `None` where that cannot be told: among user
    /// frames stands what a program without frame pointers had in their place.
    pub(crate) fn is_kernel(&self) -> Option<bool> {
        match self.address >= 0xffff_8000_0000_0000 {
            true if self.path == "[unknown]" => None,
            is_high => Some(is_high),
        }
    }
}

/// One sample of `perf script`.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    /// The process.
    pub(crate) pid: u32,
    /// The stack, from its leaf.
    pub(crate) frames: Vec<Frame>,
}

/// Returns what `perf record` left, or the reason why it left nothing.
pub(crate) fn record(file: &Path, options: &[&str], program: &Path) -> Result<(), String> {
    let mut command = Command::new("perf");
    command.args(["record", "-q", "-N"]).args(options);
    if options.contains(&"-") {
        let file = std::fs::File::create(file).map_err(|error| error.to_string())?;
        command.stdout(file);
    } else {
        command.arg("-o").arg(file).stdout(Stdio::null());
    }
    command.arg("--").arg(program).stderr(Stdio::piped());
    let output = command.stdin(Stdio::null()).spawn();
    let output = output.and_then(std::process::Child::wait_with_output);
    let output = output.map_err(|error| format!("no perf: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().find(|line| !line.trim().is_empty());
    Err(format!("perf cannot record here: {}", line.unwrap_or("?")))
}

/// Returns the rows of `perf report`; rows of the same names are one, as two functions of one name
/// in one file have a row each.
pub(crate) fn report(file: &Path, has_stacks: bool) -> Result<BTreeMap<Key, Vec<Row>>, String> {
    let own = ["-F", "sample,dso,sym", "--no-children"];
    let all = ["-F", "overhead_children,dso,sym", "--children"];
    let mut rows: BTreeMap<Key, Vec<Row>> = BTreeMap::new();
    for (options, is_inclusive) in [(own, false), (all, true)] {
        if is_inclusive && !has_stacks {
            continue;
        }
        let mut arguments = vec!["report", "--stdio", "--no-inline", "-g", "none", "-t", "\t"];
        arguments.extend(options);
        for line in lines(file, &arguments)? {
            let mut fields = line.splitn(3, '\t').map(str::trim);
            let (Some(count), Some(dso), Some(symbol)) =
                (fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            let symbol = symbol.get(4..).unwrap_or(symbol).trim();
            let entry = rows.entry((object(dso), symbol.to_owned())).or_default();
            let bad = |_| format!("perf report says {line:?}");
            if is_inclusive {
                let percent = count
                    .trim_end_matches('%')
                    .parse()
                    .map_err(|_| line.clone())?;
                entry.push(Row {
                    exclusive: 0,
                    inclusive_percent: percent,
                });
            } else {
                let exclusive = count.parse().map_err(bad)?;
                entry.push(Row {
                    exclusive,
                    inclusive_percent: 0.0,
                });
            }
        }
    }
    Ok(rows)
}

/// Returns the samples of `perf script`.
pub(crate) fn script(file: &Path) -> Result<Vec<Sample>, String> {
    let fields = "pid,ip,sym,symoff,dso";
    let mut samples: Vec<Sample> = Vec::new();
    for line in lines(file, &["script", "--no-inline", "-F", fields])? {
        let odd = || format!("perf script says {line:?}");
        if !line.starts_with('\t') {
            let pid = line.trim().parse().map_err(|_| odd())?;
            let frames = Vec::new();
            samples.push(Sample { pid, frames });
        } else if let Some(sample) = samples.last_mut() {
            sample.frames.push(frame(line.trim()).ok_or_else(odd)?);
        }
    }
    Ok(samples)
}

/// Reads `1278 work+0x1d (/usr/bin/program)`.
fn frame(line: &str) -> Option<Frame> {
    let (address, rest) = line.split_once(' ')?;
    let rest = rest.strip_suffix(')')?;
    let rest = rest.strip_suffix(" (deleted)").unwrap_or(rest);
    let (symbol, path) = rest.rsplit_once(" (")?;
    let symbol = symbol
        .rsplit_once("+0x")
        .and_then(|(name, offset)| Some((name.to_owned(), u64::from_str_radix(offset, 16).ok()?)));
    Some(Frame {
        address: u64::from_str_radix(address, 16).ok()?,
        path: path.to_owned(),
        symbol,
    })
}

/// Returns the name of a file of generated code that both commands of perf give it.
fn object(name: &str) -> String {
    let name = name.strip_suffix(" (deleted)").unwrap_or(name);
    match name.strip_prefix("[JIT] tid ") {
        Some(pid) => format!("perf-{pid}.map"),
        None => name.to_owned(),
    }
}

/// Runs perf on the file and returns the lines that are no remarks.
fn lines(file: &Path, arguments: &[&str]) -> Result<Vec<String>, String> {
    let mut command = Command::new("perf");
    let command = command.args(arguments).arg("-i").arg(file);
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("no perf: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "perf {} cannot read what it recorded",
            arguments[0]
        ));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    Ok(lines.map(str::to_owned).collect())
}
