//! Handles of kernel objects (group 17).

use crate::bytes::Bytes;

/// A handle of an object of a type is opened or closed (opcodes 32 and 33); some systems add the
/// object's name.
pub fn handle(wide: bool, (object, handle): (u64, u32), kind: u16, name: Option<&str>) -> Vec<u8> {
    let out = Bytes::default().pointer(wide, object);
    let out = out.u32(handle).u16(kind);
    match name {
        Some(name) => out.utf16(name).0,
        None => out.0,
    }
}

/// A handle is duplicated (opcode 34): from a handle of a process to one of another.
pub fn duplicate(
    wide: bool,
    object: u64,
    (from, from_pid): (u32, u32),
    (to, to_pid): (u32, u32),
    kind: u16,
) -> Vec<u8> {
    let out = Bytes::default().pointer(wide, object);
    let out = out.u32(from).u32(to).u32(to_pid);
    out.u16(kind).u32(from_pid).0
}

/// A handle in a list of all (opcodes 38 and 39).
pub fn listed(
    wide: bool,
    (object, handle): (u64, u32),
    pid: u32,
    kind: u16,
    name: &str,
) -> Vec<u8> {
    let out = Bytes::default().pointer(wide, object);
    out.u32(pid).u32(handle).u16(kind).utf16(name).0
}

/// A type in a list of all (opcodes 36 and 37).
pub fn object_type(kind: u16, name: &str) -> Vec<u8> {
    Bytes::default().u16(kind).u16(0).utf16(name).0
}
