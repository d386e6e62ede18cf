/// Prints how many herons fit into a colony.
fn main() {
    let nests: u32 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(12);
    println!("{} herons", nests * 2);
}
