//! How a recording becomes an extract: `run` and `extract` share these.

use std::path::PathBuf;

use clap::Args;

use whyslow_arguments::size::size;

/// How a recording becomes an extract.
#[derive(Debug, Clone, Args)]
pub(crate) struct ImportArgs {
    /// Use about this much memory, however large the recording
    #[arg(long, value_name = "SIZE", default_value = "512MB", value_parser = size, help_heading = "Extract")]
    pub(crate) memory: u64,
    #[command(flatten)]
    pub(crate) symbols: SymbolArgs,
}

/// Where names for addresses come from.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SymbolArgs {
    /// Look up no names; `whyslow symbolize` can do it later
    #[arg(long, conflicts_with = "symbols", help_heading = "Symbols")]
    pub(crate) no_symbols: bool,
    /// Look for modules and debug files below DIR first; may be given several times
    #[arg(long, value_name = "DIR", help_heading = "Symbols")]
    pub(crate) symbols_from: Vec<PathBuf>,
    /// Also look up inlined functions, source files and lines (slow); `run` does so automatically
    /// for programs with little debug information
    #[arg(long, help_heading = "Symbols")]
    pub(crate) inlined: bool,
    #[command(flatten)]
    pub(crate) windows: WindowsSymbolArgs,
}

/// Where symbols of Windows modules come from, and whether any are downloaded.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct WindowsSymbolArgs {
    /// Look for symbols of Windows modules in PATH, written like _NT_SYMBOL_PATH, before the places
    /// in that variable; may be given several times
    #[arg(long, value_name = "PATH", help_heading = "Symbols")]
    pub(crate) symbol_path: Vec<String>,
    /// Download missing symbols: for Windows modules from the servers of the symbol path, or else
    /// Microsoft's; for Linux modules from those in DEBUGINFOD_URLS
    #[arg(long, help_heading = "Symbols")]
    pub(crate) symbols: bool,
}
