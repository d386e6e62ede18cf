//! Plain LZ77 XPRESS (MS-XCA, 2.4), which compressed buffers use, in pieces of any size.
//!
//! A stream is a sequence of 32-bit flag words, each followed by 32 items, most significant flag
//! first: 0 means a literal byte, 1 means a match of `u16`: distance − 1 in the upper 13 bits,
//! length − 3 in the lower 3. Longer lengths continue in half a byte (two matches share one, low
//! half first), then a byte, then 16 bits, then 32. No match reaches back more than 8192 bytes, so
//! this decoder needs no more of its output than that.
//!
//! *Folklore:* the end of the stream is not marked; decoding ends when the wanted length is
//! reached. Decoders that insist on using up all the input fail on 4 % of the buffers of real
//! traces (Windows 8 and 10), which have a few bytes after the last item.

use crate::bytes::{size, u16_at, u32_at};

/// Maximum distance of a match, in bytes.
pub(crate) const HISTORY: usize = 1 << 13;

/// Maximum number of input bytes that one item and its flag word take.
const MOST_ITEM: usize = 16;

/// Bytes that are copied at once if there is room.
const CHUNK: usize = 32;

/// Bytes that are copied at once for a match that overlaps itself.
const WORD: usize = 16;

/// The input ended before the wanted length, or a match reaches before the beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Corrupt;

/// The state of decoding between two pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Xpress {
    /// Flags not used yet, the next in the highest bit, and a one after the last.
    flags: u64,
    /// Upper half of a length byte, for the next long match; [`NO_HALF`] for none.
    half: u8,
    /// A match cut off by the end of the output: its distance and the rest of its length.
    distance: usize,
    left: usize,
}

/// The result of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    /// Bytes of the input used up.
    pub(crate) used: usize,
    /// Bytes of the output that are valid now.
    pub(crate) filled: usize,
    /// Whether it stopped because an item was corrupt, rather than for lack of room.
    pub(crate) corrupt: Option<Corrupt>,
}

/// No half of a byte.
const NO_HALF: u8 = 16;

/// No flags.
const NO_FLAGS: u64 = 1 << 63;

impl Default for Xpress {
    fn default() -> Self {
        Self {
            flags: NO_FLAGS,
            half: NO_HALF,
            distance: 0,
            left: 0,
        }
    }
}

impl Xpress {
    /// Decodes from `input` into `out[filled..until]`; the bytes before `filled` are the history.
    ///
    /// Without `last`, stops early when `input` might end within an item. `out` may be written
    /// beyond `until`; those bytes mean nothing.
    pub(crate) fn decode(
        &mut self,
        input: &[u8],
        last: bool,
        out: &mut [u8],
        range: std::ops::Range<usize>,
    ) -> Step {
        let until = range.end.min(out.len());
        let mut step = Step {
            used: 0,
            filled: range.start,
            corrupt: None,
        };
        if self.left > 0 && self.copy(out, &mut step.filled, until).is_none() {
            step.corrupt = Some(Corrupt);
            return step;
        }
        let stop = input.len().saturating_sub(if last { 0 } else { MOST_ITEM });
        while step.filled < until && (step.used < stop || last) {
            if self.fast(input, out, &mut step, until).is_none()
                || step.filled < until && self.item(input, out, &mut step, until).is_none()
            {
                step.corrupt = Some(Corrupt);
                break;
            }
        }
        step
    }

    /// Decodes as many items as possible without checking for the ends of input and output, which
    /// are far away; each step is a run of literals, which may be empty, and a match.
    ///
    /// Whether and where a long length continues is effectively random: computing it from all bytes
    /// that may belong to it is cheaper than branching.
    #[inline(never)]
    fn fast(&mut self, input: &[u8], out: &mut [u8], step: &mut Step, until: usize) -> Option<()> {
        let enough = until.saturating_sub(2 * CHUNK);
        let (mut flags, mut half) = (self.flags, self.half);
        let (mut used, mut filled) = (step.used, step.filled);
        let mut is_sound = true;
        while filled < enough && is_sound {
            let ahead = input.get(used..).unwrap_or_default();
            let Some(ahead) = ahead.first_chunk::<{ 3 * CHUNK }>() else {
                break;
            };
            let literals = size(flags.leading_zeros());
            *out.get_mut(filled..)?.first_chunk_mut::<CHUNK>()? = *ahead.first_chunk()?;
            let [a, b, first, second] = *ahead.get(literals..)?.first_chunk()?;
            used += literals;
            filled += literals;
            flags = flags << literals << 1;
            if flags == 0 {
                flags = new_flags(u32::from_le_bytes([a, b, first, second]));
                used += 4;
                continue;
            }
            let word = u16::from_le_bytes([a, b]);
            let distance = usize::from(word >> 3) + 1;
            let mut length = usize::from(word & 7) + 3;
            used += 2;
            if word & 7 == 7 {
                let is_new = half == NO_HALF;
                let nibble = if is_new { first & 15 } else { half };
                let behind = if is_new { second } else { first };
                half = if is_new { first >> 4 } else { NO_HALF };
                let is_longest = nibble == 15;
                let more = if is_longest { behind } else { 0 };
                used += usize::from(is_new);
                length += usize::from(nibble) + usize::from(more);
                if more == 255 {
                    // A length of zero is invalid, so the input is corrupt.
                    length = longer(input, &mut used).unwrap_or(0);
                } else {
                    used += usize::from(is_longest);
                }
            }
            if distance > filled || length == 0 {
                is_sound = false;
            } else if length <= distance.min(CHUNK) {
                let chunk: [u8; CHUNK] = *out.get(filled - distance..)?.first_chunk()?;
                *out.get_mut(filled..)?.first_chunk_mut()? = chunk;
                filled += length;
            } else if distance >= WORD && length < enough.saturating_sub(filled) {
                let from = filled - distance;
                if distance < CHUNK {
                    copy_far::<WORD>(out, from, filled, length)?;
                } else {
                    copy_far::<CHUNK>(out, from, filled, length)?;
                }
                filled += length;
            } else {
                (self.distance, self.left) = (distance, length);
                is_sound = self.copy(out, &mut filled, until).is_some();
            }
        }
        (self.flags, self.half) = (flags, half);
        (step.used, step.filled) = (used, filled);
        is_sound.then_some(())
    }

    /// Decodes a run of literals, or one match.
    #[inline]
    fn item(&mut self, input: &[u8], out: &mut [u8], step: &mut Step, until: usize) -> Option<()> {
        if self.flags == NO_FLAGS {
            self.flags = new_flags(u32_at(input, step.used)?);
            step.used += 4;
        }
        if self.flags >> 63 == 0 {
            return self.literals(input, out, step, until);
        }
        self.flags <<= 1;
        let word = u16_at(input, step.used)?;
        step.used += 2;
        self.distance = usize::from(word >> 3) + 1;
        self.left = match word & 7 {
            7 => self.long_length(input, &mut step.used)?,
            short => usize::from(short) + 3,
        };
        self.copy(out, &mut step.filled, until)
    }

    fn long_length(&mut self, input: &[u8], used: &mut usize) -> Option<usize> {
        let next = if self.half == NO_HALF {
            *input.get(*used)?
        } else {
            0
        };
        match nibble(&mut self.half, next, used) {
            15 => longer(input, used),
            short => Some(usize::from(short) + 7 + 3),
        }
    }

    #[inline]
    fn literals(
        &mut self,
        input: &[u8],
        out: &mut [u8],
        step: &mut Step,
        until: usize,
    ) -> Option<()> {
        let rest = input.get(step.used..)?;
        let to = out.get_mut(step.filled..)?;
        let room = (until - step.filled).min(rest.len());
        let count = size(self.flags.leading_zeros()).min(room);
        if count == 0 {
            return None;
        }
        to.get_mut(..count)?.copy_from_slice(rest.get(..count)?);
        step.used += count;
        step.filled += count;
        self.flags <<= count;
        Some(())
    }

    /// Copies the current match, as far as there is room for it.
    fn copy(&mut self, out: &mut [u8], filled: &mut usize, until: usize) -> Option<()> {
        let count = self.left.min(until - *filled);
        let from = filled.checked_sub(self.distance)?;
        self.left -= count;
        let to = *filled;
        *filled += count;
        // Source and target may overlap: then the copied bytes are copied again, doubling each
        // time.
        let mut done = 0;
        while done < count {
            let piece = (count - done).min(self.distance + done);
            let end = from.checked_add(piece)?;
            if to + done + piece > out.len() {
                return None;
            }
            out.copy_within(from..end, to + done);
            done += piece;
        }
        Some(())
    }
}

/// Returns the flags of a word.
#[inline]
fn new_flags(word: u32) -> u64 {
    u64::from(word) << 32 | 1 << 31
}

/// Copies a match from `from` to `to`, at least `N` bytes after it, `N` bytes at once; there must
/// be room for `N` more bytes after the match.
#[inline(never)]
fn copy_far<const N: usize>(out: &mut [u8], from: usize, to: usize, length: usize) -> Option<()> {
    let mut done = 0;
    while done < length {
        let piece: [u8; N] = *out.get(from + done..)?.first_chunk()?;
        *out.get_mut(to + done..)?.first_chunk_mut()? = piece;
        done += N;
    }
    Some(())
}

/// Length of a match that continues after its half byte.
const LONGEST: usize = 7 + 3 + 15;

/// Returns the next half of a byte: the rest of the last one, or the lower half of the next, which
/// is then used up.
#[inline]
fn nibble(half: &mut u8, next: u8, used: &mut usize) -> u8 {
    if *half != NO_HALF {
        return std::mem::replace(half, NO_HALF);
    }
    *half = next >> 4;
    *used += 1;
    next & 15
}

/// Returns a length that continues after its half byte.
#[inline]
fn longer(input: &[u8], used: &mut usize) -> Option<usize> {
    let byte = *input.get(*used)?;
    *used += 1;
    if byte < 255 {
        return Some(usize::from(byte) + LONGEST);
    }
    let mut length = u32::from(u16_at(input, *used)?);
    *used += 2;
    if length == 0 {
        length = u32_at(input, *used)?;
        *used += 4;
    }
    (length >= 15 + 7).then(|| size(length).saturating_add(3))
}

#[cfg(test)]
mod tests;
