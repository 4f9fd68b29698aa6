use calendar::{Date, Zone};
use identity::{ActivityLevel, DrinkStandard, Language, Sex, Units, one_line, paragraphs};
use operation::{Area, Call, Effect, Failure, FieldFault, Local, Needs, Operation, Patch, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::{Tx, params};

use super::{
    stored::Stored,
    user::{User, has_body},
};

/// Changes the person's profile. Send only what they said. When they travel, change timezone before logging: past
/// entries stay on their days.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateUserProfile {
    /// Name.
    #[serde(default)]
    #[schemars(length(min = 1, max = 100), extend("x-quiet" = true))]
    pub name: Option<String>,
    /// IANA: America/Toronto.
    #[serde(default)]
    pub timezone: Option<Zone>,
    /// Day starts, 0 to 6.
    #[serde(default)]
    #[schemars(range(min = 0, max = 6), extend("x-quiet" = true))]
    pub day_start_hour: Option<i64>,
    /// Units.
    #[serde(default)]
    pub preferred_unit_system: Option<Units>,
    /// Web pages.
    #[serde(default)]
    pub language: Option<Language>,
    /// Birth.
    #[serde(default)]
    pub dob: Patch<Date>,
    /// Height.
    #[serde(default)]
    #[schemars(range(min = 50, max = 272), extend("multipleOf" = 0.1, "x-quiet" = true))]
    pub height_cm: Patch<f64>,
    /// For energy formulas.
    #[serde(default)]
    pub sex: Patch<Sex>,
    /// Without training.
    #[serde(default)]
    pub activity_level: Patch<ActivityLevel>,
    /// One drink.
    #[serde(default)]
    pub drink_standard: Option<DrinkStandard>,
    /// Lifts weights.
    #[serde(default)]
    pub uses_training: Option<bool>,
    /// Energy hints.
    #[serde(default)]
    pub kcal_nudges_enabled: Option<bool>,
    /// For assistants.
    #[serde(default)]
    #[schemars(length(max = 600), extend("x-quiet" = true))]
    pub about_me: Patch<String>,
    /// Known version.
    #[serde(default)]
    #[schemars(range(min = 1), extend("x-quiet" = true))]
    pub expected_version: Option<i64>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Updated {
    user: User,
    changed: Vec<&'static str>,
    summary: String,
    /// How many entries keep the day they were logged on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pinned: Option<i64>,
    warnings: Vec<Warning>,
    /// Operation to call next.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<&'static str>,
}

/// What the person should hear about a change that was made all the same.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Warning {
    code: &'static str,
    message: String,
}

/// Where to go on, by preference.
const NEXT: [&str; 3] = ["get_next_best_action", "get_today_context", "get_macros_today"];
const LONGEST_LIFE_YEARS: i64 = 120;

impl Operation for UpdateUserProfile {
    const NAME: &'static str = "update_user_profile";
    const PATH: &'static str = "/profile";
    const EFFECT: Effect = Effect::Changes;
    const NEEDS: Needs = Needs::writing(Area::Profile);
    const ENTITY: &'static str = "user";
    const ROLE: Role = Role::Update;
    const EVERYDAY: bool = true;
    const UNTRUSTED: &'static [&'static str] = &["user.name", "user.about_me"];
    type Output = Updated;

    fn example() -> Value {
        json!({"timezone": "America/Toronto", "height_cm": 172.5})
    }

    fn check(&self, call: &Call) -> Vec<FieldFault> {
        let mut faults = Vec::new();
        if self.is_empty() {
            faults.push(FieldFault::new("name", "nothing to change"));
        }
        if self.name.as_deref().is_some_and(|name| one_line(name).is_empty()) {
            faults.push(FieldFault::new("name", "must be 1 to 100 characters"));
        }
        if let Patch::Set(dob) = self.dob {
            faults.extend(dob_fault(dob, call));
        }
        if !has_body(call) {
            faults.extend(
                self.body_fields().map(|name| FieldFault::new(name, "belongs to the journal, which is off here")),
            );
        }
        faults
    }
}

fn dob_fault(dob: Date, call: &Call) -> Option<FieldFault> {
    let reason = if dob > call.caller.day.latest_date(call.now) {
        "is in the future"
    } else if dob.years_until(call.today()) > LONGEST_LIFE_YEARS {
        "is more than 120 years ago"
    } else {
        return None;
    };
    Some(FieldFault::new("dob", reason))
}

impl Local for UpdateUserProfile {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<Updated, Failure> {
        let owner = call.owner()?;
        let old = Stored::get(tx, owner).await?;
        self.check_version(&old, call)?;
        let mut new = old.clone();
        self.apply(&mut new);
        let changed = new.changed_since(&old);
        let new = if changed.is_empty() { old.clone() } else { new.write_over(&old, tx, call).await? };
        let pinned =
            if old.profile.day() != new.profile.day() { Some(count_pinned(tx, owner, call).await?) } else { None };
        Ok(Updated {
            summary: summary(&changed, pinned),
            warnings: today_moved(&old, &new, call).into_iter().collect(),
            user: User::of(&new, call)?,
            changed,
            pinned,
            next: next(call),
        })
    }
}

impl UpdateUserProfile {
    fn is_empty(&self) -> bool {
        let common = self.name.is_none()
            && self.timezone.is_none()
            && self.day_start_hour.is_none()
            && self.preferred_unit_system.is_none()
            && self.language.is_none()
            && self.about_me.is_keep();
        common && self.body_fields().next().is_none()
    }

    /// Names of the given fields that only the journal uses.
    fn body_fields(&self) -> impl Iterator<Item = &'static str> {
        [
            ("dob", !self.dob.is_keep()),
            ("height_cm", !self.height_cm.is_keep()),
            ("sex", !self.sex.is_keep()),
            ("activity_level", !self.activity_level.is_keep()),
            ("drink_standard", self.drink_standard.is_some()),
            ("uses_training", self.uses_training.is_some()),
            ("kcal_nudges_enabled", self.kcal_nudges_enabled.is_some()),
        ]
        .into_iter()
        .filter_map(|(name, given)| given.then_some(name))
    }

    fn check_version(&self, stored: &Stored, call: &Call) -> Result<(), Failure> {
        let version = stored.version();
        match self.expected_version {
            Some(expected) if expected != version => Err(Failure::conflict(
                "version_conflict",
                format!("The profile is at version {version} now, not {expected}; look at `current` and decide again."),
                json!({"current": User::of(stored, call)?}),
            )),
            _ => Ok(()),
        }
    }

    fn apply(&self, stored: &mut Stored) {
        let Stored { profile, body } = stored;
        if let Some(name) = &self.name {
            profile.name = one_line(name);
        }
        if let Some(zone) = &self.timezone {
            profile.zone = zone.clone();
            profile.timezone_set = true;
        }
        // The range is checked: 0 to 6.
        profile.day_start_hour = self.day_start_hour.map_or(profile.day_start_hour, |hour| hour as u8);
        profile.preferred_unit_system = self.preferred_unit_system.unwrap_or(profile.preferred_unit_system);
        profile.language = self.language.unwrap_or(profile.language);
        let about = self.about_me.clone().apply(profile.about_me.take());
        profile.about_me = about.map(|text| paragraphs(&text)).filter(|text| !text.is_empty());
        body.dob = self.dob.clone().apply(body.dob);
        if let Patch::Set(cm) = self.height_cm {
            body.height_mm = Some((cm * 10.0).round() as i64);
        } else if !self.height_cm.is_keep() {
            body.height_mm = None;
        }
        body.sex = self.sex.clone().apply(body.sex);
        body.activity_level = self.activity_level.clone().apply(body.activity_level);
        body.drink_standard = self.drink_standard.unwrap_or(body.drink_standard);
        body.uses_training = self.uses_training.unwrap_or(body.uses_training);
        body.kcal_nudges_enabled = self.kcal_nudges_enabled.unwrap_or(body.kcal_nudges_enabled);
    }
}

/// Rows of every domain that stay on the user-day they were logged on.
async fn count_pinned(tx: &mut Tx, owner: i64, call: &Call) -> Result<i64, Failure> {
    let mut pinned = 0;
    for count in call.catalog.domains.iter().flat_map(|domain| domain.pinned) {
        let row = tx.row(count, &params![owner]).await?;
        pinned += row.map_or(Ok(0), |row| row.get::<i64>(0))?;
    }
    Ok(pinned)
}

fn summary(changed: &[&str], pinned: Option<i64>) -> String {
    if changed.is_empty() {
        return "The profile already said so; nothing was changed.".into();
    }
    let changed = format!("Changed {} in the profile.", changed.join(", "));
    match pinned {
        None => changed,
        Some(1) => format!("{changed} The 1 entry made so far stays on its day."),
        Some(count) => format!("{changed} The {count} entries made so far stay on their days."),
    }
}

/// A new zone or day start can make it another day at once.
fn today_moved(old: &Stored, new: &Stored, call: &Call) -> Option<Warning> {
    let (before, after) = (old.profile.day().today(call.now), new.profile.day().today(call.now));
    (before != after).then(|| Warning {
        code: "today_moved",
        message: format!("It is {after} ({}) for the person now, no longer {before}.", after.weekday()),
    })
}

fn next(call: &Call) -> Option<&'static str> {
    NEXT.into_iter().find(|name| call.catalog.get(name).is_some_and(|entry| entry.is_listed_for(&call.caller)))
}
