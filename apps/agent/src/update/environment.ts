import type { Env, Settings } from '../settings/settings.ts'
import { targetText } from '../settings/targets.ts'

/** Variables that an updated agent inherits. None of them can load other code into it. */
const inherited = [
  'DOCKER_HOST',
  'HOME',
  'INVOCATION_ID',
  'JOURNAL_STREAM',
  'LANG',
  'LOG_LEVEL',
  'MALLOC_ARENA_MAX',
  'NODE_EXTRA_CA_CERTS',
  'PATH',
  'PULSE_HEALTH_FILE',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'TZ',
  'XDG_RUNTIME_DIR',
]

/**
 * All settings as variables, including those from flags, because every user of a host can read a program's
 * arguments.
 */
export function cleanEnvironment(settings: Settings, env: Env): Record<string, string> {
  const { targets, intervalMs, hostname, agentId, autoUpdate } = settings
  const own = {
    PULSE_TARGETS: targets.map(targetText).join('\n'),
    PULSE_INTERVAL: `${intervalMs}ms`,
    PULSE_HOSTNAME: hostname,
    PULSE_AGENT_ID: agentId,
    PULSE_NO_AUTO_UPDATE: String(!autoUpdate),
  }
  const all = [...inherited.map((name) => [name, env[name]] as const), ...Object.entries(own)]
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined))
}
