CREATE TABLE users (
  id text PRIMARY KEY,
  source text NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  issuer text,
  subject text,
  role text NOT NULL,
  password_hash text,
  environment_hash text,
  password_changed_at bigint,
  created_at bigint NOT NULL,
  last_login_at bigint
);

CREATE TABLE sessions (
  token_hash text PRIMARY KEY,
  user_id text NOT NULL,
  method text NOT NULL,
  client text NOT NULL,
  user_agent text NOT NULL,
  created_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  expires_at bigint NOT NULL
);

CREATE TABLE api_tokens (
  id text PRIMARY KEY,
  source text NOT NULL,
  name text NOT NULL,
  token_hash text NOT NULL UNIQUE,
  prefix text NOT NULL,
  suffix text NOT NULL,
  scopes text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint,
  expires_at bigint
);

CREATE TABLE sign_in_attempts (
  account text NOT NULL,
  client text NOT NULL,
  failures integer NOT NULL,
  last_failure_at bigint,
  locked_until bigint,
  last_success_at bigint,
  PRIMARY KEY (account, client)
);

CREATE TABLE audit (
  id text PRIMARY KEY,
  at bigint NOT NULL,
  event text NOT NULL,
  success integer NOT NULL,
  actor text NOT NULL,
  actor_id text,
  method text NOT NULL,
  address text,
  request_id text,
  target text,
  details text
);

CREATE TABLE settings (
  key text PRIMARY KEY,
  value text NOT NULL,
  updated_at bigint NOT NULL
);
