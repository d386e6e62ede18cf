/* Whom a program asks through an unconnected datagram socket. The kernel does not keep the addresses of messages that
 * were sent, so without this nobody would know whose answer a program waits for. Part of whyslow.bpf.c; net.bpf.c
 * tail-calls these programs when something is sent or received.
 *
 * A socket that received before it sent belongs to a server: it waits for anybody, whoever it answered last. */

#ifndef ASKED_H
#define ASKED_H

#include "kernel.h"

#define PROTOCOL_UDP 17
#define MSG_PEEK 2
#define NR_ASKED_SENDTO 44
#define NR_ASKED_SENDMSG 46
#define NR_ASKED_SENDMMSG 307

/* What a socket was used for. */
struct asked {
	u8 address[16];
	/* In network byte order. */
	u16 port;
	u16 family;
	/* Whether it received something before it sent anything. */
	u8 is_server;
	/* Whether it has received nothing since it last sent something. */
	u8 awaits;
	/* Whether it has sent to more than one address: ever, and since it last received something. */
	u8 is_several, is_several_now;
};

/* By inode number. Unlike addresses in memory, these numbers are not reused soon. */
struct {
	UINT(type, MAP_LRU_HASH);
	UINT(max_entries, 4096);
	TYPE(key, u64);
	TYPE(value, struct asked);
} asked_sockets SEC(".maps");

/* The inode number of a socket; 0: it has none, because it was closed or belongs to the kernel. */
INLINE u64 socket_inode(struct sock *sk)
{
	struct socket *socket = NULL;
	struct file *file = NULL;
	struct inode *inode = NULL;
	unsigned long number = 0;
	READ(socket, sk->sk_socket);
	if (!socket) return 0;
	READ(file, socket->file);
	if (!file) return 0;
	READ(inode, file->f_inode);
	if (!inode) return 0;
	READ(number, inode->i_ino);
	return number;
}

INLINE bool is_same_address(struct asked *one, struct asked *other)
{
	u64 *a = (void *)one->address, *b = (void *)other->address;
	return one->port == other->port && one->family == other->family && a[0] == b[0] && a[1] == b[1];
}

/* Reads the address of a socket from the program's memory; the family is 0 if there is none. */
GLOBAL int read_address(struct asked *target, u64 address)
{
	u8 raw[24] = {};
	if (!target || !address || probe_read_user(raw, 16, (void *)address)) return 0;
	u16 family = *(u16 *)raw;
	if (family == AF_INET) {
		__builtin_memcpy(target->address, raw + 4, 4);
	} else if (family == AF_INET6) {
		if (probe_read_user(raw, sizeof(raw), (void *)address)) return 0;
		__builtin_memcpy(target->address, raw + 8, 16);
	} else {
		return 0;
	}
	target->family = family;
	target->port = *(u16 *)(raw + 2);
	return 0;
}

/* How many messages of one call are examined, and how far apart they are in memory. */
#define MOST_MESSAGES 16
#define MESSAGE_BYTES 64

/* Whether the first `count` messages of an array have more than one address. True, to be safe, if there are more than
 * are examined. */
GLOBAL int has_several_addresses(u64 array, u64 count)
{
	struct asked first = {};
	u64 first_at = 0;
	if (count > MOST_MESSAGES) return 1;
#pragma clang loop unroll(disable)
	for (u32 n = 0; n < MOST_MESSAGES; n++) {
		struct asked other = {};
		u64 at = 0;
		if (n >= count) break;
		if (probe_read_user(&at, sizeof(at), (void *)array + n * MESSAGE_BYTES)) return 1;
		if (n && at == first_at) continue;
		read_address(n ? &other : &first, at);
		if (!n)
			first_at = at;
		else if (!is_same_address(&first, &other))
			return 1;
	}
	return 0;
}

/* Reads the address that the current call sends to; its family is 0 if it names none. */
INLINE void read_target(struct asked *target, struct pt_regs *regs)
{
	u64 nr = regs->orig_ax, address = 0;
	/* Each of the three calls passes the address in a different way. For the third one, this is its first message. */
	if (nr == NR_ASKED_SENDTO)
		address = regs->r8;
	else if (nr == NR_ASKED_SENDMSG || nr == NR_ASKED_SENDMMSG)
		probe_read_user(&address, sizeof(address), (void *)regs->si);
	read_address(target, address);
	/* It is not known which of its messages was sent just now. */
	if (nr == NR_ASKED_SENDMMSG && has_several_addresses(regs->si, (u32)regs->dx))
		target->is_several = target->is_several_now = 1;
}

/* The socket, if it is an unconnected datagram socket; else NULL. */
INLINE struct sock *unconnected(u64 *ctx)
{
	struct sock *sk = (void *)ctx[0];
	int bytes = ctx[1];
	if (sk->sk_protocol != PROTOCOL_UDP || bytes < 0) return NULL;
	return sk->__sk_common.skc_dport ? NULL : sk;
}

SEC("tp_btf/sock_send_length")
int on_datagram_sent(u64 *ctx)
{
	struct sock *sk = unconnected(ctx);
	struct pt_regs *regs = task_pt_regs(get_current_task());
	if (!sk || (u16)regs->cs != USER_CS) return 1;
	u64 inode = socket_inode(sk);
	if (!inode) return 1;
	struct asked target = { .awaits = 1 };
	read_target(&target, regs);
	if (!target.family) return 1;
	struct asked *known = map_lookup(&asked_sockets, &inode);
	if (!known) {
		map_update(&asked_sockets, &inode, &target, 0);
		return 1;
	}
	bool is_other = !is_same_address(known, &target);
	known->is_several |= is_other | target.is_several;
	known->is_several_now =
		target.is_several_now || (known->awaits && (known->is_several_now || is_other));
	__builtin_memcpy(known->address, target.address, sizeof(target.address));
	known->port = target.port;
	known->family = target.family;
	known->awaits = 1;
	return 1;
}

SEC("tp_btf/sock_recv_length")
int on_datagram_received(u64 *ctx)
{
	struct sock *sk = unconnected(ctx);
	int flags = ctx[2];
	if (!sk || flags & MSG_PEEK) return 1;
	u64 inode = socket_inode(sk);
	if (!inode) return 1;
	struct asked *known = map_lookup(&asked_sockets, &inode);
	if (known) {
		known->awaits = 0;
		return 1;
	}
	struct asked server = { .is_server = 1 };
	map_update(&asked_sockets, &inode, &server, 0);
	return 1;
}

/* Whom a socket waits for, if that is known: whoever it asked last, unless it asked several. */
INLINE struct asked *asked_by(u64 inode)
{
	struct asked *known = map_lookup(&asked_sockets, &inode);
	if (!known || known->is_server) return NULL;
	if (known->awaits ? known->is_several_now : known->is_several) return NULL;
	return known;
}

#endif
