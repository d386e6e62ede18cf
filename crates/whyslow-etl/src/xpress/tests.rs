//! The two examples of the specification (MS-XCA, 3.1), matches of every length, and pieces.

use super::{HISTORY, Step, Xpress};

fn decode(input: &[u8], length: usize) -> Result<Vec<u8>, Step> {
    let mut out = vec![0; length];
    let step = Xpress::default().decode(input, true, &mut out, 0..length);
    if step.corrupt.is_some() {
        return Err(step);
    }
    assert_eq!(step.filled, length);
    Ok(out)
}

#[test]
fn the_alphabet_of_the_specification() {
    let mut input = vec![0x3f, 0, 0, 0];
    input.extend(b"abcdefghijklmnopqrstuvwxyz");
    let out = decode(&input, 26).unwrap();
    assert_eq!(out, b"abcdefghijklmnopqrstuvwxyz");
}

#[test]
fn the_repetition_of_the_specification() {
    let input = [
        0xff, 0xff, 0xff, 0x1f, 0x61, 0x62, 0x63, 0x17, 0x00, 0x0f, 0xff, 0x26, 0x01,
    ];
    assert_eq!(decode(&input, 300).unwrap(), b"abc".repeat(100));
}

/// A literal, then matches of the given lengths at distance 1, in the shortest form.
fn repeated(lengths: &[u32]) -> Vec<u8> {
    let mut out = vec![0xff, 0xff, 0xff, 0x7f, b'x'];
    let mut half: Option<usize> = None;
    for length in lengths {
        let length = length - 3;
        out.extend([u8::try_from(length.min(7)).unwrap(), 0]);
        if length < 7 {
            continue;
        }
        let nibble = u8::try_from((length - 7).min(15)).unwrap();
        match half.take() {
            Some(at) => out[at] |= nibble << 4,
            None => {
                half = Some(out.len());
                out.push(nibble);
            }
        }
        if nibble < 15 {
            continue;
        }
        let byte = u8::try_from((length - 22).min(255)).unwrap();
        out.push(byte);
        if byte == 255 {
            match u16::try_from(length) {
                Ok(length) => out.extend(length.to_le_bytes()),
                Err(_) => {
                    out.extend([0, 0]);
                    out.extend(length.to_le_bytes());
                }
            }
        }
    }
    out
}

#[test]
fn matches_of_every_length() {
    for length in (3..600).chain([65_537, 65_538, 65_539, 200_000]) {
        let lengths = [length, 3, length, 12, length, length];
        let whole = 1 + lengths.iter().sum::<u32>() as usize;
        let out = decode(&repeated(&lengths), whole).unwrap();
        assert!(out.iter().all(|byte| *byte == b'x'), "length {length}");
    }
}

#[test]
fn what_is_missing_or_reaches_too_far_is_corrupt() {
    let input = repeated(&[40, 9, 500]);
    for cut in 0..input.len() {
        let step = decode(&input[..cut], 550).unwrap_err();
        assert!(step.filled < 550 && step.used <= cut);
    }
    let too_far = [0xff, 0xff, 0xff, 0x7f, b'x', 8, 0];
    assert_eq!(decode(&too_far, 9).unwrap_err().filled, 1);
}

/// Decoding in pieces, with only the history kept, gives the same result as decoding at once.
#[test]
fn pieces_are_joined() {
    let mut input = vec![0; 4];
    let mut random = 1_u32;
    for words in 0..2000 {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let flags = if words == 0 { 0 } else { random };
        let at = input.len() - 4;
        input[at..].copy_from_slice(&flags.to_le_bytes());
        for bit in (0..32).rev() {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [a, b, c, _] = random.to_be_bytes();
            if flags >> bit & 1 == 0 {
                input.push(a);
            } else {
                let distance = (u16::from(a) | u16::from(b) << 8) % (20 + 8 * words.min(400_u16));
                input.extend((distance << 3 | u16::from(c % 7)).to_le_bytes());
            }
        }
        input.extend([0; 4]);
    }
    let length = 60_000;
    let whole = decode(&input, length).unwrap();
    for (piece, step_in) in [(1, 1), (7, 100), (1000, 17), (5000, 4096)] {
        let mut state = Xpress::default();
        let (mut got, mut used) = (Vec::<u8>::new(), 0);
        let mut window = vec![0; HISTORY + piece];
        let mut filled = 0;
        let mut given = 0;
        while got.len() < length {
            let keep = filled - filled.min(HISTORY);
            window.copy_within(keep..filled, 0);
            filled -= keep;
            let until = (filled + piece).min(filled + length - got.len());
            let last = given == input.len();
            let step = state.decode(&input[used..given], last, &mut window, filled..until);
            assert_eq!(step.corrupt, None);
            got.extend(&window[filled..step.filled]);
            if step.filled == filled {
                given = (given + step_in).min(input.len());
            }
            used += step.used;
            filled = step.filled;
        }
        assert!(got == whole, "pieces of {piece}");
    }
}

/// Output before the damage is kept, whether the damage is far from the end of the input or near
/// it.
#[test]
fn what_comes_before_the_damage_is_kept() {
    for behind in [0, 200] {
        let mut input = repeated(&[20; 31]);
        input.extend([0xff; 4]);
        // A match that reaches 8192 bytes back.
        input.extend([0xf8, 0xff]);
        input.resize(input.len() + behind, 0);
        let step = decode(&input, 100_000).unwrap_err();
        assert_eq!(step.filled, 1 + 31 * 20);
    }
}
