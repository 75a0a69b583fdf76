-- What is an alert now, and what was one within the last hour; stored is what the engine needs to go on with it.
CREATE TABLE alerts (
  id text PRIMARY KEY,
  stored text NOT NULL,
  resolved_at bigint
);

-- Small things the engine remembers besides.
CREATE TABLE alert_memory (
  key text PRIMARY KEY,
  value text NOT NULL
);

-- One row for each time something was an alert; alert is how it was last.
CREATE TABLE alert_history (
  episode text PRIMARY KEY,
  alert_id text NOT NULL,
  resource_id text NOT NULL,
  resource_key text NOT NULL,
  level text NOT NULL,
  peak_level text NOT NULL,
  started_at bigint NOT NULL,
  ended_at bigint,
  duration_ms bigint,
  alert text NOT NULL
);
CREATE INDEX alert_history_time ON alert_history (started_at, episode);
CREATE INDEX alert_history_resource ON alert_history (resource_key, started_at)
