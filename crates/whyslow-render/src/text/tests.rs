//! Tables as a person sees them, compared whole.

use std::sync::Arc;

use whyslow_results::{FileInfo, Kind, ResultColumn};

use super::*;

const COLUMNS: [ResultColumn; 6] = [
    ResultColumn::new("process", "process_name", "Process", Kind::Text, "Name.")
        .priority(0)
        .rigid(),
    ResultColumn::new("pid", "os_pid", "PID", Kind::Id, "Id.").priority(3),
    ResultColumn::new("cpu", "cpu_ns", "CPU (precise)", Kind::Duration, "CPU.")
        .priority(0)
        .summed(),
    ResultColumn::new("switches", "switches", "Switches", Kind::Count, "Count.").priority(6),
    ResultColumn::new("start", "start_ns", "Start", Kind::Time, "Start.").priority(4),
    ResultColumn::new(
        "command",
        "command_line",
        "Command line",
        Kind::Text,
        "Line.",
    )
    .priority(0),
];

fn row(name: &str, pid: i64, cpu: Option<i64>, command: &str) -> Vec<Value> {
    vec![
        name.into(),
        pid.into(),
        Value::int(cpu),
        (cpu.unwrap_or(0) / 1_000).into(),
        Value::int(cpu.map(|cpu| cpu / 3)),
        command.into(),
    ]
}

fn table() -> ResultTable {
    let mut table = ResultTable::new("processes", "Processes", &COLUMNS);
    table.files = vec![FileInfo {
        name: Arc::from("one.whyslow"),
        clock: Clock::default(),
    }];
    table.rows = vec![
        row(
            "cc1",
            4711,
            Some(12_345_678_901),
            "cc1 -quiet -O2 src/parser.c -o /tmp/very/long/path/parser.s",
        ),
        row(
            "日本語",
            12,
            Some(0),
            "日本語 --wide 日本語日本語日本語日本語日本語日本語日本語日本語日本語",
        ),
        row("evil\x1b[2J", 13, None, "evil\nname"),
    ];
    table.row_files = vec![0; 3];
    table
}

fn written(table: &ResultTable, width: Option<usize>) -> String {
    let options = TextOptions {
        width,
        ..TextOptions::default()
    };
    let mut out = Vec::new();
    write_text(table, &options, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn check(table: &ResultTable, width: Option<usize>, expected: &[&str]) {
    let text = written(table, width);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines, expected, "\n{text}");
}

#[test]
fn a_pipe_gets_everything_under_one_line_of_headings() {
    let command = "cc1 -quiet -O2 src/parser.c -o /tmp/very/long/path/parser.s";
    check(
        &table(),
        None,
        &[
            "Process       PID  CPU (precise) ms    Switches  Start s  Command line",
            &format!("cc1          4711          12,345.7  12,345,678    4.115  {command}"),
            "日本語         12                 0           0    0.000  日本語 --wide 日本語日本語日本語日本語日本語日本語日本語日本語日本語",
            "evil\\x1b[2J    13                 -           0        -  evil\\nname",
        ],
    );
}

#[test]
fn in_a_pipe_a_very_long_name_pushes_only_its_own_row() {
    let columns = [COLUMNS[5], COLUMNS[1]];
    let mut table = ResultTable::new("cpu", "Methods", &columns);
    let long = "f".repeat(300);
    table.rows = vec![
        vec![long.as_str().into(), 1.into()],
        vec!["main".into(), 2.into()],
    ];
    check(
        &table,
        None,
        &[
            &format!("{:60}  PID", "Command line"),
            &format!("{long}    1"),
            &format!("{:60}    2", "main"),
        ],
    );
}

#[test]
fn eighty_columns() {
    check(
        &table(),
        Some(80),
        &[
            "                            CPU              Start",
            "Process       PID  (precise) ms    Switches      s  Command line",
            "cc1          4711      12,345.7  12,345,678  4.115  cc1 -quiet -O2 src/parser.c…",
            "日本語         12             0           0  0.000  日本語 --wide 日本語日本語…",
            "evil\\x1b[2J    13             -           0      -  evil\\nname",
        ],
    );
}

#[test]
fn fifty_columns_lose_the_least_important() {
    check(
        &table(),
        Some(50),
        &[
            "                      CPU",
            "Process      (precise) ms  Command line",
            "cc1              12,345.7  cc1 -quiet -O2 src/par…",
            "日本語                  0  日本語 --wide 日本語日…",
            "evil\\x1b[2J             -  evil\\nname",
        ],
    );
}

#[test]
fn totals_stand_below_a_rule() {
    let mut table = table();
    table.totals = Some(vec![
        Value::Null,
        Value::Null,
        Value::Int(12_345_678_901),
        Value::Null,
        Value::Null,
        Value::Null,
    ]);
    check(
        &table,
        Some(120),
        &[
            "                            CPU              Start",
            "Process       PID  (precise) ms    Switches      s  Command line",
            "cc1          4711      12,345.7  12,345,678  4.115  cc1 -quiet -O2 src/parser.c -o /tmp/very/long/path/parser.s",
            "日本語         12             0           0  0.000  日本語 --wide 日本語日本語日本語日本語日本語日本語日本語日本語日本語",
            "evil\\x1b[2J    13             -           0      -  evil\\nname",
            "───────────        ────────────",
            "Total                  12,345.7",
        ],
    );
}

#[test]
fn a_tree_is_guided_and_cut_behind_its_guide() {
    let columns = [COLUMNS[2], COLUMNS[5]];
    let mut table = ResultTable::new("stacks", "Stacks", &columns);
    let row = |cpu: i64, name: &str| vec![Value::Int(cpu), name.into()];
    table.rows = vec![
        row(3_000_000, "main"),
        row(3_000_000, "run"),
        row(2_000_000, "parse_a_very_long_name"),
        row(1_000_000, "emit"),
    ];
    table.tree_column = Some(1);
    table.depths = vec![0, 1, 2, 2];
    table.tree_style = TreeStyle::Chains;
    let options = TextOptions {
        width: Some(30),
        ..TextOptions::default()
    };
    let mut out = Vec::new();
    write_text(&table, &options, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "         CPU",
            "(precise) ms  Command line",
            "       3.000  main",
            "       3.000  run",
            "       2.000  ├─ parse_a_very…",
            "       1.000  └─ emit"
        ]
    );
}

#[test]
fn colors_are_only_there_where_they_are_wanted() {
    let options = TextOptions {
        paint: Paint::Colors,
        ..TextOptions::default()
    };
    let mut out = Vec::new();
    write_text(&table(), &options, &mut out).unwrap();
    let styled = String::from_utf8(out).unwrap();
    assert!(styled.starts_with("\x1b[1mProcess"), "{styled}");
    assert!(!written(&table(), None).contains('\x1b'));
}
