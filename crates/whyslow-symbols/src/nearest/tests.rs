//! The rules by which one symbol is chosen, each on a few symbols.

use super::*;

fn symbol(name: u64, start: u64, size: u64, rank: u8) -> Candidate {
    Candidate {
        start,
        end: start + size,
        bound: 1000,
        rank,
        name,
        table: 0,
    }
}

/// Names (numbers) that `addresses` get; 0 for none. Of aliases the larger number is preferred.
fn check(symbols: &[Candidate], addresses: &[u64], expected: &[u64]) {
    let mut nearest = Nearest::new(addresses);
    for symbol in symbols {
        nearest.offer(*symbol);
    }
    let found = nearest.finish(|a, b| b.name > a.name);
    let found: Vec<u64> = found.iter().map(|s| s.map_or(0, |s| s.name)).collect();
    assert_eq!(found, expected);
}

#[test]
fn sized_symbols_cover_their_range_only() {
    let symbols = [symbol(2, 40, 10, 7), symbol(1, 10, 20, 7)];
    check(
        &symbols,
        &[9, 10, 29, 30, 40, 40, 49, 50],
        &[0, 1, 1, 0, 2, 2, 2, 0],
    );
}

#[test]
fn a_symbol_without_size_reaches_to_the_next_or_its_bound() {
    let symbols = [
        symbol(1, 10, 0, 3),
        symbol(2, 50, 10, 7),
        symbol(3, 70, 0, 3),
    ];
    check(&symbols, &[10, 49, 50, 65, 999, 1000], &[1, 1, 2, 0, 3, 0]);
}

#[test]
fn of_nested_symbols_the_innermost_is_taken() {
    let symbols = [
        symbol(1, 10, 100, 7),
        symbol(2, 20, 50, 7),
        symbol(3, 30, 10, 7),
        symbol(4, 90, 5, 7),
    ];
    check(
        &symbols,
        &[15, 25, 35, 45, 75, 92, 100, 110],
        &[1, 2, 3, 2, 1, 4, 1, 0],
    );
}

#[test]
fn of_aliases_the_higher_rank_then_the_better_name_is_taken() {
    let weak = rank(true, true, false);
    let local = rank(true, false, false);
    let global = rank(true, false, true);
    check(
        &[symbol(1, 10, 5, weak), symbol(2, 10, 5, local)],
        &[12],
        &[2],
    );
    check(
        &[symbol(1, 10, 5, local), symbol(2, 10, 5, weak)],
        &[12],
        &[1],
    );
    check(
        &[symbol(1, 10, 5, local), symbol(2, 10, 5, global)],
        &[12],
        &[2],
    );
    check(
        &[symbol(2, 10, 5, global), symbol(1, 10, 5, global)],
        &[12],
        &[2],
    );
    check(
        &[symbol(1, 10, 5, global), symbol(2, 10, 5, global)],
        &[12],
        &[2],
    );
    let sizeless = rank(false, false, true);
    check(
        &[symbol(1, 10, 0, sizeless), symbol(2, 10, 5, local)],
        &[12],
        &[2],
    );
}

#[test]
fn extremes_of_the_address_range() {
    let symbols = [
        symbol(1, 0, 1, 7),
        Candidate {
            end: u64::MAX,
            ..symbol(2, u64::MAX - 5, 0, 7)
        },
    ];
    check(&symbols, &[0, 1, u64::MAX - 1, u64::MAX], &[1, 0, 2, 0]);
    check(&symbols, &[], &[]);
}

/// Against the definition itself: the covering symbol with the latest start.
#[test]
fn agrees_with_trying_every_symbol() {
    let mut state = 7_u64;
    let mut random = move |below: u64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    for _ in 0..500 {
        let symbols: Vec<Candidate> = (1..=random(30) + 1)
            .map(|name| symbol(name, random(200), 1 + random(60), 7))
            .collect();
        let mut addresses: Vec<u64> = (0..random(40)).map(|_| random(300)).collect();
        addresses.sort_unstable();
        let expected: Vec<Option<u64>> = addresses
            .iter()
            .map(|&a| {
                let covering = symbols.iter().filter(|s| s.start <= a && a < s.end);
                covering.map(|s| s.start).max()
            })
            .collect();
        let mut nearest = Nearest::new(&addresses);
        symbols.iter().for_each(|s| nearest.offer(*s));
        let found = nearest.finish(|_, _| false);
        let found: Vec<Option<u64>> = found.iter().map(|s| s.map(|s| s.start)).collect();
        assert_eq!(found, expected, "{symbols:?} {addresses:?}");
    }
}
