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

/// Returns the call that a thread sleeps in; `None` if it runs, or is in none.
pub fn of_thread(pid: u32, tid: u32) -> Option<Call> {
    parse(&fs::read_to_string(format!("/proc/{pid}/task/{tid}/syscall")).ok()?)
}

/// Reads `0 0x3 0x7ffd3c0 0x1 0x0 0x0 0x0 0x7ffd3a8 0x7f1c2d`.
fn parse(line: &str) -> Option<Call> {
    let mut words = line.split_ascii_whitespace();
    let number = words.next()?.parse().ok()?;
    let mut arguments = [0; 6];
    for argument in &mut arguments {
        *argument = u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok()?;
    }
    Some(Call { number, arguments })
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
        let call = parse("7 0x7ffe5f 0x1 0xffffffff 0x0 0x8 0x10 0x7ffd3a8 0x7f1c2d\n");
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
