//! Times are read in the person's zone and pinned to their day (§4).

use serde_json::{Value, json};
use testkit::{TestEngine, codes};

use crate::story::Story;

storage::on_both_engines! { b1_a_night_meal_belongs_to_the_day_before_and_the_summary_says_so, o8_times_around_a_change_of_the_clock_are_read_as_the_wall_shows_them, b20_a_traveller_keeps_yesterday_and_counts_today_where_they_are }

fn plain(eaten_at: &str, kcal: i64) -> Value {
    json!({"eaten_at": eaten_at, "kcal": kcal, "protein_g": 0, "carb_g": 0, "fat_g": kcal as f64 / 9.0})
}

async fn b1_a_night_meal_belongs_to_the_day_before_and_the_summary_says_so(engine: TestEngine) {
    let story = Story::new(engine).await;
    story.at("2026-05-26T01:10:00-04:00");
    let answer = story.call("log_meal", plain("2026-05-26T01:00", 200)).await;
    assert_eq!((&answer["user_date"], &answer["slot"]), (&json!("2026-05-25"), &json!("snack")));
    assert!(answer["summary"].as_str().unwrap().starts_with("Logged meal for 2026-05-25 (Mon, today): 200 kcal"));
    story.at("2026-05-26T04:00:00-04:00");
    let answer = story.call("log_meal", plain("2026-05-26T03:00", 200)).await;
    assert!(answer["summary"].as_str().unwrap().starts_with("Logged meal for 2026-05-25 (Mon, yesterday)"));
}

/// The worked times of §4.3: zone, what was given, when that is, and whose day it is.
async fn o8_times_around_a_change_of_the_clock_are_read_as_the_wall_shows_them(engine: TestEngine) {
    let oracles = [
        ("America/Toronto", "2026-03-08T06:30", "2026-03-08T06:30:00-04:00", "2026-03-08", None),
        ("America/Toronto", "2026-11-01T03:30", "2026-11-01T03:30:00-05:00", "2026-10-31", None),
        ("America/Toronto", "2026-03-08T02:30", "2026-03-08T03:30:00-04:00", "2026-03-07", Some("time_in_gap")),
        ("America/Toronto", "2026-11-01T01:30", "2026-11-01T01:30:00-04:00", "2026-10-31", Some("time_ambiguous")),
        ("America/Toronto", "2026-05-26T07:59:59Z", "2026-05-26T03:59:59-04:00", "2026-05-25", None),
        ("America/Toronto", "2026-05-26T08:00:00Z", "2026-05-26T04:00:00-04:00", "2026-05-26", None),
        ("Europe/Berlin", "2026-03-29T02:00:00Z", "2026-03-29T04:00:00+02:00", "2026-03-29", None),
        ("Pacific/Auckland", "2026-04-04T15:59:59Z", "2026-04-05T03:59:59+12:00", "2026-04-04", None),
        ("Pacific/Auckland", "2026-04-04T16:00:00Z", "2026-04-05T04:00:00+12:00", "2026-04-05", None),
        ("Asia/Kathmandu", "2026-05-25T12:30", "2026-05-25T12:30:00+05:45", "2026-05-25", None),
    ];
    let mut story = Story::new(engine).await;
    story.at("2026-12-24T12:00:00Z");
    for (index, (zone, given, shown, user_date, warning)) in oracles.into_iter().enumerate() {
        story.zone(zone).await;
        let answer = story.call("log_meal", plain(given, 400 + 100 * index as i64)).await;
        assert_eq!((&answer["eaten_at"], &answer["user_date"]), (&json!(shown), &json!(user_date)), "{zone} {given}");
        assert_eq!(codes(&answer), warning.into_iter().collect::<Vec<_>>(), "{zone} {given}");
        if warning == Some("time_ambiguous") {
            assert_eq!(answer["warnings"][0]["other"], "2026-11-01T01:30:00-05:00");
        }
    }
}

async fn b20_a_traveller_keeps_yesterday_and_counts_today_where_they_are(engine: TestEngine) {
    let mut story = Story::new(engine).await;
    story.call("log_meal", plain("2026-05-25T12:00", 500)).await;
    story.zone("Asia/Tokyo").await;
    // 14:30 in Toronto is half past three at night in Tokyo: still the 25th by the day start.
    let night = story.call("log_meal", plain("2026-05-26T03:20", 300)).await;
    assert_eq!((&night["user_date"], &night["day_totals"]["kcal"]), (&json!("2026-05-25"), &json!(800)));
    assert_eq!(night["eaten_at"], "2026-05-26T03:20:00+09:00");
    story.at("2026-05-25T16:00:00-04:00");
    let morning = story.call("log_meal", plain("2026-05-26T04:30", 200)).await;
    assert_eq!((&morning["user_date"], &morning["day_totals"]["kcal"]), (&json!("2026-05-26"), &json!(200)));
    let list = story.call("get_meals", json!({"from_date": "2026-05-25", "to_date": "2026-05-25"})).await;
    assert_eq!(list["items"][1]["eaten_at"], "2026-05-25T12:00:00-04:00", "the meal keeps its own zone");
}
