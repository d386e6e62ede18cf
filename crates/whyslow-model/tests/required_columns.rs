//! Extracts that exist have the columns that their version had.

use whyslow_model::tables;

/// The columns that a file must have, or it is taken for damaged: `table: column column …`, as extracts have them
/// since the version with the table.
const REQUIRED: &str = include_str!("required_columns.txt");

#[test]
fn a_column_that_is_added_to_a_table_may_be_null() {
    let lines = tables::ALL.iter().map(|table| {
        let columns = table.columns.iter().filter(|column| !column.nullable);
        let names: Vec<&str> = columns.map(|column| column.name).collect();
        format!("{}: {}\n", table.name, names.join(" "))
    });
    let found: String = lines.collect();
    assert_eq!(
        found, REQUIRED,
        "an older extract lacks a new column, so make it an Option; list the columns of a new table in the file"
    );
}
