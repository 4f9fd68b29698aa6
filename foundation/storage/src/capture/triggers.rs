use std::fmt::Write;

use crate::capture::CapturedTable;

/// Every capture trigger and function has a name that starts so.
pub(crate) const PREFIX: &str = "almanac_capture_";

/// One trigger as it must stand in the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trigger {
    pub name: String,
    pub sql: String,
}

/// Four triggers a table: insert, update, delete, and one that keeps owner and id from being changed.
pub(crate) fn sqlite_triggers(captured: &CapturedTable) -> Vec<Trigger> {
    let table = captured.table.name;
    let shape = captured.shape;
    let image = sqlite_image(captured);
    let capture = |row: &str, image: &str| {
        format!(
            "INSERT INTO change_row (id, owner, change_id, tbl, row_id, shape, before_image) \
             VALUES (almanac_image({row}.owner), {row}.owner, almanac_change(), '{table}', {row}.id, {shape}, {image})"
        )
    };
    let trigger = |what: &str, when: &str, body: &str| {
        let name = format!("{PREFIX}{table}_{what}");
        let sql = format!("CREATE TRIGGER {name} {when} ON {table} FOR EACH ROW BEGIN {body}; END");
        Trigger { name, sql }
    };
    let moved = "SELECT RAISE(ABORT, 'owner and id of a captured row never change') \
                 WHERE OLD.owner IS NOT NEW.owner OR OLD.id IS NOT NEW.id";
    vec![
        trigger("insert", "AFTER INSERT", &capture("NEW", "NULL")),
        trigger("update", &format!("AFTER UPDATE OF {}", names(captured)), &capture("OLD", &image)),
        trigger("delete", "AFTER DELETE", &capture("OLD", &image)),
        trigger("key", "BEFORE UPDATE OF owner, id", moved),
    ]
}

fn sqlite_image(captured: &CapturedTable) -> String {
    let mut image = String::from("json_object(");
    for (place, column) in captured.columns.iter().enumerate() {
        let comma = if place == 0 { "" } else { ", " };
        let name = &column.name;
        write!(image, "{comma}'{name}', OLD.{name}").expect("a String takes every write");
    }
    image + ")"
}

/// One function a table and its triggers; the function first.
pub(crate) fn postgres_triggers(captured: &CapturedTable) -> Vec<Trigger> {
    let table = captured.table.name;
    let shape = captured.shape;
    let kept = names(captured);
    let function = format!("{PREFIX}{table}");
    let columns = "change_row (owner, change_id, tbl, row_id, shape, before_image)";
    let image: Vec<String> = captured.columns.iter().map(|column| format!("OLD.{0} AS {0}", column.name)).collect();
    let body = format!(
        "CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $capture$
DECLARE
    current_change BIGINT := nullif(current_setting('almanac.change', true), '')::bigint;
BEGIN
    IF current_change IS NULL THEN
        RAISE EXCEPTION 'table {table} is captured and was written without a change';
    END IF;
    IF TG_OP = 'INSERT' THEN
        INSERT INTO {columns} VALUES (NEW.owner, current_change, '{table}', NEW.id, {shape}, NULL);
    ELSE
        IF TG_OP = 'UPDATE' AND (OLD.owner <> NEW.owner OR OLD.id <> NEW.id) THEN
            RAISE EXCEPTION 'owner and id of a captured row never change';
        END IF;
        INSERT INTO {columns} VALUES (OLD.owner, current_change, '{table}', OLD.id, {shape},
            (SELECT row_to_json(image)::text FROM (SELECT {}) AS image));
    END IF;
    RETURN NULL;
END
$capture$",
        image.join(", ")
    );
    let trigger = |what: &str, when: &str| {
        let name = format!("{PREFIX}{table}_{what}");
        let sql = format!("CREATE TRIGGER {name} AFTER {when} ON {table} FOR EACH ROW EXECUTE FUNCTION {function}()");
        Trigger { name, sql }
    };
    vec![
        Trigger { name: function.clone(), sql: body },
        trigger("insert", "INSERT"),
        trigger("update", &format!("UPDATE OF owner, id, {kept}")),
        trigger("delete", "DELETE"),
    ]
}

fn names(captured: &CapturedTable) -> String {
    let names: Vec<&str> = captured.columns.iter().map(|column| column.name.as_str()).collect();
    names.join(", ")
}
