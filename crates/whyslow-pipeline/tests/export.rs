//! Copies of extracts: the same but for names, of which no file of the copy has one.

#![expect(clippy::expect_used, reason = "a test may stop")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use whyslow_extract::{Extract, ExtractWriter, Options};
use whyslow_model::tables::{
    ALL, FactRow, FileRow, GroupRow, LabelRow, ProblemRow, ProcessRow, SymbolRow, ThreadRow,
    TraceRow, WaitObjectRow,
};
use whyslow_model::{
    Column, FileId, LabelId, Layer, Table, TableRow, TableSchema, TraceView, Unwatched,
};
use whyslow_pipeline::Exporter;
use whyslow_testkit::Literal;

/// Parts of names that only the person has to whom the machine belongs.
const PRIVATE: [&str; 8] = [
    "wilma",
    "Payroll",
    "payhost",
    "hunter2",
    "10.20.30.40",
    "fd00::77",
    "4915112345678",
    "Ledger",
];

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("whyslow-export-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _old = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a folder");
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone = fs::remove_dir_all(&self.0);
    }
}

fn file(id: i32, path: &str) -> FileRow {
    FileRow {
        id: FileId(id),
        path: path.to_owned(),
        inode: Some(i64::from(id) + 100),
        device: Some(1),
        kind: Some("file".to_owned()),
        file_system: Some("ext4".to_owned()),
        flags: 0,
    }
}

fn object(id: i32, kind: &str, name: &str) -> WaitObjectRow {
    WaitObjectRow {
        id,
        kind: kind.to_owned(),
        name: name.to_owned(),
        local: Some("10.20.30.40:5000".to_owned()),
        peer_pid: None,
        owner_tid: None,
        file_system: None,
        inode: None,
        device: None,
        others: None,
    }
}

fn fact(key: &str, value: &str) -> FactRow {
    FactRow {
        subject: "recorder".to_owned(),
        key: key.to_owned(),
        value: value.to_owned(),
    }
}

/// Rows with names in every table that has any.
fn private_tables() -> Vec<Table> {
    let files = [
        "/home/wilma.smith/Payroll 2024/Ledger.db",
        "/home/wilma.smith/Payroll 2024/Ledger.db-wal",
        "/home/wilma.smith",
        "/usr/lib/x86_64-linux-gnu/libc.so.6",
    ];
    let files = (0..).zip(files).map(|(id, path)| file(id, path));
    let objects = [
        ("file", "/home/wilma.smith/Payroll 2024/Ledger.db (deleted)"),
        ("tcp", "10.20.30.40:5432"),
        ("unix", "/run/Payroll bus"),
        ("unix", "@wilma/bus"),
        ("unix", "a Unix socket"),
        (
            "epoll",
            "10.20.30.40:80 (listening), /srv/Ledger, [eventfd]",
        ),
        ("pipe", "/srv/Payroll/fifo"),
        ("name", "Ledger"),
        ("event", "[eventfd]"),
        ("futex", "0x7f00"),
    ];
    let objects = (0..).zip(objects);
    let objects = objects.map(|(id, (kind, name))| object(id, kind, name));
    let facts = [
        ("host", "payhost"),
        ("command_argument", "--password=hunter2"),
        ("command_folder", "/home/wilma.smith/Payroll 2024"),
        ("file_lock", "77 /home/wilma.smith/Payroll 2024/Ledger.db"),
        (
            "file_system",
            "46 nfs payhost:/Payroll /mnt/Payroll - rw,addr=10.20.30.40",
        ),
        ("domain", "payhost.wilma.example"),
        ("file_name", "C:\\Users\\wilma\\Ledger.etl"),
        ("what_comes_later", "Payroll of wilma"),
        ("kernel", "Linux 6.18"),
    ];
    let facts = facts.map(|(key, value)| fact(key, value));
    let labels = [
        "10.20.30.40",
        "fd00::77",
        "payhost.wilma.example",
        // Names of objects, and their types.
        r"\Device\HarddiskVolume1\a.b\Payroll 2024\wilma",
        "Event",
        "[type 16]",
    ];
    let labels = (0..).zip(labels).map(|(id, text)| LabelRow {
        id: LabelId(id),
        text: text.to_owned(),
    });
    let group = GroupRow {
        id: 0,
        resource: "cpu".to_owned(),
        path: "/system.slice/Payroll-4915112345678.service".to_owned(),
        name: "Payroll-4915112345678".to_owned(),
    };
    let problem = ProblemRow {
        kind: "symbols".to_owned(),
        severity: "info".to_owned(),
        count: 1,
        first_offset: None,
        first_ns: None,
        detail: "/home/wilma.smith/Payroll 2024/Ledger.db: not ELF".to_owned(),
        advice: "ask wilma.smith".to_owned(),
    };
    vec![
        Table::from_rows(files.collect::<Vec<_>>()),
        Table::from_rows(objects.collect::<Vec<_>>()),
        Table::from_rows(facts.to_vec()),
        Table::from_rows(labels.collect::<Vec<_>>()),
        Table::from_rows([group]),
        Table::from_rows([problem]),
    ]
}

/// A trace with names everywhere.
fn private() -> Literal {
    let mut trace = Literal::new(100);
    let app = trace.process("Payroll-run", 100, None);
    let row = &mut trace.processes[app.index()];
    row.path = Some("/home/wilma.smith/bin/Payroll-run".to_owned());
    row.command_line =
        Some("Payroll-run -phunter2 --to=10.20.30.40:80 'Ledger 7' 4915112345678".to_owned());
    row.user = Some("wilma.smith".to_owned());
    let main = trace.thread(app, "Payroll-main");
    let helper = trace.thread(app, "G1 Conc#0");
    trace.stack(
        "read",
        "k:io_schedule < read < Till.add < py::sum:/home/wilma.smith/Payroll.py < main",
    );
    trace.play(main, "R40 W20:read R40");
    trace.play(helper, "W100:read");
    trace.sample(main, &[1, 2, 3, 70], "read");
    trace
}

/// Writes a trace as an extract.
fn write(trace: &dyn TraceView, extra: &[Table], path: &Path) {
    let options = Options {
        trace_id: "0123".to_owned(),
        ..Options::default()
    };
    let mut writer = ExtractWriter::create(path, options).expect("a place");
    for schema in ALL.iter().filter(|schema| schema.layer != Layer::RollUp) {
        let table = extra.iter().find(|table| table.schema.name == schema.name);
        let table = match table {
            Some(table) => table.clone(),
            None => trace.read(schema, &[]).expect("a table"),
        };
        let table = match schema.name {
            "trace" => named(&table),
            "symbol" => with_sources(&table),
            _ => table,
        };
        writer.write_table(&table).expect("written");
    }
    writer.finish().expect("an extract");
}

fn named(table: &Table) -> Table {
    let rows = table.rows::<TraceRow>().map(|row| TraceRow {
        source: "Payroll_12mspayhost.data".to_owned(),
        host: Some("payhost".to_owned()),
        command: Some("/home/wilma.smith/bin/Payroll-run --key hunter2".to_owned()),
        test_case: Some("Payroll".to_owned()),
        ..row
    });
    Table::from_rows(rows.collect::<Vec<_>>())
}

fn with_sources(table: &Table) -> Table {
    let rows = table.rows::<SymbolRow>().map(|row| SymbolRow {
        file: Some("/home/wilma.smith/src/Ledger.rs".to_owned()),
        ..row
    });
    Table::from_rows(rows.collect::<Vec<_>>())
}

/// Returns all texts of an extract's tables.
fn texts(extract: &Extract) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    for schema in ALL.iter().filter(|schema| extract.has(schema)) {
        let table = extract.read(schema, &[]).expect("a table");
        for column in &table.columns {
            if let Column::Str(words) = column {
                texts.extend(words.dictionary.iter().map(|word| word.to_string()));
            }
        }
    }
    texts
}

fn rows<R: TableRow>(extract: &Extract, schema: &'static TableSchema) -> Vec<R> {
    let table = extract.read(schema, &[]).expect("a table");
    table.rows().collect()
}

fn exported(folder: &Folder, redact: bool) -> (Extract, Extract) {
    let (from, to) = (folder.path("t.whyslow"), folder.path("copy.whyslow"));
    write(&private().raw("t"), &private_tables(), &from);
    let from = Extract::open(&from).expect("an extract");
    let mut exporter = Exporter::new(redact, false, Arc::new(Unwatched));
    exporter.export(&from, &to).expect("a copy");
    (from, Extract::open(&to).expect("an extract"))
}

#[test]
fn no_name_is_left_in_any_file_of_a_redacted_copy() {
    whyslow_testenv::fresh();
    let folder = Folder::new("redacted");
    let (from, copy) = exported(&folder, true);
    let (before, after) = (texts(&from), texts(&copy));
    for private in PRIVATE {
        let has = |texts: &BTreeSet<String>| texts.iter().any(|text| text.contains(private));
        assert!(has(&before), "{private} is not in the original");
        assert!(!has(&after), "{private} in {after:#?}");
    }
    // Neither is it in what a reader of the files sees besides the tables.
    for entry in fs::read_dir(copy.path()).expect("files") {
        let file = entry.expect("a file").path();
        let bytes = fs::read(&file).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        for private in PRIVATE {
            assert!(!text.contains(private), "{private} in {}", file.display());
        }
    }
}

#[test]
fn a_redacted_copy_keeps_what_is_alike_and_what_questions_look_at() {
    whyslow_testenv::fresh();
    let folder = Folder::new("alike");
    let (from, copy) = exported(&folder, true);
    let paths: Vec<String> = rows::<FileRow>(&copy, FileRow::SCHEMA)
        .into_iter()
        .map(|row| row.path)
        .collect();
    assert!(paths[0].ends_with(".db") && paths[0].starts_with(&paths[2]));
    assert_eq!(paths[0].matches('/').count(), 4, "{paths:?}");
    assert_eq!(paths[3], "/usr/lib/x86_64-linux-gnu/libc.so.6");
    let objects: Vec<String> = rows::<WaitObjectRow>(&copy, WaitObjectRow::SCHEMA)
        .into_iter()
        .map(|row| row.name)
        .collect();
    assert_eq!(objects[0], format!("{} (deleted)", paths[0]));
    assert_eq!(objects[4], "a Unix socket");
    assert_eq!(objects[9], "0x7f00");
    let process = &rows::<ProcessRow>(&copy, ProcessRow::SCHEMA)[0];
    let program = process
        .path
        .as_deref()
        .and_then(|path| path.rsplit('/').next());
    assert_eq!(program, Some(process.name.as_str()));
    // Runtimes' own threads are known by their names.
    let threads = rows::<ThreadRow>(&copy, ThreadRow::SCHEMA);
    assert_eq!(threads[1].name.as_deref(), Some("G1 Conc#0"));
    let symbols = rows::<SymbolRow>(&copy, SymbolRow::SCHEMA);
    let functions: Vec<&str> = symbols
        .iter()
        .filter_map(|row| row.function.as_deref())
        .collect();
    assert!(functions.contains(&"Till.add"), "{functions:?}");
    let labels = rows::<LabelRow>(&copy, LabelRow::SCHEMA);
    assert_eq!(labels[3].text.matches('\\').count(), 5, "{labels:?}");
    assert_eq!((&*labels[4].text, &*labels[5].text), ("Event", "[type 16]"));
    // Events are the same.
    for schema in ALL.iter().filter(|schema| schema.layer == Layer::Raw) {
        let count = |extract: &Extract| extract.read(schema, &[]).expect("a table").len();
        assert_eq!(count(&from), count(&copy), "{}", schema.name);
    }
    // A name has one pseudonym, in the next copy, too; and the copy's own name is one.
    let mut exporter = Exporter::new(true, false, Arc::new(Unwatched));
    exporter
        .export(&from, &folder.path("a.whyslow"))
        .expect("a copy");
    exporter
        .export(&from, &folder.path("b.whyslow"))
        .expect("a copy");
    let all = ["a.whyslow", "b.whyslow"].map(|name| {
        let copy = Extract::open(&folder.path(name)).expect("an extract");
        texts(&copy)
    });
    assert_eq!(all[0], all[1]);
    let name = exporter.name_of(Path::new("/x/Payroll_12mspayhost.20260101-101010.whyslow"));
    let name = name.to_string_lossy();
    assert!(
        name.contains("_12ms") && name.ends_with(".20260101-101010.whyslow"),
        "{name}"
    );
    assert!(!name.contains("ay"), "{name}");
    let name = exporter.name_of(Path::new("Ledger.whyslow"));
    assert!(!name.to_string_lossy().contains("Ledger"));
}

#[test]
fn a_plain_copy_is_the_same() {
    whyslow_testenv::fresh();
    let folder = Folder::new("plain");
    let (from, copy) = exported(&folder, false);
    for schema in ALL.iter().filter(|schema| schema.layer != Layer::RollUp) {
        let table = |extract: &Extract| {
            let table = extract.read(schema, &[]).expect("a table");
            format!("{:?}", table.columns)
        };
        assert_eq!(table(&from), table(&copy), "{}", schema.name);
    }
    // Sums are made where there were none.
    assert!(
        !copy
            .read(&whyslow_model::tables::METHOD, &[])
            .expect("sums")
            .is_empty()
    );
    // What is there already stays.
    let mut exporter = Exporter::new(false, false, Arc::new(Unwatched));
    let again = exporter.export(&from, copy.path());
    assert!(again.is_err(), "{again:?}");
}
