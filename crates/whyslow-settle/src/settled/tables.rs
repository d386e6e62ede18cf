//! The tables of facts, once every row is settled.

use whyslow_model::tables::{
    self, AddressRow, AffinityRow, FileRow, LabelRow, MappingRow, ModuleRow, ProcessRow, StackRow,
    SymbolRow, ThreadRow, TraceRow,
};
use whyslow_model::{
    AddressId, FileId, LabelId, ModuleId, NULL_I64, Named, ProblemKind, ProcessId, StackId,
    StackKind, System, Table, ThreadId,
};

use super::Settled;
use super::addresses::Place;
use crate::NONE;
use crate::files::File;
use crate::mappings::{Mapped, Module, ModuleKind};
use crate::text::{TextId, Texts};
use crate::threads::Affinity;

impl Settled {
    /// Returns the tables of facts: trace, fact, capability, event count, code, problem, process,
    /// thread, affinity, the groups of processes, objects of waits, module, file, label, mapping, address, stack.
    ///
    /// Stacks and addresses are those of the rows settled before.
    pub fn into_tables(self) -> Vec<Table> {
        let mut all = Vec::new();
        let mut keep = |table| {
            all.push(table);
            Ok::<(), std::convert::Infallible>(())
        };
        match self.each_table(&mut keep) {
            Ok(()) => all,
        }
    }

    /// Passes the tables of facts one by one, so that only one is in memory at a time.
    ///
    /// # Errors
    /// The first error of `each`.
    pub fn each_table<E>(mut self, each: &mut dyn FnMut(Table) -> Result<(), E>) -> Result<(), E> {
        self.count_problems();
        let system = System::of(self.facts.trace.os.as_deref());
        each(Table::from_rows([self.trace()]))?;
        each(Table::from_rows(std::mem::take(&mut self.facts.facts)))?;
        each(Table::from_rows(self.facts.capabilities.rows(system)))?;
        each(Table::from_rows(std::mem::take(
            &mut self.facts.event_counts,
        )))?;
        each(Table::from_rows(tables::codes()))?;
        each(Table::from_rows(self.problems.rows(system, self.start_ns)))?;
        each(Table::from_rows(self.process_rows()))?;
        each(Table::from_rows(self.thread_rows()))?;
        each(Table::from_rows(self.affinity_rows()))?;
        each(Table::from_rows(self.group_rows()))?;
        each(Table::from_rows(self.group_member_rows()))?;
        each(Table::from_rows(self.group_reading_rows()))?;
        each(Table::from_rows(std::mem::take(&mut self.objects.all)))?;
        let modules = ModuleId::all().zip(&self.views.modules);
        each(Table::from_rows(
            modules.map(|(id, module)| module_row(id, module, &self.texts)),
        ))?;
        let files = FileId::all().zip(&self.files);
        each(Table::from_rows(
            files.map(|(id, file)| file_row(id, file, &self.texts)),
        ))?;
        let labels = LabelId::all().zip(&self.labels);
        each(Table::from_rows(labels.map(|(id, &text)| LabelRow {
            id,
            text: self.texts.get(text).to_owned(),
        })))?;
        each(Table::from_rows(self.mapping_rows()))?;
        each(Table::from_rows(self.symbol_rows()))?;
        let kinds = self.views.modules.iter();
        let kinds: Vec<StackKind> = kinds.map(|module| module.kind.frames()).collect();
        drop((
            self.stacks,
            self.views.mapped,
            self.texts,
            self.processes,
            self.threads,
        ));
        let of_addresses = self.views.addresses.all.iter();
        let of_addresses = of_addresses.map(|place| kinds.get(usize::try_from(place.module).ok()?));
        let of_addresses: Vec<StackKind> = of_addresses
            .map(|kind| kind.copied().unwrap_or(StackKind::User))
            .collect();
        let kind = |address: Option<u32>, half: i32| {
            let known =
                address.and_then(|address| of_addresses.get(usize::try_from(address).ok()?));
            let known = known.filter(|_| half == StackKind::User.code());
            known.map_or(half, |kind| kind.code())
        };
        let addresses = AddressId::all()
            .zip(self.views.addresses.all)
            .map(|(id, place)| AddressRow {
                id,
                module: i32::try_from(place.module).ok().map(ModuleId),
                rva: place.rva.cast_signed(),
            });
        each(Table::from_rows(addresses))?;
        let id = |number: u32| i32::try_from(number).ok();
        let nodes = StackId::all().zip(self.finals.into_nodes());
        each(Table::from_rows(nodes.map(
            |(number, (parent, address, half, end))| StackRow {
                id: number,
                parent: parent.and_then(id).map(StackId),
                address: address.and_then(id).map(AddressId),
                kind: kind(address, half),
                end,
            },
        )))
    }

    fn affinity_rows(&self) -> Vec<AffinityRow> {
        let row = |affinity: &Affinity| {
            Some(AffinityRow {
                thread: self.order.thread_id(affinity.thread)?,
                from_ns: self.since_start(affinity.from_ns),
                cpus: self.texts.get(affinity.cpus).to_owned(),
            })
        };
        let mut rows: Vec<_> = self.affinities.iter().filter_map(row).collect();
        rows.sort_by_key(|row| (row.thread, row.from_ns));
        rows
    }

    fn count_problems(&mut self) {
        let count = self.halfless_waits;
        self.problems
            .add_many(ProblemKind::NoUserHalf, count, None, None, || {
                "waits of programs with only a kernel stack".to_owned()
            });
        let count = self.views.addresses.unmapped;
        self.problems
            .add_many(ProblemKind::UnmappedAddress, count, None, None, || {
                "distinct addresses that no known mapping covers".to_owned()
            });
        let (count, nodes) = (self.finals.refused, self.finals.len());
        self.problems
            .add_many(ProblemKind::LimitReached, count, None, None, || {
                format!("rows without stack: more than {nodes} distinct frames")
            });
    }

    fn trace(&self) -> TraceRow {
        let start = self.start_ns;
        let offset = self.facts.unix_offset_ns;
        TraceRow {
            start_unix_ns: offset.map(|offset| start.saturating_add(offset)),
            duration_ns: self.end_ns.saturating_sub(start),
            clock_start_ns: start,
            lost_events: i64::try_from(self.summary.lost_events).unwrap_or(i64::MAX),
            ..self.facts.trace.clone()
        }
    }

    pub(super) fn since_start(&self, ns: Option<i64>) -> Option<i64> {
        ns.map(|ns| ns.saturating_sub(self.start_ns))
    }

    fn process_rows(&self) -> impl Iterator<Item = ProcessRow> {
        let mut names: Vec<Option<TextId>> = self.processes.iter().map(|p| p.name).collect();
        for thread in &self.threads {
            let at = usize::try_from(thread.process).unwrap_or(usize::MAX);
            if let Some(name) = names.get_mut(at) {
                *name = name.or(thread.name);
            }
        }
        let text = |text: Option<TextId>| text.map(|text| self.texts.get(text).to_owned());
        ProcessId::all()
            .zip(&self.order.processes)
            .filter_map(move |(row, &number)| {
                let at = usize::try_from(number).ok()?;
                let process = self.processes.get(at)?;
                let name = text(names.get(at).copied().flatten());
                Some(ProcessRow {
                    id: row,
                    os_pid: process.os_pid.cast_signed(),
                    parent: self.order.process_id(process.parent),
                    os_ppid: process.os_ppid.map(u32::cast_signed),
                    predecessor: self.order.process_id(process.predecessor),
                    start_ns: self.since_start(process.start_ns),
                    end_ns: self.since_start(process.end_ns),
                    exit_code: process.exit_code,
                    exit_signal: process.exit_signal,
                    name: name.unwrap_or_else(|| format!("[{}]", process.os_pid)),
                    path: text(process.path),
                    command_line: text(process.command_line),
                    user: text(process.user),
                    session: process.session,
                    services: text(process.services),
                    is_kernel: process.is_kernel.into(),
                })
            })
    }

    fn thread_rows(&self) -> impl Iterator<Item = ThreadRow> {
        let rows = ThreadId::all().zip(&self.order.threads);
        rows.filter_map(|(row, &number)| {
            let thread = self.threads.get(usize::try_from(number).ok()?)?;
            let name = thread.name.map(|name| self.texts.get(name).to_owned());
            Some(ThreadRow {
                id: row,
                os_tid: thread.os_tid.cast_signed(),
                process: self
                    .order
                    .process_id(thread.process)
                    .unwrap_or(ProcessId(-1)),
                start_ns: self.since_start(thread.start_ns),
                end_ns: self.since_start(thread.end_ns),
                name,
                idle_cpu: (thread.idle_cpu != NONE).then(|| thread.idle_cpu.cast_signed()),
            })
        })
    }

    fn mapping_rows(&self) -> impl Iterator<Item = MappingRow> {
        // Known functions go with the addresses in them.
        let modules = self.views.mapped.iter();
        let mut order: Vec<&Mapped> = modules.filter(|m| m.function.is_none()).collect();
        let process = |mapped: &Mapped| self.order.process_id(mapped.process);
        order.sort_by_key(|mapped| (process(mapped), mapped.from_ns, mapped.base));
        let time = |ns: i64| self.since_start((ns != NULL_I64).then_some(ns));
        order.into_iter().map(move |mapped| MappingRow {
            process: process(mapped),
            module: ModuleId(i32::try_from(mapped.module.0).unwrap_or(-1)),
            base: mapped.base.cast_signed(),
            size_bytes: mapped.size_bytes.cast_signed(),
            file_offset: mapped.file_offset.cast_signed(),
            from_ns: time(mapped.from_ns),
            to_ns: time(mapped.to_ns),
        })
    }

    /// What the trace itself says about functions.
    fn symbol_rows(&self) -> impl Iterator<Item = SymbolRow> {
        let addresses = AddressId::all().zip(&self.views.addresses.all);
        addresses.filter_map(|(address, place)| {
            let (function, offset) = place.function?;
            let (file, line) = self.source(place);
            Some(SymbolRow {
                address,
                depth: 0,
                function: Some(self.texts.get(function).to_owned()),
                offset: i64::try_from(offset).ok(),
                file,
                line,
                reason: None,
            })
        })
    }

    /// Returns the file and line of a place in source.
    fn source(&self, place: &Place) -> (Option<String>, Option<i32>) {
        let module = usize::try_from(place.module).ok();
        let module = module.and_then(|at| self.views.modules.get(at));
        let Some(module) = module.filter(|module| module.kind.is_source()) else {
            return (None, None);
        };
        let line = i32::try_from(place.rva).ok().filter(|&line| line > 0);
        (Some(self.texts.get(module.path).to_owned()), line)
    }
}

fn file_row(id: FileId, file: &File, texts: &Texts) -> FileRow {
    FileRow {
        id,
        path: texts.get(file.path).to_owned(),
        inode: file.inode.map(|(inode, _)| inode.cast_signed()),
        device: file.inode.map(|(_, device)| device.cast_signed()),
        kind: file_kind(file.mode).map(str::to_owned),
        file_system: file.file_system.map(|name| texts.get(name).to_owned()),
        flags: file.flags,
    }
}

/// Returns the kind of file according to its mode; `None` if there is none.
fn file_kind(mode: u32) -> Option<&'static str> {
    Some(match mode & 0o170_000 {
        _ if mode == 0 => return None,
        0o100_000 => "file",
        0o040_000 => "folder",
        0o120_000 => "link",
        0o010_000 => "pipe",
        0o140_000 => "socket",
        0o020_000 | 0o060_000 => "device",
        _ => "other",
    })
}

fn module_row(id: ModuleId, module: &Module, texts: &Texts) -> ModuleRow {
    let text = |id: Option<TextId>| id.map(|id| texts.get(id).to_owned());
    let path = texts.get(module.path);
    ModuleRow {
        id,
        path: path.to_owned(),
        name: module_name(path, module.kind),
        kind: module.kind.name().to_owned(),
        build_id: text(module.build_id),
        size_bytes: module.size_bytes.and_then(|size| i64::try_from(size).ok()),
        version: text(module.version),
        vendor: text(module.vendor),
        time_stamp: module.time_stamp,
        pdb_name: text(module.pdb_name),
        product: text(module.product),
    }
}

/// Returns the module's name in tables: the file's name. The kernel is `[kernel]`, and a part of it
/// loaded later is `[ext4]`, whether it was recorded under that name or as
/// `/lib/modules/…/ext4.ko.xz`.
fn module_name(path: &str, kind: ModuleKind) -> String {
    let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let file = if file.is_empty() { path } else { file };
    match kind {
        ModuleKind::Kernel if path.starts_with("[guest.") => "[guest.kernel]".to_owned(),
        ModuleKind::Kernel => "[kernel]".to_owned(),
        // BPF has one module per program; the module's name is the function's.
        ModuleKind::KernelModule if path.starts_with("[bpf]") => "[bpf]".to_owned(),
        ModuleKind::KernelModule => match file.split_once(".ko") {
            Some((name, "" | ".gz" | ".xz" | ".zst")) => format!("[{}]", name.replace('-', "_")),
            _ => file.to_owned(),
        },
        ModuleKind::Python => python_name(path, file).to_owned(),
        ModuleKind::Java => java_name(path, file).to_owned(),
        ModuleKind::JavaScript => javascript_name(path, file).to_owned(),
        ModuleKind::Ruby => below(path, &["/gems/", "/lib/ruby/"])
            .unwrap_or(file)
            .to_owned(),
        ModuleKind::Php => below(path, &["/vendor/"]).unwrap_or(file).to_owned(),
        ModuleKind::Perl => perl_name(path, file).to_owned(),
        _ => file.to_owned(),
    }
}

/// Returns the name of a Perl file in tables: with its package if it is an installed module, else its file name.
fn perl_name<'a>(path: &'a str, file: &'a str) -> &'a str {
    let folders = [
        "/perl/5.",
        "/perl-base/",
        "/perl5/",
        "/site_perl/",
        "/vendor_perl/",
    ];
    let Some(mut name) = below(path, &folders) else {
        return file;
    };
    // What is left of a version, and the machine that a module is built for.
    while let Some((folder, rest)) = name.split_once('/')
        && (folder.starts_with(|first: char| first.is_ascii_digit()) || folder.contains("linux"))
    {
        name = rest;
    }
    name
}

/// Returns the part of a path below the innermost of these folders that it has.
fn below<'a>(path: &'a str, folders: &[&str]) -> Option<&'a str> {
    let inner = folders.iter().filter_map(|folder| path.rsplit_once(folder));
    inner
        .map(|(_, inner)| inner)
        .min_by_key(|inner| inner.len())
}

/// Returns the name of a Java file in tables: with its package if it belongs to the library, else
/// its file name.
fn java_name<'a>(path: &'a str, file: &'a str) -> &'a str {
    let is_library = ["java/", "javax/", "jdk/", "sun/", "com/sun/"];
    match is_library.iter().any(|package| path.starts_with(package)) {
        true => path,
        false => file,
    }
}

/// Returns the name of a JavaScript file in tables: in an installed package, its path there,
/// because many have an `index.js`; for a file that ships with Node.js, its full name; else its
/// file name.
fn javascript_name<'a>(path: &'a str, file: &'a str) -> &'a str {
    if path.starts_with("node:") {
        return path;
    }
    let packages = path.rsplit_once("/node_modules/");
    packages.map_or(file, |(_, inner)| inner)
}

/// Returns the name of a Python file in tables: within the library and installed packages its path
/// there, because many have a `utils.py`; else its file name, with the package's name for files
/// that every package has.
fn python_name<'a>(path: &'a str, file: &'a str) -> &'a str {
    for folder in ["/site-packages/", "/dist-packages/"] {
        if let Some((_, inner)) = path.rsplit_once(folder) {
            return inner;
        }
    }
    if let Some((_, library)) = path.rsplit_once("/lib/python")
        && let Some((version, inner)) = library.split_once('/')
        && version.starts_with(|letter: char| letter.is_ascii_digit())
    {
        return inner;
    }
    let is_everywhere = matches!(file, "__init__.py" | "__main__.py");
    let mut slashes = path.rmatch_indices('/').map(|(at, _)| at);
    match (is_everywhere, slashes.nth(1)) {
        (true, Some(before)) => path.get(before + 1..).unwrap_or(file),
        (true, None) => path.trim_start_matches('/'),
        (false, _) => file,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_have_one_name_each() {
        let check = |path, kind, name| assert_eq!(module_name(path, kind), name);
        check("[kernel.kallsyms]", ModuleKind::Kernel, "[kernel]");
        check(
            "[guest.kernel.kallsyms.7]",
            ModuleKind::Kernel,
            "[guest.kernel]",
        );
        check("[ext4]", ModuleKind::KernelModule, "[ext4]");
        check(
            "/lib/modules/6.1/fs/nls-utf8.ko.xz",
            ModuleKind::KernelModule,
            "[nls_utf8]",
        );
        check("[bpf]bpf_prog_1_x", ModuleKind::KernelModule, "[bpf]");
        check("/usr/bin/a.kor", ModuleKind::Elf, "a.kor");
        check("/", ModuleKind::Elf, "/");
        check("/app/job.py", ModuleKind::Python, "job.py");
        let python = |path, name| check(path, ModuleKind::Python, name);
        python("/usr/lib/python3.11/json/__init__.py", "json/__init__.py");
        python("/a/lib/python3.8/site-packages/x/utils.py", "x/utils.py");
        python("/home/me/lib/python/app/utils.py", "utils.py");
        python("/home/me/app/__main__.py", "app/__main__.py");
        python("app/__init__.py", "app/__init__.py");
        python("<frozen os>", "<frozen os>");
        let javascript = |path, name| check(path, ModuleKind::JavaScript, name);
        javascript("/home/me/app.js", "app.js");
        javascript("/home/me/node_modules/a/node_modules/b/x.js", "b/x.js");
        javascript("node:internal/timers", "node:internal/timers");
    }
}
