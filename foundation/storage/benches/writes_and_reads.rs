//! What storage costs on SQLite, beside bare rusqlite on the same disk in the same run.
//!
//! `cargo bench -p storage`; with `ALMANAC_TEST_POSTGRES`, also many writers of one person on PostgreSQL.
//! `STORAGE_BENCH_DIR` names the disk, the system's folder for temporary files otherwise.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicI64, Ordering},
    time::{Duration, Instant},
};

use storage::{
    BoxFuture, Capture, Change, DatabaseUrl, Error, Migration, Schema, Storage, StorageOptions, Table, Tx, Value,
    Write, params,
    testing::{TestDatabase, TestEngine},
};

const CALLERS: usize = 64;
const GROUPED: usize = 9_600;
const ONE_BY_ONE: usize = 960;
const READS: usize = 50_000;
const PERSON_CALLS: usize = 960;
const ROUNDS: usize = 5;

const CREATE: &str = "(owner {int} NOT NULL, id {int} NOT NULL, version {int} NOT NULL, created_at {int} NOT NULL,
    updated_at {int} NOT NULL, source {text} NOT NULL, at {int} NOT NULL, zone {text} NOT NULL,
    user_date {text} NOT NULL, time_precision {text} NOT NULL, name {text}, name_folded {text}, slot {text},
    kcal {int} NOT NULL, protein {int} NOT NULL, carb {int} NOT NULL, fat {int} NOT NULL, fiber {int}, sugar {int},
    notes {text}, PRIMARY KEY (owner, id)) {clustered};";

const COLUMNS: &str = "(owner, id, version, created_at, updated_at, source, at, zone, user_date, time_precision, name,
    name_folded, slot, kcal, protein, carb, fat, fiber, sugar, notes)
    VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)";

storage::statements! {
    INSERT_MEAL = "INSERT INTO meal (owner, id, version, created_at, updated_at, source, at, zone, user_date,
            time_precision, name, name_folded, slot, kcal, protein, carb, fat, fiber, sugar, notes)
        VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)";
    INSERT_PLAIN = "INSERT INTO plain_meal (owner, id, version, created_at, updated_at, source, at, zone, user_date,
            time_precision, name, name_folded, slot, kcal, protein, carb, fat, fiber, sugar, notes)
        VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)";
    DAY = "SELECT count(*), CAST(sum(kcal) AS BIGINT), CAST(sum(protein) AS BIGINT), CAST(sum(carb) AS BIGINT)
        FROM meal WHERE owner = $1 AND user_date = $2";
    PLAIN_DAY = "SELECT count(*), CAST(sum(kcal) AS BIGINT), CAST(sum(protein) AS BIGINT), CAST(sum(carb) AS BIGINT)
        FROM plain_meal WHERE owner = $1 AND user_date = $2";
    INSERT_KEY = "INSERT INTO meal_key (owner, operation, key, row_id, expires_at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT DO NOTHING";
    READ = "SELECT id, at, user_date, name, kcal, protein, carb, fat FROM plain_meal WHERE owner = $1 AND id = $2";
}

fn schema() -> Schema {
    let meal = Table { name: "meal", entity: "meal", capture: Capture::Rows { except: &[] } };
    let plain = Table { name: "plain_meal", entity: "plain_meal", capture: Capture::None };
    let text = format!(
        "CREATE TABLE meal {CREATE} CREATE INDEX meal_day ON meal (owner, user_date, at, id);
         CREATE TABLE meal_key (owner {{int}} NOT NULL, operation {{text}} NOT NULL, key {{text}} NOT NULL,
            row_id {{int}} NOT NULL, expires_at {{int}} NOT NULL, PRIMARY KEY (owner, operation, key)) {{clustered}};
         CREATE TABLE plain_meal {CREATE} CREATE INDEX plain_meal_day ON plain_meal (owner, user_date, at, id);"
    );
    let migration = Migration { domain: "bench", number: 1, name: "meals", sql: Box::leak(text.into_boxed_str()) };
    Schema { tables: vec![meal, plain], migrations: vec![migration] }
}

fn meal(owner: i64, id: i64) -> [Value; 19] {
    let at = 1_780_000_000_000_000_i64 + id * 60_000_000;
    params![
        owner,
        id,
        at,
        at,
        "assistant:bench",
        at,
        "America/Toronto",
        "2026-05-25",
        "minute",
        "Rice and beans",
        "rice and beans",
        "lunch",
        5_000,
        250,
        500,
        180,
        60,
        40,
        None::<String>
    ]
}

/// Ten rows of a person to a day, as ids of all people run on.
fn day_of(id: i64) -> String {
    let day = id / (CALLERS as i64 * 10);
    format!("20{:02}-{:02}-{:02}", 20 + day / 336, day / 28 % 12 + 1, day % 28 + 1)
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let home = std::env::var_os("STORAGE_BENCH_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = home.join(format!("storage-bench-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder on the disk to measure");
    let url = DatabaseUrl::Sqlite(folder.join("bench.db"));
    let storage = Storage::open(&url, schema(), StorageOptions::default()).await.expect("a database");

    durable_writes(&storage, &folder).await;
    capture_cost(&storage, "CPU of one single-row write", Work::Row).await;
    capture_cost(&storage, "CPU of what log_meal writes and reads (meal, day's total, idempotency key)", Work::Meal)
        .await;
    reads(&storage, &folder).await;

    storage.close().await.expect("a clean end");
    fs::remove_dir_all(&folder).expect("the folder goes");
    if std::env::var_os("ALMANAC_TEST_POSTGRES").is_some() {
        one_person_on_postgres().await;
    }
}

/// Each call inserts a meal and reads the day's sum, as calls of one person that meet each other do.
async fn one_person_on_postgres() {
    let database = TestDatabase::create(TestEngine::Postgres).await;
    let storage = database.open(schema()).await.expect("a database");
    let (mut alone, mut many, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let one = rate(PERSON_CALLS, write_by(&storage, 1).await);
        let together = rate(PERSON_CALLS, write_by(&storage, 32).await);
        alone.push(one);
        many.push(together);
        ratios.push(together / one);
    }
    println!("PostgreSQL, writes of one person with the day's sum, none failing");
    println!("  one writer                       {:>9.0} /s", median(&mut alone));
    println!("  32 writers                       {:>9.0} /s", median(&mut many));
    println!("  ratio                            {:>9.2}", median(&mut ratios));
}

async fn write_by(storage: &Storage, callers: usize) -> Duration {
    let start = now();
    let callers: Vec<_> = (0..callers)
        .map(|_| {
            let storage = storage.clone();
            tokio::spawn(async move {
                for _ in 0..PERSON_CALLS / callers {
                    write_one(&storage, Kind::Captured, Work::Meal, 1).await.expect("no call fails");
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.expect("a caller");
    }
    start.elapsed()
}

async fn durable_writes(storage: &Storage, folder: &Path) {
    let mut ratios = Vec::new();
    let (mut bare, mut grouped) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let alone = one_by_one(&folder.join(format!("bare-{round}.db")));
        let together = rate(GROUPED, write_all(storage, Kind::Plain, Work::Row, GROUPED).await.0);
        ratios.push(together / alone);
        bare.push(alone);
        grouped.push(together);
    }
    println!("durable single-row writes, {CALLERS} callers, synchronous=FULL");
    println!("  bare rusqlite, one commit each   {:>9.0} /s", median(&mut bare));
    println!("  storage, group commit            {:>9.0} /s", median(&mut grouped));
    println!("  ratio                            {:>9.1}", median(&mut ratios));
}

/// The same insert, one transaction each, on one thread.
fn one_by_one(path: &Path) -> f64 {
    let connection = rusqlite::Connection::open(path).expect("a database");
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;").expect("settings");
    let create = CREATE.replace("{int}", "INTEGER").replace("{text}", "TEXT").replace("{clustered}", "WITHOUT ROWID");
    connection.execute_batch(&format!("CREATE TABLE plain_meal {create}")).expect("a table");
    connection.execute_batch("CREATE INDEX day ON plain_meal (owner, user_date, at, id)").expect("an index");
    let text = format!("INSERT INTO plain_meal {COLUMNS}");
    let start = now();
    for id in 1..=ONE_BY_ONE as i64 {
        let mut insert = connection.prepare_cached(&text).expect("a statement");
        insert.execute(rusqlite::params_from_iter(meal(id % 100, id))).expect("a row");
    }
    rate(ONE_BY_ONE, start.elapsed())
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Work {
    Row,
    Meal,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    Captured,
}

/// `count` writes by all callers: wall time and CPU time of the process.
async fn write_all(storage: &Storage, kind: Kind, work: Work, count: usize) -> (Duration, Duration) {
    let (start, cpu) = (now(), cpu_time());
    let callers: Vec<_> = (0..CALLERS)
        .map(|caller| {
            let storage = storage.clone();
            tokio::spawn(async move {
                for _ in 0..count / CALLERS {
                    write_one(&storage, kind, work, caller as i64 + 1).await.expect("a write");
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.expect("a caller");
    }
    (start.elapsed(), cpu_time() - cpu)
}

fn next_call() -> i64 {
    static CALL: AtomicI64 = AtomicI64::new(1);
    CALL.fetch_add(1, Ordering::Relaxed)
}

async fn write_one(storage: &Storage, kind: Kind, work: Work, owner: i64) -> Result<(), Error> {
    let how =
        Write { owner, change: kind == Kind::Captured, call_id: Some(next_call()), deadline: Duration::from_secs(30) };
    storage.write(how, move |tx| insert(tx, kind, work, owner)).await
}

fn insert(tx: &mut Tx, kind: Kind, work: Work, owner: i64) -> BoxFuture<'_, Result<(), Error>> {
    Box::pin(async move {
        let (table, sql, day) = match kind {
            Kind::Plain => ("plain_meal", &INSERT_PLAIN, &PLAIN_DAY),
            Kind::Captured => ("meal", &INSERT_MEAL, &DAY),
        };
        let id = tx.new_id(table).await?;
        tx.execute(sql, &meal(owner, id)).await?;
        if work == Work::Meal {
            tx.row(day, &params![owner, day_of(id)]).await?;
            let key = format!("meal:{owner}:{:064x}", id * 7_919);
            tx.execute(&INSERT_KEY, &params![owner, "log_meal", key, id, 1_780_000_000_000_000_i64]).await?;
        }
        if let Some(change) = tx.change() {
            let change = Change {
                owner,
                id: change,
                at: calendar::Instant::from_micros(1_780_000_000_000_000),
                operation: "log_meal".to_owned(),
                area: "journal".to_owned(),
                actor_kind: "token".to_owned(),
                actor_id: 7,
                actor_name: "bench".to_owned(),
                source: "assistant:bench".to_owned(),
                summary: "Logged meal for 2026-05-25".to_owned(),
            };
            tx.record_change(&change).await?;
        }
        Ok(())
    })
}

async fn capture_cost(storage: &Storage, title: &str, work: Work) {
    let (mut plain, mut captured, mut more) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let without = micros(write_all(storage, Kind::Plain, work, GROUPED).await.1, GROUPED);
        let with = micros(write_all(storage, Kind::Captured, work, GROUPED).await.1, GROUPED);
        plain.push(without);
        captured.push(with);
        more.push((with / without - 1.0) * 100.0);
    }
    println!("{title}, all threads");
    println!("  without capture                  {:>9.1} µs", median(&mut plain));
    println!("  with capture and change entry    {:>9.1} µs", median(&mut captured));
    println!("  more                             {:>9.0} %", median(&mut more));
}

async fn reads(storage: &Storage, folder: &Path) {
    let (mut bare, mut one, mut many) = (Vec::new(), Vec::new(), Vec::new());
    let connection = rusqlite::Connection::open(folder.join("bench.db")).expect("the database");
    let rows: i64 = connection.query_row("SELECT max(id) FROM plain_meal", [], |row| row.get(0)).expect("rows");
    for _ in 0..ROUNDS {
        bare.push(bare_reads(&connection, rows));
        one.push(read_all(storage, 1, rows).await);
        many.push(read_all(storage, CALLERS, rows).await);
    }
    println!("indexed reads of one row of 8 columns");
    println!("  bare rusqlite, one thread        {:>9.0} /s", median(&mut bare));
    println!("  storage, one caller              {:>9.0} /s", median(&mut one));
    println!("  storage, {CALLERS} callers              {:>9.0} /s", median(&mut many));
}

fn bare_reads(connection: &rusqlite::Connection, rows: i64) -> f64 {
    let start = now();
    for id in (1..=rows).cycle().take(READS) {
        let mut read = connection.prepare_cached(READ.text).expect("a statement");
        let found = read.query_row([owner_of(id), id], |row| Ok((row.get::<_, String>(2)?, row.get::<_, i64>(4)?)));
        std::hint::black_box(found).ok();
    }
    rate(READS, start.elapsed())
}

fn owner_of(id: i64) -> i64 {
    id % CALLERS as i64 + 1
}

async fn read_all(storage: &Storage, callers: usize, rows: i64) -> f64 {
    let start = now();
    let callers: Vec<_> = (0..callers)
        .map(|_| {
            let storage = storage.clone();
            tokio::spawn(async move {
                for id in (1..=rows).cycle().take(READS / callers) {
                    let read = storage
                        .read(move |tx| Box::pin(async move { tx.row(&READ, &params![owner_of(id), id]).await }));
                    let row: Result<_, Error> = read.await;
                    std::hint::black_box(row.expect("a read"));
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.expect("a caller");
    }
    rate(READS, start.elapsed())
}

/// CPU time of all threads, those that ended left out.
fn cpu_time() -> Duration {
    let tasks = fs::read_dir("/proc/self/task").expect("Linux");
    let spent = tasks.flatten().filter_map(|task| fs::read_to_string(task.path().join("schedstat")).ok());
    let nanos = spent.filter_map(|text| text.split(' ').next()?.parse::<u64>().ok());
    Duration::from_nanos(nanos.sum())
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures durations")]
fn now() -> Instant {
    Instant::now()
}

fn rate(count: usize, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}

fn micros(time: Duration, count: usize) -> f64 {
    time.as_secs_f64() * 1e6 / count as f64
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
