//! Function names for a sentence: what tells functions apart in the tables is left out.

use std::borrow::Cow;

/// Returns a function's name without the version a library gives it (`read@@GLIBC_2.2.5`), without
/// type arguments (`push::<u8>`), and without brackets around a plain type (`<Vec>::push`).
pub(crate) fn plain_name(name: &str) -> Cow<'_, str> {
    let name = name
        .split_once("@GLIBC")
        .map_or(name, |(plain, _)| plain.trim_end_matches('@'));
    let name = name.strip_prefix("__GI_").unwrap_or(name);
    match name.contains("::") && name.contains('<') {
        true => Cow::Owned(without_brackets(&without_arguments(name))),
        false => Cow::Borrowed(name),
    }
}

/// Takes off every `::<…>`.
fn without_arguments(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find("::<") {
        let Some(length) = bracket(&rest[at + 2..]) else {
            break;
        };
        plain.push_str(&rest[..at]);
        rest = &rest[at + 2 + length..];
    }
    plain.push_str(rest);
    plain
}

/// Takes off brackets in front, `<Type>::name`, unless they say of which trait the function is.
fn without_brackets(name: &str) -> String {
    let length = name.starts_with('<').then(|| bracket(name)).flatten();
    if let Some(length) = length
        && let Some(rest) = name[length..].strip_prefix("::")
        && !name[..length].contains(" as ")
    {
        return format!("{}::{rest}", &name[1..length - 1]);
    }
    name.to_owned()
}

/// Returns the length of the bracketed text that `text` begins with; `None` if it does not end.
fn bracket(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            // An arrow of a function type ends nothing.
            '>' if before != '-' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        before = letter;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_a_name() {
        let names = [
            ("read", "read"),
            ("read@@GLIBC_2.2.5", "read"),
            ("__GI_memcpy", "memcpy"),
            ("<std::sync::Mutex>::lock", "std::sync::Mutex::lock"),
            (
                "<cargo::Filesystem>::open::<&str>",
                "cargo::Filesystem::open",
            ),
            ("run::<fn(u8) -> Vec<u8>>::{closure#1}", "run::{closure#1}"),
            ("<Vec<u8> as Clone>::clone", "<Vec<u8> as Clone>::clone"),
            ("<<A as B>::C>::d", "<<A as B>::C>::d"),
            ("operator<", "operator<"),
            ("std::operator<< <char>", "std::operator<< <char>"),
            ("a::<b", "a::<b"),
            ("<a::b", "<a::b"),
        ];
        for (name, plain) in names {
            assert_eq!(plain_name(name), plain);
        }
    }
}
