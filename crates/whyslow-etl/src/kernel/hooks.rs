//! Every kernel event by name: the only place with the numbers.

use crate::guid::Guid;

/// The kind of a kernel event. Documentation of the kernel calls the two numbers together a hook
/// id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hook {
    /// The group, which identifies a class.
    pub group: u8,
    /// The kind of event within the class.
    pub opcode: u8,
}

/// A class of events.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) group: u8,
    pub(super) guid: Guid,
    pub(super) name: &'static str,
    /// Opcode and name.
    pub(super) events: &'static [(u8, &'static str)],
}

impl Class {
    /// Returns the name of an event of the class; `None` if it has none.
    pub(super) fn event_name(&self, opcode: u8) -> Option<&'static str> {
        let mut all = self.events.iter();
        all.find(|(of, _)| *of == opcode).map(|(_, name)| *name)
    }
}

/// Returns the GUID of a class; the last eight bytes are written as one number.
pub(super) const fn class(d1: u32, d2: u16, d3: u16, d4: u64) -> Guid {
    Guid::new(d1, d2, d3, d4.to_be_bytes())
}

/// Names the events of classes: opcode, constant, and the commonly used name.
macro_rules! classes {
    ($type:ident { $field:ident: $key:ident }
        $($(#[$doc:meta])* $module:ident $group:literal $name:literal ($($guid:literal),*) {
            $($opcode:literal $event:ident $shown:ident,)*
        })*) => {
        $($(#[$doc])*
        pub mod $module {
            #[allow(unused_imports, reason = "a class without named events")]
            use super::$type;
            use crate::guid::Guid;

            /// The class in headers of kernel events, or its number among the classes of merges.
            pub const GROUP: u8 = $group;
            /// The class in headers of classic events.
            pub const CLASS: Guid = crate::kernel::hooks::class($($guid),*);
            $(
                #[doc = concat!("`", $name, "/", stringify!($shown), "`.")]
                pub const $event: $type = $type { $field: $key, opcode: $opcode };
            )*
        })*

        /// All classes.
        pub(super) const CLASSES: &[$crate::kernel::hooks::Class] = &[
            $($crate::kernel::hooks::Class {
                group: $module::GROUP,
                guid: $module::CLASS,
                name: $name,
                events: &[$(($opcode, stringify!($shown)),)*],
            },)*
        ];
    };
}

pub(super) use classes;

classes! {
    Hook { group: GROUP }

    /// The session itself.
    event_trace 0x00 "EventTrace" (0x68fd_d900, 0x4a3e, 0x11d1, 0x84f4_0000_f804_64e3) {
        0 HEADER Header, 5 EXTENSION Extension, 8 RUNDOWN_COMPLETE RundownComplete,
        32 END_EXTENSION EndExtension, 64 SYMBOL_FILE DbgIdRSDS, 66 BUILD_LAB BuildLab,
    }
    /// Requests to disks.
    disk_io 0x01 "DiskIO" (0x3d6f_a8d4, 0xfe05, 0x11d0, 0x9dda_00c0_4fd7_ba7c) {
        10 READ Read, 11 WRITE Write, 12 READ_INIT ReadInit, 13 WRITE_INIT WriteInit,
        14 FLUSH_BUFFERS FlushBuffers, 15 FLUSH_INIT FlushInit, 55 OPTICAL_READ OpticalRead,
        56 OPTICAL_WRITE OpticalWrite,
    }
    /// Page faults and virtual memory.
    memory 0x02 "Memory" (0x3d6f_a8d3, 0xfe05, 0x11d0, 0x9dda_00c0_4fd7_ba7c) {
        10 TRANSITION_FAULT TransitionFault, 11 DEMAND_ZERO_FAULT DemandZeroFault,
        12 COPY_ON_WRITE CopyOnWrite, 13 GUARD_MEMORY GuardMemory, 14 HARD_MEMORY HardMemory,
        15 ACCESS_VIOLATION AccessViolation, 32 HARD_FAULT HardFault,
        98 VIRTUAL_ALLOC VirtualAlloc, 99 VIRTUAL_FREE VirtualFree,
        125 PROCESS_MEM_INFO ProcessMemInfo,
    }
    /// Processes.
    process 0x03 "Process" (0x3d6f_a8d0, 0xfe05, 0x11d0, 0x9dda_00c0_4fd7_ba7c) {
        1 START Start, 2 STOP Stop, 3 DC_START DCStart, 4 DC_STOP DCStop, 11 TERMINATE Terminate,
        32 PERF_CTR PerfCtr, 33 PERF_CTR_RUNDOWN PerfCtrRundown, 39 DEFUNCT Defunct,
    }
    /// Operations on files.
    file_io 0x04 "FileIO" (0x90cb_dc39, 0x4a3e, 0x11d1, 0x84f4_0000_f804_64e3) {
        0 NAME Name, 32 FILE_CREATE FileCreate, 35 FILE_DELETE FileDelete,
        36 FILE_RUNDOWN FileRundown, 37 MAP_FILE MapFile, 38 UNMAP_FILE UnmapFile,
        39 MAP_FILE_DC_START MapFileDCStart, 40 MAP_FILE_DC_STOP MapFileDCStop, 64 CREATE Create,
        65 CLEANUP Cleanup, 66 CLOSE Close, 67 READ Read, 68 WRITE Write, 69 SET_INFO SetInfo,
        70 DELETE Delete, 71 RENAME Rename, 72 DIR_ENUM DirEnum, 73 FLUSH Flush,
        74 QUERY_INFO QueryInfo, 75 FS_CONTROL FSControl, 76 OPERATION_END OperationEnd,
        77 DIR_NOTIFY DirNotify, 78 CREATE_NEW CreateNew, 79 DELETE_PATH DeletePath,
        80 RENAME_PATH RenamePath, 81 SET_LINK_PATH SetLinkPath, 82 SET_LINK SetLink,
        96 PRE_OPERATION_INIT PreOperationInit, 97 POST_OPERATION_INIT PostOperationInit,
        98 PRE_OPERATION PreOperationCompletion, 99 POST_OPERATION PostOperationCompletion,
        100 PRE_OPERATION_FAILURE PreOperationFailure,
        101 POST_OPERATION_FAILURE PostOperationFailure,
    }
    /// Threads and scheduling.
    thread 0x05 "Thread" (0x3d6f_a8d1, 0xfe05, 0x11d0, 0x9dda_00c0_4fd7_ba7c) {
        1 START Start, 2 STOP Stop, 3 DC_START DCStart, 4 DC_STOP DCStop, 36 SWITCH CSwitch,
        37 PACKED_SWITCHES CompCS, 41 SPIN_LOCK SpinLock, 48 SET_PRIORITY SetPriority,
        49 SET_BASE_PRIORITY SetBasePriority, 50 READY_THREAD ReadyThread,
        51 SET_PAGE_PRIORITY SetPagePriority, 52 SET_IO_PRIORITY SetIoPriority,
        66 AUTO_BOOST_SET_FLOOR AutoBoostSetFloor, 67 AUTO_BOOST_CLEAR_FLOOR AutoBoostClearFloor,
        68 AUTO_BOOST_ENTRY_EXHAUSTION AutoBoostEntryExhaustion, 72 SET_NAME SetName,
    }
    /// TCP.
    tcp_ip 0x06 "TcpIp" (0x9a28_0ac0, 0xc8e0, 0x11d1, 0x84e2_00c0_4fb9_98a2) {
        10 SEND Send, 11 RECV Recv, 12 CONNECT Connect, 13 DISCONNECT Disconnect,
        14 RETRANSMIT Retransmit, 15 ACCEPT Accept, 16 RECONNECT Reconnect, 17 FAIL Fail,
        18 TCP_COPY TCPCopy, 26 SEND_V6 SendIPV6, 27 RECV_V6 RecvIPV6, 28 CONNECT_V6 ConnectIPV6,
        29 DISCONNECT_V6 DisconnectIPV6, 30 RETRANSMIT_V6 RetransmitIPV6, 31 ACCEPT_V6 AcceptIPV6,
        32 RECONNECT_V6 ReconnectIPV6, 34 TCP_COPY_V6 TCPCopyIPV6,
    }
    /// UDP.
    udp_ip 0x08 "UdpIp" (0xbf3a_50c5, 0xa9c9, 0x4988, 0xa005_2df0_b7c8_0f80) {
        10 SEND Send, 11 RECV Recv, 17 FAIL Fail, 26 SEND_V6 SendIPV6, 27 RECV_V6 RecvIPV6,
    }
    /// The registry.
    registry 0x09 "Registry" (0xae53_722e, 0xc863, 0x11d2, 0x8659_00c0_4fa3_21a1) {
        10 CREATE Create, 11 OPEN Open, 12 DELETE Delete, 13 QUERY Query, 14 SET_VALUE SetValue,
        15 DELETE_VALUE DeleteValue, 16 QUERY_VALUE QueryValue, 17 ENUMERATE_KEY EnumerateKey,
        18 ENUMERATE_VALUE_KEY EnumerateValueKey, 19 QUERY_MULTIPLE_VALUE QueryMultipleValue,
        20 SET_INFORMATION SetInformation, 21 FLUSH Flush, 22 KCB_CREATE KCBCreate,
        23 KCB_DELETE KCBDelete, 24 KCB_RUNDOWN_BEGIN KCBRundownBegin,
        25 KCB_RUNDOWN_END KCBRundownEnd, 26 VIRTUALIZE Virtualize, 27 CLOSE Close,
        28 SET_SECURITY SetSecurity, 29 QUERY_SECURITY QuerySecurity, 34 COUNTERS Counters,
        35 CONFIG Config,
    }
    /// The machine.
    system_config 0x0b "SystemConfig" (0x0185_3a65, 0x418f, 0x4f36, 0xaefc_dc0f_1d2f_d235) {
        10 CPU CPU, 11 PHYSICAL_DISK PhyDisk, 12 LOGICAL_DISK LogDisk, 13 NIC NIC,
        14 VIDEO Video, 15 SERVICES Services, 16 POWER Power, 17 NETWORK Network,
        18 OPTICAL_MEDIA OpticalMedia,
        19 PHYSICAL_DISK_EX PhyDiskEx, 21 IRQ IRQ, 22 PNP PnP, 23 IDE_CHANNEL IDEChannel,
        24 NUMA_NODE NumaNode, 25 PLATFORM Platform, 26 PROCESSOR_GROUP ProcessorGroup,
        27 PROCESSOR_NUMBER ProcessorNumber, 28 DPI DPI, 29 CODE_INTEGRITY CodeIntegrity,
        30 MACHINE_ID MachineId, 31 DEFRAGMENTATION Defragmentation, 33 DEVICE_FAMILY DeviceFamily,
        34 FLIGHT_IDS FlightIds, 35 PROCESSOR Processor, 36 VIRTUALIZATION Virtualization,
        37 BOOT Boot,
    }
    /// Samples, system calls, interrupts.
    perf_info 0x0f "PerfInfo" (0xce1d_bfb4, 0x137e, 0x4da6, 0x87b0_3f59_aa10_2cbc) {
        34 MARK Mark, 46 SAMPLE Sample, 47 COUNTER_SAMPLE PMCSample, 50 MESSAGE_ISR ISR,
        51 SYSTEM_CALL_ENTER SysClEnter, 52 SYSTEM_CALL_EXIT SysClExit,
        55 SAMPLE_CACHE SampleCache, 58 DEBUGGER_ENABLED DebuggerEnabled,
        66 THREADED_DPC ThreadedDPC, 67 ISR ISR, 68 DPC DPC, 69 TIMER_DPC TimerDPC,
        72 SET_INTERVAL SetInterval, 73 COLLECTION_START CollectionStart,
        74 COLLECTION_END CollectionEnd, 75 COLLECTION_START_SECOND CollectionStartSecond,
        76 COLLECTION_END_SECOND CollectionEndSecond,
    }
    /// Handles and objects.
    object 0x11 "Object" (0x8949_7f50, 0xeffe, 0x4440, 0x8cf2_ce6b_1cdc_aca7) {
        32 CREATE_HANDLE CreateHandle, 33 CLOSE_HANDLE CloseHandle,
        34 DUPLICATE_HANDLE DuplicateHandle, 36 TYPE_DC_START TypeDCStart,
        37 TYPE_DC_END TypeDCEnd, 38 HANDLE_DC_START HandleDCStart, 39 HANDLE_DC_END HandleDCEnd,
        48 CREATE_OBJECT CreateObject, 49 DELETE_OBJECT DeleteObject,
    }
    /// Loaded images.
    image 0x14 "Image" (0x2cb1_5d1d, 0x5fc1, 0x11d2, 0xabe1_00a0_c911_f518) {
        2 UNLOAD Unload, 3 DC_START DCStart, 4 DC_STOP DCStop, 10 LOAD Load,
        33 KERNEL_BASE KernelBase, 34 HYPERCALL_PAGE HypercallPage,
    }
    /// Stacks.
    stack_walk 0x18 "StackWalk" (0xdef2_fe46, 0x7bd6, 0x4b80, 0xbd94_f57f_e20d_0ce3) {
        32 STACK Stack, 34 KEY_CREATE KeyCreate, 35 KEY_DELETE KeyDelete,
        36 KEY_RUNDOWN KeyRundown, 37 KERNEL_KEY StackKeyKernel, 38 USER_KEY StackKeyUser,
    }
    /// Local procedure calls.
    alpc 0x1a "ALPC" (0x45d8_cccd, 0x539f, 0x4b72, 0xa8b7_5c68_3142_609a) {
        33 SEND_MESSAGE SendMessage, 34 RECEIVE_MESSAGE ReceiveMessage,
        35 WAIT_FOR_REPLY WaitForReply, 36 WAIT_FOR_NEW_MESSAGE WaitForNewMessage,
        37 UNWAIT Unwait,
    }
    /// Requests split by volumes.
    split_io 0x1b "SplitIo" (0xd837_ca92, 0x12b9, 0x44a5, 0xad6a_3a65_b357_8aa8) {
    }
}
