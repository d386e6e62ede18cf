//! Numbers as HotSpot packs them (`UNSIGNED5`): one to five bytes of 6 bits and more each.

/// How the numbers of a virtual machine are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    /// To JDK 19.
    WithZero,
    /// From JDK 20 on: no byte is zero.
    WithoutZero,
}

impl Packing {
    /// How a major version of the virtual machine packs.
    pub(super) fn of_version(major: u64) -> Self {
        match major {
            ..20 => Self::WithZero,
            _ => Self::WithoutZero,
        }
    }

    /// The smallest byte.
    fn least(self) -> u32 {
        match self {
            Self::WithZero => 0,
            Self::WithoutZero => 1,
        }
    }
}

/// Reads packed numbers, one after another.
#[derive(Debug, Clone)]
pub(super) struct Packed<'a> {
    bytes: &'a [u8],
    packing: Packing,
}

impl<'a> Packed<'a> {
    pub(super) fn new(bytes: &'a [u8], packing: Packing) -> Self {
        Self { bytes, packing }
    }

    /// Takes one byte as it is.
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    /// Takes a number.
    pub(super) fn unsigned(&mut self) -> Option<u32> {
        /// Most bytes of a number, and the codes that end one.
        const MOST: u32 = 5;
        const LONGER: u32 = 64;
        let least = self.packing.least();
        let ends = 256 - least - LONGER;
        let mut sum = 0u32;
        for at in 0..MOST {
            let code = u32::from(self.byte()?).checked_sub(least)?;
            sum = sum.wrapping_add(code.wrapping_shl(6 * at));
            if code < ends || at + 1 == MOST {
                break;
            }
        }
        Some(sum)
    }

    /// Takes a number with a sign.
    pub(super) fn signed(&mut self) -> Option<i32> {
        let code = self.unsigned()?;
        Some((code >> 1).cast_signed() ^ -(code & 1).cast_signed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_one_byte_and_of_more() {
        // 191 is the last of one byte; 192 begins with a code of 192, to which 0 × 64 is added.
        let mut old = Packed::new(&[0, 191, 192, 0, 193, 2], Packing::WithZero);
        let all: Vec<u32> = std::iter::from_fn(|| old.unsigned()).collect();
        assert_eq!(all, [0, 191, 192, 193 + 2 * 64]);
        let mut new = Packed::new(&[1, 191, 192, 1, 0], Packing::WithoutZero);
        let all: Vec<u32> = std::iter::from_fn(|| new.unsigned()).collect();
        assert_eq!(all, [0, 190, 191]);
    }

    #[test]
    fn signs_are_in_the_last_bit() {
        let mut packed = Packed::new(&[0, 1, 2, 3], Packing::WithZero);
        let all: Vec<i32> = std::iter::from_fn(|| packed.signed()).collect();
        assert_eq!(all, [0, -1, 1, -2]);
    }

    #[test]
    fn the_longest_number_ends_by_itself() {
        let mut packed = Packed::new(&[255; 5], Packing::WithZero);
        assert!(packed.unsigned().is_some());
        assert_eq!(packed.unsigned(), None);
    }
}
