-- What a person ate. Energy and nutrients are a snapshot in tenths (0.1 kcal, 0.1 g), sodium in mg.
-- user_date is pinned when the meal is written or moved; zone is the person's zone at that moment.
-- name_folded and words serve search: the folded name, and the folded words of name and notes, each after a space.
CREATE TABLE meal (
    owner {int} NOT NULL,
    id {int} NOT NULL,
    version {int} NOT NULL,
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    source {text} NOT NULL,
    eaten_at {int} NOT NULL,
    zone {text} NOT NULL,
    user_date {text} NOT NULL,
    time_precision {text} NOT NULL,
    name {text},
    name_folded {text} NOT NULL,
    words {text} NOT NULL,
    slot {text},
    slot_derived {int} NOT NULL,
    kcal {int} NOT NULL,
    protein {int} NOT NULL,
    carb {int} NOT NULL,
    fat {int} NOT NULL,
    fiber {int},
    sugar {int},
    saturated_fat {int},
    alcohol {int},
    sodium_mg {int},
    notes {text},
    PRIMARY KEY (owner, id)
) {clustered};
-- Covers the day's sum, the list and the search for duplicates.
CREATE INDEX meal_day ON meal (owner, user_date, eaten_at, id, kcal, protein, carb, fat);
-- Covers the comparison with earlier meals of the same slot.
CREATE INDEX meal_slot ON meal (owner, slot, user_date, kcal);

-- One weigh-in a date: whole grams, and the value and unit as the person gave them.
CREATE TABLE body_weight (
    owner {int} NOT NULL,
    id {int} NOT NULL,
    version {int} NOT NULL,
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    source {text} NOT NULL,
    measured_on {text} NOT NULL,
    weight_g {int} NOT NULL,
    entered_value {text} NOT NULL,
    entered_unit {text} NOT NULL,
    body_fat {int},
    fasted {int},
    notes {text},
    PRIMARY KEY (owner, id)
) {clustered};
CREATE UNIQUE INDEX body_weight_date ON body_weight (owner, measured_on);

-- What the person said about a whole day: that everything, or not everything, is logged.
CREATE TABLE day_mark (
    owner {int} NOT NULL,
    id {int} NOT NULL,
    version {int} NOT NULL,
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    source {text} NOT NULL,
    date {text} NOT NULL,
    mark {text} NOT NULL,
    PRIMARY KEY (owner, id)
) {clustered};
CREATE UNIQUE INDEX day_mark_date ON day_mark (owner, date);
