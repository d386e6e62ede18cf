//! The same names as `perf script` for every address of a recording made by `perf record`.

use std::collections::BTreeMap;

use crate::support::{Scratch, brief, symbolize, text, tool};
use whyslow_symbols::{
    KernelIdentity, KernelSymbols, ModuleKind, ModuleRef, Options, Origin, Symbolizer,
};

const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/stat.h>
static __attribute__((noinline)) unsigned spin(unsigned n) {
    unsigned x = 1;
    while (n--) x = x * 1664525u + 1013904223u;
    return x;
}
__attribute__((noinline)) int order(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}
int main(void) {
    static int numbers[20000];
    struct stat s;
    unsigned sum = 0;
    /* Half a second of CPU, on machines of any speed. */
    while (clock() < CLOCKS_PER_SEC / 2) {
        sum += spin(200000);
        for (int i = 0; i < 20000; i++) numbers[i] = rand();
        qsort(numbers, 20000, sizeof *numbers, order);
        for (int i = 0; i < 500; i++) sum += stat("/proc/self/status", &s);
        char *copy = strdup("some text");
        sum += strlen(copy);
        free(copy);
    }
    printf("%u\n", sum);
    return 0;
}
"#;

/// A mapping: start, end, file offset, path.
type Mapping = (u64, u64, u64, String);

/// Mappings of the only process in the recording.
fn mappings(events: &str) -> Vec<Mapping> {
    let hex = |text: &str| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
    let parse = |line: &str| {
        let (_, rest) = line.split_once("PERF_RECORD_MMAP2 ")?;
        let (_, rest) = rest.split_once('[')?;
        let (range, rest) = rest.split_once(')')?;
        let (start, size) = range.split_once('(')?;
        let offset = rest.split_once("@ ")?.1.split_once(' ')?.0;
        let path = rest.rsplit_once("p ")?.1;
        let start = hex(start)?;
        Some((start, start + hex(size)?, hex(offset)?, path.to_owned()))
    };
    events.lines().filter_map(parse).collect()
}

#[test]
fn names_are_those_of_perf_script() {
    let scratch = Scratch::new("perf");
    let source = scratch.write("busy.c", PROGRAM);
    let (program, data) = (scratch.path("busy"), scratch.path("perf.data"));
    let made = tool("cc", &[text(&source), "-O1", "-o", text(&program)]).and_then(|_| {
        let record = [
            "record",
            "-q",
            "-e",
            "cpu-clock",
            "-F",
            "4000",
            "-o",
            text(&data),
        ];
        tool("perf", &[&record[..], &["--", text(&program)]].concat())
    });
    let script = ["script", "-i", text(&data), "--no-inline", "-F"];
    let fields = |fields| [&script[..], fields].concat();
    let (Some(_), Some(events), Some(samples)) = (
        made,
        tool("perf", &fields(&["pid", "--show-mmap-events"])),
        tool("perf", &fields(&["ip,sym,symoff,dso"])),
    ) else {
        return;
    };
    let mappings = mappings(&events);
    // Per module: address as the module counts it, and what perf says.
    let mut by_module: BTreeMap<String, BTreeMap<u64, String>> = BTreeMap::new();
    for line in samples.lines() {
        let (address, rest) = line.trim().split_once(' ').unwrap();
        let address = u64::from_str_radix(address, 16).unwrap();
        let (symbol, _) = rest.rsplit_once(" (").unwrap();
        let mapping = mappings
            .iter()
            .rev()
            .find(|m| (m.0..m.1).contains(&address));
        let (module, place) = match mapping {
            Some((start, _, offset, path)) => (path.clone(), address - start + offset),
            None => ("kernel".to_owned(), address),
        };
        by_module
            .entry(module)
            .or_default()
            .insert(place, symbol.to_owned());
    }
    let mut symbolizer = Symbolizer::new(Options {
        origin: Origin::ThisBoot,
        ..Options::default()
    });
    let text_address = text_address();
    let identity = KernelIdentity {
        build_id: None,
        text_address,
    };
    symbolizer = symbolizer.with_kernel(KernelSymbols::from_running_kernel(&identity));
    let mut n_compared = 0;
    for (path, places) in &by_module {
        let mut module = ModuleRef::elf(path.as_ref(), None);
        module.kind = match path.as_str() {
            "kernel" if text_address.is_none() => continue,
            "kernel" => ModuleKind::Kernel { text_address },
            _ => ModuleKind::of_mapping(path, 0, None),
        };
        let addresses: Vec<u64> = places.keys().copied().collect();
        let (answers, _) = symbolize(&symbolizer, &module, &addresses);
        for ((place, expected), answer) in places.iter().zip(&answers) {
            let expected = match expected.contains("+0x") {
                true => expected.clone(),
                false => format!("{expected}+0x0"),
            };
            // Some versions of perf do not know stubs, or name them wrongly.
            let ours = brief(answer);
            // Programs that others load and unload meanwhile are in no list of both.
            if expected.starts_with("bpf_prog_") || ours.starts_with("bpf_prog_") {
                continue;
            }
            if !ours.contains("@plt+") && !expected.contains("[unknown]") {
                assert_eq!(ours, expected, "{path} at {place:#x}");
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 20, "{by_module:?}");
}

/// Address of the running kernel's `_text`, where it is shown.
fn text_address() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/kallsyms").ok()?;
    let line = text.lines().find(|line| line.ends_with(" T _text"))?;
    let address = u64::from_str_radix(line.split(' ').next()?, 16).ok()?;
    (address != 0).then_some(address)
}
