import { SystemSettingsInput } from '@pulse/contract'
import { StartupError } from '../startup-error.ts'
import { listOf, originOf } from './origins.ts'
import { canonicalSettings, mergeSettings } from './settings.ts'

/** Settings fixed by the machine's owner, with the variable or file that fixes each of them. */
export interface FixedSettings {
  values: SystemSettingsInput
  /** field (`discoveryConfig.max_concurrent` for a part) → variable or file that fixes it */
  by: ReadonlyMap<string, string>
}

export const nothingFixed: FixedSettings = { values: {}, by: new Map() }

/** The second one takes precedence. */
export const mergeFixed = (one: FixedSettings, other: FixedSettings): FixedSettings => ({
  values: mergeSettings(one.values, other.values),
  by: new Map([...one.by, ...other.by]),
})

type Read = (name: string, text: string) => unknown

const variables: readonly [name: string, field: string, read: Read][] = [
  ['ALLOWED_ORIGINS', 'allowedOrigins', readOrigins],
  ['ALLOW_EMBEDDING', 'allowEmbedding', readSwitch],
  ['ALLOWED_EMBED_ORIGINS', 'allowedEmbedOrigins', readOrigins],
  ['CONNECTION_TIMEOUT', 'connectionTimeout', readSeconds],
  ['LOG_LEVEL', 'logLevel', (_name, text) => text.toLowerCase()],
  ['PBS_POLLING_INTERVAL', 'pbsPollingInterval', readSeconds],
  ['PMG_POLLING_INTERVAL', 'pmgPollingInterval', readSeconds],
  ['ENABLE_BACKUP_POLLING', 'backupPollingEnabled', readSwitch],
  ['BACKUP_POLLING_CYCLES', 'backupPollingInterval', readCycles],
  ['BACKUP_POLLING_INTERVAL', 'backupPollingInterval', readSeconds],
  ['ADAPTIVE_POLLING_ENABLED', 'adaptivePollingEnabled', readSwitch],
  ['ADAPTIVE_POLLING_BASE_INTERVAL', 'adaptivePollingBaseInterval', readSeconds],
  ['ADAPTIVE_POLLING_MIN_INTERVAL', 'adaptivePollingMinInterval', readSeconds],
  ['ADAPTIVE_POLLING_MAX_INTERVAL', 'adaptivePollingMaxInterval', readSeconds],
  ['UPDATE_CHANNEL', 'updateChannel', (_name, text) => text],
  ['AUTO_UPDATE_ENABLED', 'autoUpdateEnabled', readSwitch],
  ['AUTO_UPDATE_CHECK_INTERVAL', 'autoUpdateCheckInterval', readHours],
  ['AUTO_UPDATE_TIME', 'autoUpdateTime', (_name, text) => text],
  ['HISTORY_RAW_HOURS', 'historyRawHours', readHours],
  ['HISTORY_MINUTE_DAYS', 'historyMinuteDays', readNumber],
  ['HISTORY_QUARTER_HOUR_MONTHS', 'historyQuarterHourMonths', readNumber],
  ['HISTORY_DAY_YEARS', 'historyDayYears', readNumber],
  ['DISCOVERY_ENABLED', 'discoveryEnabled', readSwitch],
  ['DISCOVERY_SUBNET', 'discoverySubnet', (_name, text) => text],
  ['DISCOVERY_ENVIRONMENT_OVERRIDE', 'discoveryConfig.environment_override', (_name, text) => text],
  ['DISCOVERY_SUBNET_ALLOWLIST', 'discoveryConfig.subnet_allowlist', (_name, text) => listOf(text)],
  ['DISCOVERY_SUBNET_BLOCKLIST', 'discoveryConfig.subnet_blocklist', (_name, text) => listOf(text)],
  ['DISCOVERY_MAX_HOSTS_PER_SCAN', 'discoveryConfig.max_hosts_per_scan', readNumber],
  ['DISCOVERY_MAX_CONCURRENT', 'discoveryConfig.max_concurrent', readNumber],
  ['DISCOVERY_ENABLE_REVERSE_DNS', 'discoveryConfig.enable_reverse_dns', readSwitch],
  ['DISCOVERY_SCAN_GATEWAYS', 'discoveryConfig.scan_gateways', readSwitch],
  ['DISCOVERY_DIAL_TIMEOUT_MS', 'discoveryConfig.dial_timeout_ms', readNumber],
  ['DISCOVERY_HTTP_TIMEOUT_MS', 'discoveryConfig.http_timeout_ms', readNumber],
]

/** These are no settings, but the pages show that the environment fixes them. */
const others: readonly [name: string, field: string][] = [
  ['LOG_FORMAT', 'logFormat'],
  ['PULSE_PUBLIC_URL', 'publicURL'],
]

/** Throws StartupError on an invalid value: a typing error must not become a default. */
export function readSettingsEnvironment(env: NodeJS.ProcessEnv): FixedSettings {
  const values: Record<string, unknown> = {}
  const by = new Map<string, string>()
  for (const [name, field, read] of variables) {
    const text = env[name]?.trim()
    if (!text) continue
    const [top, part] = field.split('.') as [string, string?]
    const value = read(name, text)
    check(name, text, part === undefined ? { [top]: value } : { [top]: { [part]: value } })
    if (part === undefined) values[top] = value
    else values[top] = { ...(values[top] as object | undefined), [part]: value }
    by.set(field, name)
  }
  for (const [name, field] of others) if (env[name]?.trim()) by.set(field, name)
  return { values: canonicalSettings(SystemSettingsInput.parse(values)), by }
}

function check(name: string, text: string, values: unknown) {
  const result = SystemSettingsInput.safeParse(values)
  if (result.success) return
  throw new StartupError(
    `${name} is "${text}": ${result.error.issues[0]!.message}`,
    'Correct it, or unset it.',
  )
}

function readSwitch(name: string, text: string): boolean {
  if (/^(true|1|yes|on)$/i.test(text)) return true
  if (/^(false|0|no|off)$/i.test(text)) return false
  throw new StartupError(`${name} is "${text}".`, 'Use true or false.')
}

function readNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new StartupError(`${name} is "${text}", which is not a whole number.`, 'Use digits only.')
}

const unitSeconds: Record<string, number> = { h: 3600, m: 60, s: 1 }

/** Accepts `90`, or a duration such as `90s`, `1m30s` or `24h`. */
function readSeconds(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  if (!/^(?:\d{1,6}[hms])+$/.test(text)) {
    throw new StartupError(
      `${name} is "${text}", which is not a duration.`,
      'Use seconds, or a form like 90s, 5m or 1h30m.',
    )
  }
  return [...text.matchAll(/(?<!\d)(\d+)([hms])/g)].reduce(
    (sum, [, n, unit]) => sum + Number(n) * unitSeconds[unit!]!,
    0,
  )
}

function readHours(name: string, text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : readSeconds(name, text) / 3600
}

/** Pulse 4.x counted in polls, one every 10 seconds. */
function readCycles(name: string, text: string): number {
  return readNumber(name, text) * 10
}

function readOrigins(name: string, text: string): string {
  const wrong = listOf(text).find(
    (entry) => originOf(entry) === undefined && !(name === 'ALLOWED_ORIGINS' && entry === '*'),
  )
  if (wrong === undefined) return text
  throw new StartupError(
    `${name} holds "${wrong}".`,
    'Use origins such as https://wall.example.com, separated by commas.',
  )
}
