// Makes the list of all suffixes of a text in their order, and finds its longest repeated passage.
use std::fs;
use std::time::{Duration, Instant};

fn write_text(seed: u32, length: usize) -> Vec<u8> {
    let words = ["sea ", "wind ", "lamp ", "and ", "the ", "old ", "harbour ", "boat ", "of ", "night ", "sings ", "gull "];
    let (mut text, mut state) = (Vec::with_capacity(length + 16), seed);
    while text.len() < length {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        text.extend_from_slice(words[(state >> 16) as usize % words.len()].as_bytes());
    }
    text
}

fn sorted_suffixes(text: &[u8]) -> Vec<u32> {
    let mut places: Vec<u32> = (0..text.len() as u32).collect();
    places.sort_unstable_by(|one, other| text[*one as usize..].cmp(&text[*other as usize..]));
    places
}

fn longest_repeat(text: &[u8], places: &[u32]) -> usize {
    let common = |pair: &[u32]| {
        let (one, other) = (&text[pair[0] as usize..], &text[pair[1] as usize..]);
        one.iter().zip(other).take_while(|(a, b)| a == b).count()
    };
    places.windows(2).map(common).max().unwrap_or(0)
}

fn main() {
    let end = Instant::now() + Duration::from_secs(2);
    let (mut texts, mut longest) = (0, 0);
    while Instant::now() < end {
        let text = write_text(texts + 1, 100_000);
        longest = longest.max(longest_repeat(&text, &sorted_suffixes(&text)));
        texts += 1;
    }
    fs::write("repeats.txt", format!("{texts} texts, longest repeat {longest}\n")).unwrap();
}
