use clap::ArgMatches;
use cli::Complaint;
use engine::NewPerson;
use serde_json::{Value, json};

use crate::{config::Settings, house};

/// `almanac create-person EMAIL`: makes an active person; the first one becomes the owner.
pub async fn create_person(settings: &Settings, matches: &ArgMatches) -> Result<Value, Complaint> {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let email = text("email").unwrap_or_default();
    let engine = house::open(settings, &house::base_url(settings)).await?;
    let first = !engine.is_claimed().await?;
    let person = NewPerson {
        email: email.clone(),
        name: text("name"),
        timezone: text("timezone"),
        admin: matches.get_flag("admin"),
    };
    let made = engine.create_person(person).await;
    house::close(engine).await;
    Ok(json!({"id": made?, "email": email, "owner": first}))
}
