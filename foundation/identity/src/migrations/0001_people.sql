-- Who there is. The address is missing for a person known by an upstream identity only.
CREATE TABLE person (
    id {int} NOT NULL,
    email {text},
    email_canonical {text},
    is_admin {int} NOT NULL,
    state {text} NOT NULL,
    created_at {int} NOT NULL,
    last_seen_at {int},
    PRIMARY KEY (id)
) {clustered};
CREATE UNIQUE INDEX person_email ON person (email_canonical);

-- One row per person, with id = owner = the person's id.
CREATE TABLE profile (
    owner {int} NOT NULL,
    id {int} NOT NULL,
    name {text} NOT NULL,
    language {text} NOT NULL,
    timezone {text} NOT NULL,
    timezone_set {int} NOT NULL,
    day_start_hour {int} NOT NULL,
    preferred_unit_system {text} NOT NULL,
    about_me {text},
    source {text} NOT NULL,
    version {int} NOT NULL,
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (owner, id)
) {clustered};

-- What the journal computes with; one row per person.
CREATE TABLE body_profile (
    owner {int} NOT NULL,
    id {int} NOT NULL,
    dob {text},
    height_mm {int},
    sex {text},
    activity_level {text},
    drink_standard {text} NOT NULL,
    uses_training {int} NOT NULL,
    kcal_nudges_enabled {int} NOT NULL,
    source {text} NOT NULL,
    version {int} NOT NULL,
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL,
    PRIMARY KEY (owner, id)
) {clustered};

-- Personal access tokens by the SHA-256 of the whole string. A token made through another credential dies with it.
CREATE TABLE access_token (
    owner {int} NOT NULL,
    id {int} NOT NULL,
    token_hash {blob} NOT NULL,
    name {text} NOT NULL,
    scopes {text} NOT NULL,
    parent_kind {text},
    parent_id {int},
    created_at {int} NOT NULL,
    expires_at {int},
    revoked_at {int},
    last_used_at {int},
    last_network {text},
    PRIMARY KEY (owner, id)
) {clustered};
CREATE UNIQUE INDEX access_token_hash ON access_token (token_hash);
CREATE INDEX access_token_parent ON access_token (owner, parent_kind, parent_id) WHERE parent_id IS NOT NULL;

-- One row once the instance has had an owner. It outlives everybody.
CREATE TABLE claim (
    id {int} NOT NULL,
    person_id {int} NOT NULL,
    claimed_at {int} NOT NULL,
    PRIMARY KEY (id)
) {clustered};

-- Audit, append-only; owner is the person it is about.
CREATE TABLE account_event (
    owner {int} NOT NULL,
    id {int} NOT NULL,
    at {int} NOT NULL,
    kind {text} NOT NULL,
    actor_kind {text} NOT NULL,
    actor_id {int} NOT NULL,
    actor_name {text} NOT NULL,
    client {text},
    way_in {text} NOT NULL,
    network {text},
    user_agent {text},
    outcome {text} NOT NULL,
    subject_id {int},
    call_id {int},
    PRIMARY KEY (owner, id)
) {clustered};
