// Finds out which blocks of a file the other side already has (as rsync does), and writes the delta.
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

const BLOCK: usize = 1024;

struct Signature {
    weak: HashMap<u32, Vec<(usize, u64)>>,
}

enum Op {
    Copy(usize),
    Data(Vec<u8>),
}

#[derive(Clone, Copy)]
struct Weak {
    a: u32,
    b: u32,
}

impl Weak {
    fn of(window: &[u8]) -> Weak {
        let (mut a, mut b) = (0u32, 0u32);
        for &byte in window {
            a = a.wrapping_add(byte as u32);
            b = b.wrapping_add(a);
        }
        Weak { a, b }
    }

    fn roll(self, old: u8, new: u8) -> Weak {
        let a = self.a.wrapping_sub(old as u32).wrapping_add(new as u32);
        let b = self.b.wrapping_sub(BLOCK as u32 * old as u32).wrapping_add(a);
        Weak { a, b }
    }

    fn value(self) -> u32 {
        (self.b << 16) | (self.a & 0xffff)
    }
}

fn strong_sum(window: &[u8]) -> u64 {
    window.iter().fold(0xcbf29ce484222325, |hash, &byte| (hash ^ byte as u64).wrapping_mul(0x100000001b3))
}

fn sign(old: &[u8]) -> Signature {
    let mut weak: HashMap<u32, Vec<(usize, u64)>> = HashMap::new();
    for (number, block) in old.chunks_exact(BLOCK).enumerate() {
        weak.entry(Weak::of(block).value()).or_default().push((number, strong_sum(block)));
    }
    Signature { weak }
}

fn find(signature: &Signature, weak: Weak, window: &[u8]) -> Option<usize> {
    let candidates = signature.weak.get(&weak.value())?;
    let strong = strong_sum(window);
    candidates.iter().find(|(_, sum)| *sum == strong).map(|(number, _)| *number)
}

fn delta(signature: &Signature, new: &[u8], end: Instant) -> (Vec<Op>, usize) {
    let (mut ops, mut literal, mut at) = (Vec::new(), Vec::new(), 0);
    let mut weak = Weak::of(&new[..BLOCK]);
    while at + BLOCK < new.len() {
        match find(signature, weak, &new[at..at + BLOCK]) {
            Some(number) => {
                if !literal.is_empty() {
                    ops.push(Op::Data(std::mem::take(&mut literal)));
                }
                ops.push(Op::Copy(number));
                at += BLOCK;
                if at + BLOCK <= new.len() {
                    weak = Weak::of(&new[at..at + BLOCK]);
                }
            }
            None => {
                literal.push(new[at]);
                weak = weak.roll(new[at], new[at + BLOCK]);
                at += 1;
                if at % 4096 == 0 && Instant::now() > end {
                    break;
                }
            }
        }
    }
    ops.push(Op::Data(literal));
    (ops, at)
}

fn old_and_new() -> (Vec<u8>, Vec<u8>) {
    let mut seed = 12345u64;
    let mut byte = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 56) as u8
    };
    let old: Vec<u8> = (0..24 << 20).map(|_| byte()).collect();
    let mut new = old.clone();
    for place in (0..new.len()).step_by(1900) {
        new[place] ^= 0x55; // a field in each record has changed
    }
    (old, new)
}

fn write_delta(ops: &[Op]) -> std::io::Result<(usize, usize)> {
    let mut out = BufWriter::with_capacity(1 << 16, File::create("delta")?);
    let (mut copies, mut bytes) = (0, 0);
    for op in ops {
        match op {
            Op::Copy(number) => {
                out.write_all(&[0])?;
                out.write_all(&(*number as u32).to_le_bytes())?;
                copies += 1;
            }
            Op::Data(data) => {
                out.write_all(&[1])?;
                out.write_all(&(data.len() as u32).to_le_bytes())?;
                out.write_all(data)?;
                bytes += data.len();
            }
        }
    }
    out.flush()?;
    Ok((copies, bytes))
}

fn main() -> std::io::Result<()> {
    let start = Instant::now();
    let (old, new) = old_and_new();
    let signature = sign(&old);
    let (mut rounds, mut done) = (0, 0);
    while start.elapsed() < Duration::from_secs(2) {
        let (ops, at) = delta(&signature, &new, start + Duration::from_secs(3));
        let (copies, bytes) = write_delta(&ops)?;
        if rounds == 0 {
            println!("{copies} blocks to copy, {bytes} bytes of data");
        }
        done += at;
        rounds += 1;
    }
    println!("{rounds} rounds, {} KB", done >> 10);
    Ok(())
}
