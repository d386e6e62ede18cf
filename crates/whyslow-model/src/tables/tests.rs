//! The descriptions are consistent: names are unique, and rows survive conversion to columns and
//! back.

use std::collections::HashSet;

use super::*;
use crate::codes::Named;
use crate::table::Table;

#[test]
fn names_are_unique_and_every_column_is_documented() {
    let names: HashSet<_> = ALL.iter().map(|schema| schema.name).collect();
    assert_eq!(names.len(), ALL.len());
    for schema in ALL {
        let columns: HashSet<_> = schema.columns.iter().map(|c| c.name).collect();
        assert_eq!(columns.len(), schema.columns.len(), "{}", schema.name);
        for column in schema.columns {
            assert!(
                column.doc.trim().ends_with('.'),
                "{}.{}",
                schema.name,
                column.name
            );
        }
    }
}

#[test]
fn rows_come_back_as_they_went_in() {
    let row = |id: i32, address: Option<i32>| StackRow {
        id: StackId(id),
        parent: StackId::from_column(id - 1),
        address: address.map(AddressId),
        kind: 1,
        end: None,
    };
    let rows = vec![row(0, Some(7)), row(1, None)];
    let table = Table::from_rows(rows.clone());
    assert_eq!(table.len(), 2);
    assert_eq!(table.rows::<StackRow>().collect::<Vec<_>>(), rows);
}

#[test]
fn text_columns_share_their_texts() {
    let fact = |key: &str| FactRow {
        subject: "machine".to_owned(),
        key: key.to_owned(),
        value: String::new(),
    };
    let table = Table::from_rows([fact("a"), fact("b")]);
    let Column::Str(subject) = table.column("subject") else {
        panic!("subject is text");
    };
    assert_eq!(subject.dictionary.len(), 1);
    assert_eq!(table.column("key").text(1), Some("b"));
}

#[test]
fn codes_are_unique_within_their_column() {
    let rows = codes();
    let keys: HashSet<_> = rows.iter().map(|r| (&r.table, &r.column, r.code)).collect();
    assert_eq!(keys.len(), rows.len());
    assert_eq!(ThreadState::from_code(3), Some(ThreadState::Waiting));
    assert_eq!(ThreadState::Waiting.name(), "waiting");
}

#[test]
fn every_raw_table_goes_through_the_sink() {
    let raw = ALL.iter().filter(|schema| schema.layer == Layer::Raw);
    let raw: Vec<_> = raw.map(|schema| schema.name).collect();
    let listed: Vec<_> = RawTable::ALL.iter().map(|raw| raw.schema().name).collect();
    assert_eq!(raw, listed);
    for (index, raw) in RawTable::ALL.iter().enumerate() {
        assert_eq!(raw.index(), index);
    }
}
