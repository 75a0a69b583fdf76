import { type LogLevel, logLevels } from '../log.ts'
import { parseDuration, parseSwitch, SettingsError } from './values.ts'
import { type Flag, flags, readFlags } from './flags.ts'
import { aTarget, parseTargets, type Target, withoutDuplicates } from './targets.ts'

export interface Settings {
  /** at least one; the first is asked for updates */
  targets: Target[]
  intervalMs: number
  hostname: string | undefined
  agentId: string | undefined
  autoUpdate: boolean
  logLevel: LogLevel
  healthFile: string | undefined
  /** prints this and exits */
  only: 'version' | 'help' | undefined
}

export type Env = Readonly<Record<string, string | undefined>>

/**
 * A shorter interval would burden the engine needlessly. With a longer one the server would consider the host
 * offline.
 */
const shortestMs = 1_000
const longestMs = 10 * 60_000

/** A flag takes precedence over its variable. */
export function readSettings(args: readonly string[], env: Env): Settings {
  const found = readFlags(args)
  const valueOf = (flag: Flag) => (found[flag]?.at(-1) ?? env[flags[flag].env ?? '']?.trim()) || undefined
  const isOn = (flag: Flag) => parseSwitch(valueOf(flag) ?? '', flags[flag].env ?? `--${flag}`)
  const only = isOn('version') ? 'version' : isOn('help') ? 'help' : undefined
  return {
    targets: only ? [] : targetsOf(found.target ?? [env['PULSE_TARGETS'] ?? ''], valueOf, isOn),
    intervalMs: intervalOf(valueOf('interval') ?? '30s'),
    hostname: valueOf('hostname'),
    agentId: valueOf('agent-id'),
    autoUpdate: !isOn('no-auto-update'),
    logLevel: levelOf(env['LOG_LEVEL']),
    healthFile: env['PULSE_HEALTH_FILE']?.trim() || undefined,
    only,
  }
}

function targetsOf(
  texts: readonly string[],
  valueOf: (flag: Flag) => string | undefined,
  isOn: (flag: Flag) => boolean,
): Target[] {
  const targets = texts.flatMap(parseTargets)
  if (targets.length > 0) return withoutDuplicates(targets)
  const token = valueOf('token')
  if (token === undefined) {
    throw new SettingsError('No token: set PULSE_TOKEN or --token, or set PULSE_TARGETS.')
  }
  return [aTarget(valueOf('url') ?? 'http://localhost:7655', token, isOn('insecure'))]
}

function intervalOf(text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined) throw new SettingsError('The interval must be a duration such as 30s, 1m30s or 2m.')
  return Math.min(longestMs, Math.max(shortestMs, ms))
}

/** The server has more log levels than the agent. */
function levelOf(text = ''): LogLevel {
  const word = text.trim().toLowerCase()
  if (word === 'trace') return 'debug'
  if (['fatal', 'panic', 'disabled'].includes(word)) return 'error'
  return logLevels.find((level) => level === word) ?? 'info'
}
