//! Whether the switches of a CPU follow from each other.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::process::Command;

use whyslow_perfdata::Endian;
use whyslow_perfdata::whyslow_events::{accounted_ns, recorder_ns};
use whyslow_record::Settings;
use whyslow_testenv::{Feature, has};

use crate::recording::Recording;
use crate::{Scratch, recorded_whole};

/// Also where the kernel hides threads from tracing, and one comes for the first time long after the start.
#[test]
fn each_switch_begins_with_the_thread_that_came_before() {
    // Older kernels tell it only once a hidden thread was seen.
    if !has(Feature::Bpf) || !has(Feature::ExitTracepoint) {
        return;
    }
    let scratch = Scratch::new();
    let settings = Settings::new(scratch.path("x.data"));
    if recorded_whole(&settings, &["sleep", "1.5"].map(OsStr::new)).is_none() {
        return;
    }
    let recording = Recording::read(&scratch.path("x.data"));
    let mut running = BTreeMap::new();
    for raw in &recording.raws {
        if raw.event != "sched:sched_switch" {
            continue;
        }
        let thread = |at: usize| u32::from_ne_bytes(raw.bytes[at..at + 4].try_into().unwrap());
        let (leaver, comer) = (thread(24), thread(56));
        let came = running.insert(raw.cpu, comer).unwrap_or(leaver);
        assert_eq!(came, leaver, "on CPU {} at {} ns", raw.cpu, raw.time_ns);
    }
    assert!(!running.is_empty());
}

/// Where the fields of `sched:sched_switch` end.
const FIELDS_END: usize = 64;

/// A thread sleeps again and again. While it is off the CPU for good, another one notes the thread, the time, and
/// what the kernel says of the CPU time that it used.
const SLEEPER: &str = r#"
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static atomic_int tid, is_done;
static pthread_mutex_t end = PTHREAD_MUTEX_INITIALIZER;
static void *sleep_often(void *unused)
{
	tid = gettid();
	for (int at = 0; at < 300; at++) usleep(300);
	is_done = 1;
	pthread_mutex_lock(&end);
	return unused;
}
/* State and switches, as one text. */
static int state(char *text, int room)
{
	char path[64], line[256];
	snprintf(path, sizeof path, "/proc/self/task/%d/status", tid);
	FILE *file = fopen(path, "r");
	if (!file) return 0;
	*text = 0;
	while (fgets(line, sizeof line, file))
		if (!strncmp(line, "State", 5) || strstr(line, "ctxt")) strncat(text, line, room - strlen(text) - 1);
	fclose(file);
	return strstr(text, "S (sleeping)") != NULL;
}
int main(int count, char **names)
{
	char before[512], after[512], path[64];
	struct timespec now;
	pthread_t other;
	unsigned long long used;
	pthread_mutex_lock(&end);
	if (count != 2 || pthread_create(&other, 0, sleep_often, 0)) return 1;
	for (;; usleep(1000)) {
		if (!is_done || !state(before, sizeof before)) continue;
		clock_gettime(CLOCK_MONOTONIC, &now);
		snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", tid);
		FILE *file = fopen(path, "r");
		if (!file || fscanf(file, "%llu", &used) != 1) return 1;
		fclose(file);
		if (state(after, sizeof after) && !strcmp(before, after)) break;
	}
	FILE *file = fopen(names[1], "w");
	fprintf(file, "%d %lld %llu", tid, now.tv_sec * 1000000000LL + now.tv_nsec, used);
	return fclose(file);
}
"#;

/// A timer wakes the thread, so the kernel opens its account before the switch by which it comes.
#[test]
fn switches_say_what_the_kernel_accounts_to_the_thread_that_leaves() {
    if !has(Feature::Bpf) || !has(Feature::Cc) {
        return;
    }
    let scratch = Scratch::new();
    let (source, program) = (scratch.path("sleeper.c"), scratch.path("sleeper"));
    std::fs::write(&source, SLEEPER).unwrap();
    let mut compile = Command::new("cc");
    compile.arg("-pthread").arg("-o").args([&program, &source]);
    assert!(compile.status().unwrap().success());
    let (output, notes) = (scratch.path("x.data"), scratch.path("notes"));
    let command = [program.as_os_str(), notes.as_os_str()];
    if recorded_whole(&Settings::new(&output), &command).is_none() {
        return;
    }
    let notes = std::fs::read_to_string(notes).unwrap();
    let notes: Vec<u64> = notes.split(' ').map(|word| word.parse().unwrap()).collect();
    let [tid, noted_ns, used_ns] = notes[..] else {
        panic!("{notes:?}")
    };
    let recording = Recording::read(&output);
    let left = recording.raws.iter().filter(|raw| {
        let leaver = |at: usize| u32::from_ne_bytes(raw.bytes[at..at + 4].try_into().unwrap());
        raw.event == "sched:sched_switch" && u64::from(leaver(24)) == tid && raw.time_ns < noted_ns
    });
    let left: Vec<_> = left.collect();
    assert!(left.len() > 300, "{}", left.len());
    let sum = |read: fn(&[u8], usize, Endian) -> Option<u64>| {
        let all = left.iter();
        all.map(|raw| read(&raw.bytes, FIELDS_END, Endian::Little))
            .sum::<Option<u64>>()
    };
    assert_eq!(sum(accounted_ns), Some(used_ns));
    // The programs ran at each switch and in each call. How long they took is for a benchmark: an interrupt meanwhile
    // counts with the weight of the call.
    assert!(sum(recorder_ns) > Some(0));
}
