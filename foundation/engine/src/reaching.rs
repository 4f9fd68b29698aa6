//! An operation that calls another service: a transaction before, none during, one after.

use std::sync::Arc;

use operation::{
    Failure, Outside,
    entry::{Carried, Runner, RunsReaching},
};
use storage::{BoxFuture, Storage, Tx};

use crate::{
    checked::Checked,
    transaction::{self, Done},
};

pub async fn run(storage: &Storage, checked: Checked) -> Result<Done, Failure> {
    let checked = Arc::new(checked);
    let plan = in_transaction(storage, &checked, {
        let checked = checked.clone();
        move |tx| {
            let checked = checked.clone();
            Box::pin(async move { runner(&checked)?.prepare(&checked.input, tx, &checked.call).await })
        }
    })
    .await?;
    let outside = Outside::new(storage.clone(), checked.call.clone());
    let answer = Arc::new(runner(&checked)?.reach(&checked.input, &plan, &outside).await?);
    in_transaction(storage, &checked, {
        let checked = checked.clone();
        move |tx| {
            let (checked, answer) = (checked.clone(), answer.clone());
            Box::pin(async move { settled(&checked, tx, &answer).await })
        }
    })
    .await
}

async fn settled(checked: &Checked, tx: &mut Tx, answer: &Carried) -> Result<Done, Failure> {
    let produced = runner(checked)?.settle(&checked.input, tx, &checked.call, answer).await?;
    if checked.entry()?.effect.writes() {
        transaction::recorded(checked, tx, produced).await
    } else {
        Ok(Done::new(produced, checked))
    }
}

/// Read-only for `Reads`, else a write of the caller's rows.
async fn in_transaction<T, J>(storage: &Storage, checked: &Checked, job: J) -> Result<T, Failure>
where
    T: Send + 'static,
    J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<T, Failure>> + Send + Sync + 'static,
{
    if checked.entry()?.effect.writes() {
        storage.write(transaction::how(checked)?, job).await
    } else {
        storage.read(job).await
    }
}

fn runner(checked: &Checked) -> Result<&dyn RunsReaching, Failure> {
    match &checked.entry()?.runner {
        Runner::Reaching(runner) => Ok(runner.as_ref()),
        Runner::Local(_) => Err(Failure::internal("a local operation was run as a reaching one")),
    }
}
