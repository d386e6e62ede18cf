//! The payloads from the writer of synthetic traces equal those of Windows byte for byte: each real
//! payload of a kind that the writer knows is written again from the values that the collection
//! states.

use std::fs;

use whyslow_etl::PointerSize;
use whyslow_testkit::payload::{
    self, DiskIo, FileIo, FileOpen, HardFault, Image, Process, Ready, Registry, Switch, Tcp,
    TcpTail, Thread,
};

use crate::json;
use crate::payloads::Payload;
use crate::real::folder;

impl Payload<'_> {
    fn wide(&self) -> bool {
        self.pointer == PointerSize::Eight
    }

    fn text_of(&self, name: &str) -> Option<&str> {
        let named = self.expected.iter().find_map(|field| match field.list() {
            [.., of, value] if of.text() == name => Some(value.text()),
            _ => None,
        });
        named.filter(|text| !text.is_empty())
    }

    /// The stated number; 0 if none is stated.
    fn number(&self, name: &str) -> u64 {
        let Some(text) = self.text_of(name) else {
            return 0;
        };
        match text.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).unwrap(),
            None => text.parse::<i128>().unwrap() as u64,
        }
    }

    fn small(&self, name: &str) -> u32 {
        self.number(name) as u32
    }

    fn byte(&self, name: &str) -> u8 {
        self.number(name) as u8
    }

    /// The text at the end of the payload, after `fixed` bytes: the collection states some texts by
    /// the name of a constant and has lost spaces in others.
    fn last_text(&self, fixed: usize) -> String {
        let units = self.bytes[fixed..].chunks_exact(2);
        let units: Vec<u16> = units.map(|c| u16::from_le_bytes([c[0], c[1]])).collect();
        let end = units.iter().position(|unit| *unit == 0);
        String::from_utf16(&units[..end.unwrap_or(units.len())]).unwrap()
    }

    /// The texts of a process, quoted as in C++.
    fn quoted(&self, name: &str) -> Option<String> {
        let text = self.text_of(name)?;
        let text = text.strip_prefix('L').unwrap_or(text).strip_prefix('"')?;
        let text = text.strip_suffix('"')?.replace("\" L\"", "");
        Some(text.replace("\\\\", "\\").replace("\\\"", "\""))
    }
}

#[test]
fn written_payloads_are_the_real_ones() {
    let Some(dir) = folder() else { return };
    let text = fs::read_to_string(dir.join("libtrace-payloads/kernel_payloads.json")).unwrap();
    let json = json::parse(&text);
    let (mut same, mut differ) = (0, Vec::new());
    for real in json.list().iter().map(Payload::new) {
        match write(&real) {
            Some(written) if written == real.bytes => same += 1,
            Some(_) => differ.push(real.name),
            None => {}
        }
    }
    // The collection shows consecutive spaces in two command lines as one; the last payload has
    // three bytes of padding at its end.
    let known = ["ProcessStartV4", "ProcessEndV4", "ThreadStart32bitsV1"];
    assert_eq!((same, differ.as_slice()), (135, &known[..]));
}

fn write(real: &Payload<'_>) -> Option<Vec<u8>> {
    match real.group {
        1 => disk(real),
        2 => memory(real),
        3 => process(real),
        4 => file(real),
        5 => thread(real),
        6 => Some(tcp(real)),
        9 if real.opcode < 30 => Some(registry(real)),
        15 => perf(real),
        20 if real.opcode != 33 => Some(image(real)),
        24 => Some(stack(real)),
        _ => None,
    }
}

fn disk(real: &Payload<'_>) -> Option<Vec<u8>> {
    let (wide, version) = (real.wide(), real.version);
    let io = DiskIo {
        disk: real.small("DiskNumber"),
        irp_flags: real.small("IrpFlags"),
        size: real.small("TransferSize"),
        offset: real.number("ByteOffset").cast_signed(),
        file_object: real.number("FileObject"),
        irp: real.number("Irp"),
        response_time: real.number("HighResResponseTime"),
        thread: real.small("IssuingThreadId"),
    };
    match real.opcode {
        10 | 11 => Some(io.payload(wide, version)),
        12 | 13 | 15 => Some(io.init_payload(wide, version)),
        14 => Some(io.flush_payload(wide, version)),
        _ => None,
    }
}

fn memory(real: &Payload<'_>) -> Option<Vec<u8>> {
    let wide = real.wide();
    let fault = HardFault {
        since: real.number("InitialTime").cast_signed(),
        offset: real.number("ReadOffset"),
        address: real.number("VirtualAddress"),
        file_object: real.number("FileObject"),
        thread: real.small("TThreadId"),
        size: real.small("ByteCount"),
    };
    let (base, size) = (real.number("BaseAddress"), real.number("RegionSize"));
    let (pid, flags) = (real.small("ProcessId"), real.small("Flags"));
    match real.opcode {
        10..=15 => Some(payload::page_fault(
            wide,
            fault.address,
            real.number("ProgramCounter"),
        )),
        32 => Some(fault.payload(wide)),
        98 | 99 => Some(payload::virtual_memory(wide, base, size, pid, flags)),
        _ => None,
    }
}

/// The collection does not state users: they are taken from the payload itself.
fn process(real: &Payload<'_>) -> Option<Vec<u8>> {
    if !matches!(real.opcode, 1..=4 | 39) {
        return None;
    }
    let (wide, pointer) = (real.wide(), if real.wide() { 8 } else { 4 });
    let image = real.quoted("ImageFileName")?;
    let command_line = match real.text_of("CommandLine") {
        Some(_) => real.quoted("CommandLine")?,
        None => String::new(),
    };
    let fixed = pointer + 16 + [0, pointer, pointer + 4][usize::from(real.version.clamp(2, 4) - 2)];
    let behind = &real.bytes[fixed..];
    let user_bytes = if behind[..4] == [0; 4] {
        4
    } else {
        2 * pointer + 8 + 4 * usize::from(behind[2 * pointer + 1])
    };
    let package = real.quoted("PackageFullName").unwrap_or_default();
    let application = real.quoted("ApplicationId").unwrap_or_default();
    let process = Process {
        key: real.number("UniqueProcessKey") | real.number("PageDirectoryBase"),
        process_id: real.small("ProcessId"),
        parent_id: real.small("ParentId"),
        session_id: real.small("SessionId"),
        exit_status: real.small("ExitStatus").cast_signed(),
        directory_table: real.number("DirectoryTableBase"),
        flags: real.small("Flags"),
        user: &behind[..user_bytes],
        image: &image,
        command_line: &command_line,
        package: &package,
        application: &application,
        exit_time: real.number("ExitTime").cast_signed(),
    };
    Some(process.payload(wide, real.version))
}

fn file(real: &Payload<'_>) -> Option<Vec<u8>> {
    let (wide, version) = (real.wide(), real.version);
    let pointer = if wide { 8 } else { 4 };
    let io = FileIo {
        irp: real.number("IrpPtr"),
        thread: real.small("TTID"),
        file_object: real.number("FileObject"),
        file_key: real.number("FileKey"),
    };
    let transfer = (real.small("IoSize"), real.small("IoFlags"));
    let (extra, class) = (real.number("ExtraInfo"), real.small("InfoClass"));
    match real.opcode {
        0 | 32 | 35 | 36 => Some(payload::file_name(
            wide,
            io.file_object,
            &real.last_text(pointer),
        )),
        64 => {
            let thread_bytes = if version < 3 { pointer } else { 4 };
            let open = FileOpen {
                irp: io.irp,
                thread: io.thread,
                file_object: io.file_object,
                options: real.small("CreateOptions"),
                attributes: real.small("FileAttributes"),
                share: real.small("ShareAccess"),
                path: &real.last_text(2 * pointer + thread_bytes + 12),
            };
            Some(open.payload(wide, version))
        }
        65 | 66 | 73 => Some(payload::file_simple(io, wide, version)),
        67 | 68 => Some(io.transfer(wide, version, real.number("Offset"), transfer)),
        69 | 70 | 71 | 74 | 75 => Some(payload::file_info(io, wide, version, extra, class)),
        76 => Some(payload::operation_end(
            wide,
            io.irp,
            extra,
            real.small("NtStatus"),
        )),
        _ => None,
    }
}

fn thread(real: &Payload<'_>) -> Option<Vec<u8>> {
    let switch = Switch {
        new_thread: real.small("NewThreadId"),
        old_thread: real.small("OldThreadId"),
        new_priority: real.byte("NewThreadPriority").cast_signed(),
        old_priority: real.byte("OldThreadPriority").cast_signed(),
        previous_c_state: real.byte("PreviousCState"),
        spare: real.byte("SpareByte").cast_signed(),
        old_wait_reason: real.byte("OldThreadWaitReason"),
        old_wait_mode: real.byte("OldThreadWaitMode"),
        old_state: real.byte("OldThreadState"),
        old_ideal_cpu: real.byte("OldThreadWaitIdealProcessor"),
        new_wait_time: real.small("NewThreadWaitTime"),
        reserved: real.small("Reserved"),
    };
    let ready = Ready {
        thread: real.small("TThreadId"),
        adjust_reason: real.byte("AdjustReason").cast_signed(),
        adjust_increment: real.byte("AdjustIncrement").cast_signed(),
        flags: real.byte("Flag"),
    };
    let bounds = ["StackBase", "StackLimit", "UserStackBase", "UserStackLimit"];
    let thread = Thread {
        process_id: real.small("ProcessId"),
        thread_id: real.small("TThreadId"),
        stacks: bounds.map(|bound| real.number(bound)),
        affinity: real.number("Affinity") | real.number("StartAddr"),
        start_address: real.number("Win32StartAddr"),
        environment: real.number("TebBase"),
        service_tag: real.small("SubProcessTag"),
        base_priority: real.byte("BasePriority"),
        page_priority: real.byte("PagePriority"),
        io_priority: real.byte("IoPriority"),
        flags: real.byte("ThreadFlags") | real.byte("WaitMode"),
        name: None,
    };
    let is_end = matches!(real.opcode, 2 | 4);
    match real.opcode {
        1..=4 => Some(thread.payload(real.wide(), real.version, is_end)),
        36 => Some(switch.payload()),
        50 => Some(ready.payload()),
        _ => None,
    }
}

fn tcp(real: &Payload<'_>) -> Vec<u8> {
    // The collection has numbers here, in the order of the bytes.
    let address = |name: &str| real.small(name).to_le_bytes();
    let port = |name: &str| (real.number(name) as u16).swap_bytes();
    let short = |name: &str| real.number(name) as u16;
    let tcp = Tcp {
        process_id: real.small("PID"),
        size: real.small("size"),
        to: (address("daddr"), port("dport")),
        from: (address("saddr"), port("sport")),
        sequence: real.small("seqnum"),
        connection: real.number("connid"),
    };
    let tail = match real.opcode {
        10 => TcpTail::Times(real.small("startime"), real.small("endtime")),
        12 | 15 => TcpTail::Options(
            ["mss", "sackopt", "tsopt", "wsopt"].map(short),
            real.small("rcvwin"),
            ["rcvwinscale", "sndwinscale"].map(|name| short(name).cast_signed()),
        ),
        _ => TcpTail::None,
    };
    tcp.payload(real.wide(), tail)
}

fn registry(real: &Payload<'_>) -> Vec<u8> {
    let pointer = if real.wide() { 8 } else { 4 };
    let operation = Registry {
        since: (real.number("InitialTime") | real.number("ElapsedTime")).cast_signed(),
        status: real.small("Status"),
        index: real.small("Index"),
        key: real.number("KeyHandle"),
        name: &real.last_text(16 + pointer),
    };
    operation.payload(real.wide(), real.version)
}

fn perf(real: &Payload<'_>) -> Option<Vec<u8>> {
    let wide = real.wide();
    let (since, routine) = (
        real.number("InitialTime").cast_signed(),
        real.number("Routine"),
    );
    let returned = (real.byte("ReturnValue"), real.number("Vector") as u16);
    let flags = (real.number("Reserved") as u16).to_le_bytes();
    match real.opcode {
        46 => {
            let (instruction, tid) = (real.number("InstructionPointer"), real.small("ThreadId"));
            let count = real.number("Count") as u16;
            Some(payload::sample(wide, instruction, tid, count, flags[0]))
        }
        50 | 67 => {
            let message = (real.opcode == 50).then(|| real.small("MessageNumber"));
            Some(payload::interrupt(wide, since, routine, returned, message))
        }
        66 | 68 | 69 => Some(payload::deferred_call(wide, since, routine)),
        73 | 74 => {
            let (new, old) = (real.small("NewInterval"), real.small("OldInterval"));
            let name = real.quoted("SourceName");
            Some(payload::sample_interval(
                real.small("Source"),
                new,
                old,
                name.as_deref(),
            ))
        }
        _ => None,
    }
}

fn image(real: &Payload<'_>) -> Vec<u8> {
    let pointer = if real.wide() { 8 } else { 4 };
    let fixed = match real.version {
        0 => pointer + 4,
        1 => 2 * pointer + 4,
        _ => 3 * pointer + 32,
    };
    let signature = (real.byte("SignatureLevel"), real.byte("SignatureType"));
    let image = Image {
        base: real.number("BaseAddress"),
        size: real.number("ModuleSize"),
        process_id: real.small("ProcessId"),
        checksum: real.small("ImageCheckSum"),
        time_stamp: real.small("TimeDateStamp"),
        signature,
        default_base: real.number("DefaultBase"),
        path: &real.last_text(fixed),
    };
    image.payload(real.wide(), real.version)
}

/// The collection does not state frames: they are taken from the payload itself.
fn stack(real: &Payload<'_>) -> Vec<u8> {
    let frames = real.bytes[16..].chunks_exact(8);
    let frames: Vec<u64> = frames
        .map(|frame| u64::from_le_bytes(frame.try_into().unwrap()))
        .collect();
    let ids = (real.small("StackProcess"), real.small("StackThread"));
    let time = real.number("EventTimeStamp").cast_signed();
    payload::stack(real.wide(), time, ids, &frames)
}
