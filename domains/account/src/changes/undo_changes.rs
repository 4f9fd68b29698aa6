use calendar::EventTime;
use identity::access_token::AccessToken;
use operation::{Call, Effect, Failure, FieldFault, Local, Needs, Operation, PageEnds, Role, Scopes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::{ChangeEntry, ChangeFilter, Id, Tx, Undone};

use super::{
    entry::makes_a_person,
    list_changes::Connection,
    obstacle::{self, Conflict, changed_since, not_undoable},
    rights,
    times::{moment, order_fault},
};

/// Takes back all that one connection, token or web session changed. First call it as it is: it only shows what would
/// happen. After the person's yes add dry_run false and confirm true. For one change use undo_change.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoChanges {
    /// Connection.
    #[serde(default)]
    pub connection_id: Option<Id<Connection>>,
    /// Token.
    #[serde(default)]
    pub access_token_id: Option<Id<AccessToken>>,
    /// Web session.
    #[serde(default)]
    pub session_id: Option<Id<Session>>,
    /// Start.
    #[serde(default)]
    pub from: Option<EventTime>,
    /// End.
    #[serde(default)]
    pub to: Option<EventTime>,
    /// Only show.
    #[serde(default = "yes")]
    pub dry_run: bool,
    /// True to do it.
    #[serde(default)]
    pub confirm: Option<bool>,
}

/// A web session.
pub struct Session;

#[derive(Debug, Serialize, JsonSchema)]
pub struct TakenBack {
    dry_run: bool,
    /// How many changes are, or would be, taken back.
    count: usize,
    /// Those, newest first.
    changes: Vec<Line>,
    /// There are more changes than shown.
    truncated: bool,
    /// What stands in the way; then nothing can be taken back.
    conflicts: Vec<Conflict>,
    /// Conflicts that did not fit.
    conflicts_left_out: usize,
    summary: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Line {
    id: i64,
    at: String,
    summary: String,
}

/// Changes taken back in one call.
const MOST: usize = 500;
/// Of the conflicts in an answer, so that changes have room beside them.
const MOST_CONFLICT_BYTES: usize = 10_000;
const ONE_OF: [&str; 3] = ["connection_id", "access_token_id", "session_id"];

fn yes() -> bool {
    true
}

impl Operation for UndoChanges {
    const NAME: &'static str = "undo_changes";
    const PATH: &'static str = "/account/changes/undo";
    const EFFECT: Effect = Effect::Changes;
    const NEEDS: Needs = Needs::AnyCredential;
    const ENTITY: &'static str = "change";
    const ROLE: Role = Role::Update;
    const UNTRUSTED: &'static [&'static str] = &["changes[].summary", "conflicts[].left", "conflicts[].now"];
    const NARROW_BY: &'static str = "from and to";
    type Output = TakenBack;

    fn example() -> Value {
        json!({"access_token_id": 1, "from": "2026-05-25"})
    }

    fn check(&self, call: &Call) -> Vec<FieldFault> {
        let mut faults = Vec::new();
        let given = self.given();
        if given.iter().filter(|given| **given).count() != 1 {
            let first = ONE_OF.iter().zip(given).find(|(_, given)| *given).map_or(ONE_OF[0], |(name, _)| name);
            faults.push(FieldFault::new(first, format!("give exactly one of {}", ONE_OF.join(", "))));
        }
        faults.extend(order_fault(self.from.as_ref(), self.to.as_ref(), &call.caller.day));
        if !self.dry_run && self.confirm != Some(true) {
            faults.push(FieldFault::new("confirm", "Invalid literal value, expected true"));
        }
        faults
    }

    fn page(_: &TakenBack) -> Option<PageEnds> {
        Some(PageEnds::without_cursor("changes", 0))
    }
}

impl Local for UndoChanges {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<TakenBack, Failure> {
        let entries = self.changes(tx, call).await?;
        let missing = entries.iter().map(|entry| rights::missing_to_write(entry, &call.caller));
        rights::need_writing(missing.fold(Scopes::NONE, Scopes::union))?;
        if self.dry_run {
            tx.begin_trial().await?;
        }
        let done = take_back(tx, call, &entries).await?;
        if self.dry_run {
            tx.end_trial().await?;
        } else if !done.conflicts.is_empty() {
            return Err(changed_since(tx, call, done.conflicts).await?);
        }
        Ok(self.told(&entries, done, call))
    }
}

/// What came of taking changes back one after the other.
struct Done {
    taken: Vec<i64>,
    conflicts: Vec<Conflict>,
}

/// Takes back what is in force of `entries`, newest first, and goes on after a conflict to find all of them.
async fn take_back(tx: &mut Tx, call: &Call, entries: &[ChangeEntry]) -> Result<Done, Failure> {
    let own = tx.change();
    let mut done = Done { taken: Vec::new(), conflicts: Vec::new() };
    for entry in entries {
        // An undo among them that was taken back has put its own change in force again.
        let in_force = entry.undone_by.is_none_or(|by| done.taken.contains(&by));
        if !in_force || makes_a_person(entry) {
            continue;
        }
        match tx.undo(call.owner()?, entry.id, call.now).await? {
            Undone::Restored(_) => done.taken.push(entry.id),
            Undone::NotUndoable(reason) => return Err(not_undoable(entry.id, &reason)),
            Undone::Conflicts(conflicts) => {
                for mut conflict in conflicts {
                    conflict.later_changes.retain(|id| Some(*id) != own && !done.taken.contains(id));
                    done.conflicts.push(Conflict::of(entry.id, conflict, call));
                }
            }
        }
    }
    Ok(done)
}

impl UndoChanges {
    fn given(&self) -> [bool; 3] {
        [self.connection_id.is_some(), self.access_token_id.is_some(), self.session_id.is_some()]
    }

    /// The changes in question that the caller may read, newest first; refused when there are too many.
    async fn changes(&self, tx: &mut Tx, call: &Call) -> Result<Vec<ChangeEntry>, Failure> {
        let day = &call.caller.day;
        let actor = [
            self.connection_id.map(|id| ("grant", id.raw())),
            self.access_token_id.map(|id| ("access_token", id.raw())),
            self.session_id.map(|id| ("session", id.raw())),
        ];
        let filter = ChangeFilter {
            from: self.from.as_ref().map(|time| moment(time, day)),
            to: self.to.as_ref().map(|time| moment(time, day)),
            actor: actor.into_iter().flatten().next().map(|(kind, id)| (kind.to_owned(), id)),
            areas: Some(rights::readable_areas(&call.caller)),
            ..ChangeFilter::default()
        };
        let entries = tx.changes(call.owner()?, &filter, None, MOST + 1).await?;
        if entries.len() > MOST {
            let message = format!("More than {MOST} changes are meant; narrow them with from and to.");
            return Err(Failure::unprocessable("too_many_changes", message, json!({"limit": MOST})));
        }
        Ok(entries)
    }

    fn told(&self, entries: &[ChangeEntry], done: Done, call: &Call) -> TakenBack {
        let Done { taken, mut conflicts } = done;
        let changes = entries.iter().filter(|entry| taken.contains(&entry.id)).map(|entry| Line {
            id: entry.id,
            at: entry.at.in_zone(&call.caller.day.zone),
            summary: entry.summary.clone(),
        });
        let count = taken.len();
        let changed = if count == 1 { "1 change".to_owned() } else { format!("{count} changes") };
        let summary = match (self.dry_run, conflicts.len()) {
            (false, _) => format!("Took back {changed}."),
            (true, 0) => format!("Nothing was changed yet; {changed} would be taken back."),
            (true, rows) => format!("Nothing can be taken back: {rows} rows were changed since."),
        };
        let changes = changes.collect();
        let conflicts_left_out = conflicts.len() - obstacle::fitting(&conflicts, MOST_CONFLICT_BYTES);
        conflicts.truncate(conflicts.len() - conflicts_left_out);
        TakenBack { dry_run: self.dry_run, count, changes, truncated: false, conflicts, conflicts_left_out, summary }
    }
}
