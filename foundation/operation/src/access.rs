//! Who calls, and what they may do: scopes, needs, actors, callers.

use std::fmt;

use calendar::{DayClock, Instant, Zone};

/// A part of Almanac that a scope opens. `Display` is the plain scope name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    Profile,
    Journal,
    Kitchen,
    Training,
    Care,
    Lab,
    Venues,
}

impl Area {
    pub const ALL: [Area; 7] =
        [Area::Profile, Area::Journal, Area::Kitchen, Area::Training, Area::Care, Area::Lab, Area::Venues];

    pub const fn as_str(self) -> &'static str {
        match self {
            Area::Profile => "profile",
            Area::Journal => "journal",
            Area::Kitchen => "kitchen",
            Area::Training => "training",
            Area::Care => "care",
            Area::Lab => "lab",
            Area::Venues => "venues",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|area| area.as_str() == name)
    }
}

/// One scope: reading an area, or reading and writing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    pub area: Area,
    pub writes: bool,
}

impl Scope {
    pub const fn read(area: Area) -> Self {
        Self { area, writes: false }
    }

    pub const fn write(area: Area) -> Self {
        Self { area, writes: true }
    }

    /// `journal` or `journal:read`; `None` for a name that Almanac does not have.
    pub fn parse(name: &str) -> Option<Self> {
        match name.strip_suffix(":read") {
            Some(area) => Area::parse(area).map(Self::read),
            None => Area::parse(name).map(Self::write),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = if self.writes { "" } else { ":read" };
        write!(f, "{}{suffix}", self.area.as_str())
    }
}

/// A set of scopes; the plain name implies its `:read` form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scopes(u16);

impl Scopes {
    pub const NONE: Scopes = Scopes(0);

    pub const fn with(self, scope: Scope) -> Self {
        let read = 1 << (scope.area as u16 * 2);
        Self(self.0 | read | if scope.writes { read << 1 } else { 0 })
    }

    pub fn contains(self, scope: Scope) -> bool {
        self.covers(Scopes::NONE.with(scope))
    }

    /// Every scope of `other` is in `self`.
    pub const fn covers(self, other: Scopes) -> bool {
        self.0 & other.0 == other.0
    }

    pub const fn union(self, other: Scopes) -> Self {
        Self(self.0 | other.0)
    }

    pub const fn intersection(self, other: Scopes) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in `self` and not in `other`.
    pub const fn without(self, other: Scopes) -> Self {
        Self(self.0 & !other.0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The plain or `:read` scope of each area, in the order of [`Area::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Area::ALL.into_iter().filter_map(move |area| {
            [Scope::write(area), Scope::read(area)].into_iter().find(|scope| self.contains(*scope))
        })
    }

    /// Reads names separated by spaces; the first unknown name is the error.
    pub fn parse(text: &str) -> Result<Self, String> {
        text.split(' ').filter(|name| !name.is_empty()).try_fold(Self::NONE, |set, name| {
            Scope::parse(name).map(|scope| set.with(scope)).ok_or_else(|| name.to_owned())
        })
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        scopes.into_iter().fold(Self::NONE, Scopes::with)
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, scope) in self.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{scope}")?;
        }
        Ok(())
    }
}

/// What an operation asks of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: also without a credential.
    Anonymous,
    /// Any credential of an active person.
    AnyCredential,
    Scope(Scope),
}

impl Needs {
    pub const fn reading(area: Area) -> Self {
        Self::Scope(Scope::read(area))
    }

    pub const fn writing(area: Area) -> Self {
        Self::Scope(Scope::write(area))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActorKind {
    Session,
    Grant,
    AccessToken,
    Connector,
    Cli,
    System,
}

impl ActorKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Grant => "grant",
            Self::AccessToken => "access_token",
            Self::Connector => "connector",
            Self::Cli => "cli",
            Self::System => "system",
        }
    }
}

/// Through what a call came: kept with every change and account event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    pub kind: ActorKind,
    /// Row id of the session, grant, token or connector; 0 for `cli` and `system`.
    pub id: i64,
    pub name: String,
}

/// The person behind a credential, read with it in one query and never cached between calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub id: i64,
    pub name: String,
    pub email: String,
    pub is_admin: bool,
    /// `pending`, `active`, `suspended` or `deleting`; only `active` gets past the engine.
    pub state: String,
    pub timezone_set: bool,
    pub prefers_imperial: bool,
}

/// Who calls: what every surface turns its credential into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// `None`: a visitor.
    pub person: Option<Person>,
    pub actor: Actor,
    /// Granted ∩ may use.
    pub scopes: Scopes,
    /// What the person may hold beyond `scopes`.
    pub could_add: Scopes,
    pub expires_at: Option<Instant>,
    /// Zone and day start of the person; UTC with hour 4 for a visitor.
    pub day: DayClock,
    /// Which surface the call came through: `web`, `cli`, `api` or `assistant:<client>`.
    pub source: String,
}

impl Caller {
    pub fn visitor(source: &str) -> Self {
        Self {
            person: None,
            actor: Actor { kind: ActorKind::System, id: 0, name: "visitor".into() },
            scopes: Scopes::NONE,
            could_add: Scopes::NONE,
            expires_at: None,
            day: DayClock { zone: Zone::utc(), day_start_hour: 4 },
            source: source.into(),
        }
    }

    pub fn may(&self, needs: Needs) -> bool {
        match needs {
            Needs::Anonymous => true,
            Needs::AnyCredential => self.person.is_some(),
            Needs::Scope(scope) => self.person.is_some() && self.scopes.contains(scope),
        }
    }
}
