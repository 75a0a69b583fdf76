-- The place whose collectors poll the connection; null: the main site.
ALTER TABLE connections ADD COLUMN site text;
