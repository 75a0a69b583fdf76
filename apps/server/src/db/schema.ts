/**
 * Rows as stored in pulse.db. SQLite and PostgreSQL both support these types; booleans are 0 or 1, times
 * epoch ms.
 */
export interface Schema {
  meta: { key: string; value: string }
  schema_migrations: { name: string; applied_at: number }
  connections: ConnectionRow
  guest_metadata: GuestMetadataRow
  users: UserRow
  sessions: SessionRow
  api_tokens: ApiTokenRow
  sign_in_attempts: SignInAttemptRow
  audit: AuditRow
  settings: { key: string; value: string; updated_at: number }
  temperature_nodes: TemperatureNodeRow
  docker_hosts: AgentHostRow
  docker_removals: AgentRemovalRow
  alerts: AlertRow
  alert_memory: { key: string; value: string }
  alert_history: AlertHistoryRow
  deliveries: DeliveryRow
  notification_log: NotificationLogRow
  /** one row at most, with the id 1; used by processes that share a database */
  leadership: { id: number; fence: string }
}

export interface ConnectionRow {
  id: string
  kind: string
  name: string
  host: string
  auth_type: string
  user_name: string | null
  token_name: string | null
  /** sealed with the associated data connections/{id} */
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
  /** null: the main site */
  site: string | null
  created_at: number
  updated_at: number
}

export interface GuestMetadataRow {
  /** `{connection id}:{vmid}`, or `id:{wire id}` while the guest is unknown */
  guest_key: string
  /** the guest's last id on the wire */
  wire_id: string
  custom_url: string
  updated_at: number
}

export interface UserRow {
  id: string
  /** local, environment or oidc */
  source: string
  name: string
  /** the common key of all spellings of the name */
  name_key: string
  /** identifies a single sign-on account together with `subject` */
  issuer: string | null
  subject: string | null
  role: string
  /** PHC string; null for single sign-on */
  password_hash: string | null
  /** the bcrypt hash from the environment, while password_hash is its replacement */
  environment_hash: string | null
  password_changed_at: number | null
  created_at: number
  last_login_at: number | null
}

export interface SessionRow {
  /** SHA-256 of the cookie's value, hex */
  token_hash: string
  user_id: string
  method: string
  client: string
  user_agent: string
  created_at: number
  last_seen_at: number
  expires_at: number
}

export interface ApiTokenRow {
  id: string
  /** user or environment */
  source: string
  name: string
  /** SHA3-256 of the token, hex, as in Pulse 4.x */
  token_hash: string
  prefix: string
  suffix: string
  /** JSON list */
  scopes: string
  created_at: number
  last_used_at: number | null
  expires_at: number | null
  /** `user:…`, `proxy:…` or `token:…`; null for tokens from older versions or from elsewhere */
  made_by: string | null
  made_by_name: string | null
  /** the token that created this one, and ends it */
  parent_id: string | null
  /** 1: it reports for a single Docker host */
  one_host: number
  /** that host's own id; null until it reports */
  bound_host: string | null
  bound_host_name: string | null
}

/** A node with temperature monitoring enabled. */
export interface TemperatureNodeRow {
  connection_id: string
  node: string
  /** port of its SSH service */
  port: number
  /** type and key that it showed during the setup; null until then */
  host_key: string | null
  created_at: number
}

export interface AgentHostRow {
  /** the source of its records */
  id: string
  /** the agent's own id for the host */
  host_id: string
  /** JSON object: its last report about itself */
  facts: string
  /** the token of its reports; null if it needs none */
  token_id: string | null
  token_name: string | null
  token_hint: string | null
  hidden: number
  pending_uninstall: number
  /** JSON object: the last command sent to its agent */
  command: string | null
  enrolled_at: number
  last_seen_at: number | null
  /** 1: it was online when its state changed last */
  online: number
}

/** A host that an administrator removed. */
export interface AgentRemovalRow {
  host_id: string
  name: string
  removed_at: number
  blocked_until: number
}

export interface AlertRow {
  id: string
  /** JSON object of the alert engine */
  stored: string
  /** null while the alert is open */
  resolved_at: number | null
}

export interface AlertHistoryRow {
  /** an alert that is raised again begins a new episode */
  episode: string
  alert_id: string
  /** the resource's last id on the wire */
  resource_id: string
  /** its stable key, whatever its name */
  resource_key: string
  level: string
  peak_level: string
  started_at: number
  /** null while it is open */
  ended_at: number | null
  duration_ms: number | null
  /** JSON object: the last state of the alert */
  alert: string
}

export interface SignInAttemptRow {
  account: string
  client: string
  failures: number
  last_failure_at: number | null
  locked_until: number | null
  last_success_at: number | null
}

export interface AuditRow {
  /** sorts by time */
  id: string
  at: number
  event: string
  success: number
  actor: string
  actor_id: string | null
  method: string
  address: string | null
  request_id: string | null
  target: string | null
  details: string | null
  /** number of occurrences from `at` to `last_at` */
  times: number
  last_at: number | null
  /** the caller whose share of the records it uses: a signed-in user, or an address */
  caller: string
}

/** A channel's last notification about an alert episode. */
export interface NotificationLogRow {
  episode: string
  channel_id: string
  /** JSON object of the dispatcher */
  entry: string
}

export interface DeliveryRow {
  id: string
  event_id: string
  kind: string
  channel_id: string
  channel_kind: string
  channel_name: string
  service: string
  address: string
  state: string
  created_at: number
  updated_at: number
  next_attempt_at: number | null
  attempts: number
  log: string
  status_code: number | null
  error: string | null
  payload_size: number | null
  alert_count: number
  alerts: string
  items: string
  alert_ids: string
  /** JSON list of `SourceShare` */
  sources: string
}
