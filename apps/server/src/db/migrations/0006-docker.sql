-- The container hosts that agents report for. id is ours and never changes; host_id is what the agent calls itself.
CREATE TABLE docker_hosts (
  id text PRIMARY KEY,
  host_id text NOT NULL UNIQUE,
  facts text NOT NULL,
  token_id text,
  token_name text,
  token_hint text,
  hidden integer NOT NULL,
  pending_uninstall integer NOT NULL,
  command text,
  enrolled_at bigint NOT NULL,
  last_seen_at bigint
);

-- Removed on purpose: nothing reports under this name before a time.
CREATE TABLE docker_removals (
  host_id text PRIMARY KEY,
  name text NOT NULL,
  removed_at bigint NOT NULL,
  blocked_until bigint NOT NULL
);

-- A token that reports for one host, and for which, once it has.
ALTER TABLE api_tokens ADD COLUMN one_host integer NOT NULL DEFAULT 0;
ALTER TABLE api_tokens ADD COLUMN bound_host text;
ALTER TABLE api_tokens ADD COLUMN bound_host_name text;
