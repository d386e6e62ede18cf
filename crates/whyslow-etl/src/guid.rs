//! Globally unique identifiers, which name providers, classes and activities.

use std::fmt;

/// A GUID in the byte order of the file: the first three groups are little-endian.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Guid(pub [u8; 16]);

impl Guid {
    /// Returns the GUID that is written `d1-d2-d3-d4[0..2]-d4[2..]`.
    pub const fn new(d1: u32, d2: u16, d3: u16, d4: [u8; 8]) -> Self {
        let (a, b, c) = (d1.to_le_bytes(), d2.to_le_bytes(), d3.to_le_bytes());
        let [e, f, g, h, i, j, k, l] = d4;
        let ([a0, a1, a2, a3], [b0, b1], [c0, c1]) = (a, b, c);
        Self([a0, a1, a2, a3, b0, b1, c0, c1, e, f, g, h, i, j, k, l])
    }

    /// Reads `4f8f06bf-8261-4099-ae5f-07c54bbcfab3`, with or without braces.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches(['{', '}']);
        let mut parts = text.split('-');
        let mut part = |digits: usize| {
            let part = parts.next().filter(|part| part.len() == digits)?;
            u64::from_str_radix(part, 16).ok()
        };
        let first = u32::try_from(part(8)?).ok()?;
        let (second, third) = (u16::try_from(part(4)?).ok()?, u16::try_from(part(4)?).ok()?);
        let rest = part(4)? << 48 | part(12)?;
        Some(Self::new(first, second, third, rest.to_be_bytes()))
    }

    pub(crate) fn read(bytes: &[u8], at: usize) -> Option<Self> {
        Some(Self(*bytes.get(at..)?.first_chunk()?))
    }

    /// Returns whether all bytes are zero, which means none.
    pub fn is_zero(&self) -> bool {
        self.0 == [0; 16]
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g, h, i, rest @ ..] = self.0;
        let first = u32::from_le_bytes([a, b, c, d]);
        let (second, third) = (u16::from_le_bytes([e, g]), u16::from_le_bytes([h, i]));
        let [j, k, node @ ..] = rest;
        write!(f, "{first:08x}-{second:04x}-{third:04x}-{j:02x}{k:02x}-")?;
        node.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
