//! Methods of .NET: where the runtime put their code, and what their names are.
//!
//! ```text
//! runtime   load ──────────── unload         a method's code is there from .. to
//! rundown   at the start, at the end         … since before the trace; or unknown since when
//! ```
//!
//! The runtime reports a method when it has compiled it. At the start or end of the trace it
//! reports all its methods, compiled then or ahead of time (NGEN, `ReadyToRun`). A method's code
//! becomes a mapping with a function, in generated code of its .NET module. Where an image covers
//! the same address, the address stays with the image. A method reported only at the end counts for
//! the whole trace.
//!
//! Events (source: `ClrEtwAll.man` of the runtime): 143 and 144 load and unload a method, 142
//! unloads one without naming it. In the rundown, 143 comes at the start and 144 at the end. 152
//! loads a module; in the rundown, 153 comes at the start and 154 at the end.

use whyslow_etl::tracelogging::What;
use whyslow_etl::{Descriptor, Guid, Record, Value, providers};
use whyslow_model::FastMap;
use whyslow_settle::{Module, ModuleKind, TextId};

use super::emitter::Emitter;
use crate::error::Error;
use crate::event::{EventKind, Mapping};

/// Microsoft-Windows-DotNETRuntime.
pub(super) const RUNTIME: Guid = Guid::new(
    0xe13c_0d23,
    0xccbc,
    0x4e12,
    [0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4],
);
/// Microsoft-Windows-DotNETRuntimeRundown.
pub(super) const RUNDOWN: Guid = Guid::new(
    0xa669_021c,
    0xc450,
    0x4609,
    [0xa0, 0x35, 0x5a, 0xf5, 0x9a, 0xf4, 0xdf, 0x18],
);
/// Events of the runtime that are used: unload, load and unload of a method, load of a module.
pub(super) const RUNTIME_IDS: &[u16] = &[142, 143, 144, 152];
/// Events of the rundown that are used: methods and modules at its start and end.
pub(super) const RUNDOWN_IDS: &[u16] = &[143, 144, 153, 154];
/// Name used for a method's module where the trace does not name it.
const UNKNOWN_MODULE: &str = "[.net]";
/// Number of fields of an event that are read.
const MOST_FIELDS: usize = 9;

/// Methods and modules of all runtimes.
#[derive(Debug)]
pub(super) struct Clr {
    /// By process and address.
    loaded: FastMap<(u32, u64), Method>,
    unloaded: Vec<((u32, u64), Method)>,
    /// Paths of modules, by process and the runtime's id.
    modules: FastMap<(u32, u64), TextId>,
    most_methods: usize,
    /// Bytes still allowed for names of methods.
    names_left: usize,
}

#[derive(Debug, Clone, Copy)]
struct Method {
    size_bytes: u64,
    name: TextId,
    /// The runtime's id of its module.
    module: u64,
    /// When it was loaded; `None` is unknown, or before the trace.
    from_ns: Option<i64>,
    to_ns: Option<i64>,
    /// When an event first mentioned it.
    seen_ns: i64,
}

impl Clr {
    /// Returns an empty set of at most this many methods, with names of this many bytes.
    pub(super) fn new(most_methods: usize, name_bytes: usize) -> Self {
        Self {
            loaded: FastMap::default(),
            unloaded: Vec::new(),
            modules: FastMap::default(),
            most_methods,
            names_left: name_bytes,
        }
    }

    /// Takes an event of the runtime.
    pub(super) fn runtime(&mut self, record: &Record<'_>, of: &Descriptor, out: &mut Emitter<'_>) {
        let now = out.ns(record.raw_time);
        self.take(record, of, out, |clr, pid, fields, out| match of.id {
            143 => clr.method(pid, fields, (Some(now), now), out),
            152 => clr.module(pid, fields, out),
            _ => clr.unload(pid, fields, now),
        });
    }

    /// Takes an event of the runtime's rundown.
    pub(super) fn rundown(&mut self, record: &Record<'_>, of: &Descriptor, out: &mut Emitter<'_>) {
        let now = out.ns(record.raw_time);
        self.take(record, of, out, |clr, pid, fields, out| match of.id {
            143 | 144 => clr.method(pid, fields, (None, now), out),
            _ => clr.module(pid, fields, out),
        });
    }

    fn take(
        &mut self,
        record: &Record<'_>,
        of: &Descriptor,
        out: &mut Emitter<'_>,
        take: impl Fn(&mut Self, u32, &[Value<'_>], &mut Emitter<'_>) -> Option<()>,
    ) {
        let (Some(pid), Some(schema)) = (record.process_id(), providers::schema(of)) else {
            return;
        };
        let items = schema.items(record.payload(), record.pointer_size());
        let values = items.filter_map(|item| match item.what {
            What::Value(value) => Some(value),
            _ => None,
        });
        let fields: Vec<_> = values.take(MOST_FIELDS).collect();
        if take(self, pid, &fields, out).is_none() {
            out.bad(record, "a method or module of .NET");
        }
    }

    fn method(
        &mut self,
        pid: u32,
        fields: &[Value<'_>],
        (from_ns, seen_ns): (Option<i64>, i64),
        out: &mut Emitter<'_>,
    ) -> Option<()> {
        let number = |at: usize| fields.get(at)?.as_u64();
        let (module, start, size_bytes) = (number(1)?, number(2)?, number(3)?);
        let key = (pid, start);
        let is_known = self.loaded.get(&key);
        if is_known.is_some_and(|known| known.size_bytes == size_bytes && from_ns.is_none()) {
            return Some(());
        }
        let name = full_name(fields.get(6..9)?);
        let is_full = self.loaded.len() + self.unloaded.len() >= self.most_methods;
        if is_full || self.names_left < name.len() {
            out.refuse("methods of .NET left out: too many");
            return Some(());
        }
        self.names_left -= name.len();
        let Some(name) = out.any_text(&name) else {
            return Some(());
        };
        let method = Method {
            size_bytes,
            name,
            module,
            from_ns,
            to_ns: None,
            seen_ns,
        };
        if let Some(gone) = self.loaded.insert(key, method) {
            self.end(key, gone, seen_ns);
        }
        Some(())
    }

    fn unload(&mut self, pid: u32, fields: &[Value<'_>], now: i64) -> Option<()> {
        let key = (pid, fields.get(2)?.as_u64()?);
        if let Some(gone) = self.loaded.remove(&key) {
            self.end(key, gone, now);
        }
        Some(())
    }

    fn end(&mut self, key: (u32, u64), method: Method, now: i64) {
        let to_ns = Some(now);
        self.unloaded.push((key, Method { to_ns, ..method }));
    }

    fn module(&mut self, pid: u32, fields: &[Value<'_>], out: &mut Emitter<'_>) -> Option<()> {
        let id = fields.first()?.as_u64()?;
        let [il, native] = [4, 5].map(|at| fields.get(at).map(ToString::to_string));
        let path = il?;
        let path = if path.is_empty() { native? } else { path };
        let known = self.modules.len();
        if path.is_empty() || known >= self.most_methods {
            return Some(());
        }
        if let Some(path) = out.text(&path) {
            self.modules.entry((pid, id)).or_insert(path);
        }
        Some(())
    }

    /// Emits where the code of all methods was.
    pub(super) fn finish(&mut self, out: &mut Emitter<'_>) -> Result<(), Error> {
        let mut all = std::mem::take(&mut self.unloaded);
        all.extend(self.loaded.drain());
        all.sort_unstable_by_key(|&(key, method)| (method.seen_ns, key));
        for ((pid, base), method) in all {
            let path = self.modules.get(&(pid, method.module)).copied();
            let Some(path) = path.or_else(|| out.text(UNKNOWN_MODULE)) else {
                continue;
            };
            let Some(module) = out.module(Module::new(path, ModuleKind::Jit)) else {
                continue;
            };
            let mapping = Mapping {
                pid: Some(pid),
                module,
                base,
                size_bytes: method.size_bytes,
                file_offset: 0,
                from_ns: method.from_ns,
                to_ns: method.to_ns,
                function: Some(method.name),
            };
            out.hand_on_late(method.seen_ns, EventKind::Mapping(mapping))?;
        }
        Ok(())
    }
}

/// Builds a method's name from its type's name with the namespace, its own name, and the parameters
/// of its signature: `System.String.Concat(System.String,System.String)`.
fn full_name(parts: &[Value<'_>]) -> String {
    let [of, name, signature] = [0, 1, 2].map(|at| parts.get(at).map(ToString::to_string));
    let of = of.unwrap_or_default();
    let name = name.unwrap_or_default();
    let signature = signature.unwrap_or_default();
    let parameters = signature
        .find('(')
        .map_or("", |at| signature.split_at(at).1);
    // Readers do not need to know whether a parameter is a class or a value type.
    let parameters = parameters.replace("class ", "").replace("value ", "");
    let dot = if of.is_empty() { "" } else { "." };
    format!("{of}{dot}{name}{parameters}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyslow_etl::Utf16;

    #[test]
    fn a_name_has_the_type_and_the_parameters() {
        let check = |parts: [&str; 3], wanted: &str| {
            let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let parts: [Vec<u8>; 3] = parts.map(wide);
            let parts = [0, 1, 2].map(|at: usize| Value::Utf16(Utf16::new(&parts[at])));
            assert_eq!(full_name(&parts), wanted);
        };
        let concat = "class System.String  (class System.String,value class Test.Point)";
        check(
            ["System.String", "Concat", concat],
            "System.String.Concat(System.String,Test.Point)",
        );
        check(["", "IL_STUB_PInvoke", "void  ()"], "IL_STUB_PInvoke()");
        check(["Test.Program", "Main", ""], "Test.Program.Main");
    }
}
