//! Delivers mails to a Maildir: written below tmp, moved to new. A mail that was accepted must survive a crash.
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

struct Maildir {
    root: PathBuf,
    delivered: u32,
    syncing: Duration,
}

impl Maildir {
    fn create(root: &Path) -> std::io::Result<Maildir> {
        for part in ["tmp", "new", "cur"] {
            fs::create_dir_all(root.join(part))?;
        }
        Ok(Maildir { root: root.to_path_buf(), delivered: 0, syncing: Duration::ZERO })
    }

    fn sync(&mut self, file: &File) -> std::io::Result<()> {
        let before = Instant::now();
        file.sync_all()?;
        self.syncing += before.elapsed();
        Ok(())
    }

    #[inline(never)]
    fn deliver(&mut self, mail: &str) -> std::io::Result<()> {
        let name = format!("{}.mail.example.test", 1_700_000_000 + self.delivered);
        let (draft, target) = (self.root.join("tmp").join(&name), self.root.join("new").join(&name));
        let mut file = File::create(&draft)?;
        file.write_all(mail.as_bytes())?;
        self.sync(&file)?;
        fs::rename(&draft, &target)?;
        let folder = File::open(self.root.join("new"))?;
        self.sync(&folder)?;
        self.delivered += 1;
        Ok(())
    }
}

fn make_mail(number: u32) -> String {
    let mut mail = format!("From: list-{}@example.test\nSubject: Digest {number}\n\n", number % 12);
    for line in 0..20 {
        mail.push_str(&format!("> {line}: as somebody wrote in message {}\n", number * 31 % 977));
    }
    mail
}

fn main() {
    let mut mails = Maildir::create(Path::new("Maildir")).unwrap();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(2) {
        mails.deliver(&make_mail(mails.delivered)).unwrap();
    }
    let share = mails.syncing.as_secs_f64() / start.elapsed().as_secs_f64();
    fs::write("truth", format!("syncing {share:.3}\nmails {}\n", mails.delivered)).unwrap();
}
