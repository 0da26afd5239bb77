//! The program's own word that its work is done: from then on its end is a success, and does not take for ever.
//!
//! A chief of TensorFlow's parameter servers that has lost a worker does all its steps and then hangs in the end of its
//! interpreter (`ps-kill-one-of-two`, seen on 2.4 to 2.15).
use super::Life;
use crate::said::{LAST, LOOK, Said};
use crate::spoken;
use std::time::Instant;

/// What has been heard.
#[derive(Debug)]
pub struct Hearing {
    said: Said,
    since: Option<Instant>,
}

impl Hearing {
    /// Nothing yet.
    ///
    /// # Errors
    /// Where there is no place for the file.
    pub fn new() -> Result<Self, String> {
        Ok(Self { said: Said::new()?, since: None })
    }

    /// Begins anew, for a new start; the path is the program's.
    pub fn begin(&mut self) -> String {
        self.said.forget();
        self.since = None;
        self.said.path().to_owned()
    }

    /// Whether the work is done.
    pub const fn heard(&self) -> bool {
        self.since.is_some()
    }

    /// Whether the program has had its time to end.
    pub fn over(&self) -> bool {
        self.since.is_some_and(|since| since.elapsed() >= LAST)
    }
}

impl Life {
    /// Looks for the word, while the program runs or when it has `ended`; the time is when to look again.
    pub(super) fn hear(&mut self, ended: bool) -> Option<Instant> {
        let hearing = self.hearing.as_mut()?;
        if let Some(since) = hearing.since {
            return Some(since + LAST);
        }
        let now = Instant::now();
        if !hearing.said.heard() {
            return Some(now + LOOK);
        }
        hearing.since = Some(now);
        // Whether others have come is nothing to it any more.
        self.meeting = None;
        let more = if ended { String::new() } else { format!(", and has {} to end", spoken::time(LAST)) };
        self.say("done", &format!("the program says that its work is done{more}"));
        Some(now + LAST)
    }
}

#[cfg(test)]
mod tests {
    use super::{Hearing, LAST};
    use std::time::{Duration, Instant};

    #[test]
    fn who_has_said_it_has_its_time() {
        let mut hearing = Hearing::new().unwrap();
        assert!(!hearing.heard() && !hearing.over());
        hearing.since = Instant::now().checked_sub(LAST - Duration::from_secs(5));
        assert!(hearing.heard() && !hearing.over());
        hearing.since = Instant::now().checked_sub(LAST);
        assert!(hearing.over());
        hearing.begin();
        assert!(!hearing.heard() && !hearing.over());
    }
}
