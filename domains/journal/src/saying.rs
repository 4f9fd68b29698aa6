//! The sentences that every summary is made of.

use calendar::Date;

/// `2026-05-25 (Mon, today)`; only the weekday when the date is neither today nor yesterday.
pub fn date(date: Date, today: Date) -> String {
    let weekday = date.weekday();
    match date.days_until(today) {
        0 => format!("{date} ({weekday}, today)"),
        1 => format!("{date} ({weekday}, yesterday)"),
        _ => format!("{date} ({weekday})"),
    }
}

/// `1 meal`, `2 meals`, `no meals`.
pub fn count(n: i64, noun: &str) -> String {
    match n {
        0 => format!("no {noun}s"),
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_named_with_its_weekday_and_today_or_yesterday() {
        let day = |text: &str| Date::parse(text).unwrap();
        let today = day("2026-05-25");
        assert_eq!(date(today, today), "2026-05-25 (Mon, today)");
        assert_eq!(date(day("2026-05-24"), today), "2026-05-24 (Sun, yesterday)");
        assert_eq!(date(day("2026-05-23"), today), "2026-05-23 (Sat)");
        assert_eq!(date(day("2026-05-26"), today), "2026-05-26 (Tue)");
    }
}
