//! Where names come from, by the options and the environment.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whyslow_download::Downloader;
use whyslow_model::Watch;
use whyslow_pipeline::Lookup;
use whyslow_symbols::{Debuginfod, Fetch, Inlined, PUBLIC_SERVER, SymbolPath, SymbolServer};

use crate::args::{SymbolArgs, WindowsSymbolArgs};
use crate::progress::Spectator;

/// Where `extract` and `run` look; `None` if they are not to.
pub(crate) fn of_import(args: &SymbolArgs, watch: &Arc<Spectator>) -> Option<Lookup> {
    (!args.no_symbols).then(|| Lookup {
        from: args.symbols_from.clone(),
        inlined: inlined(args.inlined),
        ..of_windows(&args.windows, watch)
    })
}

/// Where inlined functions are looked up, by the switch.
pub(crate) fn inlined(always: bool) -> Inlined {
    match always {
        true => Inlined::Always,
        false => Inlined::Never,
    }
}

/// Where symbols of Windows modules are looked for.
///
/// The symbol path of the options comes first, then that of the environment, then our own cache.
pub(crate) fn of_windows(args: &WindowsSymbolArgs, watch: &Arc<Spectator>) -> Lookup {
    // Without one, its place stays empty.
    let cache = cache_dir().unwrap_or_default();
    let mut symbol_path = SymbolPath::default();
    for path in &args.symbol_path {
        symbol_path.extend(SymbolPath::parse(path, &cache));
    }
    if let Some(path) = env::var_os("_NT_SYMBOL_PATH") {
        symbol_path.extend(SymbolPath::parse(&path.to_string_lossy(), &cache));
    }
    if args.symbols && symbol_path.servers.is_empty() {
        symbol_path.extend(SymbolPath::parse("srv*", &cache));
    }
    symbol_path.extend(SymbolPath {
        folders: vec![cache],
        ..SymbolPath::default()
    });
    symbol_path.folders.retain(|dir| *dir != Path::new(""));
    let asked = symbol_path.servers.len();
    let is_kept = |server: &SymbolServer| server.cache != Path::new("");
    symbol_path.servers.retain(is_kept);
    if args.symbols && symbol_path.servers.len() < asked {
        let text = format!("{NO_CACHE}: name one, as in --symbol-path 'srv*DIR*{PUBLIC_SERVER}'");
        watch.warn(&text);
    }
    let urls = env::var("DEBUGINFOD_URLS").unwrap_or_default();
    let mut debuginfod = Debuginfod::parse(&urls, debuginfod_cache().unwrap_or_default());
    if debuginfod.cache == Path::new("") {
        debuginfod.servers.clear();
    }
    let has_servers = !symbol_path.servers.is_empty() || !debuginfod.servers.is_empty();
    let is_asking = args.symbols && has_servers;
    let fetch = is_asking.then(|| {
        let watch = Arc::clone(watch) as Arc<dyn Watch>;
        let roots = env::var_os("SSL_CERT_FILE").map(PathBuf::from);
        let fetch: Arc<dyn Fetch> = Arc::new(Downloader::new(watch, roots.as_deref()));
        fetch
    });
    Lookup {
        symbol_path,
        fetch,
        debuginfod,
        ..Lookup::default()
    }
}

/// Why nothing is downloaded if only the user's own folder could keep it.
const NO_CACHE: &str = if cfg!(windows) {
    "LOCALAPPDATA is not set, so there is no folder to keep downloaded symbols in"
} else {
    "HOME is not set, so there is no folder to keep downloaded symbols in"
};

/// The folder for downloads from debuginfod servers; other clients use it, too.
fn debuginfod_cache() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).filter(|dir| !dir.is_empty());
    let own = folder("DEBUGINFOD_CACHE_PATH").map(PathBuf::from);
    let user = folder("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || folder("HOME").map(|home| Path::new(&home).join(".cache"));
    own.or_else(|| Some(user.or_else(home)?.join("debuginfod_client")))
}

/// Folder of downloaded symbols if the symbol path names none; `None` if the user has no folder:
/// others could put names of their own into a folder that they can write to, such as that of temporary
/// files.
fn cache_dir() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).filter(|dir| !dir.is_empty());
    let base = if cfg!(windows) {
        folder("LOCALAPPDATA").map(PathBuf::from)
    } else {
        let home = folder("HOME").map(|home| Path::new(&home).join(".cache"));
        folder("XDG_CACHE_HOME").map(PathBuf::from).or(home)
    };
    base.map(|base| base.join("whyslow/symbols"))
}
