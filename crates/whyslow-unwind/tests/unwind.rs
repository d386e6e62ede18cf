//! Walks stacks of a C program of known nesting that is built without frame pointers.
//!
//! The program prints its own registers, mappings and stack bytes; nothing here needs rights or
//! perf. Needs `cc`; says skipped without it.

#![expect(clippy::unwrap_used, reason = "a test may stop")]

use std::path::{Path, PathBuf};
use std::process::Command;

use whyslow_testenv::{Feature, has};
use whyslow_unwind::{
    FileId, Limits, NewMapping, StackEnd, StackParts, Truncated, Unwinder, UserRegs, Walk,
};

/// What the program printed.
struct Snapshot {
    functions: Vec<(u64, String)>,
    maps: Vec<(u64, u64, u64, PathBuf)>,
    regs: UserRegs,
    stack: Vec<u8>,
}

const PID: u32 = 4_000_000_000;

fn build(name: &str, flags: &[&str]) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/nested.c");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if !has(Feature::Cc) {
        return None;
    }
    let built = Command::new("cc")
        .args([
            "-O2",
            "-g0",
            "-fomit-frame-pointer",
            "-fno-optimize-sibling-calls",
        ])
        .args(flags)
        .arg("-o")
        .arg(&target)
        .arg(&source)
        .arg("-lpthread")
        .status();
    let built = built.unwrap();
    assert!(built.success(), "cc failed on {}", source.display());
    Some(target)
}

fn hex(text: &str) -> u64 {
    u64::from_str_radix(text, 16).unwrap()
}

fn snapshot(program: &Path, arguments: &[&str]) -> Snapshot {
    let output = Command::new(program).args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut found = Snapshot {
        functions: Vec::new(),
        maps: Vec::new(),
        regs: UserRegs::from_ip_sp_bp(0, 0, 0),
        stack: Vec::new(),
    };
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["function", name, at] => found.functions.push((hex(at), name.to_owned())),
            ["map", range, _, offset, _, _, path] => {
                let (start, end) = range.split_once('-').unwrap();
                found
                    .maps
                    .push((hex(start), hex(end), hex(offset), PathBuf::from(path)));
            }
            ["regs", ip, sp, bp, bx, r12, r13, r14, r15] => {
                // Perf's order: bx, bp, sp, ip, r12…r15.
                let mask = 1 << 1 | 1 << 6 | 1 << 7 | 1 << 8 | 0xf << 20;
                let values = [bx, bp, sp, ip, r12, r13, r14, r15].map(hex);
                found.regs = UserRegs::from_perf_x86_64(mask, &values).unwrap();
            }
            ["stack", bytes] => {
                let byte = |at| u8::from_str_radix(&bytes[at..at + 2], 16).unwrap();
                found.stack = (0..bytes.len()).step_by(2).map(byte).collect();
            }
            _ => {}
        }
    }
    found.functions.sort();
    found
}

impl Snapshot {
    fn unwinder(&self) -> Unwinder {
        let mut unwinder = Unwinder::new(Limits::default());
        for (start, end, file_offset, path) in &self.maps {
            let (start, end, file_offset) = (*start, *end, *file_offset);
            let file = FileId::Unknown;
            unwinder.mapping(
                PID,
                &NewMapping {
                    start,
                    end,
                    file_offset,
                    path,
                    file,
                },
            );
        }
        unwinder
    }

    /// The program's own functions among the frames, leaf first.
    fn walk(&self, stack: &[u8]) -> (Vec<&str>, Walk) {
        let mut frames = Vec::new();
        let walk = self.unwinder().unwind(PID, &self.regs, stack, &mut frames);
        let program = &self.maps[0];
        let names = frames
            .iter()
            .enumerate()
            .map(|(number, frame)| frame - u64::from(number > 0))
            .filter(|frame| (program.0..program.1).contains(frame))
            .filter_map(|frame| {
                let after = self
                    .functions
                    .partition_point(|function| function.0 <= frame);
                Some(self.functions[after.checked_sub(1)?].1.as_str())
            })
            .collect();
        (names, walk)
    }
}

#[test]
fn finds_every_frame_of_the_main_thread() {
    let Some(program) = build("nested-main", &[]) else {
        return;
    };
    let snapshot = snapshot(&program, &["main", "3"]);
    let (names, walk) = snapshot.walk(&snapshot.stack);
    let expected = [
        "snapshot", "inner", "middle", "outer", "outer", "outer", "outer", "begin",
    ];
    assert_eq!(names[..8], expected);
    assert_eq!(names[8], "main");
    assert_eq!(
        walk,
        Walk {
            end: StackEnd::Root,
            frame_pointer_frames: 0
        }
    );
}

#[test]
fn a_thread_ends_in_its_start_function() {
    let Some(program) = build("nested-thread", &[]) else {
        return;
    };
    let snapshot = snapshot(&program, &["thread"]);
    let (names, walk) = snapshot.walk(&snapshot.stack);
    assert_eq!(
        names,
        ["snapshot", "inner", "middle", "outer", "begin", "thread"]
    );
    assert_eq!(
        walk,
        Walk {
            end: StackEnd::Root,
            frame_pointer_frames: 0
        }
    );
}

#[test]
fn walks_through_a_signal_frame() {
    let Some(program) = build("nested-signal", &[]) else {
        return;
    };
    let snapshot = snapshot(&program, &["signal"]);
    let (names, walk) = snapshot.walk(&snapshot.stack);
    assert_eq!(
        names[..6],
        ["snapshot", "inner", "middle", "outer", "handler", "begin"]
    );
    assert_eq!(
        walk,
        Walk {
            end: StackEnd::Root,
            frame_pointer_frames: 0
        }
    );
}

#[test]
fn realigned_stacks_and_static_programs_work() {
    for (name, flags) in [
        (
            "nested-realign",
            &["-mstackrealign", "-mpreferred-stack-boundary=5"][..],
        ),
        ("nested-static", &["-static"][..]),
        ("nested-no-index", &["-Wl,--no-eh-frame-hdr"][..]),
    ] {
        let Some(program) = build(name, flags) else {
            return;
        };
        let snapshot = snapshot(&program, &["main", "1"]);
        let (names, walk) = snapshot.walk(&snapshot.stack);
        let expected = ["snapshot", "inner", "middle", "outer", "outer", "begin"];
        assert_eq!(names[..6], expected, "{name}");
        assert_eq!(
            walk,
            Walk {
                end: StackEnd::Root,
                frame_pointer_frames: 0
            },
            "{name}"
        );
    }
}

#[test]
fn code_without_tables_says_itself_how_it_returns() {
    let flags = ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables"];
    let Some(program) = build("nested-tableless", &flags) else {
        return;
    };
    let snapshot = snapshot(&program, &["main", "3"]);
    let (names, walk) = snapshot.walk(&snapshot.stack);
    let expected = [
        "snapshot", "inner", "middle", "outer", "outer", "outer", "outer", "begin", "main",
    ];
    assert_eq!(names[..9], expected);
    assert_eq!((walk.end, walk.frame_pointer_frames), (StackEnd::Root, 0));
    // What is remembered of the code leads to the same.
    let mut unwinder = snapshot.unwinder();
    let walks = [(); 2].map(|()| {
        let mut frames = Vec::new();
        let stack = snapshot.stack.as_slice();
        let walk = unwinder.unwind(PID, &snapshot.regs, stack, &mut frames);
        (frames, walk.end)
    });
    assert_eq!(walks[0], walks[1]);
}

#[test]
fn code_without_tables_that_never_returns_was_called_where_the_program_begins() {
    let flags = [
        "-fno-asynchronous-unwind-tables",
        "-fno-unwind-tables",
        "-nostartfiles",
        "-DOWN_START",
    ];
    let Some(program) = build("nested-own-start", &flags) else {
        return;
    };
    let snapshot = snapshot(&program, &["main", "0"]);
    let (names, walk) = snapshot.walk(&snapshot.stack);
    let expected = ["snapshot", "inner", "middle", "outer", "begin", "main"];
    assert_eq!(names[..6], expected);
    assert_eq!(walk.end, StackEnd::Root);
}

#[test]
fn a_short_dump_is_no_root() {
    let Some(program) = build("nested-short", &[]) else {
        return;
    };
    let snapshot = snapshot(&program, &["main", "100"]);
    let (whole, _) = snapshot.walk(&snapshot.stack);
    let (names, walk) = snapshot.walk(&snapshot.stack[..2048]);
    assert_eq!(walk.end, StackEnd::Truncated(Truncated::DumpTooSmall));
    assert!(names.len() > 4 && names.len() < whole.len());
    assert_eq!(names[..], whole[..names.len()]);
}

#[test]
fn generated_code_is_walked_by_its_frame_pointers() {
    let flags = ["-fno-omit-frame-pointer", "-fcf-protection=none"];
    let Some(program) = build("nested-frame-pointers", &flags) else {
        return;
    };
    let mut snapshot = snapshot(&program, &["main", "2"]);
    snapshot.maps[0].3 = PathBuf::from("//anon");
    let (names, walk) = snapshot.walk(&snapshot.stack);
    let expected = [
        "snapshot", "inner", "middle", "outer", "outer", "outer", "begin", "main",
    ];
    assert_eq!(names[..8], expected);
    // What called `main` has call frame information; `_start`, which called that, is generated
    // code here and says nothing.
    let end = StackEnd::Truncated(Truncated::NoUnwindInfo);
    assert_eq!((walk.end, walk.frame_pointer_frames), (end, 8));
}

#[test]
fn a_deep_stack_is_spanned_by_two_parts() {
    let Some(program) = build("nested-parts", &[]) else {
        return;
    };
    let snapshot = snapshot(&program, &["main", "3"]);
    let stack = &snapshot.stack;
    // All but the middle of `inner`, which has 300 bytes of room.
    let (inner, outer) = (&stack[..stack.len() / 2], &stack[stack.len() / 2..]);
    let outer_start = snapshot.regs.sp() + inner.len() as u64;
    let mut whole = Vec::new();
    snapshot
        .unwinder()
        .unwind(PID, &snapshot.regs, stack, &mut whole);
    let mut frames = Vec::new();
    let parts = StackParts {
        inner,
        outer_start,
        outer,
    };
    let walk = snapshot
        .unwinder()
        .unwind_parts(PID, &snapshot.regs, &parts, &mut frames);
    assert_eq!((walk.end, frames), (StackEnd::Root, whole));
}

#[test]
fn damaged_files_neither_panic_nor_hang() {
    let Some(program) = build("nested-damaged", &[]) else {
        return;
    };
    let snapshot = snapshot(&program, &["main", "3"]);
    let original = std::fs::read(&program).unwrap();
    let damaged = program.with_extension("broken");
    let mut random = 1_u64;
    let mut next = |below: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    let mut frames = Vec::new();
    for round in 0..600 {
        let mut bytes = original.clone();
        if round % 4 == 0 {
            bytes.truncate(next(original.len()));
        }
        for _ in 0..(round % 40) {
            // Every other one into the headers, which matter most.
            let area = if round % 2 == 0 {
                bytes.len().min(1024)
            } else {
                bytes.len()
            };
            if area > 0 {
                let at = next(area);
                bytes[at] ^= 1 << next(8);
            }
        }
        std::fs::write(&damaged, &bytes).unwrap();
        let mut unwinder = Unwinder::new(Limits::default());
        for (start, end, file_offset, path) in &snapshot.maps {
            let path = if *path == program { &damaged } else { path };
            let (start, end, file_offset, file) = (*start, *end, *file_offset, FileId::Unknown);
            unwinder.mapping(
                PID,
                &NewMapping {
                    start,
                    end,
                    file_offset,
                    path,
                    file,
                },
            );
        }
        unwinder.unwind(PID, &snapshot.regs, &snapshot.stack, &mut frames);
        assert!(!frames.is_empty());
    }
    std::fs::remove_file(&damaged).unwrap();
}

#[test]
fn a_replaced_file_is_refused() {
    let Some(program) = build("nested-replaced", &["-Wl,--build-id=0x0123456789"]) else {
        return;
    };
    let snapshot = snapshot(&program, &["main", "1"]);
    let end_with = |file: FileId| {
        let mut unwinder = snapshot.unwinder();
        let (start, end, file_offset, path) = &snapshot.maps[0];
        let (start, end, file_offset) = (*start, *end, *file_offset);
        unwinder.mapping(
            PID,
            &NewMapping {
                start,
                end,
                file_offset,
                path,
                file,
            },
        );
        unwinder
            .unwind(PID, &snapshot.regs, &snapshot.stack, &mut Vec::new())
            .end
    };
    let right = FileId::build_id(&[0x01, 0x23, 0x45, 0x67, 0x89]);
    let wrong = FileId::build_id(&[0x01, 0x23, 0x45, 0x67, 0x88]);
    assert_eq!(end_with(right), StackEnd::Root);
    assert_eq!(
        end_with(wrong),
        StackEnd::Truncated(Truncated::NoUnwindInfo)
    );
    let other = FileId::Inode {
        major: 8,
        minor: 1,
        inode: 1,
        generation: 0,
    };
    assert_eq!(
        end_with(other),
        StackEnd::Truncated(Truncated::NoUnwindInfo)
    );
}

#[test]
fn memory_is_bounded() {
    let Some(program) = build("nested-bounded", &[]) else {
        return;
    };
    let snapshot = snapshot(&program, &["main", "1"]);
    let mut unwinder = snapshot.unwinder();
    unwinder.unwind(PID, &snapshot.regs, &snapshot.stack, &mut Vec::new());
    let max_image_bytes = unwinder.counters().images.held_bytes * 2;

    let mut unwinder = Unwinder::new(Limits {
        max_image_bytes,
        max_processes: 3,
        ..Limits::default()
    });
    for copy in 0..6 {
        let pid = PID + copy;
        for (number, (start, end, file_offset, path)) in snapshot.maps.iter().enumerate() {
            let copied = program.with_extension(format!("{number}.{copy}"));
            let path = if path.exists() {
                std::fs::copy(path, &copied).unwrap();
                &copied
            } else {
                path
            };
            let (start, end, file_offset, file) = (*start, *end, *file_offset, FileId::Unknown);
            unwinder.mapping(
                pid,
                &NewMapping {
                    start,
                    end,
                    file_offset,
                    path,
                    file,
                },
            );
        }
        let walk = unwinder.unwind(pid, &snapshot.regs, &snapshot.stack, &mut Vec::new());
        assert_eq!(walk.end, StackEnd::Root);
        unwinder.exit(pid);
    }
    let counters = unwinder.counters();
    assert!(
        counters.images.held_bytes <= max_image_bytes,
        "{counters:?}"
    );
    assert!(counters.images.evicted > 0, "{counters:?}");
    // The first three exited and were forgotten.
    let walk = unwinder.unwind(PID, &snapshot.regs, &snapshot.stack, &mut Vec::new());
    assert_eq!(walk.end, StackEnd::Truncated(Truncated::UnknownMapping));
}

#[test]
fn depth_and_unknown_code_are_told() {
    let Some(program) = build("nested-limits", &[]) else {
        return;
    };
    let snapshot = snapshot(&program, &["main", "100"]);
    let mut frames = Vec::new();

    let mut unwinder = snapshot.unwinder();
    unwinder.unmap(PID, snapshot.maps[1].0, snapshot.maps[1].1);
    let walk = unwinder.unwind(PID, &snapshot.regs, &snapshot.stack, &mut frames);
    assert_eq!(walk.end, StackEnd::Truncated(Truncated::UnknownMapping));

    let walk = unwinder.unwind(PID - 1, &snapshot.regs, &snapshot.stack, &mut frames);
    assert_eq!(walk.end, StackEnd::Truncated(Truncated::UnknownMapping));
    assert_eq!(frames, [snapshot.regs.ip()]);

    unwinder.fork(PID, PID + 1);
    unwinder.exec(PID);
    let walk = unwinder.unwind(PID + 1, &snapshot.regs, &snapshot.stack, &mut frames);
    assert!(
        frames.len() > 100,
        "the child keeps the parent's mappings: {walk:?}"
    );

    let mut shallow = Unwinder::new(Limits {
        max_depth: 7,
        ..Limits::default()
    });
    for (start, end, file_offset, path) in &snapshot.maps {
        let (start, end, file_offset, file) = (*start, *end, *file_offset, FileId::Unknown);
        shallow.mapping(
            PID,
            &NewMapping {
                start,
                end,
                file_offset,
                path,
                file,
            },
        );
    }
    let walk = shallow.unwind(PID, &snapshot.regs, &snapshot.stack, &mut frames);
    assert_eq!(walk.end, StackEnd::Truncated(Truncated::DepthLimit));
    assert_eq!(frames.len(), 7);
}
