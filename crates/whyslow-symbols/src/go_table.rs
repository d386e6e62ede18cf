//! Go's own table of functions (`.gopclntab`): their names, and how large their frames are at each
//! instruction.
//!
//! Every Go program carries the table, stripped ones too, because the runtime itself walks stacks with it.
//! Tables of Go 1.18 and later are read, for x86-64. Sources: `src/runtime/symtab.go` and
//! `src/internal/abi/symtab.go` of Go 1.18 to 1.26; since 1.26 the table no longer says where the code
//! begins.

use std::ops::Range;

/// First bytes of the table since Go 1.18, and since Go 1.20.
const MAGICS: [u32; 2] = [0xffff_fff0, 0xffff_fff1];
const HEADER_BYTES: usize = 72;
/// Where `moduledata` has the address of the code.
const MODULE_TEXT: usize = 176;
/// More functions than this are not believed; large programs have 200,000.
const MAX_FUNCTIONS: usize = 4 << 20;
/// Longest name taken.
const MAX_NAME_BYTES: usize = 4096;
/// Larger sections `.go.module` are not read; usual ones have less than 1 KiB.
const MAX_MODULE_BYTES: u64 = 16 << 10;
/// Steps of one table of frame sizes before it is given up.
const MAX_STEPS: usize = 1 << 16;
/// Bits of `_func.flag`: the function has no caller; it changes to another stack.
const TOP_FRAME: u8 = 1;
const SWITCHES_STACK: u8 = 2;

/// The parts of a file that the table is made of.
#[derive(Debug)]
pub struct GoSections {
    /// Section `.gopclntab`.
    pub table: Vec<u8>,
    /// Section `.go.module`, of Go 1.26 and later.
    pub module: Option<Vec<u8>>,
    /// Address of section `.text`.
    pub text: u64,
    /// Address at which the program begins.
    pub entry: u64,
}

impl GoSections {
    /// Takes the sections of a file from `read`, which gets a name and the most bytes that it may read.
    pub fn read(
        (text, entry): (u64, u64),
        max_bytes: u64,
        read: impl Fn(&[u8], u64) -> Option<Vec<u8>>,
    ) -> Option<Self> {
        let table = |name: &[u8]| read(name, max_bytes);
        Some(Self {
            table: table(b".gopclntab").or_else(|| table(b".data.rel.ro.gopclntab"))?,
            module: read(b".go.module", max_bytes.min(MAX_MODULE_BYTES)),
            text,
            entry,
        })
    }
}

/// A table of functions. Addresses are those of the file.
#[derive(Debug)]
pub struct GoTable {
    data: Vec<u8>,
    /// The address that the entries are relative to.
    text: u64,
    n_functions: usize,
    names: usize,
    sizes: usize,
    functions: usize,
    /// Where a function's kind and flags are in its description.
    kind: usize,
}

/// One function of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoFunction {
    /// Address of its first instruction.
    pub start: u64,
    /// Offset of its description in the data.
    at: usize,
}

/// What a function does with its stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoFrame {
    /// It has a caller, whose stack begins this many bytes above the stack pointer and the return
    /// address.
    Bytes(u32),
    /// It has no caller.
    Top,
    /// It changes to another stack, or the kernel called it: its caller cannot be found by a size.
    Other,
}

impl GoTable {
    /// Reads the head of a table; `None` for one of another version or processor, a damaged one, and one
    /// whose code cannot be found.
    pub fn new(sections: GoSections) -> Option<Self> {
        let data = sections.table;
        let version = MAGICS
            .iter()
            .position(|&magic| u32_at(&data, 0) == Some(magic))?;
        // Steps of one byte, pointers of eight: x86-64.
        if data.len() < HEADER_BYTES || data.get(6..8)? != [1, 8] {
            return None;
        }
        let offset = |at| usize::try_from(u64_at(&data, at)?).ok();
        let n_functions = offset(8).filter(|&count| count <= MAX_FUNCTIONS)?;
        let mut table = Self {
            text: u64_at(&data, 24)?,
            n_functions,
            names: offset(32)?,
            sizes: offset(56)?,
            functions: offset(64)?,
            kind: [36, 40][version],
            data,
        };
        let entries = table.data.get(table.functions..)?;
        if entries.len() / 8 < n_functions {
            return None;
        }
        let in_module = |module: &[u8]| u64_at(module, MODULE_TEXT).filter(|&text| text != 0);
        if table.text == 0 {
            let known = sections.module.as_deref().and_then(in_module);
            table.text = known.unwrap_or(sections.text);
            // The section may begin with code of another compiler; then the program begins in that.
            let first = table.function_at(sections.entry);
            if known.is_none() && first.is_none_or(|first| first.start != sections.entry) {
                return None;
            }
        }
        Some(table)
    }

    /// Returns the function that an address is in.
    pub fn function_at(&self, address: u64) -> Option<GoFunction> {
        let wanted = u32::try_from(address.checked_sub(self.text)?).ok()?;
        let (mut low, mut high) = (0, self.n_functions);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.entry(middle)?.0 <= wanted {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let (start, at) = self.entry(low.checked_sub(1)?)?;
        // The entry after the last one only says where the code ends.
        let (end, _) = self.entry(low)?;
        (wanted < end).then(|| GoFunction {
            start: self.text.wrapping_add(u64::from(start)),
            at: self.functions.saturating_add(at as usize),
        })
    }

    /// Returns where the first function of this name is.
    pub fn function_named(&self, name: &[u8]) -> Option<Range<u64>> {
        for number in 0..self.n_functions {
            let (start, at) = self.entry(number)?;
            let start = self.text.wrapping_add(u64::from(start));
            let at = self.functions.saturating_add(at as usize);
            let rest = self.name_onwards(GoFunction { start, at });
            let rest = rest.and_then(|rest| rest.strip_prefix(name));
            if rest.is_some_and(|rest| rest.first() == Some(&0)) {
                let (end, _) = self.entry(number + 1)?;
                return Some(start..self.text.wrapping_add(u64::from(end)));
            }
        }
        None
    }

    /// Returns the name of a function, as Go's linker writes it.
    pub fn name(&self, function: GoFunction) -> Option<&[u8]> {
        self.name_onwards(function)?.split(|&byte| byte == 0).next()
    }

    /// Returns what a function did with its stack before the instruction at an address.
    pub fn frame(&self, function: GoFunction, address: u64) -> Option<GoFrame> {
        let flags = *self.data.get(function.at.checked_add(self.kind + 1)?)?;
        let by_kernel = self
            .name_onwards(function)?
            .starts_with(b"runtime.sigreturn");
        if flags & SWITCHES_STACK != 0 || by_kernel {
            return Some(GoFrame::Other);
        }
        if flags & TOP_FRAME != 0 {
            return Some(GoFrame::Top);
        }
        let at = u32_at(&self.data, function.at.checked_add(16)?)?;
        let steps = self.data.get(self.sizes.checked_add(at as usize)?..)?;
        let into = address.checked_sub(function.start)?;
        let size = u32::try_from(value_at(steps, into)?).ok()?;
        Some(GoFrame::Bytes(size))
    }

    /// Bytes held.
    pub fn size_bytes(&self) -> usize {
        self.data.len()
    }

    /// The bytes from the beginning of a function's name on, as many as a name may have; `None` without a
    /// name. In a damaged table, the end of a name may be far away.
    fn name_onwards(&self, function: GoFunction) -> Option<&[u8]> {
        let at = u32_at(&self.data, function.at.checked_add(4)?)?;
        let rest = self.data.get(self.names.checked_add(at as usize)?..)?;
        let rest = rest.get(..MAX_NAME_BYTES).unwrap_or(rest);
        rest.first().is_some_and(|&byte| byte != 0).then_some(rest)
    }

    /// Where a function begins and where its description is, both as offsets.
    fn entry(&self, number: usize) -> Option<(u32, u32)> {
        let at = self.functions.checked_add(number.checked_mul(8)?)?;
        let start = u32_at(&self.data, at)?;
        // Only the start of the last one is there.
        Some((start, u32_at(&self.data, at + 4).unwrap_or(0)))
    }
}

/// Returns the value of a table of steps at this many bytes into the function. Each step adds to the
/// value (zigzag), and says for how many bytes it holds.
fn value_at(mut steps: &[u8], into: u64) -> Option<i32> {
    let (mut value, mut end) = (-1_i32, 0_u64);
    for number in 0..MAX_STEPS {
        let change = variable(&mut steps)?;
        if change == 0 && number > 0 {
            return None;
        }
        let change = (change >> 1) as i32 ^ -((change & 1) as i32);
        value = value.wrapping_add(change);
        end = end.saturating_add(u64::from(variable(&mut steps)?));
        if into < end {
            return Some(value);
        }
    }
    None
}

/// Takes a number of seven bits per byte, the least significant first.
fn variable(bytes: &mut &[u8]) -> Option<u32> {
    let mut value = 0_u32;
    for shift in (0..32).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u32::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn u32_at(data: &[u8], at: usize) -> Option<u32> {
    let bytes = data.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}

fn u64_at(data: &[u8], at: usize) -> Option<u64> {
    let bytes = data.get(at..)?.first_chunk()?;
    Some(u64::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests;
