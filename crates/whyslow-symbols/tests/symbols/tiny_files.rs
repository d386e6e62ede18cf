//! ELF files written by hand: the cases that compilers rarely make.

use std::path::{Path, PathBuf};

use crate::support::{self, Scratch, brief, symbolize};
use crate::tiny_elf::*;
use whyslow_symbols::{
    KeptFile, ModuleKind, ModuleRef, Options, Origin, Reason, SymbolSource, Symbolizer,
};

const ID: [u8; 20] = [0xab; 20];

fn here() -> Symbolizer {
    Symbolizer::new(Options {
        debug_dirs: Vec::new(),
        origin: Origin::ThisMachine,
        ..Options::default()
    })
}

fn with_from(folder: &Path) -> Symbolizer {
    Symbolizer::new(Options {
        debug_dirs: Vec::new(),
        from: vec![folder.to_owned()],
        ..Options::default()
    })
}

/// Writes the file, symbolizes file offsets and compares.
fn check(name: &str, elf: &TinyElf, offsets: &[u64], expected: &[&str]) {
    let scratch = Scratch::new(name);
    let path = scratch.write("file", elf.bytes());
    let module = ModuleRef::elf(&path, Some(&elf.build_id));
    let (answers, _) = symbolize(&here(), &module, offsets);
    let found: Vec<String> = answers.iter().map(brief).collect();
    assert_eq!(found, expected, "{name}");
}

fn some_symbols() -> Vec<Symbol> {
    let base = 0x40_1000;
    vec![
        function("first", base, 0x10),
        Symbol {
            info: LOCAL_FUNC,
            ..function("sizeless", base + 0x20, 0)
        },
        function("third", base + 0x80, 0x10),
        Symbol {
            info: LOCAL_NOTYPE,
            ..function("label", base + 0x100, 0)
        },
        Symbol {
            info: GLOBAL_OBJECT,
            section: DATA,
            ..function("variable", base + 0x10000, 8)
        },
        Symbol {
            section: 0,
            ..function("undefined", base + 0x81, 8)
        },
        Symbol {
            info: WEAK_FUNC,
            ..function("weak_first", base, 0x10)
        },
        function("_underscored_first", base, 0x10),
    ]
}

#[test]
fn both_classes_and_byte_orders() {
    for (is_64, is_little) in [(true, true), (true, false), (false, true), (false, false)] {
        let elf = TinyElf {
            is_64,
            is_little,
            ..TinyElf::new(some_symbols())
        };
        check(
            &format!("class-{is_64}-{is_little}"),
            &elf,
            &[
                0x100f, 0x1010, 0x1020, 0x107f, 0x108f, 0x1090, 0x1100, 0x13ff,
            ],
            &[
                "first+0xf",
                "outside-symbols",
                "sizeless+0x0",
                "sizeless+0x5f",
                "third+0xf",
                "outside-symbols",
                "label+0x0",
                "label+0x2ff",
            ],
        );
    }
}

#[test]
fn offsets_outside_the_segments_say_so() {
    let elf = TinyElf::new(some_symbols());
    // The rest of the last page is mapped too, but holds nothing.
    check(
        "outside",
        &elf,
        &[0, 0xfff, 0x1400, 0x2000, u64::MAX],
        &[
            "outside-segments",
            "outside-segments",
            "outside-symbols",
            "outside-segments",
            "outside-segments",
        ],
    );
}

#[test]
fn unsorted_and_repeated_addresses_are_answered_each() {
    let elf = TinyElf::new(some_symbols());
    check(
        "unsorted",
        &elf,
        &[0x1080, 0x1000, 0x1080, 0x1000],
        &["third+0x0", "first+0x0", "third+0x0", "first+0x0"],
    );
    check("none", &elf, &[], &[]);
}

#[test]
fn labels_count_only_where_they_are_code() {
    let base = 0x40_1000_u64;
    let label = |name, at, other, info| Symbol {
        info,
        other,
        ..function(name, base + at, 0)
    };
    let symbols = vec![
        label("visible", 0x10, 0, GLOBAL_NOTYPE),
        label("hidden", 0x20, 2, GLOBAL_NOTYPE),
        label("$x", 0x30, 0, LOCAL_NOTYPE),
    ];
    let elf = TinyElf::new(symbols.clone());
    check(
        "label",
        &elf,
        &[0x1020, 0x1030],
        &["visible+0x10", "$x+0x0"],
    );
    let arm = TinyElf {
        machine: 183,
        ..TinyElf::new(symbols)
    };
    check("arm", &arm, &[0x1030], &["visible+0x20"]);
}

#[test]
fn stripped_files_name_the_debug_file_they_miss() {
    let scratch = Scratch::new("stripped");
    let elf = TinyElf {
        table_kind: 0,
        ..TinyElf::new(Vec::new())
    };
    let path = scratch.write("file", elf.bytes());
    let debug_dirs = vec!["/nowhere/debug".into()];
    let symbolizer = Symbolizer::new(Options {
        debug_dirs,
        ..Options::default()
    });
    let (answers, report) = symbolize(&symbolizer, &ModuleRef::elf(&path, Some(&ID)), &[0x1000]);
    assert_eq!(answers, [Err(Reason::NoSymbols)]);
    let missing = format!("/nowhere/debug/.build-id/ab/{}.debug", "ab".repeat(19));
    assert_eq!(report.missing_debug_file, Some(missing.into()));
    assert!(report.verified);
}

#[test]
fn exported_symbols_alone_are_used_and_named_as_such() {
    let scratch = Scratch::new("dynsym");
    let elf = TinyElf {
        table_kind: 11,
        ..TinyElf::new(some_symbols())
    };
    let path = scratch.write("file", elf.bytes());
    let (answers, report) = symbolize(&here(), &ModuleRef::elf(&path, Some(&ID)), &[0x1000]);
    assert_eq!(brief(&answers[0]), "first+0x0");
    assert_eq!(report.source, Some(SymbolSource::Dynsym));
    assert_eq!(report.bias, Some(0x40_0000));
}

#[test]
fn a_file_that_is_another_one_is_not_used() {
    let scratch = Scratch::new("replaced");
    let path = scratch.write("file", TinyElf::new(some_symbols()).bytes());
    let reason_of = |symbolizer: &Symbolizer, module: &ModuleRef<'_>| {
        symbolize(symbolizer, module, &[0x1000]).0[0].clone().err()
    };
    let other = ModuleRef::elf(&path, Some(&[1; 20]));
    assert_eq!(reason_of(&here(), &other), Some(Reason::FileReplaced));
    let unknown = ModuleRef::elf(&path, None);
    assert_eq!(reason_of(&here(), &unknown), None);
    let elsewhere = Symbolizer::new(Options::default());
    assert_eq!(
        reason_of(&elsewhere, &unknown),
        Some(Reason::FileUnverified)
    );
    let gone = ModuleRef::elf(Path::new("/nowhere/at/all"), Some(&ID));
    assert_eq!(reason_of(&here(), &gone), Some(Reason::FileMissing));
    let deleted = format!("{} (deleted)", path.display());
    let deleted = Path::new(&deleted);
    let replaced = ModuleRef::elf(deleted, None);
    assert_eq!(reason_of(&here(), &replaced), Some(Reason::FileReplaced));
    let same = ModuleRef::elf(deleted, Some(&ID));
    assert_eq!(reason_of(&here(), &same), None);
    // The kernel pads short build ids with zeros.
    let padded = [&ID[..], &[0; 4]].concat();
    assert_eq!(
        reason_of(&here(), &ModuleRef::elf(&path, Some(&padded))),
        None
    );
}

#[test]
fn what_is_no_elf_file_says_so() {
    let scratch = Scratch::new("no-elf");
    let reason_of = |path: &Path| {
        symbolize(&here(), &ModuleRef::elf(path, None), &[0]).0[0]
            .clone()
            .err()
    };
    assert_eq!(reason_of(&scratch.write("empty", "")), Some(Reason::BadElf));
    assert_eq!(
        reason_of(&scratch.write("text", "#!/bin/sh\n")),
        Some(Reason::BadElf)
    );
    assert_eq!(reason_of(&scratch.0), Some(Reason::FileUnreadable));
    let truncated = &TinyElf::new(some_symbols()).bytes()[..0x1200];
    let truncated = scratch.write("truncated", truncated);
    assert_eq!(reason_of(&truncated), Some(Reason::OutsideSegments));
    let (answers, _) = symbolize(&here(), &ModuleRef::elf(&truncated, None), &[0x1000]);
    assert_eq!(answers, [Err(Reason::NoSymbols)]);
}

#[cfg(unix)]
#[test]
fn pipes_are_not_opened() {
    let scratch = Scratch::new("fifo");
    let path = scratch.path("fifo");
    if support::tool("mkfifo", &[support::text(&path)]).is_some() {
        let (answers, _) = symbolize(&here(), &ModuleRef::elf(&path, None), &[0]);
        assert_eq!(answers, [Err(Reason::FileUnreadable)]);
    }
}

#[test]
fn files_are_found_in_given_folders_by_build_id_or_path() {
    let elf = TinyElf::new(some_symbols());
    let rest = "ab".repeat(19);
    let places = [
        "renamed".to_owned(),
        "deep/er/renamed.so".to_owned(),
        "usr/bin/program".to_owned(),
        "program".to_owned(),
        format!(".build-id/ab/{rest}"),
        format!("ab/{rest}.debug"),
        format!("ab{rest}/executable"),
        format!(".build-id/ab/{rest}/elf"),
    ];
    for (number, place) in places.iter().enumerate() {
        let scratch = Scratch::new(&format!("from-{number}"));
        scratch.write(place, elf.bytes());
        let module = ModuleRef::elf(Path::new("/usr/bin/program"), Some(&ID));
        let (answers, report) = symbolize(&with_from(&scratch.0), &module, &[0x1001]);
        assert_eq!(brief(&answers[0]), "first+0x1", "{place}");
        assert!(report.verified);
    }
}

#[test]
fn a_debug_file_beside_a_stripped_file_is_used() {
    let scratch = Scratch::new("split");
    let stripped = TinyElf {
        table_kind: 0,
        ..TinyElf::new(Vec::new())
    };
    let debug = TinyElf {
        is_debug_only: true,
        ..TinyElf::new(some_symbols())
    };
    scratch.write("a/program", stripped.bytes());
    scratch.write("b/program.debug", debug.bytes());
    let module = ModuleRef::elf(Path::new("/bin/program"), Some(&ID));
    let (answers, report) = symbolize(&with_from(&scratch.0), &module, &[0x1001]);
    assert_eq!(brief(&answers[0]), "first+0x1");
    assert_eq!(report.source, Some(SymbolSource::DebugFile));
    assert_eq!(report.file, Some(scratch.path("b/program.debug")));
}

#[test]
fn a_debug_file_alone_needs_to_be_told_where_the_code_was() {
    let scratch = Scratch::new("debug-only");
    let debug = TinyElf {
        is_debug_only: true,
        ..TinyElf::new(some_symbols())
    };
    scratch.write("program.debug", debug.bytes());
    let mut module = ModuleRef::elf(Path::new("/bin/program"), Some(&ID));
    let symbolizer = with_from(&scratch.0);
    let (answers, _) = symbolize(&symbolizer, &module, &[0x1001]);
    assert_eq!(answers, [Err(Reason::DebugFileOnly)]);
    module.bias = Some(0x40_0000);
    let (answers, report) = symbolize(&symbolizer, &module, &[0x1001]);
    assert_eq!(brief(&answers[0]), "first+0x1");
    assert_eq!(report.file, Some(scratch.path("program.debug")));
}

#[test]
fn a_vmlinux_file_stands_in_for_kernel_symbols() {
    let scratch = Scratch::new("vmlinux");
    scratch.write("vmlinux", TinyElf::new(some_symbols()).bytes());
    let text_address = 0xffff_ffff_9a00_0000;
    let module = |text_address| ModuleRef {
        build_id: Some(&ID),
        ..ModuleRef::of_kind(ModuleKind::Kernel { text_address })
    };
    let symbolizer = with_from(&scratch.0);
    let addresses = [0x1000, text_address + 0x81];
    let (answers, _) = symbolize(&symbolizer, &module(Some(text_address)), &addresses);
    let found: Vec<String> = answers.iter().map(brief).collect();
    assert_eq!(found, ["outside-symbols", "third+0x1"]);
    let (answers, _) = symbolize(&symbolizer, &module(None), &addresses);
    assert_eq!(answers[1], Err(Reason::KernelMissing));
}

#[test]
fn memory_without_a_file_says_what_it_is() {
    let reason_of = |kind| {
        let (answers, _) = symbolize(&here(), &ModuleRef::of_kind(kind), &[1]);
        answers[0].clone().unwrap_err()
    };
    assert_eq!(reason_of(ModuleKind::Anonymous), Reason::AnonymousMemory);
    assert_eq!(reason_of(ModuleKind::Unknown), Reason::NoMapping);
    assert_eq!(reason_of(ModuleKind::KernelModule), Reason::KernelMissing);
    let jit = ModuleKind::Jit {
        os_pid: u32::MAX,
        started: None,
        user: None,
    };
    assert_eq!(reason_of(jit), Reason::PerfMapMissing);
    // Without a build id, the vdso may be that of another kernel.
    assert_eq!(reason_of(ModuleKind::Vdso), Reason::VdsoUnavailable);
}

#[test]
fn a_perf_map_in_a_given_folder_names_generated_code() {
    let scratch = Scratch::new("perf-map");
    scratch.write("perf-77.map", "1000 10 Function:one\n");
    let kind = ModuleKind::of_mapping("//anon", 77, None);
    let (answers, report) = symbolize(
        &with_from(&scratch.0),
        &ModuleRef::of_kind(kind),
        &[0x1008, 0x1010],
    );
    let found: Vec<String> = answers.iter().map(brief).collect();
    assert_eq!(found, ["Function:one+0x8", "outside-symbols"]);
    assert_eq!(report.source, Some(SymbolSource::PerfMap));
}

#[test]
fn a_jit_dump_that_its_process_mapped_names_generated_code() {
    let scratch = Scratch::new("jit-dump");
    let mut dump = Vec::new();
    for word in [0x4a69_5444_u32, 1, 40, 62, 0, 77, 0, 0, 0, 0] {
        dump.extend(word.to_le_bytes());
    }
    let name = b"Function:one\0";
    let length = u32::try_from(16 + 40 + name.len() + 16).unwrap();
    for word in [0, length, 0, 0, 77, 78] {
        dump.extend(u32::to_le_bytes(word));
    }
    for word in [0x1000_u64, 0x1000, 16, 1] {
        dump.extend(word.to_le_bytes());
    }
    dump.extend(name.iter().chain(&[0x90; 16]));
    let path = scratch.write("jit-77.dump", dump);
    let of = |origin, pid| {
        let symbolizer = Symbolizer::new(Options {
            jit_dumps: vec![path.clone()],
            origin,
            ..Options::default()
        });
        let kind = ModuleKind::of_mapping("//anon", pid, None);
        symbolize(&symbolizer, &ModuleRef::of_kind(kind), &[0x1008])
    };
    let (answers, report) = of(Origin::ThisMachine, 77);
    assert_eq!(brief(&answers[0]), "Function:one+0x8");
    assert_eq!(report.source, Some(SymbolSource::JitDump));
    assert_eq!(report.file.as_deref(), Some(path.as_path()));
    // The dump of another process, and of another kind of machine.
    assert_eq!(
        of(Origin::ThisMachine, 78).0[0],
        Err(Reason::PerfMapMissing)
    );
    assert_eq!(of(Origin::Elsewhere, 77).0[0], Err(Reason::PerfMapMissing));
}

#[cfg(unix)]
#[test]
fn a_jit_dump_of_another_user_is_believed_in_a_given_folder_only() {
    let scratch = Scratch::new("jit-dump-owner");
    let path = scratch.write("jit-77.dump", "no dump");
    // Only root can do that; the file of anybody else has another owner than this anyway.
    let _ = std::os::unix::fs::chown(&path, Some(4711), None);
    let kind = ModuleKind::Jit {
        os_pid: 77,
        started: None,
        user: Some(4712),
    };
    let reason = |options| {
        let symbolizer = Symbolizer::new(options);
        let (answers, _) = symbolize(&symbolizer, &ModuleRef::of_kind(kind), &[0x1008]);
        answers[0].clone().unwrap_err()
    };
    let mapped = Options {
        jit_dumps: vec![path],
        origin: Origin::ThisMachine,
        ..Options::default()
    };
    assert_eq!(reason(mapped), Reason::PerfMapForeign);
    let given = Options {
        from: vec![scratch.0.clone()],
        ..Options::default()
    };
    // It is read, and holds no names.
    assert_eq!(reason(given), Reason::PerfMapMissing);
}

#[test]
fn every_reason_has_words_of_its_own() {
    let mut seen = std::collections::BTreeSet::new();
    for reason in Reason::ALL {
        assert!(seen.insert(reason.code()) && seen.insert(reason.sentence()));
        assert!(!reason.advice().is_empty());
        assert!(!reason.sentence().ends_with('.'));
    }
}

#[test]
fn what_was_kept_of_a_file_helps_if_nobody_has_the_whole_file() {
    let elf = |name| {
        let elf = TinyElf {
            build_id: ID.to_vec(),
            ..TinyElf::new(vec![function(name, 0x40_1000, 0x10)])
        };
        elf.bytes()
    };
    let path = PathBuf::from("/nowhere/program");
    let name = |bytes: Vec<u8>, from: &[PathBuf]| {
        let kept = KeptFile {
            path: path.clone(),
            build_id: Some(ID.to_vec()),
            length: bytes.len() as u64,
            parts: vec![(0, bytes)].into(),
        };
        let symbolizer = Symbolizer::new(Options {
            debug_dirs: Vec::new(),
            from: from.to_vec(),
            kept: vec![kept].into(),
            ..Options::default()
        });
        let (answers, _) = symbolize(&symbolizer, &ModuleRef::elf(&path, Some(&ID)), &[0x1000]);
        brief(&answers[0])
    };
    let scratch = Scratch::new("kept");
    let given = scratch.write("program", elf("whole"));
    let from = [given.parent().unwrap().to_owned()];
    assert_eq!(name(elf("kept"), &[]), "kept+0x0");
    assert_eq!(name(elf("kept"), &from), "whole+0x0");
    assert_eq!(name(b"nonsense".to_vec(), &from), "whole+0x0");
    assert_ne!(name(b"nonsense".to_vec(), &[]), "whole+0x0");
}
