-- What is looked up by something else than its key.
CREATE INDEX guest_metadata_wire_id ON guest_metadata (wire_id);
CREATE INDEX sessions_user_id ON sessions (user_id);
