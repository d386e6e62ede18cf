//! Which columns a table has room for, and how wide they are.
//!
//! Numbers are never cut. Where the terminal is too narrow, elastic text columns shrink first, down
//! to widths that still say something; the widest of them, which is what the table is about, and
//! the one a tree is drawn in keep more than the others. Then columns leave, least important first; only then do elastic columns
//! shrink further.

/// Spaces between two columns.
pub const GAP: usize = 2;

/// The least the widest elastic column is left with before another column leaves.
const MAIN_FLOOR: usize = 28;

/// What the widest elastic column is given before the others grow.
const MAIN_GOOD: usize = 48;

/// The least any other elastic column is left with before a column leaves.
const FLOOR: usize = 12;

/// The widest an elastic column is padded to where nothing is cut: a few names of hundreds of
/// characters would push what follows far away from all others.
const PADDED: usize = 60;

/// The least an elastic column ever has.
const LEAST: usize = 4;

/// A column's wishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    /// The width of its widest cell.
    pub natural: usize,
    /// Whether it may be cut.
    pub elastic: bool,
    /// Whether a tree is drawn in it.
    pub tree: bool,
    /// What leaves first: the highest number; 0 never leaves.
    pub priority: u8,
}

/// Returns the width of every column, `None` for those that leave, within `room` if given; without
/// one, longer cells are to reach beyond their column.
pub fn fit(wishes: &[Wish], room: Option<usize>) -> Vec<Option<usize>> {
    let mut widths: Vec<Option<usize>> = wishes.iter().map(|wish| Some(wish.natural)).collect();
    let Some(room) = room else {
        let padded = wishes.iter().map(|wish| match wish.elastic {
            true => wish.natural.min(PADDED),
            false => wish.natural,
        });
        return padded.map(Some).collect();
    };
    let main = (0..wishes.len()).filter(|&at| wishes[at].elastic);
    let main = main.max_by_key(|&at| wishes[at].natural);
    let floor = |at: usize| {
        let wanted = Some(at) == main || wishes[at].tree;
        let floor = if wanted { MAIN_FLOOR } else { FLOOR };
        let natural = wishes[at].natural;
        if wishes[at].elastic {
            natural.min(floor)
        } else {
            natural
        }
    };
    while total(&widths, floor) > room {
        let present =
            (0..wishes.len()).filter(|&at| widths[at].is_some() && wishes[at].priority > 0);
        let Some(leaving) = present.max_by_key(|&at| wishes[at].priority) else {
            break;
        };
        widths[leaving] = None;
    }
    for (at, width) in widths.iter_mut().enumerate() {
        *width = width.map(|_| floor(at));
    }
    shrink(wishes, &mut widths, room);
    grow(wishes, &mut widths, room, main);
    widths
}

/// Returns the width of a table whose present columns are as wide as `width` says.
fn total(widths: &[Option<usize>], width: impl Fn(usize) -> usize) -> usize {
    let present = (0..widths.len()).filter(|&at| widths[at].is_some());
    let (count, sum) = present.fold((0, 0), |(count, sum), at| (count + 1, sum + width(at)));
    sum + GAP * usize::saturating_sub(count, 1)
}

fn used(widths: &[Option<usize>]) -> usize {
    total(widths, |at| widths[at].unwrap_or(0))
}

/// Takes from elastic columns, the widest first, what is more than `room`.
fn shrink(wishes: &[Wish], widths: &mut [Option<usize>], room: usize) {
    while used(widths) > room {
        let elastic =
            (0..wishes.len()).filter(|&at| wishes[at].elastic && widths[at] > Some(LEAST));
        let Some(widest) = elastic.max_by_key(|&at| widths[at]) else {
            return;
        };
        widths[widest] = widths[widest].map(|width| width - 1);
    }
}

/// Gives what is left of `room`: to the main column until it reads well, to short ones until they
/// are whole, and then to the main column again.
fn grow(wishes: &[Wish], widths: &mut [Option<usize>], room: usize, main: Option<usize>) {
    let mut others: Vec<usize> = (0..wishes.len()).filter(|&at| Some(at) != main).collect();
    others.sort_by_key(|&at| wishes[at].natural);
    let main = |limit: usize| main.map(|at| (at, limit));
    let others = others.into_iter().map(|at| (at, usize::MAX));
    let order = main(MAIN_GOOD)
        .into_iter()
        .chain(others)
        .chain(main(usize::MAX));
    for (at, limit) in order {
        let left = room.saturating_sub(used(widths));
        widths[at] = widths[at].map(|width| {
            let wanted = wishes[at].natural.min(limit);
            if wishes[at].elastic {
                width.max(wanted.min(width + left))
            } else {
                width
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(natural: usize, priority: u8) -> Wish {
        Wish {
            natural,
            elastic: false,
            tree: false,
            priority,
        }
    }

    fn text(natural: usize, priority: u8) -> Wish {
        Wish {
            natural,
            elastic: true,
            tree: false,
            priority,
        }
    }

    #[test]
    fn without_a_terminal_only_the_longest_texts_are_not_padded_for() {
        assert_eq!(
            fit(&[number(8, 0), text(50, 0), text(500, 0)], None),
            [Some(8), Some(50), Some(PADDED)]
        );
    }

    #[test]
    fn text_shrinks_and_numbers_do_not() {
        assert_eq!(
            fit(&[number(12, 1), text(200, 0)], Some(80)),
            [Some(12), Some(66)]
        );
    }

    #[test]
    fn a_short_text_stays_whole_beside_a_long_one() {
        let widths = fit(&[text(9, 0), number(10, 0), text(300, 0)], Some(80));
        assert_eq!(widths, [Some(9), Some(10), Some(57)]);
    }

    #[test]
    fn what_the_table_is_about_has_more_room_than_the_rest() {
        let widths = fit(
            &[text(40, 0), text(200, 0), text(60, 0), number(9, 0)],
            Some(80),
        );
        assert_eq!(widths, [Some(12), Some(41), Some(12), Some(9)]);
        let widths = fit(
            &[text(15, 0), text(200, 0), text(60, 0), number(9, 0)],
            Some(120),
        );
        assert_eq!(widths, [Some(15), Some(48), Some(42), Some(9)]);
    }

    #[test]
    fn the_least_important_column_leaves_first() {
        let wishes = [number(20, 1), number(20, 5), number(20, 3), text(100, 0)];
        let widths = fit(&wishes, Some(80));
        assert_eq!(widths, [Some(20), None, Some(20), Some(36)]);
        assert_eq!(used(&widths), 80);
    }

    #[test]
    fn a_tree_has_room_for_its_branches() {
        let tree = Wish {
            tree: true,
            ..text(40, 0)
        };
        let widths = fit(&[tree, number(9, 0), text(300, 3)], Some(80));
        assert_eq!(widths, [Some(28), Some(9), Some(39)]);
        let widths = fit(&[tree, number(9, 0), text(300, 3)], Some(60));
        assert_eq!(widths, [Some(40), Some(9), None]);
    }

    #[test]
    fn what_never_leaves_is_never_cut_either() {
        let widths = fit(&[number(60, 0), number(60, 0), text(30, 0)], Some(80));
        assert_eq!(widths, [Some(60), Some(60), Some(LEAST)]);
    }
}
