//! Which package of Debian or its relatives has the debug symbols of a file.

use std::fs;
use std::io::Read;
use std::path::Path;

use whyslow_extract::Extract;
use whyslow_model::TraceView;
use whyslow_model::tables::{MODULE, ModuleRow, TRACE, TraceRow};
use whyslow_symbols::Origin;

use crate::names::origin;

/// Where dpkg lists the files of each package.
const LISTS: &str = "/var/lib/dpkg/info";

/// The most bytes of a list that are read.
const MOST: u64 = 16 << 20;

/// Returns the package that has the names of the functions of a module, if the extract was recorded on this machine:
/// others may have other packages.
pub fn debug_package(extract: &Extract, module: &str) -> Option<String> {
    if !is_of_this_machine(extract) {
        return None;
    }
    let path = path_of(extract, module)?;
    owner(Path::new(LISTS), &path).map(|package| format!("{package}-dbgsym"))
}

fn is_of_this_machine(extract: &Extract) -> bool {
    let Ok(trace) = extract.read(&TRACE, &["boot_id", "host"]) else {
        return false;
    };
    let recorded = trace.rows::<TraceRow>().next();
    recorded.is_some_and(|row| origin(&row) != Origin::Elsewhere)
}

/// Returns the path of the module of this name, if there is only one.
fn path_of(extract: &Extract, name: &str) -> Option<String> {
    let modules = extract.read(&MODULE, &["name", "path"]).ok()?;
    let rows = modules.rows::<ModuleRow>();
    let mut paths = rows.filter(|row| row.name == name).map(|row| row.path);
    let first = paths.next()?;
    paths.all(|path| path == first).then_some(first)
}

/// Returns the package that a file came with.
fn owner(lists: &Path, path: &str) -> Option<String> {
    // Packages list files in /bin that are in /usr/bin since the two were merged.
    let old = path.strip_prefix("/usr").unwrap_or(path);
    for entry in fs::read_dir(lists).ok()?.flatten() {
        let file = entry.path();
        if file.extension().is_none_or(|ending| ending != "list") {
            continue;
        }
        let mut text = String::new();
        let read = fs::File::open(&file).and_then(|list| list.take(MOST).read_to_string(&mut text));
        if read.is_ok() && text.lines().any(|line| line == path || line == old) {
            let name = file.file_stem()?.to_string_lossy().into_owned();
            let package = name.split(':').next()?;
            return (!package.is_empty()).then(|| package.to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_that_lists_the_file_owns_it() {
        let dir = std::env::temp_dir().join(format!("whyslow-dpkg-{}", std::process::id()));
        fs::create_dir(&dir).unwrap();
        let write = |name: &str, text: &str| fs::write(dir.join(name), text).unwrap();
        write(
            "coreutils.list",
            "/.\n/bin\n/bin/sort-like\n/usr/bin/sort\n",
        );
        write("libc6:amd64.list", "/lib/libc.so.6\n");
        write("sed.conffiles", "/usr/bin/sed\n");
        let owner = |path: &str| owner(&dir, path);
        assert_eq!(owner("/usr/bin/sort").as_deref(), Some("coreutils"));
        assert_eq!(owner("/usr/lib/libc.so.6").as_deref(), Some("libc6"));
        for path in ["/usr/bin/sed", "/usr/bin/sor", "sort", ""] {
            assert_eq!(owner(path), None, "{path}");
        }
        fs::remove_dir_all(&dir).unwrap();
    }
}
