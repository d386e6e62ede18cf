//! Plain LZ77 XPRESS (MS-XCA, 2.4), which compressed buffers use, in pieces of any size.
//!
//! A stream is a sequence of 32-bit flag words, each followed by 32 items, most significant flag
//! first: 0 stands for a literal byte, 1 for a match of `u16`: distance − 1 in the upper 13 bits,
//! length − 3 in the lower 3. Longer lengths go on in half a byte (two matches share one, low half
//! first), then a byte, then 16 bits, then 32. No match reaches back more than 8192 bytes, so this
//! decoder needs no more of what it wrote than that.
//!
//! *Folklore:* the end of the stream is not marked; decoding ends when the wanted length is
//! reached. Decoders that insist on using up all the input fail on 4 % of the buffers of real
//! traces (Windows 8 and 10), which have a few bytes behind the last item.

use crate::bytes::{u16_at, u32_at};

/// Farthest a match reaches back, in bytes.
pub(crate) const HISTORY: usize = 1 << 13;

/// Most bytes of input that one item and its flag word take.
const MOST_ITEM: usize = 16;

/// Bytes that are copied at once where there is room.
const CHUNK: usize = 32;

/// Bytes that are copied at once where a match may overlap itself.
const WORD: usize = 16;

/// Bytes of input that the fast loop wants ahead of it: a run of literals and an item.
const AHEAD: usize = CHUNK + 2 * MOST_ITEM;

/// What is left of the flags when all are used: the bit behind the last.
const LAST_FLAG: u64 = 1 << 63;

/// Stands for no half byte.
const NO_HALF: u32 = 16;

/// A length of as much as item and half a byte can hold, which goes on behind them.
const FAR: usize = 7 + 15 + 3;

/// The input ended before the wanted length, or a match reaches before the beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Corrupt;

/// The state of decoding between two pieces.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Xpress {
    /// Flags not used yet, the next in the top bit.
    flags: u32,
    flag_count: u32,
    /// Upper half of a length byte, for the next long match.
    half: Option<u8>,
    /// A match cut by the end of the output: distance and what is left.
    distance: usize,
    left: usize,
}

/// What a call has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    /// Bytes of the input used up.
    pub(crate) used: usize,
    /// Bytes of the output that are valid now.
    pub(crate) filled: usize,
    /// Whether it stopped for want of a correct item rather than of room.
    pub(crate) corrupt: Option<Corrupt>,
}

impl Xpress {
    /// Decodes from `input` into `out[filled..until]`; what lies before `filled` is the history.
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

    /// Decodes as many items as can be done without looking for the ends of input and output,
    /// which are far; always a run of literals, which may be empty, and a match.
    ///
    /// Nearly all its time goes into branches that cannot be foreseen, so it avoids them: a bit
    /// behind the last flag ends runs of literals, and half bytes are taken by selection.
    #[inline]
    fn fast(&mut self, input: &[u8], out: &mut [u8], step: &mut Step, until: usize) -> Option<()> {
        let enough = until.saturating_sub(2 * CHUNK);
        let mut flags = u64::from(self.flags) << 32 | LAST_FLAG >> self.flag_count;
        let mut half = self.half.map_or(NO_HALF, u32::from);
        let (mut used, mut filled) = (step.used, step.filled);
        let mut is_sound = true;
        while filled < enough {
            let Some(ahead) = input.get(used..).and_then(<[u8]>::first_chunk::<AHEAD>) else {
                break;
            };
            if flags == LAST_FLAG {
                flags = u64::from(u32_at(ahead, 0)?) << 32 | LAST_FLAG >> 32;
                used += 4;
                continue;
            }
            let literals = flags.leading_zeros();
            let count = crate::bytes::size(literals);
            copy_literals(out.get_mut(filled..)?.first_chunk_mut()?, ahead, count);
            used += count;
            filled += count;
            flags <<= literals;
            if flags == LAST_FLAG {
                continue;
            }
            flags <<= 1;
            let [low, high, next] = *ahead.get(count..)?.first_chunk()?;
            used += 2;
            let word = u16::from_le_bytes([low, high]);
            let distance = usize::from(word >> 3) + 1;
            let mut length = near_length(word, next, &mut half, &mut used);
            if length == FAR {
                // Zero is no length, and so corrupt.
                length = longer_length(input, &mut used).unwrap_or(0);
            }
            let Some(from) = filled.checked_sub(distance).filter(|_| length > 0) else {
                is_sound = false;
                break;
            };
            if length <= CHUNK && distance >= WORD {
                copy_word(out, from, filled)?;
                copy_word(out, from + WORD, filled + WORD)?;
                filled += length;
            } else {
                (self.distance, self.left) = (distance, length);
                is_sound = self.copy(out, &mut filled, until).is_some();
                if !is_sound {
                    break;
                }
            }
        }
        self.flag_count = 63 - flags.trailing_zeros();
        self.flags = u32::try_from((flags & (flags - 1)) >> 32).unwrap_or(0);
        self.half = u8::try_from(half)
            .ok()
            .filter(|half| u32::from(*half) < NO_HALF);
        (step.used, step.filled) = (used, filled);
        is_sound.then_some(())
    }

    /// Decodes a run of literals, or one match.
    #[inline]
    fn item(&mut self, input: &[u8], out: &mut [u8], step: &mut Step, until: usize) -> Option<()> {
        if self.flag_count == 0 {
            self.flags = u32_at(input, step.used)?;
            self.flag_count = 32;
            step.used += 4;
        }
        let literals = self.flags.leading_zeros().min(self.flag_count);
        if literals > 0 {
            return self.literals(input, out, step, until);
        }
        self.flags <<= 1;
        self.flag_count -= 1;
        let word = u16_at(input, step.used)?;
        step.used += 2;
        self.distance = usize::from(word >> 3) + 1;
        self.left = match word & 7 {
            7 => self.long_length(input, &mut step.used)?,
            short => usize::from(short) + 3,
        };
        self.copy(out, &mut step.filled, until)
    }

    #[inline]
    fn literals(
        &mut self,
        input: &[u8],
        out: &mut [u8],
        step: &mut Step,
        until: usize,
    ) -> Option<()> {
        let most = self.flags.leading_zeros().min(self.flag_count);
        let rest = input.get(step.used..)?;
        let to = out.get_mut(step.filled..)?;
        let room = (until - step.filled).min(rest.len());
        let count = crate::bytes::size(most).min(room);
        if count == 0 {
            return None;
        }
        to.get_mut(..count)?.copy_from_slice(rest.get(..count)?);
        step.used += count;
        step.filled += count;
        let count = crate::bytes::narrow(count);
        self.flags = self.flags.checked_shl(count).unwrap_or(0);
        self.flag_count -= count;
        Some(())
    }

    fn long_length(&mut self, input: &[u8], used: &mut usize) -> Option<usize> {
        let nibble = if let Some(half) = self.half.take() {
            half
        } else {
            let byte = *input.get(*used)?;
            *used += 1;
            self.half = Some(byte >> 4);
            byte & 15
        };
        if nibble < 15 {
            return Some(usize::from(nibble) + 7 + 3);
        }
        longer_length(input, used)
    }

    /// Copies the match at hand, as far as there is room for it.
    ///
    /// Rare in the fast loop, which needs the registers.
    #[inline(never)]
    fn copy(&mut self, out: &mut [u8], filled: &mut usize, until: usize) -> Option<()> {
        let count = self.left.min(until - *filled);
        let from = filled.checked_sub(self.distance)?;
        self.left -= count;
        let to = *filled;
        *filled += count;
        if self.distance >= WORD && to + count + WORD <= out.len() {
            let mut done = 0;
            while done < count {
                let word: [u8; WORD] = *out.get(from + done..)?.first_chunk()?;
                *out.get_mut(to + done..)?.first_chunk_mut()? = word;
                done += WORD;
            }
            return Some(());
        }
        // Source and target may overlap: then what was copied is copied on, twice as much each time.
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

/// Takes a length from its item, and from half a byte if it is longer; `next` is the byte behind the
/// item. [`FAR`] where it goes on behind that.
#[inline]
fn near_length(word: u16, next: u8, half: &mut u32, used: &mut usize) -> usize {
    let short = u32::from(word & 7);
    let (is_long, has_half) = (short == 7, *half < NO_HALF);
    let (nibble, other) = if has_half {
        (*half, NO_HALF)
    } else {
        (u32::from(next & 15), u32::from(next >> 4))
    };
    *half = if is_long { other } else { *half };
    *used += usize::from(is_long && !has_half);
    crate::bytes::size(short + if is_long { nibble } else { 0 }) + 3
}

/// Reads a length that is too long for half a byte.
#[inline]
fn longer_length(input: &[u8], used: &mut usize) -> Option<usize> {
    let byte = *input.get(*used)?;
    *used += 1;
    if byte < 255 {
        return Some(usize::from(byte) + 15 + 7 + 3);
    }
    let mut length = u32::from(u16_at(input, *used)?);
    *used += 2;
    if length == 0 {
        length = u32_at(input, *used)?;
        *used += 4;
    }
    (length >= 15 + 7).then(|| crate::bytes::size(length).saturating_add(3))
}

/// Copies at least so many literals, which are few nearly always.
#[inline]
fn copy_literals(out: &mut [u8; CHUNK], input: &[u8; AHEAD], count: usize) {
    const FEW: usize = 8;
    let (few, rest) = out.split_at_mut(FEW);
    let (from, more) = input.split_at(FEW);
    few.copy_from_slice(from);
    if count > FEW {
        let more = more.split_at(CHUNK - FEW).0;
        rest.copy_from_slice(more);
    }
}

/// Copies a word within `out`.
#[inline]
fn copy_word(out: &mut [u8], from: usize, to: usize) -> Option<()> {
    let word: [u8; WORD] = *out.get(from..)?.first_chunk()?;
    *out.get_mut(to..)?.first_chunk_mut()? = word;
    Some(())
}

#[cfg(test)]
mod tests;
