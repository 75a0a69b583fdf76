-- Who made a token; empty for those made before this was kept. parent_id is the token it was made with.
ALTER TABLE api_tokens ADD COLUMN made_by text;
ALTER TABLE api_tokens ADD COLUMN made_by_name text;
ALTER TABLE api_tokens ADD COLUMN parent_id text;
