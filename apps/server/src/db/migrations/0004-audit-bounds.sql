-- Equal records within some minutes are one row with a count; caller says whose rows they are when there are too many.
ALTER TABLE audit ADD COLUMN times integer NOT NULL DEFAULT 1;
ALTER TABLE audit ADD COLUMN last_at bigint;
ALTER TABLE audit ADD COLUMN caller text NOT NULL DEFAULT '';
CREATE INDEX audit_by_kind ON audit (event, success, id);
CREATE INDEX audit_by_age ON audit (at);
