//! Waits for datagrams.

use std::fmt::Write as _;
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::AsRawFd;
use std::thread;
use std::time::Duration;

use crate::{let_wait, timed_out};

/// Waits for a message from anybody.
pub(crate) fn received(told: &mut String) {
    let own = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let to = own.local_addr().expect("an address");
    let other = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let from = other.local_addr().expect("an address");
    thread::scope(|scope| {
        scope.spawn(move || {
            let_wait();
            other.send_to(b"x", to).expect("sent");
        });
        own.recv_from(&mut [0]).expect("a message");
    });
    writeln!(told, "udp {from}").expect("memory");
}

/// Waits in vain for answers from servers to which the sockets are not connected, and for questions.
pub(crate) fn asked(told: &mut String) {
    let bind = || UdpSocket::bind("127.0.0.1:0").expect("a port");
    let address = |of: &UdpSocket| of.local_addr().expect("an address");
    let (first, second) = (bind(), bind());
    let servers = [address(&first), address(&second)];
    let own = bind();
    let wait = |of: &UdpSocket| {
        of.set_read_timeout(Some(Duration::from_millis(40)))
            .expect("a limit");
        assert!(of.recv_from(&mut [0; 8]).is_err(), "nothing comes");
    };
    // Asks one after the other: waits for the one that it asked last.
    own.send_to(b"?", servers[0]).expect("sent");
    wait(&own);
    writeln!(told, "udp {}", servers[0]).expect("memory");
    timed_out(own.as_raw_fd());
    writeln!(told, "udp {}", servers[0]).expect("memory");
    // The first one answers, but late.
    first.recv_from(&mut [0; 8]).expect("the question");
    first.send_to(b"!", address(&own)).expect("sent");
    own.recv_from(&mut [0; 8]).expect("the answer");
    own.send_to(b"?", servers[1]).expect("sent");
    wait(&own);
    writeln!(told, "udp {}", servers[1]).expect("memory");
    // Asks both at once: nobody knows for which it waits.
    own.send_to(b"?", servers[0]).expect("sent");
    wait(&own);
    told.push_str("udp 0.0.0.0:0\n");
    // The same with one call; then twice the same one.
    let silent = [bind(), bind()];
    let servers = [address(&silent[0]), address(&silent[1])];
    for servers in [servers, [servers[1]; 2]] {
        let other = bind();
        send_at_once(&other, servers);
        wait(&other);
        let is_one = servers[0] == servers[1];
        let told_of = if is_one {
            servers[0].to_string()
        } else {
            "0.0.0.0:0".to_owned()
        };
        writeln!(told, "udp {told_of}").expect("memory");
        receive_several(&other, servers.len());
        writeln!(told, "udp {told_of}").expect("memory");
    }
    // The server waits for anybody, no matter whom it answered.
    first.recv_from(&mut [0; 8]).expect("the question");
    wait(&first);
    told.push_str("udp 0.0.0.0:0\n");
    // A socket that gets the number of an earlier one has asked nobody.
    drop(own);
    wait(&bind());
    told.push_str("udp 0.0.0.0:0\n");
}

/// Sends a message to each server, all with one call.
fn send_at_once(from: &UdpSocket, servers: [SocketAddr; 2]) {
    let mut byte = [b'?'];
    let mut part = libc::iovec {
        iov_base: byte.as_mut_ptr().cast(),
        iov_len: 1,
    };
    let mut to = servers.map(|server| match server {
        SocketAddr::V4(server) => libc::sockaddr_in {
            sin_family: libc::AF_INET as libc::sa_family_t,
            sin_port: server.port().to_be(),
            sin_addr: libc::in_addr {
                s_addr: u32::from_ne_bytes(server.ip().octets()),
            },
            sin_zero: [0; 8],
        },
        SocketAddr::V6(_) => unreachable!("not bound to one"),
    });
    // SAFETY: all zero is one of its values.
    let mut messages: [libc::mmsghdr; 2] = unsafe { std::mem::zeroed() };
    for (message, to) in messages.iter_mut().zip(&mut to) {
        message.msg_hdr.msg_name = (&raw mut *to).cast();
        message.msg_hdr.msg_namelen = size_of_val(to) as libc::socklen_t;
        message.msg_hdr.msg_iov = &raw mut part;
        message.msg_hdr.msg_iovlen = 1;
    }
    // SAFETY: an open socket, and messages whose memory lives longer.
    let sent = unsafe { libc::sendmmsg(from.as_raw_fd(), messages.as_mut_ptr(), 2, 0) };
    assert_eq!(sent, 2, "sent");
}

/// Waits in vain for several messages.
fn receive_several(at: &UdpSocket, count: usize) {
    // SAFETY: all zero is one of its values.
    let mut messages: Vec<libc::mmsghdr> =
        (0..count).map(|_| unsafe { std::mem::zeroed() }).collect();
    // SAFETY: an open socket, and messages without room.
    let got = unsafe {
        let room = count as libc::c_uint;
        let first = messages.as_mut_ptr();
        libc::recvmmsg(at.as_raw_fd(), first, room, 0, std::ptr::null_mut())
    };
    assert_eq!(got, -1, "nothing comes");
}
