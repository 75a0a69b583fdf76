CREATE TABLE meta (
  key text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE connections (
  id text PRIMARY KEY,
  kind text NOT NULL,
  name text NOT NULL UNIQUE,
  host text NOT NULL,
  auth_type text NOT NULL,
  user_name text,
  token_name text,
  secret text NOT NULL,
  fingerprint text,
  verify_ssl integer NOT NULL,
  flags text NOT NULL,
  cluster_name text,
  cluster_endpoints text,
  member_fingerprints text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);

CREATE TABLE guest_metadata (
  guest_key text PRIMARY KEY,
  wire_id text NOT NULL,
  custom_url text NOT NULL,
  updated_at bigint NOT NULL
);
