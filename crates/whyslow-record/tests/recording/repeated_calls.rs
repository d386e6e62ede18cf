//! Calls that a thread repeats, and files that it opens and closes at once: they count for the file that the descriptor
//! refers to at that moment.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::Command;

use whyslow_record::Settings;
use whyslow_testenv::{Feature, has};

use crate::recording::Recording;
use crate::{Scratch, recorded_whole};

const READ: u8 = 5;
const WRITE: u8 = 6;
const CLOSE: u8 = 21;
const RENAME: u8 = 9;
const OPEN: u8 = 1;

/// A shell reads a line byte by byte, without any other call in between; then the same descriptor is another file.
#[test]
fn repeated_calls_count_for_the_file_that_the_descriptor_is_then() {
    const SCRIPT: &str = "cd \"$0\"; printf '%0400d\\n' 0 >a; printf '%0700d\\n' 0 >b; \
        exec <a; read -r line; exec <b; read -r line; exec <a; read -r line";
    if !has(Feature::Bpf) {
        return;
    }
    let scratch = Scratch::new();
    let folder = scratch.path("read");
    std::fs::create_dir(&folder).unwrap();
    let output = scratch.path("read.data");
    let command = [
        OsStr::new("sh"),
        OsStr::new("-c"),
        OsStr::new(SCRIPT),
        folder.as_os_str(),
    ];
    if recorded_whole(&Settings::new(&output), &command).is_none() {
        return;
    }
    let recording = Recording::read(&output);
    let pid: u32 = recording.info("command_pid").unwrap().parse().unwrap();
    let of_file = |name: &str| {
        let path = folder.join(name);
        let reads = recording.file_calls.iter().filter(|(of, _, file, call)| {
            *of == pid && call.operation == READ && file.path == path.as_os_str().as_bytes()
        });
        reads.fold((0, 0), |(count, bytes), (_, _, _, call)| {
            (count + call.count, bytes + call.bytes)
        })
    };
    let ((a_count, a_bytes), (b_count, b_bytes)) = (of_file("a"), of_file("b"));
    assert_eq!((a_bytes, b_bytes), (802, 701));
    // The shell may read by bytes or by blocks.
    assert!(a_count >= 2 && b_count >= 1, "{a_count}, {b_count}");
    println!("{a_count} and {b_count} reads");
}

/// Reads from one descriptor again and again. Meanwhile another thread makes it refer to another file, and the first
/// learns of that without any other call.
const EXCHANGED: &str = r#"
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
static atomic_int step;
static int first, second;
static void *exchange(void *unused)
{
	while (step != 1) {}
	dup2(second, first);
	step = 2;
	return unused;
}
int main(int count, char **names)
{
	pthread_t other;
	char byte;
	if (count != 3) return 1;
	first = open(names[1], O_RDONLY);
	second = open(names[2], O_RDONLY);
	if (pthread_create(&other, 0, exchange, 0)) return 1;
	for (int at = 0; at < 5000; at++) if (pread(first, &byte, 1, 0) != 1) return 1;
	step = 1;
	while (step != 2) {}
	for (int at = 0; at < 3000; at++) if (pread(first, &byte, 1, 0) != 1) return 1;
	return 0;
}
"#;

/// Reads and writes in turns, again and again; then the descriptor that it reads from is another file.
const TURNS: &str = r#"
#include <fcntl.h>
#include <unistd.h>
int main(int count, char **names)
{
	char byte = 0;
	if (count != 3) return 1;
	int first = open(names[1], O_RDWR);
	int second = open(names[2], O_RDWR);
	int third = dup(second);
	for (int at = 0; at < 2000; at++) {
		if (pwrite(third, &byte, 1, 0) != 1) return 1;
		if (pread(first, &byte, 1, 0) != 1) return 1;
	}
	dup2(second, first);
	for (int at = 0; at < 1500; at++) if (pread(first, &byte, 1, 0) != 1) return 1;
	return 0;
}
"#;

/// Reads from one descriptor as fast as it can, while signals make it read from another one, and a child on the same
/// CPU makes calls as fast as it can.
const INTERRUPTED: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
static int first, second;
static volatile int left = 50;
static void interrupt(int unused)
{
	char byte;
	if (left && pread(second, &byte, 1, 0) == 1) left--;
}
int main(int count, char **names)
{
	char byte;
	cpu_set_t one;
	struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
	if (count != 3) return 1;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
	pid_t child = fork();
	if (!child) while (1) getppid();
	first = open(names[1], O_RDONLY);
	second = open(names[2], O_RDONLY);
	signal(SIGALRM, interrupt);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int at = 0; at < 200000; at++) if (pread(first, &byte, 1, 0) != 1) return 1;
	setitimer(ITIMER_REAL, &never, NULL);
	while (left) interrupt(0);
	kill(child, SIGKILL);
	return wait(NULL) != child;
}
"#;

/// Opens and closes in all ways by which the descriptor may refer to another file than the opened one.
const EXCHANGED_BEFORE_CLOSE: &str = r#"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static char **files;
static int shared;
static void *exchange(void *unused)
{
	close(shared);
	if (open(files[2], O_RDONLY) != shared) _exit(1);
	return unused;
}
int main(int count, char **names)
{
	pthread_t other;
	if (count != 3) return 1;
	files = names;
	/* Of a: one. */
	close(open(names[1], O_RDONLY));
	/* Of b: two. */
	int second = open(names[2], O_RDONLY);
	int first = open(names[1], O_RDONLY);
	dup2(second, first);
	close(first);
	close(second);
	/* Of a and of b: one more. */
	shared = open(names[1], O_RDONLY);
	if (pthread_create(&other, 0, exchange, 0)) return 1;
	pthread_join(other, 0);
	close(shared);
	/* Of what a is called then. */
	first = open(names[1], O_RDONLY);
	if (rename(names[1], names[2])) return 1;
	return close(first);
}
"#;

/// One process opens files; another one renames their folder, opens them too, and ends after the first.
const RENAMED_FOLDER: &str = r#"
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static void open_all(const char *folder, int flags)
{
	char path[4096];
	for (int at = 0; at < 3; at++) {
		snprintf(path, sizeof path, "%s/f%d", folder, at);
		int file = open(path, flags, 0600);
		if (file < 0) _exit(1);
		close(file);
	}
}
int main(int count, char **names)
{
	int go_on[2], end[2], opened[2];
	char byte = 0;
	if (count != 3 || pipe(go_on) || pipe(end) || pipe(opened)) return 1;
	pid_t first = fork();
	if (!first) {
		open_all(names[1], O_RDWR | O_CREAT);
		write(opened[1], &byte, 1);
		read(end[0], &byte, 1);
		_exit(0);
	}
	pid_t second = fork();
	if (!second) {
		read(opened[0], &byte, 1);
		if (rename(names[1], names[2])) _exit(1);
		open_all(names[2], O_RDONLY);
		write(end[1], &byte, 1);
		read(go_on[0], &byte, 1);
		_exit(0);
	}
	int status;
	if (waitpid(first, &status, 0) != first || status) return 1;
	write(go_on[1], &byte, 1);
	return waitpid(second, &status, 0) != second || status;
}
"#;

/// A program that was recorded, with a folder of its own.
struct Recorded {
    recording: Recording,
    files: [PathBuf; 2],
}

/// Compiles a program, and records what it does with two files or folders, which `make` makes.
fn recorded(code: &str, make: impl Fn(&[PathBuf; 2])) -> Option<Recorded> {
    if !has(Feature::Bpf) || !has(Feature::Cc) {
        return None;
    }
    let scratch = Scratch::new();
    let (source, program) = (scratch.path("program.c"), scratch.path("program"));
    std::fs::write(&source, code).unwrap();
    let mut compile = Command::new("cc");
    compile.arg("-pthread").arg("-w");
    compile.arg("-o").args([&program, &source]);
    assert!(compile.status().unwrap().success());
    let files = ["a", "b"].map(|name| scratch.path(name));
    make(&files);
    let [a, b] = &files;
    let output = scratch.path("program.data");
    let command = [program.as_os_str(), a.as_os_str(), b.as_os_str()];
    recorded_whole(&Settings::new(&output), &command)?;
    let recording = Recording::read(&output);
    Some(Recorded { recording, files })
}

impl Recorded {
    /// How often a file was used in this way, and by which processes.
    fn count(&self, path: &std::path::Path, operation: u8, is_of: impl Fn(u32) -> bool) -> u64 {
        let path = path.as_os_str().as_bytes();
        let of_file = self.recording.file_calls.iter();
        let of_file = of_file.filter(|(of, _, file, call)| {
            is_of(*of) && call.operation == operation && call.error == 0 && file.path == path
        });
        of_file.map(|(_, _, _, call)| call.count).sum()
    }
}

fn two_files(files: &[PathBuf; 2]) {
    for file in files {
        std::fs::write(file, "x").unwrap();
    }
}

/// How often a program read from and wrote to each of two files that it is given.
fn reads_and_writes(code: &str) -> Option<[[u64; 2]; 2]> {
    let recorded = recorded(code, two_files)?;
    let pid: u32 = recorded
        .recording
        .info("command_pid")
        .unwrap()
        .parse()
        .unwrap();
    let of_file = |path: &PathBuf| {
        [READ, WRITE].map(|operation| recorded.count(path, operation, |of| of == pid))
    };
    Some(recorded.files.each_ref().map(of_file))
}

#[test]
fn repeated_calls_count_for_the_file_that_another_thread_gave_the_descriptor() {
    if let Some(counts) = reads_and_writes(EXCHANGED) {
        assert_eq!(counts, [[5000, 0], [3000, 0]]);
    }
}

#[test]
fn calls_in_turns_count_for_the_file_that_the_thread_gave_the_descriptor() {
    if let Some(counts) = reads_and_writes(TURNS) {
        assert_eq!(counts, [[2000, 0], [1500, 2000]]);
    }
}

#[test]
fn calls_that_are_repeated_at_any_rate_are_all_counted() {
    if let Some(counts) = reads_and_writes(INTERRUPTED) {
        assert_eq!(counts, [[200_000, 0], [50, 0]]);
    }
}

#[test]
fn what_is_closed_is_the_file_that_the_descriptor_is_then() {
    let Some(recorded) = recorded(EXCHANGED_BEFORE_CLOSE, two_files) else {
        return;
    };
    let pid: u32 = recorded
        .recording
        .info("command_pid")
        .unwrap()
        .parse()
        .unwrap();
    let of_file = |path: &PathBuf| recorded.count(path, CLOSE, |of| of == pid);
    assert_eq!(recorded.files.each_ref().map(of_file), [2, 4]);
}

#[test]
fn files_in_a_renamed_folder_have_its_new_name_whoever_found_them_before() {
    let one_folder = |files: &[PathBuf; 2]| std::fs::create_dir(&files[0]).unwrap();
    let Some(recorded) = recorded(RENAMED_FOLDER, one_folder) else {
        return;
    };
    let calls = recorded.recording.file_calls.iter();
    let renamer = calls.clone().find(|(.., call)| call.operation == RENAME);
    let renamer = renamer.unwrap().0;
    for name in ["f0", "f1", "f2"] {
        let [old, new] = recorded.files.each_ref().map(|folder| folder.join(name));
        let of =
            |path, is_renamer: bool| recorded.count(path, OPEN, |of| (of == renamer) == is_renamer);
        assert_eq!((of(&old, true), of(&new, true)), (0, 1), "{name}");
        assert_eq!(of(&old, false) + of(&new, false), 1, "{name}");
    }
}
