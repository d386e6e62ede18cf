//! How tables and capabilities are described: `table!` makes row, schema and places from one list
//! of fields; `raw_tables!` and `capabilities!` make the enumerations.

macro_rules! table {
    (#[doc = $doc:literal] $row:ident $schema:ident $name:literal $layer:ident $(since $since:literal)? {
        $(#[doc = $cdoc:literal] $field:ident: $ty:ty $(= $codes:ty)?,)*
    }) => {
        #[doc = $doc]
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $row { $(#[doc = $cdoc] pub $field: $ty,)* }

        #[doc = concat!("Schema of `", $name, "`:", $doc)]
        pub static $schema: TableSchema = TableSchema {
            name: $name,
            doc: $doc,
            layer: Layer::$layer,
            since: first_version!($($since)?),
            columns: &[$(ColumnSchema {
                name: stringify!($field),
                ty: <$ty as Field>::TYPE,
                nullable: <$ty as Field>::NULLABLE,
                doc: $cdoc,
                refers_to: <$ty as Field>::REFERS_TO,
                codes: spelled_codes!($($codes)?),
            },)*],
        };

        const _: () = {
            #[expect(non_camel_case_types, reason = "the fields, in order")]
            enum At { $($field,)* End }

            #[expect(non_upper_case_globals, reason = "a place is called as its field is")]
            impl $row {
                $(#[doc = $cdoc] pub const $field: Place<Self, $ty> = Place::new(At::$field as usize);)*
            }

            impl Width for $row {
                const WIDTH: usize = At::End as usize;
            }
        };

        impl TableRow for $row {
            const SCHEMA: &'static TableSchema = &$schema;

            type Cells = [i64; <Self as Width>::WIDTH];

            fn nulls() -> Self::Cells {
                [NULL_I64; <Self as Width>::WIDTH]
            }

            fn append(self, columns: &mut [Column]) {
                let mut columns = columns.iter_mut();
                $(if let Some(column) = columns.next() { self.$field.append(column); })*
            }

            fn at(columns: &[Column], row: usize) -> Self {
                let mut columns = columns.iter();
                static EMPTY: Column = Column::I32(Vec::new());
                Self { $($field: <$ty as Field>::at(columns.next().unwrap_or(&EMPTY), row),)* }
            }
        }
    };
}

macro_rules! first_version {
    () => {
        1
    };
    ($version:literal) => {
        $version
    };
}

macro_rules! spelled_codes {
    () => {
        None
    };
    ($codes:ty) => {
        Some(codes::spelled::<$codes>)
    };
}

macro_rules! raw_tables {
    ($($variant:ident $row:ident,)*) => {
        /// A table whose rows go through the sink.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum RawTable { $(#[doc = concat!("Rows of [`", stringify!($row), "`].")] $variant,)* }

        impl RawTable {
            /// Every raw table; the position is that of [`RawTable::index`].
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the table's schema.
            pub fn schema(self) -> &'static TableSchema {
                match self { $(Self::$variant => <$row as TableRow>::SCHEMA,)* }
            }
        }

        /// The schemas of the raw tables.
        pub(super) const RAW: &[&TableSchema] = &[$(<$row as TableRow>::SCHEMA,)*];

        $(impl RawTableRow for $row {
            const TABLE: RawTable = RawTable::$variant;
        })*
    };
}

macro_rules! capabilities {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $how:literal,)*) => {
        /// A kind of data a recording may hold.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Capability { $($(#[doc = $doc])* $variant,)* }

        impl Capability {
            /// Every capability.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the name, as in the `capability` table.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns how to record it on a system, in one sentence.
            pub fn how_to_record(self, on: System) -> &'static str {
                match (on, self) {
                    (System::Windows, _) => {
                        "record by the commands that `whyslow record --print-windows` prints"
                    }
                    $((System::Linux, Self::$variant) => $how,)*
                }
            }
        }
    };
}
