//! A method: its name, its file, its lines.

use super::layout::Layout;
use super::packed::{Packed, Packing};
use crate::process_memory::{Memory, pointer};

/// Longest name of a class or method that is kept, in bytes.
const MOST_NAME: usize = 4096;
/// Largest table of lines that is read.
const MOST_LINE_BYTES: usize = 16 << 10;
/// The flag of a method that has a table of lines.
const HAS_LINES: u64 = 1;

/// A method of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// Class and method, such as `java.util.HashMap.put`.
    pub name: String,
    /// The package's folders and the source file, such as `java/util/HashMap.java`.
    pub file: String,
    /// Where its bytecodes begin.
    pub(super) bytecodes: u64,
    /// How many bytes they are.
    pub(super) bytecode_bytes: u64,
    /// Bytecode index and line, in the order of the class file.
    lines: Vec<(u32, u32)>,
}

impl Method {
    /// Reads what is known about the method at `address`.
    pub(super) fn read(memory: &dyn Memory, layout: &Layout, address: u64) -> Option<Self> {
        let constant = layout.method_const.at(memory, address)?;
        let pool = layout.const_pool.at(memory, constant)?;
        let symbol_at = |index: u64| {
            let entry = pool.wrapping_add(layout.pool_bytes).wrapping_add(8 * index);
            symbol(memory, layout, pointer(memory, entry)?)
        };
        let name = symbol_at(layout.const_name.at(memory, constant)?)?;
        let holder = layout.pool_holder.at(memory, pool)?;
        let class = symbol(memory, layout, layout.class_name.at(memory, holder)?)?;
        let source = layout.pool_source.and_then(|field| field.at(memory, pool));
        let source = source.filter(|&index| index != 0).and_then(symbol_at);
        let bytecodes = constant.wrapping_add(layout.const_bytes);
        let bytecode_bytes = layout.const_code_bytes.at(memory, constant)?;
        let has_lines = layout.const_flags.at(memory, constant)? & HAS_LINES != 0;
        let table = bytecodes.wrapping_add(bytecode_bytes);
        let lines = has_lines.then(|| read_lines(memory, layout.packing, table));
        Some(Self {
            name: format!("{}.{name}", plain_class(&class)),
            file: file(&class, source.as_deref()),
            bytecodes,
            bytecode_bytes,
            lines: lines.flatten().unwrap_or_default(),
        })
    }

    /// Returns the line of a bytecode.
    pub fn line(&self, bytecode: u32) -> Option<u32> {
        let before = self.lines.iter().filter(|(start, _)| *start <= bytecode);
        let nearest = before.max_by_key(|(start, _)| *start);
        nearest.map(|&(_, line)| line)
    }

    /// Returns its first and its last line.
    pub fn line_range(&self) -> Option<(u32, u32)> {
        let lines = || self.lines.iter().map(|&(_, line)| line);
        Some((lines().min()?, lines().max()?))
    }

    /// Returns the index of the bytecode at an address.
    pub fn bytecode_at(&self, address: u64) -> Option<u32> {
        let index = address.checked_sub(self.bytecodes)?;
        let index = Some(index).filter(|&index| index < self.bytecode_bytes);
        index.and_then(|index| u32::try_from(index).ok())
    }
}

/// Reads a name.
fn symbol(memory: &dyn Memory, layout: &Layout, address: u64) -> Option<String> {
    let length = usize::try_from(layout.symbol_length.at(memory, address)?).ok()?;
    if length == 0 || length > MOST_NAME {
        return None;
    }
    let mut bytes = vec![0; length];
    memory.read(address.wrapping_add(layout.symbol_body), &mut bytes)?;
    let text = String::from_utf8(bytes).ok()?;
    (!text.contains(char::is_control)).then_some(text)
}

/// Returns a class as people write it. Hidden classes of lambdas have the class that they are written in,
/// and no addresses.
fn plain_class(class: &str) -> String {
    let end = ["$$Lambda", "+0x"].map(|mark| class.find(mark).unwrap_or(class.len()));
    let end = end.into_iter().min().unwrap_or(class.len());
    let (name, rest) = class.split_at(end);
    let name = name.replace('/', ".");
    match rest.starts_with("$$Lambda") {
        true => name + "$$Lambda",
        false => name,
    }
}

/// Returns the file that a class is written in: what the class file says, else after its outermost class.
fn file(class: &str, source: Option<&str>) -> String {
    let (package, name) = class.rsplit_once('/').unwrap_or(("", class));
    let folder = match package {
        "" => String::new(),
        package => format!("{package}/"),
    };
    let outermost = name.split(['$', '+']).next().unwrap_or(name);
    match source {
        Some(source) => folder + source,
        None => format!("{folder}{outermost}.java"),
    }
}

/// Reads the table of lines at `address`, which marks its end itself.
fn read_lines(memory: &dyn Memory, packing: Packing, address: u64) -> Option<Vec<(u32, u32)>> {
    let mut bytes = Vec::new();
    let mut length = 64;
    while length <= MOST_LINE_BYTES {
        bytes.resize(length, 0);
        memory.read(address, &mut bytes)?;
        if let Some(lines) = lines(&bytes, packing) {
            return Some(lines);
        }
        length *= 4;
    }
    None
}

/// Unpacks a table of lines; `None`: it does not end here.
fn lines(bytes: &[u8], packing: Packing) -> Option<Vec<(u32, u32)>> {
    /// No more pairs; a pair that does not fit into one byte follows.
    const END: u8 = 0;
    const LONG: u8 = 0xff;
    let mut packed = Packed::new(bytes, packing);
    let (mut bytecode, mut line) = (0u32, 0u32);
    let mut all = Vec::new();
    loop {
        match packed.byte()? {
            END => return Some(all),
            LONG => {
                bytecode = bytecode.wrapping_add_signed(packed.signed()?);
                line = line.wrapping_add_signed(packed.signed()?);
            }
            pair => {
                bytecode = bytecode.wrapping_add(u32::from(pair >> 3));
                line = line.wrapping_add(u32::from(pair & 7));
            }
        }
        all.push((bytecode, line));
    }
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn classes_are_written_as_people_write_them() {
        assert_eq!(plain_class("java/util/Map$Entry"), "java.util.Map$Entry");
        assert_eq!(plain_class("Main$$Lambda+0x00007f3c"), "Main$$Lambda");
        assert_eq!(plain_class("Main$$Lambda$14/0x0000"), "Main$$Lambda");
        assert_eq!(plain_class("Main+0x7f"), "Main");
        assert_eq!(file("a/b/Main$Inner", None), "a/b/Main.java");
        assert_eq!(file("a/Main", Some("Other.kt")), "a/Other.kt");
        assert_eq!(file("Main", None), "Main.java");
    }

    #[test]
    fn tables_of_lines_have_short_and_long_pairs() {
        // Bytecode 0 is of line 3 (by a long pair), 5 of line 4, 12 of line 2.
        let bytes = [0xff, 0, 6, 5 << 3 | 1, 0xff, 14, 3, 0, 77];
        let lines = lines(&bytes, Packing::WithZero).unwrap();
        assert_eq!(lines, [(0, 3), (5, 4), (12, 2)]);
        let method = Method {
            name: String::new(),
            file: String::new(),
            bytecodes: 100,
            bytecode_bytes: 20,
            lines,
        };
        let at = |bytecode| method.line(bytecode).unwrap();
        assert_eq!([at(0), at(4), at(5), at(13)], [3, 3, 4, 2]);
        assert_eq!(method.line_range(), Some((2, 4)));
        assert_eq!(method.bytecode_at(119), Some(19));
        assert_eq!(method.bytecode_at(120), None);
        assert_eq!(super::lines(&[0xff, 0], Packing::WithZero), None);
    }
}
