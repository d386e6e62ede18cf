//! Datagrams (UDP): those of a process that went the same way between the same ends are counted.

use whyslow_model::tables::DatagramRow;
use whyslow_model::{DatagramWay, LabelId, Named, RawRow};

use crate::stretches::{Call, Span, Stretches, Sum};
use crate::tracker::{Scene, Tracker};

/// A datagram was sent or received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatagramEvent {
    /// The process, which may not be the one that ran.
    pub pid: u32,
    /// Whether it was sent or received.
    pub way: DatagramWay,
    /// Address and port of this end.
    pub local: (Option<LabelId>, u16),
    /// Address and port of the other end.
    pub remote: (Option<LabelId>, u16),
    /// Its size.
    pub bytes: u32,
}

/// What datagrams have in common that are counted together: way, and address and port of both ends.
type Alike = (i32, (Option<LabelId>, u16), (Option<LabelId>, u16));

/// The counts.
#[derive(Debug)]
pub struct Datagrams {
    counts: Stretches<Alike>,
}

impl Tracker for Datagrams {
    type Event = DatagramEvent;

    fn new(most_open: u32) -> Self {
        Self {
            counts: Stretches::new(most_open, push),
        }
    }

    fn event(&mut self, event: &Self::Event, scene: &mut dyn Scene) {
        let call = Call {
            thread: scene.thread_of_process(event.pid),
            from_ns: scene.ns(),
            bytes: Some(event.bytes.into()),
            duration_ns: None,
        };
        let alike = (event.way.code(), event.local, event.remote);
        self.counts.add(alike, &call, scene);
    }

    fn loss(&mut self) {}

    fn end(&mut self, scene: &mut dyn Scene) {
        self.counts.finish(scene);
    }
}

fn push(span: Span, &(way, local, remote): &Alike, sum: &Sum, scene: &mut dyn Scene) {
    let port = |port: u16| (port != 0).then_some(i32::from(port));
    let mut row = RawRow::<DatagramRow, _>::new();
    row.set(DatagramRow::from_ns, span.from_ns);
    row.set(DatagramRow::duration_ns, span.duration_ns);
    row.set(DatagramRow::way, way);
    row.set(DatagramRow::local_address, local.0);
    row.set(DatagramRow::local_port, port(local.1));
    row.set(DatagramRow::remote_address, remote.0);
    row.set(DatagramRow::remote_port, port(remote.1));
    row.set(DatagramRow::count, sum.count);
    row.set(DatagramRow::bytes, sum.bytes.unwrap_or(0));
    scene.push(span.thread, &row);
}
