//! A walk over any stack through a program with any tables of frames: where it is executed, the length
//! and bytes of the stack, then the file.
#![no_main]

use std::hint::black_box;
use std::path::PathBuf;
use std::sync::LazyLock;

use whyslow_fuzz::cut;
use whyslow_unwind::{FileId, Limits, NewMapping, Unwinder, UserRegs};

static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    std::env::temp_dir().join(format!("whyslow-fuzz-unwind-{}", std::process::id()))
});

/// The process, where the file is mapped, and where the stack is.
const PID: u32 = 7;
const BASE: u64 = 0x40_0000;
const STACK: u64 = 0x7ffc_0000_0000;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((place, data)) = data.split_first_chunk::<2>() else {
        return;
    };
    let (stack, file) = cut(data);
    std::fs::write(&*FILE, file).expect("a file");
    let limits = Limits::default();
    let most = limits.max_depth;
    let mut unwinder = Unwinder::new(limits);
    let mapping = NewMapping {
        start: BASE,
        end: BASE + 0x10_0000,
        file_offset: 0,
        path: &FILE,
        file: FileId::Unknown,
    };
    unwinder.mapping(PID, &mapping);
    let ip = BASE + u64::from(u16::from_le_bytes(*place));
    let regs = UserRegs::from_ip_sp_bp(ip, STACK, STACK + 16);
    let mut frames = Vec::new();
    // The second walk finds the rules of the first.
    for _ in 0..2 {
        frames.clear();
        black_box(unwinder.unwind(PID, &regs, stack, &mut frames));
        assert!(!frames.is_empty() && frames.len() <= most);
    }
    black_box(unwinder.is_root_function(PID, ip));
    std::fs::remove_file(&*FILE).expect("the file");
});
