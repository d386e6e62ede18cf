//! User registers as `PERF_SAMPLE_REGS_USER` delivers them.
//!
//! Kept by DWARF register number, because that is what call frame information speaks of. Only
//! x86-64 exists so far; another architecture gets a constructor and constants of its own here and
//! a register file in `cfi`. Sources: the x86-64 psABI (DWARF numbers) and the kernel's
//! `arch/x86/include/uapi/asm/perf_regs.h` (order of the perf mask).

/// Number of DWARF registers kept on x86-64: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8–r15, rip.
pub(super) const COUNT: usize = 17;
pub(super) const RBX: usize = 3;
pub(super) const RBP: usize = 6;
pub(super) const RSP: usize = 7;
pub(super) const R12: usize = 12;
pub(super) const R13: usize = 13;
pub(super) const R15: usize = 15;
pub(super) const RIP: usize = 16;

/// Perf's bit number of each register, in perf's order (ascending bits), with its DWARF number.
const PERF_X86_64: [(u32, usize); COUNT] = [
    (0, 0),
    (1, RBX),
    (2, 2),
    (3, 1),
    (4, 4),
    (5, 5),
    (6, RBP),
    (7, RSP),
    (8, RIP),
    (16, 8),
    (17, 9),
    (18, 10),
    (19, 11),
    (20, R12),
    (21, R13),
    (22, 14),
    (23, R15),
];

/// The user-mode registers of a thread at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UserRegs {
    pub(super) values: [u64; COUNT],
    /// Bit n: DWARF register n is known.
    pub(super) valid: u32,
}

impl UserRegs {
    /// The `sample_regs_user` mask to record on x86-64: all general registers and the instruction
    /// pointer.
    pub const PERF_MASK_X86_64: u64 = 0x00ff_01ff;

    /// Registers from the values of a perf sample recorded with `mask`, in the order of the mask's
    /// bits. `None` if an instruction or stack pointer is missing or there are too few values.
    pub fn from_perf_x86_64(mask: u64, values: &[u64]) -> Option<Self> {
        let mut regs = Self {
            values: [0; COUNT],
            valid: 0,
        };
        for (bit, dwarf) in PERF_X86_64 {
            if mask & (1 << bit) == 0 {
                continue;
            }
            let index = (mask & ((1 << bit) - 1)).count_ones() as usize;
            regs.values[dwarf] = *values.get(index)?;
            regs.valid |= 1 << dwarf;
        }
        let needed = 1 << RIP | 1 << RSP;
        (regs.valid & needed == needed).then_some(regs)
    }

    /// Registers when only instruction pointer, stack pointer and frame pointer are known.
    pub fn from_ip_sp_bp(ip: u64, sp: u64, bp: u64) -> Self {
        let mut regs = Self {
            values: [0; COUNT],
            valid: 1 << RIP | 1 << RSP | 1 << RBP,
        };
        regs.values[RIP] = ip;
        regs.values[RSP] = sp;
        regs.values[RBP] = bp;
        regs
    }

    /// Instruction pointer.
    pub fn ip(&self) -> u64 {
        self.values[RIP]
    }

    /// Stack pointer.
    pub fn sp(&self) -> u64 {
        self.values[RSP]
    }

    /// Frame pointer, if known.
    pub fn frame_pointer(&self) -> Option<u64> {
        self.get(RBP)
    }

    /// Register r13, if known: where the interpreter of HotSpot keeps its place.
    pub fn r13(&self) -> Option<u64> {
        self.get(R13)
    }

    pub(super) fn get(&self, dwarf: usize) -> Option<u64> {
        (dwarf < COUNT && self.valid & (1 << dwarf) != 0).then(|| self.values[dwarf])
    }

    /// Forgets the registers that a call does not preserve.
    pub(super) fn leave_caller_saved(&mut self) {
        const KEPT: u32 =
            1 << RBX | 1 << RBP | 1 << RSP | 1 << R12 | 1 << R13 | 1 << 14 | 1 << R15 | 1 << RIP;
        self.valid &= KEPT;
    }

    pub(super) fn set(&mut self, dwarf: usize, value: Option<u64>) {
        match value {
            Some(value) => {
                self.values[dwarf] = value;
                self.valid |= 1 << dwarf;
            }
            None => self.valid &= !(1 << dwarf),
        }
    }
}
