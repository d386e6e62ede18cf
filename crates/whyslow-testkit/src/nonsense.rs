//! Tables of random numbers: mostly small, so that ids often match, and occasionally absurd, as a
//! flipped bit in a compressed page of an extract would make them.

use whyslow_model::{
    Capabilities, Capability, Column, ColumnSchema, MemoryTrace, NULL_I32, NULL_I64, System, Table,
    TableSchema, tables,
};

use crate::random::Random;

const MOST_ROWS: usize = 24;
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

/// Makes tables in which this many of a hundred numbers are absurd.
struct Maker {
    random: Random,
    absurd: usize,
}

impl Maker {
    fn int(&mut self) -> i64 {
        i64::try_from(self.random.below(MOST_ROWS)).unwrap()
    }

    fn column(&mut self, schema: &ColumnSchema, rows: usize) -> Column {
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
                    (_, true) => pick(&mut self.random, &ABSURD_I32),
                    _ => i32::try_from(small).unwrap(),
                }),
                Column::I64(values) => values.push(match (is_null, is_absurd) {
                    (true, _) => NULL_I64,
                    (_, true) => pick(&mut self.random, &ABSURD_I64),
                    _ => small * 10_000_000,
                }),
                Column::Str(texts) => {
                    texts.push((!is_null).then(|| pick(&mut self.random, &TEXTS)));
                }
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

    /// Occasionally leaves out a table.
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

fn pick<T: Copy>(random: &mut Random, all: &[T]) -> T {
    all[random.below(all.len())]
}

/// Returns a trace in which `absurd` of a hundred numbers are absurd.
pub fn nonsense(random: Random, absurd: usize) -> MemoryTrace {
    Maker { random, absurd }.trace()
}

/// Puts nonsense into a table: ids that refer to nothing, circles, times before everything. Without
/// `columns`, in all columns.
pub fn damage(table: &mut Table, random: &mut Random, columns: &[&str]) {
    let schema = table.schema;
    for (column, described) in table.columns.iter_mut().zip(schema.columns) {
        if !columns.is_empty() && !columns.contains(&described.name) {
            continue;
        }
        let far = 1_i64 << 50;
        let wild = [0, 1, 2, -1, -2, 7, far, -far, NULL_I64];
        let small = [0, 1, 2, 3, -1, -7, i32::MAX, NULL_I32];
        let rows = column.len();
        for _ in 0..rows.min(4) {
            let at = random.below(rows);
            let n = random.below(8);
            match column {
                Column::I32(values) => values[at] = small[n],
                Column::I64(values) => values[at] = wild[n],
                Column::Str(texts) => texts.keys[at] = small[n],
            }
        }
    }
}
