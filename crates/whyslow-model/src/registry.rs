//! The registry of Windows: what its events say was done, and the names of keys.

use crate::tables::windows::RegistryOperation;

/// Returns what an event of the registry says that was done, by its opcode; `None` for those that name keys.
#[must_use]
pub fn operation(opcode: u8) -> Option<RegistryOperation> {
    use RegistryOperation as Does;
    Some(match opcode {
        10 => Does::Create,
        11 => Does::Open,
        12 => Does::Delete,
        13 => Does::Query,
        14 => Does::SetValue,
        15 => Does::DeleteValue,
        16 => Does::QueryValue,
        17 => Does::ListKeys,
        18 => Does::ListValues,
        19 => Does::QueryValues,
        20 => Does::Change,
        21 => Does::Flush,
        26 => Does::Virtualize,
        27 => Does::Close,
        28 => Does::SetSecurity,
        29 => Does::QuerySecurity,
        _ => return None,
    })
}

/// Returns the name of a key as people write it, with `HKLM` and `HKU`, from the kernel's form.
#[must_use]
pub fn key(name: &str) -> String {
    const ROOTS: [(&str, &str); 2] = [(r"\REGISTRY\MACHINE", "HKLM"), (r"\REGISTRY\USER", "HKU")];
    let short = ROOTS.iter().find_map(|(root, short)| {
        let (begin, rest) = name.split_at_checked(root.len())?;
        let ends = rest.is_empty() || rest.starts_with('\\');
        let is_it = begin.eq_ignore_ascii_case(root) && ends;
        is_it.then(|| format!("{short}{rest}"))
    });
    short.unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn keys_of_the_registry_have_short_roots() {
        let keys = [
            r"\REGISTRY\MACHINE\SOFTWARE\App",
            r"\Registry\User\S-1-5-18",
            r"\REGISTRY\MACHINE",
            r"\REGISTRY\MACHINES",
            r"\REGISTRY\A\{hive}",
        ];
        let keys = keys.map(super::key);
        let expected = [
            r"HKLM\SOFTWARE\App",
            r"HKU\S-1-5-18",
            "HKLM",
            r"\REGISTRY\MACHINES",
            r"\REGISTRY\A\{hive}",
        ];
        assert_eq!(keys, expected);
    }
}
