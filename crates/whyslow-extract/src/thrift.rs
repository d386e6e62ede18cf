//! A look at Thrift structures before the Parquet library reads them.
//!
//! The library skips what it does not know element by element, and a list may claim billions of
//! elements that take no room. So the footer and the headers of pages are walked over first: what is
//! fit is of a size that follows from its bytes. The compact protocol is that of the Thrift project's
//! `thrift-compact-protocol.md`; which types there are, `parquet.thrift` says.

/// Deepest nesting; the footer's is 7.
const MOST_DEPTH: u32 = 16;

/// Why a structure is not fit to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// The bytes end before it does.
    Cut,
    /// It is none, or holds what it never holds.
    Wrong,
}

/// Returns the length of the structure at the front; `field` gets the number of each of its integer
/// fields and its value.
pub(crate) fn walk(bytes: &[u8], field: &mut dyn FnMut(i64, i64)) -> Result<usize, Unfit> {
    let mut walk = Walk { rest: bytes, field };
    walk.structure(0)?;
    Ok(bytes.len() - walk.rest.len())
}

struct Walk<'a, 'f> {
    rest: &'a [u8],
    field: &'f mut dyn FnMut(i64, i64),
}

impl Walk<'_, '_> {
    fn structure(&mut self, depth: u32) -> Result<(), Unfit> {
        let mut id = 0_i64;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Ok(());
            }
            id = match head >> 4 {
                0 => self.integer()?,
                delta => id.saturating_add(i64::from(delta)),
            };
            match head & 0xf {
                1 | 2 => {}
                4..=6 => {
                    let value = self.integer()?;
                    if depth == 0 {
                        (self.field)(id, value);
                    }
                }
                kind => self.value(kind, depth)?,
            }
        }
    }

    /// Passes over a value that is no truth value.
    fn value(&mut self, kind: u8, depth: u32) -> Result<(), Unfit> {
        if depth == MOST_DEPTH {
            return Err(Unfit::Wrong);
        }
        match kind {
            3 => self.skip(1),
            4..=6 => self.integer().map(drop),
            7 => self.skip(8),
            8 => {
                let length = self.varint()?;
                self.skip(usize::try_from(length).map_err(|_| Unfit::Wrong)?)
            }
            9 => {
                let head = self.byte()?;
                let count = match head >> 4 {
                    15 => self.varint()?,
                    count => u64::from(count),
                };
                // Each element takes a byte, or the end comes first.
                (0..count).try_for_each(|_| self.value(head & 0xf, depth + 1))
            }
            12 => self.structure(depth + 1),
            _ => Err(Unfit::Wrong),
        }
    }

    fn byte(&mut self) -> Result<u8, Unfit> {
        let (&byte, rest) = self.rest.split_first().ok_or(Unfit::Cut)?;
        self.rest = rest;
        Ok(byte)
    }

    fn skip(&mut self, count: usize) -> Result<(), Unfit> {
        self.rest = self.rest.get(count..).ok_or(Unfit::Cut)?;
        Ok(())
    }

    fn integer(&mut self) -> Result<i64, Unfit> {
        let zigzag = self.varint()?;
        Ok((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
    }

    fn varint(&mut self) -> Result<u64, Unfit> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Unfit::Wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(bytes: &[u8]) -> (Result<usize, Unfit>, Vec<(i64, i64)>) {
        let mut fields = Vec::new();
        let walked = walk(bytes, &mut |id, value| fields.push((id, value)));
        (walked, fields)
    }

    #[test]
    fn the_header_of_a_page_has_integers_and_a_structure() {
        // Kind 0, 300 bytes, 40 stored; a structure {1: 20 rows, 5: {1: "ab"}}; then other bytes.
        let header = [
            0x15, 0, 0x15, 0xd8, 4, 0x15, 80, 0x2c, 0x15, 40, 0x4c, 0x18, 2, b'a', b'b', 0, 0, 0, 9,
        ];
        let expected = vec![(1, 0), (2, 300), (3, 40)];
        assert_eq!(fields(&header), (Ok(header.len() - 1), expected));
        for cut in 0..header.len() - 1 {
            assert_eq!(fields(&header[..cut]).0, Err(Unfit::Cut), "cut at {cut}");
        }
    }

    #[test]
    fn a_list_is_as_long_as_its_bytes() {
        // A list of three integers; of 2^31 truth values; of 2^31 empty structures that are not there.
        assert_eq!(fields(&[0x19, 0x35, 2, 4, 6, 0]).0, Ok(6));
        let many = [0xff, 0xff, 0xff, 0xff, 7];
        let list = |kind: u8| [&[0x19, 0xf0 | kind], &many[..], &[0; 40]].concat();
        assert_eq!(fields(&list(1)).0, Err(Unfit::Wrong));
        assert_eq!(fields(&list(12)).0, Err(Unfit::Cut));
        assert_eq!(fields(&[0x1c; 100]).0, Err(Unfit::Wrong), "too deep");
        assert_eq!(fields(&[0x1b, 0]).0, Err(Unfit::Wrong), "a map");
        assert_eq!(
            fields(&[0x15, 1, 0x05, 8, 2, 0]),
            (Ok(6), vec![(1, -1), (4, 1)])
        );
    }
}
