-- Whether the host was last known to be online: a process that starts does not call it offline before it could report.
ALTER TABLE docker_hosts ADD COLUMN online integer NOT NULL DEFAULT 0;
