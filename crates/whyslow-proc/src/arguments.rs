//! What the arguments of the system call that a thread is in lead to: the descriptors that it watches, and a text.

use crate::calls::{Call, read_memory};

/// Descriptors of `poll`, and words of bits of `select`, that are examined.
const MOST_POLLED: usize = 64;
const MOST_WORDS: usize = 16;
/// The longest text.
const MOST_TEXT: usize = 4096;

/// Returns the descriptors of `poll`; `None` if they cannot be read.
pub fn polled(pid: u32, call: &Call) -> Option<Vec<u32>> {
    const BYTES: usize = 8;
    let [array, count, ..] = call.arguments;
    let count = usize::try_from(count).ok()?.min(MOST_POLLED);
    let mut bytes = vec![0; count * BYTES];
    if !read_memory(pid, array, &mut bytes) && count > 0 {
        return None;
    }
    let descriptors = bytes
        .chunks_exact(BYTES)
        .filter_map(|one| one.first_chunk());
    let descriptors = descriptors.map(|bytes| i32::from_ne_bytes(*bytes));
    Some(
        descriptors
            .filter_map(|fd| u32::try_from(fd).ok())
            .collect(),
    )
}

/// Returns the descriptors of `select`, in ascending order; `None` if they cannot be read.
pub fn selected(pid: u32, call: &Call) -> Option<Vec<u32>> {
    let [count, sets @ ..] = call.arguments;
    let words = usize::try_from(count).ok()?.div_ceil(64);
    let mut bits = vec![0_u64; words.min(MOST_WORDS)];
    for set in sets.into_iter().take(3).filter(|&set| set != 0) {
        let mut bytes = vec![0; bits.len() * 8];
        if !read_memory(pid, set, &mut bytes) {
            return None;
        }
        for (word, bytes) in bits.iter_mut().zip(bytes.chunks_exact(8)) {
            *word |= bytes
                .first_chunk()
                .map_or(0, |bytes| u64::from_ne_bytes(*bytes));
        }
    }
    let is_set = |&fd: &u32| {
        bits.get(fd as usize / 64)
            .is_some_and(|word| word >> (fd % 64) & 1 == 1)
    };
    let all = u32::try_from(count.min(bits.len() as u64 * 64)).ok()?;
    Some((0..all).filter(is_set).collect())
}

/// Returns the text at an address, up to its zero byte.
pub fn text(pid: u32, address: u64) -> Option<Vec<u8>> {
    // Piece by piece: what follows may not be there.
    const PIECE: usize = 64;
    let mut text = Vec::new();
    while text.len() < MOST_TEXT {
        let at = address.checked_add(text.len() as u64)?;
        let mut piece = vec![0; PIECE - (at % PIECE as u64) as usize];
        if !read_memory(pid, at, &mut piece) {
            return None;
        }
        let end = piece.iter().position(|&byte| byte == 0);
        text.extend_from_slice(piece.get(..end.unwrap_or(piece.len()))?);
        if end.is_some() {
            break;
        }
    }
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(number: u64, arguments: [u64; 6]) -> Call {
        Call { number, arguments }
    }

    #[test]
    fn descriptors_are_read_where_the_call_has_them() {
        let pid = std::process::id();
        let at = |of: *const u8| of as u64;
        let array: [i32; 6] = [-1, 1, 70, 1, 3, 1];
        let poll = call(7, [at(array.as_ptr().cast()), 3, 0, 0, 0, 0]);
        assert_eq!(polled(pid, &poll), Some(vec![70, 3]));
        assert_eq!(polled(pid, &call(7, [0; 6])), Some(vec![]));
        assert_eq!(polled(pid, &call(7, [8, 1, 0, 0, 0, 0])), None);
        let (read, write) = ([1_u64 << 5, 1 << 6], [1_u64 << 63, 0]);
        let sets = [at(read.as_ptr().cast()), at(write.as_ptr().cast())];
        let select = |count| call(23, [count, sets[0], sets[1], 0, 0, 0]);
        assert_eq!(selected(pid, &select(71)), Some(vec![5, 63, 70]));
        assert_eq!(selected(pid, &select(70)), Some(vec![5, 63]));
        assert_eq!(selected(pid, &call(23, [0; 6])), Some(vec![]));
        assert_eq!(selected(pid, &call(23, [1, 8, 0, 0, 0, 0])), None);
        let given = b"/etc/a\0b";
        assert_eq!(text(pid, at(given.as_ptr())), Some(b"/etc/a".to_vec()));
        assert_eq!(text(pid, 8), None);
    }
}
