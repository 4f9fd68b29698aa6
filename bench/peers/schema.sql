CREATE TABLE IF NOT EXISTS token (
  hash TEXT PRIMARY KEY,
  person_id INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS meal (
  owner INTEGER NOT NULL,
  id INTEGER NOT NULL,
  eaten_at INTEGER NOT NULL,
  user_date TEXT NOT NULL,
  name TEXT,
  slot TEXT,
  kcal INTEGER NOT NULL,
  protein INTEGER NOT NULL,
  carb INTEGER NOT NULL,
  fat INTEGER NOT NULL,
  fiber INTEGER,
  sugar INTEGER,
  saturated_fat INTEGER,
  sodium INTEGER,
  alcohol INTEGER,
  source TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (owner, id)
) STRICT;

CREATE INDEX IF NOT EXISTS meal_by_date ON meal (owner, user_date, eaten_at, id);
