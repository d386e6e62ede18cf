//! Prints the heights of the tide of a day.
mod harmonic;

fn main() {
    let port = harmonic::Port::new(&[(1.9, 0.5059, 0.3), (0.6, 0.5236, 1.1), (0.2, 0.2625, 2.0)]);
    for hour in 0..24 {
        println!("{hour:02} {:.2}", port.height(f64::from(hour)));
    }
}
