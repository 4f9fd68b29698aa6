//! A fresh database with identity's tables, and one transaction for each step.

use std::time::Duration;

use calendar::Instant;
use identity::{
    Credential, NewPerson,
    access_token::{self, NewAccessToken},
};
use operation::{Actor, Caller, Failure, Scopes};
use storage::{
    BoxFuture, Schema, Storage, Tx, Write,
    testing::{TestDatabase, TestEngine},
};

pub struct House {
    storage: Storage,
    _database: TestDatabase,
}

/// Noon of 25 May 2026 UTC.
pub const NOON: Instant = Instant::from_micros(1_779_710_400_000_000);

pub fn scopes(text: &str) -> Scopes {
    Scopes::parse(text).unwrap()
}

impl House {
    pub async fn on(engine: TestEngine) -> Self {
        let database = TestDatabase::create(engine).await;
        let schema = Schema { tables: identity::TABLES.to_vec(), migrations: identity::MIGRATIONS.to_vec() };
        let storage = database.open(schema).await.unwrap();
        Self { storage, _database: database }
    }

    pub async fn write<R: Send + 'static>(
        &self,
        job: impl for<'a> Fn(&'a mut Tx) -> BoxFuture<'a, Result<R, Failure>> + Send + Sync + 'static,
    ) -> Result<R, Failure> {
        let how = Write { owner: 0, change: true, call_id: None, deadline: Duration::from_secs(5) };
        self.storage.write(how, job).await
    }

    pub async fn create(&self, email: &str) -> Result<i64, Failure> {
        let new = NewPerson { email: email.into(), timezone: Some("America/Toronto".into()), ..NewPerson::default() };
        self.write(move |tx| {
            let new = new.clone();
            Box::pin(async move { identity::create_person(tx, &new, NOON).await })
        })
        .await
    }

    /// A new token of `owner` and its id.
    pub async fn token(
        &self,
        owner: i64,
        granted: &str,
        expires_at: Option<Instant>,
        maker: Actor,
    ) -> (Credential, i64) {
        let credential = Credential::new_access_token().unwrap();
        let (kept, granted) = (credential.clone(), scopes(granted));
        let id = self.write(move |tx| {
            let (credential, maker) = (kept.clone(), maker.clone());
            Box::pin(async move {
                let new = NewAccessToken { name: "test", scopes: granted, expires_at, maker: &maker };
                access_token::insert(tx, owner, &new, &credential, NOON).await
            })
        });
        let id = id.await.unwrap();
        (credential, id)
    }

    pub async fn caller(&self, credential: &Credential, now: Instant) -> Result<Caller, Failure> {
        let text = credential.reveal().to_owned();
        self.write(move |tx| {
            let text = text.clone();
            Box::pin(
                async move { identity::caller_of_credential(tx, &text, now, "api", scopes("profile journal")).await },
            )
        })
        .await
    }

    pub async fn on_host(&self, email: Option<&str>) -> Result<Caller, Failure> {
        let email = email.map(str::to_owned);
        self.write(move |tx| {
            let email = email.clone();
            Box::pin(
                async move { identity::caller_of_email(tx, email.as_deref(), "cli", scopes("profile journal")).await },
            )
        })
        .await
    }

    pub async fn is_claimed(&self) -> bool {
        self.write(|tx| Box::pin(identity::is_claimed(tx))).await.unwrap()
    }

    /// Rows of a statement of the test's own.
    pub async fn rows(&self, sql: &'static str) -> Vec<storage::Row> {
        let rows = self.write(move |tx| {
            Box::pin(async move { Ok(tx.rows(&storage::Sql { name: "test", text: sql }, &[]).await?) })
        });
        rows.await.unwrap()
    }
}
