/* The eBPF programs that follow TCP connections and name look-ups. Purpose and output: src/network.rs. Compiled
 * ahead of time into net.bpf.o by ./build.
 *
 * A connection is followed from the moment its socket leaves the closed state until it returns there. Counts stay in
 * the kernel meanwhile. Two records are written: one when the owner of the connection is known, one when it ends.
 *
 * Only tracepoints and an iterator, as in whyslow.bpf.c, and in addition probes on functions of the C library.
 * Runs on x86-64, Linux 6.3 and later (tracepoints sock_send_length and sock_recv_length). */

#include "kernel.h"

#define PROTOCOL_TCP 6
#define PROTOCOL_UDP 17
#define PORT_DNS 53
#define MSG_PEEK 2
#define MSG_MORE 0x8000
#define LOOPBACK 8

/* ---- kernel interface ------------------------------------------------------------------------ */

enum {
	TCP_ESTABLISHED = 1,
	TCP_SYN_SENT,
	TCP_SYN_RECV,
	TCP_FIN_WAIT1,
	TCP_FIN_WAIT2,
	TCP_TIME_WAIT,
	TCP_CLOSE,
	TCP_CLOSE_WAIT,
	TCP_LAST_ACK,
	TCP_LISTEN,
};

/* `struct sock` as one that listens; what follows ___ is no part of the name. */
struct sock___listening {
	u32 sk_max_ack_backlog;
} CORE;

struct inet_sock {
	u16 inet_sport;
} CORE;

struct tcp_sock {
	u32 write_seq, snd_nxt, snd_una, snd_wnd;
	u32 rcv_nxt, copied_seq;
	u32 packets_out, mss_cache, srtt_us, snd_cwnd;
	u64 delivered_mstamp;
} CORE;

struct net_device {
	u32 flags;
} CORE;

struct sk_buff {
	struct net_device *dev;
	struct sock *sk;
	u8 *head, *data;
	u32 len, data_len;
	u16 transport_header, network_header;
} CORE;

static struct tcp_sock *(*to_tcp_sock)(void *sk) = (void *)137;

/* ---- settings, written by the loader --------------------------------------------------------- */

const volatile u32 own_pid = 0;

/* ---- output ---------------------------------------------------------------------------------- */

enum {
	KIND_OPEN = 1,
	KIND_END,
	KIND_PACKET,
	KIND_LOOKUP,
};

/* Values of `side`: which end opened the connection. */
enum {
	SIDE_UNKNOWN,
	SIDE_OUT,
	SIDE_IN,
	SIDE_LISTENING,
};

/* Bits of `flags`. */
enum {
	EXISTED = 1,
	PEER_CLOSED_FIRST = 2,
	RESET_SENT = 4,
	RESET_RECEIVED = 8,
	AWAITS_REPLY = 16,
};

/* The record of a connection, as src/network.rs reads it. Ports are in host byte order, times in ns of the
 * monotonic clock, `window` in packets; of a listening socket, it is the length of its queue. */
struct connection {
	u16 kind, family;
	u16 local_port, remote_port;
	u32 pid, tid;
	u64 number;
	u64 opened_ns, connected_ns, ended_ns;
	u8 side, state, flags, syn_retransmits;
	u32 error;
	u8 local[16], remote[16];
	u64 sent_bytes, received_bytes;
	u32 sends, receives;
	u32 small_sends, retransmits;
	u64 retransmit_ns, longest_retransmit_ns;
	u32 replies, held_replies;
	u64 reply_ns, longest_reply_ns;
	u64 held_ns;
	u32 answers, drops;
	u64 answer_ns;
	u32 rtt_us, window;
	u32 small_receives, partial_receives;
};

/* What is kept about a connection while it is open. */
struct followed {
	struct connection report;
	/* When it last sent, last received, began to be held (see is_held) and last retransmitted. 0: never, or no
	 * longer of interest: received_ns after the answer, held_ns after the hold. */
	u64 sent_ns, received_ns, held_ns, retransmitted_ns;
	/* Flags, but 32 bits wide: eBPF has no atomic operations on less. */
	u32 awaits_reply, is_reported;
};

struct packet {
	u16 kind, family;
	u16 source_port, target_port;
	u32 pid, tid;
	u64 time_ns;
	u8 protocol, is_received;
	u16 bytes;
	u32 unused;
	u8 source[16], target[16];
};

#define PACKET_ROOM 512

struct packet_scratch {
	struct packet head;
	u8 data[PACKET_ROOM];
};

#define NAME_ROOM 256

struct lookup {
	u16 kind, bytes;
	s32 result;
	u32 pid, tid;
	u64 from_ns, to_ns;
	u8 name[NAME_ROOM];
};

/* What is kept about a look-up until it returns. */
struct running_lookup {
	struct lookup report;
	/* The stack pointer when it began. */
	u64 sp;
};

struct {
	UINT(type, MAP_HASH);
	UINT(map_flags, NO_PREALLOC);
	UINT(max_entries, 65536);
	TYPE(key, u64);
	TYPE(value, struct followed);
} connections SEC(".maps");

struct {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, struct packet_scratch);
} packets SEC(".maps");

struct {
	UINT(type, MAP_HASH);
	UINT(map_flags, NO_PREALLOC);
	UINT(max_entries, 16384);
	TYPE(key, u32);
	TYPE(value, struct running_lookup);
} lookups SEC(".maps");

/* Connections that could not be followed, and records for which there was no room. */
struct {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, u64);
} lost SEC(".maps");

SHARED int count_loss(void)
{
	u32 zero = 0;
	u64 *count = map_lookup(&lost, &zero);
	if (count) (*count)++;
	return 0;
}

/* ---- connections ----------------------------------------------------------------------------- */

INLINE u16 swap_bytes(u16 port)
{
	return port << 8 | port >> 8;
}

/* Reads the addresses and ports of both ends. A port that the socket does not have yet, or no longer has, keeps the
 * value that was read before. */
SHARED int read_ends(struct connection *report, struct sock *sk)
{
	if (!report || !sk) return 0;
	u16 port = 0;
	READ(report->family, sk->__sk_common.skc_family);
	if (report->family == AF_INET) {
		probe_read_kernel(report->local, 4, &sk->__sk_common.skc_rcv_saddr);
		probe_read_kernel(report->remote, 4, &sk->__sk_common.skc_daddr);
	} else {
		READ(report->local, sk->__sk_common.skc_v6_rcv_saddr);
		READ(report->remote, sk->__sk_common.skc_v6_daddr);
	}
	READ(port, sk->__sk_common.skc_dport);
	if (port) report->remote_port = swap_bytes(port);
	READ(port, sk->__sk_common.skc_num);
	if (!port) {
		struct inet_sock *inet = (void *)sk;
		READ(port, inet->inet_sport);
		port = swap_bytes(port);
	}
	if (port) report->local_port = port;
	return 0;
}

/* Reads what the kernel itself keeps about a connection. */
SHARED int read_figures(struct connection *report, struct sock *sk)
{
	if (!report || !sk) return 0;
	struct tcp_sock *tcp = (void *)sk;
	u32 rtt = 0;
	READ(report->error, sk->sk_err);
	READ(report->state, sk->__sk_common.skc_state);
	READ(rtt, tcp->srtt_us);
	/* The kernel stores eight times the smoothed value. */
	if (rtt) report->rtt_us = rtt >> 3;
	if (report->side == SIDE_LISTENING) {
		READ(report->drops, sk->sk_drops.counter);
		struct sock___listening *listening = (void *)sk;
		READ(report->window, listening->sk_max_ack_backlog);
	} else {
		READ(report->window, tcp->snd_cwnd);
	}
	return 0;
}

INLINE struct followed *find_connection(void *sk)
{
	u64 key = (u64)sk;
	return map_lookup(&connections, &key);
}

INLINE void set_owner(struct connection *report)
{
	u64 pid_tgid = current_pid_tgid();
	report->pid = pid_tgid >> 32;
	report->tid = pid_tgid;
}

/* Begins to follow a connection; NULL: there is no room. The entry is built on the stack and not in a per-CPU map,
 * which another thread may use before this one is done. */
SHARED struct followed *follow(struct sock *sk, u64 now, u32 side)
{
	u64 key = (u64)sk;
	struct followed fresh;
	__builtin_memset(&fresh, 0, sizeof(fresh));
	fresh.report.number = now << 8 | (get_smp_processor_id() & 255);
	fresh.report.opened_ns = now;
	fresh.report.side = side;
	read_ends(&fresh.report, sk);
	if (map_update(&connections, &key, &fresh, 0)) count_loss();
	return map_lookup(&connections, &key);
}

/* Reports a connection once. If its owner is not known, the owner is the thread that uses it now. */
SHARED int report_open(void *ctx, struct followed *connection)
{
	if (!connection || connection->is_reported) return 0;
	if (__sync_val_compare_and_swap(&connection->is_reported, 0, 1)) return 0;
	if (!connection->report.pid) set_owner(&connection->report);
	connection->report.kind = KIND_OPEN;
	if (perf_event_output(ctx, &output, CURRENT_CPU, &connection->report, sizeof(connection->report))) count_loss();
	return 0;
}

SHARED int report_end(void *ctx, struct followed *connection)
{
	if (!connection) return 0;
	connection->report.kind = KIND_END;
	if (connection->awaits_reply) connection->report.flags |= AWAITS_REPLY;
	if (perf_event_output(ctx, &output, CURRENT_CPU, &connection->report, sizeof(connection->report))) count_loss();
	return 0;
}

INLINE void end_connection(void *ctx, struct sock *sk, u64 now)
{
	u64 key = (u64)sk;
	struct followed *connection = find_connection(sk);
	if (!connection) return;
	read_ends(&connection->report, sk);
	read_figures(&connection->report, sk);
	if (!connection->report.ended_ns) connection->report.ended_ns = now;
	report_end(ctx, connection);
	map_delete(&connections, &key);
}

SEC("tp_btf/inet_sock_set_state")
int on_state(u64 *ctx)
{
	struct sock *sk = (void *)ctx[0];
	int from = ctx[1], to = ctx[2];
	if (sk->sk_protocol != PROTOCOL_TCP) return 1;
	u64 now = ktime_get_ns();
	struct followed *connection;
	switch (to) {
	case TCP_SYN_SENT:
		connection = follow(sk, now, SIDE_OUT);
		if (!connection) return 1;
		report_open(ctx, connection);
		return 1;
	case TCP_LISTEN:
		connection = follow(sk, now, SIDE_LISTENING);
		if (!connection) return 1;
		report_open(ctx, connection);
		return 1;
	case TCP_ESTABLISHED:
		connection = from == TCP_SYN_RECV ? follow(sk, now, SIDE_IN) : find_connection(sk);
		if (!connection) return 1;
		connection->report.connected_ns = now;
		read_ends(&connection->report, sk);
		return 1;
	case TCP_CLOSE:
		end_connection(ctx, sk, now);
		return 1;
	}
	connection = find_connection(sk);
	if (!connection) return 1;
	if (to == TCP_CLOSE_WAIT) connection->report.flags |= PEER_CLOSED_FIRST;
	/* The program has closed it; the kernel does the rest. */
	if (to == TCP_FIN_WAIT1 || to == TCP_LAST_ACK) {
		connection->report.ended_ns = now;
		read_figures(&connection->report, sk);
	}
	return 1;
}

/* Nanoseconds from `then` to `now`. Several CPUs write the same times, so `then` may be the later one; 0 in that
 * case. */
INLINE u64 elapsed_ns(u64 then, u64 now)
{
	return now > then ? now - then : 0;
}

/* A send or receive of fewer bytes is small. */
#define SMALL 256

/* Whether Nagle's algorithm holds the last, incomplete segment until everything before it has been acknowledged.
 * That is so if neither the congestion window nor the window of the receiver prevents sending it. */
INLINE bool is_held(struct tcp_sock *tcp)
{
	u32 unsent = tcp->write_seq - tcp->snd_nxt;
	u32 in_flight = tcp->snd_nxt - tcp->snd_una;
	if (!unsent || unsent >= tcp->mss_cache || !tcp->packets_out) return 0;
	return tcp->packets_out < tcp->snd_cwnd && in_flight + unsent <= tcp->snd_wnd;
}

/* The programs that remember whom a datagram socket asks, see asked.h. */
struct called then_sent SEC(".maps");
struct called then_received SEC(".maps");

SEC("tp_btf/sock_send_length")
int on_send(u64 *ctx)
{
	struct sock *sk = (void *)ctx[0];
	int bytes = ctx[1], flags = ctx[2];
	if (sk->sk_protocol == PROTOCOL_UDP) tail_call(ctx, &then_sent, 0);
	if (sk->sk_protocol != PROTOCOL_TCP || bytes <= 0) return 1;
	struct followed *connection = find_connection(sk);
	if (!connection) return 1;
	report_open(ctx, connection);
	u64 now = ktime_get_ns();
	__sync_fetch_and_add(&connection->report.sends, 1);
	__sync_fetch_and_add(&connection->report.sent_bytes, bytes);
	if (bytes < SMALL) __sync_fetch_and_add(&connection->report.small_sends, 1);
	u64 received_ns = connection->received_ns ? __sync_lock_test_and_set(&connection->received_ns, 0) : 0;
	if (received_ns) {
		__sync_fetch_and_add(&connection->report.answers, 1);
		__sync_fetch_and_add(&connection->report.answer_ns, elapsed_ns(received_ns, now));
	}
	connection->sent_ns = now;
	connection->awaits_reply = 1;
	struct tcp_sock *tcp = flags & MSG_MORE ? NULL : to_tcp_sock(sk);
	if (tcp && is_held(tcp)) {
		if (!connection->held_ns) connection->held_ns = now;
	} else {
		connection->held_ns = 0;
	}
	return 1;
}

/* In ns. A hold shorter than this does not come from a delayed acknowledgement, which takes 40 ms (TCP_DELACK_MIN). */
#define LONG_HELD 20000000

SEC("tp_btf/sock_recv_length")
int on_receive(u64 *ctx)
{
	struct sock *sk = (void *)ctx[0];
	int bytes = ctx[1], flags = ctx[2];
	if (sk->sk_protocol == PROTOCOL_UDP) tail_call(ctx, &then_received, 0);
	if (sk->sk_protocol != PROTOCOL_TCP || bytes <= 0 || flags & MSG_PEEK) return 1;
	struct followed *connection = find_connection(sk);
	if (!connection) return 1;
	report_open(ctx, connection);
	u64 now = ktime_get_ns();
	__sync_fetch_and_add(&connection->report.receives, 1);
	__sync_fetch_and_add(&connection->report.received_bytes, bytes);
	if (bytes < SMALL) {
		__sync_fetch_and_add(&connection->report.small_receives, 1);
		struct tcp_sock *tcp = to_tcp_sock(sk);
		/* What is left had arrived before the call ended. */
		if (tcp && tcp->rcv_nxt != tcp->copied_seq)
			__sync_fetch_and_add(&connection->report.partial_receives, 1);
	}
	connection->received_ns = now;
	/* The program has shut down only its own side, and still reads. */
	if (connection->report.ended_ns) connection->report.ended_ns = now;
	if (!connection->awaits_reply || !__sync_lock_test_and_set(&connection->awaits_reply, 0)) return 1;
	u64 took = elapsed_ns(connection->sent_ns, now);
	__sync_fetch_and_add(&connection->report.replies, 1);
	__sync_fetch_and_add(&connection->report.reply_ns, took);
	if (took > connection->report.longest_reply_ns) connection->report.longest_reply_ns = took;
	u64 held_ns = connection->held_ns;
	if (held_ns && elapsed_ns(held_ns, now) >= LONG_HELD) {
		__sync_fetch_and_add(&connection->report.held_replies, 1);
		__sync_fetch_and_add(&connection->report.held_ns, elapsed_ns(held_ns, now));
	}
	connection->held_ns = 0;
	return 1;
}

SEC("tp_btf/tcp_retransmit_skb")
int on_retransmit(u64 *ctx)
{
	struct tcp_sock *tcp = (void *)ctx[0];
	struct followed *connection = find_connection(tcp);
	if (!connection) return 1;
	struct connection *report = &connection->report;
	/* Until it is established, all that it sends is its SYN. */
	if (report->side == SIDE_OUT && !report->connected_ns && report->syn_retransmits < 255) report->syn_retransmits++;
	u64 now = ktime_get_ns(), last = connection->report.opened_ns, delivered_us = 0;
	/* The wait begins when the last data was acknowledged, or when data was sent while none was in flight; the
	 * kernel keeps this time in µs. It does not begin with the last send: a program may keep sending while
	 * nothing gets through. */
	READ(delivered_us, tcp->delivered_mstamp);
	if (delivered_us * 1000 > last) last = delivered_us * 1000;
	if (connection->retransmitted_ns > last) last = connection->retransmitted_ns;
	u64 waited = elapsed_ns(last, now);
	connection->retransmitted_ns = now;
	__sync_fetch_and_add(&connection->report.retransmits, 1);
	__sync_fetch_and_add(&connection->report.retransmit_ns, waited);
	if (waited > connection->report.longest_retransmit_ns) connection->report.longest_retransmit_ns = waited;
	return 1;
}

SEC("tp_btf/tcp_receive_reset")
int on_receive_reset(u64 *ctx)
{
	struct followed *connection = find_connection((void *)ctx[0]);
	if (connection) connection->report.flags |= RESET_RECEIVED;
	return 1;
}

SEC("tp_btf/tcp_send_reset")
int on_send_reset(u64 *ctx)
{
	struct followed *connection = find_connection((void *)ctx[0]);
	if (connection) connection->report.flags |= RESET_SENT;
	return 1;
}

/* The socket of a file; NULL if the file is not a TCP socket. */
INLINE struct sock *socket_of(struct file *file)
{
	struct inode *inode = NULL;
	struct socket *socket = NULL;
	struct sock *sk = NULL;
	u16 mode = 0, protocol = 0, family = 0;
	READ(inode, file->f_inode);
	if (!inode) return NULL;
	READ(mode, inode->i_mode);
	if ((mode & FILE_TYPE) != TYPE_SOCKET) return NULL;
	READ(socket, file->private_data);
	if (!socket) return NULL;
	READ(sk, socket->sk);
	if (!sk) return NULL;
	READ(protocol, sk->sk_protocol);
	READ(family, sk->__sk_common.skc_family);
	bool is_internet = family == AF_INET || family == AF_INET6;
	return protocol == PROTOCOL_TCP && is_internet ? sk : NULL;
}

/* The TCP socket of a descriptor of the current task, which `accept` has returned. */
INLINE struct sock *accepted_socket(s64 descriptor)
{
	struct task_struct *task = get_current_task();
	struct files_struct *files = NULL;
	struct fdtable *table = NULL;
	struct file **slots = NULL, *file = NULL;
	u32 count = 0;
	READ(files, task->files);
	if (!files) return NULL;
	READ(table, files->fdt);
	if (!table) return NULL;
	READ(count, table->max_fds);
	if (descriptor >= count) return NULL;
	READ(slots, table->fd);
	probe_read_kernel(&file, sizeof(file), slots + descriptor);
	return file ? socket_of(file) : NULL;
}

/* The programs that run at the end of a call, see ends.h. */
struct {
	UINT(type, MAP_PROG_ARRAY);
	UINT(max_entries, 2);
	UINT(key_size, sizeof(u32));
	UINT(value_size, sizeof(u32));
} then_call SEC(".maps");

SEC("tp_btf/sys_exit")
int on_accept(u64 *ctx)
{
	struct pt_regs *regs = (void *)ctx[0];
	s64 result = ctx[1];
	bool is_accept = regs->orig_ax == NR_ACCEPT || regs->orig_ax == NR_ACCEPT4;
	bool is_compat = get_current_task()->thread_info.status & TS_COMPAT;
	if (is_accept && !is_compat && result >= 0) {
		struct sock *sk = accepted_socket(result);
		struct followed *connection = sk ? find_connection(sk) : NULL;
		if (connection) report_open(ctx, connection);
	}
	/* Place 1 is for measured runs; it is also right for others, because ending a run that is not measured does
	 * nothing. */
	tail_call(ctx, &then_call, 1);
	return 1;
}

/* Visits all connections that processes have open. Begins to follow those that were opened before the recording, and
 * updates the figures of all. */
SEC("iter/task_file")
int list_connections(struct bpf_iter__task_file *ctx)
{
	struct task_struct *task = ctx->task;
	struct file *file = ctx->file;
	if (!task || !file) return 0;
	struct sock *sk = socket_of(file);
	if (!sk) return 0;
	struct followed *connection = find_connection(sk);
	if (!connection) {
		u8 state = 0;
		READ(state, sk->__sk_common.skc_state);
		if (state == TCP_CLOSE) return 0;
		connection = follow(sk, ktime_get_ns(), state == TCP_LISTEN ? SIDE_LISTENING : SIDE_UNKNOWN);
		if (!connection) return 0;
		connection->report.flags = EXISTED;
		/* The recorder finds it in the map and reports it. */
		connection->report.pid = task->tgid;
		connection->report.tid = task->pid;
		connection->is_reported = 1;
	}
	read_figures(&connection->report, sk);
	return 0;
}

/* ---- DNS packets ------------------------------------------------------------------------------ */

struct ports {
	u16 source, target;
};

/* Where the DNS message of a packet begins: after the UDP or TCP header. NULL: neither port is that of DNS. */
INLINE u8 *dns_message(struct packet *head, u8 *transport)
{
	struct ports ports = {};
	if (probe_read_kernel(&ports, sizeof(ports), transport)) return NULL;
	head->source_port = swap_bytes(ports.source);
	head->target_port = swap_bytes(ports.target);
	if (head->source_port != PORT_DNS && head->target_port != PORT_DNS) return NULL;
	if (head->protocol == PROTOCOL_UDP) return transport + 8;
	/* The length of the TCP header in words of four bytes is in the upper half of its byte 12. */
	u8 data_offset = 0;
	probe_read_kernel(&data_offset, 1, transport + 12);
	return transport + (data_offset >> 4) * 4;
}

/* Reads both addresses from the IP header, where they are adjacent. */
INLINE void read_addresses(struct packet *head, u8 *network)
{
	__builtin_memset(head->source, 0, 32);
	if (head->family == AF_INET) {
		probe_read_kernel(head->source, 4, network + 12);
		probe_read_kernel(head->target, 4, network + 16);
	} else {
		probe_read_kernel(head->source, 32, network + 8);
	}
}

/* Writes a DNS message, of which `rest` bytes are contiguous in memory; at most PACKET_ROOM - 1 of them. */
SHARED int report_packet(void *ctx, struct packet_scratch *scratch, u8 *message, s64 rest)
{
	if (!scratch || rest <= 0) return 0;
	u64 bytes = rest;
	if (bytes > PACKET_ROOM - 1) bytes = PACKET_ROOM - 1;
	u64 pid_tgid = current_pid_tgid();
	struct packet *head = &scratch->head;
	head->kind = KIND_PACKET;
	head->pid = pid_tgid >> 32;
	head->tid = pid_tgid;
	head->time_ns = ktime_get_ns();
	head->bytes = bytes;
	head->unused = 0;
	if (probe_read_kernel(scratch->data, bytes & (PACKET_ROOM - 1), message)) return 0;
	u64 size = sizeof(*head) + (bytes & (PACKET_ROOM - 1));
	if (perf_event_output(ctx, &output, CURRENT_CPU, scratch, size)) count_loss();
	return 0;
}

/* DNS packets that this machine sends, as a client or as a name server. */
SEC("tp_btf/net_dev_queue")
int on_packet_sent(u64 *ctx)
{
	struct sk_buff *skb = (void *)ctx[0];
	struct sock *sk = skb->sk;
	/* A packet without a socket is forwarded for another machine, or has been seen before. */
	if (!sk) return 1;
	u16 family = sk->__sk_common.skc_family;
	if (family != AF_INET && family != AF_INET6) return 1;
	u16 protocol = sk->sk_protocol;
	bool is_dns = sk->__sk_common.skc_num == PORT_DNS ||
		      sk->__sk_common.skc_dport == PORT_DNS << 8;
	if (protocol == PROTOCOL_TCP ? !is_dns : protocol != PROTOCOL_UDP) return 1;
	u32 zero = 0;
	struct packet_scratch *scratch = map_lookup(&packets, &zero);
	if (!scratch) return 1;
	struct packet *head = &scratch->head;
	u8 *network = skb->head + skb->network_header;
	u8 version = 0;
	probe_read_kernel(&version, 1, network);
	head->family = version >> 4 == 4 ? AF_INET : AF_INET6;
	head->protocol = protocol;
	head->is_received = 0;
	u8 *message = dns_message(head, skb->head + skb->transport_header);
	if (!message) return 1;
	read_addresses(head, network);
	u8 *last = skb->data + (skb->len - skb->data_len);
	report_packet(ctx, scratch, message, last - message);
	return 1;
}

/* DNS answers from other machines. */
SEC("tp_btf/netif_receive_skb")
int on_packet_received(u64 *ctx)
{
	struct sk_buff *skb = (void *)ctx[0];
	struct net_device *device = skb->dev;
	if (!device || device->flags & LOOPBACK) return 1;
	u32 zero = 0;
	struct packet_scratch *scratch = map_lookup(&packets, &zero);
	if (!scratch) return 1;
	struct packet *head = &scratch->head;
	u8 *network = skb->data;
	/* As far as the protocol: byte 9 in IPv4, byte 6 in IPv6. Extension headers of IPv6 are not followed. */
	u8 start[10];
	if (probe_read_kernel(start, sizeof(start), network)) return 1;
	u32 bytes = 40;
	if (start[0] >> 4 == 4) {
		head->family = AF_INET;
		head->protocol = start[9];
		bytes = (start[0] & 15) * 4;
	} else if (start[0] >> 4 == 6) {
		head->family = AF_INET6;
		head->protocol = start[6];
	} else {
		return 1;
	}
	if (head->protocol != PROTOCOL_UDP && head->protocol != PROTOCOL_TCP) return 1;
	head->is_received = 1;
	u8 *message = dns_message(head, network + bytes);
	if (!message || head->source_port != PORT_DNS) return 1;
	read_addresses(head, network);
	u8 *last = skb->data + (skb->len - skb->data_len);
	report_packet(ctx, scratch, message, last - message);
	return 1;
}

/* ---- look-ups in programs --------------------------------------------------------------------- */

SEC("uprobe")
int on_lookup(struct pt_regs *ctx)
{
	u64 pid_tgid = current_pid_tgid();
	u32 tid = pid_tgid, pid = pid_tgid >> 32;
	/* If one look-up function calls another, only the outer call counts. An earlier call that began at the same
	 * depth of the stack or deeper never returned: the program left it by longjmp, or its thread ended. */
	struct running_lookup *outer = map_lookup(&lookups, &tid);
	if (outer && outer->report.pid == pid && ctx->sp < outer->sp) return 0;
	struct running_lookup fresh;
	__builtin_memset(&fresh, 0, sizeof(fresh));
	fresh.report.kind = KIND_LOOKUP;
	fresh.report.pid = pid;
	fresh.report.tid = tid;
	fresh.report.from_ns = ktime_get_ns();
	long bytes = probe_read_user_str(fresh.report.name, NAME_ROOM, (void *)ctx->di);
	fresh.report.bytes = bytes > 1 ? bytes - 1 : 0;
	fresh.sp = ctx->sp;
	if (map_update(&lookups, &tid, &fresh, 0)) count_loss();
	return 0;
}

INLINE void end_lookup(struct pt_regs *ctx, s32 result)
{
	u32 tid = current_pid_tgid();
	struct running_lookup *lookup = map_lookup(&lookups, &tid);
	/* When an inner call returns, the stack is still deeper than at the beginning of the outer one. */
	if (!lookup || ctx->sp <= lookup->sp) return;
	lookup->report.result = result;
	lookup->report.to_ns = ktime_get_ns();
	u64 bytes = lookup->report.bytes;
	if (bytes > NAME_ROOM) bytes = NAME_ROOM;
	u64 size = sizeof(lookup->report) - NAME_ROOM + bytes;
	if (perf_event_output(ctx, &output, CURRENT_CPU, &lookup->report, size)) count_loss();
	map_delete(&lookups, &tid);
}

/* Functions that return 0 or an error number, such as getaddrinfo. */
SEC("uretprobe")
int on_lookup_number(struct pt_regs *ctx)
{
	end_lookup(ctx, ctx->ax);
	return 0;
}

/* EAI_NONAME of getaddrinfo. */
#define NO_ADDRESS (-2)

/* Functions that return a pointer to the answer, or NULL, such as gethostbyname. */
SEC("uretprobe")
int on_lookup_place(struct pt_regs *ctx)
{
	end_lookup(ctx, ctx->ax ? 0 : NO_ADDRESS);
	return 0;
}
