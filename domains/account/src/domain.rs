use operation::{Area, Domain, Entity, Instructions, Workflow, catalog::Column};

use crate::{access, changes, profile, server, tokens};

/// The domain, as the binary lists it. Its tables are identity's and the change log's own.
pub const DOMAIN: Domain = Domain {
    name: "account",
    area: Area::Profile,
    operations: &[profile::OPERATIONS, access::OPERATIONS, tokens::OPERATIONS, changes::OPERATIONS, server::OPERATIONS],
    tables: &[],
    migrations: &[],
    statements: &[server::STATEMENTS],
    pinned: &[],
    columns: &[
        Column::flag("profile.timezone_set"),
        Column::tenths("body_profile.height_mm", "height_cm"),
        Column::flag("body_profile.uses_training"),
        Column::flag("body_profile.kcal_nudges_enabled"),
    ],
    entities: &[
        Entity {
            name: "user",
            summary: "The person: name, time zone, units, body data, and what this connection may do.",
        },
        Entity { name: "access_token", summary: "Personal tokens that let programs act as the person." },
        Entity { name: "change", summary: "Every write, who made it, and taking it back." },
        Entity { name: "server", summary: "Whether Almanac works, and what it offers." },
    ],
    workflows: &[
        Workflow {
            name: "first-time setup",
            when: "The profile misses something, or the person is new.",
            steps: &[
                "See what is missing with `get_user_profile`.",
                "Ask for the time zone first and set it with `update_user_profile`.",
                "Then date of birth, height, sex, units and activity, as far as the person wants to say.",
                "Log a first body weight with `log_weight`.",
            ],
        },
        Workflow {
            name: "take back a change",
            when: "The person says that something was wrong or not meant.",
            steps: &[
                "Find it with `list_changes`; say what it was and when.",
                "After a yes, `undo_change`. If it answers changed_since, tell what came later and ask.",
            ],
        },
        Workflow {
            name: "travel",
            when: "The person is in another time zone for a while.",
            steps: &[
                "Change timezone with `update_user_profile` first, then log.",
                "Earlier days stay as they were. Say on which day a night-time entry lands.",
                "Offer to switch back when they are home.",
            ],
        },
    ],
    resources: &[],
    instructions: Instructions {
        long: "Name, time zone and units are in `get_user_profile`. `list_changes` shows every write, and `undo_change` \
               takes one back.",
        short: "Profile, tokens, and taking back any change.",
    },
};
