//! Measures how many user stacks are complete, by frame pointers and by stack dumps of a size,
//! and what each costs. The figures of `docs/decisions/user-stacks.md` come from here.
//!
//! ```text
//! user_stacks MODE COMM -- COMMAND…
//!   MODE   none | fp | dump:BYTES | both:BYTES | bpf
//!   COMM   name of the processes to count, as the kernel knows it (cc1, rustc, git, python3)
//! ```
//!
//! Runs COMMAND while all CPUs are sampled at 997 Hz, unwinds each dump as it arrives, and prints
//! one line of `key=value`. `both` records frame pointer chains and dumps of the same samples and
//! unwinds each dump also as if it were cut to 4, 8, 16, 32 KB (shares only; its cost means
//! nothing). `bpf` has eBPF programs copy each stack as deep as it is, as the recorder does. Needs the right to sample the whole machine (root or `CAP_PERFMON`).

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line experiment"
)]

mod kernel;
mod tally;

use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use whyslow_record::bpf::payload::{Event, Payload};
use whyslow_record::bpf::{Config, Output, Programs};
use whyslow_symbols::unwind::{FileId, Limits, NewMapping, StackParts, Unwinder, UserRegs};

use kernel::{Fields, Mode, Ring};
use tally::Tally;

/// Cuts tried on the same dump.
const CUTS: [usize; 4] = [4 << 10, 8 << 10, 16 << 10, 32 << 10];

/// Records younger than this wait for the next round.
const HOLD_BACK_NS: u64 = 1_000_000;

/// All that is gathered while the command runs.
struct Study {
    mode: Mode,
    comm: String,
    comms: HashMap<u32, String>,
    unwinder: Unwinder,
    by_frame_pointer: Tally,
    by_dump: Vec<(usize, Tally)>,
    unwind_time: Duration,
    unwound: u64,
    ring_bytes: u64,
    lost: u64,
    all_samples: u64,
    frames: Vec<u64>,
}

impl Study {
    fn new(mode: Mode, comm: String) -> Self {
        let mut sizes = Vec::new();
        if mode.dump_bytes > 0 {
            if mode.frame_pointers {
                sizes.extend(CUTS);
            }
            sizes.push(mode.dump_bytes as usize);
        }
        if mode.by_programs {
            sizes.push(60 << 10);
        }
        Self {
            mode,
            comm,
            comms: HashMap::new(),
            unwinder: Unwinder::new(Limits::default()),
            by_frame_pointer: Tally::default(),
            by_dump: sizes
                .into_iter()
                .map(|size| (size, Tally::default()))
                .collect(),
            unwind_time: Duration::ZERO,
            unwound: 0,
            ring_bytes: 0,
            lost: 0,
            all_samples: 0,
            frames: Vec::new(),
        }
    }

    fn record(&mut self, kind: u32, misc: u16, body: &[u8]) {
        let mut fields = Fields::new(body);
        match kind {
            kernel::MMAP2 => self.mapping(misc, &mut fields),
            kernel::LOST => {
                fields.u64();
                self.lost += fields.u64();
            }
            kernel::COMM => {
                let (pid, tid) = (fields.u32(), fields.u32());
                let comm = String::from_utf8_lossy(fields.text()).into_owned();
                if misc & kernel::MISC_COMM_EXEC != 0 {
                    self.unwinder.exec(pid);
                }
                if pid == tid {
                    self.comms.insert(pid, comm);
                }
            }
            kernel::FORK => {
                let (pid, parent) = (fields.u32(), fields.u32());
                if pid != parent {
                    self.unwinder.fork(parent, pid);
                    if let Some(comm) = self.comms.get(&parent).cloned() {
                        self.comms.insert(pid, comm);
                    }
                }
            }
            kernel::EXIT => {
                let (pid, _, tid) = (fields.u32(), fields.u32(), fields.u32());
                if pid == tid {
                    self.unwinder.exit(pid);
                }
            }
            _ => {}
        }
    }

    fn mapping(&mut self, misc: u16, fields: &mut Fields<'_>) {
        let (pid, _tid) = (fields.u32(), fields.u32());
        let (start, size, file_offset) = (fields.u64(), fields.u64(), fields.u64());
        let identity = fields.bytes(24);
        let (protection, _flags) = (fields.u32(), fields.u32());
        if protection & 4 == 0 {
            return;
        }
        let file = if misc & kernel::MISC_MMAP_BUILD_ID != 0 {
            FileId::build_id(&identity[4..][..usize::from(identity[0]).min(20)])
        } else {
            let mut fields = Fields::new(identity);
            let (major, minor) = (fields.u32(), fields.u32());
            FileId::Inode {
                major,
                minor,
                inode: fields.u64(),
                generation: fields.u64(),
            }
        };
        let path = Path::new(std::ffi::OsStr::from_bytes(fields.text()));
        let end = start.saturating_add(size);
        self.unwinder.mapping(
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

    /// The fields after the ip in the order of the kernel: tid, time, call chain, user registers, user stack.
    fn sample(&mut self, fields: &mut Fields<'_>) {
        self.all_samples += 1;
        let (pid, _tid, _time) = (fields.u32(), fields.u32(), fields.u64());
        let length = fields.u64();
        let chain: Vec<u64> = (0..length).map(|_| fields.u64()).collect();
        let counts = self.comms.get(&pid) == Some(&self.comm);
        if self.mode.frame_pointers && counts {
            self.tally_chain(pid, &chain);
        }
        if self.mode.dump_bytes == 0 || fields.u64() == 0 {
            return;
        }
        let count = UserRegs::PERF_MASK_X86_64.count_ones();
        let values: Vec<u64> = (0..count).map(|_| fields.u64()).collect();
        let size = usize::try_from(fields.u64()).unwrap_or(0);
        let stack = fields.bytes(size);
        let used = usize::try_from(fields.u64()).unwrap_or(0).min(size);
        let regs = UserRegs::from_perf_x86_64(UserRegs::PERF_MASK_X86_64, &values);
        let Some(regs) = regs else { return };
        for (size, tally) in &mut self.by_dump {
            let began = Instant::now();
            let stack = &stack[..used.min(*size)];
            let walk = self.unwinder.unwind(pid, &regs, stack, &mut self.frames);
            self.unwind_time += began.elapsed();
            self.unwound += 1;
            if counts {
                // The kernel pads a dump to its full size.
                tally.add(self.frames.len(), walk, *size);
            }
        }
    }

    /// A sample that a program wrote: the raw data after ip, tid and time.
    fn output(&mut self, fields: &mut Fields<'_>) {
        let _tid_and_time = fields.bytes(16);
        let length = usize::try_from(fields.u32()).unwrap_or(0);
        let Some(payload) = Payload::parse(fields.bytes(length)) else {
            return;
        };
        let Event::Sample { stack } = payload.event else {
            return;
        };
        let parts = StackParts {
            inner: stack.inner,
            outer_start: stack.outer_start,
            outer: stack.outer,
        };
        let began = Instant::now();
        let walk = self
            .unwinder
            .unwind_parts(payload.pid, &stack.regs, &parts, &mut self.frames);
        self.unwind_time += began.elapsed();
        self.unwound += 1;
        if self.comms.get(&payload.pid) == Some(&self.comm) {
            for (_, tally) in &mut self.by_dump {
                tally.add(
                    self.frames.len(),
                    walk,
                    stack.inner.len() + stack.outer.len(),
                );
            }
        }
    }

    /// Whether the kernel's own chain ends in a root function, by the CFI of that function.
    fn tally_chain(&mut self, pid: u32, chain: &[u64]) {
        let Some(user) = chain
            .iter()
            .position(|frame| *frame == kernel::CONTEXT_USER)
        else {
            return;
        };
        let frames: Vec<u64> = chain[user + 1..]
            .iter()
            .copied()
            .filter(|frame| *frame < kernel::CONTEXT_MAX)
            .collect();
        let Some(last) = frames.last() else { return };
        let back = u64::from(frames.len() > 1);
        let root = self.unwinder.is_root_function(pid, last.wrapping_sub(back));
        self.by_frame_pointer.add_depth(frames.len(), root);
    }

    /// Takes all records older than `until_ns`, in order of time. Younger ones stay: one that was
    /// written on another CPU before them may not be visible yet.
    fn drain(&mut self, rings: &mut [Ring], until_ns: u64) {
        let mut index: Vec<(u64, usize, u64)> = Vec::new();
        for (number, ring) in rings.iter_mut().enumerate() {
            ring.each(until_ns, |time, at| index.push((time, number, at)));
        }
        index.sort_unstable();
        let mut scratch = Vec::new();
        for (_, number, at) in index {
            let (kind, misc, body) = rings[number].record(at, &mut scratch);
            self.ring_bytes += body.len() as u64 + 8;
            if kind != kernel::SAMPLE {
                self.record(kind, misc, body);
                continue;
            }
            let mut fields = Fields::new(body);
            let (id, _ip) = (fields.u64(), fields.u64());
            if rings[number].is_output(id) {
                self.output(&mut fields);
            } else {
                self.sample(&mut fields);
            }
        }
        for ring in rings {
            ring.release();
        }
    }

    fn print(&self, wall: Duration, command_cpu: f64, own_cpu: f64) {
        let seconds = wall.as_secs_f64().max(1e-9);
        print!(
            "mode={} comm={} wall={seconds:.2} command_cpu={command_cpu:.3} own_cpu={own_cpu:.3} \
             samples={} unwound={} us_per_stack={:.2} ring_mb_s={:.2} lost={}",
            self.mode.name,
            self.comm,
            self.all_samples,
            self.unwound,
            self.unwind_time.as_secs_f64() * 1e6 / (self.unwound.max(1) as f64),
            self.ring_bytes as f64 / 1e6 / seconds,
            self.lost,
        );
        if self.mode.frame_pointers {
            print!(" fp[{}]", self.by_frame_pointer);
        }
        for (size, tally) in &self.by_dump {
            print!(" {}K[{tally}]", size >> 10);
        }
        println!();
        eprintln!("{:?}", self.unwinder.counters());
    }
}

fn load(rings: &[Ring]) -> Result<Programs, Box<dyn std::error::Error>> {
    let outputs: Vec<Output<'_>> = rings
        .iter()
        .filter_map(|ring| {
            Some(Output {
                cpu: ring.cpu,
                event: ring.output()?,
            })
        })
        .collect();
    let config = Config {
        own_pid: std::process::id(),
        ..Config::default()
    };
    let mut programs = Programs::load(&config, &outputs)?;
    let samplers: Vec<_> = rings.iter().map(Ring::sampler).collect();
    programs.attach_sampler(&samplers)?;
    Ok(programs)
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(mode), Some(comm), Some(_dashes)) =
        (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("usage: user_stacks none|fp|dump:BYTES|both:BYTES COMM -- COMMAND…".into());
    };
    let command: Vec<String> = arguments.collect();
    let [program, rest @ ..] = command.as_slice() else {
        return Err("no command".into());
    };
    let mode = Mode::parse(&mode).ok_or("bad mode")?;
    let mut rings = if mode.name == "none" {
        Vec::new()
    } else {
        kernel::open(&mode)?
    };
    let programs = if mode.by_programs {
        Some(load(&rings)?)
    } else {
        None
    };
    let mut study = Study::new(mode, comm);

    let own_cpu = kernel::cpu_seconds_of_self();
    let began = Instant::now();
    let mut child = Command::new(program);
    child
        .args(rest)
        .process_group(0)
        .stdout(std::process::Stdio::null());
    let mut child = child.stderr(std::process::Stdio::null()).spawn()?;
    loop {
        kernel::wait_for_data(&rings, 20);
        study.drain(&mut rings, kernel::monotonic_ns() - HOLD_BACK_NS);
        if child.try_wait()?.is_some() {
            break;
        }
    }
    let wall = began.elapsed();
    study.drain(&mut rings, u64::MAX);
    if let Some(programs) = programs {
        eprintln!("{:?}", programs.counters()?);
    }
    study.print(
        wall,
        kernel::cpu_seconds_of_children(),
        kernel::cpu_seconds_of_self() - own_cpu,
    );
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("user_stacks: {why}");
            ExitCode::FAILURE
        }
    }
}
