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
    }
}
