//! Requests to disks: reported by eBPF programs where they may be used, else by perf events of the same tracepoints.
//! Either way the file holds events of these tracepoints. [`whyslow_bpf::disks`] says why.

use std::os::fd::AsFd as _;

use whyslow_bpf::disks::{self, DiskReporter};
use whyslow_perfdata::abi::record;

use crate::disk_layout::{DiskLayouts, DiskPrograms, PayloadLayout};
use crate::events::{self, EventKind, TRACEPOINTS};
use crate::open::{Observed, OpenEvents};
use crate::raw_record::{Fields, SAMPLE_HEAD_BYTES, header, u32_at};
use crate::settings::Settings;
use crate::sys::perf::{PerfEvent, Target};
use crate::transform::Transform;

impl OpenEvents {
    /// Loads and attaches the programs, with an event for what they write. Where that is not possible, events of the
    /// tracepoints do it. `is_asked`: the settings want that event itself.
    pub(crate) fn load_disks(
        &mut self,
        settings: &Settings,
        is_asked: &dyn Fn(&str, &str) -> bool,
        observed: Observed,
    ) {
        if !settings.record_disks || !settings.use_bpf {
            return;
        }
        let before = self.events.len();
        let wanted = disk_tracepoints().filter(|name| !is_asked("block", name));
        let wanted: Vec<_> = wanted
            .filter_map(|name| Some((name, self.layout(name)?)))
            .collect();
        let longest = wanted.iter().map(|(_, layout)| layout.bytes).max();
        let Some(longest) = longest else {
            return;
        };
        let spec = events::disk_output(self.scope);
        if self.open_event(spec, observed).is_err() {
            return;
        }
        match DiskReporter::load(&self.last_outputs(), longest) {
            Ok(reporter) => {
                let mut programs = DiskPrograms {
                    reporter,
                    attached: Vec::new(),
                };
                for (name, layout) in wanted {
                    self.attach(&mut programs, name, &layout);
                }
                self.disks = Some(programs);
            }
            Err(_) => self.events.truncate(before),
        }
    }

    fn layout(&mut self, name: &str) -> Option<PayloadLayout> {
        let tracepoints = self.tracepoints.as_mut()?;
        tracepoints.id("block", name).ok()?;
        PayloadLayout::parse(tracepoints.format("block", name)?)
    }

    /// Attaches the program of a tracepoint; if that fails, an event of the tracepoint does its work.
    fn attach(&self, programs: &mut DiskPrograms, name: &'static str, layout: &PayloadLayout) {
        let spec = events::tracepoint(
            EventKind::Operation,
            name,
            u64::from(layout.id),
            false,
            self.scope,
        );
        let Some(&cpu) = self.cpus.first() else {
            return;
        };
        let Ok(event) = PerfEvent::open(&spec.attr, Target::Cpu(cpu)) else {
            return;
        };
        let reporter = &mut programs.reporter;
        if reporter.attach(name, event.as_fd()).is_ok() {
            programs.attached.push((name, event));
        }
    }

    /// How to write what the programs report.
    pub(crate) fn disk_layouts(&self) -> DiskLayouts {
        let Some(tracepoints) = &self.tracepoints else {
            return DiskLayouts::default();
        };
        let layout = |name: &'static str| {
            let full_name = format!("block:{name}");
            let mut events = self.events.iter();
            let event = events.position(|event| {
                event.spec.kind == EventKind::Operation && event.spec.name == full_name
            })?;
            let id = *self.events.get(event)?.ids.first()?;
            let format = tracepoints.format("block", name)?;
            Some((name, event, id, PayloadLayout::parse(format)?))
        };
        DiskLayouts(disk_tracepoints().filter_map(layout).collect())
    }
}

impl Transform {
    /// Takes one sample of what the programs write: it becomes one of the tracepoint.
    pub(crate) fn disk_output(&mut self, record: &[u8]) {
        let told = Fields::of_sample(record).raw().and_then(disks::parse);
        let mut layouts = self.disk_layouts.0.iter();
        let known = told.and_then(|(name, rest)| Some((layouts.find(|one| one.0 == name)?, rest)));
        let Some(((_, event, id, layout), rest)) = known else {
            self.bad_outputs += 1;
            return;
        };
        let (event, id) = (*event, *id);
        let payload = layout.payload(u32_at(record, 28), rest);
        let (_, misc, _) = header(record);
        // All but the id is as in the sample of the tracepoint.
        let head = record.get(16..SAMPLE_HEAD_BYTES).unwrap_or_default();
        let is_written = self.output().record(record::SAMPLE, misc, |out| {
            out.u64(id);
            out.bytes(head);
            out.raw(&payload);
        });
        if is_written {
            self.count(event).samples += 1;
        }
    }
}

fn disk_tracepoints() -> impl Iterator<Item = &'static str> {
    let all = TRACEPOINTS.iter();
    all.filter(|(kind, ..)| *kind == EventKind::Operation)
        .map(|&(_, _, name, _)| name)
}
