//! Windows modules: the sample of `tests/windows`, its damaged forms, and the places it may be in.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use whyslow_symbols::{
    Fetch, FetchFailure, ImageId, Inlined, ModuleKind, ModuleRef, Options, PdbId, PdbRef, Reason,
    SymbolPath, SymbolSource, Symbolizer,
};

use crate::support::{Frame, Scratch, brief, symbolize, text, tool};

/// Where the code of the sample begins, relative to the image's base.
const TEXT: u64 = 0x1000;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/windows")
        .join(name)
}

/// Id of the sample's PDB by `RSDS` record of the image, read without the code under test.
fn pdb_id(image: &[u8]) -> PdbId {
    let at = image.windows(4).position(|bytes| bytes == b"RSDS").unwrap();
    PdbId::of_rsds(&image[at..]).unwrap().0
}

fn image_id(image: &[u8]) -> ImageId {
    let word = |at: usize| u32::from_le_bytes(image[at..at + 4].try_into().unwrap());
    let header = word(0x3c) as usize;
    ImageId {
        time_stamp: word(header + 8),
        size: word(header + 24 + 56),
    }
}

fn sample(id: PdbId) -> ModuleRef<'static> {
    ModuleRef {
        pdb: Some(PdbRef {
            name: r"C:\src\sample.pdb",
            id,
        }),
        path: Path::new(r"\Device\HarddiskVolume3\shop\sample.dll"),
        ..ModuleRef::of_kind(ModuleKind::Pe)
    }
}

fn looking_in(from: &[PathBuf], path: &str) -> Symbolizer {
    Symbolizer::new(options(from, path))
}

fn options(from: &[PathBuf], path: &str) -> Options {
    Options {
        from: from.to_vec(),
        symbol_path: SymbolPath::parse(path, Path::new("/nonexistent/cache")),
        ..Options::default()
    }
}

/// What the sample's PDB says of one address in every function, and of one behind them.
const PRIVATE: [(u64, &str); 8] = [
    (0, "shop::Till::add+0x0"),
    (0x41, "shop::Till::add+0x41"),
    (0x50, "open_shop+0x0"),
    (0xb5, "open_shop+0x65"),
    (0xc3, "hidden+0x3"),
    (0xe0, "close_shop+0x0"),
    (0x10d, "shop::Till::operator<+0xd"),
    (0x110, "shop::Box<long long>::twice+0x0"),
];

#[test]
fn private_symbols_have_exact_ranges() {
    let id = pdb_id(&std::fs::read(fixture("sample.dll")).unwrap());
    let symbolizer = looking_in(&[], text(&fixture("")));
    let addresses: Vec<u64> = PRIVATE.iter().map(|(at, _)| TEXT + at).collect();
    let (answers, report) = symbolize(&symbolizer, &sample(id), &addresses);
    let found: Vec<String> = answers.iter().map(brief).collect();
    let wanted: Vec<&str> = PRIVATE.iter().map(|&(_, name)| name).collect();
    assert_eq!(found, wanted);
    assert_eq!(report.source, Some(SymbolSource::Pdb));
    assert!(report.verified);
    // Behind the end of a function, in another section, and outside of the image.
    let outside = [TEXT + 0x11e, 0x2000, 0x3004, 0x5000_0000, u64::MAX];
    let (answers, _) = symbolize(&symbolizer, &sample(id), &outside);
    for answer in answers {
        assert_eq!(answer, Err(Reason::OutsideSymbols));
    }
}

#[test]
fn inlined_functions_and_lines_are_found() {
    let id = pdb_id(&std::fs::read(fixture("sample.dll")).unwrap());
    let symbolizer = Symbolizer::new(Options {
        inlined: Inlined::Always,
        ..options(&[], text(&fixture("")))
    });
    let addresses: Vec<u64> = (0..66).map(|at| TEXT + at).collect();
    let (answers, report) = symbolize(&symbolizer, &sample(id), &addresses);
    assert!(report.has_lines);
    let chains: Vec<String> = answers
        .iter()
        .map(|answer| {
            let frames = answer.as_ref().unwrap();
            let one = |f: &Frame| format!("{}:{}", f.function, f.line);
            frames.iter().map(one).collect::<Vec<_>>().join(" < ")
        })
        .collect();
    // Of innermost, whose statements stand in lines 8 and 9 of the source.
    let deepest = "innermost:8 < shop::detail::middle:15 < shop::Till::add:42";
    assert!(chains.contains(&deepest.to_owned()), "{chains:#?}");
    for answer in &answers {
        let frames = answer.as_ref().unwrap();
        let (last, inlined) = frames.split_last().unwrap();
        assert_eq!(last.function, "shop::Till::add");
        assert!(!last.inlined && inlined.iter().all(|frame| frame.inlined));
        assert!(
            frames
                .iter()
                .all(|frame| frame.file == r"C:\src\sample.cpp")
        );
    }
}

#[test]
fn a_stripped_pdb_names_by_public_symbols() {
    let id = pdb_id(&std::fs::read(fixture("x86/sample.dll")).unwrap());
    let symbolizer = looking_in(&[fixture("x86")], "");
    let names = |at: u64| brief(&symbolize(&symbolizer, &sample(id), &[at]).0[0]);
    let all: Vec<String> = (0..0x130).map(|at| names(TEXT + at)).collect();
    // The marks of C functions are gone: the linker knew `_open_shop` and `_close_shop@8`.
    for name in [
        "shop::Till::add",
        "open_shop",
        "close_shop",
        "shop::Till::operator<",
    ] {
        assert!(all.contains(&format!("{name}+0x0")), "{name}: {all:#?}");
    }
    assert_eq!(all[0x110], "shop::Box<__int64>::twice+0x0");
    assert_eq!(names(0x2000), "outside-symbols");
}

#[test]
fn functions_are_those_that_llvm_lists() {
    let pdb = fixture("sample.pdb");
    let Some(listing) = tool("llvm-pdbutil-16", &["dump", "-symbols", text(&pdb)]) else {
        return;
    };
    let id = pdb_id(&std::fs::read(fixture("sample.dll")).unwrap());
    let symbolizer = looking_in(&[], text(&fixture("")));
    let mut name = "";
    let mut n_functions = 0;
    for line in listing.lines() {
        if line.contains("PROC32 [") {
            name = line.split('`').nth(1).unwrap();
        }
        let Some((_, place)) = line.split_once("addr = 0001:") else {
            continue;
        };
        let Some((offset, size)) = place.split_once(", code size = ") else {
            continue;
        };
        let (start, size): (u64, u64) = (offset.parse().unwrap(), size.parse().unwrap());
        for (at, wanted) in [(0, name), (size - 1, name), (size, "")] {
            let answers = symbolize(&symbolizer, &sample(id), &[TEXT + start + at]).0;
            let found = brief(&answers[0]);
            let is_same = found == format!("{wanted}+{at:#x}");
            assert_eq!(is_same, !wanted.is_empty(), "{name} {at:#x}: {found}");
        }
        n_functions += 1;
    }
    assert_eq!(n_functions, 6);
}

#[test]
fn a_pdb_is_taken_only_by_its_id() {
    let id = pdb_id(&std::fs::read(fixture("sample.dll")).unwrap());
    let symbolizer = looking_in(&[fixture("")], "");
    let reason = |symbolizer: &Symbolizer, module: &ModuleRef<'_>| {
        brief(&symbolize(symbolizer, module, &[TEXT]).0[0])
    };
    let older = PdbId { age: 2, ..id };
    assert_eq!(reason(&symbolizer, &sample(older)), "pdb-differs");
    let nothing = ModuleRef {
        pdb: None,
        ..sample(id)
    };
    assert_eq!(reason(&symbolizer, &nothing), "pdb-unidentified");
    let nowhere = looking_in(&[], "/nonexistent;srv*/nonexistent/2*http://localhost:9");
    assert_eq!(reason(&nowhere, &sample(id)), "pdb-missing");

    let scratch = Scratch::new("pdb-reasons");
    scratch.write("sample.pdb", b"BSJB\x01\0\x01\0\0\0\0\0\x0c\0\0\0PDB v1.0");
    let portable = looking_in(std::slice::from_ref(&scratch.0), "");
    assert_eq!(reason(&portable, &sample(id)), "portable-pdb");
    scratch.write("sample.pdb", b"not a PDB at all");
    assert_eq!(reason(&portable, &sample(id)), "bad-pdb");
    scratch.write("sample.pdb", b"");
    assert_eq!(reason(&portable, &sample(id)), "bad-pdb");
    for name in [
        "..",
        r"C:\",
        "a/../../etc/passwd\0",
        "",
        "a:b",
        &"x".repeat(300),
    ] {
        let pdb = Some(PdbRef { name, id });
        let module = ModuleRef { pdb, ..sample(id) };
        assert_eq!(reason(&portable, &module), "pdb-missing", "{name}");
    }
}

#[test]
fn every_layout_is_searched() {
    let image = std::fs::read(fixture("sample.dll")).unwrap();
    let pdb = std::fs::read(fixture("sample.pdb")).unwrap();
    let id = pdb_id(&image);
    let mut packed = cab::CabinetBuilder::new();
    let folder = packed.add_folder(cab::CompressionType::MsZip);
    folder.add_file("sample.pdb");
    let mut writer = packed.build(std::io::Cursor::new(Vec::new())).unwrap();
    while let Some(mut file) = writer.next_file().unwrap() {
        std::io::Write::write_all(&mut file, &pdb).unwrap();
    }
    let packed = writer.finish().unwrap().into_inner();
    let key = id.to_string();
    for (place, bytes) in [
        ("sample.pdb".to_owned(), &pdb),
        ("pdb/sample.pdb".to_owned(), &pdb),
        ("symbols/pdb/Sample.PDB".to_owned(), &pdb),
        (format!("sample.pdb/{key}/sample.pdb"), &pdb),
        (
            format!("SAMPLE.PDB/{}/sample.pdb", key.to_lowercase()),
            &pdb,
        ),
        (format!("sa/sample.pdb/{key}/sample.pdb"), &pdb),
        (format!("sample.pdb/{key}/sample.pd_"), &packed),
    ] {
        let scratch = Scratch::new("pdb-layouts");
        scratch.write(&place, bytes);
        if place.starts_with(&format!("sample.pdb/{key}")) {
            let pointer = format!("sample.pdb/{key}/file.ptr");
            scratch.write(&pointer, b"PATH:\\\\elsewhere\\sample.pdb");
        }
        for symbolizer in [
            looking_in(&[], text(&scratch.0)),
            looking_in(&[], &format!("srv*{}*http://localhost:9", text(&scratch.0))),
            looking_in(std::slice::from_ref(&scratch.0), ""),
        ] {
            let answers = symbolize(&symbolizer, &sample(id), &[TEXT]).0;
            assert_eq!(brief(&answers[0]), "shop::Till::add+0x0", "{place}");
        }
    }
    let scratch = Scratch::new("pdb-anywhere");
    scratch.write("some/where/sample.pdb", &pdb);
    scratch.write("other/sample.pdb", b"another file of this name");
    let found = symbolize(
        &looking_in(std::slice::from_ref(&scratch.0), ""),
        &sample(id),
        &[TEXT],
    );
    assert_eq!(brief(&found.0[0]), "shop::Till::add+0x0");
    assert_eq!(found.1.file, Some(scratch.path("some/where/sample.pdb")));
}

#[test]
fn an_image_tells_its_pdb_and_its_exports() {
    let image = std::fs::read(fixture("sample.dll")).unwrap();
    let scratch = Scratch::new("pe-exports");
    let image_id = image_id(&image);
    scratch.write(&format!("sample.dll/{image_id}/sample.dll"), &image);
    let module = ModuleRef {
        pdb: None,
        image: Some(image_id),
        ..sample(pdb_id(&image))
    };
    let places = [
        TEXT + 0x50,
        TEXT + 0xb5,
        TEXT + 0xe0,
        TEXT,
        TEXT + 0xc3,
        TEXT + 0x101,
    ];
    let exported = |wanted: &[&str]| {
        let symbolizer = looking_in(&[], text(&scratch.0));
        let (answers, report) = symbolize(&symbolizer, &module, &places);
        assert_eq!(answers.iter().map(brief).collect::<Vec<_>>(), wanted);
        report.source
    };
    // Functions that are not exported have no names, even behind one that is.
    let missing = "pdb-missing";
    let names = [
        "open_shop+0x0",
        "open_shop+0x65",
        "close_shop+0x0",
        missing,
        missing,
        missing,
    ];
    assert_eq!(exported(&names), Some(SymbolSource::Exports));

    scratch.write("sample.pdb", std::fs::read(fixture("sample.pdb")).unwrap());
    let rest = [
        "shop::Till::add+0x0",
        "hidden+0x3",
        "shop::Till::operator<+0x1",
    ];
    let names = [&names[..3], &rest[..]].concat();
    assert_eq!(exported(&names), Some(SymbolSource::Pdb));

    let other = ImageId {
        size: 4096,
        ..image_id
    };
    let replaced = ModuleRef {
        image: Some(other),
        ..module
    };
    let answers = symbolize(
        &looking_in(std::slice::from_ref(&scratch.0), ""),
        &replaced,
        &[TEXT],
    )
    .0;
    assert_eq!(brief(&answers[0]), "pdb-unidentified");
}

#[test]
fn damaged_files_give_reasons() {
    let image = std::fs::read(fixture("sample.dll")).unwrap();
    let pdb = std::fs::read(fixture("sample.pdb")).unwrap();
    let (id, image_id) = (pdb_id(&image), image_id(&image));
    // What the PDB reader says of damaged files while it unwinds would drown the report.
    let (hook, own) = (std::panic::take_hook(), std::thread::current().id());
    std::panic::set_hook(Box::new(move |info| {
        let is_of_the_reader = info
            .location()
            .is_some_and(|at| at.file().contains("pdb2-"));
        if std::thread::current().id() != own || !is_of_the_reader {
            hook(info);
        }
    }));
    let scratch = Scratch::new("pdb-damaged");
    let addresses: Vec<u64> = (0..0x140).step_by(7).map(|at| TEXT + at).collect();
    let module = ModuleRef {
        image: Some(image_id),
        ..sample(id)
    };
    let mut seed = 7_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    for round in 0..300 {
        let (mut pdb, mut image) = (pdb.clone(), image.clone());
        if round % 3 == 0 {
            pdb.truncate(random(pdb.len()));
            image.truncate(random(image.len()));
        } else {
            for _ in 0..=round % 7 {
                let (at, of) = (random(pdb.len()), random(image.len()));
                let value = [0, 0xff, 0x7f, 0x80, random(256) as u8][random(5)];
                (pdb[at], image[of]) = (value, value);
            }
        }
        scratch.write("sample.pdb", &pdb);
        scratch.write("sample.dll", &image);
        let options = Options {
            inlined: [Inlined::Always, Inlined::Never][round % 2],
            ..options(&[], text(&scratch.0))
        };
        symbolize(&Symbolizer::new(options), &module, &addresses);
    }
}

/// A server for tests: what it has, and what it was asked.
#[derive(Debug, Default)]
struct Fake {
    has: Vec<(String, Vec<u8>)>,
    asked: Mutex<Vec<String>>,
}

impl Fetch for Fake {
    fn fetch(
        &self,
        url: &str,
        to: &Path,
        check: &dyn Fn(&Path) -> bool,
    ) -> Result<(), FetchFailure> {
        self.asked.lock().unwrap().push(url.to_owned());
        if url.starts_with("http://dead") {
            return Err(FetchFailure::Failed);
        }
        let found = self.has.iter().find(|(known, _)| known == url);
        let (_, bytes) = found.ok_or(FetchFailure::NotThere)?;
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::write(to, bytes).unwrap();
        if check(to) {
            return Ok(());
        }
        std::fs::remove_file(to).unwrap();
        Err(FetchFailure::Failed)
    }
}

#[test]
fn servers_are_asked_last_and_only_with_consent() {
    let image = std::fs::read(fixture("sample.dll")).unwrap();
    let pdb = std::fs::read(fixture("sample.pdb")).unwrap();
    let id = pdb_id(&image);
    let scratch = Scratch::new("pdb-servers");
    let cache = scratch.path("cache");
    let path = format!(
        "srv*{}*http://dead/;srv*http://a;srv*http://b",
        text(&cache)
    );
    let url = |server: &str, file: &str| format!("{server}/sample.pdb/{id}/{file}");
    let ask = |fake: &Arc<Fake>| {
        let fetch: Arc<dyn Fetch> = fake.clone();
        let options = Options {
            symbol_path: SymbolPath::parse(&path, &cache),
            fetch: Some(fetch),
            ..Options::default()
        };
        let (answers, report) = symbolize(&Symbolizer::new(options), &sample(id), &[TEXT]);
        (
            brief(&answers[0]),
            report.file,
            fake.asked.lock().unwrap().split_off(0),
        )
    };
    let nothing = Arc::new(Fake::default());
    let (answer, _, asked) = ask(&nothing);
    assert_eq!(answer, "download-failed");
    let urls = [
        url("http://dead", "sample.pdb"),
        url("http://a", "sample.pdb"),
        url("http://a", "sample.pd_"),
        url("http://b", "sample.pdb"),
        url("http://b", "sample.pd_"),
    ];
    assert_eq!(asked, urls);
    let wrong = Arc::new(Fake {
        has: vec![(
            url("http://b", "sample.pdb"),
            b"<html>sorry</html>".to_vec(),
        )],
        ..Fake::default()
    });
    assert_eq!(ask(&wrong).0, "download-failed");
    let right = Arc::new(Fake {
        has: vec![(url("http://b", "sample.pdb"), pdb)],
        ..Fake::default()
    });
    let (answer, file, asked) = ask(&right);
    assert_eq!(answer, "shop::Till::add+0x0");
    assert_eq!(
        file,
        Some(cache.join(format!("sample.pdb/{id}/sample.pdb")))
    );
    assert_eq!(asked.len(), 4);
    // From now on it is here.
    assert_eq!(ask(&nothing).2, Vec::<String>::new());
}
