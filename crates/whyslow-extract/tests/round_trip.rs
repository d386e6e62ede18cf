//! Rows that go in come out: in order, however little memory there is, or not at all.

#![expect(clippy::expect_used, reason = "tests may stop")]

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use whyslow_extract::{ErrorKind, Extract, ExtractWriter, Options, find, rewrite};
use whyslow_model::tables::{self, MethodRow, ProcessRow, SymbolRow, ThreadStateRow, TraceRow};
use whyslow_model::{
    AddressId, NULL_I64, OwnerRef, ProcessId, RawRow, RawTable, RowSink, Scan, Settle, Table,
    TraceView, Watch,
};

struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("whyslow-{name}-{}", std::process::id()));
        let _old = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).expect("temporary directory");
        Self(dir)
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _gone = fs::remove_dir_all(&self.0);
    }
}

const OWNERS: u32 = 5;

/// Owners in reverse; process and thread become the final position.
struct Reverse;

impl Settle for Reverse {
    fn owners(&self) -> Vec<OwnerRef> {
        (0..OWNERS).rev().map(OwnerRef).collect()
    }

    fn settle(&mut self, _table: RawTable, owner: OwnerRef, row: &mut [i64]) {
        let mut row = RawRow::<ThreadStateRow, _>::over(row);
        let number = OWNERS - 1 - owner.0;
        row.set_provisional(ThreadStateRow::process, i64::from(number) / 2);
        row.set_provisional(ThreadStateRow::thread, i64::from(number));
    }
}

fn trace() -> Table {
    let row = TraceRow {
        trace_id: "id".to_owned(),
        schema_version: tables::SCHEMA_VERSION,
        tool_version: "0".to_owned(),
        source: "x.data".to_owned(),
        source_bytes: 1,
        host: Some("h\"ost".to_owned()),
        os: None,
        arch: None,
        cpu_name: None,
        cpus: Some(2),
        memory_bytes: None,
        start_unix_ns: None,
        duration_ns: 10,
        zone: None,
        utc_offset_s: None,
        boot_unix_ns: None,
        boot_id: None,
        clock: None,
        clock_start_ns: 0,
        sample_period_ns: None,
        lost_events: 0,
        lost_buffers: None,
        recorder: None,
        command: None,
        test_case: None,
        measured_ms: None,
    };
    Table::from_rows([row])
}

/// Pushes rows whose times occasionally jump back, as those of late events do.
fn write(dir: &Dir, name: &str, memory_bytes: usize, rows: i64) -> PathBuf {
    let options = Options {
        memory_bytes,
        trace_id: "id".to_owned(),
        ..Options::default()
    };
    let path = dir.0.join(name);
    let mut writer = ExtractWriter::create(&path, options).expect("create");
    for n in 0..rows {
        let time = if n % 97 == 0 { n - 50 } else { n };
        let stack = if n % 3 == 0 { NULL_I64 } else { n % 50 };
        let mut row = RawRow::<ThreadStateRow, _>::new();
        row.set(ThreadStateRow::start_ns, time);
        row.set(ThreadStateRow::duration_ns, 1);
        row.set_provisional(ThreadStateRow::state, n % 4);
        row.set_provisional(ThreadStateRow::cpu, n % 2);
        row.set_provisional(ThreadStateRow::stack, stack);
        row.set(ThreadStateRow::reason, 0);
        row.set(ThreadStateRow::priority, Some(120));
        row.set(ThreadStateRow::flags, 0);
        let owner = OwnerRef(u32::try_from(n % i64::from(OWNERS)).expect("small"));
        writer
            .push(RawTable::ThreadState, owner, row.cells())
            .expect("push");
    }
    writer.merge(&mut Reverse).expect("merge");
    writer.write_table(&trace()).expect("trace");
    writer.finish().expect("finish")
}

/// A watcher that asks to stop from the start.
#[derive(Debug)]
struct Stop;

impl Watch for Stop {
    fn is_interrupted(&self) -> bool {
        true
    }
}

#[test]
fn a_merge_can_be_stopped_and_leaves_nothing() {
    struct Counted(usize);

    impl Settle for Counted {
        fn owners(&self) -> Vec<OwnerRef> {
            (0..OWNERS).map(OwnerRef).collect()
        }

        fn settle(&mut self, _table: RawTable, _owner: OwnerRef, _row: &mut [i64]) {
            self.0 += 1;
        }
    }

    let dir = Dir::new("stopped");
    let options = Options {
        watch: Arc::new(Stop),
        ..Options::default()
    };
    let mut writer = ExtractWriter::create(&dir.0.join("a.whyslow"), options).expect("create");
    let row = RawRow::<ThreadStateRow, _>::new();
    let pushed = writer.push(RawTable::ThreadState, OwnerRef(0), row.cells());
    pushed.expect("push");
    let mut settle = Counted(0);
    writer.merge(&mut settle).expect_err("it was to stop");
    assert_eq!(settle.0, 0, "no row was settled any more");
    drop(writer);
    assert_eq!(fs::read_dir(&dir.0).expect("the directory").count(), 0);
}

#[test]
fn rows_come_back_sorted_and_settled() {
    let dir = Dir::new("sorted");
    let path = write(&dir, "a.whyslow", 1 << 30, 10_000);
    let extract = Extract::open(&path).expect("open");
    let table = extract.read(&tables::THREAD_STATE, &[]).expect("read");
    let rows: Vec<ThreadStateRow> = table.rows().collect();
    assert_eq!(rows.len(), 10_000);
    assert!(rows.is_sorted_by_key(|row| (row.process, row.thread, row.start_ns)));
    let nulls = rows.iter().filter(|row| row.stack.is_none()).count();
    assert_eq!(nulls, 3334);
    let row = rows
        .iter()
        .find(|row| row.start_ns == 4000 - 1)
        .expect("row 3999");
    assert_eq!((row.stack, row.state, row.priority), (None, 3, Some(120)));
    let meta = fs::read_to_string(path.join("meta.json")).expect("meta");
    assert!(meta.contains("\"host\": \"h\\\"ost\""), "{meta}");
}

#[test]
fn bytes_do_not_depend_on_memory() {
    let dir = Dir::new("bytes");
    let plenty = write(&dir, "a.whyslow", 1 << 30, 30_000);
    let little = write(&dir, "b.whyslow", 100_000, 30_000);
    for file in [
        "thread_state.parquet",
        "cpu_sample.parquet",
        "trace.parquet",
    ] {
        let same =
            fs::read(plenty.join(file)).expect(file) == fs::read(little.join(file)).expect(file);
        assert!(same, "{file}");
    }
}

#[test]
fn scans_skip_what_was_not_asked_for() {
    let dir = Dir::new("scan");
    let path = write(&dir, "a.whyslow", 1 << 30, 700_000);
    let extract = Extract::open(&path).expect("open");
    let count = |scan: &Scan<'_>| {
        let mut rows = 0;
        let mut each = |table: &Table| {
            rows += table.len();
            assert!(table.column("cpu").is_empty(), "was not asked for");
            ControlFlow::Continue(())
        };
        extract
            .scan(&tables::THREAD_STATE, scan, &mut each)
            .expect("scan");
        rows
    };
    let columns = &["process", "start_ns"];
    let all = count(&Scan {
        columns,
        ..Scan::default()
    });
    assert_eq!(all, 700_000);
    let first = count(&Scan {
        columns,
        processes: Some(&[ProcessId(0)]),
        ..Scan::default()
    });
    assert!(first < all && first >= 280_000, "{first}");
    let none = count(&Scan {
        columns,
        window_ns: Some((800_000, 900_000)),
        ..Scan::default()
    });
    assert_eq!(none, 0);
}

#[test]
fn text_survives_with_its_nulls() {
    let dir = Dir::new("text");
    let path = dir.0.join("a.whyslow");
    let mut writer = ExtractWriter::create(&path, Options::default()).expect("create");
    let process = |id: i32, path: Option<&str>| ProcessRow {
        id: ProcessId(id),
        os_pid: 100 + id,
        parent: None,
        os_ppid: None,
        predecessor: None,
        start_ns: (id > 0).then_some(5),
        end_ns: None,
        exit_code: None,
        exit_signal: None,
        name: format!("p{}", id % 2),
        path: path.map(ToOwned::to_owned),
        command_line: None,
        user: Some(String::new()),
        session: None,
        services: None,
        is_kernel: 0,
    };
    let rows = vec![process(0, None), process(1, Some("/ü")), process(2, None)];
    writer.write_table(&trace()).expect("trace");
    writer
        .write_table(&Table::from_rows(rows.clone()))
        .expect("processes");
    writer
        .write_table(&Table::from_rows(Vec::<SymbolRow>::new()))
        .expect("symbols");
    let extract = Extract::open(&writer.finish().expect("finish")).expect("open");
    let table = extract.read(&tables::PROCESS, &[]).expect("read");
    assert_eq!(table.rows::<ProcessRow>().collect::<Vec<_>>(), rows);
    assert!(
        extract
            .read(&tables::SYMBOL, &[])
            .expect("empty")
            .is_empty()
    );
    assert!(!extract.has(&tables::METHOD));

    let symbol = SymbolRow {
        address: AddressId(0),
        depth: 0,
        function: Some("f".to_owned()),
        offset: None,
        file: None,
        line: None,
        reason: None,
    };
    rewrite(&extract, &[Table::from_rows([symbol])]).expect("rewrite");
    assert_eq!(extract.read(&tables::SYMBOL, &[]).expect("read").len(), 1);
    let raw = Table::new(&tables::THREAD_STATE);
    assert!(rewrite(&extract, &[raw]).is_err());
    assert_eq!(Table::new(&tables::METHOD).rows::<MethodRow>().count(), 0);
}

/// An extract contains the command lines of all users, so only its owner may read it.
#[cfg(unix)]
#[test]
fn an_extract_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let dir = Dir::new("private");
    let path = write(&dir, "a.whyslow", 1 << 10, 1000);
    let mode = |path: &std::path::Path| {
        let meta = path.metadata().expect("it is there");
        meta.permissions().mode() & 0o777
    };
    assert_eq!(mode(&path), 0o700);
    for entry in fs::read_dir(&path).expect("an extract") {
        let file = entry.expect("a file").path();
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    // Access that was granted is kept when names are looked up again.
    let symbols = path.join("symbol.parquet");
    let extract = Extract::open(&path).expect("an extract");
    rewrite(&extract, &[Table::new(&tables::SYMBOL)]).expect("written");
    assert_eq!(mode(&symbols), 0o600);
    fs::set_permissions(&symbols, fs::Permissions::from_mode(0o644)).expect("ours");
    rewrite(&extract, &[Table::new(&tables::SYMBOL)]).expect("rewritten");
    assert_eq!(mode(&symbols), 0o644);
}

#[test]
fn nothing_is_overwritten_or_left_behind() {
    let dir = Dir::new("left");
    let path = write(&dir, "a.whyslow", 1 << 30, 10);
    let error = ExtractWriter::create(&path, Options::default()).expect_err("exists");
    assert_eq!(error.kind, ErrorKind::Exists);
    let other = dir.0.join("b.whyslow");
    drop(ExtractWriter::create(&other, Options::default()).expect("create"));
    let names: Vec<_> = fs::read_dir(&dir.0)
        .expect("dir")
        .flatten()
        .map(|e| e.file_name())
        .collect();
    assert_eq!(
        names,
        ["a.whyslow"],
        "a writer that is dropped leaves nothing"
    );

    let stale = dir.0.join(".c.whyslow.999999999.tmp");
    fs::create_dir(&stale).expect("stale");
    let replace = Options {
        replace: true,
        ..Options::default()
    };
    let mut writer = ExtractWriter::create(&path, replace).expect("replace");
    assert!(!stale.exists(), "what a killed writer left is removed");
    writer.merge(&mut Reverse).expect("merge");
    writer.write_table(&trace()).expect("trace");
    writer.finish().expect("finish");
    assert!(
        Extract::open(&path)
            .expect("open")
            .read(&tables::THREAD_STATE, &[])
            .expect("read")
            .is_empty()
    );
}

#[test]
fn a_writer_that_lives_is_left_alone() {
    let dir = Dir::new("alive");
    let path = dir.0.join("a.whyslow");
    let mut first = ExtractWriter::create(&path, Options::default()).expect("create");
    let error = ExtractWriter::create(&path, Options::default()).expect_err("being written");
    assert_eq!(error.kind, ErrorKind::NotReplaced);
    // A process of another container is not visible, but it holds its directory.
    let foreign = dir.0.join(".b.whyslow.999999999.tmp");
    fs::create_dir(&foreign).expect("foreign");
    let held = fs::File::open(&foreign).expect("open");
    held.try_lock().expect("lock");
    drop(ExtractWriter::create(&dir.0.join("c.whyslow"), Options::default()).expect("create"));
    assert!(foreign.exists());
    // A process that another test starts at this moment has a copy of the descriptor, which closing does not unlock.
    held.unlock().expect("unlock");
    drop(held);
    drop(ExtractWriter::create(&dir.0.join("c.whyslow"), Options::default()).expect("create"));
    assert!(!foreign.exists());
    first.merge(&mut Reverse).expect("merge");
    first.write_table(&trace()).expect("trace");
    first.finish().expect("finish");
}

#[test]
fn what_a_killed_writer_was_about_to_replace_is_put_back() {
    let dir = Dir::new("back");
    let (a, b) = (
        dir.0.join("a.whyslow"),
        write(&dir, "b.whyslow", 1 << 30, 10),
    );
    let aside = |name: &str| dir.0.join(format!(".{name}.whyslow.999999999.old"));
    let moved = write(&dir, "a.whyslow", 1 << 30, 10);
    fs::rename(moved, aside("a")).expect("aside");
    fs::create_dir(aside("b")).expect("aside");
    let error = ExtractWriter::create(&a, Options::default()).expect_err("exists again");
    assert_eq!(error.kind, ErrorKind::Exists);
    Extract::open(&a).expect("put back");
    Extract::open(&b).expect("left alone");
    assert!(!aside("a").exists() && !aside("b").exists());
}

#[test]
fn what_is_no_extract_is_told_apart() {
    let dir = Dir::new("none");
    let kind = |path: &PathBuf| Extract::open(path).expect_err("no extract").kind;
    assert_eq!(kind(&dir.0.join("x")), ErrorKind::NotFound);
    assert_eq!(kind(&dir.0), ErrorKind::NotAnExtract);
    let path = write(&dir, "a.whyslow", 1 << 30, 1000);
    assert_eq!(
        find(std::slice::from_ref(&dir.0)).expect("found"),
        std::slice::from_ref(&path)
    );
    assert_eq!(
        find(&[dir.0.join("?.why*")]).expect("found"),
        *std::slice::from_ref(&path)
    );
    assert_eq!(
        find(&[dir.0.join("b*")]).expect_err("nothing").kind,
        ErrorKind::NotFound
    );
    fs::write(path.join("trace.parquet"), b"PAR1").expect("write");
    assert_eq!(kind(&path), ErrorKind::Damaged);
}

#[test]
fn a_pipe_in_place_of_a_table_is_not_waited_for() {
    let dir = Dir::new("pipe");
    let path = write(&dir, "a.whyslow", 1 << 30, 1000);
    let extract = Extract::open(&path).expect("an extract");
    for name in ["thread_state", "trace"] {
        let table = path.join(format!("{name}.parquet"));
        fs::remove_file(&table).expect("removed");
        let made = std::process::Command::new("mkfifo").arg(&table).status();
        assert!(made.expect("mkfifo runs").success());
    }
    let read = extract.read(&tables::TRACE, &[]);
    let error = read.expect_err("a pipe").to_string();
    assert!(error.contains("it is not a file"), "{error}");
    Extract::open(&path).expect_err("a pipe");
}

/// Returns what is said when a table is read.
fn said(path: &std::path::Path, table: &'static whyslow_model::TableSchema) -> String {
    let extract = Extract::open(path).expect("an extract");
    let read = extract.read(table, &[]);
    let error = read.expect_err("another table").to_string();
    assert!(
        error.contains(&format!("{}.parquet", table.name)),
        "{error}"
    );
    error
}

#[test]
fn a_file_of_another_table_is_damaged() {
    let dir = Dir::new("swapped");
    let path = write(&dir, "a.whyslow", 1 << 30, 10);
    let file = |name: &str| path.join(format!("{name}.parquet"));
    fs::copy(file("thread_state"), file("cpu_sample")).expect("a copy");
    let error = said(&path, &tables::CPU_SAMPLE);
    assert!(
        error.contains("does not hold the table cpu_sample"),
        "{error}"
    );
    // Older files do not say which table they hold, but their columns do.
    let named = fs::read(file("thread_state")).expect("a table");
    let nameless = replaced(&named, b"whyslow.table", b"whyslow.other");
    fs::write(file("cpu_sample"), &nameless).expect("a table");
    let error = said(&path, &tables::CPU_SAMPLE);
    assert!(error.contains("it has no column time_ns"), "{error}");
    let odd = replaced(&nameless, b"duration_ns", b"duration_xx");
    fs::write(file("thread_state"), odd).expect("a table");
    let error = said(&path, &tables::THREAD_STATE);
    assert!(error.contains("it has no column duration_ns"), "{error}");
    // One column has 64 bits, the other one 32.
    let odd = replaced(&nameless, b"waker_thread", b"waker_______");
    let odd = replaced(&odd, b"competing_ns", b"waker_thread");
    fs::write(file("thread_state"), odd).expect("a table");
    let error = said(&path, &tables::THREAD_STATE);
    assert!(
        error.contains("its column waker_thread has another type"),
        "{error}"
    );
}

#[test]
fn an_extract_without_one_of_its_tables_is_not_whole() {
    let dir = Dir::new("part");
    let path = write(&dir, "a.whyslow", 1 << 30, 10);
    let missing = |name: &str| {
        let table = path.join(format!("{name}.parquet"));
        let whole = fs::read(&table).expect("the writer writes every table");
        fs::remove_file(&table).expect("removed");
        let opened = Extract::open(&path).map_err(|error| (error.kind, error.to_string()));
        fs::write(&table, whole).expect("put back");
        opened.map(|_| ())
    };
    for name in ["disk_io", "wait_object", "file", "process"] {
        let (kind, said) = missing(name).expect_err(name);
        assert_eq!(kind, ErrorKind::Damaged);
        assert!(
            said.ends_with(&format!("it is not whole: {name}.parquet is missing")),
            "{said}"
        );
    }
    // An older one never had it.
    let trace = path.join("trace.parquet");
    let now = format!("whyslow.schema\x18\x01{}", tables::SCHEMA_VERSION);
    let old = replaced(
        &fs::read(&trace).expect("a table"),
        now.as_bytes(),
        b"whyslow.schema\x18\x011",
    );
    fs::write(&trace, old).expect("a table");
    missing("disk_io").expect("an older extract");
    missing("process").expect_err("every extract has it");
}

/// Returns bytes in which some are replaced by as many others.
fn replaced(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let mut bytes = bytes.to_vec();
    let found = bytes.windows(old.len()).enumerate();
    let places: Vec<usize> = found
        .filter(|(_, at)| *at == old)
        .map(|(at, _)| at)
        .collect();
    assert!(!places.is_empty(), "nothing to replace");
    for at in places {
        bytes[at..at + new.len()].copy_from_slice(new);
    }
    bytes
}

#[test]
fn damaged_files_are_errors_or_rows_but_never_panics() {
    let dir = Dir::new("damaged");
    let path = write(&dir, "a.whyslow", 1 << 30, 2000);
    std::panic::set_hook(Box::new(|_| {}));
    for file in ["thread_state.parquet", "trace.parquet"] {
        let whole = fs::read(path.join(file)).expect(file);
        let mut seed = 1_u64;
        for _ in 0..400 {
            let mut bytes = whole.clone();
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = usize::try_from(seed >> 33).expect("small") % bytes.len();
            bytes[at] ^= 1 << (seed % 8);
            if seed.is_multiple_of(5) {
                bytes.truncate(at);
            }
            fs::write(path.join(file), &bytes).expect("write");
            if let Ok(extract) = Extract::open(&path) {
                let _any = extract.read(&tables::THREAD_STATE, &[]);
                let _any = extract.read(&tables::TRACE, &[]);
            }
        }
        fs::write(path.join(file), whole).expect("write");
    }
    let _default = std::panic::take_hook();
    assert!(Extract::open(&path).is_ok());
}

#[test]
fn rows_by_number_are_those_of_the_whole_table() {
    let dir = Dir::new("pick");
    let path = dir.0.join("a.whyslow");
    let mut writer = ExtractWriter::create(&path, Options::default()).expect("writer");
    let row = |number: i32| SymbolRow {
        address: AddressId(number),
        depth: number % 3,
        function: (number % 5 > 0).then(|| format!("function{}", number % 1000)),
        offset: (number % 7 > 0).then(|| i64::from(number) * 3),
        file: None,
        line: (number > 30_000).then_some(number),
        reason: (number % 5 == 0).then(|| "none".to_owned()),
    };
    writer.write_table(&trace()).expect("written");
    // Several pages, so that some are skipped.
    let whole = Table::from_rows((0..70_000).map(row));
    writer.write_table(&whole).expect("written");
    writer.finish().expect("complete");
    let extract = Extract::open(&path).expect("opens");
    let every_seventh: Vec<u32> = (0..70_000).step_by(7).collect();
    for numbers in [
        vec![],
        vec![0],
        vec![69_999],
        vec![5, 6, 7, 45_000, 69_998, 70_000, 99_999],
        every_seventh,
        (0..70_000).collect(),
    ] {
        let picked = extract.pick(&tables::SYMBOL, &numbers).expect("readable");
        let expected = numbers.iter().filter(|&&number| number < 70_000);
        let expected = expected.map(|&number| row(number.cast_signed()));
        assert_eq!(picked, Table::from_rows(expected));
        assert_eq!(picked, whole.pick(&numbers));
    }
}
