"""A library for an office: one module for each form."""
MODULE = '''//! Form {number}.
use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Form{number} {{
    pub fields: BTreeMap<String, u64>,
    pub pages: Vec<String>,
}}

impl Form{number} {{
    pub fn fill(&mut self, name: &str, value: u64) -> Option<u64> {{
        self.pages.push(format!("{{name}} is {{value}}"));
        self.fields.insert(name.to_owned(), value * {number} + 1)
    }}

    pub fn sum(&self) -> u64 {{
        self.fields.values().filter(|value| *value % {odd} != 0).map(|value| value * 3).sum()
    }}
}}

impl fmt::Display for Form{number} {{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {{
        let mut pages = self.pages.clone();
        pages.sort_by_key(|page| page.len());
        for page in &pages {{
            writeln!(f, "{{page:>40}}")?;
        }}
        write!(f, "{{}}", self.sum())
    }}
}}
'''

with open("lib.rs", "w") as lib:
    for number in range(16):
        lib.write(f"pub mod form{number};\n")
        with open(f"form{number}.rs", "w") as module:
            module.write(MODULE.format(number=number, odd=number + 2))
