//! Connections and look-ups of names on their way from the kernel to the file.

use whyslow_perfdata::whyslow_events::EVENT_TCP;
use whyslow_perfdata::writer::SampleIdentity;

use crate::events::{self, EventKind};
use crate::open::{Observed, OpenEvents};
use crate::raw_record::{Fields, u32_at, u64_at};
use crate::rights;
use crate::settings::Settings;
use crate::transform::Transform;
use whyslow_bpf::BpfError;
use whyslow_bpf::network::{self, NetworkFollower, Told};

impl OpenEvents {
    /// Loads the programs that follow connections and look-ups, with an event for what they write.
    pub(crate) fn load_network(&mut self, settings: &Settings, observed: Observed) {
        if !settings.record_network || !settings.use_bpf {
            return self.missing.push(rights::no_network_asked());
        }
        if self.scope.is_own_only {
            return self.no_network(&BpfError::NotPermitted);
        }
        let spec = events::network_output(self.scope);
        if let Err(error) = self.open_event(spec, observed) {
            return self.missing.push(rights::no_event(EVENT_TCP, &error));
        }
        let mut programs = self.programs.take();
        let loaded = NetworkFollower::load(programs.as_mut(), &self.last_outputs());
        self.programs = programs;
        match loaded {
            Ok(network) => self.network = Some(network),
            Err(error) => {
                self.events.pop();
                self.no_network(&error);
            }
        }
    }

    /// Starts following, and returns the connections that are already open.
    pub(crate) fn start_network(&mut self) -> Vec<Vec<u8>> {
        let programs = self.programs.as_mut();
        let network = self.network.as_mut();
        match network.map(|network| network.start(programs)) {
            Some(Ok(open)) => open,
            Some(Err(error)) => {
                self.network = None;
                self.is_spoiled = true;
                self.no_network(&error);
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// Stops following, and returns the connections that are still open.
    pub(crate) fn stop_network(&mut self) -> Vec<Vec<u8>> {
        let programs = self.programs.as_mut();
        let network = self.network.as_mut();
        let stopped = network.map(|network| network.stop(programs));
        match stopped {
            Some(Ok(left)) => left,
            Some(Err(error)) => {
                self.is_spoiled = true;
                self.no_network(&error);
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// What is followed, in the words of the file.
    pub(crate) fn followed(&self) -> Vec<&'static str> {
        let marks = self.system_calls.as_ref().map(|_| "marks");
        let network = self.followed_network().into_iter();
        network.chain(marks).collect()
    }

    fn followed_network(&self) -> Vec<&'static str> {
        let Some(network) = &self.network else {
            return Vec::new();
        };
        let mut words = vec!["connections"];
        if network.follows.names {
            words.push("names");
        }
        if network.follows.lookups {
            words.push("look-ups");
        }
        words
    }

    /// Connections and reports that were lost.
    pub(crate) fn lost_network(&self) -> u64 {
        self.network.as_ref().map_or(0, NetworkFollower::lost)
    }

    fn no_network(&mut self, error: &BpfError) {
        self.missing.push(rights::no_network(error));
    }
}

impl Transform {
    /// Takes one sample of what the programs write.
    pub(crate) fn network_output(&mut self, record: &[u8]) {
        let told = Fields::of_sample(record).raw().and_then(network::parse);
        let Some((told, bytes)) = told else {
            self.bad_outputs += 1;
            return;
        };
        let identity = SampleIdentity {
            pid: u32_at(bytes, 8),
            tid: u32_at(bytes, 12),
            time_ns: u64_at(record, 32),
            cpu: u32_at(record, 40),
            id: 0,
        };
        let kind = match told {
            Told::Tcp => EventKind::Tcp,
            Told::Packet => EventKind::DnsPacket,
            Told::Lookup => EventKind::NameLookup,
        };
        self.own_sample(kind, identity, &[], bytes);
    }

    /// Writes a connection that was open when the recording began or ended.
    pub(crate) fn open_connection(&mut self, report: &[u8], now_ns: u64) {
        let identity = SampleIdentity {
            pid: u32_at(report, 8),
            tid: u32_at(report, 12),
            time_ns: self.behind_all(now_ns),
            cpu: 0,
            id: 0,
        };
        self.own_sample(EventKind::Tcp, identity, &[], report);
    }
}
