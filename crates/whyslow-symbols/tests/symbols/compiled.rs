//! Programs made by real compilers, compared with what binutils says about them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::{Answer, Scratch, brief, symbolize, text, tool};
use whyslow_symbols::{
    Inlined, ModuleKind, ModuleRef, Options, Origin, Reason, SymbolSource, Symbolizer,
};
use whyslow_testenv::{Feature, has};

const C_PROGRAM: &str = r#"
#include <stdio.h>
#include <string.h>
static inline __attribute__((always_inline)) int inner(int x) {
    return strlen("abc") + x * 3 + getchar();
}
static __attribute__((noinline)) int middle(int x) {
    return inner(x) + 1;
}
__attribute__((noinline)) int outer(int x) {
    puts("outer");
    return middle(x) * 2;
}
__asm__(".text\n.globl by_hand\n.type by_hand, @function\nby_hand: nop\nnop\nnop\nret\n");
int alias_of_outer(int) __attribute__((weak, alias("outer")));
int main(int argc, char **argv) {
    return outer(argc);
}
"#;

const CPP_PROGRAM: &str = r#"
#include <cstdio>
namespace space {
template <typename T> struct Box {
    T value;
    __attribute__((noinline)) T take(T more) const { puts("take"); return value + more; }
};
}
int main(int argc, char **) {
    space::Box<int> box{argc};
    return box.take(2);
}
"#;

const RUST_PROGRAM: &str = r#"
pub trait Speak { fn speak(&self) -> usize; }
pub struct Dog(usize);
impl Speak for Dog {
    #[inline(never)]
    fn speak(&self) -> usize { println!("{}", self.0); self.0 }
}
fn main() {
    let dogs: Vec<Box<dyn Speak>> = vec![Box::new(Dog(std::env::args().count()))];
    std::process::exit(dogs.iter().map(|dog| dog.speak()).sum::<usize>() as i32);
}
"#;

pub(crate) fn local() -> Symbolizer {
    Symbolizer::new(Options {
        debug_dirs: Vec::new(),
        origin: Origin::ThisMachine,
        ..Options::default()
    })
}

/// Compiles `source`; `None` when there is no compiler.
pub(crate) fn compile(
    scratch: &Scratch,
    compiler: &str,
    source: &str,
    flags: &[&str],
) -> Option<PathBuf> {
    let extension = match compiler {
        "g++" => "cc",
        "rustc" => "rs",
        _ => "c",
    };
    let source = scratch.write(&format!("program.{extension}"), source);
    let out = scratch.path("program");
    let mut arguments = vec![text(&source), "-g", "-o", text(&out)];
    arguments.extend(flags);
    tool(compiler, &arguments)?;
    Some(out)
}

/// Address minus file offset of `.text`, from `readelf`.
pub(crate) fn text_bias(path: &Path) -> Option<u64> {
    let sections = tool("readelf", &["-SW", text(path)])?;
    let line = sections.lines().find(|line| line.contains("] .text "))?;
    let mut words = line.split("] .text ").nth(1)?.split_whitespace().skip(1);
    let hex = |word: Option<&str>| u64::from_str_radix(word.unwrap(), 16).unwrap();
    let (address, offset) = (hex(words.next()), hex(words.next()));
    Some(address - offset)
}

/// Start, size and name of every sized function of the file, by `nm`.
pub(crate) fn functions(path: &Path) -> Option<Vec<(u64, u64, String)>> {
    let list = tool("nm", &["-S", "--defined-only", text(path)])?;
    let functions = list.lines().filter_map(|line| {
        let mut words = line.splitn(4, ' ');
        let start = u64::from_str_radix(words.next()?, 16).ok()?;
        let size = u64::from_str_radix(words.next()?, 16).ok()?;
        let kind = words.next()?;
        let is_code = matches!(kind, "t" | "T" | "w" | "W" | "i");
        is_code.then(|| (start, size, words.next().unwrap_or_default().to_owned()))
    });
    Some(functions.collect())
}

/// Start of a function by its linker name.
fn start_of(path: &Path, name: &str) -> Option<u64> {
    let found = functions(path)?.into_iter().find(|f| f.2 == name);
    Some(found.expect("nm knows the function").0)
}

fn compare_with_nm(program: &Path) -> Option<()> {
    let bias = text_bias(program)?;
    let mut by_start: BTreeMap<u64, (u64, Vec<String>)> = BTreeMap::new();
    for (start, size, name) in functions(program)? {
        let entry = by_start.entry(start).or_default();
        entry.0 = entry.0.max(size);
        entry.1.push(name);
    }
    assert!(by_start.len() > 2, "{by_start:?}");
    let ends: Vec<u64> = by_start
        .iter()
        .map(|(start, (size, _))| start + size - 1)
        .collect();
    let offsets: Vec<u64> = ends.iter().map(|end| end - bias).collect();
    let (answers, report) = symbolize(&local(), &ModuleRef::elf(program, None), &offsets);
    assert_eq!(report.source, Some(SymbolSource::Symtab));
    for ((start, (size, names)), answer) in by_start.iter().zip(&answers) {
        let frames = answer.as_ref().unwrap();
        assert_eq!(frames[0].offset, size - 1, "{names:?} at {start:#x}");
        let plain = names
            .iter()
            .all(|name| !name.starts_with("_Z") && !name.starts_with("_R"));
        let shown = &frames[0].function;
        assert!(
            !plain || names.contains(shown),
            "{shown} is none of {names:?}"
        );
    }
    Some(())
}

#[test]
fn functions_of_a_c_program_are_those_of_nm() {
    let scratch = Scratch::new("c");
    for flags in [&["-O2"][..], &["-O2", "-no-pie"], &["-O2", "-static"]] {
        if let Some(program) = compile(&scratch, "cc", C_PROGRAM, flags) {
            compare_with_nm(&program);
        }
    }
}

#[test]
fn functions_of_a_cpp_program_are_those_of_nm() {
    let scratch = Scratch::new("cpp");
    let Some(program) = compile(&scratch, "g++", CPP_PROGRAM, &["-O1"]) else {
        return;
    };
    compare_with_nm(&program);
    let (Some(bias), Some(start)) = (
        text_bias(&program),
        start_of(&program, "_ZNK5space3BoxIiE4takeEi"),
    ) else {
        return;
    };
    let (answers, _) = symbolize(&local(), &ModuleRef::elf(&program, None), &[start - bias]);
    assert_eq!(brief(&answers[0]), "space::Box<int>::take+0x0");
}

#[test]
fn functions_of_a_rust_program_are_those_of_nm() {
    let scratch = Scratch::new("rust");
    for mangling in ["legacy", "v0"] {
        let flags = &["-O", "-C", &format!("symbol-mangling-version={mangling}")];
        let flags: Vec<&str> = match mangling {
            // Only a nightly compiler still offers the old mangling.
            "legacy" => vec!["-O"],
            _ => flags.iter().map(AsRef::as_ref).collect(),
        };
        let Some(program) = compile(&scratch, "rustc", RUST_PROGRAM, &flags) else {
            return;
        };
        compare_with_nm(&program);
        let (Some(all), Some(bias)) = (functions(&program), text_bias(&program)) else {
            return;
        };
        let speak = all
            .iter()
            .find(|f| f.2.contains("speak"))
            .expect("speak is there");
        let offset = speak.0 - bias;
        let (answers, _) = symbolize(&local(), &ModuleRef::elf(&program, None), &[offset]);
        assert_eq!(
            brief(&answers[0]),
            "<program::Dog as program::Speak>::speak+0x0"
        );
    }
}

#[test]
fn of_aliases_the_global_one_is_shown_and_sizeless_functions_have_names() {
    let scratch = Scratch::new("aliases");
    let Some(program) = compile(&scratch, "cc", C_PROGRAM, &["-O2"]) else {
        return;
    };
    let (Some(bias), Some(outer), Some(symbols)) = (
        text_bias(&program),
        start_of(&program, "outer"),
        tool("nm", &[text(&program)]),
    ) else {
        return;
    };
    let by_hand = symbols.lines().find(|line| line.ends_with(" by_hand"));
    let by_hand = u64::from_str_radix(&by_hand.unwrap()[..16], 16).unwrap();
    let offsets = [outer + 1 - bias, by_hand + 2 - bias];
    let (answers, _) = symbolize(&local(), &ModuleRef::elf(&program, None), &offsets);
    assert_eq!(brief(&answers[0]), "outer+0x1");
    assert_eq!(brief(&answers[1]), "by_hand+0x2");
}

#[test]
fn stubs_are_named_like_objdump_does() {
    let scratch = Scratch::new("plt");
    let variants = [
        &["-O1"][..],
        &["-O1", "-fcf-protection=full", "-Wl,-z,ibtplt"],
        &["-O1", "-Wl,-z,lazy"],
        &["-O1", "-no-pie"],
    ];
    for flags in variants {
        let Some(program) = compile(&scratch, "cc", C_PROGRAM, flags) else {
            return;
        };
        let Some(code) = tool("objdump", &["-d", text(&program)]) else {
            return;
        };
        let Some(bias) = text_bias(&program) else {
            return;
        };
        let stubs: Vec<(u64, &str)> = code
            .lines()
            .filter_map(|line| line.strip_suffix(">:")?.split_once(" <"))
            .filter(|(_, name)| name.ends_with("@plt"))
            .map(|(address, name)| (u64::from_str_radix(address, 16).unwrap(), name))
            .collect();
        if !has(Feature::X86) {
            return;
        }
        assert!(!stubs.is_empty(), "{flags:?}: {code}");
        let offsets: Vec<u64> = stubs
            .iter()
            .map(|(address, _)| address + 1 - bias)
            .collect();
        let (answers, _) = symbolize(&local(), &ModuleRef::elf(&program, None), &offsets);
        for ((address, name), answer) in stubs.iter().zip(&answers) {
            assert_eq!(
                brief(answer),
                format!("{name}+0x1"),
                "{address:#x} {flags:?}"
            );
        }
    }
}

/// `objdump` calls such a stub `*ABS*+0x9d670@plt`.
#[test]
fn a_stub_of_a_function_chosen_at_load_time_has_its_name() {
    const PROGRAM: &str = r#"
static int fast(int x) { return x + 1; }
static int (*choose(void))(int) { return fast; }
__attribute__((ifunc("choose"))) int pick(int x);
int main(int argc, char **argv) { return pick(argc); }
"#;
    if !has(Feature::X86) {
        return;
    }
    let scratch = Scratch::new("ifunc");
    let Some(program) = compile(&scratch, "cc", PROGRAM, &["-O1"]) else {
        return;
    };
    let (Some(code), Some(bias)) = (
        tool("objdump", &["-d", text(&program)]),
        text_bias(&program),
    ) else {
        return;
    };
    let stub = code.lines().find_map(|line| {
        let (address, name) = line.strip_suffix("@plt>:")?.split_once(" <")?;
        let is_chosen = name.starts_with("*ABS*+0x");
        is_chosen.then(|| u64::from_str_radix(address, 16).unwrap())
    });
    let stub = stub.unwrap_or_else(|| panic!("no such stub in {code}"));
    let offsets = [stub + 1 - bias];
    let (answers, _) = symbolize(&local(), &ModuleRef::elf(&program, None), &offsets);
    assert_eq!(brief(&answers[0]), "pick@plt+0x1");
}

fn with_lines() -> Symbolizer {
    Symbolizer::new(Options {
        debug_dirs: Vec::new(),
        origin: Origin::ThisMachine,
        inlined: Inlined::Always,
        ..Options::default()
    })
}

/// Function, file name and line of each frame, innermost first.
fn chain(answer: &Answer) -> Vec<(String, String, u32)> {
    let file_name = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    let frames = answer.as_ref().unwrap().iter();
    frames
        .map(|frame| (frame.function.clone(), file_name(&frame.file), frame.line))
        .collect()
}

fn compare_with_addr2line(program: &Path, debug: &Path, functions_of: &[&str]) -> Option<()> {
    let bias = text_bias(program)?;
    let all = functions(debug)?;
    let mut n_inlined = 0;
    for name in functions_of {
        let (start, size, _) = all.iter().find(|f| f.2.contains(name))?;
        let addresses: Vec<u64> = (*start..start + size).collect();
        let texts: Vec<String> = addresses.iter().map(|a| format!("{a:#x}")).collect();
        let mut arguments = vec!["-a", "-f", "-i", "-C", "-e", text(debug)];
        arguments.extend(texts.iter().map(String::as_str));
        let output = tool("addr2line", &arguments)?;
        let offsets: Vec<u64> = addresses.iter().map(|a| a - bias).collect();
        let module = ModuleRef::elf(program, None);
        let (answers, report) = symbolize(&with_lines(), &module, &offsets);
        assert!(report.has_lines);
        let blocks = output.split("0x0000").skip(1);
        for ((block, answer), address) in blocks.zip(&answers).zip(&addresses) {
            let lines: Vec<&str> = block.lines().skip(1).collect();
            let expected: Vec<u32> = lines
                .chunks(2)
                .map(|pair| {
                    let line = pair[1].rsplit(':').next().unwrap();
                    let line = line.split(' ').next().unwrap();
                    line.parse().unwrap_or(0)
                })
                .collect();
            let chain = chain(answer);
            let found: Vec<u32> = chain.iter().map(|(_, _, line)| *line).collect();
            assert_eq!(found, expected, "{address:#x} {chain:?} {block}");
            n_inlined += chain.len() - 1;
        }
    }
    assert!(n_inlined > 0, "nothing was inlined");
    Some(())
}

#[test]
fn inlined_functions_and_lines_are_those_of_addr2line() {
    let scratch = Scratch::new("lines");
    if let Some(program) = compile(&scratch, "cc", C_PROGRAM, &["-O1"]) {
        compare_with_addr2line(&program, &program, &["middle", "outer", "main"]);
        let start = start_of(&program, "middle").unwrap_or(0);
        let bias = text_bias(&program).unwrap_or(0);
        let (answers, _) = symbolize(
            &with_lines(),
            &ModuleRef::elf(&program, None),
            &(start..start + 40).map(|a| a - bias).collect::<Vec<_>>(),
        );
        // Some C libraries inline getchar as well.
        let deep = answers
            .iter()
            .find_map(|a| a.as_ref().ok().filter(|frames| frames.len() > 1));
        let (outermost, inlined) = deep.expect("inner is inlined").split_last().unwrap();
        assert_eq!(inlined.last().unwrap().function, "inner");
        assert_eq!(outermost.function, "middle");
        assert!(!outermost.inlined && inlined.iter().all(|frame| frame.inlined));
    }
    if let Some(program) = compile(&scratch, "cc", C_PROGRAM, &["-O1", "-gz=zlib", "-gdwarf-4"]) {
        compare_with_addr2line(&program, &program, &["middle"]);
    }
}

#[test]
fn inlined_functions_of_rust_have_their_crate_where_there_are_lines_only() {
    const PROGRAM: &str = r#"
#[inline(never)]
fn total(values: &[usize]) -> usize {
    values.iter().filter(|&&value| odd(value)).fold(1, |sum, value| sum * 3 + value)
}
#[inline]
fn odd(value: usize) -> bool { value % 7 == 1 }
fn main() {
    let values: Vec<usize> = std::env::args().map(|word| word.len()).collect();
    std::process::exit(total(&values) as i32);
}
"#;
    let scratch = Scratch::new("crates");
    let flags = ["-Copt-level=3", "-Cdebuginfo=line-tables-only"];
    let Some(program) = compile(&scratch, "rustc", PROGRAM, &flags) else {
        return;
    };
    let all = functions(&program).expect("nm");
    let (start, size, _) = all.iter().find(|f| f.2.contains("total")).expect("total");
    let bias = text_bias(&program).expect("code");
    let offsets: Vec<u64> = (*start..start + size).map(|a| a - bias).collect();
    let (answers, _) = symbolize(&with_lines(), &ModuleRef::elf(&program, None), &offsets);
    let frames = answers.iter().flatten().flatten();
    let names: Vec<&str> = frames
        .filter(|frame| frame.inlined)
        .map(|frame| frame.function.as_str())
        .collect();
    let is_of_core = |name: &&str| name.starts_with("core::");
    assert!(names.iter().any(is_of_core), "{names:?}");
    // What the program itself defines has no path there.
    assert!(names.contains(&"odd"), "{names:?}");
    let bare = |name: &str| names.iter().any(|one| one.starts_with(name));
    assert!(!bare("fold") && !bare("next"), "{names:?}");
}

/// Splits the debug information off `program`, in the way of distributions.
fn split(scratch: &Scratch, program: &Path) -> Option<(PathBuf, PathBuf)> {
    let (stripped, debug) = (scratch.path("stripped"), scratch.path("stripped.debug"));
    let (program, stripped, debug) = (text(program), text(&stripped), text(&debug));
    tool("objcopy", &["--only-keep-debug", program, debug])?;
    let link = format!("--add-gnu-debuglink={debug}");
    tool("objcopy", &["--strip-all", &link, program, stripped])?;
    Some((stripped.into(), debug.into()))
}

#[test]
fn little_debug_information_is_read_from_the_program_itself_alone() {
    let scratch = Scratch::new("small");
    let Some(program) = compile(&scratch, "cc", C_PROGRAM, &["-O1", "-Wl,--build-id=none"]) else {
        return;
    };
    let Some((stripped, _)) = split(&scratch, &program) else {
        return;
    };
    let start = start_of(&program, "middle").expect("a function");
    let bias = text_bias(&program).expect("code");
    let offsets: Vec<u64> = (start..start + 40).map(|address| address - bias).collect();
    let has_inlined = |inlined, path: &Path| {
        let symbolizer = Symbolizer::new(Options {
            debug_dirs: Vec::new(),
            origin: Origin::ThisMachine,
            inlined,
            ..Options::default()
        });
        let (answers, _) = symbolize(&symbolizer, &ModuleRef::elf(path, None), &offsets);
        let mut frames = answers.iter().flatten().flatten();
        frames.any(|frame| frame.inlined)
    };
    assert!(!has_inlined(Inlined::Never, &program));
    assert!(has_inlined(Inlined::WhereSmall, &program));
    assert!(!has_inlined(Inlined::WhereSmall, &stripped));
    assert!(has_inlined(Inlined::Always, &stripped));
}

#[test]
fn a_debug_link_is_followed_if_its_checksum_fits() {
    let scratch = Scratch::new("debuglink");
    let Some((stripped, debug)) =
        compile(&scratch, "cc", C_PROGRAM, &["-O1", "-Wl,--build-id=none"])
            .and_then(|program| split(&scratch, &program))
    else {
        return;
    };
    let Some(start) = start_of(&debug, "middle") else {
        return;
    };
    let module = ModuleRef::elf(&stripped, None);
    let offset = start - text_bias(&stripped).unwrap();
    let (answers, report) = symbolize(&local(), &module, &[offset]);
    assert_eq!(brief(&answers[0]), "middle+0x0");
    assert_eq!(report.source, Some(SymbolSource::DebugFile));
    assert_eq!(report.file.as_ref(), Some(&debug));
    compare_with_addr2line(&stripped, &debug, &["middle"]);

    let mut bytes = std::fs::read(&debug).unwrap();
    bytes.push(0);
    std::fs::write(&debug, bytes).unwrap();
    let (answers, _) = symbolize(&local(), &module, &[offset]);
    assert_eq!(answers, [Err(Reason::NoSymbols)]);
}

#[test]
fn a_debug_file_is_found_by_build_id() {
    let scratch = Scratch::new("build-id");
    let Some((stripped, debug)) =
        compile(&scratch, "cc", C_PROGRAM, &["-O1", "-Wl,--build-id=sha1"])
            .and_then(|program| split(&scratch, &program))
    else {
        return;
    };
    let Some(start) = start_of(&debug, "middle") else {
        return;
    };
    let offset = start - text_bias(&stripped).unwrap();
    let module = ModuleRef::elf(&stripped, None);
    let hidden = scratch.path("elsewhere");
    std::fs::rename(&debug, &hidden).unwrap();
    let symbolizer = |debug_dir: PathBuf| {
        Symbolizer::new(Options {
            debug_dirs: vec![debug_dir],
            origin: Origin::ThisMachine,
            ..Options::default()
        })
    };
    let root = scratch.path("debug-root");
    let (answers, report) = symbolize(&symbolizer(root.clone()), &module, &[offset]);
    assert_eq!(answers, [Err(Reason::NoSymbols)]);
    let missing = report.missing_debug_file.expect("the file has a build id");
    assert!(missing.starts_with(&root), "{missing:?}");

    std::fs::create_dir_all(missing.parent().unwrap()).unwrap();
    std::fs::rename(&hidden, &missing).unwrap();
    let (answers, report) = symbolize(&symbolizer(root), &module, &[offset]);
    assert_eq!(brief(&answers[0]), "middle+0x0");
    assert_eq!(report.file, Some(missing));
}

#[test]
fn a_packed_symbol_table_is_read() {
    let scratch = Scratch::new("mini");
    let Some(program) = compile(&scratch, "cc", C_PROGRAM, &["-O1"]) else {
        return;
    };
    let mini = scratch.path("mini");
    let stripped = scratch.path("stripped");
    let packed = scratch.path("mini.xz");
    let add = format!("--add-section=.gnu_debugdata={}", text(&packed));
    let made = tool(
        "objcopy",
        &["--only-keep-debug", text(&program), text(&mini)],
    )
    .and_then(|_| tool("strip", &["-g", text(&mini)]))
    .and_then(|_| tool("xz", &["-k", text(&mini)]))
    .and_then(|_| tool("objcopy", &["-S", &add, text(&program), text(&stripped)]));
    let (Some(_), Some(start)) = (made, start_of(&program, "middle")) else {
        return;
    };
    let offset = start - text_bias(&stripped).unwrap();
    let (answers, report) = symbolize(&local(), &ModuleRef::elf(&stripped, None), &[offset]);
    assert_eq!(brief(&answers[0]), "middle+0x0");
    assert_eq!(report.source, Some(SymbolSource::MiniDebugInfo));
}

#[test]
fn the_vdso_of_this_process_has_names() {
    let symbolizer = Symbolizer::new(Options {
        origin: Origin::ThisBoot,
        ..Options::default()
    });
    if !has(Feature::Vdso) {
        return;
    }
    let module = ModuleRef::of_kind(ModuleKind::Vdso);
    let offsets: Vec<u64> = (0..0x2000).step_by(8).collect();
    let (answers, _) = symbolize(&symbolizer, &module, &offsets);
    let named: Vec<String> = answers.iter().filter(|a| a.is_ok()).map(brief).collect();
    assert!(
        named.iter().any(|name| name.contains("gettime")),
        "{named:?}"
    );
    let other = ModuleRef {
        build_id: Some(&[1; 20]),
        ..module
    };
    let (answers, _) = symbolize(&symbolizer, &other, &[0]);
    assert_eq!(answers, [Err(Reason::VdsoUnavailable)]);
}
