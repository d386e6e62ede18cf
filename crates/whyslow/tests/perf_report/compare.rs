//! The comparison, and the reasons for differences.
//!
//! ```text
//! perf report ══ perf script's frames, counted ── every frame renamed for a reason ══ whyslow cpu
//! ```
//!
//! Both `══` are exact: what `perf script` lists is what `perf report` counted, and the same
//! frames, each called as the extract calls its address, give Whyslow's counts. So a function's
//! counts differ only where some of its addresses have another name, and each of those must have
//! one of the reasons of [`Reason`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::ours::{Counts, Named, Ours};
use crate::perf::{Frame, Key, Row, Sample};

/// Why perf and Whyslow call an address differently; `docs/decisions/perf-report.md` has examples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    /// perf says `[kernel.kallsyms]`, Whyslow `[kernel]`; eBPF programs are modules to perf, and
    /// functions of `[bpf]` here.
    KernelName,
    /// Neither has a name: perf counts addresses, Whyslow modules and reasons.
    Unnamed,
    /// perf looks a return address up as it is; it lies behind the call, in the next function.
    CallAtEnd,
    /// The same function, demangled by another demangler.
    Demangled,
    /// The same function, which has several names.
    Alias,
    /// A stub of the procedure linkage table: perf names it by another rule, or not, and counts it
    /// to the function before.
    Plt,
    /// Only Whyslow has a name.
    OnlyOurs,
    /// perf's unwinder takes the 0 that ends a stack for a return address, and lists one less.
    EndOfStack,
    /// perf gives addresses in a file in memory, which it cannot read; Whyslow takes them for
    /// generated code.
    MemoryFile,
    /// `perf report` leaves a leaf without a name that `perf script` has one for.
    ReportUnnamed,
    /// The walk went astray: perf drops the whole stack but for the leaf, and lists no frame;
    /// Whyslow keeps the kernel half.
    Astray,
    /// Whyslow has a row for samples of the kernel's code without the user half of their stack.
    NoUserHalf,
    /// The file was deleted after perf read it.
    Gone,
    /// perf looks in the mappings from before an exec too: the stack under `execve`.
    BeforeExec,
    /// eBPF programs of another recorder that came and went at one place.
    OtherProgram,
}

/// A name that differs: why, and what both say.
type Difference = (Reason, Key, Key);

/// Both tools' samples of one recording.
#[derive(Debug)]
pub(crate) struct Comparison<'a> {
    /// `perf report`.
    pub(crate) report: &'a BTreeMap<Key, Vec<Row>>,
    /// `perf script`.
    pub(crate) samples: &'a [Sample],
    /// Whyslow.
    pub(crate) ours: &'a Ours,
    /// perf unwound the user halves itself, and looks return addresses up one lower.
    pub(crate) is_unwound: bool,
}

impl Comparison<'_> {
    /// Compares all counts; returns the differences with how many frames they concern.
    pub(crate) fn check(&self) -> BTreeMap<Difference, usize> {
        let mut differences: BTreeMap<Difference, usize> = BTreeMap::new();
        self.check_perf(&mut differences);
        let frames = self.samples.iter().flat_map(|sample| &sample.frames);
        let has_symbols = frames.filter(|frame| frame.symbol.is_some());
        let has_symbols: BTreeSet<&str> = has_symbols.map(|frame| frame.path.as_str()).collect();
        let mut unexplained = BTreeSet::new();
        let renamed = self.count(|pid, frame, exact| {
            let theirs = frame.key();
            if self.is_unwound && frame.address == u64::MAX {
                let nothing = Key::default();
                let difference = (Reason::EndOfStack, theirs, nothing);
                *differences.entry(difference).or_default() += 1;
                return None;
            }
            let before_exec = || {
                self.ours
                    .unmapped()
                    .filter(|_| frame.is_kernel() != Some(true))
            };
            let named = self.ours.named(pid, frame, exact).or_else(before_exec);
            let Some(named) = named else {
                unexplained.insert(format!(
                    "{theirs:?} at {:#x}: not in the extract",
                    frame.address
                ));
                return None;
            };
            if named.key != theirs {
                match reason(
                    frame,
                    named,
                    exact,
                    has_symbols.contains(frame.path.as_str()),
                ) {
                    Some(reason) => {
                        let difference = (reason, theirs, named.key.clone());
                        *differences.entry(difference).or_default() += 1;
                    }
                    None => {
                        unexplained.insert(format!("{frame:?} is {named:?}"));
                    }
                }
            }
            Some(named.key.clone())
        });
        assert!(unexplained.is_empty(), "not explained: {unexplained:#?}");
        self.check_ours(&renamed, &mut differences);
        differences
    }

    /// The renamed frames are what Whyslow counts.
    fn check_ours(
        &self,
        renamed: &BTreeMap<Key, Counts>,
        differences: &mut BTreeMap<Difference, usize>,
    ) {
        let ours = &self.ours.counts;
        let (astray, execs, mut found) = (self.astray(), self.execs(), 0);
        for key in renamed.keys().chain(ours.keys()).collect::<BTreeSet<_>>() {
            let theirs = renamed.get(key).copied().unwrap_or_default();
            let ours = ours.get(key).copied().unwrap_or_default();
            let own = ours.exclusive.checked_sub(theirs.exclusive);
            let all = ours.inclusive.abs_diff(theirs.inclusive);
            let is_more = ours.inclusive >= theirs.inclusive;
            let is_mark = key.0.is_empty() && key.1.ends_with("not recorded]");
            // Of a sample in an exec only the sums tell which program its caller was looked up in.
            let most = if is_more { astray + execs } else { execs };
            let fits = own.is_some_and(|own| own <= all) && (is_mark || all <= most);
            let which = format!("{astray} astray, {execs} in an exec");
            assert!(fits, "{key:?}: perf {theirs:?}, Whyslow {ours:?}, {which}");
            found += own.unwrap_or(0);
            if all > 0 {
                let reason = match is_more {
                    true if is_mark => Reason::NoUserHalf,
                    true if all <= astray => Reason::Astray,
                    _ => Reason::BeforeExec,
                };
                let difference = (reason, Key::default(), key.clone());
                differences.insert(difference, usize::try_from(all).unwrap_or(0));
            }
        }
        assert_eq!(found, astray, "leaves of samples without frames");
    }

    /// Returns how many samples are of threads that were becoming another program.
    fn execs(&self) -> u64 {
        let is_exec = |frame: &Frame| {
            let name = frame.symbol.as_ref().map_or("", |(name, _)| name);
            frame.is_kernel() == Some(true) && name.contains("execve")
        };
        let samples = self.samples.iter();
        let execs = samples.filter(|sample| sample.frames.iter().any(is_exec));
        u64::try_from(execs.count()).unwrap_or(u64::MAX)
    }

    /// Returns how many samples have no frames.
    fn astray(&self) -> u64 {
        let empty = self
            .samples
            .iter()
            .filter(|sample| sample.frames.is_empty());
        u64::try_from(empty.count()).unwrap_or(u64::MAX)
    }

    /// What `perf script` lists is what `perf report` counts.
    fn check_perf(&self, differences: &mut BTreeMap<Difference, usize>) {
        let listed = self.count(|_, frame, _| Some(frame.key()));
        let mut report = self.report.clone();
        let mut moved: BTreeMap<Key, u64> = BTreeMap::new();
        for leaf in self
            .samples
            .iter()
            .filter_map(|sample| sample.frames.first())
        {
            let unnamed = leaf.unnamed();
            let known = listed.get(&unnamed).copied().unwrap_or_default().exclusive;
            let row = report.get_mut(&unnamed).and_then(|rows| rows.first_mut());
            let row = row.filter(|row| leaf.symbol.is_some() && row.exclusive > known);
            if let Some(row) = row {
                row.exclusive -= 1;
                *moved.entry(leaf.key()).or_default() += 1;
                let difference = (Reason::ReportUnnamed, unnamed, leaf.key());
                *differences.entry(difference).or_default() += 1;
            }
        }
        let total = self.samples.len() as f64;
        let keys: BTreeSet<&Key> = listed.keys().chain(report.keys()).collect();
        let nothing = Vec::new();
        let (astray, mut found) = (self.astray(), 0);
        for key in keys {
            let counts = listed.get(key).copied().unwrap_or_default();
            let moved = moved.get(key).copied().unwrap_or(0);
            let rows = report.get(key).unwrap_or(&nothing);
            let own = rows.iter().map(|row| row.exclusive).sum::<u64>() + moved;
            let bare = own.checked_sub(counts.exclusive);
            let bare = bare.filter(|&bare| bare <= astray);
            let Some(bare) = bare else {
                panic!("{key:?}: perf report {rows:?}, perf script {counts:?}");
            };
            found += bare;
            if key.1.starts_with("0x") || key.1.starts_with("00") {
                // Where there is no name, --children shows addresses in memory, not offsets.
                continue;
            }
            // Functions of one name have a row each, and may stand on one stack.
            let shares = rows.iter().map(|row| row.inclusive_percent);
            let (sum, most) = (shares.clone().sum::<f64>(), shares.fold(0.0, f64::max));
            let rounding = 0.0051 * rows.len() as f64;
            let sum = sum + moved as f64 * 100.0 / total;
            let share = (counts.inclusive + bare) as f64 * 100.0 / total;
            let fits = most - rounding <= share && share <= sum + rounding;
            assert!(fits, "{key:?}: perf report {rows:?}, perf script {share} %");
        }
        assert_eq!(found, astray, "leaves of samples without frames");
    }

    /// Counts the samples by what `name` calls their frames; it is told whether the frame's
    /// address is that of an instruction, not one to return to, and leaves a frame out with `None`.
    fn count(
        &self,
        mut name: impl FnMut(u32, &Frame, bool) -> Option<Key>,
    ) -> BTreeMap<Key, Counts> {
        let mut counts: BTreeMap<Key, Counts> = BTreeMap::new();
        for sample in self.samples {
            let mut seen = BTreeSet::new();
            let mut was_kernel = None;
            for frame in &sample.frames {
                let is_kernel = frame.is_kernel().or(was_kernel).unwrap_or(true);
                let is_first = was_kernel != Some(is_kernel);
                let exact = is_first || (self.is_unwound && !is_kernel);
                if let Some(key) = name(sample.pid, frame, exact) {
                    let entry = counts.entry(key.clone()).or_default();
                    entry.exclusive += u64::from(was_kernel.is_none());
                    entry.inclusive += u64::from(seen.insert(key));
                }
                was_kernel = Some(is_kernel);
            }
        }
        counts
    }
}

impl Ours {
    /// Returns what an address without a mapping is called.
    fn unmapped(&self) -> Option<&Named> {
        let mut all = self.names.iter();
        let found =
            all.find(|((path, _), named)| path.is_empty() && named.key.1.contains("no-mapping"));
        found.map(|(_, named)| named)
    }

    fn named(&self, pid: u32, frame: &Frame, exact: bool) -> Option<&Named> {
        if frame.path.starts_with("/memfd:") {
            // perf tells the offset in the file only; all of it has one name here.
            let path = format!("/tmp/perf-{pid}.map");
            let mut all = self.names.iter().filter(|((of, _), _)| *of == path);
            let (_, first) = all.next()?;
            return all
                .all(|(_, named)| named.key == first.key)
                .then_some(first);
        }
        let path = if frame.path == "[unknown]" {
            ""
        } else {
            &frame.path
        };
        let address = frame.address.wrapping_sub(u64::from(!exact));
        let program = || self.names.get(&(format!("[bpf]{path}"), address));
        self.names.get(&(path.to_owned(), address)).or_else(program)
    }
}

/// Returns why the two names differ, or `None` if that cannot be told; `has_symbols` where perf
/// names other addresses of the file.
fn reason(frame: &Frame, named: &Named, exact: bool, has_symbols: bool) -> Option<Reason> {
    let (their_module, theirs) = frame.key();
    let (module, method) = &named.key;
    let is_program = module == "[bpf]" && their_module == theirs;
    let is_kernel = is_program || (their_module == "[kernel.kallsyms]" && module == "[kernel]");
    if their_module.starts_with("memfd:") && module.starts_with("perf-") {
        return Some(Reason::MemoryFile);
    }
    if module.is_empty() && their_module != "[unknown]" {
        return Some(Reason::BeforeExec);
    }
    let are_programs = [&theirs, method]
        .iter()
        .all(|name| name.starts_with("bpf_prog_"));
    if is_program && are_programs && theirs != *method {
        return Some(Reason::OtherProgram);
    }
    let is_unknown = their_module == "[unknown]" && module.is_empty();
    if !(is_kernel || is_unknown || their_module == *module) {
        return None;
    }
    if theirs == *method {
        return Some(Reason::KernelName);
    }
    let is_plt = method.ends_with("@plt");
    match (&frame.symbol, named.offset) {
        (None, None) => Some(Reason::Unnamed),
        (Some(_), None) if frame.path.starts_with('/') && !Path::new(&frame.path).exists() => {
            Some(Reason::Gone)
        }
        (Some((_, 0)), _) if !exact => Some(Reason::CallAtEnd),
        (None, Some(_)) if !exact && has_symbols => Some(Reason::CallAtEnd),
        (None, Some(_)) => Some(Reason::OnlyOurs),
        _ if is_plt => Some(Reason::Plt),
        (Some((_, behind)), Some(offset)) if *behind == offset + u64::from(!exact) => {
            let is_mangled = [&theirs, method].iter().any(|name| name.contains("::"));
            Some(if is_mangled {
                Reason::Demangled
            } else {
                Reason::Alias
            })
        }
        _ => None,
    }
}
