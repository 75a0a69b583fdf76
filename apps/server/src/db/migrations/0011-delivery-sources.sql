-- JSON list: whose alerts the message is about, for the hourly cap of a source
ALTER TABLE deliveries ADD COLUMN sources text NOT NULL DEFAULT '[]';
