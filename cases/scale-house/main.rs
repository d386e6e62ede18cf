//! The scale house of a gravel pit: asks the scale for the weight of each lorry, by its old protocol.
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

struct Scale {
    input: BufReader<UnixStream>,
    output: UnixStream,
    asked: Duration,
}

impl Scale {
    fn open(path: &str) -> io::Result<Scale> {
        let output = UnixStream::connect(path)?;
        // a broken wire must not stop the gate for ever
        output.set_read_timeout(Some(Duration::from_millis(240)))?;
        Ok(Scale { input: BufReader::new(output.try_clone()?), output, asked: Duration::ZERO })
    }

    fn weigh(&mut self) -> io::Result<u32> {
        let t = Instant::now();
        self.output.write_all(b"W\n")?;
        let mut line = Vec::new();
        match self.input.read_until(b'\n', &mut line) {
            Err(e) if e.kind() == io::ErrorKind::WouldBlock && !line.is_empty() => {}
            Err(e) => return Err(e),
            Ok(_) => {}
        }
        self.asked += t.elapsed();
        let text = String::from_utf8_lossy(&line);
        text.trim().trim_end_matches("kg").trim().parse().map_err(io::Error::other)
    }
}

/// The volume of a load, from the profile that the camera has taken of it.
fn volume(lorry: u32, gravel: u32) -> f64 {
    let mut sum = 0.0;
    for i in 0..9_000_000u32 {
        sum += (f64::from(i) * 0.0003 + f64::from(lorry)).sin();
    }
    f64::from(gravel) / 1_650.0 + sum.abs() / 1e9
}

fn ticket(lorry: u32, full: u32, empty: u32) -> String {
    let gravel = full.saturating_sub(empty);
    format!("lorry {lorry}: {gravel} kg, {:.2} cubic metres of gravel, {:.2}", volume(lorry, gravel), f64::from(gravel) * 0.0185)
}

fn main() -> io::Result<()> {
    let start = Instant::now();
    let mut scale = Scale::open("scale.sock")?;
    let mut lorry = 0;
    while start.elapsed() < Duration::from_secs(2) {
        let empty = scale.weigh()?;
        let full = scale.weigh()?;
        lorry += 1;
        println!("{}", ticket(lorry, full, empty));
    }
    let share = scale.asked.as_secs_f64() / start.elapsed().as_secs_f64();
    writeln!(File::create("truth")?, "share {share:.3}\nlorries {lorry}")
}
