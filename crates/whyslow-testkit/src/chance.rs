//! Random scripts: threads of two processes that run, wait, are woken, preempted and move between
//! processors, with stacks of some of their switches and wake-ups.

use crate::random::Random;
use crate::scripted_machine::{Leaves, ScriptedMachine, Start};
use crate::states::{State, Waker};

/// Common reasons of waits: `DelayExecution`, `UserRequest`, `WrQueue`, `WrAlertByThreadId`.
const REASONS: [u8; 4] = [4, 6, 15, 37];

impl ScriptedMachine {
    /// Lets `threads` threads take `steps` random steps on all processors. Threads have the ids
    /// 1001, 1002 …, processes 100 and 200. Returns the time of the last step.
    pub fn wander(&mut self, random: &mut Random, threads: u32, steps: usize) -> i64 {
        self.process(100, 4, "first.exe", "first.exe -x");
        self.process(200, 100, "second.exe", "second.exe");
        for tid in 1001..=1000 + threads {
            let pid = if tid % 3 == 0 { 200 } else { 100 };
            let start = if tid % 2 == 0 {
                Start::Ready
            } else {
                Start::Waiting
            };
            self.thread(pid, tid, start);
        }
        let mut time = 0;
        for _ in 0..steps {
            time += 1 + i64::try_from(random.below(200)).unwrap();
            self.step(time, random);
        }
        time
    }

    fn step(&mut self, time: i64, random: &mut Random) {
        let cpu = u16::try_from(random.below(self.running.len())).unwrap();
        let runs = self.running[usize::from(cpu)];
        let choice = random.below(10);
        if choice < 4
            && let Some(tid) = self.any(State::Waiting, random)
        {
            let waker = if runs == 0 || choice == 0 {
                Waker::Interrupt
            } else {
                Waker::Thread(runs)
            };
            let frames = frames(random);
            self.ready(time, cpu, tid, waker).stack(&frames);
            return;
        }
        let next = self.any(State::Ready, random);
        let leaves = if choice < 7 || next.is_none() {
            Leaves::Waits(REASONS[random.below(REASONS.len())])
        } else {
            Leaves::Ready
        };
        // A processor without work goes idle; one that is already idle stays so.
        let new = next.filter(|_| choice != 9).unwrap_or(0);
        if new != runs {
            let frames = frames(random);
            let switched = self.switch(time, cpu, new, leaves);
            if new != 0 {
                switched.stack(&frames);
            }
        }
    }

    fn any(&self, state: State, random: &mut Random) -> Option<u32> {
        let all = self
            .threads
            .iter()
            .filter(|(_, (_, line))| line.state() == state);
        let all: Vec<u32> = all.map(|(tid, _)| *tid).collect();
        (!all.is_empty()).then(|| all[random.below(all.len())])
    }
}

/// Some frames in the kernel and some in user mode, or none.
fn frames(random: &mut Random) -> Vec<u64> {
    let kernel = (0..random.below(3)).map(|_| 0xffff_f800_0000_0000);
    let bases: Vec<u64> = kernel.chain([0x7ff6_0000_0000; 2]).collect();
    let count = random.below(bases.len() + 1);
    let spread = |base| base + 0x10 * random.below(50) as u64;
    bases.into_iter().take(count).map(spread).collect()
}
