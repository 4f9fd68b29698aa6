-- The next id of every table. An id is never given twice, also not after delete, undo, import or restore.
CREATE TABLE id_block (
    tbl {text} PRIMARY KEY,
    next {int} NOT NULL
) {clustered};

-- One entry per captured call: who did what. Rows it touched are in change_row.
--
-- Where the owner leads an index, a batch of writes by many people touches a page for each of them; where a growing id
-- leads it, they share one. On SQLite that halves what the change log costs. On PostgreSQL the owner leads everything,
-- so that a distributed relative can keep a person on one node.
CREATE TABLE change (
    owner {int} NOT NULL,
    id {int} NOT NULL,
    call_id {int},
    at {int} NOT NULL,
    operation {text} NOT NULL,
    area {text} NOT NULL,
    actor_kind {text} NOT NULL,
    actor_id {int} NOT NULL,
    actor_name {text} NOT NULL,
    source {text} NOT NULL,
    summary {text} NOT NULL,
    row_count {int} NOT NULL,
    undoes {int},
    undone_by {int},
    pruned {int} NOT NULL,
    {sqlite} PRIMARY KEY (id, owner)
    {postgres} PRIMARY KEY (owner, id)
) {clustered};
{postgres} CREATE UNIQUE INDEX change_call ON change (owner, call_id) WHERE call_id IS NOT NULL;
CREATE INDEX change_undone_by ON change (owner, undone_by) WHERE undone_by IS NOT NULL;
CREATE INDEX change_at ON change (owner, at, id);

-- The before images, written by triggers only. id is their order; on SQLite it begins with the change.
CREATE TABLE change_row (
    id {row_number},
    owner {int} NOT NULL,
    change_id {int} NOT NULL,
    tbl {text} NOT NULL,
    row_id {int} NOT NULL,
    shape {int} NOT NULL,
    before_image {text}
) {strict};
{sqlite} CREATE INDEX change_row_row ON change_row (tbl, row_id, owner, id);
{postgres} CREATE INDEX change_row_row ON change_row (owner, tbl, row_id, id);
{postgres} CREATE INDEX change_row_change ON change_row (owner, change_id, tbl, row_id);

-- The columns of a captured table at the time an image was made; rewritten: older images no longer mean the same.
CREATE TABLE capture_shape (
    tbl {text} NOT NULL,
    number {int} NOT NULL,
    columns {text} NOT NULL,
    rewritten {int} NOT NULL,
    PRIMARY KEY (tbl, number)
) {clustered};
