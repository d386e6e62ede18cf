//! What names Windows modules, out of any bytes: ids, symbol paths, mangled names, PDBs (also packed in
//! cabinets), images.
#![no_main]

use std::hint::black_box;
use std::path::Path;
use std::sync::LazyLock;

use whyslow_symbols::{
    ImageId, Inlined, ModuleKind, ModuleRef, Names, Options, PdbId, PdbRef, SymbolPath, Symbolizer,
};

/// A folder of this process, and a symbolizer that looks there.
static PLACE: LazyLock<(std::path::PathBuf, Symbolizer)> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("whyslow-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let symbol_path = SymbolPath {
        folders: vec![folder.clone()],
        ..SymbolPath::default()
    };
    let options = Options {
        symbol_path,
        inlined: Inlined::Always,
        ..Options::default()
    };
    (folder, Symbolizer::new(options))
});

/// What the seeds are of, so that their ids fit.
const PDB: &str = "E53C8AB430FB7AF44C4C44205044422E1";

fn symbolize(name: &str, bytes: &[u8]) {
    let (folder, symbolizer) = &*PLACE;
    std::fs::write(folder.join(name), bytes).expect("a file");
    let word = |at: usize| {
        let bytes = bytes.get(at..).and_then(|rest| rest.first_chunk());
        u32::from_le_bytes(*bytes.unwrap_or(&[0; 4]))
    };
    let header = word(0x3c) as usize;
    let id = PdbId::parse(PDB).expect("an id");
    let module = ModuleRef {
        path: Path::new("sample.dll"),
        pdb: Some(PdbRef {
            name: "sample.pdb",
            id,
        }),
        image: Some(ImageId {
            time_stamp: word(header.saturating_add(8)),
            size: word(header.saturating_add(24 + 56)),
        }),
        ..ModuleRef::of_kind(ModuleKind::Pe)
    };
    let addresses: Vec<u64> = (0xf00..0x1200).step_by(3).collect();
    let mut names = Names::new();
    symbolizer.symbolize_module(&module, &addresses, &mut names, &mut |_, found| {
        black_box(found);
    });
    std::fs::remove_file(folder.join(name)).expect("the file");
}

libfuzzer_sys::fuzz_target!(
    init: {
        // The reader of PDBs panics on damaged files, and `whyslow-symbols` catches that.
        std::panic::set_hook(Box::new(|_| {}));
    },
    |data: &[u8]| {
        let Some((kind, data)) = data.split_first() else {
            return;
        };
        match kind % 4 {
            0 => symbolize("sample.pdb", data),
            1 => symbolize("sample.dll", data),
            2 => {
                let mut names = Names::new();
                let id = names.intern_linker_name(data);
                assert!(names.text(id).len() <= 3 * 4096 + 3);
            }
            _ => {
                let text = String::from_utf8_lossy(data);
                black_box(SymbolPath::parse(&text, Path::new("cache")));
                let read = PdbId::of_rsds(data).map(|(id, _)| id);
                for id in [read, PdbId::parse(&text)].into_iter().flatten() {
                    assert_eq!(PdbId::parse(&id.to_string()), Some(id));
                }
            }
        }
    }
);
