//! Dates of the Gregorian calendar, extended to all years, as days since 1970-01-01.
//!
//! Years are counted from 1 March in eras of 400, so that the leap day is the last of its year;
//! see Hinnant, "chrono-Compatible Low-Level Date Algorithms".

/// A date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Civil {
    /// Year; 0 is 1 BC.
    pub year: i64,
    /// Month, 1 to 12.
    pub month: i64,
    /// Day of the month, 1 to 31.
    pub day: i64,
}

/// Days of an era of 400 years.
const ERA: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: i64 = 719_468;

impl Civil {
    /// Returns the date `days` after 1970-01-01.
    pub fn from_days(days: i64) -> Self {
        let days = days + EPOCH;
        let (era, of_era) = (days.div_euclid(ERA), days.rem_euclid(ERA));
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 {
            from_march + 3
        } else {
            from_march - 9
        };
        let year = year + era * 400 + i64::from(month <= 2);
        Self { year, month, day }
    }

    /// Returns the days from 1970-01-01 to the date.
    pub fn days(self) -> i64 {
        let year = self.year - i64::from(self.month <= 2);
        let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let from_march = (self.month + 9) % 12;
        let of_year = (153 * from_march + 2) / 5 + self.day - 1;
        era * ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH
    }

    /// Returns the date in `text`, `YYYY-MM-DD`; `None` if there is no such day.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('-').map(|part| {
            let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            digits.then(|| part.parse::<i64>().ok()).flatten()
        });
        let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
        let date = Self { year, month, day };
        let plain = parts.next().is_none() && (1..=9999).contains(&year);
        (plain && (1..=12).contains(&month) && Self::from_days(date.days()) == date).then_some(date)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_are_each_others_inverse() {
        let mut expected = Civil {
            year: 1899,
            month: 12,
            day: 31,
        };
        for days in expected.days()..expected.days() + 100_000 {
            let date = Civil::from_days(days);
            assert_eq!(date, expected);
            assert_eq!(date.days(), days);
            let leap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0);
            let last = match date.month {
                2 => 28 + i64::from(leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            expected.day += 1;
            if expected.day > last {
                expected = Civil {
                    year: date.year,
                    month: date.month + 1,
                    day: 1,
                };
            }
            if expected.month > 12 {
                expected = Civil {
                    year: date.year + 1,
                    month: 1,
                    day: 1,
                };
            }
        }
        assert_eq!(
            Civil {
                year: 1970,
                month: 1,
                day: 1
            }
            .days(),
            0
        );
    }

    #[test]
    fn impossible_dates_are_refused() {
        for text in [
            "2026-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-1",
            "x-1-1",
            "2026-01-01-1",
        ] {
            assert_eq!(Civil::parse(text), None, "{text}");
        }
        assert!(Civil::parse("2024-02-29").is_some());
    }
}
