//! Waits, wakers, preemption and CPU samples.

use std::hint::black_box;
use std::io::{Read, Write, pipe};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use whyslow_bpf::Config;
use whyslow_bpf::payload::{Event, WakerKind};
use whyslow_testenv::{Feature, has, wait_until};
use whyslow_unwind::{StackEnd, StackParts};

use crate::{
    Trial, assert_goes_through, generous, on_trial, tid, wait_until_asleep, walk, walk_through,
};

const CLOCK_NANOSLEEP: i32 = 230;

#[inline(never)]
fn sleep_long() {
    thread::sleep(Duration::from_millis(20));
    black_box(());
}

#[inline(never)]
fn sleep_shortly() {
    for _ in 0..200 {
        thread::sleep(Duration::from_micros(50));
    }
    black_box(());
}

/// Uses 80 ms of CPU, however long that takes on a busy machine.
#[inline(never)]
fn compute() {
    while own_cpu_ns() < 80_000_000 {
        for step in 0..100_000_u64 {
            black_box(step);
        }
    }
    black_box(());
}

/// CPU time of the calling thread.
#[expect(unsafe_code, reason = "system call that std does not wrap")]
fn own_cpu_ns() -> i64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the kernel fills the structure.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Runs `work` in a thread of its own, and empties the rings meanwhile; the thread's id.
fn in_thread(trial: &mut Trial, work: fn()) -> u32 {
    let thread = thread::spawn(move || {
        work();
        tid()
    });
    while !thread.is_finished() {
        trial.drain();
        thread::sleep(Duration::from_millis(2));
    }
    thread.join().unwrap()
}

#[test]
fn a_long_wait_has_its_stack() {
    on_trial(&generous(), |trial| {
        let sleeper = in_thread(trial, sleep_long);
        let payloads = trial.payloads();
        let (time_ns, wait) = payloads
            .iter()
            .filter(|payload| payload.tid == sleeper)
            .find_map(|payload| match payload.event {
                Event::Wait(wait) if wait.system_call == CLOCK_NANOSLEEP => {
                    Some((payload.time_ns, wait))
                }
                _ => None,
            })
            .unwrap();
        assert!(wait.wait_ns >= 20_000_000 && wait.wait_count == 1);
        assert_eq!((wait.sampled_ns, wait.is_exiting), (0, false));
        assert!(wait.since_ns + wait.wait_ns <= time_ns);
        assert_goes_through(&wait.stack.unwrap(), sleep_long);
        // The timer's interrupt ended it, nobody else.
        let waker = payloads.iter().find_map(|payload| match payload.event {
            Event::Waker(waker)
                if waker.target_tid == sleeper && waker.wait_start_ns == wait.since_ns =>
            {
                Some(waker)
            }
            _ => None,
        });
        let waker = waker.unwrap();
        assert_eq!((waker.kind, waker.stack), (WakerKind::Interrupt, None));
    });
}

#[test]
fn many_short_waits_are_sampled() {
    let config = Config {
        wait_threshold_ns: 5_000_000,
        ..generous()
    };
    on_trial(&config, |trial| {
        // Where others use all CPUs, the waits of a thread may not be short.
        wait_until("waits are short, and sampled", || {
            let sleeper = in_thread(trial, sleep_shortly);
            are_sampled(trial, sleeper)
        });
    });
}

/// Looks at the samples of a thread's waits; returns whether they stand for nearly all of them.
fn are_sampled(trial: &mut Trial, sleeper: u32) -> bool {
    let (mut stands_for_ns, mut stands_for) = (0, 0);
    for payload in trial.payloads() {
        let Event::Wait(wait) = payload.event else {
            continue;
        };
        if payload.tid != sleeper || wait.sampled_ns == 0 {
            continue;
        }
        assert!(wait.sampled_ns >= 5_000_000 && wait.sampled_ns > wait.wait_ns);
        assert_goes_through(&wait.stack.unwrap(), sleep_shortly);
        stands_for_ns += wait.sampled_ns;
        stands_for += wait.sampled_count;
    }
    // 200 sleeps of at least 50 µs: all but the last threshold's worth is accounted for.
    assert!(stands_for <= 201, "{stands_for}");
    stands_for_ns >= 5_000_000 && stands_for > 10
}

/// Starts a thread that reads, and waits until it has waited in that for a while.
fn spawn_reader(read: impl FnOnce() + Send + 'static) -> (thread::JoinHandle<()>, u32) {
    let (tell, told) = std::sync::mpsc::channel();
    let reader = thread::spawn(move || {
        tell.send(tid()).unwrap();
        read();
    });
    let tid = told.recv().unwrap();
    let path = format!("/proc/self/task/{tid}/syscall");
    // read or recvfrom.
    wait_until("it reads", || {
        let call = std::fs::read_to_string(&path);
        call.is_ok_and(|call| call.starts_with("0 ") || call.starts_with("45 "))
    });
    thread::sleep(Duration::from_millis(30));
    (reader, tid)
}

#[inline(never)]
fn write_to_pipe() {
    if let Some(mut writer) = WRITER.lock().unwrap().take() {
        writer.write_all(b"x").unwrap();
    }
    black_box(());
}

static WRITER: std::sync::Mutex<Option<std::io::PipeWriter>> = std::sync::Mutex::new(None);

#[test]
fn a_waker_is_named_with_its_stack() {
    on_trial(&generous(), |trial| {
        let (mut reader, writer) = pipe().unwrap();
        *WRITER.lock().unwrap() = Some(writer);
        let (waiting, reader) = spawn_reader(move || reader.read_exact(&mut [0]).unwrap());
        let writer = in_thread(trial, write_to_pipe);
        waiting.join().unwrap();
        let payloads = trial.payloads();
        let waker = payloads.iter().find_map(|payload| match payload.event {
            // Not one that ended a wait for something else, before it read.
            Event::Waker(waker)
                if waker.target_tid == reader
                    && payload.time_ns - waker.wait_start_ns >= 20_000_000 =>
            {
                Some((payload.tid, waker))
            }
            _ => None,
        });
        let (by, waker) = waker.unwrap();
        assert_eq!((by, waker.kind), (writer, WakerKind::Thread), "{waker:?}");
        assert_eq!(waker.target_pid, std::process::id());
        assert_goes_through(&waker.stack.unwrap(), write_to_pipe);
    });
}

#[inline(never)]
fn send_to_socket() {
    if let Some(mut socket) = SOCKET.lock().unwrap().take() {
        socket.write_all(b"x").unwrap();
    }
    black_box(());
}

static SOCKET: std::sync::Mutex<Option<std::net::TcpStream>> = std::sync::Mutex::new(None);

#[test]
fn a_packet_to_this_machine_is_sent_by_its_sender() {
    on_trial(&generous(), |trial| {
        // The kernel delivers it in a software interrupt, but inside of the sender's own call.
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        *SOCKET.lock().unwrap() = Some(std::net::TcpStream::connect(address).unwrap());
        let (mut receiver, _) = listener.accept().unwrap();
        let (waiting, receiver) = spawn_reader(move || receiver.read_exact(&mut [0]).unwrap());
        let sender = in_thread(trial, send_to_socket);
        waiting.join().unwrap();
        let payloads = trial.payloads();
        let waker = payloads.iter().find_map(|payload| match payload.event {
            Event::Waker(waker)
                if waker.target_tid == receiver
                    && payload.time_ns - waker.wait_start_ns >= 20_000_000 =>
            {
                Some((payload.tid, waker))
            }
            _ => None,
        });
        let (by, waker) = waker.unwrap();
        assert_eq!((by, waker.kind), (sender, WakerKind::Thread));
        assert_goes_through(&waker.stack.unwrap(), send_to_socket);
    });
}

/// Binds the calling thread to CPU 0.
#[expect(unsafe_code, reason = "system call that std does not wrap")]
fn pin_to_first_cpu() {
    // SAFETY: a zeroed set is valid; the call reads it.
    let answer = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(0, &mut set);
        libc::sched_setaffinity(0, size_of_val(&set), &raw const set)
    };
    assert_eq!(answer, 0);
}

#[test]
fn preempted_threads_have_their_own_stack() {
    on_trial(&generous(), |trial| {
        let both = Arc::new(Barrier::new(2));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let both = Arc::clone(&both);
                thread::spawn(move || {
                    pin_to_first_cpu();
                    both.wait();
                    compute();
                    tid()
                })
            })
            .collect();
        let join = |thread: thread::JoinHandle<u32>| thread.join().unwrap();
        while !threads.iter().all(thread::JoinHandle::is_finished) {
            trial.drain();
            thread::sleep(Duration::from_millis(2));
        }
        let tids: Vec<u32> = threads.into_iter().map(join).collect();
        let payloads = trial.payloads();
        for tid in tids {
            let mut stacks = payloads
                .iter()
                .filter(|payload| payload.tid == tid)
                .filter_map(|payload| match payload.event {
                    Event::Preempted { stack } => Some(stack),
                    _ => None,
                });
            let through_it = stacks
                .any(|stack| matches!(walk_through(&stack, compute), (_, StackEnd::Root, true)));
            assert!(through_it, "no preemption of {tid} in compute");
        }
    });
}

#[test]
fn cpu_samples_get_their_stacks() {
    on_trial(&generous(), |trial| {
        trial
            .programs
            .attach_sampler(&trial.rings.samplers())
            .unwrap();
        wait_until("there are samples", || {
            let computing = in_thread(trial, compute);
            let payloads = trial.payloads();
            let own = payloads.iter().filter(|payload| payload.tid == computing);
            let stacks = own.filter_map(|payload| match payload.event {
                Event::Sample { stack } => Some(stack),
                _ => None,
            });
            let walks = stacks.map(|stack| walk_through(&stack, compute));
            let whole: Vec<bool> = walks
                .map(|(_, end, through_it)| (end, through_it) == (StackEnd::Root, true))
                .collect();
            let through_it = whole.iter().filter(|is_whole| **is_whole).count();
            assert!(
                through_it * 10 >= whole.len() * 9,
                "{through_it} of {}",
                whole.len()
            );
            whole.len() > 20
        });
    });
}

#[test]
fn a_page_that_must_be_read_blocks_with_its_stack() {
    #[inline(never)]
    fn touch() {
        let at = AT.load(Ordering::Relaxed) as *const u8;
        #[expect(unsafe_code, reason = "a page fault")]
        // SAFETY: the address is in a mapping that the test keeps.
        let byte = unsafe { at.read_volatile() };
        black_box(byte);
    }
    static AT: AtomicU64 = AtomicU64::new(0);

    on_trial(&generous(), |trial| {
        if !has(Feature::Disk) {
            return;
        }
        let name = format!("whyslow-page-fault-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, vec![1; 8 << 20]).unwrap();
        let file = std::fs::File::open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        file.sync_all().unwrap();
        // The system may keep a page in memory all the same.
        wait_until("a page must be read", || {
            AT.store(map_cold(&file) + (5 << 20), Ordering::Relaxed);
            let toucher = in_thread(trial, touch);
            let payloads = trial.payloads();
            let block = payloads.iter().find_map(|payload| match payload.event {
                Event::Block { stack } if payload.tid == toucher => Some(stack),
                _ => None,
            });
            block
                .inspect(|stack| assert_goes_through(stack, touch))
                .is_some()
        });
    });
}

/// Maps a file, whose pages are dropped from memory before, without read-ahead; its address.
#[expect(unsafe_code, reason = "system calls that std does not wrap")]
fn map_cold(file: &std::fs::File) -> u64 {
    use std::os::fd::AsRawFd;
    // SAFETY: advice on a file and a fresh mapping of it.
    unsafe {
        libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED);
        let (access, kind) = (libc::PROT_READ, libc::MAP_PRIVATE);
        let at = libc::mmap(
            std::ptr::null_mut(),
            8 << 20,
            access,
            kind,
            file.as_raw_fd(),
            0,
        );
        assert_ne!(at, libc::MAP_FAILED);
        libc::madvise(at, 8 << 20, libc::MADV_RANDOM);
        at.addr() as u64
    }
}

#[test]
fn waits_still_open_are_found_with_their_stacks() {
    on_trial(&generous(), |trial| {
        let mut child = Command::new("cat")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        wait_until_asleep(child.id());
        thread::sleep(Duration::from_millis(40));
        let waits = trial.programs.open_waits().unwrap();
        let wait = waits.iter().find(|wait| wait.pid == child.id()).unwrap();
        assert!(wait.since_ns.is_some());
        let parts = StackParts {
            inner: &wait.stack,
            outer_start: 0,
            outer: &[],
        };
        let (frames, end) = walk(child.id(), &wait.regs, &parts);
        assert_eq!(end, StackEnd::Root, "{frames:x?}");
        // A thread that began to wait before the programs were there is found too.
        assert!(waits.iter().any(|wait| wait.since_ns.is_none()));
        child.kill().unwrap();
        child.wait().unwrap();
    });
}

#[test]
fn the_rate_of_stacks_is_limited_and_told() {
    let config = Config {
        stack_bytes_per_second: 100,
        wait_threshold_ns: 50_000,
        ..Config::default()
    };
    on_trial(&config, |trial| {
        in_thread(trial, sleep_shortly);
        let counters = trial.programs.counters().unwrap();
        assert!(counters.waits.limited > 50, "{counters:?}");
        let written = trial
            .payloads()
            .iter()
            .filter(|payload| matches!(payload.event, Event::Wait(_)))
            .count() as u64;
        assert!(written < counters.waits.limited);
        assert_eq!((trial.lost, counters.waits.lost), (0, 0));
    });
}

/// Bytes between the stack pointer and the end of what is mapped there.
const LAST_BYTES: usize = 256;

/// Sleeps on a stack that ends soon, as coroutines have them, with nothing behind it.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the stack pointer is set by hand")]
fn sleep_at_the_end_of_a_stack() {
    const PAGE: usize = 4096;
    let time = [0_i64, 20_000_000];
    let (all, rights) = (2 * PAGE, libc::PROT_READ | libc::PROT_WRITE);
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: new memory, of which the second page is given back; nothing else is in it.
    let stack = unsafe {
        let stack = libc::mmap(std::ptr::null_mut(), all, rights, flags, -1, 0);
        assert_ne!(stack, libc::MAP_FAILED);
        assert_eq!(libc::munmap(stack.byte_add(PAGE), PAGE), 0);
        // Memory that nobody wrote to is not there yet.
        stack.write_bytes(1, PAGE);
        stack
    };
    // SAFETY: the call does not use the stack, and the pointer is put back after it.
    unsafe {
        std::arch::asm!(
            "xchg rsp, {stack}",
            "syscall",
            "xchg rsp, {stack}",
            stack = inout(reg) stack.byte_add(PAGE - LAST_BYTES) => _,
            inlateout("rax") libc::SYS_clock_nanosleep => _,
            in("rdi") libc::CLOCK_MONOTONIC,
            in("rsi") 0,
            in("rdx") time.as_ptr(),
            in("r10") 0,
            out("rcx") _,
            out("r11") _,
        );
        libc::munmap(stack, PAGE);
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_stack_is_copied_up_to_where_it_ends() {
    on_trial(&generous(), |trial| {
        let sleeper = in_thread(trial, sleep_at_the_end_of_a_stack);
        let payloads = trial.payloads();
        let mut waits = payloads.iter().filter_map(|payload| match payload.event {
            Event::Wait(wait) if payload.tid == sleeper => Some(wait),
            _ => None,
        });
        let sizes = waits
            .by_ref()
            .filter(|wait| wait.system_call == CLOCK_NANOSLEEP)
            .filter_map(|wait| Some(wait.stack?.inner.len()));
        assert_eq!(sizes.collect::<Vec<_>>(), [LAST_BYTES]);
    });
}

/// Sleeps below room that was reserved and not touched: there is no memory in it.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the stack pointer is moved by hand")]
fn sleep_below_untouched_room() {
    let time = [0_i64, 20_000_000];
    // SAFETY: the stack is larger than that, and the pointer is put back.
    unsafe {
        std::arch::asm!(
            "sub rsp, 262144",
            "mov qword ptr [rsp], 1",
            "syscall",
            "add rsp, 262144",
            inlateout("rax") libc::SYS_clock_nanosleep => _,
            in("rdi") libc::CLOCK_MONOTONIC,
            in("rsi") 0,
            in("rdx") time.as_ptr(),
            in("r10") 0,
            out("rcx") _,
            out("r11") _,
        );
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn beyond_untouched_room_the_outermost_part_is_copied() {
    on_trial(&generous(), |trial| {
        let sleeper = in_thread(trial, sleep_below_untouched_room);
        let payloads = trial.payloads();
        let mut waits = payloads.iter().filter_map(|payload| match payload.event {
            Event::Wait(wait) if payload.tid == sleeper => Some(wait),
            _ => None,
        });
        let wait = waits.find(|wait| wait.system_call == CLOCK_NANOSLEEP);
        let stack = wait.and_then(|wait| wait.stack).unwrap();
        let (inner, outer) = (stack.inner.len(), stack.outer.len());
        // The page of the stack pointer has memory.
        assert!((8..=4096).contains(&inner), "{inner}");
        assert!(
            outer > 0 && stack.outer_start > stack.regs.sp() + 262_144 - 4096 * 7,
            "{outer}"
        );
    });
}
