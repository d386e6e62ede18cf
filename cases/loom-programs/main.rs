//! Runs the programs of a loom on a small virtual machine, to see how much thread each pattern takes.
use std::time::{Duration, Instant};

#[derive(Clone, Copy)]
enum Op {
    Push(i64),
    Load(u8),
    Store(u8),
    Add,
    Mul,
    Mod(i64),
    JumpIfLess(i64, usize),
    Weave,
    End,
}

struct Loom {
    stack: Vec<i64>,
    slots: [i64; 4],
    threads: [u64; 8],
}

impl Loom {
    fn new() -> Loom {
        Loom { stack: Vec::with_capacity(16), slots: [0; 4], threads: [0; 8] }
    }

    fn pop(&mut self) -> i64 {
        self.stack.pop().expect("an empty stack")
    }

    fn run(&mut self, program: &[Op]) -> u64 {
        let (mut at, mut steps) = (0, 0);
        loop {
            steps += 1;
            match program[at] {
                Op::Push(n) => self.stack.push(n),
                Op::Load(s) => self.stack.push(self.slots[s as usize]),
                Op::Store(s) => self.slots[s as usize] = self.pop(),
                Op::Add => {
                    let b = self.pop();
                    let a = self.pop();
                    self.stack.push(a.wrapping_add(b));
                }
                Op::Mul => {
                    let b = self.pop();
                    let a = self.pop();
                    self.stack.push(a.wrapping_mul(b));
                }
                Op::Mod(n) => {
                    let a = self.pop();
                    self.stack.push(a.rem_euclid(n));
                }
                Op::JumpIfLess(limit, to) => {
                    if self.pop() < limit {
                        at = to;
                        continue;
                    }
                }
                Op::Weave => {
                    let colour = self.pop() as usize;
                    self.threads[colour & 7] += 1;
                }
                Op::End => return steps,
            }
            at += 1;
        }
    }
}

fn pattern(seed: i64, picks: i64) -> Vec<Op> {
    vec![
        Op::Push(0),
        Op::Store(0),
        Op::Load(0),
        Op::Push(seed * 2 + 3),
        Op::Mul,
        Op::Load(1),
        Op::Add,
        Op::Mod(1009),
        Op::Store(1),
        Op::Load(1),
        Op::Mod(8),
        Op::Weave,
        Op::Load(0),
        Op::Push(1),
        Op::Add,
        Op::Store(0),
        Op::Load(0),
        Op::JumpIfLess(picks, 2),
        Op::End,
    ]
}

fn main() {
    let begin = Instant::now();
    let mut total = [0u64; 8];
    let (mut patterns, mut steps) = (0, 0);
    while begin.elapsed() < Duration::from_secs(2) {
        let mut loom = Loom::new();
        steps += loom.run(&pattern(patterns, 40_000));
        for (sum, n) in total.iter_mut().zip(loom.threads) {
            *sum += n;
        }
        patterns += 1;
    }
    println!("{patterns} patterns in {steps} steps, threads {total:?}");
}
