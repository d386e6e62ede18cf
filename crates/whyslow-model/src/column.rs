//! Columns in memory: plain arrays, one value per row, null as a reserved value.
//!
//! Kernels run over these arrays without a branch per type. Null is [`NULL_I32`], [`NULL_I64`] or a
//! negative dictionary key; on disk it is a real null.

use std::collections::HashMap;
use std::sync::Arc;

use crate::schema::ColumnType;

/// The value that means null in an `i32` column.
pub const NULL_I32: i32 = i32::MIN;

/// The value that means null in an `i64` column.
pub const NULL_I64: i64 = i64::MIN;

/// A column's values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    /// 32-bit integers; null is [`NULL_I32`].
    I32(Vec<i32>),
    /// 64-bit integers; null is [`NULL_I64`].
    I64(Vec<i64>),
    /// Strings through a dictionary.
    Str(StrColumn),
}

impl Column {
    /// Returns an empty column of type `ty`.
    pub fn new(ty: ColumnType) -> Self {
        match ty {
            ColumnType::I32 => Self::I32(Vec::new()),
            ColumnType::I64 => Self::I64(Vec::new()),
            ColumnType::Str => Self::Str(StrColumn::default()),
        }
    }

    /// Returns a column of `rows` nulls, for a column that an older file lacks.
    pub fn nulls(ty: ColumnType, rows: usize) -> Self {
        match ty {
            ColumnType::I32 => Self::I32(vec![NULL_I32; rows]),
            ColumnType::I64 => Self::I64(vec![NULL_I64; rows]),
            ColumnType::Str => Self::Str(StrColumn {
                keys: vec![-1; rows],
                ..StrColumn::default()
            }),
        }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::I32(v) => v.len(),
            Self::I64(v) => v.len(),
            Self::Str(v) => v.keys.len(),
        }
    }

    /// Returns whether the column has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the values of the rows with these numbers; numbers beyond the end are left out.
    #[must_use]
    pub fn pick(&self, rows: &[u32]) -> Self {
        fn of<T: Copy>(values: &[T], rows: &[u32]) -> Vec<T> {
            let rows = rows.iter();
            rows.filter_map(|&row| values.get(row as usize).copied())
                .collect()
        }
        match self {
            Self::I32(values) => Self::I32(of(values, rows)),
            Self::I64(values) => Self::I64(of(values, rows)),
            Self::Str(texts) => {
                let mut picked = StrColumn::default();
                let rows = rows.iter().map(|&row| row as usize);
                rows.filter(|&row| row < texts.keys.len())
                    .for_each(|row| picked.push(texts.get(row)));
                Self::Str(picked)
            }
        }
    }

    /// Makes room for more rows.
    pub fn reserve(&mut self, rows: usize) {
        match self {
            Self::I32(values) => values.reserve(rows),
            Self::I64(values) => values.reserve(rows),
            Self::Str(texts) => texts.keys.reserve(rows),
        }
    }

    /// Returns the column's type.
    pub fn column_type(&self) -> ColumnType {
        match self {
            Self::I32(_) => ColumnType::I32,
            Self::I64(_) => ColumnType::I64,
            Self::Str(_) => ColumnType::Str,
        }
    }

    /// Returns the values as `i32`, or an empty slice if the column has another type.
    pub fn as_i32(&self) -> &[i32] {
        match self {
            Self::I32(v) => v,
            _ => &[],
        }
    }

    /// Returns the values as `i64`, or an empty slice if the column has another type.
    pub fn as_i64(&self) -> &[i64] {
        match self {
            Self::I64(v) => v,
            _ => &[],
        }
    }

    /// Returns the text of `row`, or `None` if it is null or the column has another type.
    pub fn text(&self, row: usize) -> Option<&str> {
        match self {
            Self::Str(v) => v.get(row),
            _ => None,
        }
    }

    /// Returns the integer of `row` widened to `i64`, or `None` for null or text.
    pub fn int(&self, row: usize) -> Option<i64> {
        match self {
            Self::I32(v) => v.get(row).filter(|&&v| v != NULL_I32).map(|&v| v.into()),
            Self::I64(v) => v.get(row).filter(|&&v| v != NULL_I64).copied(),
            Self::Str(_) => None,
        }
    }
}

/// A string column: one key per row into a dictionary of distinct texts.
#[derive(Debug, Clone, Default)]
pub struct StrColumn {
    /// Index into [`StrColumn::dictionary`] per row; negative is null.
    pub keys: Vec<i32>,
    /// The distinct texts, in order of first use.
    pub dictionary: Vec<Arc<str>>,
    index: HashMap<Arc<str>, i32>,
}

impl StrColumn {
    /// Returns a column from keys and a dictionary, as a reader gets them.
    ///
    /// A key outside the dictionary reads as null.
    pub fn from_parts(keys: Vec<i32>, dictionary: Vec<Arc<str>>) -> Self {
        Self {
            keys,
            dictionary,
            index: HashMap::new(),
        }
    }

    /// Appends a row.
    pub fn push(&mut self, text: Option<&str>) {
        let key = text.map_or(-1, |text| self.intern(text));
        self.keys.push(key);
    }

    /// Returns the key of `text`, adding it to the dictionary if it is new.
    pub fn intern(&mut self, text: &str) -> i32 {
        if self.index.len() != self.dictionary.len() {
            let keys = (0..).zip(&self.dictionary);
            self.index = keys.map(|(key, text)| (Arc::clone(text), key)).collect();
        }
        if let Some(&key) = self.index.get(text) {
            return key;
        }
        let key = i32::try_from(self.dictionary.len()).unwrap_or(-1);
        let text: Arc<str> = text.into();
        self.dictionary.push(Arc::clone(&text));
        self.index.insert(text, key);
        key
    }

    /// Returns the text of `row`, or `None` for null.
    pub fn get(&self, row: usize) -> Option<&str> {
        let key = usize::try_from(*self.keys.get(row)?).ok()?;
        self.dictionary.get(key).map(AsRef::as_ref)
    }

    /// Returns the text of `row` as a shared string, or `None` for null.
    pub fn shared(&self, row: usize) -> Option<Arc<str>> {
        let key = usize::try_from(*self.keys.get(row)?).ok()?;
        self.dictionary.get(key).map(Arc::clone)
    }
}

impl PartialEq for StrColumn {
    fn eq(&self, other: &Self) -> bool {
        let same = |row| self.get(row) == other.get(row);
        self.keys.len() == other.keys.len() && (0..self.keys.len()).all(same)
    }
}

impl Eq for StrColumn {}
