//! Why an import fails, whichever format the trace has.

use whyslow_model::SinkError;

/// Why an import failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The source cannot be read.
    #[error(transparent)]
    Read(#[from] Box<whyslow_perfdata::Error>),
    /// A Windows trace cannot be read.
    #[error(transparent)]
    ReadEtl(#[from] Box<whyslow_etl::Error>),
    /// The sink cannot take a row.
    #[error(transparent)]
    Sink(#[from] SinkError),
    /// The progress callback asked to stop.
    #[error("import was interrupted")]
    Cancelled,
    /// The traces to be read together are not from one session.
    #[error("the traces do not belong to one session: {0}")]
    NotTogether(String),
    /// The source holds no record with a time.
    #[error("the trace holds no events")]
    NoEvents,
}
