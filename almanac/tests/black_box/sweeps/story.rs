//! The story that every example works on, as a folder to copy: each call starts from the same database.

use std::{fs, path::Path, sync::OnceLock};

use serde_json::json;

use super::host::Host;
use crate::{
    house::{ALL, ANA, House, Served},
    postgres::{Database, Engine},
};

/// The house of the story and the token that belongs to it.
struct Template {
    house: House,
    token: String,
}

impl Template {
    fn told(engine: Engine) -> Self {
        let database = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(Database::create()),
        };
        let house = House::unclaimed_on(database);
        let token = tell(&house);
        Self { house, token }
    }
}

/// A fresh copy of the story; nothing serves it yet.
pub fn begin(engine: Engine) -> (House, String) {
    static SQLITE: OnceLock<Template> = OnceLock::new();
    static POSTGRES: OnceLock<Template> = OnceLock::new();
    let template = match engine {
        Engine::Sqlite => SQLITE.get_or_init(|| Template::told(engine)),
        Engine::Postgres => POSTGRES.get_or_init(|| Template::told(engine)),
    };
    let copy = House::unclaimed_on(template.house.database.as_ref().map(Database::copy));
    copy_folder(template.house.folder(), copy.folder());
    (copy, template.token.clone())
}

/// The story on SQLite, served.
pub fn open() -> Served {
    let (house, token) = begin(Engine::Sqlite);
    Served::with(house, token)
}

/// Tells it in an empty house, by one process so that ids are dense on both engines: the rows that examples name.
/// Answers a token with every scope.
pub fn tell(house: &House) -> String {
    let host = Host::open(house);
    let meal = |day: &str, name: &str, kcal: i64| json!({"eaten_at": format!("{day}T12:30:00"), "name": name, "kcal": kcal, "protein_g": 25, "carb_g": 50, "fat_g": 18});
    host.person(ANA, "Ana");
    host.token("profile:read"); // the token that the example of revoke_access_token ends
    host.call("log_meal", &meal("2026-05-23", "Lentil soup", 520));
    host.call("log_meal", &meal("2026-05-24", "Lentil soup", 480));
    host.call("log_meal", &json!({"name": "Bread", "kcal": 210, "protein_g": 7, "carb_g": 40, "fat_g": 2}));
    host.call("log_weight", &json!({"measured_on": "2026-05-20", "weight": 80.4, "unit": "kg"}));
    host.call("log_weight", &json!({"measured_on": "2026-05-24", "weight": 80.0, "unit": "kg"}));
    host.token(ALL)
}

fn copy_folder(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            fs::create_dir_all(&target).expect("a folder");
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}
