//! Some instructions of x86-64: those that move, compare and combine values, and jump.
//!
//! Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2 and appendix A.

/// Where the program goes on: distances in bytes from the end of the instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    Jump(isize),
    Branch(isize),
}

/// Which memory an instruction uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Memory {
    /// In the frame of the function: the register it is counted from, and the distance.
    Slot(u8, i32),
    /// Anywhere: the registers its address is computed from, and the distance.
    Elsewhere(u32, i32),
}

/// What an instruction reads and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Instruction {
    pub(super) length: usize,
    pub(super) flow: Flow,
    /// Registers by number; bit 16 is the flags.
    pub(super) reads: u32,
    /// Likewise.
    pub(super) writes: u32,
    pub(super) memory: Option<Memory>,
    /// Whether it reads `memory`.
    pub(super) loads: bool,
    /// Whether it writes `memory`.
    pub(super) stores: bool,
}

const FLAGS: u32 = 1 << 16;

const RSP: u8 = 4;
const RBP: u8 = 5;

/// Bytes not yet read, and what the prefixes said.
struct Reader<'a> {
    bytes: &'a [u8],
    rex: u8,
    /// Operands of two bytes.
    is_short: bool,
}

/// An operand in a register or in memory, and the other one, which is a register or a part of the operation.
struct Operands {
    /// The register, where it is no memory.
    register: Option<u8>,
    memory: Option<Memory>,
    /// Registers that the address is computed from.
    address: u32,
    /// The other register, or the number of the operation.
    other: u8,
}

impl Instruction {
    /// Decodes the first instruction of `code`; `None` for one that is not known here.
    pub(super) fn decode(code: &[u8]) -> Option<Self> {
        let mut reader = Reader {
            bytes: code,
            rex: 0,
            is_short: false,
        };
        if let Some(rest) = code.strip_prefix(&[0xF3, 0x90]) {
            return Some(Self::plain().ends(code, rest));
        }
        if reader.bytes.first() == Some(&0x66) {
            reader.is_short = true;
            reader.byte()?;
        }
        if let Some(&rex @ 0x40..=0x4F) = reader.bytes.first() {
            reader.rex = rex;
            reader.byte()?;
        }
        if reader.uses_second_byte() {
            return None;
        }
        let found = reader.operation()?;
        Some(found.ends(code, reader.bytes))
    }

    /// Returns whether it writes a part of this slot: no more than eight bytes are written at once.
    pub(super) fn stores_to(&self, slot: Memory) -> bool {
        let near = match (self.memory, slot) {
            (Some(Memory::Slot(one, from)), Memory::Slot(other, to)) => {
                one == other && from.abs_diff(to) < 8
            }
            _ => false,
        };
        self.stores && near
    }

    const fn plain() -> Self {
        Self {
            length: 0,
            flow: Flow::Next,
            reads: 0,
            writes: 0,
            memory: None,
            loads: false,
            stores: false,
        }
    }

    const fn ends(mut self, code: &[u8], rest: &[u8]) -> Self {
        self.length = code.len() - rest.len();
        self
    }

    const fn goes(flow: Flow) -> Self {
        let reads = match flow {
            Flow::Branch(_) => FLAGS,
            Flow::Next | Flow::Jump(_) => 0,
        };
        Self {
            flow,
            reads,
            ..Self::plain()
        }
    }

    fn writing(mut self, writes: u32) -> Self {
        self.writes |= writes;
        self
    }

    fn reading(mut self, reads: u32) -> Self {
        self.reads |= reads;
        self
    }
}

const fn bit(register: u8) -> u32 {
    1 << register
}

impl Operands {
    /// Uses the operand without reading or writing it.
    fn begin(&self) -> Instruction {
        Instruction {
            reads: self.address,
            memory: self.memory,
            ..Instruction::plain()
        }
    }

    /// Reads the operand.
    fn read(&self) -> Instruction {
        let mut found = self.begin();
        found.loads = self.memory.is_some();
        found.reading(self.register.map_or(0, bit))
    }

    /// Writes the operand; only what is in the frame of the function may be memory.
    fn write(&self) -> Option<Instruction> {
        let mut found = self.begin();
        found.stores = self.memory.is_some();
        let known = !matches!(self.memory, Some(Memory::Elsewhere(..)));
        known.then(|| found.writing(self.register.map_or(0, bit)))
    }

    /// Reads and writes the operand.
    fn change(&self) -> Option<Instruction> {
        let mut found = self.write()?;
        found.loads = self.memory.is_some();
        Some(found.reading(self.register.map_or(0, bit)).writing(FLAGS))
    }
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    /// Whether it uses the second byte of a register: without a prefix, these have the numbers of other registers.
    const fn uses_second_byte(&self) -> bool {
        let (operand, other) = match self.bytes {
            [0x0F, 0x90..=0x9F | 0xB6 | 0xBE, modes, ..]
            | [0x80 | 0xC6 | 0xF6 | 0xFE, modes, ..] => (*modes, 0),
            [0x84 | 0x86 | 0x88 | 0x8A, modes, ..] => (*modes, *modes >> 3),
            [code @ 0x00..=0x3F, modes, ..] if matches!(*code & 7, 0 | 2) => (*modes, *modes >> 3),
            [0xB4..=0xB7, ..] => (0, 4),
            _ => (0, 0),
        };
        self.rex == 0 && (other & 4 != 0 || operand >= 0xC0 && operand & 4 != 0)
    }

    /// A number of one byte.
    fn small(&mut self) -> Option<i32> {
        Some(i32::from(self.byte()?.cast_signed()))
    }

    /// A number of four bytes.
    fn large(&mut self) -> Option<i32> {
        let (number, rest) = self.bytes.split_first_chunk::<4>()?;
        self.bytes = rest;
        Some(i32::from_le_bytes(*number))
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.bytes = self.bytes.get(count..)?;
        Some(())
    }

    /// Skips a number that is part of an operation on more than one byte.
    fn skip_number(&mut self) -> Option<()> {
        self.skip(if self.is_short && self.rex & 8 == 0 {
            2
        } else {
            4
        })
    }

    /// The register of three bits, extended by this bit of the prefix.
    const fn register(&self, low: u8, extension: u8) -> u8 {
        let high = (self.rex >> extension) & 1;
        (low & 7) | (high << 3)
    }

    fn operands(&mut self) -> Option<Operands> {
        let modes = self.byte()?;
        let (mode, low) = (modes >> 6, modes & 7);
        let other = self.register(modes >> 3, 2);
        if mode == 3 {
            return Some(Operands {
                register: Some(self.register(low, 0)),
                memory: None,
                address: 0,
                other,
            });
        }
        let (mut address, mut base, mut has_index) = (0, Some(self.register(low, 0)), false);
        if low == RSP {
            let parts = self.byte()?;
            let index = self.register(parts >> 3, 1);
            has_index = index != RSP;
            if has_index {
                address |= bit(index);
            }
            base = Some(self.register(parts, 0)).filter(|_| mode != 0 || parts & 7 != RBP);
        } else if low == RBP && mode == 0 {
            // Counted from the end of the instruction.
            base = None;
        }
        address |= base.map_or(0, bit);
        let distance = match (mode, base) {
            (1, _) => self.small()?,
            (2, _) | (_, None) => self.large()?,
            _ => 0,
        };
        let memory = match base {
            // Below RBP; above it are arguments, or it is any pointer.
            Some(base @ (RSP | RBP)) if !has_index && (base == RSP || distance < 0) => {
                Memory::Slot(base, distance)
            }
            _ => Memory::Elsewhere(address, distance),
        };
        Some(Operands {
            register: None,
            memory: Some(memory),
            address,
            other,
        })
    }

    fn operation(&mut self) -> Option<Instruction> {
        let code = self.byte()?;
        let plain = Instruction::plain();
        Some(match code {
            0x0F => return self.longer(),
            // add, or, and, sub, xor, cmp
            0x00..=0x3F if code & 7 < 6 && !matches!(code >> 3, 2 | 3) => self.arithmetic(code)?,
            0x63 | 0x8A | 0x8B => {
                let operands = self.operands()?;
                operands.read().writing(bit(operands.other))
            }
            0x70..=0x7F => Instruction::goes(Flow::Branch(distance(self.small()?)?)),
            0xEB => Instruction::goes(Flow::Jump(distance(self.small()?)?)),
            0xE9 => Instruction::goes(Flow::Jump(distance(self.large()?)?)),
            0x80 | 0x81 | 0x83 => {
                let operands = self.operands()?;
                match code {
                    0x81 => self.skip_number()?,
                    _ => self.skip(1)?,
                }
                match operands.other & 7 {
                    7 => operands.read().writing(FLAGS),
                    // With the carry of the operation before.
                    2 | 3 => return None,
                    _ => operands.change()?,
                }
            }
            0x84 | 0x85 => {
                let operands = self.operands()?;
                operands.read().reading(bit(operands.other)).writing(FLAGS)
            }
            0x86 | 0x87 => self.exchange()?,
            0x88 | 0x89 => {
                let operands = self.operands()?;
                operands.write()?.reading(bit(operands.other))
            }
            0x8D => {
                let operands = self.operands()?;
                let address = operands.memory.map(|_| operands.address)?;
                plain.reading(address).writing(bit(operands.other))
            }
            0x90 if self.rex & 1 == 0 => plain,
            0x98 => plain.reading(bit(0)).writing(bit(0)),
            0xA8..=0xC7 => return self.constant(code),
            0xF6 | 0xF7 => {
                let operands = self.operands()?;
                if operands.other & 7 != 0 {
                    return None;
                }
                match code {
                    0xF6 => self.skip(1)?,
                    _ => self.skip_number()?,
                }
                operands.read().writing(FLAGS)
            }
            0xFE | 0xFF => {
                let operands = self.operands()?;
                match operands.other & 7 {
                    0 | 1 => operands.change()?,
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// Operations with a number that is part of them.
    fn constant(&mut self, code: u8) -> Option<Instruction> {
        let plain = Instruction::plain();
        Some(match code {
            0xA8 => {
                self.skip(1)?;
                plain.reading(bit(0)).writing(FLAGS)
            }
            0xA9 => {
                self.skip_number()?;
                plain.reading(bit(0)).writing(FLAGS)
            }
            0xB0..=0xB7 => {
                self.skip(1)?;
                plain.writing(bit(self.register(code, 0)))
            }
            0xB8..=0xBF => {
                match self.rex & 8 {
                    0 => self.skip_number()?,
                    _ => self.skip(8)?,
                }
                plain.writing(bit(self.register(code, 0)))
            }
            0xC6 | 0xC7 => {
                let operands = self.operands()?;
                if operands.other & 7 != 0 {
                    return None;
                }
                match code {
                    0xC6 => self.skip(1)?,
                    _ => self.skip_number()?,
                }
                operands.write()?
            }
            _ => return None,
        })
    }

    /// An operation of two values; the code says which one, and what the operands are.
    fn arithmetic(&mut self, code: u8) -> Option<Instruction> {
        let compares = code >> 3 == 7;
        if code & 6 == 4 {
            match code & 1 {
                0 => self.skip(1)?,
                _ => self.skip_number()?,
            }
            let written = if compares { 0 } else { bit(0) };
            return Some(
                Instruction::plain()
                    .reading(bit(0))
                    .writing(written | FLAGS),
            );
        }
        let operands = self.operands()?;
        let other = bit(operands.other);
        let is_zero = matches!(code, 0x30..=0x33) && operands.register == Some(operands.other);
        Some(match code & 2 {
            _ if is_zero => Instruction::plain().writing(other | FLAGS),
            _ if compares => operands.read().reading(other).writing(FLAGS),
            0 => operands.change()?.reading(other),
            _ => operands.read().reading(other).writing(other | FLAGS),
        })
    }

    /// Exchanges a register with memory: how a lock is taken.
    fn exchange(&mut self) -> Option<Instruction> {
        let operands = self.operands()?;
        operands.memory?;
        let other = bit(operands.other);
        let mut found = operands.read().reading(other).writing(other);
        found.stores = true;
        Some(found)
    }

    /// Operations whose code has two bytes.
    fn longer(&mut self) -> Option<Instruction> {
        let code = self.byte()?;
        Some(match code {
            0x1F => {
                self.operands()?;
                Instruction::plain()
            }
            0x80..=0x8F => Instruction::goes(Flow::Branch(distance(self.large()?)?)),
            0x90..=0x9F => self.operands()?.write()?.reading(FLAGS),
            0xB6 | 0xB7 | 0xBE | 0xBF => {
                let operands = self.operands()?;
                operands.read().writing(bit(operands.other))
            }
            _ => return None,
        })
    }
}

fn distance(number: i32) -> Option<isize> {
    isize::try_from(number).ok()
}
