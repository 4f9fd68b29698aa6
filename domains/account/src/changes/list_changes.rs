use calendar::EventTime;
use operation::{Call, Cursor, Effect, Failure, FieldFault, Local, Needs, Operation, PageEnds, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::{Capture, ChangeFilter, Id, Tx};

use super::{
    entry::Shown,
    rights::readable_areas,
    times::{moment, order_fault},
};

/// Lists what was changed, newest first: when, by whom, in one sentence. To take one back use undo_change, for values
/// get_change.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListChanges {
    /// Start.
    #[serde(default)]
    pub from: Option<EventTime>,
    /// End.
    #[serde(default)]
    pub to: Option<EventTime>,
    /// Connection.
    #[serde(default)]
    pub connection_id: Option<Id<Connection>>,
    /// Such as journal.
    #[serde(default)]
    pub domain: Option<String>,
    /// Such as meal.
    #[serde(default)]
    pub entity: Option<String>,
    /// Row, with entity.
    #[serde(default)]
    pub entity_id: Option<Id<Row>>,
    /// At most.
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 200), extend("x-quiet" = true))]
    pub limit: i64,
    /// next_cursor of last page.
    #[serde(default)]
    pub cursor: Option<Cursor>,
}

/// A connected client.
pub struct Connection;
/// A row of any entity.
pub struct Row;

#[derive(Debug, Serialize, JsonSchema)]
pub struct Changes {
    items: Vec<Shown>,
    next_cursor: Option<String>,
    truncated: bool,
    #[serde(skip)]
    #[schemars(skip)]
    more: bool,
}

fn fifty() -> i64 {
    50
}

impl Operation for ListChanges {
    const NAME: &'static str = "list_changes";
    const PATH: &'static str = "/account/changes";
    const EFFECT: Effect = Effect::Reads;
    const NEEDS: Needs = Needs::AnyCredential;
    const ENTITY: &'static str = "change";
    const ROLE: Role = Role::Read;
    const EVERYDAY: bool = true;
    const UNTRUSTED: &'static [&'static str] = &["items[].summary", "items[].actor.name"];
    type Output = Changes;

    fn example() -> Value {
        json!({"limit": 10})
    }

    fn check(&self, call: &Call) -> Vec<FieldFault> {
        let mut faults = Vec::from_iter(order_fault(self.from.as_ref(), self.to.as_ref(), &call.caller.day));
        let one_of = |names: Vec<&str>| format!("must be one of {}", names.join(", "));
        if self.domain.as_deref().is_some_and(|name| call.catalog.domain(name).is_none()) {
            let names = call.catalog.domains.iter().map(|domain| domain.name).collect();
            faults.push(FieldFault::new("domain", one_of(names)));
        }
        let known = captured_entities(call);
        if self.entity.as_deref().is_some_and(|name| !known.contains(&name)) {
            faults.push(FieldFault::new("entity", one_of(known)));
        }
        if self.entity_id.is_some() && self.entity.is_none() {
            faults.push(FieldFault::new("entity", "Required"));
        }
        faults
    }

    fn page(output: &Changes) -> Option<PageEnds> {
        let keys = output.items.iter().map(|item| vec![json!(item.id)]).collect();
        Some(PageEnds { list: "items", keys, more: output.more, beyond: 0 })
    }
}

impl Local for ListChanges {
    async fn run(&self, tx: &mut Tx, call: &Call) -> Result<Changes, Failure> {
        let limit = usize::try_from(self.limit).unwrap_or(0);
        let mut entries = tx.changes(call.owner()?, &self.filter(call), self.position()?, limit + 1).await?;
        let more = entries.len() > limit;
        entries.truncate(limit);
        let items = entries.into_iter().map(|entry| Shown::of(entry, call)).collect();
        Ok(Changes { items, next_cursor: None, truncated: more, more })
    }
}

impl ListChanges {
    fn filter(&self, call: &Call) -> ChangeFilter {
        let day = &call.caller.day;
        let mut areas = readable_areas(&call.caller);
        if let Some(domain) = self.domain.as_deref().and_then(|name| call.catalog.domain(name)) {
            areas.retain(|area| area == domain.area.as_str());
        }
        ChangeFilter {
            from: self.from.as_ref().map(|time| moment(time, day)),
            to: self.to.as_ref().map(|time| moment(time, day)),
            actor: self.connection_id.map(|id| ("grant".to_owned(), id.raw())),
            entity: self.entity.clone(),
            entity_id: self.entity_id.map(Id::raw),
            areas: Some(areas),
        }
    }

    /// The last change of the page before.
    fn position(&self) -> Result<Option<i64>, Failure> {
        let Some(cursor) = &self.cursor else { return Ok(None) };
        let id = cursor.key()?.first().and_then(Value::as_i64);
        id.map(Some).ok_or_else(|| Failure::internal("a cursor of changes without an id"))
    }
}

/// Entities whose rows the change log keeps.
fn captured_entities(call: &Call) -> Vec<&'static str> {
    let tables = identity::TABLES.iter().chain(call.catalog.domains.iter().flat_map(|domain| domain.tables));
    tables.filter(|table| matches!(table.capture, Capture::Rows { .. })).map(|table| table.entity).collect()
}
