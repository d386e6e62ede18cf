//! Methods of .NET in real Windows traces: the share of stack frames that they explain, and their
//! names.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

#[path = "support/real.rs"]
mod real;
mod support;

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::path::Path;

use real::{folder, import};
use support::Outcome;
use whyslow_etl::kernel::hooks::{Hook, image, stack_walk};
use whyslow_etl::kernel::{self, Image, StackDefinition, StackFrames, StackOf};
use whyslow_etl::{FileSource, Identity, Reader, Record};
use whyslow_model::tables::{AddressRow, CpuSampleRow, ModuleRow, ProcessRow, StackRow, SymbolRow};

/// Where the trace's own records say code was, read without the import.
#[derive(Default)]
struct Code {
    /// By process: first address, end.
    images: HashMap<u32, Vec<(u64, u64)>>,
    methods: HashMap<u32, Vec<(u64, u64)>>,
    /// Process and frames of every stack.
    stacks: Vec<(u32, Vec<u64>)>,
    /// Processes whose stacks have a key.
    keys: HashMap<u64, Vec<u32>>,
}

impl Code {
    fn read(path: &Path) -> Self {
        let source = FileSource::new(File::open(path).unwrap()).unwrap();
        let mut reader = Reader::new(&source).unwrap();
        let mut code = Self::default();
        while let Some(record) = reader.next_record().unwrap() {
            if let Some((hook, version)) = kernel::hook(&record) {
                code.kernel(&record, hook, version);
            } else if let Identity::Event(of) = record.identity() {
                let name = whyslow_etl::providers::name(of.provider).unwrap_or_default();
                if name.contains("DotNETRuntime") && matches!(of.id, 143 | 144) {
                    let payload = record.payload();
                    let start = u64::from_le_bytes(*payload[16..].first_chunk().unwrap());
                    let size = u32::from_le_bytes(*payload[24..].first_chunk().unwrap());
                    let pid = record.process_id().unwrap();
                    let range = (start, start + u64::from(size));
                    code.methods.entry(pid).or_default().push(range);
                }
            }
        }
        code
    }

    fn kernel(&mut self, record: &Record<'_>, hook: Hook, version: u16) {
        let (payload, pointer) = (record.payload(), record.pointer_size());
        match hook {
            image::LOAD | image::UNLOAD | image::DC_START | image::DC_STOP => {
                let image = Image::read(payload, version, pointer).unwrap();
                let pid = image.process_id.unwrap();
                let range = (image.base, image.base + image.size);
                self.images.entry(pid).or_default().push(range);
            }
            stack_walk::STACK | stack_walk::KERNEL_KEY | stack_walk::USER_KEY => {
                let stack = StackOf::read(payload, hook, pointer).unwrap();
                match stack.frames {
                    StackFrames::Inline(frames) => {
                        self.stacks
                            .push((stack.process_id, frames.iter().collect()));
                    }
                    StackFrames::KernelKey(key) | StackFrames::UserKey(key) => {
                        self.keys.entry(key).or_default().push(stack.process_id);
                    }
                }
            }
            stack_walk::KEY_DELETE | stack_walk::KEY_RUNDOWN => {
                let definition = StackDefinition::read(payload, pointer).unwrap();
                for pid in self.keys.remove(&definition.key).unwrap_or_default() {
                    self.stacks.push((pid, definition.frames.iter().collect()));
                }
            }
            _ => {}
        }
    }

    /// Returns 0 for an address in an image, 1 for one in a method outside of images, 2 for others.
    fn kind(&self, pid: u32, at: u64) -> usize {
        let within = |all: &HashMap<u32, Vec<(u64, u64)>>, pid: u32| {
            let mut ranges = all.get(&pid).into_iter().flatten();
            ranges.any(|&(from, to)| (from..to).contains(&at))
        };
        if within(&self.images, pid) || within(&self.images, 0) {
            0
        } else if within(&self.methods, pid) {
            1
        } else {
            2
        }
    }

    /// Shares of all stacks' frames in images, in methods outside of them, and in neither, in
    /// percent.
    fn shares(&self) -> String {
        let mut counts: BTreeMap<(u32, u64), usize> = BTreeMap::new();
        for (pid, frames) in &self.stacks {
            for &frame in frames {
                *counts.entry((*pid, frame)).or_default() += 1;
            }
        }
        let mut frames = [0; 3];
        for ((pid, frame), count) in counts {
            frames[self.kind(pid, frame)] += count;
        }
        let all: usize = frames.iter().sum();
        let shares = frames.map(|part| format!("{:.2}", 100.0 * part as f64 / all as f64));
        shares.join(" ")
    }
}

/// Checks that the import puts every frame of the samples where the records say it is; returns how
/// many are in images, in methods, and in neither.
fn frames_by_kind(outcome: &Outcome, code: &Code) -> [usize; 3] {
    let modules: Vec<ModuleRow> = outcome.rows();
    let addresses: Vec<AddressRow> = outcome.rows();
    let stacks: Vec<StackRow> = outcome.rows();
    let processes: Vec<ProcessRow> = outcome.rows();
    let mut frames = [0; 3];
    for sample in outcome.rows::<CpuSampleRow>() {
        let pid = processes[sample.process.index()].os_pid.cast_unsigned();
        let mut node = sample.stack;
        while let Some(row) = node.map(|id| &stacks[id.index()]) {
            node = row.parent;
            let Some(address) = row.address.map(|id| &addresses[id.index()]) else {
                continue;
            };
            let kind = match address.module {
                None => 2,
                Some(module) => usize::from(modules[module.index()].kind == "jit"),
            };
            // Addresses in images are relative to their base, wherever that was.
            if kind != 0 {
                assert_eq!(
                    code.kind(pid, address.rva.cast_unsigned()),
                    kind,
                    "{address:?}"
                );
            }
            frames[kind] += 1;
        }
    }
    frames
}

#[test]
fn frames_lie_in_images_or_in_methods() {
    let Some(dir) = folder() else { return };
    for (name, shares, samples) in [
        ("x64", "85.09 14.75 0.16", [98_593, 29_989, 325]),
        ("x86", "87.79 12.10 0.11", [120_908, 34_989, 294]),
    ] {
        let path = dir.join(format!("perfview/net.4.5.2.{name}.etl"));
        let code = Code::read(&path);
        assert_eq!(code.shares(), shares);
        assert_eq!(frames_by_kind(&import(&[path]), &code), samples);
    }
}

/// A method as the reference text describes it.
struct Told {
    range: std::ops::Range<i64>,
    /// Type and name; the reference cuts off long ones.
    of: String,
    name: String,
}

impl Told {
    fn of(line: &str) -> Option<Self> {
        let field = |name: &str| {
            let (_, rest) = line.split_once(&format!(" {name}="))?;
            Some(rest.split_once(';')?.0.to_owned())
        };
        let start = field("MethodStartAddress")?.replace("0x", "");
        let start = i64::from_str_radix(&start, 16).ok()?;
        let size: i64 = field("MethodSize")?.replace(',', "").parse().ok()?;
        Some(Self {
            range: start..start + size,
            of: field("MethodNamespace")?,
            name: field("MethodName")?,
        })
    }

    fn is(&self, function: &str) -> bool {
        let of = self.of.trim_end_matches("...");
        let name = self.name.trim_end_matches("...");
        function.starts_with(of) && function.contains(name)
    }
}

#[test]
fn methods_are_called_what_the_reference_calls_them() {
    let Some(dir) = folder() else { return };
    // The reference describes ten methods in full; the samples hit some of their addresses.
    for (name, process, counts) in [("x64", 3676, (10, 29)), ("x86", 3644, (5, 19))] {
        let outcome = import(&[dir.join(format!("perfview/net.4.5.2.{name}.etl"))]);
        let addresses: Vec<AddressRow> = outcome.rows();
        let symbols: Vec<SymbolRow> = outcome.rows();
        let text = dir.join(format!("perfview/net.4.5.2.{name}.baseline.txt"));
        let text = fs::read_to_string(text).unwrap();
        let lines = text
            .lines()
            .filter(|line| line.contains(&format!("PID={process};")));
        let told: Vec<Told> = lines.filter_map(Told::of).collect();
        let mut agree = 0;
        for symbol in symbols {
            let rva = addresses[symbol.address.index()].rva;
            let function = symbol.function.unwrap();
            if let Some(told) = told.iter().find(|told| told.range.contains(&rva)) {
                assert!(
                    told.is(&function),
                    "{}.{} is {function}",
                    told.of,
                    told.name
                );
                agree += 1;
            }
        }
        assert_eq!((told.len(), agree), counts, "{name}");
    }
}
