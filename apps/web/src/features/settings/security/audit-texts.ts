import { type ActorMethod, AuditEvent } from '@pulse/contract'

/** What happened, in words; whether it succeeded stands beside it. */
export const eventTexts: Record<AuditEvent, string> = {
  login: 'Signed in',
  login_failed: 'Sign-in failed',
  lockout: 'Account locked',
  lockout_reset: 'Lockout lifted',
  logout: 'Signed out',
  oidc_login: 'Signed in by single sign-on',
  oidc_login_failed: 'Single sign-on failed',
  csrf_failure: 'Request refused: CSRF check',
  setup: 'First setup',
  credentials_rotated: 'Credentials rotated',
  password_change: 'Password changed',
  user_added: 'User added',
  user_changed: 'User changed',
  user_removed: 'User removed',
  token_created: 'API token created',
  token_revoked: 'API token revoked',
  token_handed_over: 'API token handed over',
  tokens_replaced: 'API tokens replaced',
  oidc_settings_changed: 'Single sign-on settings changed',
  settings_changed: 'Settings changed',
  config_exported: 'Configuration exported',
  config_imported: 'Configuration imported',
  node_added: 'Node added',
  node_changed: 'Node changed',
  node_removed: 'Node removed',
  connection_tested: 'Connection tested',
  discovery_scan: 'Network scanned',
  setup_code_issued: 'Setup code issued',
  node_auto_registered: 'Node registered itself',
  guest_link_changed: 'Guest link changed',
  temperature_changed: 'Node temperatures changed or checked',
  docker_host_enrolled: 'Docker host added',
  docker_host_changed: 'Docker host changed',
  docker_host_removed: 'Docker host removed',
  docker_stop_requested: 'Stop of a Docker agent requested',
  docker_stop_ended: 'Stop of a Docker agent ended',
  docker_report_refused: 'Docker report refused',
  alert_acknowledged: 'Alert acknowledged',
}

export const methodTexts: Record<ActorMethod, string> = {
  session: 'Password session',
  basic: 'Basic authentication',
  token: 'API token',
  proxy: 'Proxy',
  oidc: 'Single sign-on',
  disabled: 'Authentication disabled',
  none: 'Not signed in',
  console: 'Console',
}

export const eventChoices: readonly { value: AuditEvent | 'all'; label: string }[] = [
  { value: 'all', label: 'All events' },
  ...AuditEvent.options.map((event) => ({ value: event, label: eventTexts[event] })),
]
