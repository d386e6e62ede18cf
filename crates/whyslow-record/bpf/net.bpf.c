/* The eBPF programs that follow TCP connections and look-ups of names. What they are for, and what they
 * write: src/bpf/net.rs. Compiled ahead into net.bpf.o by ./build.
 *
 * A connection is followed from the moment its socket leaves the closed state until it is closed again. What
 * is counted meanwhile stays in the kernel; there is one record when it is known who has it, and one when it
 * ends.
 *
 * As in whyslow.bpf.c: only tracepoints and an iterator, but also probes of functions of the C library.
 * Runs on x86-64, Linux 6.3 and later: before that nothing tells of sends and receives. */

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

struct inet_sock {
	u16 inet_sport;
} CORE;

struct tcp_sock {
	u32 write_seq, snd_nxt, snd_una, snd_wnd;
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

/* Bits of `side`. */
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
};

/* A connection as it is written. */
struct connection {
	u16 kind, family;
	u16 local_port, remote_port;
	u32 pid, tid;
	u64 number;
	u64 opened_ns, connected_ns, ended_ns;
	u8 side, state, flags, unused;
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
};

/* A connection as it is kept. */
struct followed {
	struct connection told;
	/* 0: not since. */
	u64 sent_ns, received_ns, held_ns, retransmitted_ns;
	/* Of a size that can be exchanged. */
	u32 awaits_reply, is_told;
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

/* A look-up as it is kept. */
struct running_lookup {
	struct lookup told;
	/* Where the stack was when it began. */
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

/* Connections that were not followed, and records that found no room. */
struct {
	UINT(type, MAP_PERCPU_ARRAY);
	UINT(max_entries, 1);
	TYPE(key, u32);
	TYPE(value, u64);
} lost SEC(".maps");

SHARED int lose(void)
{
	u32 zero = 0;
	u64 *count = map_lookup(&lost, &zero);
	if (count) (*count)++;
	return 0;
}

/* ---- connections ----------------------------------------------------------------------------- */

INLINE u16 swapped(u16 port)
{
	return port << 8 | port >> 8;
}

/* What both ends are called. A port of its own that is not known yet, or no longer, stays. */
SHARED int read_ends(struct connection *told, struct sock *sk)
{
	if (!told || !sk) return 0;
	u16 port = 0;
	READ(told->family, sk->__sk_common.skc_family);
	if (told->family == AF_INET) {
		probe_read_kernel(told->local, 4, &sk->__sk_common.skc_rcv_saddr);
		probe_read_kernel(told->remote, 4, &sk->__sk_common.skc_daddr);
	} else {
		READ(told->local, sk->__sk_common.skc_v6_rcv_saddr);
		READ(told->remote, sk->__sk_common.skc_v6_daddr);
	}
	READ(port, sk->__sk_common.skc_dport);
	if (port) told->remote_port = swapped(port);
	READ(port, sk->__sk_common.skc_num);
	if (!port) {
		struct inet_sock *inet = (void *)sk;
		READ(port, inet->inet_sport);
		port = swapped(port);
	}
	if (port) told->local_port = port;
	return 0;
}

/* What the kernel itself knows of it. */
SHARED int read_figures(struct connection *told, struct sock *sk)
{
	if (!told || !sk) return 0;
	struct tcp_sock *tcp = (void *)sk;
	u32 rtt = 0;
	READ(told->error, sk->sk_err);
	READ(told->state, sk->__sk_common.skc_state);
	READ(rtt, tcp->srtt_us);
	/* The kernel keeps eight times of it. */
	if (rtt) told->rtt_us = rtt >> 3;
	READ(told->window, tcp->snd_cwnd);
	if (told->side == SIDE_LISTENING) READ(told->drops, sk->sk_drops.counter);
	return 0;
}

INLINE struct followed *find(void *sk)
{
	u64 key = (u64)sk;
	return map_lookup(&connections, &key);
}

INLINE void own(struct connection *told)
{
	u64 both = current_pid_tgid();
	told->pid = both >> 32;
	told->tid = both;
}

/* Begins to follow a connection; NULL: there is no room. It is put together on the stack: what a processor
 * has one of may be another thread's a moment later. */
SHARED struct followed *follow(struct sock *sk, u64 now, u32 side)
{
	u64 key = (u64)sk;
	struct followed fresh;
	__builtin_memset(&fresh, 0, sizeof(fresh));
	fresh.told.number = now << 8 | (get_smp_processor_id() & 255);
	fresh.told.opened_ns = now;
	fresh.told.side = side;
	read_ends(&fresh.told, sk);
	if (map_update(&connections, &key, &fresh, 0)) lose();
	return map_lookup(&connections, &key);
}

/* Says whose it is: who uses it has it, if nobody was known to. */
SHARED int tell_open(void *ctx, struct followed *one)
{
	if (!one || one->is_told || __sync_val_compare_and_swap(&one->is_told, 0, 1)) return 0;
	if (!one->told.pid) own(&one->told);
	one->told.kind = KIND_OPEN;
	if (perf_event_output(ctx, &output, CURRENT_CPU, &one->told, sizeof(one->told))) lose();
	return 0;
}

SHARED int tell_end(void *ctx, struct followed *one)
{
	if (!one) return 0;
	one->told.kind = KIND_END;
	if (perf_event_output(ctx, &output, CURRENT_CPU, &one->told, sizeof(one->told))) lose();
	return 0;
}

INLINE void end(void *ctx, struct sock *sk, u64 now)
{
	u64 key = (u64)sk;
	struct followed *one = find(sk);
	if (!one) return;
	read_ends(&one->told, sk);
	read_figures(&one->told, sk);
	if (!one->told.ended_ns) one->told.ended_ns = now;
	tell_end(ctx, one);
	map_delete(&connections, &key);
}

SEC("tp_btf/inet_sock_set_state")
int on_state(u64 *ctx)
{
	struct sock *sk = (void *)ctx[0];
	int from = ctx[1], to = ctx[2];
	if (sk->sk_protocol != PROTOCOL_TCP) return 1;
	u64 now = ktime_get_ns();
	struct followed *one;
	switch (to) {
	case TCP_SYN_SENT:
		one = follow(sk, now, SIDE_OUT);
		if (!one) return 1;
		tell_open(ctx, one);
		return 1;
	case TCP_LISTEN:
		one = follow(sk, now, SIDE_LISTENING);
		if (!one) return 1;
		tell_open(ctx, one);
		return 1;
	case TCP_ESTABLISHED:
		one = from == TCP_SYN_RECV ? follow(sk, now, SIDE_IN) : find(sk);
		if (!one) return 1;
		one->told.connected_ns = now;
		read_ends(&one->told, sk);
		return 1;
	case TCP_CLOSE:
		end(ctx, sk, now);
		return 1;
	}
	one = find(sk);
	if (!one) return 1;
	if (to == TCP_CLOSE_WAIT) one->told.flags |= PEER_CLOSED_FIRST;
	/* From here on the program has nothing to do with it. */
	if (to == TCP_FIN_WAIT1 || to == TCP_LAST_ACK) {
		one->told.ended_ns = now;
		read_figures(&one->told, sk);
	}
	return 1;
}

/* Several processors write the same times: what is later need not be seen later. */
INLINE u64 since(u64 then, u64 now)
{
	return now > then ? now - then : 0;
}

/* Bytes below which a send is small. */
#define SMALL 256

/* Whether the kernel keeps back the end of what was sent until all before it has arrived. */
INLINE bool is_held(struct tcp_sock *tcp)
{
	u32 unsent = tcp->write_seq - tcp->snd_nxt;
	u32 on_the_way = tcp->snd_nxt - tcp->snd_una;
	if (!unsent || unsent >= tcp->mss_cache || !tcp->packets_out) return 0;
	return tcp->packets_out < tcp->snd_cwnd && on_the_way + unsent <= tcp->snd_wnd;
}

/* What keeps whom datagrams ask, see asked.h. */
struct called then_sent SEC(".maps");
struct called then_received SEC(".maps");

SEC("tp_btf/sock_send_length")
int on_send(u64 *ctx)
{
	struct sock *sk = (void *)ctx[0];
	int bytes = ctx[1], flags = ctx[2];
	if (sk->sk_protocol == PROTOCOL_UDP) tail_call(ctx, &then_sent, 0);
	if (sk->sk_protocol != PROTOCOL_TCP || bytes <= 0) return 1;
	struct followed *one = find(sk);
	if (!one) return 1;
	tell_open(ctx, one);
	u64 now = ktime_get_ns();
	__sync_fetch_and_add(&one->told.sends, 1);
	__sync_fetch_and_add(&one->told.sent_bytes, bytes);
	if (bytes < SMALL) __sync_fetch_and_add(&one->told.small_sends, 1);
	u64 received_ns = one->received_ns ? __sync_lock_test_and_set(&one->received_ns, 0) : 0;
	if (received_ns) {
		__sync_fetch_and_add(&one->told.answers, 1);
		__sync_fetch_and_add(&one->told.answer_ns, since(received_ns, now));
	}
	one->sent_ns = now;
	one->awaits_reply = 1;
	struct tcp_sock *tcp = flags & MSG_MORE ? NULL : to_tcp_sock(sk);
	if (tcp && is_held(tcp)) {
		if (!one->held_ns) one->held_ns = now;
	} else {
		one->held_ns = 0;
	}
	return 1;
}

/* Held for less is not what a delayed acknowledgement is: those take 40 ms. */
#define LONG_HELD 20000000

SEC("tp_btf/sock_recv_length")
int on_receive(u64 *ctx)
{
	struct sock *sk = (void *)ctx[0];
	int bytes = ctx[1], flags = ctx[2];
	if (sk->sk_protocol == PROTOCOL_UDP) tail_call(ctx, &then_received, 0);
	if (sk->sk_protocol != PROTOCOL_TCP || bytes <= 0 || flags & MSG_PEEK) return 1;
	struct followed *one = find(sk);
	if (!one) return 1;
	tell_open(ctx, one);
	u64 now = ktime_get_ns();
	__sync_fetch_and_add(&one->told.receives, 1);
	__sync_fetch_and_add(&one->told.received_bytes, bytes);
	one->received_ns = now;
	/* It has closed its side only, and goes on reading. */
	if (one->told.ended_ns) one->told.ended_ns = now;
	if (!one->awaits_reply || !__sync_lock_test_and_set(&one->awaits_reply, 0)) return 1;
	u64 took = since(one->sent_ns, now);
	__sync_fetch_and_add(&one->told.replies, 1);
	__sync_fetch_and_add(&one->told.reply_ns, took);
	if (took > one->told.longest_reply_ns) one->told.longest_reply_ns = took;
	u64 held_ns = one->held_ns;
	if (held_ns && since(held_ns, now) >= LONG_HELD) {
		__sync_fetch_and_add(&one->told.held_replies, 1);
		__sync_fetch_and_add(&one->told.held_ns, since(held_ns, now));
	}
	one->held_ns = 0;
	return 1;
}

SEC("tp_btf/tcp_retransmit_skb")
int on_retransmit(u64 *ctx)
{
	struct tcp_sock *tcp = (void *)ctx[0];
	struct followed *one = find(tcp);
	if (!one) return 1;
	u64 now = ktime_get_ns(), last = one->told.opened_ns, delivered_us = 0;
	/* When something arrived at the other end last, or was sent with nothing on the way. Not when the
	 * program sent last: it may go on to where nothing gets through. */
	READ(delivered_us, tcp->delivered_mstamp);
	if (delivered_us * 1000 > last) last = delivered_us * 1000;
	if (one->retransmitted_ns > last) last = one->retransmitted_ns;
	u64 waited = since(last, now);
	one->retransmitted_ns = now;
	__sync_fetch_and_add(&one->told.retransmits, 1);
	__sync_fetch_and_add(&one->told.retransmit_ns, waited);
	if (waited > one->told.longest_retransmit_ns) one->told.longest_retransmit_ns = waited;
	return 1;
}

SEC("tp_btf/tcp_receive_reset")
int on_receive_reset(u64 *ctx)
{
	struct followed *one = find((void *)ctx[0]);
	if (one) one->told.flags |= RESET_RECEIVED;
	return 1;
}

SEC("tp_btf/tcp_send_reset")
int on_send_reset(u64 *ctx)
{
	struct followed *one = find((void *)ctx[0]);
	if (one) one->told.flags |= RESET_SENT;
	return 1;
}

/* The socket that a file is; NULL if it is none. */
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

INLINE struct sock *accepted(s64 descriptor)
{
	struct task_struct *task = get_current_task();
	struct files_struct *files = NULL;
	struct fdtable *table = NULL;
	struct file **place = NULL, *file = NULL;
	u32 most = 0;
	READ(files, task->files);
	if (!files) return NULL;
	READ(table, files->fdt);
	if (!table) return NULL;
	READ(most, table->max_fds);
	if (descriptor >= most) return NULL;
	READ(place, table->fd);
	probe_read_kernel(&file, sizeof(file), place + descriptor);
	return file ? socket_of(file) : NULL;
}

/* What the end of a call ends in, see ends.h. */
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
	bool is_other = get_current_task()->thread_info.status & TS_COMPAT;
	if (is_accept && !is_other && result >= 0) {
		struct sock *sk = accepted(result);
		struct followed *one = sk ? find(sk) : NULL;
		if (one) tell_open(ctx, one);
	}
	/* If it is not measured, that has no effect. */
	tail_call(ctx, &then_call, 1);
	return 1;
}

/* All connections that somebody has: those from before are taken in, of the others the figures are read. */
SEC("iter/task_file")
int list_connections(struct bpf_iter__task_file *ctx)
{
	struct task_struct *task = ctx->task;
	struct file *file = ctx->file;
	if (!task || !file) return 0;
	struct sock *sk = socket_of(file);
	if (!sk) return 0;
	struct followed *one = find(sk);
	if (!one) {
		u8 state = 0;
		READ(state, sk->__sk_common.skc_state);
		if (state == TCP_CLOSE) return 0;
		one = follow(sk, ktime_get_ns(), state == TCP_LISTEN ? SIDE_LISTENING : SIDE_UNKNOWN);
		if (!one) return 0;
		one->told.flags = EXISTED;
		/* Told by the recorder, which sees it in the map. */
		one->told.pid = task->tgid;
		one->told.tid = task->pid;
		one->is_told = 1;
	}
	read_figures(&one->told, sk);
	return 0;
}

/* ---- names on the wire ----------------------------------------------------------------------- */

struct ports {
	u16 source, target;
};

/* Where a name server's part of a packet begins, behind the header of UDP or TCP. NULL: it is no such. */
INLINE u8 *message_of(struct packet *head, u8 *transport)
{
	struct ports ports = {};
	if (probe_read_kernel(&ports, sizeof(ports), transport)) return NULL;
	head->source_port = swapped(ports.source);
	head->target_port = swapped(ports.target);
	if (head->source_port != PORT_DNS && head->target_port != PORT_DNS) return NULL;
	if (head->protocol == PROTOCOL_UDP) return transport + 8;
	u8 words = 0;
	probe_read_kernel(&words, 1, transport + 12);
	return transport + (words >> 4) * 4;
}

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

/* Writes a message; `rest` bytes of the packet are in one piece from `message` on. */
SHARED int tell_packet(void *ctx, struct packet_scratch *scratch, u8 *message, s64 rest)
{
	if (!scratch || rest <= 0) return 0;
	u64 bytes = rest;
	if (bytes > PACKET_ROOM - 1) bytes = PACKET_ROOM - 1;
	u64 both = current_pid_tgid();
	struct packet *head = &scratch->head;
	head->kind = KIND_PACKET;
	head->pid = both >> 32;
	head->tid = both;
	head->time_ns = ktime_get_ns();
	head->bytes = bytes;
	head->unused = 0;
	if (probe_read_kernel(scratch->data, bytes & (PACKET_ROOM - 1), message)) return 0;
	u64 size = sizeof(*head) + (bytes & (PACKET_ROOM - 1));
	if (perf_event_output(ctx, &output, CURRENT_CPU, scratch, size)) lose();
	return 0;
}

/* What this machine sends: to name servers, and as one. */
SEC("tp_btf/net_dev_queue")
int on_packet_sent(u64 *ctx)
{
	struct sk_buff *skb = (void *)ctx[0];
	struct sock *sk = skb->sk;
	/* Without a socket it is passed on for somebody else, or seen before. */
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
	u8 *message = message_of(head, skb->head + skb->transport_header);
	if (!message) return 1;
	read_addresses(head, network);
	u8 *last = skb->data + (skb->len - skb->data_len);
	tell_packet(ctx, scratch, message, last - message);
	return 1;
}

/* What other machines answer. */
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
	u8 *message = message_of(head, network + bytes);
	if (!message || head->source_port != PORT_DNS) return 1;
	read_addresses(head, network);
	u8 *last = skb->data + (skb->len - skb->data_len);
	tell_packet(ctx, scratch, message, last - message);
	return 1;
}

/* ---- names in programs ----------------------------------------------------------------------- */

SEC("uprobe")
int on_lookup(struct pt_regs *ctx)
{
	u64 both = current_pid_tgid();
	u32 tid = both, pid = both >> 32;
	/* Where one function calls another, the outer one counts. What began no deeper in the stack than this
	 * one was left without a return, by longjmp or the end of its thread. */
	struct running_lookup *outer = map_lookup(&lookups, &tid);
	if (outer && outer->told.pid == pid && ctx->sp < outer->sp) return 0;
	struct running_lookup fresh;
	__builtin_memset(&fresh, 0, sizeof(fresh));
	fresh.told.kind = KIND_LOOKUP;
	fresh.told.pid = pid;
	fresh.told.tid = tid;
	fresh.told.from_ns = ktime_get_ns();
	long bytes = probe_read_user_str(fresh.told.name, NAME_ROOM, (void *)ctx->di);
	fresh.told.bytes = bytes > 1 ? bytes - 1 : 0;
	fresh.sp = ctx->sp;
	if (map_update(&lookups, &tid, &fresh, 0)) lose();
	return 0;
}

INLINE void end_lookup(struct pt_regs *ctx, s32 result)
{
	u32 tid = current_pid_tgid();
	struct running_lookup *one = map_lookup(&lookups, &tid);
	/* After the return of one that another called, the stack is still deeper than where that began. */
	if (!one || ctx->sp <= one->sp) return;
	one->told.result = result;
	one->told.to_ns = ktime_get_ns();
	u64 bytes = one->told.bytes;
	if (bytes > NAME_ROOM) bytes = NAME_ROOM;
	u64 size = sizeof(one->told) - NAME_ROOM + bytes;
	if (perf_event_output(ctx, &output, CURRENT_CPU, &one->told, size)) lose();
	map_delete(&lookups, &tid);
}

/* Functions that return 0 or what went wrong. */
SEC("uretprobe")
int on_lookup_number(struct pt_regs *ctx)
{
	end_lookup(ctx, ctx->ax);
	return 0;
}

#define NO_ADDRESS (-2)

/* Functions that return where the answer is, or nothing. */
SEC("uretprobe")
int on_lookup_place(struct pt_regs *ctx)
{
	end_lookup(ctx, ctx->ax ? 0 : NO_ADDRESS);
	return 0;
}
