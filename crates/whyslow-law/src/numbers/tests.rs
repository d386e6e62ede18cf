use super::*;

fn one(text: &str) -> Numbers {
    some(text, &Asked::default())
}

fn some(text: &str, asked: &Asked) -> Numbers {
    let mut all = read(text.as_bytes(), asked).expect("it is read");
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn asked(n: &str, duration: &str, unit: Option<Unit>) -> Asked {
    let name = |name: &str| Some(name.to_owned()).filter(|name| !name.is_empty());
    Asked {
        n: name(n),
        duration: name(duration),
        unit,
        by: None,
    }
}

fn why(text: &str, asked: &Asked) -> String {
    read(text.as_bytes(), asked)
        .expect_err("it is refused")
        .to_string()
}

#[test]
fn a_table_with_a_header_is_read_by_name() {
    let text = "file,ms,other\n1,0.5,9\n2,0.75,9\n";
    let read = one(text);
    assert_eq!(read.cost, [500_000.0, 750_000.0]);
    assert_eq!((read.n, read.has_n), (vec![1.0, 2.0], false));
    let other = some(text, &asked("FILE", "other", Some(Unit::S)));
    assert_eq!((other.cost, other.has_n), (vec![9e9; 2], true));
    let missing = why(text, &asked("files", "ms", None));
    assert_eq!(
        missing,
        "line 1: there is no column \"files\"; there are file, ms, other"
    );
}

#[test]
fn one_duration_per_line_needs_a_unit_or_says_it() {
    let none = why("0.031\n0.030\n", &Asked::default());
    assert!(
        none.starts_with("line 1: the durations have no unit"),
        "{none}"
    );
    let ms = asked("", "", Some(Unit::Ms));
    assert_eq!(some("0.031\n0.030\n", &ms).cost, [31_000.0, 30_000.0]);
    assert_eq!(some("0,031\r\n0,030\r\n", &ms).cost, [31_000.0, 30_000.0]);
    assert_eq!(some("0\n1\n12\n", &ms).cost, [0.0, 1e6, 12e6]);
    assert_eq!(one("0.03 ms\n2 ms\n").cost, [30_000.0, 2e6]);
    assert_eq!(one("00:00:00.0312345\n").cost, [31_234_500.0]);
    assert_eq!(one("12µs\n7 us\n").cost, [12_000.0, 7_000.0]);
}

#[test]
fn what_other_systems_write_is_read() {
    let bom = read(
        b"\xef\xbb\xbfn;Dauer (ms)\r\n1;0,5\r\n2;1.234,5\r\n",
        &Asked::default(),
    );
    let bom = bom.expect("it is read").remove(0);
    assert_eq!(
        (bom.cost, bom.has_n),
        (vec![500_000.0, 1_234_500_000.0], true)
    );
    for little in [true, false] {
        let units = "\u{feff}n\tms\r\n1\t5\r\n".encode_utf16();
        let bytes: Vec<u8> = units
            .flat_map(|unit| {
                if little {
                    unit.to_le_bytes()
                } else {
                    unit.to_be_bytes()
                }
            })
            .collect();
        let read = read(&bytes, &Asked::default())
            .expect("it is read")
            .remove(0);
        assert_eq!(read.cost, [5e6]);
    }
    let shell = "\nDays              : 0\nTicks             : 312345\nTotalSeconds      : 0,0312\n\
                 TotalMilliseconds : 31,2345\n\nDays : 0\nTotalMilliseconds : 7,5\n";
    assert_eq!(one(shell).cost, [31_234_500.0, 7_500_000.0]);
    let clock = asked("", "", Some(Unit::Clock));
    assert_eq!(
        some("23:59:59.50\n23:59:59,75\n 0:00:01.00\n", &clock).cost,
        [250e6, 1.25e9]
    );
    // Batch files of many countries print times with a decimal comma throughout.
    assert_eq!(
        some("23:59:59,50\n23:59:59,75\n 0:00:01,00\n", &clock).cost,
        [250e6, 1.25e9]
    );
    assert!(
        why("10:00:00,10\n10:00:00,35\n10:00:00,95\n", &Asked::default())
            .starts_with("line 1: these look like times of day: --unit clock"),
    );
    assert_eq!(
        one("00:00:01.5\n00:00:01.6\n00:00:01.7\n").cost,
        [1.5e9, 1.6e9, 1.7e9]
    );
    let dated = "01.02.2026 10:00:00,10\n01.02.2026 10:00:00,35\n";
    assert_eq!(some(dated, &clock).cost, [250e6]);
    let beside = asked("", "1", Some(Unit::Clock));
    let columns = "10:00:00,9\n10:00:02,10\n10:00:03,1200\n";
    assert_eq!(some(columns, &beside).cost, [2e9, 1e9]);
    assert_eq!(
        some(
            "file-1: 0.03\nfile-2: 0.04\n",
            &asked("", "", Some(Unit::Ms))
        )
        .cost,
        [3e4, 4e4]
    );
}

#[test]
fn commas_separate_or_are_decimal_and_thousands_are_numbers() {
    let ms = asked("", "", Some(Unit::Ms));
    let columns = some("1,5\n2,7\n3,9\n", &ms);
    assert_eq!((columns.cost, columns.has_n), (vec![5e6, 7e6, 9e6], true));
    let quoted = one("n,ms\n\"300,000\",\"1,234.5\"\n\"600,000\",2\n");
    assert_eq!(
        (quoted.n, quoted.cost),
        (vec![3e5, 6e5], vec![1_234.5e6, 2e6])
    );
}

#[test]
fn what_is_no_number_is_an_error_with_its_line() {
    let text = "n,ms\n1,0.5\n2,NotUsed\n";
    assert_eq!(
        why(text, &Asked::default()),
        "line 3: \"NotUsed\" in ms is not a number"
    );
    for odd in ["", "-3", "1e400", "nan", "1,2,3", "0x10"] {
        let text = format!("n;ms\n1;0.5\n2;0.5\n3;{odd}\n");
        assert!(
            why(&text, &Asked::default()).starts_with("line 4: "),
            "{odd}"
        );
    }
    let text = "n;ms\n1;0.5\n2\n";
    assert_eq!(
        why(text, &Asked::default()),
        "line 3: it ends before column 2"
    );
    assert_eq!(why("", &Asked::default()), "it is empty");
}

#[test]
fn a_column_is_never_taken_silently() {
    let text = "first ms\tsecond ms\n1\t2\n";
    let said = why(text, &Asked::default());
    assert_eq!(
        said,
        "line 1: several columns may be the duration; name one with --duration: first ms, second ms"
    );
    let chosen = some(text, &asked("", "second ms", None));
    assert_eq!(chosen.cost, [2e6]);
}

#[test]
fn several_series_are_told_apart_by_a_column() {
    let text = "Serializer\tObjects\tTime to serialize in s\n\
                Json\t1\t0.5\nJson\t10\t0.75\nBinary\t1\t0.25\nBinary\t10\t0.5\n";
    let mixed = why(text, &Asked::default());
    assert_eq!(
        mixed,
        "line 1: these are several series: name the column that separates them, as --by \"Serializer\""
    );
    let by = Asked {
        by: Some("serializer".to_owned()),
        ..Asked::default()
    };
    let all = read(text.as_bytes(), &by).expect("they are read");
    let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["Json", "Binary"]);
    assert_eq!(
        (all[1].cost.clone(), all[1].n.clone()),
        (vec![25e7, 5e8], vec![1.0, 10.0])
    );
}

#[test]
fn sizes_in_any_order_are_put_in_order() {
    let read = one("n,ms\n30,3\n10,1\n20,2\n");
    assert_eq!((read.n, read.sorted), (vec![10.0, 20.0, 30.0], true));
    assert_eq!(read.cost, [1e6, 2e6, 3e6]);
}

#[test]
fn damaged_files_do_not_confuse() {
    let whole = "n;took (ms)\n1;0,5\n2;\"0,75\"\n3;1\n".as_bytes();
    for at in 0..whole.len() {
        for byte in [0, 0x22, 0x2c, 0x3b, 0xff, b'9'] {
            let mut odd = whole.to_vec();
            odd[at] = byte;
            // An error or a series, and no panic.
            let _read = read(&odd, &Asked::default());
            let _read = read(&odd[..at], &Asked::default());
        }
    }
}
