//! Extracts come from anywhere: whatever their numbers claim, every question ends without a panic.
//!
//! A flipped bit in a compressed page gives other numbers, not an error. Here every table is made of
//! random ones, mostly small so that ids often hit, now and then absurd.

#![expect(clippy::unwrap_used, reason = "a test may stop")]

use whyslow_model::tables;
use whyslow_model::{
    Capabilities, Capability, Column, ColumnSchema, MemoryTrace, NULL_I32, NULL_I64, System, Table,
    TableSchema,
};
use whyslow_query::answer::{Target, explain};
use whyslow_query::argument::{Argument, ArgumentValue, Takes};
use whyslow_query::questions;
use whyslow_query::selection::View;
use whyslow_query::{
    Arguments, FunctionPattern, NamePattern, Request, RollUps, Selection, TimePoint,
};

const TRACES: u64 = 60;
const MOST_ROWS: u64 = 24;
const ABSURD_I32: [i32; 6] = [-1, -7, NULL_I32 + 1, i32::MAX, i32::MAX - 1, 1 << 24];
const ABSURD_I64: [i64; 6] = [-1, -7, NULL_I64 + 1, i64::MAX, i64::MAX - 1, 1 << 50];
const TEXTS: [&str; 6] = [
    "",
    "main",
    "io_schedule",
    "kernel",
    "elf",
    "\u{1b}[31m\n\u{0}ü",
];

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        let count = u64::try_from(all.len()).unwrap();
        all[usize::try_from(self.below(count)).unwrap()]
    }
}

/// Makes tables in which so many of a hundred numbers are absurd.
struct Maker {
    random: Random,
    absurd: u64,
}

impl Maker {
    fn int(&mut self) -> i64 {
        i64::try_from(self.random.below(MOST_ROWS)).unwrap()
    }

    fn column(&mut self, schema: &ColumnSchema, rows: u64) -> Column {
        let mut column = Column::new(schema.ty);
        for row in 0..rows {
            let is_null = schema.nullable && self.random.below(3) == 0;
            let is_absurd = self.random.below(100) < self.absurd;
            let own_number = schema.name == "id" && !is_absurd;
            let small = if own_number {
                i64::try_from(row).unwrap()
            } else {
                self.int()
            };
            match &mut column {
                Column::I32(values) => values.push(match (is_null, is_absurd) {
                    (true, _) => NULL_I32,
                    (_, true) => self.random.pick(&ABSURD_I32),
                    _ => i32::try_from(small).unwrap(),
                }),
                Column::I64(values) => values.push(match (is_null, is_absurd) {
                    (true, _) => NULL_I64,
                    (_, true) => self.random.pick(&ABSURD_I64),
                    _ => small * 10_000_000,
                }),
                Column::Str(texts) => texts.push((!is_null).then(|| self.random.pick(&TEXTS))),
            }
        }
        column
    }

    fn table(&mut self, schema: &'static TableSchema) -> Table {
        let rows = match schema.name {
            "trace" => 1,
            _ => self.random.below(MOST_ROWS),
        };
        let columns = schema
            .columns
            .iter()
            .map(|column| self.column(column, rows));
        let columns = columns.collect();
        Table { schema, columns }
    }

    /// Now and then a table is missing.
    fn trace(&mut self) -> MemoryTrace {
        let mut trace = MemoryTrace::new("nonsense", Vec::new());
        for &schema in tables::ALL {
            if self.random.below(20) > 0 {
                trace.put(self.table(schema));
            }
        }
        if self.random.below(10) > 0 {
            let mut has = Capabilities::default();
            Capability::ALL
                .iter()
                .for_each(|&capability| has.set(capability));
            trace.put(Table::from_rows(has.rows(System::Linux)));
        }
        trace
    }
}

/// Asks everything, every argument of a question by itself and all of them together; the answers
/// mean nothing, so they are only looked at for their end.
fn ask_everything(view: View<'_>, selection: &Selection) {
    for question in questions::ALL {
        let mut all = Arguments::default();
        let mut ways = vec![all.clone()];
        for argument in question.arguments {
            for value in values(argument) {
                ways.push(Arguments::default().with(argument, value.clone()));
                all.set(argument, value);
            }
        }
        ways.push(all);
        for arguments in &ways {
            let request = Request {
                selection,
                arguments,
                chart_slices: Request::CHART_SLICES,
            };
            let _any = (question.ask)(&[view], &request);
        }
    }
}

/// Returns values to try.
fn values(argument: &Argument) -> Vec<ArgumentValue> {
    match argument.takes {
        Takes::Nothing => vec![ArgumentValue::Given],
        Takes::Choice { choices, .. } => {
            let words = choices.iter().map(|choice| choice.word.to_owned());
            words.map(ArgumentValue::Word).collect()
        }
        Takes::Percent { .. } => vec![ArgumentValue::Percent(0.5)],
        Takes::Count { .. } => vec![ArgumentValue::Count(0), ArgumentValue::Count(5)],
        Takes::Duration => [1, 7_000_000].map(ArgumentValue::DurationNs).into(),
    }
}

#[test]
fn no_numbers_make_a_question_panic() {
    let selections = [
        Selection::default(),
        Selection {
            processes: Some(NamePattern::parse("main;!elf;7")),
            functions: Some(FunctionPattern::parse("*a*")),
            totals: true,
            ..Selection::default()
        },
        Selection {
            threads: Some(NamePattern::parse("*")),
            from: Some(TimePoint::parse("50ms").unwrap()),
            to: Some(TimePoint::parse("150ms").unwrap()),
            idle: true,
            sum: true,
            ..Selection::default()
        },
    ];
    for seed in 1..=TRACES {
        let absurd = [0, 2, 10, 60][usize::try_from(seed % 4).unwrap()];
        let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let trace = Maker { random, absurd }.trace();
        for selection in &selections {
            ask_everything(&trace, selection);
        }
        let _any = RollUps::compute(&trace);
        let target = Target {
            os_pid: Some(i32::try_from(seed % MOST_ROWS).unwrap()),
            ..Target::default()
        };
        let _any = explain(&trace, &target);
    }
}
