//! The system calls that threads are in, and the memory that their arguments lead to: `/proc/PID/task/TID/syscall` and
//! `/proc/PID/mem`.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;

/// A system call that a thread is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its number.
    pub number: u64,
    /// Its arguments.
    pub arguments: [u64; 6],
}

/// Returns the call that a thread sleeps in; `None` if it runs, is in no call, or belongs to a 32-bit program, whose
/// calls have other numbers.
pub fn of_thread(pid: u32, tid: u32) -> Option<Call> {
    parse(&fs::read_to_string(format!("/proc/{pid}/task/{tid}/syscall")).ok()?)
}

/// Reads `0 0x3 0x7ffd3c0 0x1 0x0 0x0 0x0 0x7ffd3a80f00 0x7f1c2d`: the number, the arguments, where the stack is, and
/// the instruction.
fn parse(line: &str) -> Option<Call> {
    let mut words = line.split_ascii_whitespace();
    let number = words.next()?.parse().ok()?;
    let mut arguments = [0; 6];
    for argument in &mut arguments {
        *argument = hexadecimal(words.next()?)?;
    }
    // A stack at so low an address belongs to a 32-bit program.
    let stack = hexadecimal(words.next()?)?;
    (stack > u64::from(u32::MAX)).then_some(Call { number, arguments })
}

fn hexadecimal(word: &str) -> Option<u64> {
    u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()
}

/// Fills `bytes` with the memory of a process from an address on; false if not all of it can be read.
pub fn read_memory(pid: u32, address: u64, bytes: &mut [u8]) -> bool {
    let memory = File::open(format!("/proc/{pid}/mem"));
    memory.is_ok_and(|memory| memory.read_exact_at(bytes, address).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_call_with_its_arguments() {
        let call = parse("7 0x7ffe5f 0x1 0xffffffff 0x0 0x8 0x10 0x7ffd3a80f00 0x7f1c2d\n");
        let expected = Call {
            number: 7,
            arguments: [0x7f_fe5f, 1, 0xffff_ffff, 0, 8, 16],
        };
        assert_eq!(call, Some(expected));
        for none in [
            "running\n",
            "-1 0x7ffd3a8 0x7f1c2d\n",
            "",
            "7 0x1",
            "7 1 2 3 4 5 6 7",
            "7 0x7ffe5f 0x1 0xffffffff 0x0 0x8 0x10",
            // `waitpid` of 32 bits, which would be `poll`.
            "7 0xffffffff 0xff9a1c2c 0x0 0x0 0x0 0x0 0xff9a1bd8 0xf7f4a579",
        ] {
            assert_eq!(parse(none), None, "{none}");
        }
    }

    #[test]
    fn memory_is_read_whole_or_not_at_all() {
        let value = [1_u8, 2, 3, 4];
        let mut read = [0; 4];
        let address = value.as_ptr() as u64;
        assert!(read_memory(std::process::id(), address, &mut read));
        assert_eq!(read, value);
        assert!(!read_memory(std::process::id(), 8, &mut read));
    }
}
