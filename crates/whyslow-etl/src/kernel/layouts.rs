//! Layouts of the payloads of kernel events: events by the names of the TraceEvent library, fields by
//! those of MSDN.
//!
//! A row holds from its version on; fields that came with a later version have a row of their own.
//! Where an event's last field exists in newer systems only, it simply is the last.

use super::Kind::{
    Ansi as A, FileTime, Fixed, Guid, I8, I16, I32, I64, Ipv4, Ipv6, Pointer as P, Pointers, Port,
    Rest, Sid, SystemTime, Texts, U8, U16, U32, U64, Utf16 as W, X32, X64,
};
use super::{Field, Layout};

macro_rules! layouts {
    ($($group:literal [$($opcode:literal $name:ident)+] $version:literal
        { $($field:ident $kind:expr,)* })*) => {
        &[$(Layout {
            group: $group,
            opcodes: &[$(($opcode, stringify!($name)),)+],
            version: $version,
            fields: &[$(Field { name: stringify!($field), kind: $kind },)*],
        },)*]
    };
}

pub(super) use layouts;

/// All layouts.
pub(super) const ALL: &[Layout] = layouts! {
    // EventTrace
    0x00 [0 Header] 0 {
        BufferSize U32, Version X32, ProviderVersion U32, NumberOfProcessors U32,
        EndTime FileTime, TimerResolution U32, MaxFileSize U32, LogFileMode X32,
        BuffersWritten U32, StartBuffers U32, PointerSize U32, EventsLost U32, CPUSpeed U32,
        LoggerName P, LogFileName P, Bias I32, StandardName Fixed(32), StandardDate SystemTime,
        StandardBias I32, DaylightName Fixed(32), DaylightDate SystemTime, DaylightBias I32,
        Padding U32, BootTime FileTime, PerfFreq I64, StartTime FileTime, ReservedFlags X32,
        BuffersLost U32, SessionNameString W, LogFileNameString W,
    }
    0x00 [5 Extension 32 EndExtension] 0 {
        GroupMask1 X32, GroupMask2 X32, GroupMask3 X32, GroupMask4 X32, GroupMask5 X32,
        GroupMask6 X32, GroupMask7 X32, GroupMask8 X32, KernelEventVersion U32,
    }
    0x00 [8 RundownComplete] 0 {}
    0x00 [64 DbgIdRSDS] 0 { Signature Guid, Age U32, PdbName A, }
    0x00 [66 BuildLab] 0 { BuildLab A, }

    // DiskIo
    0x01 [10 Read 11 Write 55 OpticalRead 56 OpticalWrite] 0 {
        DiskNumber U32, IrpFlags X32, TransferSize U32, Reserved U32, ByteOffset I64,
        FileObject P, Irp P, HighResResponseTime U64,
    }
    0x01 [10 Read 11 Write 55 OpticalRead 56 OpticalWrite] 3 {
        DiskNumber U32, IrpFlags X32, TransferSize U32, Reserved U32, ByteOffset I64,
        FileObject P, Irp P, HighResResponseTime U64, IssuingThreadId U32,
    }
    0x01 [12 ReadInit 13 WriteInit 15 FlushInit] 0 { Irp P, }
    0x01 [12 ReadInit 13 WriteInit 15 FlushInit] 3 { Irp P, IssuingThreadId U32, }
    0x01 [14 FlushBuffers] 0 { DiskNumber U32, IrpFlags X32, HighResResponseTime U64, Irp P, }
    0x01 [14 FlushBuffers] 3 {
        DiskNumber U32, IrpFlags X32, HighResResponseTime U64, Irp P, IssuingThreadId U32,
    }

    // PageFault
    0x02 [10 TransitionFault 11 DemandZeroFault 12 CopyOnWrite 13 GuardMemory
        14 HardMemory 15 AccessViolation] 0 { VirtualAddress P, ProgramCounter P, }
    0x02 [32 HardFault] 0 {
        InitialTime I64, ReadOffset U64, VirtualAddress P, FileObject P, TThreadId U32,
        ByteCount U32,
    }
    0x02 [98 VirtualAlloc 99 VirtualFree] 0 { BaseAddress P, RegionSize P, ProcessId U32, Flags X32, }

    // Process
    0x03 [1 Start 2 Stop 3 DCStart 4 DCStop 39 Defunct] 1 {
        PageDirectoryBase P, ProcessId U32, ParentId U32, SessionId U32, ExitStatus I32,
        UserSID Sid, ImageFileName A,
    }
    0x03 [1 Start 2 Stop 3 DCStart 4 DCStop 39 Defunct] 2 {
        UniqueProcessKey P, ProcessId U32, ParentId U32, SessionId U32, ExitStatus I32,
        UserSID Sid, ImageFileName A, CommandLine W,
    }
    0x03 [1 Start 2 Stop 3 DCStart 4 DCStop 39 Defunct] 3 {
        UniqueProcessKey P, ProcessId U32, ParentId U32, SessionId U32, ExitStatus I32,
        DirectoryTableBase P, UserSID Sid, ImageFileName A, CommandLine W,
    }
    0x03 [1 Start 2 Stop 3 DCStart 4 DCStop 39 Defunct] 4 {
        UniqueProcessKey P, ProcessId U32, ParentId U32, SessionId U32, ExitStatus I32,
        DirectoryTableBase P, Flags X32, UserSID Sid, ImageFileName A, CommandLine W,
        PackageFullName W, ApplicationId W,
    }
    0x03 [1 Start 2 Stop 3 DCStart 4 DCStop 39 Defunct] 5 {
        UniqueProcessKey P, ProcessId U32, ParentId U32, SessionId U32, ExitStatus I32,
        DirectoryTableBase P, Flags X32, UserSID Sid, ImageFileName A, CommandLine W,
        PackageFullName W, ApplicationId W, ExitTime FileTime,
    }
    0x03 [11 Terminate] 0 { ProcessId U32, }
    0x03 [32 PerfCtr 33 PerfCtrRundown] 0 {
        ProcessId U32, PageFaultCount U32, HandleCount U32, Reserved U32, PeakVirtualSize P,
        PeakWorkingSetSize P, PeakPagefileUsage P, QuotaPeakPagedPoolUsage P,
        QuotaPeakNonPagedPoolUsage P, VirtualSize P, WorkingSetSize P, PagefileUsage P,
        QuotaPagedPoolUsage P, QuotaNonPagedPoolUsage P, PrivatePageCount P,
    }

    // FileIo
    0x04 [0 Name 32 FileCreate 35 FileDelete 36 FileRundown] 0 { FileObject P, FileName W, }
    0x04 [64 Create] 0 {
        IrpPtr P, TTID P, FileObject P, CreateOptions X32, FileAttributes X32, ShareAccess X32,
        OpenPath W,
    }
    0x04 [64 Create] 3 {
        IrpPtr P, FileObject P, TTID U32, CreateOptions X32, FileAttributes X32,
        ShareAccess X32, OpenPath W,
    }
    0x04 [65 Cleanup 66 Close 73 Flush] 0 { IrpPtr P, TTID P, FileObject P, FileKey P, }
    0x04 [65 Cleanup 66 Close 73 Flush] 3 { IrpPtr P, FileObject P, FileKey P, TTID U32, }
    0x04 [67 Read 68 Write] 0 {
        Offset U64, IrpPtr P, TTID P, FileObject P, FileKey P, IoSize U32, IoFlags X32,
    }
    0x04 [67 Read 68 Write] 3 {
        Offset U64, IrpPtr P, FileObject P, FileKey P, TTID U32, IoSize U32, IoFlags X32,
        ExtraFlags X32,
    }
    0x04 [69 SetInfo 70 Delete 71 Rename 74 QueryInfo 75 FSControl] 0 {
        IrpPtr P, TTID P, FileObject P, FileKey P, ExtraInfo P, InfoClass U32,
    }
    0x04 [69 SetInfo 70 Delete 71 Rename 74 QueryInfo 75 FSControl] 3 {
        IrpPtr P, FileObject P, FileKey P, ExtraInfo P, TTID U32, InfoClass U32,
    }
    0x04 [72 DirEnum 77 DirNotify] 0 {
        IrpPtr P, TTID P, FileObject P, FileKey P, Length U32, InfoClass U32, FileIndex U32,
        FileName W,
    }
    0x04 [72 DirEnum 77 DirNotify] 3 {
        IrpPtr P, FileObject P, FileKey P, TTID U32, Length U32, InfoClass U32, FileIndex U32,
        FileName W,
    }
    0x04 [76 OperationEnd] 0 { IrpPtr P, ExtraInfo P, NtStatus X32, }
    0x04 [79 DeletePath 80 RenamePath] 0 {
        IrpPtr P, FileObject P, FileKey P, ExtraInfo P, TTID U32, InfoClass U32, FileName W,
    }
    0x04 [37 MapFile 38 UnmapFile 39 MapFileDCStart 40 MapFileDCStop] 0 {
        ViewBase P, FileKey P, MiscInfo I64, ViewSize P, ByteOffset I64,
    }

    // Thread
    0x05 [1 Start 3 DCStart] 1 {
        ProcessId U32, TThreadId U32, StackBase P, StackLimit P, UserStackBase P,
        UserStackLimit P, StartAddr P, Win32StartAddr P, WaitMode I8,
    }
    0x05 [2 Stop 4 DCStop] 1 { ProcessId U32, TThreadId U32, }
    0x05 [1 Start 2 Stop 3 DCStart 4 DCStop] 2 {
        ProcessId U32, TThreadId U32, StackBase P, StackLimit P, UserStackBase P,
        UserStackLimit P, StartAddr P, Win32StartAddr P, TebBase P, SubProcessTag U32,
    }
    0x05 [1 Start 2 Stop 3 DCStart 4 DCStop] 3 {
        ProcessId U32, TThreadId U32, StackBase P, StackLimit P, UserStackBase P,
        UserStackLimit P, Affinity P, Win32StartAddr P, TebBase P, SubProcessTag U32,
        BasePriority U8, PagePriority U8, IoPriority U8, ThreadFlags U8, ThreadName W,
    }
    0x05 [36 CSwitch] 0 {
        NewThreadId U32, OldThreadId U32, NewThreadPriority I8, OldThreadPriority I8,
        PreviousCState U8, SpareByte I8, OldThreadWaitReason I8, OldThreadWaitMode I8,
        OldThreadState I8, OldThreadWaitIdealProcessor I8, NewThreadWaitTime U32, Reserved U32,
    }
    0x05 [37 CompCS] 0 { FirstTimeStamp I64, Data Rest, }
    0x05 [41 SpinLock] 0 {
        SpinLockAddress P, CallerAddress P, AcquireTime U64, ReleaseTime U64,
        WaitTimeInCycles U32, SpinCount U32, ThreadId U32, InterruptCount U32, Irql U8,
        AcquireDepth U8, Flag U8, Reserved Rest,
    }
    0x05 [48 SetPriority 49 SetBasePriority 51 SetPagePriority 52 SetIoPriority] 0 {
        ThreadId U32, OldPriority U8, NewPriority U8, Reserved U16,
    }
    0x05 [50 ReadyThread] 0 {
        TThreadId U32, AdjustReason I8, AdjustIncrement I8, Flag I8, Reserved I8,
    }
    0x05 [66 AutoBoostSetFloor] 0 {
        Lock P, ThreadId U32, NewCpuPriorityFloor U8, OldCpuPriority U8,
        IoPriorities U8, BoostFlags U8,
    }
    0x05 [67 AutoBoostClearFloor 68 AutoBoostEntryExhaustion] 0 {
        LockAddress P, ThreadId U32, BoostBitmap U16, Reserved U16,
    }
    0x05 [72 SetName] 0 { ProcessId U32, ThreadId U32, ThreadName W, }

    // TcpIp
    0x06 [10 Send] 0 {
        PID U32, size U32, daddr Ipv4, saddr Ipv4, dport Port, sport Port, startime U32,
        endtime U32, seqnum U32, connid P,
    }
    0x06 [11 Recv 13 Disconnect 14 Retransmit 16 Reconnect 18 TCPCopy] 0 {
        PID U32, size U32, daddr Ipv4, saddr Ipv4, dport Port, sport Port, seqnum U32, connid P,
    }
    0x06 [12 Connect 15 Accept] 0 {
        PID U32, size U32, daddr Ipv4, saddr Ipv4, dport Port, sport Port, mss U16,
        sackopt U16, tsopt U16, wsopt U16, rcvwin U32, rcvwinscale I16, sndwinscale I16,
        seqnum U32, connid P,
    }
    0x06 [17 Fail] 0 { Proto U16, FailureCode U16, }
    0x06 [26 SendIPV6] 0 {
        PID U32, size U32, daddr Ipv6, saddr Ipv6, dport Port, sport Port, startime U32,
        endtime U32, seqnum U32, connid P,
    }
    0x06 [27 RecvIPV6 29 DisconnectIPV6 30 RetransmitIPV6 32 ReconnectIPV6 34 TCPCopyIPV6] 0 {
        PID U32, size U32, daddr Ipv6, saddr Ipv6, dport Port, sport Port, seqnum U32, connid P,
    }
    0x06 [28 ConnectIPV6 31 AcceptIPV6] 0 {
        PID U32, size U32, daddr Ipv6, saddr Ipv6, dport Port, sport Port, mss U16,
        sackopt U16, tsopt U16, wsopt U16, rcvwin U32, rcvwinscale I16, sndwinscale I16,
        seqnum U32, connid P,
    }

    // UdpIp
    0x08 [10 Send 11 Recv] 0 {
        PID U32, size U32, daddr Ipv4, saddr Ipv4, dport Port, sport Port, seqnum U32, connid P,
    }
    0x08 [26 SendIPV6 27 RecvIPV6] 0 {
        PID U32, size U32, daddr Ipv6, saddr Ipv6, dport Port, sport Port, seqnum U32, connid P,
    }
    0x08 [17 Fail] 0 { Proto U16, FailureCode U16, }

    // Registry
    0x09 [10 Create 11 Open 12 Delete 13 Query 14 SetValue 15 DeleteValue 16 QueryValue
        17 EnumerateKey 18 EnumerateValueKey 19 QueryMultipleValue 20 SetInformation 21 Flush
        22 KCBCreate 23 KCBDelete 24 KCBRundownBegin 25 KCBRundownEnd 26 Virtualize 27 Close
        28 SetSecurity 29 QuerySecurity] 0 {
        Status X32, KeyHandle P, ElapsedTime I64, Index U32, KeyName W,
    }
    0x09 [10 Create 11 Open 12 Delete 13 Query 14 SetValue 15 DeleteValue 16 QueryValue
        17 EnumerateKey 18 EnumerateValueKey 19 QueryMultipleValue 20 SetInformation 21 Flush
        22 KCBCreate 23 KCBDelete 24 KCBRundownBegin 25 KCBRundownEnd 26 Virtualize 27 Close
        28 SetSecurity 29 QuerySecurity] 2 {
        InitialTime I64, Status X32, Index U32, KeyHandle P, KeyName W,
    }
    0x09 [34 Counters] 0 {
        Counter1 U64, Counter2 U64, Counter3 U64, Counter4 U64, Counter5 U64, Counter6 U64,
        Counter7 U64, Counter8 U64, Counter9 U64, Counter10 U64, Counter11 U64,
    }
    0x09 [35 Config] 0 { CurrentControlSet U32, }

    // SystemConfig
    0x0b [10 CPU] 0 {
        MHz U32, NumberOfProcessors U32, MemSize U32, PageSize U32, AllocationGranularity U32,
        ComputerName Fixed(256), DomainName Fixed(134), HyperThreadingFlag P,
        HighestUserAddress P, ProcessorArchitecture U16, ProcessorLevel U16,
        ProcessorRevision U16, NxEnabled U8, PaeEnabled U8, MemorySpeed U32,
    }
    0x0b [11 PhyDisk] 0 {
        DiskNumber U32, BytesPerSector U32, SectorsPerTrack U32, TracksPerCylinder U32,
        Cylinders U64, SCSIPort U32, SCSIPath U32, SCSITarget U32, SCSILun U32,
        Manufacturer Fixed(256), PartitionCount U32, WriteCacheEnabled U8, Pad U8,
        BootDriveLetter Fixed(3), Spare Fixed(2),
    }
    0x0b [12 LogDisk] 0 {
        StartOffset U64, PartitionSize U64, DiskNumber U32, Size U32, DriveType U32,
        DriveLetterString Fixed(4), Pad1 U32, PartitionNumber U32, SectorsPerCluster U32,
        BytesPerSector U32, Pad2 U32, NumberOfFreeClusters I64, TotalNumberOfClusters I64,
        FileSystem Fixed(16), VolumeExt U32, Pad3 U32,
    }
    0x0b [13 NIC] 0 {
        PhysicalAddr X64, PhysicalAddrLen U32, Ipv4Index U32, Ipv6Index U32, NICDescription W,
        IpAddresses W, DnsServerAddresses W,
    }
    0x0b [15 Services] 0 {
        ProcessId U32, ServiceState U32, SubProcessTag U32, ServiceName W, DisplayName W,
        ProcessName W, LoadOrderGroup W, SvchostGroup W,
    }
    0x0b [16 Power] 0 {
        S1 U8, S2 U8, S3 U8, S4 U8, S5 U8, AoAc U8, Pad U16,
    }
    0x0b [17 Network] 0 {
        TcbTablePartitions U32, MaxHashTableSize U32, MaxUserPort U32, TcpTimedWaitDelay U32,
    }
    0x0b [18 OpticalMedia] 0 {
        DiskNumber U16, BusType U16, DeviceType U16, MediaType U16, StartingOffset U64, Size U64,
        NumberOfFreeBlocks U64, TotalNumberOfBlocks U64, NextWritableAddress U64,
        NumberOfSessions U32, NumberOfTracks U32, BytesPerSector U32, DiscStatus U16,
        LastSessionStatus U16, DriveLetter W, FileSystem W, DeviceName A, Manufacturer A,
    }
    0x0b [19 PhyDiskEx] 0 { DiskNumber U32, Data Rest, }
    0x0b [21 IRQ] 0 {
        IRQAffinity X64, IRQNum U32, DeviceDescriptionLen U32, DeviceDescription W,
    }
    0x0b [21 IRQ] 3 {
        IRQAffinity X64, IRQGroup U16, Reserved U16, IRQNum U32, DeviceDescriptionLen U32,
        DeviceDescription W,
    }
    0x0b [22 PnP] 0 {
        IDLength U32, DescriptionLength U32, FriendlyNameLength U32, DeviceID W,
        DeviceDescription W, FriendlyName W,
    }
    0x0b [22 PnP] 4 {
        ClassGuid Guid, UpperFiltersCount U32, LowerFiltersCount U32, DeviceID W,
        DeviceDescription W, FriendlyName W, PdoName W, ServiceName W, Filters Texts,
    }
    0x0b [22 PnP] 5 {
        ClassGuid Guid, UpperFiltersCount U32, LowerFiltersCount U32, DevStatus X32,
        DevProblem U32, DeviceID W, DeviceDescription W, FriendlyName W, PdoName W,
        ServiceName W, Filters Texts,
    }
    0x0b [23 IDEChannel] 0 {
        TargetId U32, DeviceType U32, DeviceTimingMode X32, LocationInformationLen U32,
        LocationInformation W,
    }
    0x0b [24 NumaNode] 0 { NodeCount U32, NodeMap Rest, }
    0x0b [25 Platform] 0 {
        SystemManufacturer W, SystemProductName W, BiosDate W, BiosVersion W,
    }
    0x0b [26 ProcessorGroup] 0 { GroupCount U32, Affinity Pointers, }
    0x0b [27 ProcessorNumber] 0 { ProcessorCount U32, ProcessorNumber Rest, }
    0x0b [28 DPI] 0 { MachineDPI U32, UserDPI U32, }
    0x0b [29 CodeIntegrity] 0 { CodeIntegrityInfo X32, }
    0x0b [30 MachineId] 0 { MachineId Guid, }
    0x0b [31 Defragmentation] 0 { Data Rest, }
    0x0b [33 DeviceFamily] 0 { UAPInfo X64, DeviceFamily U32, DeviceForm U32, }
    0x0b [34 FlightIds] 0 { UpdateId W, FlightIdList W, }
    0x0b [35 Processor] 0 {
        ProcessorIndex U32, FeatureSet X32, ProcessorSpeed U32, ProcessorName Fixed(64),
        ProcessorIdentifier Fixed(128), VendorIdentifier Fixed(16),
    }
    0x0b [36 Virtualization] 0 { VbsEnabled U8, HvciEnabled U8, HyperVEnabled U8, Reserved U8, }
    0x0b [37 Boot] 0 {
        BootFlags X64, FirmwareType U32, SecureBootEnabled U8, SecureBootCapable U8,
        Reserved U16,
    }

    // PerfInfo
    0x0f [34 Mark] 0 { Text A, }
    0x0f [46 Sample] 0 { InstructionPointer P, ThreadId U32, Count U16, Reserved U16, }
    0x0f [47 PMCSample] 0 {
        InstructionPointer P, ThreadId U32, ProfileSource U16, Reserved U16,
    }
    0x0f [50 ISR] 0 {
        InitialTime U64, Routine P, ReturnValue U8, Vector U16, Reserved U8, MessageNumber U32,
    }
    0x0f [51 SysClEnter] 0 { SysCallAddress P, }
    0x0f [52 SysClExit] 0 { SysCallNtStatus X32, }
    0x0f [58 DebuggerEnabled] 0 { Reserved U8, }
    0x0f [55 SampleCache] 0 { Entries U32, Data Rest, }
    0x0f [66 ThreadedDPC 68 DPC 69 TimerDPC] 0 { InitialTime U64, Routine P, }
    0x0f [67 ISR] 0 { InitialTime U64, Routine P, ReturnValue U8, Vector U16, Reserved U8, }
    0x0f [72 SetInterval 73 CollectionStart 74 CollectionEnd] 0 {
        Source U32, NewInterval U32, OldInterval U32, SourceName W,
    }
    0x0f [75 CollectionStartSecond 76 CollectionEndSecond] 0 {
        SpinLockSpinThreshold U32, SpinLockContentionSampleRate U32,
        SpinLockAcquireSampleRate U32, SpinLockHoldThreshold U32,
    }

    // Object
    0x11 [32 CreateHandle 33 CloseHandle] 0 { Object P, Handle X32, ObjectType U16, }
    0x11 [34 DuplicateHandle] 0 {
        Object P, SourceHandle X32, TargetHandle X32, TargetProcessId U32, ObjectType U16,
        SourceProcessId U32,
    }
    0x11 [36 TypeDCStart 37 TypeDCEnd] 0 { ObjectType U16, Reserved U16, ObjectTypeName W, }
    0x11 [38 HandleDCStart 39 HandleDCEnd] 0 {
        Object P, ProcessId U32, Handle X32, ObjectType U16, ObjectName W,
    }
    0x11 [48 CreateObject 49 DeleteObject] 0 { Object P, ObjectType U16, }

    // Image
    0x14 [10 Load 2 Unload 3 DCStart 4 DCStop] 0 { BaseAddress P, ModuleSize U32, ImageFileName W, }
    0x14 [10 Load 2 Unload 3 DCStart 4 DCStop] 1 {
        BaseAddress P, ModuleSize P, ProcessId U32, ImageFileName W,
    }
    0x14 [10 Load 2 Unload 3 DCStart 4 DCStop] 2 {
        BaseAddress P, ModuleSize P, ProcessId U32, ImageCheckSum U32, TimeDateStamp U32,
        Reserved0 U32, DefaultBase P, Reserved1 U32, Reserved2 U32, Reserved3 U32,
        Reserved4 U32, ImageFileName W,
    }
    0x14 [10 Load 2 Unload 3 DCStart 4 DCStop] 3 {
        BaseAddress P, ModuleSize P, ProcessId U32, ImageCheckSum U32, TimeDateStamp U32,
        SignatureLevel U8, SignatureType U8, Reserved0 U16, DefaultBase P, Reserved1 U32,
        Reserved2 U32, Reserved3 U32, Reserved4 U32, ImageFileName W,
    }
    0x14 [33 KernelBase 34 HypercallPage] 0 { BaseAddress P, }

    // StackWalk
    0x18 [32 Stack] 0 { EventTimeStamp U64, StackProcess U32, StackThread U32, Stack Pointers, }
    0x18 [34 KeyCreate 35 KeyDelete 36 KeyRundown] 0 { StackKey P, Stack Pointers, }
    0x18 [37 StackKeyKernel 38 StackKeyUser] 0 {
        EventTimeStamp U64, StackProcess U32, StackThread U32, StackKey P,
    }

    // ALPC
    0x1a [33 SendMessage 34 ReceiveMessage 35 WaitForReply] 0 { MessageID U32, }
    0x1a [36 WaitForNewMessage] 0 { IsServerPort U32, PortName A, }
    0x1a [37 Unwait] 0 { Status X32, }
};
