//! What processes became by exec: the next image of each, and its last one.

use whyslow_query::facts::Facts;

/// The images of all processes, by id.
#[derive(Debug)]
pub struct Images {
    next: Vec<Option<usize>>,
    last: Vec<usize>,
}

impl Images {
    /// Finds what followed each image.
    pub fn new(facts: &Facts) -> Self {
        let rows = &facts.processes;
        let mut next = vec![None; rows.len()];
        for (id, row) in rows.iter().enumerate() {
            let before = row.predecessor.map(|before| before.index());
            let same = |&at: &usize| {
                at != id
                    && rows
                        .get(at)
                        .is_some_and(|before| before.os_pid == row.os_pid)
            };
            if let Some(at) = before.filter(same) {
                next[at] = next[at].or(Some(id));
            }
        }
        let last = last_of(&next);
        Self { next, last }
    }

    /// Returns the image that an exec made of image `at`.
    pub fn next(&self, at: usize) -> Option<usize> {
        self.next.get(at).copied().flatten()
    }

    /// Returns the last image of the process that once had image `at`.
    pub fn last(&self, at: usize) -> usize {
        self.last.get(at).copied().unwrap_or(at)
    }
}

/// Follows all chains to their ends; a chain that leads into itself ends anywhere.
fn last_of(next: &[Option<usize>]) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let mut last = vec![UNSEEN; next.len()];
    let mut chain = Vec::new();
    for first in 0..next.len() {
        let mut at = first;
        while last[at] == UNSEEN {
            last[at] = at;
            chain.push(at);
            match next[at] {
                Some(then) => at = then,
                None => break,
            }
        }
        let end = last[at];
        for member in chain.drain(..) {
            last[member] = end;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_end_at_their_last_image_and_circles_somewhere() {
        let next = [Some(2), None, Some(3), Some(1), Some(5), Some(4), None];
        let last = last_of(&next);
        assert_eq!(last[..4], [1, 1, 1, 1]);
        assert!([4, 5].contains(&last[4]) && last[4] == last[5]);
        assert_eq!(last[6], 6);
    }

    #[test]
    fn a_long_chain_is_followed_once() {
        let length = 300_000;
        let next: Vec<_> = (1..length).map(Some).chain([None]).collect();
        assert!(last_of(&next).iter().all(|&end| end == length - 1));
    }
}
