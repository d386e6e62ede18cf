//! A file system whose creates cost what the test says: the kernel's FUSE protocol, as far as the lab
//! uses it. Names and directories in memory, no contents.
//!
//! Layouts: `fuse_in_header`, `fuse_entry_out` … of the kernel's `include/uapi/linux/fuse.h`, version
//! 7.31, in the byte order of the machine.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::mounted::EndsWithTest;

/// What creating a file costs where so many have been created before.
pub(crate) type Cost = fn(u64) -> Duration;

/// How long a directory takes files, and what it does then.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    pub(crate) cost: Cost,
    /// Files that are created in a directory.
    pub(crate) most: u64,
    /// The error for whoever wants more; with none the file system dies.
    pub(crate) then: Option<i32>,
}

/// A mount that is gone when the test ends.
pub(crate) struct Growing {
    point: PathBuf,
    serving: Option<JoinHandle<()>>,
    _watch: EndsWithTest,
}

impl Growing {
    /// Mounts a file system at the new directory `point`; says why not.
    pub(crate) fn mount(point: &Path, rule: Rule) -> Result<Self, String> {
        let device = OpenOptions::new().read(true).write(true).open("/dev/fuse");
        let device = device.map_err(|error| format!("/dev/fuse: {error}"))?;
        fs::create_dir(point).expect("a directory");
        let theirs = device.try_clone().expect("a descriptor");
        let mut mounting = Command::new("mount");
        let options = "fd=0,rootmode=40000,user_id=0,group_id=0";
        mounting.args(["-i", "-t", "fuse", "-o", options, "growing"]);
        let done = mounting.arg(point).stdin(Stdio::from(theirs)).output();
        let done = done.map_err(|error| format!("mount: {error}"))?;
        if !done.status.success() {
            return Err(String::from_utf8_lossy(&done.stderr).into_owned());
        }
        let serving = std::thread::spawn(move || serve(device, rule));
        Ok(Self {
            point: point.to_owned(),
            serving: Some(serving),
            _watch: EndsWithTest::new(point),
        })
    }
}

impl Drop for Growing {
    fn drop(&mut self) {
        let umount = |lazy: &[&str]| {
            let mut command = Command::new("umount");
            let done = command.args(lazy).arg(&self.point).status();
            done.is_ok_and(|status| status.success())
        };
        if umount(&[]) || umount(&["-l"]) {
            let ended = self.serving.take().map(JoinHandle::join);
            assert!(matches!(ended, Some(Ok(()))), "the file system ended badly");
        }
    }
}

/// Lets process or thread `id` go before others, which sleeps nearly all the time and should not wait
/// for a busy machine besides; returns whether that is allowed.
pub(crate) fn go_first(id: &str) -> bool {
    let mut chrt = Command::new("chrt");
    let quiet = chrt.args(["-f", "-p", "1", id]).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

fn serve(mut device: File, rule: Rule) {
    let thread = fs::read_link("/proc/thread-self").unwrap_or_default();
    go_first(&thread.file_name().unwrap_or_default().to_string_lossy());
    let mut tree = Tree::new(rule);
    let mut request = vec![0; 1 << 17];
    // An error means that it was unmounted.
    while let Ok(length) = device.read(&mut request) {
        let Some(answer) = tree.answer(&request[..length]) else {
            continue;
        };
        if answer == Err(DEATH) {
            return;
        }
        let unique = &request[8..16];
        let (error, body) = match answer {
            Ok(body) => (0, body),
            Err(error) => (-error, Vec::new()),
        };
        let length = u32::try_from(16 + body.len()).expect("short");
        let head = [&length.to_ne_bytes()[..], &error.to_ne_bytes(), unique].concat();
        // Whoever asked may have gone.
        let _gone = device.write(&[head, body].concat());
    }
}

/// No error's number: nothing is answered any more.
const DEATH: i32 = 0;

/// Numbers of the system's errors.
const ENOENT: i32 = 2;
const EEXIST: i32 = 17;
const ENOSYS: i32 = 38;
const ENOTEMPTY: i32 = 39;

struct Tree {
    rule: Rule,
    /// Nodes by the directory and the name.
    names: HashMap<(u64, Vec<u8>), u64>,
    /// Files that were created in each directory; the root is 1.
    directories: HashMap<u64, u64>,
    next: u64,
}

impl Tree {
    fn new(rule: Rule) -> Self {
        Self {
            rule,
            names: HashMap::new(),
            directories: HashMap::from([(1, 0)]),
            next: 2,
        }
    }

    /// Returns the answer to a request; `None` where none is expected.
    fn answer(&mut self, request: &[u8]) -> Option<Result<Vec<u8>, i32>> {
        let word = |at: usize| {
            request
                .get(at..at + 4)
                .and_then(|part| part.try_into().ok())
        };
        let long = |at: usize| {
            request
                .get(at..at + 8)
                .and_then(|part| part.try_into().ok())
        };
        let (code, node) = (u32::from_ne_bytes(word(4)?), u64::from_ne_bytes(long(16)?));
        let names = |at: usize| {
            let rest = request.get(40 + at..).unwrap_or_default();
            let mut names = rest.split(|byte| *byte == 0).map(<[u8]>::to_vec);
            (
                names.next().unwrap_or_default(),
                names.next().unwrap_or_default(),
            )
        };
        Some(match code {
            // Init.
            26 => {
                let mut body = [7_u32, 31, 0, 0].map(u32::to_ne_bytes).concat();
                body.resize(64, 0);
                body[20..24].copy_from_slice(&4096_u32.to_ne_bytes());
                Ok(body)
            }
            // Forget, interrupt, forget several.
            2 | 36 | 42 => return None,
            // Look up.
            1 => {
                let found = self.names.get(&(node, names(0).0));
                found.map(|found| self.entry(*found)).ok_or(ENOENT)
            }
            // Attributes: get, set.
            3 | 4 => Ok([vec![0; 16], self.attributes(node)].concat()),
            // Make a directory.
            9 => self
                .add(node, names(8).0, true)
                .map(|made| self.entry(made)),
            // Unlink, remove a directory.
            10 | 11 => self.remove(node, names(0).0),
            // Rename, without and with flags.
            12 | 45 => {
                let (old, new) = names(if code == 12 { 8 } else { 16 });
                let to = u64::from_ne_bytes(long(40)?);
                let moved = self.names.remove(&(node, old)).ok_or(ENOENT);
                moved.map(|moved| {
                    self.names.insert((to, new), moved);
                    Vec::new()
                })
            }
            // Open a file, a directory.
            14 | 27 => Ok(vec![0; 16]),
            // Statistics.
            17 => Ok(vec![0; 80]),
            // Release, flush, release a directory, end.
            18 | 25 | 29 | 38 => Ok(Vec::new()),
            28 => Ok(self.list(
                node,
                u64::from_ne_bytes(long(48)?),
                u32::from_ne_bytes(word(56)?),
            )),
            // Create.
            35 => {
                let made = self.add(node, names(16).0, false);
                made.map(|made| [self.entry(made), vec![0; 16]].concat())
            }
            _ => Err(ENOSYS),
        })
    }

    fn add(&mut self, parent: u64, name: Vec<u8>, directory: bool) -> Result<u64, i32> {
        if self.names.contains_key(&(parent, name.clone())) {
            return Err(EEXIST);
        }
        let node = self.next;
        if directory {
            self.directories.insert(node, 0);
        } else if let Some(files) = self.directories.get_mut(&parent) {
            if *files >= self.rule.most {
                return Err(self.rule.then.unwrap_or(DEATH));
            }
            std::thread::sleep((self.rule.cost)(*files));
            *files += 1;
        }
        self.next += 1;
        self.names.insert((parent, name), node);
        Ok(node)
    }

    fn remove(&mut self, parent: u64, name: Vec<u8>) -> Result<Vec<u8>, i32> {
        let key = (parent, name);
        let node = self.names.get(&key).ok_or(ENOENT)?;
        if self.names.keys().any(|(parent, _)| parent == node) {
            return Err(ENOTEMPTY);
        }
        self.names.remove(&key);
        Ok(Vec::new())
    }

    /// Returns the directory's entries from number `from` on, in at most `room` bytes.
    fn list(&self, node: u64, from: u64, room: u32) -> Vec<u8> {
        let entries = self.names.iter().filter(|((parent, _), _)| *parent == node);
        let mut entries: Vec<_> = entries.map(|((_, name), node)| (*node, name)).collect();
        // A node's number is its place in the list, so removing others does not move it.
        entries.sort_unstable();
        let mut out = Vec::new();
        for (node, name) in entries.into_iter().filter(|(node, _)| *node > from) {
            let length = u32::try_from(name.len()).expect("short");
            let kind = self.attributes(node)[60..64].to_vec();
            let kind = u32::from_ne_bytes(kind.try_into().expect("four")) >> 12;
            let mut entry = [node.to_ne_bytes(), node.to_ne_bytes()].concat();
            entry.extend([length.to_ne_bytes(), kind.to_ne_bytes()].concat());
            entry.extend(name);
            entry.resize(entry.len().next_multiple_of(8), 0);
            if out.len() + entry.len() > room as usize {
                break;
            }
            out.extend(entry);
        }
        out
    }

    /// Returns a node's entry; the kernel keeps nothing of it.
    fn entry(&self, node: u64) -> Vec<u8> {
        [&node.to_ne_bytes()[..], &[0; 32], &self.attributes(node)].concat()
    }

    fn attributes(&self, node: u64) -> Vec<u8> {
        let mode = if self.directories.contains_key(&node) {
            0o040_755_u32
        } else {
            0o100_644
        };
        let mut attributes = node.to_ne_bytes().to_vec();
        attributes.resize(60, 0);
        attributes.extend(mode.to_ne_bytes());
        attributes.extend(1_u32.to_ne_bytes());
        attributes.resize(88, 0);
        attributes
    }
}
