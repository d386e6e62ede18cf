//! How good the verdicts are: situations whose law is known by their mechanism, each measured as the lab measures
//! (passes, the first sizes again), and scored strictly.
//!
//! `cargo test --release -p whyslow-law --test calibration -- --nocapture` prints the score and every verdict
//! that is not right, of those for tuning. A verdict is right if the line of the situation lists it; growth only if the range of p is no
//! wider than 1.5 and contains the true p. A prediction is right if its interval contains the true cost.

#![expect(
    clippy::panic,
    clippy::expect_used,
    reason = "a test may stop, and tells what it measured"
)]

mod coverage;
mod machine;
mod mechanism;
mod random;
mod score;
mod situation;

use score::{Score, Scored};
use situation::all;

#[test]
fn verdicts_are_right() {
    let scored: Vec<Scored> = all().iter().map(Scored::of).collect();
    for (name, aside) in [("for tuning", false), ("set aside", true)] {
        let half: Vec<&Scored> = scored.iter().filter(|one| one.aside == aside).collect();
        let shown = half.iter().filter(|one| !aside && one.is_worth_showing());
        for one in shown {
            println!("{one}");
        }
        let score = Score::of(&half);
        println!("{name}: {score}");
        assert!(score.right * 100 >= 92 * score.situations, "{score}");
        assert_eq!(score.exponentials_missed, 0, "{score}");
        assert_eq!(score.flat_that_grow, 0, "{score}");
        assert!(score.inside * 100 >= 93 * score.predictions, "{score}");
        assert_eq!(score.off_by_two, 0, "{score}");
        assert!(score.situations >= 79 && score.predictions >= 10, "{score}");
    }
}

#[test]
fn intervals_hold() {
    for (name, seed) in [("for tuning", 1_000), ("set aside", 5_000_000)] {
        let scored: Vec<Scored> = coverage::drawn(seed).iter().map(Scored::of).collect();
        let shown = scored
            .iter()
            .filter(|one| seed == 1_000 && one.is_worth_showing());
        for one in shown {
            println!("{one}");
        }
        let [seen, held, predicted, inside] = coverage::coverage(&scored);
        println!(
            "{name}: growth seen in {seen} of {}, the range of p held in {held}; {inside} of {predicted} \
             predictions held",
            scored.len()
        );
        assert!(held * 100 >= 93 * seen, "{held} of {seen}");
        assert!(inside * 100 >= 93 * predicted, "{inside} of {predicted}");
        assert!(seen * 100 >= 80 * scored.len() && predicted * 2 >= scored.len());
    }
}
