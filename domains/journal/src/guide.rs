//! What assistants are told about the journal: instructions, nouns, ways through several operations.

use operation::{Entity, Instructions, Workflow};

pub const INSTRUCTIONS: Instructions = Instructions {
    long: "\
Times: a local time without offset is read in the person's profile zone; send Z or an offset only when they said so. \
Never invent a time; left out means now.
Days: \"today\" is the person's own and begins at their day-start hour, so a snack at 1 a.m. belongs to the day before. \
Take now from _meta, do not compute it, and read back the date of each answer.
Warnings in an answer are for the person: tell them and ask; the row is kept meanwhile.
Limits: never invent kcal or macros: ask, or look in `search_meals`. Change past entries only after a yes, log nothing \
for a day nobody mentioned, give no medical advice, and speak in plain words without field names. Alcoholic drinks are \
not meals.
\"I only ate half\" is `update_meal` with scale, not a new meal. Weights: never guess the unit; judge by \
`get_weight_trend`, not by single days.
Where the day stands: `get_macros_today`.",
    short: "The journal logs meals and body weight: `log_meal`, `log_weight`; the day's sums: `get_macros_today`.",
};

pub const ENTITIES: &[Entity] = &[
    Entity {
        name: "meal",
        summary: "Something eaten, with its energy and nutrients, pinned to one of the person's days.",
    },
    Entity { name: "day", summary: "A day of the person: what is logged on it, and how complete that is." },
    Entity { name: "body_weight", summary: "A weigh-in, one a date, and the trend beneath them." },
];

pub const WORKFLOWS: &[Workflow] = &[Workflow {
    name: "log a meal the user described",
    when: "They say what they ate.",
    steps: &[
        "Amounts missing: ask, or find the usual ones with `search_meals`.",
        "Work out kcal, protein, carbohydrate and fat of what was eaten.",
        "Log it once with `log_meal`; leave the time out unless they named one.",
        "Read back the day and every warning.",
    ],
}];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instructions_leave_room_for_the_other_parts() {
        let long = INSTRUCTIONS.long.chars().count();
        assert!(long <= 1_200, "{long}");
        assert!(INSTRUCTIONS.short.chars().count() <= 120);
    }
}
