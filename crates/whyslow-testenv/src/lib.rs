//! For tests only: what a test needs of the machine, what it may skip, and what it must not inherit.
//!
//! * [`Feature`]: everything a test may need and a machine may lack, in one list. [`has`] asks the
//!   machine, never our own code: what a test asserts about our code is no reason to skip it.
//! * A skipped test prints `skipped: FEATURE: why` and passes, unless `WHYSLOW_PROMISED` (names with
//!   commas between them, or `all`) names the feature: then it fails. `WHYSLOW_TALLY` names a file
//!   that gets a line for every test that needed a feature, with what became of it.
//! * [`fresh`]: signals and file modes as nobody had changed them.
//! * [`wait_until`]: tests wait for states, never for times.

mod data;
mod feature;
mod fresh;
mod patience;
mod probe;
mod tally;

pub use data::data;
pub use feature::{Feature, has, need};
pub use fresh::fresh;
pub use patience::{PATIENCE, end_of, wait_until};
