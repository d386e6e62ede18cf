//! Writes small ELF files byte by byte, of both classes and byte orders.
//!
//! It shares no layout code with the reader: a field that both got wrong would go unnoticed.

/// A symbol to write.
#[derive(Clone)]
pub(crate) struct Symbol {
    pub(crate) name: &'static str,
    pub(crate) value: u64,
    pub(crate) size: u64,
    /// Binding in the upper, type in the lower four bits.
    pub(crate) info: u8,
    /// Visibility.
    pub(crate) other: u8,
    /// Section index.
    pub(crate) section: u16,
}

pub(crate) const GLOBAL_FUNC: u8 = 0x12;
pub(crate) const LOCAL_FUNC: u8 = 0x02;
pub(crate) const WEAK_FUNC: u8 = 0x22;
pub(crate) const GLOBAL_NOTYPE: u8 = 0x10;
pub(crate) const LOCAL_NOTYPE: u8 = 0x00;
pub(crate) const GLOBAL_OBJECT: u8 = 0x11;
/// Index of `.text` in the files written here.
pub(crate) const TEXT: u16 = 1;
/// Index of `.data`.
pub(crate) const DATA: u16 = 2;

pub(crate) fn function(name: &'static str, value: u64, size: u64) -> Symbol {
    Symbol {
        name,
        value,
        size,
        info: GLOBAL_FUNC,
        other: 0,
        section: TEXT,
    }
}

/// What to write.
#[derive(Clone)]
pub(crate) struct TinyElf {
    pub(crate) is_64: bool,
    pub(crate) is_little: bool,
    pub(crate) machine: u16,
    pub(crate) build_id: Vec<u8>,
    pub(crate) symbols: Vec<Symbol>,
    /// `SHT_SYMTAB` (2) or `SHT_DYNSYM` (11); 0 for no table.
    pub(crate) table_kind: u32,
    /// Address that the code at file offset 0x1000 is linked to.
    pub(crate) text_address: u64,
    /// Whether code sections have no bytes, as in a debug file.
    pub(crate) is_debug_only: bool,
}

impl TinyElf {
    pub(crate) fn new(symbols: Vec<Symbol>) -> Self {
        Self {
            is_64: true,
            is_little: true,
            machine: 62,
            build_id: vec![0xab; 20],
            symbols,
            table_kind: 2,
            text_address: 0x40_1000,
            is_debug_only: false,
        }
    }

    pub(crate) const TEXT_OFFSET: u64 = 0x1000;
    pub(crate) const TEXT_SIZE: u64 = 0x400;

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut out = Writer {
            bytes: Vec::new(),
            elf: self,
        };
        let (header, segment, section, symbol) = if self.is_64 {
            (64, 56, 64, 24)
        } else {
            (52, 32, 40, 16)
        };
        let text_end = (Self::TEXT_OFFSET + Self::TEXT_SIZE) as usize;
        let symbols_at = text_end;
        let (table, strings) = self.symbol_table(symbol);
        let strings_at = symbols_at + table.len();
        let note_at = (strings_at + strings.len()).next_multiple_of(8);
        let note_size = 16 + self.build_id.len();
        let names_at = note_at + note_size;
        let sections_at = (names_at + NAMES.len()).next_multiple_of(8);

        out.bytes.extend(b"\x7fELF");
        out.bytes.extend([
            if self.is_64 { 2 } else { 1 },
            if self.is_little { 1 } else { 2 },
            1,
        ]);
        out.bytes.resize(16, 0);
        out.half(3);
        out.half(self.machine);
        out.word(1);
        out.address(0);
        out.address(header as u64);
        out.address(sections_at as u64);
        out.word(0);
        for value in [header, segment, 1, section, 7, 6] {
            out.half(value as u16);
        }
        out.segment();
        out.bytes.resize(Self::TEXT_OFFSET as usize, 0);
        out.bytes.resize(text_end, 0x90);
        out.bytes.extend(&table);
        out.bytes.extend(&strings);
        out.bytes.resize(note_at, 0);
        out.note();
        out.bytes.extend(NAMES);
        out.bytes.resize(sections_at, 0);
        let code_kind = if self.is_debug_only { 8 } else { 1 };
        let (at, size) = (Self::TEXT_OFFSET, Self::TEXT_SIZE);
        let address = self.text_address;
        out.section([0; 9]);
        out.section([name(".text"), code_kind, 6, address, at, size, 0, 0, 0]);
        out.section([name(".data"), 8, 3, address + 0x10000, 0, 0x100, 0, 0, 0]);
        let size = table.len() as u64;
        let kind = self.table_kind.into();
        out.section([
            name(".symtab"),
            kind,
            0,
            0,
            symbols_at as u64,
            size,
            4,
            1,
            symbol as u64,
        ]);
        let size = strings.len() as u64;
        out.section([name(".strtab"), 3, 0, 0, strings_at as u64, size, 0, 0, 0]);
        let size = note_size as u64;
        out.section([
            name(".note.gnu.build-id"),
            7,
            2,
            0,
            note_at as u64,
            size,
            0,
            0,
            0,
        ]);
        let size = NAMES.len() as u64;
        out.section([name(".shstrtab"), 3, 0, 0, names_at as u64, size, 0, 0, 0]);
        out.bytes
    }

    /// The symbols with entries of `entry_size` bytes, and their names.
    fn symbol_table(&self, entry_size: usize) -> (Vec<u8>, Vec<u8>) {
        let mut strings = vec![0];
        let mut out = Writer {
            bytes: vec![0; entry_size],
            elf: self,
        };
        for symbol in &self.symbols {
            out.symbol(strings.len() as u32, symbol);
            strings.extend(symbol.name.as_bytes());
            strings.push(0);
        }
        (out.bytes, strings)
    }
}

const NAMES: &[u8] = b"\0.text\0.data\0.symtab\0.strtab\0.note.gnu.build-id\0.shstrtab\0";

/// Where a section name is in `NAMES`.
fn name(text: &str) -> u64 {
    let at = NAMES.windows(text.len()).position(|w| w == text.as_bytes());
    at.unwrap() as u64
}

struct Writer<'a> {
    bytes: Vec<u8>,
    elf: &'a TinyElf,
}

impl Writer<'_> {
    fn put(&mut self, value: u64, size: usize) {
        if self.elf.is_little {
            self.bytes.extend(&value.to_le_bytes()[..size]);
        } else {
            self.bytes.extend(&value.to_be_bytes()[8 - size..]);
        }
    }

    fn half(&mut self, value: u16) {
        self.put(value.into(), 2);
    }

    fn word(&mut self, value: u32) {
        self.put(value.into(), 4);
    }

    fn address(&mut self, value: u64) {
        self.put(value, if self.elf.is_64 { 8 } else { 4 });
    }

    fn segment(&mut self) {
        let (at, size) = (TinyElf::TEXT_OFFSET, TinyElf::TEXT_SIZE);
        let address = self.elf.text_address;
        self.word(1);
        if self.elf.is_64 {
            self.word(5);
        }
        for value in [at, address, address, size, size] {
            self.address(value);
        }
        if !self.elf.is_64 {
            self.word(5);
        }
        self.address(0x1000);
    }

    fn note(&mut self) {
        for value in [4, self.elf.build_id.len() as u32, 3] {
            self.word(value);
        }
        self.bytes.extend(b"GNU\0");
        self.bytes.extend(&self.elf.build_id);
    }

    /// Name, type, flags, address, offset, size, link, info, entry size.
    fn section(&mut self, [name, kind, flags, address, offset, size, link, info, entry]: [u64; 9]) {
        self.put(name, 4);
        self.put(kind, 4);
        for value in [flags, address, offset, size] {
            self.address(value);
        }
        self.put(link, 4);
        self.put(info, 4);
        self.address(4);
        self.address(entry);
    }

    fn symbol(&mut self, name: u32, symbol: &Symbol) {
        self.word(name);
        if self.elf.is_64 {
            self.bytes.extend([symbol.info, symbol.other]);
            self.half(symbol.section);
            self.address(symbol.value);
            self.address(symbol.size);
        } else {
            self.address(symbol.value);
            self.address(symbol.size);
            self.bytes.extend([symbol.info, symbol.other]);
            self.half(symbol.section);
        }
    }
}
