//! Paths of files: the kernel's form, and the form that programs use.

/// Maximum number of folders kept.
const MOST_FOLDERS: usize = 256;

/// Folders in the kernel's form, and in the form that programs use.
#[derive(Debug, Default)]
pub struct Folders(Vec<(String, String)>);

impl Folders {
    /// Takes a folder's two names.
    pub fn add(&mut self, kernel: String, program: String) {
        if self.0.len() < MOST_FOLDERS {
            self.0.push((kernel, program));
        }
    }

    /// Learns from a process's executable: the kernel's path of it, and the command line, which has
    /// the path in the programs' form. Volumes that the trace names in another way are left alone.
    pub fn learn(&mut self, path: &str, command_line: &str) {
        if dos_path(&self.0, path).is_some() {
            return;
        }
        let command_line = command_line.trim_start_matches('"');
        let command_line = command_line.strip_prefix(r"\??\").unwrap_or(command_line);
        let Some((volume, below)) = volume_of(path) else {
            return;
        };
        let Some((drive, rest)) = command_line.split_at_checked(2) else {
            return;
        };
        let letter = drive
            .strip_suffix(':')
            .and_then(|drive| drive.chars().next());
        let is_same =
            starts_with(rest, below) && letter.is_some_and(|letter| letter.is_ascii_alphabetic());
        if is_same {
            self.add(format!("{volume}\\"), format!("{}\\", drive.to_uppercase()));
        }
    }

    /// Returns a path as programs write it; `None` if it already is in that form, or no folder is
    /// known.
    pub fn program_path(&self, path: &str) -> Option<String> {
        dos_path(&self.0, path)
    }
}

/// Splits a path into the device of its volume and the rest, which begins with a backslash.
fn volume_of(path: &str) -> Option<(&str, &str)> {
    let name = path
        .get(r"\Device\".len()..)
        .filter(|_| starts_with(path, r"\Device\"))?;
    let end = path.len() - name.len() + name.find('\\')?;
    path.split_at_checked(end)
}

fn starts_with(text: &str, start: &str) -> bool {
    let begin = text.get(..start.len());
    begin.is_some_and(|begin| begin.eq_ignore_ascii_case(start))
}

/// Returns the last part of a path.
pub fn file_name(path: &str) -> String {
    let name = path.rsplit(['\\', '/']).next();
    name.unwrap_or_default().to_owned()
}

/// Returns a path without the name of its volume, in lower case.
pub fn below_volume(path: &str) -> String {
    let path = path.to_lowercase();
    let below = path.strip_prefix(r"\??\").unwrap_or(&path);
    if let Some(rest) = below.strip_prefix(r"\systemroot\") {
        return format!(r"\windows\{rest}");
    }
    let after_device = below
        .strip_prefix(r"\device\")
        .and_then(|rest| rest.split_once('\\'))
        .map(|(_, rest)| format!(r"\{rest}"));
    if let Some(rest) = after_device {
        return rest;
    }
    let drive = below.split_once(':').filter(|(drive, _)| drive.len() == 1);
    drive.map_or(below, |(_, rest)| rest).to_owned()
}

/// Returns a path as programs write it; `None` if it already is in that form, or no folder is
/// known.
fn dos_path(folders: &[(String, String)], path: &str) -> Option<String> {
    let found = folders.iter().filter(|folder| starts_with(path, &folder.0));
    let (nt, dos) = found.max_by_key(|(nt, _)| nt.len())?;
    let rest = path.get(nt.len()..)?.trim_start_matches('\\');
    Some(format!("{}\\{rest}", dos.trim_end_matches('\\')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_path_below_its_volume() {
        for path in [
            r"C:\Windows\System32\ntdll.dll",
            r"\Windows\System32\ntdll.dll",
            r"\SystemRoot\System32\ntdll.dll",
            r"\??\C:\WINDOWS\system32\ntdll.dll",
            r"\Device\HarddiskVolume3\Windows\System32\ntdll.dll",
        ] {
            assert_eq!(below_volume(path), r"\windows\system32\ntdll.dll");
        }
        assert_eq!(below_volume("ntoskrnl.exe"), "ntoskrnl.exe");
    }

    #[test]
    fn paths_are_those_of_programs_where_the_volume_is_known() {
        let pair = |nt: &str, dos: &str| (nt.to_owned(), dos.to_owned());
        let folders = [
            pair(r"\Device\HarddiskVolume3\", r"C:\"),
            pair(r"\Device\HarddiskVolume33\", r"D:\"),
            pair(r"\SystemRoot\", r"C:\Windows"),
        ];
        let check = |path, dos: Option<&str>| assert_eq!(dos_path(&folders, path).as_deref(), dos);
        check(r"\Device\HarddiskVolume3\a\b.dll", Some(r"C:\a\b.dll"));
        check(r"\device\harddiskvolume33\b.dll", Some(r"D:\b.dll"));
        check(
            r"\SystemRoot\system32\x.sys",
            Some(r"C:\Windows\system32\x.sys"),
        );
        check(r"\Device\Mup\x", None);
    }

    #[test]
    fn a_command_line_tells_the_drive_of_a_volume() {
        let mut folders = Folders::default();
        let path = r"\Device\HarddiskVolume3\Windows\System32\svchost.exe";
        folders.learn(path, r"svchost.exe -k");
        folders.learn(path, r"C:\other\svchost.exe -k");
        assert_eq!(folders.program_path(path), None);
        folders.learn(path, r"c:\windows\system32\svchost.exe -k netsvcs");
        folders.learn(path, r"D:\windows\system32\svchost.exe -k netsvcs");
        let other = r"\Device\HarddiskVolume4\a b\tool.exe";
        folders.learn(other, r#""E:\a b\tool.exe" x"#);
        let named = folders.program_path(r"\Device\HarddiskVolume3\x.dll");
        assert_eq!(named.as_deref(), Some(r"C:\x.dll"));
        let named = folders.program_path(r"\Device\HarddiskVolume4\x.dll");
        assert_eq!(named.as_deref(), Some(r"E:\x.dll"));
    }
}
