//! The one transaction of a local operation: key, run, change, key again, zone of the answer.

use std::sync::Arc;

use calendar::DayClock;
use operation::{
    Call, Entry, Failure, Needs, Produced,
    entry::{Runner, RunsLocal},
};
use serde_json::{Map, Value, json};
use storage::{Storage, Tx, Write};

use crate::{Answer, Meta, checked::Checked, pages};

/// What a committed call leaves to be stamped.
pub struct Done {
    answer: Map<String, Value>,
    page: Option<operation::PageEnds>,
    seal: String,
    change: Option<i64>,
    replayed: bool,
    /// The person's day after the call, where the call may have changed it.
    day: Option<DayClock>,
}

pub async fn read(storage: &Storage, checked: Checked) -> Result<Done, Failure> {
    let checked = Arc::new(checked);
    storage
        .read(move |tx| {
            let checked = checked.clone();
            Box::pin(async move {
                let produced = local(&checked)?.run(&checked.input, tx, &checked.call).await?;
                Ok(Done::new(produced, &checked))
            })
        })
        .await
}

pub async fn write(storage: &Storage, checked: Checked) -> Result<Done, Failure> {
    let how = how(&checked)?;
    let checked = Arc::new(checked);
    storage
        .write(how, move |tx| {
            let checked = checked.clone();
            Box::pin(async move { written(&checked, tx).await })
        })
        .await
}

/// A write of the caller's own rows, within the call's patience.
pub fn how(checked: &Checked) -> Result<Write, Failure> {
    Ok(Write {
        owner: checked.call.caller.person.as_ref().map_or(0, |person| person.id),
        change: checked.call.caller.person.is_some(),
        deadline: checked.patience()?,
        call_id: Some(checked.call.call_id),
    })
}

async fn written(checked: &Checked, tx: &mut Tx) -> Result<Done, Failure> {
    let (runner, call) = (local(checked)?, &checked.call);
    if let Some(done) = replayed(checked, runner, tx).await? {
        return Ok(done);
    }
    let produced = runner.run(&checked.input, tx, call).await?;
    let row = produced.row;
    let done = recorded(checked, tx, produced).await?;
    if let (Some(key), Some(row)) = (&checked.key, row) {
        key.remember(tx, call, row, done.change).await?;
    }
    Ok(done)
}

async fn replayed(checked: &Checked, runner: &dyn RunsLocal, tx: &mut Tx) -> Result<Option<Done>, Failure> {
    let Some(key) = &checked.key else { return Ok(None) };
    let Some(known) = key.find(tx, &checked.call).await? else { return Ok(None) };
    let produced = runner.replay(&checked.input, tx, &checked.call, known.row).await?;
    Ok(produced.map(|produced| Done { change: known.change, replayed: true, ..Done::new(produced, checked) }))
}

/// Writes the change of a finished run and reads back the person's day where it may be another now.
pub async fn recorded(checked: &Checked, tx: &mut Tx, produced: Produced) -> Result<Done, Failure> {
    let (entry, call) = (checked.entry()?, &checked.call);
    let mut done = Done::new(produced, checked);
    let answer = Value::Object(std::mem::take(&mut done.answer));
    if call.caller.person.is_some() {
        done.change = record_change(entry, call, tx, (entry.summary)(&answer)).await?;
        done.day = day_after(entry, call, tx).await?;
    }
    if let Value::Object(answer) = answer {
        done.answer = answer;
    }
    Ok(done)
}

async fn record_change(entry: &Entry, call: &Call, tx: &mut Tx, summary: String) -> Result<Option<i64>, Failure> {
    let Some(id) = tx.change() else { return Ok(None) };
    let change = storage::Change {
        owner: call.owner()?,
        id,
        at: call.now,
        operation: entry.name.into(),
        area: area(entry),
        actor_kind: call.caller.actor.kind.as_str().into(),
        actor_id: call.caller.actor.id,
        actor_name: call.caller.actor.name.clone(),
        source: call.caller.source.clone(),
        summary,
    };
    Ok((tx.record_change(&change).await? > 0).then_some(id))
}

/// What a caller must be allowed to read to see the change; an undo takes the area of what it undid.
fn area(entry: &Entry) -> String {
    match entry.needs {
        Needs::Scope(scope) => scope.area.as_str().to_owned(),
        Needs::Anonymous | Needs::AnyCredential => String::new(),
    }
}

/// Zone and day start change with the profile and with an undo; other operations leave them alone.
async fn day_after(entry: &Entry, call: &Call, tx: &mut Tx) -> Result<Option<DayClock>, Failure> {
    match entry.needs {
        Needs::Scope(scope) if scope.area != operation::Area::Profile => Ok(None),
        _ => identity::day_clock(tx, call.owner()?).await.map(Some),
    }
}

fn local(checked: &Checked) -> Result<&dyn RunsLocal, Failure> {
    match &checked.entry()?.runner {
        Runner::Local(runner) => Ok(runner.as_ref()),
        Runner::Reaching(_) => Err(Failure::internal("a reaching operation was run as a local one")),
    }
}

impl Done {
    pub fn new(produced: Produced, checked: &Checked) -> Self {
        Self {
            answer: produced.answer,
            page: produced.page,
            seal: checked.seal.clone(),
            change: None,
            replayed: false,
            day: None,
        }
    }

    /// The answer as it leaves the engine: list cut, change named, clock and zone noted.
    pub fn stamp(self, entry: &Entry, call: &Call) -> Answer {
        let mut body = self.answer;
        if let Some(ends) = &self.page {
            pages::cut(&mut body, ends, entry, &self.seal);
        }
        if entry.effect.writes() {
            name_change(&mut body, self.change);
        }
        if self.replayed {
            body.insert("replayed".into(), json!(true));
        }
        let zone = &self.day.as_ref().unwrap_or(&call.caller.day).zone;
        let meta = Meta {
            server_now: call.now.in_zone(zone),
            user_tz: zone.name().to_owned(),
            untrusted_fields: entry.untrusted,
        };
        Answer { body, meta, status: entry.effect.status() }
    }
}

/// `change_id` and how to take it back; both null when nothing was captured. An answer that names a change itself
/// (of an earlier call) keeps it.
fn name_change(body: &mut Map<String, Value>, change: Option<i64>) {
    let change = body.get("change_id").and_then(Value::as_i64).or(change);
    body.insert("change_id".into(), json!(change));
    let undo = change.map(|id| json!({"tool": "undo_change", "change_id": id}));
    body.entry("undo").or_insert(json!(undo));
}
