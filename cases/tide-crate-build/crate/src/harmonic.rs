pub struct Port {
    parts: Vec<(f64, f64, f64)>,
}

impl Port {
    pub fn new(parts: &[(f64, f64, f64)]) -> Port {
        Port { parts: parts.to_vec() }
    }

    pub fn height(&self, hour: f64) -> f64 {
        self.parts.iter().map(|(a, w, p)| a * (w * hour - p).cos()).sum()
    }
}
