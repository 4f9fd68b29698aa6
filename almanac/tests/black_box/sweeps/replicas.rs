//! Two servers on one PostgreSQL: any of them answers any request of a client.

use operation::Effect;
use serde_json::{Value, json};

use super::catalog::catalog;
use crate::{
    house::{ALL, House, Server},
    postgres::Database,
    rpc::{ERAS, Era},
};

/// Two servers with one public address, as behind a balancer.
fn replicas(house: &House) -> [Server; 2] {
    let settings = [("ALMANAC_BASE_URL", "http://localhost:8787")];
    [house.serve_with(&settings), house.serve_with(&settings)]
}

fn ask(server: &Server, token: &str, tool: &str, input: &Value) -> Value {
    let result = Era::Legacy.call(tool, input.clone()).bearer(token).send(server.address).result();
    assert_eq!(result["isError"], false, "{tool}: {result}");
    result["structuredContent"].clone()
}

#[test]
fn two_replicas_answer_in_turn() {
    let database = Database::create();
    let house = House::unclaimed_on(Some(database));
    let token = super::story::tell(&house);
    let replicas = replicas(&house);

    let lists = replicas
        .each_ref()
        .map(|replica| ERAS.map(|era| era.request("tools/list", json!({})).bearer(&token).send(replica.address).body));
    assert_eq!(lists[0], lists[1], "byte-equal lists");

    for turn in 0..10 {
        let meal = json!({"kcal": 300 + turn, "protein_g": 25, "carb_g": 50, "fat_g": 18, "idempotency_key": format!("turn {turn}")});
        let [here, there] = if turn % 2 == 0 { [0, 1] } else { [1, 0] };
        let logged = ask(&replicas[here], &token, "log_meal", &meal);
        let replayed = ask(&replicas[there], &token, "log_meal", &meal);
        assert_eq!(
            (&replayed["id"], &replayed["replayed"]),
            (&logged["id"], &json!(true)),
            "a retry at the other replica"
        );
        let listed = ask(&replicas[there], &token, "get_meals", &json!({}));
        assert_eq!(listed["items"][0]["id"], logged["id"]);
    }
    ask(&replicas[0], &token, "update_user_profile", &json!({"timezone": "Asia/Tokyo"}));
    assert_eq!(ask(&replicas[1], &token, "get_macros_today", &json!({}))["_meta"]["user_tz"], "Asia/Tokyo");
}

#[test]
fn a_token_revoked_at_one_replica_is_dead_at_the_other() {
    let database = Database::create();
    let house = House::build_on(Some(database));
    let [token, doomed] = [house.token(ALL), house.token("journal")];
    let replicas = replicas(&house);
    ask(&replicas[1], &doomed, "get_meals", &json!({}));
    let tokens = ask(&replicas[0], &token, "list_access_tokens", &json!({}));
    let id = tokens["items"].as_array().expect("tokens").iter().find(|one| one["name"] == "journal token").expect("it")
        ["id"]
        .clone();
    ask(&replicas[0], &token, "revoke_access_token", &json!({"access_token_id": id, "confirm": true}));
    let reply = Era::Legacy.call("get_meals", json!({})).bearer(&doomed).send(replicas[1].address);
    assert_eq!(reply.status, 401);
}

#[test]
fn what_is_read_alternates_between_replicas() {
    let database = Database::create();
    let house = House::unclaimed_on(Some(database));
    let token = super::story::tell(&house);
    let replicas = replicas(&house);
    for entry in catalog().iter().filter(|entry| entry.effect == Effect::Reads && entry.off_mcp.is_none()) {
        let mut answers = replicas.each_ref().map(|replica| ask(replica, &token, entry.name, &entry.example));
        for answer in &mut answers {
            answer["_meta"]["server_now"] = Value::Null;
            if let Some(items) = answer["items"].as_array_mut() {
                items.iter_mut().filter_map(Value::as_object_mut).for_each(|item| {
                    item.remove("last_used_at");
                });
            }
        }
        assert_eq!(answers[0], answers[1], "{}", entry.name);
    }
}
