//! The meaning of addresses: the functions of every address, innermost first.
//!
//! Functions are numbered by name and module *name*: two addresses of one function are one
//! function, wherever the module is loaded. Code without a name is a function too, so that sums are
//! complete: `[unresolved] libfoo.so (no symbols)`, `[user half not recorded]`,
//! `[stack not recorded]`.

use std::collections::BTreeSet;
use std::sync::Arc;

use whyslow_model::tables::{AddressRow, ModuleRow, SymbolRow};
use whyslow_model::{AddressId, Column, ModuleId, NULL_I32, Table, tables};

use crate::error::QueryError;
use crate::language::Language;
use crate::view::View;
use whyslow_model::FastMap;

/// Number of a function in [`Frames`].
pub type FunctionId = u32;

/// Name of the placeholder for a user half that was not recorded.
pub const NO_USER_HALF: &str = "[user half not recorded]";
/// Name of the placeholder for a stack that was not recorded.
pub const NO_STACK: &str = "[stack not recorded]";

/// A function, or a placeholder for one.
#[derive(Debug, Clone)]
pub struct Function {
    /// The name.
    pub name: Arc<str>,
    /// Name of the module; empty if there is none.
    pub module: Arc<str>,
    /// Whether it is a real function.
    pub resolved: bool,
    /// Its language; `None` for a placeholder of something not recorded.
    pub language: Option<Language>,
}

/// The functions of a trace and of each of its addresses.
#[derive(Debug)]
pub struct Frames {
    /// The functions.
    pub functions: Vec<Function>,
    starts: Vec<u32>,
    list: Vec<FunctionId>,
    /// The placeholder for a missing stack.
    pub no_stack: FunctionId,
    /// The placeholder for a missing user half.
    pub no_user_half: FunctionId,
}

impl Frames {
    /// Reads the symbol layer of `view`.
    pub fn read(view: View<'_>) -> Result<Self, QueryError> {
        let addresses = view.read(&tables::ADDRESS, &[AddressRow::module.name()])?;
        let modules = view.read(
            &tables::MODULE,
            &[ModuleRow::name.name(), ModuleRow::kind.name()],
        )?;
        let symbols = view.read(
            &tables::SYMBOL,
            &[
                SymbolRow::address.name(),
                SymbolRow::depth.name(),
                SymbolRow::function.name(),
                SymbolRow::reason.name(),
            ],
        )?;
        let mut names = Names::new(&modules);
        let rows = in_order(&symbols);
        let mut rows = rows.into_iter().peekable();
        let (mut starts, mut list) = (vec![0], Vec::new());
        let in_modules = AddressRow::module.values(&addresses);
        for (address, module) in AddressId::all().zip(in_modules.iter()) {
            let before = list.len();
            while let Some(&(of, row)) = rows.peek() {
                if of > address {
                    break;
                }
                rows.next();
                if of == address {
                    list.push(names.of_row(module, &symbols, row));
                }
            }
            if list.len() == before {
                list.push(names.unresolved(module, "not symbolized", -2));
            }
            starts.push(u32::try_from(list.len()).unwrap_or(u32::MAX));
        }
        find_go(&mut names.functions);
        let no_stack = names.marker(NO_STACK);
        let no_user_half = names.marker(NO_USER_HALF);
        Ok(Self {
            functions: names.functions,
            starts,
            list,
            no_stack,
            no_user_half,
        })
    }

    /// Returns the number of addresses.
    pub fn addresses(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Returns the functions of `address`, innermost first; none for an unknown address.
    pub fn of_address(&self, address: AddressId) -> &[FunctionId] {
        let at = address.index().min(usize::MAX - 1);
        let bounds = self.starts.get(at).zip(self.starts.get(at + 1));
        let range = bounds.map(|(&from, &to)| from as usize..to as usize);
        range.and_then(|range| self.list.get(range)).unwrap_or(&[])
    }

    /// Returns a function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id as usize]
    }
}

/// Returns `(address, row)` of every symbol row by address and depth.
fn in_order(symbols: &Table) -> Vec<(AddressId, usize)> {
    let addresses = SymbolRow::address.values(symbols);
    let depths = SymbolRow::depth.values(symbols);
    let keys = addresses.iter().zip(depths.iter()).enumerate();
    let mut rows: Vec<_> = keys.map(|(row, (a, d))| (a, d, row)).collect();
    if !rows.is_sorted() {
        rows.sort_unstable();
    }
    rows.into_iter()
        .map(|(address, _, row)| (address, row))
        .collect()
}

/// Finds the functions of Go: those in modules that contain its runtime.
fn find_go(functions: &mut [Function]) {
    let native = |function: &&Function| function.language == Some(Language::Native);
    let runtime = functions.iter().filter(native);
    let runtime = runtime.filter(|function| Language::is_runtime_of_go(&function.name));
    let modules: BTreeSet<Arc<str>> = runtime.map(|one| Arc::clone(&one.module)).collect();
    for function in functions {
        let is_native = function.language == Some(Language::Native);
        if is_native && modules.contains(&function.module) && Language::is_go(&function.name) {
            function.language = Some(Language::Go);
        }
    }
}

/// Assigns function ids.
struct Names<'a> {
    modules: &'a Table,
    functions: Vec<Function>,
    /// By two keys: that of the function's text (or, negative, of the reason's) and that of the
    /// module's name.
    ids: FastMap<u64, FunctionId>,
    empty: Arc<str>,
}

impl<'a> Names<'a> {
    fn new(modules: &'a Table) -> Self {
        Self {
            modules,
            functions: Vec::new(),
            ids: FastMap::default(),
            empty: "".into(),
        }
    }

    /// Returns the key and the name of a module; -1 and no name if there is none.
    fn module(&self, module: Option<ModuleId>) -> (i32, Option<Arc<str>>) {
        let row = module.map(ModuleId::index);
        let Column::Str(names) = ModuleRow::name.column(self.modules) else {
            return (-1, None);
        };
        let key = row.and_then(|row| names.keys.get(row)).copied();
        (key.unwrap_or(-1), row.and_then(|row| names.shared(row)))
    }

    /// Returns the language of the functions in a module.
    fn language(&self, module: Option<ModuleId>) -> Option<Language> {
        let kinds = ModuleRow::kind.column(self.modules);
        let kind = module.and_then(|module| kinds.text(module.index()));
        Some(Language::of_kind(kind.unwrap_or_default()))
    }

    fn of_row(&mut self, module: Option<ModuleId>, symbols: &Table, row: usize) -> FunctionId {
        let Column::Str(functions) = SymbolRow::function.column(symbols) else {
            return self.unresolved(module, "not symbolized", -2);
        };
        let key = functions.keys.get(row).copied().unwrap_or(-1);
        if key < 0 {
            let reason = SymbolRow::reason.column(symbols);
            let text = reason.text(row).unwrap_or("unknown reason");
            let key = match reason {
                Column::Str(reasons) => reasons.keys.get(row).copied().unwrap_or(-1),
                _ => -1,
            };
            return self.unresolved(
                module,
                text,
                key.max(-1).saturating_add(10).saturating_neg(),
            );
        }
        let language = self.language(module);
        let (module_key, module) = self.module(module);
        let packed = pack(key, module_key);
        if let Some(&id) = self.ids.get(&packed) {
            return id;
        }
        let name = functions
            .shared(row)
            .unwrap_or_else(|| Arc::clone(&self.empty));
        self.add(packed, name, (module, language), true)
    }

    /// Returns the placeholder for addresses of `module` that have no name for `reason`; the
    /// reason's key is a negative number.
    fn unresolved(
        &mut self,
        module: Option<ModuleId>,
        reason: &str,
        reason_key: i32,
    ) -> FunctionId {
        let language = self.language(module);
        let (module_key, module) = self.module(module);
        let packed = pack(reason_key, module_key);
        if let Some(&id) = self.ids.get(&packed) {
            return id;
        }
        let name = match &module {
            Some(module) => format!("[unresolved] {module} ({reason})"),
            None => format!("[unresolved] ({reason})"),
        };
        self.add(packed, name.into(), (module, language), false)
    }

    fn marker(&mut self, name: &str) -> FunctionId {
        let key = pack(NULL_I32, i32::try_from(self.functions.len()).unwrap_or(-1));
        self.add(key, name.into(), (None, None), false)
    }

    fn add(
        &mut self,
        key: u64,
        name: Arc<str>,
        (module, language): (Option<Arc<str>>, Option<Language>),
        resolved: bool,
    ) -> FunctionId {
        let id = FunctionId::try_from(self.functions.len()).unwrap_or(FunctionId::MAX);
        self.functions.push(Function {
            name,
            module: module.unwrap_or_else(|| Arc::clone(&self.empty)),
            resolved,
            language,
        });
        self.ids.insert(key, id);
        id
    }
}

fn pack(text: i32, module: i32) -> u64 {
    u64::from(text.cast_unsigned()) << 32 | u64::from(module.cast_unsigned())
}
