//! A sequence of bytes, with numbers in little-endian order.

/// The bytes written so far.
#[derive(Debug, Clone, Default)]
pub struct Bytes(pub Vec<u8>);

macro_rules! numbers {
    ($($name:ident $type:ty),*) => {
        $(
            /// Adds a number.
            #[must_use]
            pub fn $name(mut self, value: $type) -> Self {
                self.0.extend(value.to_le_bytes());
                self
            }
        )*
    };
}

impl Bytes {
    numbers!(u8 u8, i8 i8, u16 u16, i16 i16, u32 u32, i32 i32, u64 u64, i64 i64);

    /// Adds this many zeros.
    #[must_use]
    pub fn zeros(mut self, count: usize) -> Self {
        self.0.resize(self.0.len() + count, 0);
        self
    }

    /// Adds bytes unchanged.
    #[must_use]
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    /// Adds text of one byte per character, with a zero after it.
    #[must_use]
    pub fn ansi(self, text: &str) -> Self {
        self.bytes(text.as_bytes()).u8(0)
    }

    /// Adds UTF-16 with a zero after it.
    #[must_use]
    pub fn utf16(mut self, text: &str) -> Self {
        for unit in text.encode_utf16().chain([0]) {
            self.0.extend(unit.to_le_bytes());
        }
        self
    }

    /// Adds a pointer of 8 bytes, or only its lower 4.
    #[must_use]
    pub fn pointer(self, wide: bool, value: u64) -> Self {
        if wide {
            self.u64(value)
        } else {
            self.u32(value as u32)
        }
    }

    /// Adds pointers.
    #[must_use]
    pub fn pointers(self, wide: bool, values: &[u64]) -> Self {
        values
            .iter()
            .fold(self, |out, value| out.pointer(wide, *value))
    }
}
