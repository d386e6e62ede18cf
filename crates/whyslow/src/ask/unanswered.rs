//! Why a question has no answer: how it was asked, a file that cannot be read, data that was not
//! recorded.

use whyslow_files::cause::{chain, without_number};
use whyslow_query::{NotRecorded, QueryError};

use crate::exit::Exit;
use crate::failure::Failure;

/// Returns the failure of a question: of the files it reads, or of how it was asked.
pub(crate) fn failed(error: QueryError) -> Failure {
    match error {
        QueryError::View(error) => {
            let what = format!("read table {} of {}", error.table, error.trace);
            let failure = Failure::cannot(what, without_number(&error.cause));
            match error.advice {
                Some(advice) => failure.hint(advice),
                None => failure,
            }
        }
        QueryError::Outside { .. } => {
            Failure::cannot("answer", chain(&error)).exit(Exit::NothingMatched)
        }
        error => Failure::usage(chain(&error)),
    }
}

/// Returns the failure to answer from a recording without the data.
pub(super) fn not_recorded(missing: &NotRecorded) -> Failure {
    let what = missing.capability.name();
    // For another recorder's recording, only how to record it better is known: the hint says that.
    let why = missing.why.as_deref().filter(|why| *why != missing.how);
    let why = why.map_or(String::new(), |why| format!(" ({why})"));
    let text = format!("the recording does not hold {what}{why}");
    Failure::cannot("answer", text)
        .hint(&missing.how)
        .exit(Exit::NotRecorded)
}
