//! The recorded machine's time zone, as the session header has it.

use whyslow_etl::{Session, TimeZone, ZoneDate};
use whyslow_model::civil::Civil;

const DAY_S: i64 = 86_400;

/// Returns the zone's name; `None` if it is a reference to a text on the recorded machine.
pub(super) fn name(session: &Session) -> Option<String> {
    let zone = &session.time_zone;
    let name = if is_summer(session) {
        &zone.daylight_name
    } else {
        &zone.standard_name
    };
    (!name.is_empty() && !name.starts_with('@')).then(|| name.clone())
}

/// Returns the offset of the recorded machine's local time from UTC at the session's start, seconds
/// east.
pub fn utc_offset_s(session: &Session) -> i32 {
    let zone = &session.time_zone;
    let more = if is_summer(session) {
        zone.daylight_bias_minutes
    } else {
        zone.standard_bias_minutes
    };
    let bias = zone.bias_minutes.saturating_add(more);
    bias.saturating_mul(-60)
}

fn is_summer(session: &Session) -> bool {
    let zone = &session.time_zone;
    if zone.standard_start.month == 0 || zone.daylight_start.month == 0 {
        return false;
    }
    let utc_s = session.start_time.unix_ns().div_euclid(1_000_000_000);
    let winter_s = utc_s - 60 * i64::from(zone.bias_minutes);
    let year = Civil::from_days(winter_s.div_euclid(DAY_S)).year;
    let (from, to) = changes(zone, year);
    if from <= to {
        (from..to).contains(&winter_s)
    } else {
        // In the southern hemisphere, summer spans the new year.
        !(to..from).contains(&winter_s)
    }
}

/// Returns when summer time begins and ends in a year, in seconds of winter time since 1970.
fn changes(zone: &TimeZone, year: i64) -> (i64, i64) {
    let begins = seconds(zone.daylight_start, year);
    let summer = i64::from(zone.standard_bias_minutes) - i64::from(zone.daylight_bias_minutes);
    (begins, seconds(zone.standard_start, year) - 60 * summer)
}

/// Returns a change of clocks in seconds since 1970, in the time that holds before it.
fn seconds(date: ZoneDate, year: i64) -> i64 {
    let (month, day) = (i64::from(date.month), i64::from(date.day));
    let time = 3600 * i64::from(date.hour) + 60 * i64::from(date.minute);
    if date.year != 0 {
        return days(i64::from(date.year), month, day) * DAY_S + time;
    }
    let first = days(year, month, 1);
    // 1970-01-01 was a Thursday, day 4.
    let weekday = (first + 4).rem_euclid(7);
    let mut at = first + (i64::from(date.weekday) - weekday).rem_euclid(7) + 7 * (day - 1);
    let next_month = if month == 12 {
        days(year + 1, 1, 1)
    } else {
        days(year, month + 1, 1)
    };
    while at >= next_month && at > first + 6 {
        at -= 7;
    }
    at * DAY_S + time
}

/// Returns days since 1970-01-01 of a date.
fn days(year: i64, month: i64, day: i64) -> i64 {
    Civil { year, month, day }.days()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_change_on_the_last_sunday() {
        let date = |month, day, hour| ZoneDate {
            year: 0,
            month,
            weekday: 0,
            day,
            hour,
            minute: 0,
        };
        // 2026-03-29 and 2026-10-25; the second Sunday of March 2026 is the 8th.
        assert_eq!(
            seconds(date(3, 5, 2), 2026),
            days(2026, 3, 29) * DAY_S + 7200
        );
        assert_eq!(
            seconds(date(10, 5, 3), 2026),
            days(2026, 10, 25) * DAY_S + 10_800
        );
        assert_eq!(
            seconds(date(3, 2, 2), 2026),
            days(2026, 3, 8) * DAY_S + 7200
        );
    }
}
