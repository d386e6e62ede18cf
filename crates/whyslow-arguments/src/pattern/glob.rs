//! One word of a filter, in the cheapest form that matches it.

/// A case-insensitive, anchored pattern of `*` and `?`; literals are kept in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Glob {
    /// `*`
    Any,
    /// `text`
    Exact(String),
    /// `text*`
    Prefix(String),
    /// `*text`
    Suffix(String),
    /// `*text*`
    Contains(String),
    /// Everything else, and whatever is not ASCII.
    General(Vec<char>),
}

impl Glob {
    /// Returns the pattern in `word`.
    pub(super) fn new(word: &str) -> Self {
        let word = word.to_lowercase();
        if !word.is_ascii() || word.contains('?') {
            return Self::General(word.chars().collect());
        }
        let stars_before = word.len() - word.trim_start_matches('*').len();
        let inner = word.trim_matches('*');
        if inner.is_empty() && stars_before > 0 {
            return Self::Any;
        }
        if inner.contains('*') {
            return Self::General(word.chars().collect());
        }
        let inner = inner.to_owned();
        match (stars_before > 0, word.ends_with('*')) {
            (false, false) => Self::Exact(inner),
            (false, true) => Self::Prefix(inner),
            (true, false) => Self::Suffix(inner),
            (true, true) => Self::Contains(inner),
        }
    }

    /// Returns the pattern that also matches within texts.
    pub(super) fn loosened(&self) -> Self {
        match self {
            Self::Any => Self::Any,
            Self::Exact(word) | Self::Prefix(word) | Self::Suffix(word) | Self::Contains(word) => {
                Self::Contains(word.clone())
            }
            Self::General(word) => {
                let word = std::iter::once('*').chain(word.iter().copied());
                Self::General(word.chain(['*']).collect())
            }
        }
    }

    /// Returns whether the whole of `text` matches.
    pub(super) fn matches(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        match self {
            Self::Any => true,
            Self::Exact(word) => bytes.eq_ignore_ascii_case(word.as_bytes()),
            Self::Prefix(word) => {
                let start = bytes.get(..word.len());
                start.is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
            }
            Self::Suffix(word) => {
                let from = bytes.len().checked_sub(word.len());
                let end = from.and_then(|from| bytes.get(from..));
                end.is_some_and(|end| end.eq_ignore_ascii_case(word.as_bytes()))
            }
            Self::Contains(word) => contains(bytes, word.as_bytes()),
            // Most names are ASCII, and each is compared with many patterns.
            Self::General(word) if text.is_ascii() => {
                let lower = |byte: &u8| char::from(byte.to_ascii_lowercase());
                general(word, |at| bytes.get(at).map(lower))
            }
            Self::General(word) => {
                let text: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
                general(word, |at| text.get(at).copied())
            }
        }
    }
}

/// Returns whether `text` has `word` (lower-case ASCII) somewhere, whatever the case.
fn contains(text: &[u8], word: &[u8]) -> bool {
    let Some((&first, rest)) = word.split_first() else {
        return true;
    };
    let upper = first.to_ascii_uppercase();
    let Some(last_start) = text.len().checked_sub(word.len()) else {
        return false;
    };
    let starts = text.iter().take(last_start + 1).enumerate();
    let mut starts = starts.filter(|&(_, &byte)| byte == first || byte == upper);
    starts.any(|(at, _)| {
        let tail = text.get(at + 1..at + word.len());
        tail.is_some_and(|tail| tail.eq_ignore_ascii_case(rest))
    })
}

/// Matches with one point to fall back to: the last `*`. Time is at most `word × text`.
fn general(word: &[char], text: impl Fn(usize) -> Option<char>) -> bool {
    let (mut at, mut from) = (0, 0);
    let mut fallback = None;
    while let Some(c) = text(from) {
        match word.get(at) {
            Some('*') => {
                fallback = Some((at + 1, from));
                at += 1;
            }
            Some(&w) if w == '?' || w == c => {
                at += 1;
                from += 1;
            }
            _ => {
                let Some((after_star, tried)) = fallback else {
                    return false;
                };
                fallback = Some((after_star, tried + 1));
                at = after_star;
                from = tried + 1;
            }
        }
    }
    word.get(at..)
        .is_some_and(|rest| rest.iter().all(|&c| c == '*'))
}
