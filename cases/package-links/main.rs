// Resolves the imports of a bundle: two imports are the same module if they lead to the same real file.
use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const MODULES: usize = 300;

struct Bundle {
    numbers: HashMap<PathBuf, usize>,
    edges: u64,
}

fn lay_out(root: &Path) -> io::Result<()> {
    let store = root.join("store/registry/v3/index/packages/scope/group/lib/dist/esm");
    fs::create_dir_all(&store)?;
    for i in 0..MODULES {
        fs::write(store.join(format!("module{i}.js")), format!("export default {i}\n"))?;
    }
    let app = root.join("app/client/src/features/shop/node_modules");
    fs::create_dir_all(&app)?;
    symlink("../../../../../../store/registry/v3/index/packages/scope/group", app.join("group"))
}

fn import_path(root: &Path, from: usize, to: usize) -> PathBuf {
    let app = root.join("app/client/src/features/shop/node_modules/group/lib/dist/esm");
    app.join(format!("../esm/../../dist/esm/module{}.js", (from * 31 + to * 17) % MODULES))
}

impl Bundle {
    fn module_of(&mut self, import: &Path) -> io::Result<usize> {
        let real = fs::canonicalize(import)?;
        let next = self.numbers.len();
        Ok(*self.numbers.entry(real).or_insert(next))
    }

    fn link(&mut self, root: &Path, from: usize) -> io::Result<usize> {
        let mut sum = 0;
        for to in 0..20 {
            sum += self.module_of(&import_path(root, from, to))?;
            self.edges += 1;
        }
        Ok(sum)
    }
}

fn main() -> io::Result<()> {
    let root = std::env::current_dir()?.join("workspace");
    lay_out(&root)?;
    let mut bundle = Bundle { numbers: HashMap::new(), edges: 0 };
    let start = Instant::now();
    let mut passes = 0;
    while start.elapsed() < Duration::from_secs(2) {
        for from in 0..MODULES {
            bundle.link(&root, from)?;
        }
        passes += 1;
    }
    println!("{passes} passes, {} modules, {} edges", bundle.numbers.len(), bundle.edges);
    Ok(())
}
