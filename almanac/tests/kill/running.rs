use serde_json::Value;

use crate::{
    house::{ALL, House, Server},
    wire::Exchange,
};

/// A served house whose server can be killed.
pub struct Running {
    pub house: House,
    pub server: Server,
    pub token: String,
}

impl Running {
    pub fn of(house: House) -> Self {
        let token = house.token(ALL);
        Self::with(house, token)
    }

    /// Serves a house again.
    pub fn with(house: House, token: String) -> Self {
        let server = house.serve();
        Self { house, server, token }
    }

    /// What a read answers, below `/api/v1`.
    pub fn get(&self, path: &str) -> Value {
        let reply = Exchange::new("GET", format!("/api/v1{path}")).bearer(&self.token).send(self.server.address);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.json()
    }

    /// Every item of a list, page after page.
    pub fn list(&self, path: &str) -> Vec<Value> {
        let mut items = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = self.get(&format!("{path}&limit=200{cursor}"));
            items.extend(page["items"].as_array().expect("items").iter().cloned());
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return items,
            }
        }
    }

    /// How many changes of meals the person's change log has.
    pub fn changes(&self) -> usize {
        self.list("/account/changes?entity=meal").len()
    }
}
