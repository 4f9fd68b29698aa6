use engine::{Engine, NewPerson};
use operation::Caller;

/// Robin lives in Toronto, owns the instance, and logs what she eats; her day starts at 4.
pub const ROBIN: &str = "robin";
/// Sam lives there too and shares nothing with her.
pub const SAM: &str = "sam";

/// Makes the person at `name@example.org` and answers them as a caller with every scope.
pub async fn person(engine: &Engine, name: &str) -> Caller {
    let email = format!("{name}@example.org");
    let timezone = Some("America/Toronto".into());
    let person = NewPerson { email: email.clone(), name: Some(name.into()), timezone, admin: false };
    engine.create_person(person).await.unwrap();
    caller(engine, name).await
}

/// The person as they are now: zone, units and rights read anew.
pub async fn caller(engine: &Engine, name: &str) -> Caller {
    let mut caller = engine.caller_on_host(Some(&format!("{name}@example.org"))).await.unwrap();
    caller.source = "api".into();
    caller
}
