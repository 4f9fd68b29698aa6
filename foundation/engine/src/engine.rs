use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicI64, Ordering},
};

use calendar::Instant;
use operation::{Call, Catalog, Domain, Entry, Failure, FieldFault, Scopes, entry::Runner};
use serde_json::Value;
use storage::{DatabaseUrl, Storage, StorageOptions};

use crate::{
    Answer, Clock, Failed, Request, call, checked::Checked, guard, idempotency::Key, pages, reaching, schema,
    transaction, uses::Uses,
};

/// What an engine is built from.
pub struct EngineOptions {
    /// Public origin, without a slash at the end.
    pub base_url: String,
    pub clock: Arc<dyn Clock>,
}

/// A running Almanac without a surface. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    house: Arc<House>,
}

struct House {
    catalog: Arc<Catalog>,
    storage: Storage,
    clock: Arc<dyn Clock>,
    base_url: Arc<str>,
    areas: Scopes,
    next_call: AtomicI64,
    claimed: AtomicBool,
    uses: Uses,
}

impl Engine {
    /// Opens (and migrates) the database and checks the catalog of `domains`. Identity's and the engine's own tables
    /// come by themselves. Panics on a broken catalog, so that it never serves.
    pub async fn open(url: &DatabaseUrl, domains: &[Domain], options: EngineOptions) -> Result<Self, Failure> {
        let catalog = Catalog::new(domains).unwrap_or_else(|faults| panic!("broken catalog: {}", faults.join("; ")));
        let storage = Storage::open(url, schema::of(domains), StorageOptions::default()).await?;
        let areas = catalog.areas().into_iter().map(operation::Scope::write).collect();
        Ok(Self {
            house: Arc::new(House {
                catalog: Arc::new(catalog),
                storage,
                clock: options.clock,
                base_url: options.base_url.into(),
                areas,
                next_call: AtomicI64::new(call::first_id()?),
                claimed: AtomicBool::new(false),
                uses: Uses::default(),
            }),
        })
    }

    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.house.catalog
    }

    pub fn base_url(&self) -> &str {
        &self.house.base_url
    }

    pub fn now(&self) -> Instant {
        self.house.clock.now()
    }

    pub fn storage(&self) -> &Storage {
        &self.house.storage
    }

    /// Scopes of the areas that this server has operations for.
    pub(crate) fn areas(&self) -> Scopes {
        self.house.areas
    }

    /// Remembers that the instance has an owner; it never goes back.
    pub(crate) fn claimed(&self) -> &AtomicBool {
        &self.house.claimed
    }

    pub(crate) fn uses(&self) -> &Uses {
        &self.house.uses
    }

    /// Runs one operation: find, scope, input, rules, transaction, change log, stamp.
    pub async fn call(&self, request: Request) -> Result<Answer, Failed> {
        let call_id = self.house.next_call.fetch_add(1, Ordering::Relaxed);
        self.answer(request, call_id).await.map_err(|failure| {
            if let Failure::Internal { cause } = &failure {
                tracing::error!(call_id, %cause, "internal failure");
            }
            Failed { failure, call_id }
        })
    }

    async fn answer(&self, request: Request, call_id: i64) -> Result<Answer, Failure> {
        let entry = self.find(&request)?;
        guard::admit(entry, &request.caller)?;
        let checked = self.check(entry, request, call_id)?;
        let patience = checked.patience()?;
        let call = checked.call.clone();
        let work = async {
            match &entry.runner {
                Runner::Local(_) if entry.effect.writes() => transaction::write(self.storage(), checked).await,
                Runner::Local(_) => transaction::read(self.storage(), checked).await,
                Runner::Reaching(_) => reaching::run(self.storage(), checked).await,
            }
        };
        let done = tokio::time::timeout(patience, work).await.map_err(|_| Failure::Unavailable {
            message: format!("{} took longer than {} s.", entry.name, patience.as_secs()),
        })??;
        Ok(done.stamp(entry, &call))
    }

    fn find(&self, request: &Request) -> Result<&Entry, Failure> {
        self.house
            .catalog
            .get(&request.operation)
            .filter(|entry| !(request.toolset.reads_only() && entry.effect.writes()))
            .ok_or_else(|| Failure::UnknownOperation { name: request.operation.clone() })
    }

    fn check(&self, entry: &Entry, request: Request, call_id: i64) -> Result<Checked, Failure> {
        let mut input = entry.input.check(request.input).map_err(Failure::Invalid)?;
        let call = Arc::new(Call {
            caller: request.caller,
            now: self.now(),
            call_id,
            operation: entry.name,
            catalog: self.house.catalog.clone(),
            toolset: request.toolset,
            base_url: self.house.base_url.clone(),
        });
        let seal = pages::seal(entry, &call, &input);
        pages::open_cursor(&mut input, &seal)?;
        let key = Key::of(entry, &call, &input, request.key)?;
        let parsed = entry.runner.parse(Value::Object(input))?;
        let faults = entry.runner.check(&parsed, &call)?;
        refuse(faults)?;
        Ok(Checked { catalog: self.house.catalog.clone(), name: entry.name, input: parsed, call, key, seal })
    }

    /// Finishes accepted writes and closes the database.
    pub async fn close(self) -> Result<(), Failure> {
        Ok(self.house.storage.close().await?)
    }
}

fn refuse(faults: Vec<FieldFault>) -> Result<(), Failure> {
    if faults.is_empty() { Ok(()) } else { Err(Failure::Invalid(faults)) }
}
