//! `lab law`: the law of numbers that others measured.

use crate::harness::Place;
use crate::lab::column;

/// Returns a table of `count` rows as a Windows spreadsheet writes it: semicolons, decimal commas, a byte order mark.
fn table(count: u32) -> String {
    let mut text = "\u{feff}Datei;Dauer (ms);Größe\r\n".to_owned();
    for n in 1..=count {
        let us = 31 * n + n * 7_919 % 13;
        text += &format!("{n};{},{:03};0\r\n", us / 1_000, us % 1_000);
    }
    text
}

#[test]
fn a_table_from_elsewhere_gets_a_law() {
    let place = Place::new();
    place.write("times.csv", table(3_000).as_bytes());
    let said = place.run(&["lab", "law", "times.csv", "--n", "datei"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(
        said.sentences().contains("grows linearly with n"),
        "{said:#?}"
    );
    let wide: Vec<u8> = table(3_000)
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    place.write("wide.csv", &wide);
    let again = place.run(&["lab", "law", "wide.csv", "--n", "datei"]);
    assert_eq!(said.out, again.out);
    let args = ["lab", "law", "times.csv", "--n", "datei", "--format", "csv"];
    assert_eq!(column(&place.run(&args), "law"), ["growth"]);
}

#[test]
fn what_cannot_be_read_is_said_with_its_line() {
    let place = Place::new();
    place.write("bare.log", b"1\n2\n3\n");
    let unit = "whyslow: cannot read bare.log: line 1: the durations have no unit";
    place
        .run(&["lab", "law", "bare.log"])
        .fails(3, &[unit, "hint: "]);
    place.write("odd.log", b"1\n2\nslow\n4\n");
    let odd = "whyslow: cannot read odd.log: line 3: \"slow\" in column 1 is not a number";
    place
        .run(&["lab", "law", "odd.log", "--unit", "ms"])
        .fails(3, &[odd, "hint: "]);
    place
        .run(&["lab", "law"])
        .fails(2, &["whyslow: the file is missing", "hint: "]);
    place.run(&["lab", "create", "--unit", "ms"]).fails(
        2,
        &["whyslow: --n, --duration, --unit and --by belong to lab law"],
    );
    let count = place.run(&["lab", "law", "bare.log", "--unit", "count"]);
    assert_eq!(count.code, Some(0), "{count:#?}");
}
