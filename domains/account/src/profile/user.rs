use calendar::Date;
use identity::{ActivityLevel, BodyProfile, DrinkStandard, Language, Sex, Units};
use operation::{Area, Call, Failure};
use schemars::JsonSchema;
use serde::Serialize;

use super::stored::Stored;

/// The profile as answers show it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct User {
    pub id: i64,
    pub name: String,
    pub email: String,
    pub is_admin: bool,
    pub language: Language,
    pub timezone: String,
    /// False until somebody set it; UTC meanwhile.
    pub timezone_set: bool,
    pub day_start_hour: u8,
    pub preferred_unit_system: Units,
    pub about_me: Option<String>,
    #[serde(flatten)]
    pub body: Option<Body>,
    /// What is worth asking the person for.
    pub missing: Vec<&'static str>,
    /// Goes up with every change; `expected_version` of an update.
    pub version: i64,
}

/// What the journal computes with; shown while the journal is on.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Body {
    pub dob: Option<Date>,
    /// Completed years today.
    pub age: Option<i64>,
    pub height_cm: Option<f64>,
    pub sex: Option<Sex>,
    pub activity_level: Option<ActivityLevel>,
    pub drink_standard: DrinkStandard,
    pub uses_training: bool,
    pub kcal_nudges_enabled: bool,
}

impl User {
    pub fn of(stored: &Stored, call: &Call) -> Result<Self, Failure> {
        let person = call.person()?;
        let profile = &stored.profile;
        let body = has_body(call).then(|| Body::of(&stored.body, profile.day().today(call.now)));
        Ok(Self {
            id: person.id,
            name: profile.name.clone(),
            email: person.email.clone(),
            is_admin: person.is_admin,
            language: profile.language,
            timezone: profile.zone.name().to_owned(),
            timezone_set: profile.timezone_set,
            day_start_hour: profile.day_start_hour,
            preferred_unit_system: profile.preferred_unit_system,
            about_me: profile.about_me.clone(),
            missing: missing(profile.timezone_set, body.as_ref()),
            body,
            version: stored.version(),
        })
    }
}

/// Whether this server has the journal, which alone uses the body fields.
pub fn has_body(call: &Call) -> bool {
    call.catalog.areas().contains(&Area::Journal)
}

impl Body {
    fn of(body: &BodyProfile, today: Date) -> Self {
        Self {
            dob: body.dob,
            age: body.age(today),
            height_cm: body.height_mm.map(|mm| mm as f64 / 10.0),
            sex: body.sex,
            activity_level: body.activity_level,
            drink_standard: body.drink_standard,
            uses_training: body.uses_training,
            kcal_nudges_enabled: body.kcal_nudges_enabled,
        }
    }
}

fn missing(timezone_set: bool, body: Option<&Body>) -> Vec<&'static str> {
    let mut missing = Vec::new();
    let mut needs = |known: bool, name| {
        if !known {
            missing.push(name);
        }
    };
    needs(timezone_set, "timezone");
    if let Some(body) = body {
        needs(body.dob.is_some(), "dob");
        needs(body.height_cm.is_some(), "height_cm");
        needs(body.sex.is_some(), "sex");
        needs(body.activity_level.is_some(), "activity_level");
    }
    missing
}
