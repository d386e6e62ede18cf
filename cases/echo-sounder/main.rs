// Asks an echo sounder for the depth below a ship; the chart has an older depth for each place.
use std::fs;
use std::net::UdpSocket;
use std::time::{Duration, Instant};

fn depth_at(sounder: &UdpSocket, place: u32) -> Option<u32> {
    sounder.send(format!("depth {place}").as_bytes()).ok()?;
    let mut answer = [0; 64];
    let got = sounder.recv(&mut answer).ok()?;
    std::str::from_utf8(&answer[..got]).ok()?.trim().parse().ok()
}

fn depth_of_chart(place: u32) -> u32 {
    (0..2_000_000).fold(place, |sum, n| sum.wrapping_mul(31).wrapping_add(n)) % 80
}

fn main() {
    let port: u16 = fs::read_to_string("port").unwrap().trim().parse().unwrap();
    let sounder = UdpSocket::bind("127.0.0.1:0").unwrap();
    sounder.connect(("127.0.0.1", port)).unwrap();
    sounder.set_read_timeout(Some(Duration::from_millis(450))).unwrap();
    let start = Instant::now();
    let (mut waited, mut sum) = (Duration::ZERO, 0);
    for place in 0..5 {
        let before = Instant::now();
        let depth = depth_at(&sounder, place);
        waited += before.elapsed();
        sum += depth.unwrap_or_else(|| depth_of_chart(place));
    }
    let share = waited.as_secs_f64() / start.elapsed().as_secs_f64();
    fs::write("truth", format!("share {share:.3}\nmetres {sum}\n")).unwrap();
}
