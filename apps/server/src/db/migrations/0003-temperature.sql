-- The nodes whose temperature is read. A row is the switch; without a host key the node is not set up yet.
CREATE TABLE temperature_nodes (
  connection_id text NOT NULL,
  node text NOT NULL,
  port integer NOT NULL,
  host_key text,
  created_at bigint NOT NULL,
  PRIMARY KEY (connection_id, node)
);
