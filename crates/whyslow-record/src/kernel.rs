//! The kernel as a module: where its text and its modules' text are, and its symbols.
//!
//! Sources: `/proc/kallsyms` and `/proc/modules` (both show zeros without rights), and
//! `/sys/kernel/notes` for the build id.

use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::Range;
use std::sync::Arc;

use whyslow_perfdata::writer::{ModuleBuildId, SampleIdentity};

use whyslow_bpf::OpenWait;
use whyslow_perfdata::abi::context;
use whyslow_proc::build_ids;

use crate::report::Missing;
use crate::rundown::ThreadReading;
use crate::transform::Transform;
use whyslow_proc::kernel_text::KernelText;

/// One line of `/proc/kallsyms` that names code.
#[derive(Clone, Debug)]
struct Symbol {
    address: u64,
    /// Where the line is in the table, without its end.
    line: Range<usize>,
}

/// The name of all of the recorder's own programs in the kernel: which one it is does not matter to
/// the user.
const OWN_FUNCTION: &str = "[recording]";

/// The symbols of the running kernel, sorted by address.
#[derive(Debug)]
pub(crate) struct KernelSymbols {
    /// The table as it was.
    table: String,
    symbols: Vec<Symbol>,
    text: Option<u64>,
    text_end: Option<u64>,
}

/// What decides which functions the kernel has: its modules and where they are, and the numbers of eBPF programs.
#[derive(Debug, PartialEq, Eq)]
struct Code {
    modules: Vec<String>,
    programs: Vec<u32>,
}

impl Code {
    /// Returns what the kernel has now; `None`: it does not say.
    fn now() -> Option<Self> {
        let text = match std::fs::read_to_string("/proc/modules") {
            // It cannot load any.
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text.ok()?,
        };
        Some(Self {
            modules: modules(&text),
            programs: whyslow_bpf::loaded_programs()?,
        })
    }
}

/// Returns the name and the address of each module; the other words say how much it is used.
fn modules(text: &str) -> Vec<String> {
    let module = |line: &str| -> Option<String> {
        let mut words = line.split_ascii_whitespace();
        Some(format!("{} {}", words.next()?, words.nth(4)?))
    };
    text.lines().filter_map(module).collect()
}

/// The symbols of the kernel, from one recording to the next. They are read again when the kernel has other code.
#[derive(Debug, Default)]
pub(crate) struct KeptSymbols(Option<(Code, Arc<KernelSymbols>)>);

impl KeptSymbols {
    /// Returns the symbols; `None` if the kernel hides addresses from us.
    pub(crate) fn get(&mut self) -> Option<Arc<KernelSymbols>> {
        // Before the table: what comes meanwhile makes it read again.
        let code = Code::now();
        if let (Some((of, symbols)), Some(code)) = (&self.0, &code)
            && of == code
        {
            return Some(Arc::clone(symbols));
        }
        let symbols = Arc::new(KernelSymbols::read()?);
        self.0 = code.map(|code| (code, Arc::clone(&symbols)));
        Some(symbols)
    }
}

impl KernelSymbols {
    /// Reads the table; `None` if the kernel hides addresses from us.
    fn read() -> Option<Self> {
        Self::parse(std::fs::read_to_string("/proc/kallsyms").ok()?)
    }

    fn parse(table: String) -> Option<Self> {
        let mut symbols = Vec::new();
        let mut named = [None, None];
        let mut start = 0;
        for line in table.split_inclusive('\n') {
            let begin = start;
            start += line.len();
            let line = line.trim_end_matches('\n');
            let mut words = line.split_ascii_whitespace();
            let (Some(address), Some(kind), Some(name)) =
                (words.next(), words.next(), words.next())
            else {
                continue;
            };
            let Ok(address) = u64::from_str_radix(address, 16) else {
                continue;
            };
            for (slot, wanted) in named.iter_mut().zip(["_text", "_etext"]) {
                if name == wanted {
                    *slot = Some(address);
                }
            }
            let is_edge = matches!(name, "_text" | "_etext");
            if address != 0 && (is_edge || matches!(kind, "t" | "T" | "w" | "W")) {
                symbols.push(Symbol {
                    address,
                    line: begin..begin + line.len(),
                });
            }
        }
        symbols.sort_by_key(|symbol| symbol.address);
        let [text, text_end] = named;
        (!symbols.is_empty()).then_some(Self {
            table,
            symbols,
            text,
            text_end,
        })
    }

    /// Fills in where in the kernel the threads of `states` that are among `waits` wait.
    pub(crate) fn place(&self, waits: &[OpenWait], states: &mut [ThreadReading]) {
        let waits: HashMap<u32, &OpenWait> = waits.iter().map(|wait| (wait.tid, wait)).collect();
        let lines = waits.values().flat_map(|wait| wait.kernel_stack.lines());
        let wanted: HashSet<&str> = lines.filter_map(|line| Some(place(line)?.0)).collect();
        let mut by_name = ByName::new();
        let mut ends = self.symbols.iter().map(|symbol| symbol.address).peekable();
        for symbol in &self.symbols {
            while ends.next_if(|&end| end <= symbol.address).is_some() {}
            let size = ends.peek().map_or(0, |end| end - symbol.address);
            let name = self.line(symbol).split_ascii_whitespace().nth(2);
            let Some(name) = name.filter(|name| wanted.contains(name)) else {
                continue;
            };
            let places = by_name.entry((name, size)).or_default();
            places.push(symbol.address);
        }
        for state in states {
            if let Some(wait) = waits.get(&state.identity.tid) {
                state.chain = chain(&wait.kernel_stack, &by_name);
            }
        }
    }

    /// The lines that cover `addresses` (ascending), and those of `_text` and `_etext`.
    ///
    /// An address in a stack is where a call returns to, which can be just behind the function, so
    /// what covers the byte before it is included too. The functions at the addresses `own` are the
    /// recorder's; all have one name.
    pub(crate) fn excerpt(&self, addresses: &[u64], own: &HashSet<u64>) -> String {
        let mut wanted = vec![false; self.symbols.len()];
        let mut mark = |address: u64| {
            let end = self
                .symbols
                .partition_point(|symbol| symbol.address <= address);
            let Some(last) = end.checked_sub(1).and_then(|last| self.symbols.get(last)) else {
                return;
            };
            // Several names for one address: keep them all; the reader chooses.
            let first = self
                .symbols
                .partition_point(|symbol| symbol.address < last.address);
            if let Some(covering) = wanted.get_mut(first..end) {
                covering.fill(true);
            }
        };
        for &address in addresses {
            mark(address);
            mark(address - 1);
        }
        for edge in [self.text, self.text_end].into_iter().flatten() {
            mark(edge);
        }
        let mut excerpt = String::new();
        for (symbol, _) in self
            .symbols
            .iter()
            .zip(&wanted)
            .filter(|(_, wanted)| **wanted)
        {
            match own.contains(&symbol.address) {
                true => excerpt += &format!("{:x} t {OWN_FUNCTION}\t[bpf]\n", symbol.address),
                false => excerpt.extend([self.line(symbol), "\n"]),
            }
        }
        excerpt
    }

    fn line(&self, symbol: &Symbol) -> &str {
        self.table.get(symbol.line.clone()).unwrap_or_default()
    }
}

/// Functions by name and size: static ones of several files may have the same name.
type ByName<'a> = HashMap<(&'a str, u64), Vec<u64>>;

/// The call chain that lines such as `[<0>] do_wait+0x5b/0x110` mean. It ends where name and size
/// are not those of one function: better no frame than a wrong one.
fn chain(lines: &str, by_name: &ByName<'_>) -> Vec<u64> {
    let address = |line: &str| {
        let (name, offset, size) = place(line)?;
        let number = |text| u64::from_str_radix(text, 16).ok();
        let (offset, size) = (number(offset)?, number(size)?);
        match by_name.get(&(name, size))?.as_slice() {
            [only] => only.checked_add(offset),
            _ => None,
        }
    };
    let mut chain = vec![context::KERNEL];
    chain.extend(lines.lines().map_while(address));
    if chain.len() == 1 { Vec::new() } else { chain }
}

/// Function, offset and size, in hexadecimal, of a line such as `[<0>] do_wait+0x5b/0x110`.
fn place(line: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = line.split_whitespace().nth(1)?.split_once("+0x")?;
    let (offset, size) = rest.split_once("/0x")?;
    Some((name, offset, size))
}

/// Appends the mappings of the kernel and its modules, as `perf record` does.
pub(crate) fn mappings(id: u64, transform: &mut Transform) -> Option<Missing> {
    let hidden = Missing {
        what: "names of kernel functions".to_owned(),
        why: "the addresses in /proc/kallsyms are hidden (kernel.kptr_restrict)".to_owned(),
        remedy: "record as root; or: sysctl kernel.kptr_restrict=0".to_owned(),
    };
    let Some(places) = KernelText::of_machine() else {
        return Some(hidden);
    };
    let text = places.text.clone();
    let identity = SampleIdentity {
        pid: u32::MAX,
        tid: 0,
        time_ns: 0,
        cpu: 0,
        id,
    };
    let out = transform.output();
    let name = b"[kernel.kallsyms]_text";
    out.kernel_mapping(
        text.start,
        text.end - text.start,
        text.start,
        name,
        &identity,
    );
    for line in std::fs::read_to_string("/proc/modules")
        .unwrap_or_default()
        .lines()
    {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let (Some(name), Some(size), Some(address)) = (words.first(), words.get(1), words.get(5))
        else {
            continue;
        };
        let start = u64::from_str_radix(address.trim_start_matches("0x"), 16).unwrap_or(0);
        let size = size.parse().unwrap_or(0);
        if start != 0 {
            let name = format!("[{name}]");
            out.kernel_mapping(start, size, 0, name.as_bytes(), &identity);
        }
    }
    None
}

/// Build ids of the kernel and the vdso.
pub(crate) fn build_ids() -> Vec<ModuleBuildId> {
    let notes = std::fs::read("/sys/kernel/notes").unwrap_or_default();
    let kernel = build_ids::in_notes(&notes).map(|id| ModuleBuildId {
        is_kernel: true,
        id,
        name: b"[kernel.kallsyms]".to_vec(),
    });
    let vdso = build_ids::of_vdso().map(|id| ModuleBuildId {
        is_kernel: false,
        id,
        name: b"[vdso]".to_vec(),
    });
    kernel.into_iter().chain(vdso).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::{KernelSymbols, chain, context, modules};

    const TABLE: &str = "\
ffffffff81000000 T _text
ffffffff81000100 t first
ffffffff81000200 T second
ffffffff81000200 T second_alias
ffffffff81000300 D data
ffffffff81000400 T third
ffffffff81001000 T _etext
ffffffffc0000010 t module_code\t[module]
";

    #[test]
    fn a_module_that_is_used_more_is_the_same_module() {
        let once = "ext4 1028096 1 - Live 0xffffffffc0a00000\nveth 45056 0 - Live 0xffffffffc0900000 (OE)\n";
        let more = "ext4 1028096 2 nfs, Live 0xffffffffc0a00000\nveth 45056 1 - Live 0xffffffffc0900000 (OE)\n";
        assert_eq!(modules(once), modules(more));
        assert_eq!(modules(once)[1], "veth 0xffffffffc0900000");
        assert_ne!(
            modules(once),
            modules(&more.replace("c0900000", "c0d00000"))
        );
    }

    #[test]
    fn excerpt_holds_what_covers_the_addresses() {
        let symbols = KernelSymbols::parse(TABLE.to_owned()).unwrap();
        let excerpt = symbols.excerpt(
            &[0xffff_ffff_8100_0250, 0xffff_ffff_c000_0020],
            &HashSet::new(),
        );
        assert_eq!(
            excerpt,
            "ffffffff81000000 T _text\nffffffff81000200 T second\n\
             ffffffff81000200 T second_alias\nffffffff81001000 T _etext\n\
             ffffffffc0000010 t module_code\t[module]\n"
        );
    }

    #[test]
    fn return_address_behind_a_function_brings_that_function() {
        let symbols = KernelSymbols::parse(TABLE.to_owned()).unwrap();
        let excerpt = symbols.excerpt(&[0xffff_ffff_8100_0200], &HashSet::new());
        assert!(excerpt.contains("first") && excerpt.contains("second"));
    }

    #[test]
    fn the_recorders_own_functions_have_one_name() {
        let symbols = KernelSymbols::parse(TABLE.to_owned()).unwrap();
        let addresses = [0xffff_ffff_8100_0100, 0xffff_ffff_c000_0020];
        let excerpt = symbols.excerpt(&addresses, &HashSet::from([0xffff_ffff_c000_0010]));
        assert_eq!(
            excerpt,
            "ffffffff81000000 T _text\nffffffff81000100 t first\n\
             ffffffff81001000 T _etext\nffffffffc0000010 t [recording]\t[bpf]\n"
        );
    }

    #[test]
    fn lines_of_a_stack_become_its_chain_up_to_what_may_be_two_functions() {
        let twice = vec![0x300, 0x400];
        let by_name = HashMap::from([
            (("leaf", 0x90), vec![0x100]),
            (("root", 0x20), vec![0x200]),
            (("root", 0x30), vec![0x500]),
            (("x", 2), twice),
        ]);
        let lines = "[<0>] leaf+0x5/0x90\n[<0>] root+0x1f/0x20 [module]\n[<0>] x+0x1/0x2\n";
        assert_eq!(chain(lines, &by_name), [context::KERNEL, 0x105, 0x21f]);
        assert!(chain("[<0>] x+0x1/0x2\n", &by_name).is_empty());
        assert!(chain("", &by_name).is_empty());
    }

    #[test]
    fn hidden_addresses_are_no_table() {
        assert!(KernelSymbols::parse("0000000000000000 T _text\n".to_owned()).is_none());
    }
}
