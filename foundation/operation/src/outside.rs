use std::sync::Arc;

use storage::{Storage, Tx, Write};

use crate::{BoxFuture, Call, Failure};

/// What `reach` may use: the call, and short transactions of its own to record intents before something irreversible.
#[derive(Clone)]
pub struct Outside {
    storage: Storage,
    pub call: Arc<Call>,
}

impl Outside {
    #[doc(hidden)]
    pub fn new(storage: Storage, call: Arc<Call>) -> Self {
        Self { storage, call }
    }

    /// Commits `job` on its own, before `reach` goes on.
    pub async fn record<R, J>(&self, job: J) -> Result<R, Failure>
    where
        R: Send + 'static,
        J: for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, Failure>> + Send + Sync + 'static,
    {
        let how = Write {
            owner: self.call.caller.person.as_ref().map_or(0, |person| person.id),
            change: false,
            deadline: std::time::Duration::from_secs(10),
            call_id: None,
        };
        self.storage.write(how, job).await
    }
}
