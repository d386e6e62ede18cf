//! What the names of many files have in common.

use std::collections::BTreeMap;

use super::is_most;

/// A pattern with fewer letters in its last name says nothing.
const FEW_LETTERS: usize = 3;

/// Returns a path with `*` for each number in its last name.
pub fn without_digits(path: &str) -> String {
    let at = path.rfind('/').map_or(0, |at| at + 1);
    let (folder, name) = path.split_at(at);
    let mut text = folder.to_owned();
    for letter in name.chars() {
        match letter.is_ascii_digit() {
            true if text.ends_with('*') => {}
            true => text.push('*'),
            false => text.push(letter),
        }
    }
    text
}

/// What may show which files belong together: nothing, what follows the last dot, or the word that their names begin
/// with.
const ALIKE: [fn(&str) -> &str; 3] = [
    |_| "",
    |name| name.rsplit_once('.').map_or("", |(_, ending)| ending),
    |name| {
        let end = name.find(|letter: char| !letter.is_alphabetic());
        name.get(..end.unwrap_or(name.len())).unwrap_or_default()
    },
];

/// Returns the pattern of most of these paths, by their weights of `all`: their names differ only in a number, or
/// they lie equally deep below `folder`, which ends with a slash, and have names that begin or end alike.
pub(super) fn pattern(folder: &str, weights: &BTreeMap<&str, i64>, all: i64) -> Option<String> {
    let mut by_number = BTreeMap::<String, i64>::new();
    let mut by_depth = BTreeMap::<usize, Weighed<'_>>::new();
    for (path, &weight) in weights {
        let sum = by_number.entry(without_digits(path)).or_default();
        *sum = sum.saturating_add(weight);
        if let Some(inside) = path.strip_prefix(folder) {
            let depth = inside.matches('/').count();
            by_depth.entry(depth).or_default().add(inside, weight);
        }
    }
    let most = by_number.into_iter().max_by_key(|&(_, weight)| weight);
    let most = most.filter(|(pattern, most)| pattern.contains('*') && is_most(*most, all));
    if let Some((pattern, _)) = most {
        return Some(pattern);
    }
    let equally_deep = by_depth.into_values().max_by_key(|paths| paths.weight)?;
    let inside = ALIKE.iter().find_map(|key| {
        let mut groups = BTreeMap::<&str, Weighed<'_>>::new();
        for &(path, weight) in &equally_deep.paths {
            let name = path.rsplit('/').next().unwrap_or(path);
            groups.entry(key(name)).or_default().add(path, weight);
        }
        let most = groups.into_values().max_by_key(|paths| paths.weight)?;
        let paths: Vec<&str> = most.paths.iter().map(|&(path, _)| path).collect();
        is_most(most.weight, all).then(|| of_equal_depth(&paths))?
    })?;
    Some(format!("{folder}{inside}"))
}

/// Paths, and their weights together.
#[derive(Debug, Default)]
struct Weighed<'a> {
    weight: i64,
    paths: Vec<(&'a str, i64)>,
}

impl<'a> Weighed<'a> {
    fn add(&mut self, path: &'a str, weight: i64) {
        self.weight = self.weight.saturating_add(weight);
        self.paths.push((path, weight));
    }
}

/// Returns the pattern of paths with the same number of folders, name by name.
fn of_equal_depth(paths: &[&str]) -> Option<String> {
    let depth = paths.first()?.split('/').count();
    let mut rest: Vec<_> = paths.iter().map(|path| path.split('/')).collect();
    let names: Vec<String> = (0..depth)
        .map(|_| {
            of_names(
                &rest
                    .iter_mut()
                    .filter_map(Iterator::next)
                    .collect::<Vec<_>>(),
            )
        })
        .collect();
    let letters = names
        .last()?
        .chars()
        .filter(|letter| letter.is_alphabetic());
    (letters.count() >= FEW_LETTERS).then(|| names.join("/"))
}

/// Returns what names begin and end with alike, with `*` between; a number or a word that is cut counts for what
/// differs.
fn of_names(names: &[&str]) -> String {
    let Some((&first, rest)) = names.split_first() else {
        return String::new();
    };
    let (mut begin, mut end, mut shortest) = (first.len(), first.len(), first.len());
    for name in rest {
        let alike = |pair: &(char, char)| pair.0 == pair.1;
        let long = |pairs: usize, letters: &mut dyn Iterator<Item = char>| {
            letters.take(pairs).map(char::len_utf8).sum::<usize>()
        };
        let pairs = first.chars().zip(name.chars()).take_while(alike).count();
        begin = begin.min(long(pairs, &mut first.chars()));
        let pairs = first.chars().rev().zip(name.chars().rev());
        let pairs = pairs.take_while(alike).count();
        end = end.min(long(pairs, &mut first.chars().rev()));
        shortest = shortest.min(name.len());
    }
    if begin == first.len() && rest.iter().all(|&name| name == first) {
        return first.to_owned();
    }
    let end = end.min(shortest.saturating_sub(begin));
    let is_between = |letter: char| !letter.is_alphanumeric();
    let begin = first.get(..begin).unwrap_or_default();
    // A word of which only some letters are the same counts for what differs, if there are other words.
    let begin = match begin
        .char_indices()
        .rfind(|&(_, letter)| is_between(letter))
    {
        Some((at, letter)) => begin.get(..at + letter.len_utf8()).unwrap_or_default(),
        None => begin.trim_end_matches(|letter: char| letter.is_ascii_digit()),
    };
    let end = first.get(first.len() - end..).unwrap_or_default();
    let end = match end.find(is_between) {
        Some(at) => end.get(at..).unwrap_or_default(),
        None => end.trim_start_matches(|letter: char| letter.is_ascii_digit()),
    };
    format!("{begin}*{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_by_a_number_are_alike() {
        assert_eq!(without_digits("/a1/photo-0012.jpg"), "/a1/photo-*.jpg");
        assert_eq!(without_digits("7"), "*");
        assert_eq!(without_digits("/a/b"), "/a/b");
    }

    #[test]
    fn names_that_begin_or_end_alike_have_a_pattern() {
        let of = |paths: &[&str]| {
            let weights = paths.iter().map(|&path| (path, 1)).collect();
            pattern("/w/", &weights, i64::try_from(paths.len()).unwrap())
        };
        assert_eq!(
            of(&["/w/rules-rock.conf", "/w/rules-folk.conf", "/w/log"]).as_deref(),
            Some("/w/rules-*.conf")
        );
        let begin = ["/w/rule-rock.a", "/w/rule-folk.b", "/w/log"];
        assert_eq!(of(&begin).as_deref(), Some("/w/rule-*"));
        let boxes = ["/w/box-01/slide-10.raw", "/w/box-02/slide-11.raw"];
        assert_eq!(of(&boxes).as_deref(), Some("/w/box-*/slide-*.raw"));
        assert_eq!(
            of(&["/w/ä-ö.txt", "/w/ä-ü.txt"]).as_deref(),
            Some("/w/ä-*.txt")
        );
        assert_eq!(
            of(&["/w/aa.txt", "/w/aaa.txt"]).as_deref(),
            Some("/w/aa*.txt")
        );
        let words = ["/w/red-rose.txt", "/w/red-rock.txt"];
        assert_eq!(of(&words).as_deref(), Some("/w/red-*.txt"));
        assert_eq!(of(&["/w/one.js", "/w/two.css"]), None);
        assert_eq!(
            of(&["/w/a/index", "/w/b/index"]).as_deref(),
            Some("/w/*/index")
        );
        assert_eq!(of(&["/x/a.txt", "/x/b.txt"]), None);
        assert_eq!(of(&[]), None);
    }
}
