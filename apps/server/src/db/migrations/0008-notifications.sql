-- One message to one way out. items is what it says in full: empty once it needs no further try.
CREATE TABLE deliveries (
  id text PRIMARY KEY,
  event_id text NOT NULL,
  kind text NOT NULL,
  channel_id text NOT NULL,
  channel_kind text NOT NULL,
  channel_name text NOT NULL,
  -- what an older call tells of a webhook; without secrets
  service text NOT NULL,
  address text NOT NULL,
  state text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  next_attempt_at bigint,
  attempts integer NOT NULL,
  -- JSON: the latest tries
  log text NOT NULL,
  status_code integer,
  error text,
  payload_size integer,
  alert_count integer NOT NULL,
  -- JSON: the first of them
  alerts text NOT NULL,
  items text NOT NULL,
  -- JSON: ids of all of them, as long as they count for the limit of an hour
  alert_ids text NOT NULL
);
CREATE INDEX deliveries_time ON deliveries (created_at, id);
CREATE INDEX deliveries_state ON deliveries (state, updated_at);

-- What each way out was told of an alert that lasts, or whose end it is still to hear of.
CREATE TABLE told_alerts (
  episode text NOT NULL,
  channel_id text NOT NULL,
  told text NOT NULL,
  PRIMARY KEY (episode, channel_id)
);
