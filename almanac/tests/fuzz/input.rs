use std::sync::Arc;

use engine::{Engine, EngineOptions, NewPerson, Request, SystemClock};
use operation::{Caller, Failure, Toolset};
use serde_json::Value;
use storage::DatabaseUrl;

use crate::{corpus, mutate, pool::Pool, random::Random};

/// An Almanac with one person, and every operation's name with its parameters.
struct House {
    engine: Engine,
    caller: Arc<Caller>,
    operations: Vec<(String, Vec<String>)>,
}

#[tokio::test]
async fn no_json_breaks_an_operation() {
    let folder = tempfile::tempdir().expect("a folder");
    let house = House::open(folder.path()).await;
    let mut random = Random::from_environment();
    let mut pool = Pool::new(house.first_texts());
    for text in pool.texts().to_vec() {
        for operation in 0..house.operations.len() {
            house.try_text(&mut pool, &text, operation).await;
        }
    }
    while pool.is_open() {
        let operation = random.below(house.operations.len());
        let text = broken(pool.draw(&mut random), &house.operations[operation].1, &mut random);
        house.try_text(&mut pool, &text, operation).await;
    }
    println!("{:?}", pool.kinds());
    pool.report();
}

fn broken(text: &[u8], names: &[String], random: &mut Random) -> Vec<u8> {
    match serde_json::from_slice::<Value>(text) {
        Ok(value) if !random.once_in(3) => mutate::json(&value, names, random).to_string().into_bytes(),
        _ => mutate::bytes(text, random),
    }
}

impl House {
    async fn open(folder: &std::path::Path) -> Self {
        let url = DatabaseUrl::Sqlite(folder.join("almanac.db"));
        let options = EngineOptions { base_url: "http://127.0.0.1:8787".into(), clock: Arc::new(SystemClock) };
        let engine = Engine::open(&url, &[account::DOMAIN, journal::DOMAIN], options).await.expect("an engine");
        let ana = NewPerson {
            email: "ana@example.org".into(),
            name: Some("Ana".into()),
            timezone: Some("America/Toronto".into()),
            admin: true,
        };
        engine.create_person(ana).await.expect("a person");
        let caller = Arc::new(engine.caller_on_host(None).await.expect("a caller"));
        let named = |entry: &operation::Entry| entry.input.list.iter().map(|field| field.name.to_string()).collect();
        let operations = engine.catalog().iter().map(|entry| (entry.name.to_owned(), named(entry))).collect();
        Self { engine, caller, operations }
    }

    /// The corpus, and the example of every operation.
    fn first_texts(&self) -> Vec<Vec<u8>> {
        let examples = self.engine.catalog().iter().map(|entry| entry.example.to_string().into_bytes());
        corpus::texts("input").into_iter().chain(examples).collect()
    }

    /// Calls an operation with a text as JSON, and with its members as texts, as the command line and queries give it.
    async fn try_text(&self, pool: &mut Pool, text: &[u8], operation: usize) {
        let Ok(input) = serde_json::from_slice::<Value>(text) else {
            return pool.saw(text, "no JSON".into());
        };
        let as_texts = self.as_texts(&input, operation);
        for input in std::iter::once(input).chain(as_texts) {
            let answer = self.call(operation, input).await;
            pool.saw(text, answer);
        }
    }

    fn as_texts(&self, input: &Value, operation: usize) -> Option<Value> {
        let entry = self.engine.catalog().get(&self.operations[operation].0)?;
        let texts = input.as_object()?.iter().map(|(name, value)| match value {
            Value::String(text) => (name.clone(), text.clone()),
            other => (name.clone(), other.to_string()),
        });
        Some(Value::Object(entry.input.from_text(texts)))
    }

    /// How the operation answered, without the values in it.
    async fn call(&self, operation: usize, input: Value) -> String {
        let name = &self.operations[operation].0;
        let request = Request {
            caller: self.caller.clone(),
            operation: name.clone(),
            input: input.clone(),
            key: None,
            toolset: Toolset::default(),
        };
        match self.engine.call(request).await {
            Ok(answer) => {
                assert!(answer.into_value().is_object(), "{name} {input}");
                format!("done {name}")
            }
            Err(failed) => match failed.failure {
                Failure::Internal { cause } => panic!("{name} {input}: {cause}"),
                Failure::Invalid(faults) => {
                    assert!(!faults.is_empty(), "{name} {input}: refused without a word");
                    let words: Vec<String> =
                        faults.iter().map(|fault| format!("{}: {}", fault.field, fault.reason)).collect();
                    format!("invalid {name} {}", without_digits(&words.join("; ")))
                }
                other => format!("refused {name} {}", other.status()),
            },
        }
    }
}

fn without_digits(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).take(200).collect()
}
