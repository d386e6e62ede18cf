//! The server of a board game. The world changes at each turn; a second thread sends it to a spectator.
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

struct World {
    turn: u32,
    fields: Vec<u32>,
}

static WORLD: RwLock<World> = RwLock::new(World { turn: 0, fields: Vec::new() });
static OVER: AtomicBool = AtomicBool::new(false);

#[inline(never)]
fn play_turn(waited: &mut Duration) -> u32 {
    let before = Instant::now();
    let mut world = WORLD.write().unwrap();
    *waited += before.elapsed();
    world.turn += 1;
    let turn = world.turn;
    for (n, field) in world.fields.iter_mut().enumerate() {
        *field = field.wrapping_mul(31).wrapping_add(turn ^ n as u32);
    }
    turn
}

/// Sends the world as it is; nobody may change it meanwhile.
#[inline(never)]
fn send_world(spectator: &mut TcpStream) -> std::io::Result<()> {
    let world = WORLD.read().unwrap();
    for row in world.fields.chunks(1024) {
        let bytes: Vec<u8> = row.iter().flat_map(|f| f.to_le_bytes()).collect();
        spectator.write_all(&bytes)?;
    }
    let mut seen = [0];
    spectator.read_exact(&mut seen)
}

fn show(mut spectator: TcpStream) -> f64 {
    let mut sending = Duration::ZERO;
    while !OVER.load(Relaxed) {
        std::thread::sleep(Duration::from_millis(10));
        let before = Instant::now();
        if send_world(&mut spectator).is_err() {
            break;
        }
        sending += before.elapsed();
    }
    sending.as_secs_f64()
}

fn main() {
    let port: u16 = std::fs::read_to_string("port").unwrap().trim().parse().unwrap();
    WORLD.write().unwrap().fields = (0..32 * 1024).collect();
    let spectator = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let showing = std::thread::Builder::new().name("spectator".into()).spawn(move || show(spectator)).unwrap();
    let (start, mut waited, mut turns) = (Instant::now(), Duration::ZERO, 0);
    while start.elapsed() < Duration::from_secs(2) {
        turns = play_turn(&mut waited);
        std::thread::sleep(Duration::from_millis(2));
    }
    let wall = start.elapsed().as_secs_f64();
    OVER.store(true, Relaxed);
    let sending = showing.join().unwrap();
    std::fs::write("truth", format!("waited {:.3}\nturns {turns}\nsending {:.3}\n", waited.as_secs_f64() / wall, sending / wall)).unwrap();
}
