use identity::{BodyProfile, Profile, body_profile, profile};
use operation::{Call, Failure};
use storage::Tx;

/// Both halves of a profile as they are stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    pub profile: Profile,
    pub body: BodyProfile,
}

impl Stored {
    pub async fn get(tx: &mut Tx, owner: i64) -> Result<Self, Failure> {
        Ok(Self { profile: profile::get(tx, owner).await?, body: body_profile::get(tx, owner).await? })
    }

    /// One number for both rows: each starts at 1 and only goes up.
    pub fn version(&self) -> i64 {
        self.profile.version + self.body.version - 1
    }

    /// Names of the fields that differ from `old`.
    pub fn changed_since(&self, old: &Self) -> Vec<&'static str> {
        let (p, q, b, c) = (&old.profile, &self.profile, &old.body, &self.body);
        [
            ("name", p.name != q.name),
            ("timezone", p.zone != q.zone || p.timezone_set != q.timezone_set),
            ("day_start_hour", p.day_start_hour != q.day_start_hour),
            ("preferred_unit_system", p.preferred_unit_system != q.preferred_unit_system),
            ("language", p.language != q.language),
            ("dob", b.dob != c.dob),
            ("height_cm", b.height_mm != c.height_mm),
            ("sex", b.sex != c.sex),
            ("activity_level", b.activity_level != c.activity_level),
            ("drink_standard", b.drink_standard != c.drink_standard),
            ("uses_training", b.uses_training != c.uses_training),
            ("kcal_nudges_enabled", b.kcal_nudges_enabled != c.kcal_nudges_enabled),
            ("about_me", p.about_me != q.about_me),
        ]
        .into_iter()
        .filter_map(|(name, differs)| differs.then_some(name))
        .collect()
    }

    /// Writes the rows that differ from `old` and reads back what is stored.
    pub async fn write_over(mut self, old: &Self, tx: &mut Tx, call: &Call) -> Result<Self, Failure> {
        let owner = call.owner()?;
        if self.profile != old.profile {
            self.profile.source.clone_from(&call.caller.source);
            profile::update(tx, owner, &self.profile, call.now).await?;
        }
        if self.body != old.body {
            self.body.source.clone_from(&call.caller.source);
            body_profile::update(tx, owner, &self.body, call.now).await?;
        }
        Self::get(tx, owner).await
    }
}
