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

#[inline(never)]
fn weak_sum(window: &[u8]) -> u32 {
    let (mut a, mut b) = (0u32, 0u32);
    for &byte in window {
        a = a.wrapping_add(byte as u32);
        b = b.wrapping_add(a);
    }
    (b << 16) | (a & 0xffff)
}

fn strong_sum(window: &[u8]) -> u64 {
    window.iter().fold(0xcbf29ce484222325, |hash, &byte| (hash ^ byte as u64).wrapping_mul(0x100000001b3))
}

fn sign(old: &[u8]) -> Signature {
    let mut weak: HashMap<u32, Vec<(usize, u64)>> = HashMap::new();
    for (number, block) in old.chunks_exact(BLOCK).enumerate() {
        weak.entry(weak_sum(block)).or_default().push((number, strong_sum(block)));
    }
    Signature { weak }
}

fn find(signature: &Signature, window: &[u8]) -> Option<usize> {
    let candidates = signature.weak.get(&weak_sum(window))?;
    let strong = strong_sum(window);
    candidates.iter().find(|(_, sum)| *sum == strong).map(|(number, _)| *number)
}

#[inline(never)]
fn delta(signature: &Signature, new: &[u8], end: Instant) -> (Vec<Op>, usize) {
    let (mut ops, mut literal, mut at) = (Vec::new(), Vec::new(), 0);
    while at + BLOCK <= new.len() {
        match find(signature, &new[at..at + BLOCK]) {
            Some(number) => {
                if !literal.is_empty() {
                    ops.push(Op::Data(std::mem::take(&mut literal)));
                }
                ops.push(Op::Copy(number));
                at += BLOCK;
            }
            None => {
                literal.push(new[at]);
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
    let before = Instant::now();
    let (ops, done) = delta(&signature, &new, start + Duration::from_secs(2));
    let share = before.elapsed().as_secs_f64();
    let (copies, bytes) = write_delta(&ops)?;
    println!("{} KB done: {copies} blocks to copy, {bytes} bytes of data", done >> 10);
    std::fs::write("truth", format!("share {:.3}\n", share / start.elapsed().as_secs_f64()))
}
