//! A case as one value: what it is called, what it takes, and what it does.

use crate::bench::Bench;
use crate::error::Error;
use crate::options::{Options, Parameter};
use crate::{measuring, memory};
use whyslow_series::{Run, Words};

/// A kind of experiment.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The name: `create`.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// What it does, in a line of help.
    pub about: &'static str,
    /// Command lines for help, after `whyslow lab`.
    pub examples: &'static [&'static str],
    /// What is done, what *n* counts, and what an operation's own count means.
    pub words: Words,
    /// Its own parameters.
    pub parameters: &'static [Parameter],
    /// Operations per series where the user names no number; `None` where parameters say how many.
    pub usual_count: Option<u64>,
    /// Whether it works in a directory.
    pub needs_directory: bool,
    /// Whether it takes a command after `--`.
    pub takes_command: bool,
    /// Looks whether the options fit.
    pub check: fn(&Options) -> Result<(), Error>,
    /// Operations that the options ask for.
    pub operations: fn(&Options) -> u64,
    /// Series that the options ask for, second looks left out.
    pub series: fn(&Options) -> u32,
    /// Whether its files stay on a share until the server ends, and are too many to make again.
    pub is_heavy: fn(&Options) -> bool,
    /// Returns options for a multiple of the sizes, to check a law; `None` where there are none.
    pub larger: fn(&Options, u64) -> Option<Options>,
    /// Whether it makes sense on a share.
    pub on_shares: bool,
    /// Prepares and measures.
    pub measure: fn(&Bench<'_>, &mut Vec<Run>) -> Result<(), Error>,
}

/// Files that there are names for.
const MOST_NAMES: u64 = 999_999_999;

impl Case {
    /// A case without peculiarities, to build others on.
    pub(crate) const PLAIN: Self = Self {
        name: "",
        aliases: &[],
        about: "",
        examples: &[],
        words: Words::new("", "", ""),
        parameters: &[],
        usual_count: None,
        needs_directory: true,
        takes_command: false,
        check: |_| Ok(()),
        operations: |options| options.count,
        series: |_| 1,
        is_heavy: |_| false,
        larger: |options, times| {
            let count = options.count.checked_mul(times)?;
            Some(Options {
                count,
                ..options.clone()
            })
        },
        on_shares: false,
        measure: |_, _| Ok(()),
    };

    /// Looks whether `options` make sense and what they ask for can be kept.
    ///
    /// # Errors
    /// When they do not.
    pub fn check(&self, options: &Options) -> Result<(), Error> {
        (self.check)(options)?;
        let count = (self.operations)(options);
        if count == 0 {
            return Err(Error::NothingToDo);
        }
        let needed = count.saturating_mul(measuring::BYTES_PER_OPERATION);
        let available = memory::free().unwrap_or(u64::MAX);
        if needed > available / measuring::SHARE_OF_MEMORY {
            return Err(Error::TooMany {
                count,
                needed,
                available,
                most: available / measuring::SHARE_OF_MEMORY / measuring::BYTES_PER_OPERATION,
            });
        }
        if count > MOST_NAMES {
            let text = format!("{count} operations are too many: at most {MOST_NAMES}");
            return Err(Error::Options(text));
        }
        Ok(())
    }
}
