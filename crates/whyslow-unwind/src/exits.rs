//! The way out of a function without call frame information: its code says what it does to the stack.
//!
//! From where the function is, its instructions are followed to its return, along both ways of every branch
//! until one arrives. Calls leave the stack as it was. Only what changes the stack pointer, or brings back
//! saved registers, matters; of all other instructions only the length does. The return address found this
//! way must follow a call.
//!
//! Static programs of musl are made so: neither its own code nor the programs' have tables for unwinding.

use super::regs::{R12, R15, RBP, RBX, RSP, UserRegs};

/// Instructions that are followed for one frame, and for all frames of one stack.
const MOST_STEPS: usize = 1024;
const MOST_STEPS_OF_STACK: usize = 4096;
/// Branches that are still to be followed.
const MOST_BRANCHES: usize = 256;
/// Longest instruction.
const MOST_BYTES: usize = 15;

/// Code of a file.
pub(super) trait ReadCode {
    /// Returns the bytes from an address on.
    fn bytes(&self, address: u64) -> Option<&[u8]>;
}

/// Instructions that may still be followed for a stack.
#[derive(Debug)]
pub(super) struct Budget(usize);

impl Budget {
    pub(super) fn of_stack() -> Self {
        Self(MOST_STEPS_OF_STACK)
    }
}

/// What was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The registers at the return.
    pub(super) regs: Option<UserRegs>,
    /// The way there, or that there is none, if it is the same for all frames that are at this place.
    pub(super) way: Option<Option<WayOut>>,
}

/// A way out that depends on nothing but the stack pointer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct WayOut {
    /// How far above the stack pointer the return address is.
    up: u64,
    /// Which registers are brought back from how far above the stack pointer.
    saved: Vec<(usize, u64)>,
}

impl WayOut {
    /// Returns the registers at the return.
    pub(super) fn follow(&self, regs: &UserRegs, read: &dyn Fn(u64) -> Option<u64>) -> UserRegs {
        let mut out = *regs;
        for (register, above) in &self.saved {
            out.set(*register, read(regs.sp().wrapping_add(*above)));
        }
        out.set(RSP, Some(regs.sp().wrapping_add(self.up)));
        out
    }
}

/// Finds the registers as they are at the return of the function that the code at `ip` is in: the stack pointer
/// is where the return address is.
pub(super) fn at_return(
    code: &dyn ReadCode,
    ip: u64,
    regs: &UserRegs,
    read: &dyn Fn(u64) -> Option<u64>,
    budget: &mut Budget,
) -> Found {
    let lowest = regs.sp();
    let mut todo = vec![(ip, *regs, WayOut::default())];
    let mut seen = std::collections::BTreeSet::new();
    let most = MOST_STEPS.min(budget.0);
    let mut steps = 0;
    // Whether nothing but the stack pointer counted.
    let mut is_plain = true;
    while let Some((mut at, mut regs, mut way)) = todo.pop() {
        let mut is_behind_call = false;
        while steps < most && seen.insert(at) {
            steps += 1;
            budget.0 -= 1;
            let Some(one) = Instruction::decode(code.bytes(at).unwrap_or_default()) else {
                break;
            };
            let next = at.wrapping_add(one.length as u64);
            // Behind a call that never returns is what fills the room before the next function; but it may fill
            // the room before a loop as well: other ways come first.
            if is_behind_call && one.is_filling() {
                todo.insert(0, (next, regs, way));
                break;
            }
            is_behind_call = matches!(one.does, Does::Call);
            match one.does {
                Does::Return if regs.sp() >= lowest => {
                    return Found {
                        regs: Some(regs),
                        way: is_plain.then_some(Some(way)),
                    };
                }
                Does::Return | Does::Stop => break,
                Does::Jump(by) => {
                    at = next.wrapping_add_signed(by);
                    continue;
                }
                Does::Branch(by) if todo.len() < MOST_BRANCHES => {
                    todo.push((next.wrapping_add_signed(by), regs, way.clone()));
                }
                Does::Move(by) => {
                    regs.set(RSP, Some(regs.sp().wrapping_add_signed(by)));
                    way.up = way.up.wrapping_add_signed(by);
                }
                Does::FromFrame(by) => {
                    is_plain = false;
                    let Some(frame) = regs.get(RBP) else {
                        break;
                    };
                    regs.set(RSP, Some(frame.wrapping_add_signed(by)));
                }
                Does::SetFrame => {
                    is_plain = false;
                    regs.set(RBP, Some(regs.sp()));
                }
                Does::Pop(register) => {
                    let value = read(regs.sp());
                    regs.set(RSP, Some(regs.sp().wrapping_add(8)));
                    if matches!(register, RBX | RBP | R12..=R15) {
                        regs.set(register, value);
                        way.saved.retain(|(known, _)| *known != register);
                        way.saved.push((register, way.up));
                    }
                    way.up = way.up.wrapping_add(8);
                }
                Does::Leave => {
                    is_plain = false;
                    let Some(frame) = regs.get(RBP) else {
                        break;
                    };
                    regs.set(RBP, read(frame));
                    regs.set(RSP, Some(frame.wrapping_add(8)));
                }
                Does::Branch(_) | Does::Call | Does::Nothing => {}
            }
            at = next;
        }
    }
    let is_whole = steps < most || most == MOST_STEPS;
    Found {
        regs: None,
        way: (is_plain && is_whole).then_some(None),
    }
}

/// Returns whether the code before an address is a call.
pub(super) fn is_behind_call(code: &dyn ReadCode, address: u64) -> bool {
    (2..=7_u64).any(|length| {
        let start = address.wrapping_sub(length);
        let one = code.bytes(start).and_then(Instruction::decode);
        one.is_some_and(|one| one.length as u64 == length && matches!(one.does, Does::Call))
    })
}

/// What an instruction does to the stack pointer, and what comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    Nothing,
    Call,
    Return,
    /// Nothing known comes next.
    Stop,
    Jump(i64),
    /// May jump.
    Branch(i64),
    /// Moves the stack pointer.
    Move(i64),
    /// Sets the stack pointer to this much above the frame pointer.
    FromFrame(i64),
    /// Sets the frame pointer to the stack pointer.
    SetFrame,
    Pop(usize),
    Leave,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Instruction {
    length: usize,
    does: Does,
    /// `nop` or `int3`.
    fills: bool,
}

/// Bits of the prefix that extends registers and widths.
const REX_W: u8 = 8;
const REX_R: u8 = 4;
const REX_B: u8 = 1;

/// What follows the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Operands {
    modrm: Option<u8>,
    /// The base is the stack pointer, according to the byte after `modrm`.
    is_stack_based: bool,
    displacement: i64,
    immediate: i64,
}

impl Instruction {
    fn is_filling(&self) -> bool {
        self.fills
    }

    /// Decodes the instruction at the beginning of the bytes.
    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader {
            bytes: bytes.get(..bytes.len().min(MOST_BYTES))?,
            at: 0,
        };
        let (mut is_short, mut rex) = (false, 0);
        let operation = loop {
            match reader.byte()? {
                0x66 => is_short = true,
                0x67 | 0xf0 | 0xf2 | 0xf3 | 0x2e | 0x36 | 0x3e | 0x26 | 0x64 | 0x65 => {}
                byte @ 0x40..=0x4f => {
                    rex = byte & 0xf;
                    break reader.byte()?;
                }
                byte => break byte,
            }
        };
        let (map, operation) = match operation {
            0x0f => match reader.byte()? {
                0x38 => (2, reader.byte()?),
                0x3a => (3, reader.byte()?),
                operation => (1, operation),
            },
            0xc5 => {
                reader.byte()?;
                (1, reader.byte()?)
            }
            0xc4 | 0x62 => {
                let map = reader.byte()? & 7;
                reader.byte()?;
                if operation == 0x62 {
                    reader.byte()?;
                }
                (map, reader.byte()?)
            }
            operation => (0, operation),
        };
        let form = match map {
            0 => form(operation, is_short, rex & REX_W != 0)?,
            1 => form_of_two_bytes(operation),
            2 => (true, 0),
            3 => (true, 1),
            _ => return None,
        };
        let operands = reader.operands(form, (map, operation), is_short)?;
        let does = match map {
            0 => does(operation, rex, &operands),
            1 => match operation {
                0x0b => Does::Stop,
                0x80..=0x8f => Does::Branch(operands.immediate),
                _ => Does::Nothing,
            },
            _ => Does::Nothing,
        };
        let fills = matches!((map, operation), (0, 0x90 | 0xcc) | (1, 0x1f));
        Some(Self {
            length: reader.at,
            does,
            fills,
        })
    }
}

/// Returns whether the byte `modrm` follows an operation, and how many bytes of a number; `None`: there is no
/// such operation.
fn form(operation: u8, is_short: bool, is_wide: bool) -> Option<(bool, usize)> {
    let full = if is_short { 2 } else { 4 };
    Some(match operation {
        0x00..=0x3f => match operation & 7 {
            0..=3 => (true, 0),
            4 => (false, 1),
            5 => (false, full),
            _ => return None,
        },
        0x63 | 0x84..=0x8f | 0xd0..=0xd3 | 0xd8..=0xdf | 0xf6 | 0xf7 | 0xfe | 0xff => (true, 0),
        0x68 | 0xa9 => (false, full),
        0x69 | 0x81 | 0xc7 => (true, full),
        0x6b | 0x80 | 0x83 | 0xc0 | 0xc1 | 0xc6 => (true, 1),
        0x6a | 0x70..=0x7f | 0xa8 | 0xb0..=0xb7 | 0xcd | 0xe0..=0xe7 | 0xeb => (false, 1),
        0xa0..=0xa3 => (false, 8),
        0xb8..=0xbf if is_wide => (false, 8),
        0xb8..=0xbf => (false, full),
        0xc2 | 0xca => (false, 2),
        0xc8 => (false, 3),
        0xe8 | 0xe9 => (false, 4),
        0x60..=0x62 | 0x82 | 0x9a | 0xc4 | 0xc5 | 0xd4..=0xd6 | 0xea => return None,
        _ => (false, 0),
    })
}

/// The same for operations after 0x0f.
fn form_of_two_bytes(operation: u8) -> (bool, usize) {
    match operation {
        0x05..=0x0b | 0x30..=0x37 | 0x77 | 0xa0..=0xa2 | 0xa8..=0xaa | 0xc8..=0xcf => (false, 0),
        0x80..=0x8f => (false, 4),
        0x70..=0x73 | 0xa4 | 0xac | 0xba | 0xc2 | 0xc4..=0xc6 => (true, 1),
        _ => (true, 0),
    }
}

/// Returns what an operation of one byte does.
fn does(operation: u8, rex: u8, operands: &Operands) -> Does {
    const STACK: u8 = 4;
    const FRAME: u8 = 5;
    let modrm = operands.modrm.unwrap_or(0);
    let (mode, middle, low) = (modrm >> 6, modrm >> 3 & 7, modrm & 7);
    let is_wide = rex & REX_W != 0;
    let is_low = |register: u8| mode == 3 && low == register && rex & REX_B == 0;
    let is_middle = |register: u8| middle == register && rex & REX_R == 0;
    match operation {
        0x50..=0x57 | 0x68 | 0x6a => Does::Move(-8),
        0x58..=0x5f => Does::Pop(dwarf(operation & 7 | (rex & REX_B) << 3)),
        0x8f => Does::Move(8),
        0x81 | 0x83 if is_wide && is_low(STACK) => match middle {
            0 => Does::Move(operands.immediate),
            5 => Does::Move(-operands.immediate),
            7 => Does::Nothing,
            _ => Does::Stop,
        },
        0x8d if is_wide && is_middle(STACK) => match low {
            STACK if operands.is_stack_based && rex & REX_B == 0 => {
                Does::Move(operands.displacement)
            }
            FRAME if mode != 0 && rex & REX_B == 0 => Does::FromFrame(operands.displacement),
            _ => Does::Stop,
        },
        0x89 if is_wide && is_low(STACK) => match is_middle(FRAME) {
            true => Does::FromFrame(0),
            false => Does::Stop,
        },
        0x89 if is_wide && is_low(FRAME) && is_middle(STACK) => Does::SetFrame,
        0x8b if is_wide && is_middle(STACK) => match is_low(FRAME) {
            true => Does::FromFrame(0),
            false => Does::Stop,
        },
        0x8b if is_wide && is_middle(FRAME) && is_low(STACK) => Does::SetFrame,
        0xc2 | 0xc3 => Does::Return,
        0xc9 => Does::Leave,
        0xcc | 0xf4 => Does::Stop,
        0xe8 => Does::Call,
        0xe9 | 0xeb => Does::Jump(operands.immediate),
        0x70..=0x7f | 0xe0..=0xe3 => Does::Branch(operands.immediate),
        0xff => match middle {
            2 => Does::Call,
            4 => Does::Stop,
            6 => Does::Move(-8),
            _ => Does::Nothing,
        },
        _ => Does::Nothing,
    }
}

/// The DWARF number of a register.
fn dwarf(register: u8) -> usize {
    const LOW: [usize; 8] = [0, 2, 1, RBX, RSP, RBP, 4, 5];
    let register = usize::from(register);
    LOW.get(register).copied().unwrap_or(register)
}

/// Reads an instruction.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied()?;
        self.at += 1;
        Some(byte)
    }

    /// Reads a number with a sign.
    fn number(&mut self, bytes: usize) -> Option<i64> {
        let from = self.bytes.get(self.at..self.at.checked_add(bytes)?)?;
        self.at += bytes;
        let mut value = 0_u64;
        for (place, byte) in (0..).zip(from) {
            value |= u64::from(*byte) << (8 * place);
        }
        let unused = 64 - 8 * u32::try_from(bytes).ok()?.min(8);
        Some(match bytes {
            0 => 0,
            _ => (value << unused).cast_signed() >> unused,
        })
    }

    fn operands(
        &mut self,
        (has_modrm, immediate): (bool, usize),
        operation: (u8, u8),
        is_short: bool,
    ) -> Option<Operands> {
        let mut operands = Operands {
            modrm: None,
            is_stack_based: false,
            displacement: 0,
            immediate: 0,
        };
        let mut immediate = immediate;
        if has_modrm {
            let modrm = self.byte()?;
            operands.modrm = Some(modrm);
            let (mode, low) = (modrm >> 6, modrm & 7);
            let mut base = low;
            if mode != 3 && low == 4 {
                let scaled = self.byte()?;
                base = scaled & 7;
                operands.is_stack_based = scaled == 0x24;
            }
            let size = match (mode, base) {
                (0, 5) | (2, _) => 4,
                (1, _) => 1,
                _ => 0,
            };
            operands.displacement = self.number(size)?;
            // `test` has a number, the others of its group have none.
            immediate = match (operation, modrm >> 3 & 7) {
                ((0, 0xf6), 0 | 1) => 1,
                ((0, 0xf7), 0 | 1) if is_short => 2,
                ((0, 0xf7), 0 | 1) => 4,
                _ => immediate,
            };
        }
        operands.immediate = self.number(immediate)?;
        Some(operands)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bytes<'a>(&'a [u8]);

    impl ReadCode for Bytes<'_> {
        fn bytes(&self, address: u64) -> Option<&[u8]> {
            self.0.get(usize::try_from(address).ok()?..)
        }
    }

    /// Returns how far above the stack pointer the return address is, and the frame pointer there.
    fn out(code: &[u8], ip: u64) -> Option<(u64, Option<u64>)> {
        let regs = UserRegs::from_ip_sp_bp(ip, 0x1000, 0x1100);
        let read = |address| Some(address + 1);
        let found = at_return(&Bytes(code), ip, &regs, &read, &mut Budget::of_stack());
        // What is remembered leads to the same.
        let again = |way: Option<WayOut>| way.map(|way| way.follow(&regs, &read));
        if let Some(way) = found.way {
            assert_eq!(again(way), found.regs, "{code:x?}");
        }
        let regs = found.regs?;
        assert!(regs.sp() >= 0x1000, "{code:x?}");
        Some((regs.sp() - 0x1000, regs.get(RBP)))
    }

    #[test]
    fn the_way_out_says_where_the_return_address_is() {
        // push rbx; sub rsp, 0x20; call; add rsp, 0x20; pop rbx; ret
        let code = [
            0x53, 0x48, 0x83, 0xec, 0x20, 0xe8, 1, 2, 3, 4, 0x48, 0x83, 0xc4, 0x20, 0x5b, 0xc3,
        ];
        assert_eq!(out(&code, 0), Some((0, Some(0x1100))));
        assert_eq!(out(&code, 10), Some((0x28, Some(0x1100))));
        assert_eq!(out(&code, 15), Some((0, Some(0x1100))));
        assert!(is_behind_call(&Bytes(&code), 10));
        assert!(!is_behind_call(&Bytes(&code), 14));
        // With a frame pointer: mov eax, [rbp-4]; leave; ret
        let code = [0x8b, 0x45, 0xfc, 0xc9, 0xc3];
        assert_eq!(out(&code, 0), Some((0x108, Some(0x1101))));
        // pop rbp brings it back: lea rsp, [rsp+0x88]; pop rbp; pop r12; ret
        let code = [
            0x48, 0x8d, 0xa4, 0x24, 0x88, 0, 0, 0, 0x5d, 0x41, 0x5c, 0xc3,
        ];
        assert_eq!(out(&code, 0), Some((0x98, Some(0x1089))));
    }

    #[test]
    fn loops_and_calls_that_never_return_are_left() {
        // cmp; je +4; nop; nop; jmp back; pop rax; ret
        let code = [0x39, 0xc8, 0x74, 4, 0x90, 0x90, 0xeb, 0xf8, 0x58, 0xc3];
        assert_eq!(out(&code, 0), Some((8, Some(0x1100))));
        // je +8; call; nop; ret; pop rax; ret: behind the nop may be the next function.
        let code = [0x74, 8, 0xe8, 1, 2, 3, 4, 0x66, 0x90, 0xc3, 0x58, 0xc3];
        assert_eq!(out(&code, 0), Some((8, Some(0x1100))));
        assert_eq!(out(&code, 2), Some((0, Some(0x1100))));
        // An endless loop, a jump to nobody knows where, half an instruction.
        assert_eq!(out(&[0xeb, 0xfe], 0), None);
        assert_eq!(out(&[0xff, 0xe0, 0xc3], 0), None);
        assert_eq!(out(&[0x48, 0x81, 0xc4, 1], 0), None);
    }

    #[test]
    fn only_ways_that_are_always_the_same_are_remembered() {
        let regs = UserRegs::from_ip_sp_bp(0, 0x1000, 0x1100);
        let way = |code: &[u8], steps| {
            let mut budget = Budget(steps);
            at_return(&Bytes(code), 0, &regs, &|_| None, &mut budget).way
        };
        // add rsp, 0x20; pop rbx; ret
        let saved = vec![(RBX, 0x20)];
        let code = [0x48, 0x83, 0xc4, 0x20, 0x5b, 0xc3];
        assert_eq!(way(&code, 3), Some(Some(WayOut { up: 0x28, saved })));
        // mov rbp, rsp; ret. leave; ret
        assert_eq!(way(&[0x48, 0x89, 0xe5, 0xc3], 9), None);
        assert_eq!(way(&[0xc9, 0xc3], 9), None);
        // There is none, as far as the code was followed.
        assert_eq!(way(&[0x90, 0xf4], 9), Some(None));
        assert_eq!(way(&code, 2), None);
    }

    #[test]
    fn one_stack_has_one_budget() {
        let mut code = vec![0x90; 900];
        code.push(0xc3);
        let regs = UserRegs::from_ip_sp_bp(0, 0x1000, 0x1100);
        let mut budget = Budget::of_stack();
        let mut found = || at_return(&Bytes(&code), 0, &regs, &|_| None, &mut budget).regs;
        let frames = (0..100).filter(|_| found().is_some()).count();
        assert_eq!(frames, MOST_STEPS_OF_STACK / 901);
    }

    #[test]
    fn instructions_have_their_lengths() {
        for (bytes, length) in [
            (&[0xf3, 0x48, 0xa5][..], 3),
            (&[0xf3, 0x0f, 0x1e, 0xfa], 4),
            (&[0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0], 10),
            (&[0xc5, 0xf8, 0x77], 3),
            (&[0xc4, 0xe3, 0x7d, 0x39, 0xc1, 1], 6),
            (&[0x62, 0xf1, 0x7c, 0x48, 0x10, 0x47, 1], 7),
            (&[0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8], 10),
            (&[0x48, 0xf7, 0xd8], 3),
            (&[0xf6, 0x05, 1, 2, 3, 4, 5], 7),
            (&[0x66, 0xc7, 0x44, 0x24, 8, 1, 2], 7),
        ] {
            let one = Instruction::decode(bytes).map(|one| one.length);
            assert_eq!(one, Some(length), "{bytes:x?}");
        }
    }

    #[test]
    fn any_bytes_end() {
        let mut seed = 1_u64;
        for _ in 0..2000 {
            let code: Vec<u8> = (0..64)
                .map(|_| {
                    seed ^= seed << 13;
                    seed ^= seed >> 7;
                    seed ^= seed << 17;
                    seed.to_le_bytes()[0]
                })
                .collect();
            out(&code, 0);
        }
    }
}
