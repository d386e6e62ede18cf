//! What an address means in a process at a time.
//!
//! A *view* is the mappings of one process entry, including those inherited from its parent at the
//! fork. A process without mappings of its own uses its parent's view. Views are built when rows of
//! a process come up, which is one process after another, and only a few are kept.
//!
//! Recorders report when something is mapped over something else, but seldom when it is unmapped,
//! and some report it late. So if only one module was ever known at an address, that is the answer
//! at any time; time decides only if there were several.

use std::collections::HashMap;
use std::rc::Rc;

use whyslow_model::NULL_I64;

use super::addresses::{AddressNumber, Addresses, Place};
use crate::NONE;
use crate::mappings::{Mapped, Mappings, Module, ModuleKind};
use crate::processes::Process;
use whyslow_stacks::hash_index::hash;

/// Maximum number of views kept at a time.
const MAX_VIEWS: usize = 64;
/// Maximum number of modules distinguished at one address, newest first.
const MAX_CANDIDATES: usize = 8;
/// Maximum size of the kernel's image on any architecture (Linux: `KERNEL_IMAGE_SIZE` on x86-64).
const MAX_IMAGE_BYTES: u64 = 1 << 30;
/// Maximum number of forks followed to find the mappings that a process inherited.
const MAX_ANCESTORS: usize = 64;

/// Number of a view: the process entry whose mappings it begins with, or [`NONE`] for the kernel.
pub(super) type ViewNumber = u32;

/// The mappings of a trace, for look-ups.
#[derive(Debug)]
pub(super) struct Views {
    pub(super) mapped: Vec<Mapped>,
    pub(super) modules: Vec<Module>,
    pub(super) addresses: Addresses,
    ranges: Vec<(u32, u32)>,
    lineage: Vec<Lineage>,
    built: HashMap<ViewNumber, Rc<View>>,
    age: Vec<ViewNumber>,
    kernel: Rc<View>,
    last: Option<(ViewNumber, Rc<View>)>,
    recent: Recent,
    recent_kernel: Recent,
}

/// Meanings, valid at any time, of addresses looked up recently.
#[derive(Debug)]
struct Recent(Vec<Meant>);

/// The meaning of an address in a view.
#[derive(Debug, Clone, Copy)]
struct Meant {
    at: u64,
    view: ViewNumber,
    /// [`NONE`] if the entry is empty.
    address: AddressNumber,
}

impl Recent {
    const BITS: u32 = 12;

    fn new() -> Self {
        let empty = Meant {
            at: 0,
            view: NONE,
            address: NONE,
        };
        Self(vec![empty; 1 << Self::BITS])
    }

    fn slot(view: ViewNumber, at: u64) -> usize {
        usize::try_from(hash(at, view.into()) >> (64 - Self::BITS)).unwrap_or(0)
    }

    fn get(&self, view: ViewNumber, at: u64) -> Option<Meaning> {
        let known = self.0.get(Self::slot(view, at))?;
        let is_same = known.at == at && known.view == view && known.address != NONE;
        is_same.then_some(Meaning {
            address: known.address,
            is_timed: false,
        })
    }

    fn put(&mut self, view: ViewNumber, at: u64, meaning: Meaning) {
        if let Some(place) = self
            .0
            .get_mut(Self::slot(view, at))
            .filter(|_| !meaning.is_timed)
        {
            let address = meaning.address;
            *place = Meant { at, view, address };
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Lineage {
    copy_of: u32,
    start_ns: Option<i64>,
}

/// The meaning of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meaning {
    /// The final address.
    pub(super) address: AddressNumber,
    /// It means something else at another time.
    pub(super) is_timed: bool,
}

#[derive(Debug, Default)]
struct View {
    /// First address of each segment, ascending; a segment ends where the next begins.
    starts: Vec<u64>,
    /// Index of each segment's first candidate; one more than there are segments.
    firsts: Vec<u32>,
    /// Mappings, the newest of a segment first.
    candidates: Vec<Mapped>,
}

/// Extends the kernel's image to the functions behind it.
///
/// Recorders report where its text is, but the stack of an idle thread ends in functions behind
/// that, which ran once at boot (`start_kernel`).
fn stretch_image(kernel: &mut [Mapped], modules: &[Module]) {
    let is_image = |mapped: &Mapped| {
        let at = usize::try_from(mapped.module.0).unwrap_or(usize::MAX);
        modules
            .get(at)
            .is_some_and(|module| module.kind == ModuleKind::Kernel)
    };
    let mut bases: Vec<u64> = kernel.iter().map(|mapped| mapped.base).collect();
    bases.sort_unstable();
    for mapped in kernel.iter_mut().filter(|mapped| is_image(mapped)) {
        let end = mapped.base.saturating_add(mapped.size_bytes);
        let next = bases.partition_point(|&base| base < end);
        let most = mapped.base.saturating_add(MAX_IMAGE_BYTES);
        let until = bases.get(next).map_or(most, |&base| base.min(most));
        mapped.size_bytes = mapped.size_bytes.max(until.saturating_sub(mapped.base));
    }
}

impl Views {
    /// Returns the views of a trace.
    pub(super) fn new(mappings: Mappings, processes: &[Process]) -> Self {
        let mut mapped = mappings.all;
        mapped.sort_by_key(|mapped| mapped.process);
        let mut ranges = vec![(0, 0); processes.len()];
        let mut from = 0;
        for chunk in mapped.chunk_by(|a, b| a.process == b.process) {
            let to = from + chunk.len();
            let number = chunk.first().map_or(NONE, |mapped| mapped.process);
            if let Some(range) = usize::try_from(number)
                .ok()
                .and_then(|at| ranges.get_mut(at))
            {
                *range = (
                    u32::try_from(from).unwrap_or(0),
                    u32::try_from(to).unwrap_or(0),
                );
            }
            from = to;
        }
        let kernel_from = mapped.partition_point(|mapped| mapped.process != NONE);
        let mut kernel = mapped.get(kernel_from..).unwrap_or_default().to_vec();
        stretch_image(&mut kernel, &mappings.modules);
        let kernel = View::new(kernel);
        let lineage = processes.iter().map(|process| Lineage {
            copy_of: process.copy_of,
            start_ns: process.start_ns,
        });
        Self {
            modules: mappings.modules,
            addresses: Addresses::default(),
            ranges,
            lineage: lineage.collect(),
            built: HashMap::new(),
            age: Vec::new(),
            kernel: Rc::new(kernel),
            last: None,
            recent: Recent::new(),
            recent_kernel: Recent::new(),
            mapped,
        }
    }

    /// Returns the view of a process entry.
    pub(super) fn view_of(&self, process: u32) -> ViewNumber {
        let mut number = process;
        for _ in 0..MAX_ANCESTORS {
            let at = usize::try_from(number).unwrap_or(usize::MAX);
            let is_empty = self.ranges.get(at).is_some_and(|&(from, to)| from == to);
            match self.lineage.get(at) {
                Some(lineage) if is_empty && lineage.copy_of != NONE => number = lineage.copy_of,
                _ => break,
            }
        }
        number
    }

    /// Returns what a user address means in a view.
    pub(super) fn user(&mut self, view: ViewNumber, address: u64, at_ns: i64) -> Meaning {
        if let Some(known) = self.recent.get(view, address) {
            return known;
        }
        let meaning = self.look_up_user(view, address, at_ns);
        self.recent.put(view, address, meaning);
        meaning
    }

    fn look_up_user(&mut self, view: ViewNumber, address: u64, at_ns: i64) -> Meaning {
        let view = match &self.last {
            Some((number, last)) if *number == view => Rc::clone(last),
            _ => self.build(view),
        };
        if view.find(address, at_ns).0.is_none() && self.is_called_back(address, at_ns) {
            return self.kernel(address, at_ns);
        }
        self.meaning(&view, address, at_ns)
    }

    /// Returns whether a program's frame is one of the Windows kernel. When the kernel calls back
    /// into a program, the program's stack continues through the kernel to the code that called it.
    fn is_called_back(&self, address: u64, at_ns: i64) -> bool {
        let found = self.kernel.find(address, at_ns).0;
        let module = found.and_then(|mapped| usize::try_from(mapped.module.0).ok());
        let module = module.and_then(|at| self.modules.get(at));
        module.is_some_and(|module| module.kind == ModuleKind::Pe)
    }

    /// Returns what a kernel address means.
    pub(super) fn kernel(&mut self, address: u64, at_ns: i64) -> Meaning {
        if let Some(known) = self.recent_kernel.get(NONE, address) {
            return known;
        }
        let view = Rc::clone(&self.kernel);
        let meaning = self.meaning(&view, address, at_ns);
        self.recent_kernel.put(NONE, address, meaning);
        meaning
    }

    fn meaning(&mut self, view: &View, address: u64, at_ns: i64) -> Meaning {
        let kernel = Rc::clone(&self.kernel);
        let mut found = view.find(address, at_ns);
        if found.0.is_none() {
            // Windows calls back from the kernel into programs: their frames alternate.
            found = kernel.find(address, at_ns);
        }
        let (mapped, function, is_timed) = found;
        let kind = mapped.map_or(ModuleKind::Anonymous, |mapped| {
            let at = usize::try_from(mapped.module.0).unwrap_or(usize::MAX);
            let module = self.modules.get(at);
            module.map_or(ModuleKind::Anonymous, |module| module.kind)
        });
        let function = function.and_then(|code| {
            let offset = address.wrapping_sub(code.base);
            // Source has no bytes.
            let offset = if kind.is_source() { 0 } else { offset };
            code.function.map(|name| (name, offset))
        });
        let place = mapped.map(|mapped| {
            let offset = address.wrapping_sub(mapped.base);
            let rva = match kind {
                _ if kind.is_source() => mapped.line(address),
                _ if kind.is_absolute() => address,
                ModuleKind::Vdso => offset,
                _ => offset.wrapping_add(mapped.file_offset),
            };
            Place {
                module: mapped.module.0,
                rva,
                function,
            }
        });
        let place = place.unwrap_or(Place {
            module: NONE,
            rva: address,
            function: None,
        });
        Meaning {
            address: self.addresses.number(place),
            is_timed,
        }
    }

    fn build(&mut self, number: ViewNumber) -> Rc<View> {
        let view = match self.built.get(&number) {
            Some(view) => Rc::clone(view),
            None => {
                if self.age.len() >= MAX_VIEWS {
                    let oldest = self.age.remove(0);
                    self.built.remove(&oldest);
                }
                let view = Rc::new(View::new(self.inherited(number)));
                self.built.insert(number, Rc::clone(&view));
                self.age.push(number);
                view
            }
        };
        self.last = Some((number, Rc::clone(&view)));
        view
    }

    /// Returns the mappings of a process, including inherited ones, oldest first.
    fn inherited(&self, process: u32) -> Vec<Mapped> {
        let mut chain = Vec::new();
        let mut number = process;
        let mut until = None;
        for _ in 0..MAX_ANCESTORS {
            let at = usize::try_from(number).unwrap_or(usize::MAX);
            let (Some(lineage), Some(&(from, to))) = (self.lineage.get(at), self.ranges.get(at))
            else {
                break;
            };
            chain.push((from as usize..to as usize, until));
            number = lineage.copy_of;
            until = lineage.start_ns.or(until);
        }
        let mut all = Vec::new();
        for (range, until) in chain.into_iter().rev() {
            let mapped = self.mapped.get(range).unwrap_or_default();
            all.extend(mapped.iter().filter_map(|mapped| mapped.copied_at(until)));
        }
        all
    }
}

impl View {
    /// Returns the view of these mappings, oldest first.
    fn new(mut all: Vec<Mapped>) -> Self {
        // Mappings of functions take precedence over those of whole modules.
        all.sort_by_key(|mapped| (mapped.function.is_some(), mapped.from_ns));
        let mut edges = Vec::with_capacity(all.len() * 2);
        for (number, mapped) in all.iter().enumerate() {
            edges.push((mapped.base, number, true));
            edges.push((mapped.base.saturating_add(mapped.size_bytes), number, false));
        }
        edges.sort_unstable();
        let mut view = Self::default();
        let mut active = std::collections::BTreeSet::new();
        for chunk in edges.chunk_by(|a, b| a.0 == b.0) {
            for &(_, number, begins) in chunk {
                if begins {
                    active.insert(number);
                } else {
                    active.remove(&number);
                }
            }
            view.starts.push(chunk.first().map_or(0, |edge| edge.0));
            view.firsts
                .push(u32::try_from(view.candidates.len()).unwrap_or(u32::MAX));
            let first = view.candidates.len();
            for mapped in active
                .iter()
                .rev()
                .take(MAX_CANDIDATES)
                .filter_map(|&n| all.get(n))
            {
                let known = view.candidates.get_mut(first..).unwrap_or_default();
                match known.last_mut() {
                    // Nothing else was there in between.
                    Some(last) if last.is_same(mapped) => {
                        last.from_ns = last.from_ns.min(mapped.from_ns);
                    }
                    _ => view.candidates.push(*mapped),
                }
            }
        }
        view.firsts
            .push(u32::try_from(view.candidates.len()).unwrap_or(u32::MAX));
        view
    }

    /// Returns the mapping that contains an address, the mapping of the function there, and whether
    /// the answer differs at other times.
    fn find(&self, address: u64, at_ns: i64) -> (Option<&Mapped>, Option<&Mapped>, bool) {
        let after = self.starts.partition_point(|&start| start <= address);
        let Some(segment) = after.checked_sub(1) else {
            return (None, None, false);
        };
        let first = |segment: usize| self.firsts.get(segment).map_or(0, |&first| first as usize);
        let range = first(segment)..first(segment + 1);
        let candidates = self.candidates.get(range).unwrap_or_default();
        // Mappings of functions come first.
        let behind = candidates.partition_point(|mapped| mapped.function.is_some());
        let (functions, modules) = candidates.split_at(behind);
        let (function, timed_function) = choose(functions, at_ns);
        let (module, timed_module) = choose(modules, at_ns);
        // Generated code is in memory without a module.
        (
            module.or(function),
            function,
            timed_function || timed_module,
        )
    }
}

/// Returns which of several existed at a time, and whether the time decides.
fn choose(candidates: &[Mapped], at_ns: i64) -> (Option<&Mapped>, bool) {
    if candidates.len() < 2 {
        return (candidates.first(), false);
    }
    let mut fitting = candidates.iter();
    let found = fitting.find(|mapped| mapped.from_ns <= at_ns && !mapped.is_over(at_ns));
    (found.or(candidates.last()), true)
}

impl Mapped {
    /// Whether both give every address the same meaning.
    fn is_same(&self, other: &Self) -> bool {
        self.module == other.module
            && self.function == other.function
            && self.base.wrapping_sub(self.file_offset)
                == other.base.wrapping_sub(other.file_offset)
    }

    /// Returns the mapping as a fork at that time copies it; `None` if it did not exist then.
    fn copied_at(self, fork_ns: Option<i64>) -> Option<Self> {
        match fork_ns {
            None => Some(self),
            Some(fork) if self.from_ns > fork || self.is_over(fork) => None,
            Some(_) => Some(Self {
                to_ns: NULL_I64,
                ..self
            }),
        }
    }

    fn is_over(&self, at_ns: i64) -> bool {
        self.to_ns != NULL_I64 && self.to_ns <= at_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mappings::ModuleId;
    use crate::text::Texts;

    #[test]
    fn the_kernels_image_goes_on_to_the_next_module() {
        let kinds = [ModuleKind::Kernel, ModuleKind::KernelModule];
        let name = Texts::new(1 << 16).intern("name").expect("room");
        let modules = kinds.map(|kind| Module::new(name, kind));
        let mapped = |module, base, size_bytes| Mapped {
            process: NONE,
            module: ModuleId(module),
            base,
            size_bytes,
            file_offset: 0,
            from_ns: NULL_I64,
            to_ns: NULL_I64,
            function: None,
        };
        let mut kernel = [mapped(1, 0x9000, 0x10), mapped(0, 0x1000, 0x200)];
        stretch_image(&mut kernel, &modules);
        assert_eq!((kernel[0].size_bytes, kernel[1].size_bytes), (0x10, 0x8000));
        let mut alone = [mapped(0, u64::MAX - 0xfff, 0x200)];
        stretch_image(&mut alone, &modules);
        assert_eq!(alone[0].size_bytes, 0xfff);
    }

    #[test]
    fn what_was_mapped_before_and_after_something_else_is_found_at_both_times() {
        let mapped = |module, from_ns, to_ns| Mapped {
            process: 0,
            module: ModuleId(module),
            base: 0x1000,
            size_bytes: 0x1000,
            file_offset: 0,
            from_ns,
            to_ns,
            function: None,
        };
        let view = View::new(vec![
            mapped(1, 10, 20),
            mapped(2, 20, 30),
            mapped(1, 30, 40),
            mapped(1, 50, NULL_I64),
        ]);
        let module = |at_ns| view.find(0x1234, at_ns).0.map(|found| found.module.0);
        let found = [15, 25, 35, 45, 55].map(module);
        assert_eq!(found, [Some(1), Some(2), Some(1), Some(1), Some(1)]);
    }

    #[test]
    fn places_in_source_are_lines() {
        let mut texts = Texts::new(1 << 16);
        let mut text = |text: &str| texts.intern(text).expect("room");
        let (name, file) = (text("parse"), text("/app/job.py"));
        let mut mappings = Mappings::new(9, 9);
        mappings.modules.push(Module::new(file, ModuleKind::Python));
        mappings.all = vec![Mapped {
            process: NONE,
            module: ModuleId(0),
            base: 0x6000,
            size_bytes: 8,
            file_offset: 41,
            from_ns: NULL_I64,
            to_ns: NULL_I64,
            function: Some(name),
        }];
        let mut views = Views::new(mappings, &[]);
        let mut place = |at: u64| {
            let number = views.user(0, at, 5).address;
            let place = views.addresses.all[number as usize];
            (place.module, place.rva, place.function)
        };
        let lines = [0, 1, 2, 3, 6, 7].map(|offset| place(0x6000 + offset));
        let wanted = [0, 0, 41, 41, 43, 43].map(|line| (0, line, Some((name, 0))));
        assert_eq!(lines, wanted);
        assert_eq!(place(0x6008), (NONE, 0x6008, None));
    }

    #[test]
    fn a_function_goes_before_the_image_it_lies_in_and_time_decides_among_functions() {
        let mut texts = Texts::new(1 << 16);
        let mut text = |text: &str| texts.intern(text).expect("room");
        let (first, second) = (text("first"), text("second"));
        let modules = [ModuleKind::Pe, ModuleKind::Jit].map(|kind| Module::new(text("m"), kind));
        let mapped = |module, base, size_bytes, (from_ns, to_ns), function| Mapped {
            process: 0,
            module: ModuleId(module),
            base,
            size_bytes,
            file_offset: 0,
            from_ns,
            to_ns,
            function,
        };
        let always = (NULL_I64, NULL_I64);
        let mut mappings = Mappings::new(9, 9);
        mappings.modules.extend(modules);
        mappings.all = vec![
            mapped(1, 0x1100, 0x10, always, Some(first)),
            mapped(0, 0x1000, 0x1000, (5, NULL_I64), None),
            mapped(1, 0x9000, 0x10, (10, 20), Some(first)),
            mapped(1, 0x9000, 0x10, (30, NULL_I64), Some(second)),
        ];
        let mut views = Views::new(mappings, &[]);
        let view = View::new(views.mapped.clone());
        let mut place = |at: u64, ns: i64| {
            let number = views.meaning(&view, at, ns).address;
            let place = views.addresses.all[number as usize];
            (place.module, place.rva, place.function)
        };
        assert_eq!(place(0x1104, 50), (0, 0x104, Some((first, 4))));
        assert_eq!(place(0x1110, 50), (0, 0x110, None));
        assert_eq!(place(0x9001, 15), (1, 0x9001, Some((first, 1))));
        assert_eq!(place(0x9001, 35), (1, 0x9001, Some((second, 1))));
        assert_eq!(place(0x8000, 35), (NONE, 0x8000, None));
    }
}
