//! Just enough XML to read a manifest: its tags and their attributes, in order. Text, comments and
//! declarations are skipped; anything that is not well-formed ends the reading.

/// A start tag.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tag<'a> {
    pub(super) name: &'a str,
    attributes: &'a str,
}

/// Returns the start tags.
pub(super) fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let (_, behind) = rest.split_once('<')?;
            if let Some(comment) = behind.strip_prefix("!--") {
                (_, rest) = comment.split_once("-->")?;
                continue;
            }
            let end = end_of_tag(behind)?;
            let (tag, after) = behind.split_at_checked(end)?;
            rest = after;
            if tag.starts_with(['/', '?', '!']) {
                continue;
            }
            let tag = tag.trim_end_matches('/');
            let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
            return Some(Tag { name, attributes });
        }
    })
}

/// Returns the position of the first `>` outside quotes.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

impl Tag<'_> {
    /// Returns the value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let mut rest = self.attributes;
        loop {
            let (key, behind) = rest.split_once('=')?;
            let behind = behind.trim_start();
            let quote = behind.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let (value, after) = behind.get(1..)?.split_once(quote)?;
            if key.trim() == name {
                return Some(unescape(value));
            }
            rest = after;
        }
    }
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        out.push_str(before);
        let end = behind.bytes().take(12).position(|byte| byte == b';');
        let name = end.and_then(|end| behind.get(..end));
        let c = name.and_then(entity);
        out.push(c.unwrap_or('&'));
        // Text that is not an entity stays unchanged.
        let used = end.filter(|_| c.is_some()).map_or(0, |end| end + 1);
        rest = behind.get(used..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

fn entity(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    })
}
