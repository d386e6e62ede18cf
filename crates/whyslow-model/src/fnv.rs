//! A hash that is the same in every version and on every machine, because it is stored.

/// FNV-1a with 128 bits: short, and not secret.
#[derive(Debug, Clone)]
pub struct Fnv(u128);

impl Default for Fnv {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Fnv {
    /// Adds bytes to what is hashed.
    pub fn take(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            let mixed = self.0 ^ u128::from(byte);
            self.0 = mixed.wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }

    /// Returns the hash.
    pub fn value(&self) -> u128 {
        self.0
    }

    /// Returns the hash as 32 digits.
    pub fn text(&self) -> String {
        format!("{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        let mut hash = Fnv::default();
        hash.take(b"a");
        assert_eq!(hash.text(), "d228cb696f1a8caf78912b704e4a8964");
        hash = Fnv::default();
        hash.take(b"");
        assert_eq!(hash.value(), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
    }
}
