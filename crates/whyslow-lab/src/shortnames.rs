//! Short names of the 8.3 form, as Windows generates them for long ones.
//!
//! ```text
//! TextFile.Mine.txt ─► TEXTFI~1.TXT … ~4, then TEE50A~1.TXT, ~2 …
//!                      six characters          two, and a checksum of the long name
//! ```
//!
//! A name is tried, looked up in the directory, and if it is taken the next one is tried: so the cost of
//! a new file depends on how many are called alike. A short name has eight characters at most, so a
//! number of two digits takes the place of the last one before it, which is the last digit of the
//! checksum: from the tenth on, names of sixteen checksums compete. After 999,999 Windows gives up.
//! Sources: Microsoft's articles KB 101601, KB 114816
//! and KB 130694, the documentation of `RtlGenerate8dot3Name`; the checksums as several people found
//! them out, checked against names from real machines. What Windows does with characters beyond ASCII
//! depends on its code page; here they are left out.

mod directory;
pub(crate) mod real;

pub(crate) use directory::Directory;

/// Who generates names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generation {
    /// Windows NT 3.1, and Windows 95: counts up.
    Nt31,
    /// Windows NT 3.51 and 4.
    Nt4,
    /// Windows 2000, XP, and Vista.
    Xp,
    /// Windows 7 and everything since.
    Seven,
}

impl Generation {
    /// All, the oldest first.
    pub const ALL: [Self; 4] = [Self::Nt31, Self::Nt4, Self::Xp, Self::Seven];

    /// Returns the generation called `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nt31 => "nt3.1",
            Self::Nt4 => "nt4",
            Self::Xp => "windowsxp",
            Self::Seven => "windows7",
        }
    }

    /// Returns the checksum of a long name; 0 where there is none.
    fn checksum(self, name: &str) -> u16 {
        match self {
            Self::Nt31 => 0,
            Self::Nt4 => rotated(name, |first, second| {
                let shift = u32::from(second) + 8;
                first.checked_shl(shift).unwrap_or(0)
            }),
            Self::Xp => rotated(name, |first, second| (first << 8).wrapping_add(second)),
            Self::Seven => multiplied(name),
        }
    }
}

/// Returns the checksum of Windows NT to Vista: pairs of characters, rotated.
fn rotated(name: &str, begin: impl Fn(u16, u16) -> u16) -> u16 {
    let units: Vec<u16> = name.encode_utf16().collect();
    let mut pairs = units
        .chunks(2)
        .map(|pair| (pair[0], pair.get(1).copied().unwrap_or(0)));
    let sum = pairs
        .next()
        .map_or(0, |(first, second)| begin(first, second));
    pairs.fold(sum, |sum, (first, second)| {
        let sum = sum.rotate_right(1).wrapping_add(first << 8);
        sum.wrapping_add(second)
    })
}

/// Returns the checksum of Windows 7.
fn multiplied(name: &str) -> u16 {
    let sum = name
        .encode_utf16()
        .fold(0_u16, |sum, unit| sum.wrapping_mul(37).wrapping_add(unit));
    let spread = i32::from_ne_bytes(u32::from(sum).wrapping_mul(314_159_269).to_ne_bytes());
    let rest = spread.unsigned_abs() % 1_000_000_007;
    u16::try_from(rest & 0xffff).unwrap_or(0)
}

/// A short name: eight characters and three, filled with spaces, as FAT stores it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShortName([u8; 11]);

impl std::fmt::Display for ShortName {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (base, extension) = self.0.split_at(8);
        let text = |part: &[u8]| String::from_utf8_lossy(part).trim_end().to_owned();
        let (base, extension) = (text(base), text(extension));
        out.write_str(&base)?;
        if extension.is_empty() {
            return Ok(());
        }
        write!(out, ".{extension}")
    }
}

/// The short names for one long one, in the order in which they are tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidates {
    base: Vec<u8>,
    extension: Vec<u8>,
    /// What the base becomes after the first four; `None` where it is counted up throughout.
    summed: Option<Vec<u8>>,
}

/// Numbers that are tried after the same characters; all have the same length, except the first four.
struct Range<'a> {
    kept: &'a [u8],
    first: u32,
    last: u32,
}

/// Names that are tried with the first characters before the checksum comes.
const PLAIN: u32 = 4;

impl Candidates {
    /// Returns what `generation` tries for `long`; `None` if that is a short name itself.
    pub fn new(generation: Generation, long: &str) -> Option<Self> {
        if is_short(long) {
            return None;
        }
        let trimmed = long.trim_start_matches(['.', ' ']);
        let (base, extension) = trimmed.rsplit_once('.').unwrap_or((trimmed, ""));
        let mut base: Vec<u8> = base.chars().filter_map(legal).take(6).collect();
        let extension = extension.chars().filter_map(legal).take(3).collect();
        let mut summed = None;
        if generation != Generation::Nt31 {
            let sum = generation.checksum(long);
            let mut text: Vec<u8> = base.iter().copied().take(2).collect();
            // The lowest digit comes first.
            let digit = |at: u32| HEX[usize::from((sum >> (4 * at)) & 0xf)];
            text.extend((0..4).map(digit));
            summed = Some(text);
        }
        if base.len() <= 2 {
            // Too little to go by: the checksum comes at once.
            base = summed.take().unwrap_or(base);
        }
        Some(Self {
            base,
            extension,
            summed,
        })
    }

    /// Returns the names that are tried, as ranges of numbers after the same characters.
    fn ranges(&self) -> impl Iterator<Item = Range<'_>> {
        let plain = self.summed.is_some().then_some(Range {
            kept: &self.base,
            first: 1,
            last: PLAIN,
        });
        let base = self.summed.as_ref().unwrap_or(&self.base);
        let counted = (1..=6_usize).map(|digits| Range {
            kept: base.get(..7 - digits).unwrap_or(base),
            first: 10_u32.pow(u32::try_from(digits).unwrap_or(0) - 1),
            last: 10_u32.pow(u32::try_from(digits).unwrap_or(0)) - 1,
        });
        plain.into_iter().chain(counted)
    }

    /// Returns the name that is tried as number `at`, from 0; `None` when there are no more.
    pub fn get(&self, at: u32) -> Option<ShortName> {
        let mut rest = at;
        let (kept, number) = self.ranges().find_map(|range| {
            let length = range.last - range.first + 1;
            let number = (rest < length).then(|| (range.kept, range.first + rest));
            rest = rest.saturating_sub(length);
            number
        })?;
        Some(self.name(kept, &format!("~{number}")))
    }

    /// Returns the name of these characters and the extension.
    fn name(&self, kept: &[u8], tail: &str) -> ShortName {
        let mut name = [b' '; 11];
        for (place, byte) in name
            .iter_mut()
            .zip(kept.iter().copied().chain(tail.bytes()))
        {
            *place = byte;
        }
        for (place, byte) in name[8..].iter_mut().zip(&self.extension) {
            *place = *byte;
        }
        ShortName(name)
    }
}

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Returns what a character becomes in a short name; `None` if it is left out.
fn legal(letter: char) -> Option<u8> {
    let byte = u8::try_from(letter).ok()?;
    match byte {
        b':' | b';' | b',' | b'+' | b'=' | b'[' | b']' => Some(b'_'),
        b'.' | b' ' | b'"' | b'*' | b'/' | b'<' | b'>' | b'?' | b'\\' | b'|' => None,
        b'!'..=b'~' => Some(byte.to_ascii_uppercase()),
        _ => None,
    }
}

/// Returns whether `name` is of the 8.3 form, whatever its case, and gets no other.
pub fn is_short(name: &str) -> bool {
    let (base, extension) = name.split_once('.').unwrap_or((name, "x"));
    let kept = |text: &str| {
        text.chars()
            .all(|one| legal(one) == u8::try_from(one).ok().map(|byte| byte.to_ascii_uppercase()))
    };
    let fits = (1..=8).contains(&base.len()) && (1..=3).contains(&extension.len());
    fits && kept(base) && kept(extension)
}

#[cfg(test)]
mod tests;
