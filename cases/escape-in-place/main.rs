//! Exports the comments of a blog as HTML; characters with a meaning in HTML are escaped.
use std::fmt::Write;
use std::time::{Duration, Instant};

struct Thread {
    title: String,
    comments: String,
}

fn make_thread(number: usize) -> Thread {
    let mut comments = String::new();
    for n in 0..4000 {
        writeln!(comments, "user{}: if a < b && c > {n} then \"yes\" else 'no', see <a>{number}</a>", n % 90).unwrap();
    }
    Thread { title: format!("Thread {number} about <templates> & lifetimes"), comments }
}

/// Replaces each such character where it is, which moves all that follows.
#[inline(never)]
fn escape_text(text: &mut String) {
    let mut at = 0;
    while at < text.len() {
        let entity = match text.as_bytes()[at] {
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'&' => "&amp;",
            b'"' => "&quot;",
            b'\'' => "&#39;",
            _ => {
                at += 1;
                continue;
            }
        };
        text.replace_range(at..at + 1, entity);
        at += entity.len();
    }
}

fn export(thread: Thread, page: &mut String, escaping: &mut Duration) {
    let Thread { mut title, mut comments } = thread;
    let before = Instant::now();
    escape_text(&mut title);
    escape_text(&mut comments);
    *escaping += before.elapsed();
    writeln!(page, "<h1>{title}</h1>\n<pre>\n{comments}</pre>").unwrap();
}

fn main() {
    let (start, mut escaping, mut threads, mut bytes) = (Instant::now(), Duration::ZERO, 0, 0);
    while start.elapsed() < Duration::from_secs(2) {
        let mut page = String::new();
        export(make_thread(threads), &mut page, &mut escaping);
        bytes += page.len();
        threads += 1;
        if threads == 1 {
            std::fs::write("blog.html", &page).unwrap();
        }
    }
    let share = escaping.as_secs_f64() / start.elapsed().as_secs_f64();
    std::fs::write("truth", format!("escaping {share:.3}\nthreads {threads}\nbytes {bytes}\n")).unwrap();
}
