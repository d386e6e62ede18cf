//! Checks Thrift structures before the Parquet library reads them.
//!
//! The library skips unknown data element by element, and a list may claim billions of elements
//! that take no space. So the footer and the headers of pages are first walked over: in a structure
//! that passes, every size is backed by bytes. The compact protocol is described in the Thrift
//! project's `thrift-compact-protocol.md`; `parquet.thrift` defines the types.

/// Maximum nesting; the footer's is 7.
const MOST_DEPTH: u32 = 16;

/// Why a structure must not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// The bytes end before the structure does.
    Cut,
    /// It is not a structure, or holds something that it never does.
    Wrong,
}

/// Returns the length of the structure at the front; `field` gets the number and value of each of
/// its integer fields.
pub(crate) fn walk(bytes: &[u8], field: &mut dyn FnMut(i64, i64)) -> Result<usize, Unfit> {
    let mut walk = Walk { rest: bytes, field };
    walk.structure(0)?;
    Ok(bytes.len() - walk.rest.len())
}

/// `key_value_metadata` of a footer: a list of structures {1: key, 2: value}.
const ENTRIES_FIELD: i64 = 5;

/// Returns the value of an entry of a footer.
pub(crate) fn entry<'a>(footer: &'a [u8], key: &str) -> Result<Option<&'a [u8]>, Unfit> {
    let mut ignore = |_, _| {};
    let mut walk = Walk {
        rest: footer,
        field: &mut ignore,
    };
    let mut id = 0;
    while let Some(kind) = walk.head(&mut id)? {
        if id != ENTRIES_FIELD || kind != LIST {
            walk.field(kind, 0)?;
            continue;
        }
        let (count, _) = walk.list()?;
        for _ in 0..count {
            let (name, value) = walk.pair()?;
            if name == key.as_bytes() {
                return Ok(Some(value));
            }
        }
    }
    Ok(None)
}

const TEXT: u8 = 8;
const LIST: u8 = 9;

struct Walk<'a, 'f> {
    rest: &'a [u8],
    field: &'f mut dyn FnMut(i64, i64),
}

impl<'a> Walk<'a, '_> {
    fn structure(&mut self, depth: u32) -> Result<(), Unfit> {
        let mut id = 0_i64;
        while let Some(kind) = self.head(&mut id)? {
            match kind {
                4..=6 => {
                    let value = self.integer()?;
                    if depth == 0 {
                        (self.field)(id, value);
                    }
                }
                kind => self.field(kind, depth)?,
            }
        }
        Ok(())
    }

    /// Returns the kind of the next field of a structure, whose number follows that of the one
    /// before; `None` at the end.
    fn head(&mut self, id: &mut i64) -> Result<Option<u8>, Unfit> {
        let head = self.byte()?;
        if head == 0 {
            return Ok(None);
        }
        *id = match head >> 4 {
            0 => self.integer()?,
            delta => id.saturating_add(i64::from(delta)),
        };
        Ok(Some(head & 0xf))
    }

    /// Skips the value of a field.
    fn field(&mut self, kind: u8, depth: u32) -> Result<(), Unfit> {
        match kind {
            1 | 2 => Ok(()),
            kind => self.value(kind, depth),
        }
    }

    /// Skips a value other than a truth value.
    fn value(&mut self, kind: u8, depth: u32) -> Result<(), Unfit> {
        if depth == MOST_DEPTH {
            return Err(Unfit::Wrong);
        }
        match kind {
            3 => self.take(1).map(drop),
            4..=6 => self.integer().map(drop),
            7 => self.take(8).map(drop),
            TEXT => self.text().map(drop),
            LIST => {
                let (count, kind) = self.list()?;
                // Each element takes a byte, or the end comes first.
                (0..count).try_for_each(|_| self.value(kind, depth + 1))
            }
            12 => self.structure(depth + 1),
            _ => Err(Unfit::Wrong),
        }
    }

    /// Returns the number of elements of a list, and their kind.
    fn list(&mut self) -> Result<(u64, u8), Unfit> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => self.varint()?,
            count => u64::from(count),
        };
        Ok((count, head & 0xf))
    }

    fn text(&mut self) -> Result<&'a [u8], Unfit> {
        let length = self.varint()?;
        self.take(usize::try_from(length).map_err(|_| Unfit::Wrong)?)
    }

    /// Returns the texts of a structure with up to two of them.
    fn pair(&mut self) -> Result<(&'a [u8], &'a [u8]), Unfit> {
        let (mut first, mut second): (&[u8], &[u8]) = (&[], &[]);
        let mut id = 0;
        while let Some(kind) = self.head(&mut id)? {
            match (id, kind) {
                (1, TEXT) => first = self.text()?,
                (2, TEXT) => second = self.text()?,
                _ => self.field(kind, 1)?,
            }
        }
        Ok((first, second))
    }

    fn byte(&mut self) -> Result<u8, Unfit> {
        let (&byte, rest) = self.rest.split_first().ok_or(Unfit::Cut)?;
        self.rest = rest;
        Ok(byte)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Unfit> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Unfit::Cut)?;
        self.rest = rest;
        Ok(taken)
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
    fn entries_are_found_by_their_keys() {
        // An integer; two entries, {1: "a", 2: "xy"} and {1: "b"}; a truth value.
        let footer = [
            0x15, 2, 0x49, 0x2c, 0x18, 1, b'a', 0x18, 2, b'x', b'y', 0, 0x18, 1, b'b', 0, 0x11, 0,
        ];
        assert_eq!(entry(&footer, "a"), Ok(Some(&b"xy"[..])));
        assert_eq!(entry(&footer, "b"), Ok(Some(&b""[..])));
        assert_eq!(entry(&footer, "c"), Ok(None));
        for cut in 0..footer.len() {
            assert_eq!(entry(&footer[..cut], "c"), Err(Unfit::Cut), "cut at {cut}");
        }
    }

    #[test]
    fn a_list_is_as_long_as_its_bytes() {
        // A list of three integers; of 2^31 truth values; of 2^31 empty structures that do not
        // exist.
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
