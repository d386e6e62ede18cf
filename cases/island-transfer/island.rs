//! The island's end: takes the parts of a chart in order, and confirms them.
use std::fs;
use std::net::UdpSocket;
use std::os::fd::AsRawFd;

unsafe extern "C" {
    fn setsockopt(fd: i32, level: i32, name: i32, value: *const i32, size: u32) -> i32;
}

const SOL_SOCKET: i32 = 1;
const SO_RCVBUF: i32 = 8;

fn check_sum(part: &[u8]) -> u32 {
    part.iter().fold(1u32, |a, &b| a.wrapping_mul(31).wrapping_add(u32::from(b)))
}

fn main() -> std::io::Result<()> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    let room = 4096;
    // SAFETY: the pointer is to an i32 that lives through the call.
    if unsafe { setsockopt(socket.as_raw_fd(), SOL_SOCKET, SO_RCVBUF, &room, 4) } != 0 {
        return Err(std::io::Error::last_os_error());
    }
    fs::write("port", socket.local_addr()?.port().to_string())?;
    fs::write("ready", "")?;
    let mut next = 0;
    let mut sum = 0u32;
    let mut part = [0; 2048];
    loop {
        let (n, from) = socket.recv_from(&mut part)?;
        if n < 4 {
            continue;
        }
        if u32::from_le_bytes([part[0], part[1], part[2], part[3]]) == next {
            for _ in 0..40 {
                sum = sum.rotate_left(1) ^ check_sum(&part[..n]);
            }
            next += 1;
        }
        let mut receipt = [0; 8];
        receipt[..4].copy_from_slice(&next.to_le_bytes());
        receipt[4..].copy_from_slice(&sum.to_le_bytes());
        socket.send_to(&receipt, from)?;
    }
}
