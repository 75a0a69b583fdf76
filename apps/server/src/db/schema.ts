/** Rows as they lie in pulse.db. Both SQLite and PostgreSQL take these types; booleans are 0 or 1, times epoch ms. */
export interface Schema {
  meta: { key: string; value: string }
  schema_migrations: { name: string; applied_at: number }
  connections: ConnectionRow
  guest_metadata: GuestMetadataRow
}

export interface ConnectionRow {
  id: string
  kind: string
  name: string
  host: string
  auth_type: string
  user_name: string | null
  token_name: string | null
  /** sealed; the place is connections/{id} */
  secret: string
  fingerprint: string | null
  verify_ssl: number
  /** JSON object of booleans */
  flags: string
  cluster_name: string | null
  /** JSON list */
  cluster_endpoints: string | null
  /** JSON object */
  member_fingerprints: string | null
  created_at: number
  updated_at: number
}

export interface GuestMetadataRow {
  /** `{connection id}:{vmid}`, or `id:{wire id}` while no such guest is known */
  guest_key: string
  /** as the guest was last called on the wire */
  wire_id: string
  custom_url: string
  updated_at: number
}
