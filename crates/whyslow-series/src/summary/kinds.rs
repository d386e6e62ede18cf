//! Kinds of operations, in a sentence.

use whyslow_law::{Judgement, Law, Mode, Modes, modes};

use super::compare::times;

/// Returns the bands of `costs`, each measured at the size in `n`. If a law predicts the cost of an operation, they are
/// shares of the prediction.
pub(super) fn of(judgement: &Judgement, n: &[f64], costs: &[f64]) -> Modes {
    match judgement.law {
        // Levels in time have words of their own.
        Law::Steps(_) | Law::WarmUp(_) | Law::Drift | Law::Falls | Law::Rise(_) => Modes::default(),
        _ if judgement.grain.is_some() => Modes::default(),
        _ => {
            let pairs = n.iter().zip(costs);
            let shares = pairs.map(|(&n, cost)| cost / judgement.law.at(n).unwrap_or(1.0));
            modes(&shares.collect::<Vec<_>>())
        }
    }
}

/// Returns what the bands say where they are kinds of operations; `growing` if they are shares of a law.
pub(super) fn sentence(found: &Modes, growing: bool, cost: fn(f64) -> String) -> Option<String> {
    let name = ["two", "three", "four", "five"].get(found.bands.len().checked_sub(2)?)?;
    let one = |mode: &Mode| {
        let every = mode
            .every
            .map(|every| format!(" (every {})", ordinal(every)));
        format!("{:.0} %{}", mode.share * 100.0, every.unwrap_or_default())
    };
    let parts: Vec<String> = match found.bands.as_slice() {
        [few, many] if growing => {
            vec![format!(
                "{} cost {} times as much as the others",
                one(many),
                times(many.cost / few.cost)
            )]
        }
        _ if growing => return None,
        all => {
            let each = all
                .iter()
                .map(|mode| format!("{} cost about {}", one(mode), cost(mode.cost)));
            each.collect()
        }
    };
    let text = format!("Operations are of {name} kinds: {}.", parts.join(", "));
    found.alternate.then_some(text)
}

fn ordinal(number: usize) -> String {
    let end = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_where_they_alternate() {
        let band = |share, cost, every| Mode { share, cost, every };
        let bands = vec![band(0.9, 6_000.0, None), band(0.1, 61_000.0, Some(10))];
        let mut found = Modes {
            bands,
            alternate: true,
        };
        let plain = |ns: f64| format!("{:.0} µs", ns / 1e3);
        assert_eq!(
            sentence(&found, false, plain).as_deref(),
            Some(
                "Operations are of two kinds: 90 % cost about 6 µs, 10 % (every 10th) cost about 61 µs."
            )
        );
        assert_eq!(
            sentence(&found, true, plain).as_deref(),
            Some(
                "Operations are of two kinds: 10 % (every 10th) cost 10.2 times as much as the others."
            )
        );
        found.alternate = false;
        assert_eq!(sentence(&found, false, plain), None);
        assert_eq!(sentence(&Modes::default(), false, plain), None);
        let all = [1, 2, 3, 4, 11, 22, 113].map(ordinal);
        assert_eq!(all, ["1st", "2nd", "3rd", "4th", "11th", "22nd", "113th"]);
    }
}
