//! Which of several words was meant.

/// The longest word that is compared.
const LONGEST: usize = 64;

/// Returns the word that differs least from `word`, if it differs little: at most one letter in three is another one, is
/// missing, is too much, or has changed places with the next.
#[must_use]
pub fn most_alike<'a>(word: &str, all: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = word.chars().take(LONGEST + 1).collect();
    if letters.len() > LONGEST {
        return None;
    }
    let most = letters.len().div_ceil(3);
    let distances = all.map(|one| {
        let other: Vec<char> = one.chars().take(LONGEST).collect();
        (distance(&letters, &other), one)
    });
    let near = distances.filter(|&(distance, _)| distance <= most);
    near.min_by_key(|&(distance, _)| distance)
        .map(|(_, one)| one)
}

/// Returns how many letters are to be changed, added, removed or swapped to make `to` of `from`.
fn distance(from: &[char], to: &[char]) -> usize {
    // Row by row of the table of distances between the beginnings of both.
    let mut before = vec![0; to.len() + 1];
    let mut last: Vec<usize> = (0..=to.len()).collect();
    for (row, letter) in from.iter().enumerate() {
        let mut next = vec![row + 1; to.len() + 1];
        for (column, other) in to.iter().enumerate() {
            let replaced = last[column] + usize::from(letter != other);
            let mut least = replaced.min(last[column + 1] + 1).min(next[column] + 1);
            let is_swapped =
                row > 0 && column > 0 && from[row - 1] == *other && to[column - 1] == *letter;
            if is_swapped {
                least = least.min(before[column - 1] + 1);
            }
            next[column + 1] = least;
        }
        before = std::mem::replace(&mut last, next);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_differs_least_is_meant() {
        let all = ["export", "events", "extract", "cpu", "why"];
        let meant = |word: &str| most_alike(word, all.into_iter());
        assert_eq!(meant("extarct"), Some("extract"));
        assert_eq!(meant("exprot"), Some("export"));
        assert_eq!(meant("cpus"), Some("cpu"));
        assert_eq!(meant("wy"), Some("why"));
        assert_eq!(meant("banana"), None);
        assert_eq!(meant(""), None);
        assert_eq!(meant(&"e".repeat(1000)), None);
    }

    #[test]
    fn two_letters_that_changed_places_are_one_difference() {
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        let between = |from, to| distance(&letters(from), &letters(to));
        assert_eq!(between("extarct", "extract"), 1);
        assert_eq!(between("", "abc"), 3);
        assert_eq!(between("abc", ""), 3);
        assert_eq!(between("kitten", "sitting"), 3);
    }
}
