//! Layouts of the payloads of kernel events: events by the names of [`super::hooks`], fields by those
//! of MSDN.
//!
//! A row applies from its version on; fields that came with a later version have a row of their
//! own. A field that exists only in newer systems is simply the event's last.

use super::FieldType::{
    Ansi as A, FileTime, Fixed, Guid, I8, I16, I32, I64, Ipv4, Ipv6, Pointer as P, Pointers, Port,
    Rest, Sid, SystemTime, Texts, U8, U16, U32, U64, Utf16 as W, X32, X64,
};
use super::hooks::{
    alpc, disk_io, event_trace, file_io, image, memory, object, perf_info, process, registry,
    stack_walk, system_config, tcp_ip, thread, udp_ip,
};
use super::{Field, Layout};

macro_rules! layouts {
    ($($class:ident [$($event:ident)+] $version:literal { $($field:ident $kind:expr,)* })*) => {
        &[$(Layout {
            group: $class::GROUP,
            opcodes: &[$($class::$event.opcode,)+],
            version: $version,
            fields: &[$(Field { name: stringify!($field), kind: $kind },)*],
        },)*]
    };
}

pub(super) use layouts;

/// All layouts.
pub(super) const ALL: &[Layout] = layouts! {
    // EventTrace
    event_trace [HEADER] 0 {
        BufferSize U32, Version X32, ProviderVersion U32, NumberOfProcessors U32,
        EndTime FileTime, TimerResolution U32, MaxFileSize U32, LogFileMode X32,
        BuffersWritten U32, StartBuffers U32, PointerSize U32, EventsLost U32, CPUSpeed U32,
        LoggerName P, LogFileName P, Bias I32, StandardName Fixed(32), StandardDate SystemTime,
        StandardBias I32, DaylightName Fixed(32), DaylightDate SystemTime, DaylightBias I32,
        Padding U32, BootTime FileTime, PerfFreq I64, StartTime FileTime, ReservedFlags X32,
        BuffersLost U32, SessionNameString W, LogFileNameString W,
    }
    event_trace [EXTENSION END_EXTENSION] 0 {
        GroupMask1 X32, GroupMask2 X32, GroupMask3 X32, GroupMask4 X32, GroupMask5 X32,
        GroupMask6 X32, GroupMask7 X32, GroupMask8 X32, KernelEventVersion U32,
    }
    event_trace [RUNDOWN_COMPLETE] 0 {}
    event_trace [SYMBOL_FILE] 0 { Signature Guid, Age U32, PdbName A, }
    event_trace [BUILD_LAB] 0 { BuildLab A, }

    // DiskIo
    disk_io [READ WRITE OPTICAL_READ OPTICAL_WRITE] 0 {
        DiskNumber U32, IrpFlags X32, TransferSize U32, Reserved U32, ByteOffset I64,
        FileObject P, Irp P, HighResResponseTime U64,
    }
    disk_io [READ WRITE OPTICAL_READ OPTICAL_WRITE] 3 {
        DiskNumber U32, IrpFlags X32, TransferSize U32, Reserved U32, ByteOffset I64,
        FileObject P, Irp P, HighResResponseTime U64, IssuingThreadId U32,
    }
    disk_io [READ_INIT WRITE_INIT FLUSH_INIT] 0 { Irp P, }
    disk_io [READ_INIT WRITE_INIT FLUSH_INIT] 3 { Irp P, IssuingThreadId U32, }
    disk_io [FLUSH_BUFFERS] 0 { DiskNumber U32, IrpFlags X32, HighResResponseTime U64, Irp P, }
    disk_io [FLUSH_BUFFERS] 3 {
        DiskNumber U32, IrpFlags X32, HighResResponseTime U64, Irp P, IssuingThreadId U32,
    }

    // PageFault
    memory [TRANSITION_FAULT DEMAND_ZERO_FAULT COPY_ON_WRITE GUARD_MEMORY HARD_MEMORY
        ACCESS_VIOLATION] 0 { VirtualAddress P, ProgramCounter P, }
    memory [HARD_FAULT] 0 {
        InitialTime I64, ReadOffset U64, VirtualAddress P, FileObject P, TThreadId U32,
        ByteCount U32,
    }
    memory [PROCESS_MEM_INFO] 0 { Count U32, Values Rest, }
    memory [VIRTUAL_ALLOC VIRTUAL_FREE] 0 { BaseAddress P, RegionSize P, ProcessId U32, Flags X32, }

    // Process
    process [START STOP DC_START DC_STOP DEFUNCT] 1 {
        PageDirectoryBase P, ProcessId U32, ParentId U32, SessionId U32, ExitStatus I32,
        UserSID Sid, ImageFileName A,
    }
    process [START STOP DC_START DC_STOP DEFUNCT] 2 {
        UniqueProcessKey P, ProcessId U32, ParentId U32, SessionId U32, ExitStatus I32,
        UserSID Sid, ImageFileName A, CommandLine W,
    }
    process [START STOP DC_START DC_STOP DEFUNCT] 3 {
        UniqueProcessKey P, ProcessId U32, ParentId U32, SessionId U32, ExitStatus I32,
        DirectoryTableBase P, UserSID Sid, ImageFileName A, CommandLine W,
    }
    process [START STOP DC_START DC_STOP DEFUNCT] 4 {
        UniqueProcessKey P, ProcessId U32, ParentId U32, SessionId U32, ExitStatus I32,
        DirectoryTableBase P, Flags X32, UserSID Sid, ImageFileName A, CommandLine W,
        PackageFullName W, ApplicationId W,
    }
    process [START STOP DC_START DC_STOP DEFUNCT] 5 {
        UniqueProcessKey P, ProcessId U32, ParentId U32, SessionId U32, ExitStatus I32,
        DirectoryTableBase P, Flags X32, UserSID Sid, ImageFileName A, CommandLine W,
        PackageFullName W, ApplicationId W, ExitTime FileTime,
    }
    process [TERMINATE] 0 { ProcessId U32, }
    process [PERF_CTR PERF_CTR_RUNDOWN] 0 {
        ProcessId U32, PageFaultCount U32, HandleCount U32, Reserved U32, PeakVirtualSize P,
        PeakWorkingSetSize P, PeakPagefileUsage P, QuotaPeakPagedPoolUsage P,
        QuotaPeakNonPagedPoolUsage P, VirtualSize P, WorkingSetSize P, PagefileUsage P,
        QuotaPagedPoolUsage P, QuotaNonPagedPoolUsage P, PrivatePageCount P,
    }

    // FileIo
    file_io [NAME FILE_CREATE FILE_DELETE FILE_RUNDOWN] 0 { FileObject P, FileName W, }
    file_io [CREATE CREATE_NEW] 0 {
        IrpPtr P, TTID P, FileObject P, CreateOptions X32, FileAttributes X32, ShareAccess X32,
        OpenPath W,
    }
    file_io [CREATE CREATE_NEW] 3 {
        IrpPtr P, FileObject P, TTID U32, CreateOptions X32, FileAttributes X32,
        ShareAccess X32, OpenPath W,
    }
    file_io [CLEANUP CLOSE FLUSH] 0 { IrpPtr P, TTID P, FileObject P, FileKey P, }
    file_io [CLEANUP CLOSE FLUSH] 3 { IrpPtr P, FileObject P, FileKey P, TTID U32, }
    file_io [READ WRITE] 0 {
        Offset U64, IrpPtr P, TTID P, FileObject P, FileKey P, IoSize U32, IoFlags X32,
    }
    file_io [READ WRITE] 3 {
        Offset U64, IrpPtr P, FileObject P, FileKey P, TTID U32, IoSize U32, IoFlags X32,
        ExtraFlags X32,
    }
    file_io [SET_INFO DELETE RENAME QUERY_INFO FS_CONTROL SET_LINK] 0 {
        IrpPtr P, TTID P, FileObject P, FileKey P, ExtraInfo P, InfoClass U32,
    }
    file_io [SET_INFO DELETE RENAME QUERY_INFO FS_CONTROL SET_LINK] 3 {
        IrpPtr P, FileObject P, FileKey P, ExtraInfo P, TTID U32, InfoClass U32,
    }
    file_io [DIR_ENUM DIR_NOTIFY] 0 {
        IrpPtr P, TTID P, FileObject P, FileKey P, Length U32, InfoClass U32, FileIndex U32,
        FileName W,
    }
    file_io [DIR_ENUM DIR_NOTIFY] 3 {
        IrpPtr P, FileObject P, FileKey P, TTID U32, Length U32, InfoClass U32, FileIndex U32,
        FileName W,
    }
    file_io [OPERATION_END] 0 { IrpPtr P, ExtraInfo P, NtStatus X32, }
    file_io [DELETE_PATH RENAME_PATH SET_LINK_PATH] 0 {
        IrpPtr P, FileObject P, FileKey P, ExtraInfo P, TTID U32, InfoClass U32, FileName W,
    }
    file_io [PRE_OPERATION_INIT POST_OPERATION_INIT] 0 {
        RoutineAddr P, FileObject P, FileContext P, IrpPtr P, CallbackDataPtr P,
        MajorFunction U32,
    }
    file_io [PRE_OPERATION POST_OPERATION] 0 {
        InitialTime I64, RoutineAddr P, FileObject P, FileContext P, IrpPtr P,
        CallbackDataPtr P, MajorFunction U32,
    }
    file_io [PRE_OPERATION_FAILURE POST_OPERATION_FAILURE] 0 {
        RoutineAddr P, FileObject P, FileContext P, IrpPtr P, CallbackDataPtr P,
        MajorFunction U32, Status X32,
    }
    file_io [MAP_FILE UNMAP_FILE MAP_FILE_DC_START MAP_FILE_DC_STOP] 0 {
        ViewBase P, FileKey P, MiscInfo I64, ViewSize P, ByteOffset I64,
    }

    // Thread
    thread [START DC_START] 1 {
        ProcessId U32, TThreadId U32, StackBase P, StackLimit P, UserStackBase P,
        UserStackLimit P, StartAddr P, Win32StartAddr P, WaitMode I8,
    }
    thread [STOP DC_STOP] 1 { ProcessId U32, TThreadId U32, }
    thread [START STOP DC_START DC_STOP] 2 {
        ProcessId U32, TThreadId U32, StackBase P, StackLimit P, UserStackBase P,
        UserStackLimit P, StartAddr P, Win32StartAddr P, TebBase P, SubProcessTag U32,
    }
    thread [START STOP DC_START DC_STOP] 3 {
        ProcessId U32, TThreadId U32, StackBase P, StackLimit P, UserStackBase P,
        UserStackLimit P, Affinity P, Win32StartAddr P, TebBase P, SubProcessTag U32,
        BasePriority U8, PagePriority U8, IoPriority U8, ThreadFlags U8, ThreadName W,
    }
    thread [SWITCH] 0 {
        NewThreadId U32, OldThreadId U32, NewThreadPriority I8, OldThreadPriority I8,
        PreviousCState U8, SpareByte I8, OldThreadWaitReason I8, OldThreadWaitMode I8,
        OldThreadState I8, OldThreadWaitIdealProcessor I8, NewThreadWaitTime U32, Reserved U32,
    }
    thread [PACKED_SWITCHES] 0 { FirstTimeStamp I64, Data Rest, }
    thread [SPIN_LOCK] 0 {
        SpinLockAddress P, CallerAddress P, AcquireTime U64, ReleaseTime U64,
        WaitTimeInCycles U32, SpinCount U32, ThreadId U32, InterruptCount U32, Irql U8,
        AcquireDepth U8, Flag U8, Reserved Rest,
    }
    thread [SET_PRIORITY SET_BASE_PRIORITY SET_PAGE_PRIORITY SET_IO_PRIORITY] 0 {
        ThreadId U32, OldPriority U8, NewPriority U8, Reserved U16,
    }
    thread [READY_THREAD] 0 {
        TThreadId U32, AdjustReason I8, AdjustIncrement I8, Flag I8, Reserved I8,
    }
    thread [AUTO_BOOST_SET_FLOOR] 0 {
        Lock P, ThreadId U32, NewCpuPriorityFloor U8, OldCpuPriority U8,
        IoPriorities U8, BoostFlags U8,
    }
    thread [AUTO_BOOST_CLEAR_FLOOR AUTO_BOOST_ENTRY_EXHAUSTION] 0 {
        LockAddress P, ThreadId U32, BoostBitmap U16, Reserved U16,
    }
    thread [SET_NAME] 0 { ProcessId U32, ThreadId U32, ThreadName W, }

    // TcpIp
    tcp_ip [SEND] 0 {
        PID U32, size U32, daddr Ipv4, saddr Ipv4, dport Port, sport Port, startime U32,
        endtime U32, seqnum U32, connid P,
    }
    tcp_ip [RECV DISCONNECT RETRANSMIT RECONNECT TCP_COPY] 0 {
        PID U32, size U32, daddr Ipv4, saddr Ipv4, dport Port, sport Port, seqnum U32, connid P,
    }
    tcp_ip [CONNECT ACCEPT] 0 {
        PID U32, size U32, daddr Ipv4, saddr Ipv4, dport Port, sport Port, mss U16,
        sackopt U16, tsopt U16, wsopt U16, rcvwin U32, rcvwinscale I16, sndwinscale I16,
        seqnum U32, connid P,
    }
    tcp_ip [FAIL] 0 { Proto U16, FailureCode U16, }
    tcp_ip [SEND_V6] 0 {
        PID U32, size U32, daddr Ipv6, saddr Ipv6, dport Port, sport Port, startime U32,
        endtime U32, seqnum U32, connid P,
    }
    tcp_ip [RECV_V6 DISCONNECT_V6 RETRANSMIT_V6 RECONNECT_V6 TCP_COPY_V6] 0 {
        PID U32, size U32, daddr Ipv6, saddr Ipv6, dport Port, sport Port, seqnum U32, connid P,
    }
    tcp_ip [CONNECT_V6 ACCEPT_V6] 0 {
        PID U32, size U32, daddr Ipv6, saddr Ipv6, dport Port, sport Port, mss U16,
        sackopt U16, tsopt U16, wsopt U16, rcvwin U32, rcvwinscale I16, sndwinscale I16,
        seqnum U32, connid P,
    }

    // UdpIp
    udp_ip [SEND RECV] 0 {
        PID U32, size U32, daddr Ipv4, saddr Ipv4, dport Port, sport Port, seqnum U32, connid P,
    }
    udp_ip [SEND_V6 RECV_V6] 0 {
        PID U32, size U32, daddr Ipv6, saddr Ipv6, dport Port, sport Port, seqnum U32, connid P,
    }
    udp_ip [FAIL] 0 { Proto U16, FailureCode U16, }

    // Registry
    registry [CREATE OPEN DELETE QUERY SET_VALUE DELETE_VALUE QUERY_VALUE ENUMERATE_KEY
        ENUMERATE_VALUE_KEY QUERY_MULTIPLE_VALUE SET_INFORMATION FLUSH KCB_CREATE KCB_DELETE
        KCB_RUNDOWN_BEGIN KCB_RUNDOWN_END VIRTUALIZE CLOSE SET_SECURITY QUERY_SECURITY] 0 {
        Status X32, KeyHandle P, ElapsedTime I64, Index U32, KeyName W,
    }
    registry [CREATE OPEN DELETE QUERY SET_VALUE DELETE_VALUE QUERY_VALUE ENUMERATE_KEY
        ENUMERATE_VALUE_KEY QUERY_MULTIPLE_VALUE SET_INFORMATION FLUSH KCB_CREATE KCB_DELETE
        KCB_RUNDOWN_BEGIN KCB_RUNDOWN_END VIRTUALIZE CLOSE SET_SECURITY QUERY_SECURITY] 2 {
        InitialTime I64, Status X32, Index U32, KeyHandle P, KeyName W,
    }
    registry [COUNTERS] 0 {
        Counter1 U64, Counter2 U64, Counter3 U64, Counter4 U64, Counter5 U64, Counter6 U64,
        Counter7 U64, Counter8 U64, Counter9 U64, Counter10 U64, Counter11 U64,
    }
    registry [CONFIG] 0 { CurrentControlSet U32, }

    // SystemConfig
    system_config [CPU] 0 {
        MHz U32, NumberOfProcessors U32, MemSize U32, PageSize U32, AllocationGranularity U32,
        ComputerName Fixed(256), DomainName Fixed(134), HyperThreadingFlag P,
        HighestUserAddress P, ProcessorArchitecture U16, ProcessorLevel U16,
        ProcessorRevision U16, NxEnabled U8, PaeEnabled U8, MemorySpeed U32,
    }
    system_config [PHYSICAL_DISK] 0 {
        DiskNumber U32, BytesPerSector U32, SectorsPerTrack U32, TracksPerCylinder U32,
        Cylinders U64, SCSIPort U32, SCSIPath U32, SCSITarget U32, SCSILun U32,
        Manufacturer Fixed(256), PartitionCount U32, WriteCacheEnabled U8, Pad U8,
        BootDriveLetter Fixed(3), Spare Fixed(2),
    }
    system_config [LOGICAL_DISK] 0 {
        StartOffset U64, PartitionSize U64, DiskNumber U32, Size U32, DriveType U32,
        DriveLetterString Fixed(4), Pad1 U32, PartitionNumber U32, SectorsPerCluster U32,
        BytesPerSector U32, Pad2 U32, NumberOfFreeClusters I64, TotalNumberOfClusters I64,
        FileSystem Fixed(16), VolumeExt U32, Pad3 U32,
    }
    system_config [NIC] 0 {
        PhysicalAddr X64, PhysicalAddrLen U32, Ipv4Index U32, Ipv6Index U32, NICDescription W,
        IpAddresses W, DnsServerAddresses W,
    }
    system_config [VIDEO] 0 {
        MemorySize U32, XResolution U32, YResolution U32, BitsPerPixel U32, VRefresh U32,
        ChipType Fixed(256), DACType Fixed(256), AdapterString Fixed(256), BiosString Fixed(256),
        DeviceId Fixed(256), StateFlags U32,
    }
    system_config [SERVICES] 0 {
        ProcessId U32, ServiceState U32, SubProcessTag U32, ServiceName W, DisplayName W,
        ProcessName W, LoadOrderGroup W, SvchostGroup W,
    }
    system_config [POWER] 0 {
        S1 U8, S2 U8, S3 U8, S4 U8, S5 U8, AoAc U8, Pad U16,
    }
    system_config [NETWORK] 0 {
        TcbTablePartitions U32, MaxHashTableSize U32, MaxUserPort U32, TcpTimedWaitDelay U32,
    }
    system_config [OPTICAL_MEDIA] 0 {
        DiskNumber U16, BusType U16, DeviceType U16, MediaType U16, StartingOffset U64, Size U64,
        NumberOfFreeBlocks U64, TotalNumberOfBlocks U64, NextWritableAddress U64,
        NumberOfSessions U32, NumberOfTracks U32, BytesPerSector U32, DiscStatus U16,
        LastSessionStatus U16, DriveLetter W, FileSystem W, DeviceName A, Manufacturer A,
    }
    system_config [PHYSICAL_DISK_EX] 0 { DiskNumber U32, Data Rest, }
    system_config [IRQ] 0 {
        IRQAffinity X64, IRQNum U32, DeviceDescriptionLen U32, DeviceDescription W,
    }
    system_config [IRQ] 3 {
        IRQAffinity X64, IRQGroup U16, Reserved U16, IRQNum U32, DeviceDescriptionLen U32,
        DeviceDescription W,
    }
    system_config [PNP] 0 {
        IDLength U32, DescriptionLength U32, FriendlyNameLength U32, DeviceID W,
        DeviceDescription W, FriendlyName W,
    }
    system_config [PNP] 4 {
        ClassGuid Guid, UpperFiltersCount U32, LowerFiltersCount U32, DeviceID W,
        DeviceDescription W, FriendlyName W, PdoName W, ServiceName W, Filters Texts,
    }
    system_config [PNP] 5 {
        ClassGuid Guid, UpperFiltersCount U32, LowerFiltersCount U32, DevStatus X32,
        DevProblem U32, DeviceID W, DeviceDescription W, FriendlyName W, PdoName W,
        ServiceName W, Filters Texts,
    }
    system_config [IDE_CHANNEL] 0 {
        TargetId U32, DeviceType U32, DeviceTimingMode X32, LocationInformationLen U32,
        LocationInformation W,
    }
    system_config [NUMA_NODE] 0 { NodeCount U32, NodeMap Rest, }
    system_config [PLATFORM] 0 {
        SystemManufacturer W, SystemProductName W, BiosDate W, BiosVersion W,
    }
    system_config [PROCESSOR_GROUP] 0 { GroupCount U32, Affinity Pointers, }
    system_config [PROCESSOR_NUMBER] 0 { ProcessorCount U32, ProcessorNumber Rest, }
    system_config [DPI] 0 { MachineDPI U32, UserDPI U32, }
    system_config [CODE_INTEGRITY] 0 { CodeIntegrityInfo X32, }
    system_config [MACHINE_ID] 0 { MachineId Guid, }
    system_config [DEFRAGMENTATION] 0 { Data Rest, }
    system_config [DEVICE_FAMILY] 0 { UAPInfo X64, DeviceFamily U32, DeviceForm U32, }
    system_config [FLIGHT_IDS] 0 { UpdateId W, FlightIdList W, }
    system_config [PROCESSOR] 0 {
        ProcessorIndex U32, FeatureSet X32, ProcessorSpeed U32, ProcessorName Fixed(64),
        ProcessorIdentifier Fixed(128), VendorIdentifier Fixed(16),
    }
    system_config [VIRTUALIZATION] 0 { VbsEnabled U8, HvciEnabled U8, HyperVEnabled U8, Reserved
        U8, }
    system_config [BOOT] 0 {
        BootFlags X64, FirmwareType U32, SecureBootEnabled U8, SecureBootCapable U8,
        Reserved U16,
    }

    // PerfInfo
    perf_info [MARK] 0 { Text A, }
    perf_info [SAMPLE] 0 { InstructionPointer P, ThreadId U32, Count U16, Reserved U16, }
    perf_info [COUNTER_SAMPLE] 0 {
        InstructionPointer P, ThreadId U32, ProfileSource U16, Reserved U16,
    }
    perf_info [MESSAGE_ISR] 0 {
        InitialTime U64, Routine P, ReturnValue U8, Vector U16, Reserved U8, MessageNumber U32,
    }
    perf_info [SYSTEM_CALL_ENTER] 0 { SysCallAddress P, }
    perf_info [SYSTEM_CALL_EXIT] 0 { SysCallNtStatus X32, }
    perf_info [DEBUGGER_ENABLED] 0 { Reserved U8, }
    perf_info [SAMPLE_CACHE] 0 { Entries U32, Data Rest, }
    perf_info [THREADED_DPC DPC TIMER_DPC] 0 { InitialTime U64, Routine P, }
    perf_info [ISR] 0 { InitialTime U64, Routine P, ReturnValue U8, Vector U16, Reserved U8, }
    perf_info [SET_INTERVAL COLLECTION_START COLLECTION_END] 0 {
        Source U32, NewInterval U32, OldInterval U32, SourceName W,
    }
    perf_info [COLLECTION_START_SECOND COLLECTION_END_SECOND] 0 {
        SpinLockSpinThreshold U32, SpinLockContentionSampleRate U32,
        SpinLockAcquireSampleRate U32, SpinLockHoldThreshold U32,
    }

    // Object
    object [CREATE_HANDLE CLOSE_HANDLE] 0 { Object P, Handle X32, ObjectType U16, }
    object [DUPLICATE_HANDLE] 0 {
        Object P, SourceHandle X32, TargetHandle X32, TargetProcessId U32, ObjectType U16,
        SourceProcessId U32,
    }
    object [TYPE_DC_START TYPE_DC_END] 0 { ObjectType U16, Reserved U16, ObjectTypeName W, }
    object [HANDLE_DC_START HANDLE_DC_END] 0 {
        Object P, ProcessId U32, Handle X32, ObjectType U16, ObjectName W,
    }
    object [CREATE_OBJECT DELETE_OBJECT] 0 { Object P, ObjectType U16, }

    // Image
    image [LOAD UNLOAD DC_START DC_STOP] 0 { BaseAddress P, ModuleSize U32, ImageFileName W, }
    image [LOAD UNLOAD DC_START DC_STOP] 1 {
        BaseAddress P, ModuleSize P, ProcessId U32, ImageFileName W,
    }
    image [LOAD UNLOAD DC_START DC_STOP] 2 {
        BaseAddress P, ModuleSize P, ProcessId U32, ImageCheckSum U32, TimeDateStamp U32,
        Reserved0 U32, DefaultBase P, Reserved1 U32, Reserved2 U32, Reserved3 U32,
        Reserved4 U32, ImageFileName W,
    }
    image [LOAD UNLOAD DC_START DC_STOP] 3 {
        BaseAddress P, ModuleSize P, ProcessId U32, ImageCheckSum U32, TimeDateStamp U32,
        SignatureLevel U8, SignatureType U8, Reserved0 U16, DefaultBase P, Reserved1 U32,
        Reserved2 U32, Reserved3 U32, Reserved4 U32, ImageFileName W,
    }
    image [KERNEL_BASE HYPERCALL_PAGE] 0 { BaseAddress P, }

    // StackWalk
    stack_walk [STACK] 0 { EventTimeStamp U64, StackProcess U32, StackThread U32, Stack Pointers, }
    stack_walk [KEY_CREATE KEY_DELETE KEY_RUNDOWN] 0 { StackKey P, Stack Pointers, }
    stack_walk [KERNEL_KEY USER_KEY] 0 {
        EventTimeStamp U64, StackProcess U32, StackThread U32, StackKey P,
    }

    // ALPC
    alpc [SEND_MESSAGE RECEIVE_MESSAGE WAIT_FOR_REPLY] 0 { MessageID U32, }
    alpc [WAIT_FOR_NEW_MESSAGE] 0 { IsServerPort U32, PortName A, }
    alpc [UNWAIT] 0 { Status X32, }
};
