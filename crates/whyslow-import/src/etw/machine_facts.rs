//! The machine, as events describe it.

use std::collections::BTreeMap;

use whyslow_etl::Record;
use whyslow_etl::kernel::merged::{merge_hook, system_config_ex};
use whyslow_etl::paths::Folders;

use super::emitter::Emitter;
use crate::payload::etw::Fields;

/// What events say about the machine.
#[derive(Debug, Default)]
pub(super) struct MachineFacts {
    pub(super) build_lab: Option<String>,
    pub(super) product: Option<String>,
    pub(super) host: Option<String>,
    pub(super) domain: Option<String>,
    pub(super) arch: Option<&'static str>,
    pub(super) memory_bytes: Option<i64>,
    pub(super) mhz: Option<u64>,
    pub(super) cpus: Option<i32>,
    pub(super) folders: Folders,
    /// The services of each process.
    pub(super) services: BTreeMap<u32, Vec<String>>,
    services_count: usize,
}

/// Most services that are kept.
const MOST_SERVICES: usize = 1 << 13;

impl MachineFacts {
    /// Takes the event that describes the processors.
    pub(super) fn processors(&mut self, record: &Record<'_>) {
        let fields = Fields::of(record);
        let number = |name| fields.number(name);
        let text = |name| fields.text(name);
        self.mhz = number("MHz").filter(|&mhz| mhz > 0).or(self.mhz);
        let cpus = number("NumberOfProcessors").and_then(|cpus| i32::try_from(cpus).ok());
        self.cpus = cpus.filter(|&cpus| cpus > 0).or(self.cpus);
        let memory = number("MemSize").and_then(|mb| i64::try_from(mb << 20).ok());
        self.memory_bytes = memory.filter(|&bytes| bytes > 0).or(self.memory_bytes);
        self.host = text("ComputerName").or(self.host.take());
        self.domain = text("DomainName").or(self.domain.take());
        let arch = number("ProcessorArchitecture").and_then(arch);
        self.arch = arch.or(self.arch);
    }

    /// Takes a service and the process that it runs in.
    pub(super) fn service(&mut self, record: &Record<'_>, out: &mut Emitter<'_>) {
        let fields = Fields::of(record);
        let service = fields.id("ProcessId").zip(fields.text("ServiceName"));
        let Some((pid, name)) = service else {
            return out.bad(record, "a service");
        };
        // Services that do not run have no process.
        if pid == 0 || self.services_count >= MOST_SERVICES {
            return;
        }
        let services = self.services.entry(pid).or_default();
        if !services.contains(&name) {
            services.push(name);
            self.services_count += 1;
        }
    }

    /// Takes the name of the build, such as `26100.1.amd64fre.ge_release.240331-1435`.
    pub(super) fn build_lab(&mut self, record: &Record<'_>) {
        let lab = Fields::of(record).text("BuildLab");
        self.build_lab = self.build_lab.take().or(lab);
    }

    /// Takes what a merge says about the build and about folders.
    pub(super) fn merged(&mut self, record: &Record<'_>) {
        let fields = Fields::of(record);
        match merge_hook(record) {
            Some(system_config_ex::BUILD_INFO) => {
                self.build_lab = fields.text("BuildLab").or(self.build_lab.take());
                self.product = fields.text("ProductName").or(self.product.take());
            }
            Some(system_config_ex::SYSTEM_PATHS) => {
                if let Some(folder) = fields.text("SystemWindowsDirectory") {
                    self.folders.add("\\SystemRoot\\".to_owned(), folder);
                }
            }
            Some(system_config_ex::VOLUME_MAPPING) => {
                let names = fields.text("NtPath").zip(fields.text("DosPath"));
                if let Some((kernel, program)) = names {
                    self.folders.add(kernel, program);
                }
            }
            _ => {}
        }
    }
}

fn arch(number: u64) -> Option<&'static str> {
    Some(match number {
        0 => "i686",
        5 => "arm",
        6 => "ia64",
        9 => "x86_64",
        12 => "aarch64",
        _ => return None,
    })
}
