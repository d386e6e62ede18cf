//! Stacks of a program whose call chain is known and which has no frame pointers.

use std::process::Command;

use whyslow_perfdata::whyslow_events::UserStackEnd;
use whyslow_record::Settings;
use whyslow_testenv::{Feature, has};

use crate::recording::{Recording, Stack};
use crate::{Scratch, recorder};

/// Sixty calls deep, then forty times busy for 20 ms of CPU and asleep for two.
const PROGRAM: &str = r#"
use std::hint::black_box;
extern "C" {
    /// CPU time of the process in microseconds.
    fn clock() -> i64;
}
#[inline(never)]
fn deep(depth: u64) -> u64 {
    let pad = black_box([depth; 20]);
    if depth > 0 {
        return deep(depth - 1) + pad[3];
    }
    let mut sum = 0;
    for _ in 0..40 {
        let end = unsafe { clock() } + 20_000;
        while unsafe { clock() } < end {
            for _ in 0..10_000 { sum = black_box(sum + 1); }
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    sum
}
fn main() {
    std::process::exit((deep(60) == 1) as i32);
}
"#;

#[test]
fn deep_stacks_without_frame_pointers_reach_the_root() {
    if !has(Feature::Rustc) {
        return;
    }
    let scratch = Scratch::new();
    let (source, program) = (scratch.path("deep.rs"), scratch.path("deep"));
    std::fs::write(&source, PROGRAM).unwrap();
    let compiled = Command::new("rustc")
        .args(["-O", "-Cforce-frame-pointers=no", "-o"])
        .args([&program, &source])
        .status();
    assert!(compiled.unwrap().success());

    for use_bpf in [true, false] {
        let output = scratch.path(if use_bpf { "bpf.data" } else { "plain.data" });
        let mut settings = Settings::new(&output);
        settings.use_bpf = use_bpf;
        let Some(recorder) = recorder(settings) else {
            return;
        };
        let report = recorder.run_command(&[&program]).unwrap();
        let has_programs = use_bpf && has(Feature::Bpf);
        let recording = Recording::read(&output);
        let mapping = recording
            .mappings
            .iter()
            .find(|mapping| mapping.path == program.to_string_lossy())
            .unwrap();
        let in_program =
            |ip: u64| (mapping.start..mapping.start + mapping.size_bytes).contains(&ip);
        let (pid, _, _) = recording
            .names
            .iter()
            .find(|(_, name, exec)| name == "deep" && *exec)
            .unwrap();
        let of = |event: &str| {
            let mine = recording.stacks.iter().filter(|stack| stack.tid == *pid);
            let mine = mine.filter(|stack| stack.event == event && stack.end.is_some());
            mine.filter(|stack| stack.user.iter().filter(|&&ip| in_program(ip)).count() >= 60)
                .inspect(|stack| assert_eq!(stack.end, Some(UserStackEnd::Root)))
                .count()
        };
        // 0.8 s of CPU at 997 Hz.
        assert!(
            of("cpu-clock") >= 20,
            "bpf {use_bpf}: {} CPU samples",
            of("cpu-clock")
        );
        if has_programs {
            assert!(
                of("whyslow:user_stack") >= 10,
                "{} waits",
                of("whyslow:user_stack")
            );
        }
        assert!(report.user_stacks.complete > 0);
    }
}

/// Two calls deep on its own stack, then two calls deep on another, there asleep for 5 ms once and again, and busy in
/// between. Frames are kept as Go's compiler keeps them: frame pointers, no unwind information, the note by which Go's files are known.
const TWO_STACKS: &str = r#"
.section .note.go.buildid, "a", @note
.long 3, 4, 4
.asciz "Go"
.balign 4
.long 0
.bss
.balign 16
.skip 4096
other_stack:
.skip 131072
.text
.macro calls name, next
\name:
  push %rbp
  mov %rsp, %rbp
  call \next
  pop %rbp
  ret
.endm
.globl _start
_start:
  lea other_stack(%rip), %rax
  mov $16, %ecx
touch:
  movb $1, (%rax)
  add $4096, %rax
  dec %ecx
  jnz touch
  xor %ebp, %ebp
  call outer
  .skip 64
calls outer, outer_second
calls outer_second, switch_stack
switch_stack:
  mov %rsp, %rbx
  lea other_stack(%rip), %rsp
  call inner
  mov %rbx, %rsp
  ret
calls inner, inner_second
inner_second:
  push %rbp
  mov %rsp, %rbp
again:
  mov $20000000, %r12
busy:
  dec %r12
  jnz busy
  mov $35, %eax
  lea sleep(%rip), %rdi
  xor %esi, %esi
  syscall
  jmp again
.section .rodata
sleep:
  .quad 0, 5000000
"#;

#[test]
fn stacks_of_go_are_followed_from_one_to_another() {
    if !has(Feature::Cc) {
        return;
    }
    let scratch = Scratch::new();
    let (source, program) = (scratch.path("two.s"), scratch.path("two"));
    std::fs::write(&source, TWO_STACKS).unwrap();
    let mut compile = Command::new("cc");
    compile.args(["-nostdlib", "-static", "-Wl,--build-id=none", "-o"]);
    assert!(
        compile
            .args([&program, &source])
            .status()
            .unwrap()
            .success()
    );
    for use_bpf in [true, false] {
        let output = scratch.path(if use_bpf { "bpf.data" } else { "plain.data" });
        let mut settings = Settings::new(&output);
        settings.use_bpf = use_bpf;
        let Some(recorder) = recorder(settings) else {
            return;
        };
        let path = program.to_string_lossy().into_owned();
        recorder
            .run_command(&["prlimit", "--cpu=1:1", &path])
            .unwrap();
        let recording = Recording::read(&output);
        let (pid, _, _) = recording
            .names
            .iter()
            .find(|(_, name, exec)| name == "two" && *exec)
            .unwrap();
        // inner_second, inner, switch_stack, outer, _start: the function that switches hides its caller.
        let stacks_of = |event: &str| {
            let of_program = recording.stacks.iter().filter(|stack| stack.tid == *pid);
            let stacks = of_program.filter(|stack| stack.event == event && stack.end.is_some());
            let stacks: Vec<_> = stacks.filter(|stack| !stack.user.is_empty()).collect();
            stacks
        };
        let are_whole = |stacks: &[&Stack], least: usize| {
            let whole = stacks
                .iter()
                .filter(|stack| stack.user.len() == 5 && stack.end == Some(UserStackEnd::Root));
            assert!(stacks.len() >= least, "bpf {use_bpf}: {}", stacks.len());
            assert!(
                whole.count() * 10 >= stacks.len() * 9,
                "bpf {use_bpf}: {:x?}",
                stacks.get(stacks.len() / 2)
            );
        };
        are_whole(&stacks_of("cpu-clock"), 20);
        if use_bpf && has(Feature::Bpf) {
            // The call is behind the loop, where others may have preempted it. Before, the process was that of prlimit,
            // whose code is at higher addresses.
            let mut waits = stacks_of("whyslow:user_stack");
            waits.retain(|stack| stack.user[0] < 1 << 32);
            let call = waits.iter().map(|stack| stack.user[0]).max();
            waits.retain(|stack| Some(stack.user[0]) == call);
            are_whole(&waits, 5);
        }
    }
}

/// Looks up a name until it has used 300 ms of CPU. The recorder watches where this call ends.
const LOOK_UPS: &str = r#"
#include <netdb.h>
#include <time.h>
__attribute__((noinline)) static int look_up(void)
{
	struct addrinfo *found;
	int failed = getaddrinfo("localhost", "http", 0, &found);
	if (!failed) freeaddrinfo(found);
	return failed;
}
int main(void)
{
	int failed = 0;
	while (clock() < CLOCKS_PER_SEC * 3 / 10) failed += look_up();
	return failed < 0;
}
"#;

#[test]
fn stacks_go_on_beyond_a_call_whose_end_is_watched() {
    if !has(Feature::Cc) || !has(Feature::Bpf) {
        return;
    }
    let scratch = Scratch::new();
    let (source, program) = (scratch.path("names.c"), scratch.path("names"));
    std::fs::write(&source, LOOK_UPS).unwrap();
    let mut compile = Command::new("cc");
    compile.arg("-o").args([&program, &source]);
    assert!(compile.status().unwrap().success());

    let output = scratch.path("names.data");
    let Some(recorder) = recorder(Settings::new(&output)) else {
        return;
    };
    recorder.run_command(&[&program]).unwrap();
    let recording = Recording::read(&output);
    let path = program.to_string_lossy();
    let mapping = recording.mappings.iter().find(|one| one.path == path);
    let mapping = mapping.unwrap();
    let in_program = |ip: &u64| (mapping.start..mapping.start + mapping.size_bytes).contains(ip);
    let (pid, _, _) = recording
        .names
        .iter()
        .find(|(_, name, exec)| name == "names" && *exec)
        .unwrap();
    let mine = recording.stacks.iter().filter(|stack| stack.tid == *pid);
    // Deeper in the library than what takes the result apart.
    let deep = mine.filter(|stack| {
        let inner = stack.user.iter().take_while(|ip| !in_program(ip)).count();
        inner >= 5 && stack.user.iter().filter(|ip| in_program(ip)).count() >= 2
    });
    let ends: Vec<_> = deep.map(|stack| stack.end).collect();
    assert!(!ends.is_empty());
    assert!(
        ends.iter().all(|&end| end == Some(UserStackEnd::Root)),
        "{ends:?}"
    );
}

#[test]
fn kernel_halves_stand_before_user_halves() {
    let scratch = Scratch::new();
    let output = scratch.path("a.data");
    let Some(recorder) = recorder(Settings::new(&output)) else {
        return;
    };
    // One second of CPU time, which ends it.
    let limit = ["prlimit", "--cpu=1:1", "dd"];
    let copy = ["if=/dev/zero", "of=/dev/null", "bs=64k", "status=none"];
    recorder.run_command(&[&limit[..], &copy].concat()).unwrap();
    let recording = Recording::read(&output);
    let pid = recording.process_with("status=none").or_else(|| {
        recording
            .names
            .iter()
            .find(|(_, name, exec)| name == "dd" && *exec)
            .map(|(pid, _, _)| *pid)
    });
    let whole = recording.stacks.iter().filter(|stack| {
        Some(stack.tid) == pid
            && stack.event == "cpu-clock"
            && stack.kernel.len() > 2
            && stack.end == Some(UserStackEnd::Root)
    });
    assert!(whole.clone().count() > 0);
    for stack in whole {
        assert!(
            stack.kernel.iter().all(|ip| ip >> 63 == 1),
            "{:x?}",
            stack.kernel
        );
        assert!(
            stack.user.iter().all(|ip| ip >> 63 == 0),
            "{:x?}",
            stack.user
        );
        assert!(stack.time_ns > 0);
    }
    // Kernel threads have no user half, and nobody misses one.
    for stack in recording
        .stacks
        .iter()
        .filter(|stack| stack.event == "cpu-clock")
    {
        let name = recording.names.iter().find(|(tid, _, _)| *tid == stack.tid);
        if name.is_some_and(|(_, name, _)| name.starts_with("kworker/")) {
            assert_eq!(stack.end, None);
        }
    }
}
