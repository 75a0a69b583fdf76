import * as z from 'zod/mini'

export const LogLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
export type LogLevel = z.infer<typeof LogLevel>

/** Empty: no choice, the browser follows its system. */
export const Theme = z.enum(['', 'light', 'dark'])
export type Theme = z.infer<typeof Theme>

/** Used for an interval of 0. */
export const automaticBackupPollingSeconds = 90

const whole = (min: number, max: number) => z.number().check(z.int(), z.minimum(min), z.maximum(max))
const text = (max: number) => z.string().check(z.trim(), z.maxLength(max))
const networks = z.array(text(64).check(z.minLength(1))).check(z.maxLength(256))
const port = whole(0, 65_535)

const discoveryFields = {
  /** environment of this server, if detection fails */
  environment_override: z.enum([
    'auto',
    'native',
    'docker_host',
    'docker_bridge',
    'lxc_privileged',
    'lxc_unprivileged',
  ]),
  /** CIDR networks to scan in addition to the detected ones */
  subnet_allowlist: networks,
  /** networks that are never scanned */
  subnet_blocklist: networks,
  /** maximum addresses per network */
  max_hosts_per_scan: whole(1, 4096),
  /** concurrent connections */
  max_concurrent: whole(1, 1000),
  /** look up the names of found addresses */
  enable_reverse_dns: z.boolean(),
  /** include gateways */
  scan_gateways: z.boolean(),
  /** ms until a connection attempt times out */
  dial_timeout_ms: whole(100, 30_000),
  /** ms until an HTTP request times out */
  http_timeout_ms: whole(100, 60_000),
}

export const DiscoveryConfig = z.object(discoveryFields)
export type DiscoveryConfig = z.infer<typeof DiscoveryConfig>

const fields = {
  /** s; poll interval of backup servers */
  pbsPollingInterval: whole(10, 3600),
  /** s; poll interval of mail gateways */
  pmgPollingInterval: whole(10, 3600),
  /** read backups and snapshots */
  backupPollingEnabled: z.boolean(),
  /** s; poll interval of backups; 0: Pulse decides */
  backupPollingInterval: z.number().check(
    z.int(),
    z.refine(
      (value) => value === 0 || (value >= 10 && value <= 604_800),
      'Use 0 for automatic, or 10 to 604800 seconds.',
    ),
  ),
  /** poll fresh sources less and stale sources more often */
  adaptivePollingEnabled: z.boolean(),
  /** s, for a new source */
  adaptivePollingBaseInterval: whole(1, 3600),
  /** s, for a stale source; the call budget allows one listing in 10 s */
  adaptivePollingMinInterval: whole(1, 3600),
  /** s, for a source that answers well */
  adaptivePollingMaxInterval: whole(1, 3600),
  /** informational: pages and API share one port, set by the environment only */
  backendPort: port,
  frontendPort: port,
  /** origins of other sites that may use the API, comma-separated; `*`: any, without cookies; empty: none */
  allowedOrigins: text(4096),
  /** s for a whole call; within it a source may send no data for 10 s, or for a sixth if that is longer */
  connectionTimeout: whole(1, 300),
  /** the offered kinds of releases */
  updateChannel: z.enum(['stable', 'rc']),
  /** install releases automatically */
  autoUpdateEnabled: z.boolean(),
  /** h between checks of the release feed; 0: only on request */
  autoUpdateCheckInterval: whole(0, 168),
  /** HH:MM of automatic installation */
  autoUpdateTime: z
    .string()
    .check(z.trim(), z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Use a time such as 03:00.')),
  /** least severe level that is logged */
  logLevel: LogLevel,
  /** search the network for servers */
  discoveryEnabled: z.boolean(),
  /** `auto`, or CIDR networks to search, comma-separated */
  discoverySubnet: text(1024),
  /** options of the search */
  discoveryConfig: DiscoveryConfig,
  /** h; how long the history has the samples as polled */
  historyRawHours: whole(1, 168),
  /** d; how long it has their minutes */
  historyMinuteDays: whole(1, 90),
  /** how long it has their quarter hours */
  historyQuarterHourMonths: whole(1, 60),
  /** how long it has their days; 0: without end */
  historyDayYears: whole(0, 100),
  /** theme for users without their own choice in the browser */
  theme: Theme,
  /** other sites may embed Pulse in a frame */
  allowEmbedding: z.boolean(),
  /** origins of these sites, comma-separated; with embedding on, this site is always allowed */
  allowedEmbedOrigins: text(4096),
}

export const SystemSettings = z.object(fields)
export type SystemSettings = z.infer<typeof SystemSettings>

export const systemDefaults: SystemSettings = {
  pbsPollingInterval: 60,
  pmgPollingInterval: 60,
  backupPollingEnabled: true,
  backupPollingInterval: 0,
  adaptivePollingEnabled: false,
  adaptivePollingBaseInterval: 10,
  adaptivePollingMinInterval: 5,
  adaptivePollingMaxInterval: 300,
  backendPort: 7655,
  frontendPort: 7655,
  allowedOrigins: '',
  connectionTimeout: 60,
  updateChannel: 'stable',
  autoUpdateEnabled: false,
  autoUpdateCheckInterval: 24,
  autoUpdateTime: '03:00',
  logLevel: 'info',
  discoveryEnabled: false,
  discoverySubnet: 'auto',
  discoveryConfig: {
    environment_override: 'auto',
    subnet_allowlist: [],
    subnet_blocklist: ['169.254.0.0/16'],
    max_hosts_per_scan: 1024,
    max_concurrent: 50,
    enable_reverse_dns: true,
    scan_gateways: true,
    dial_timeout_ms: 1000,
    http_timeout_ms: 2000,
  },
  historyRawHours: 24,
  historyMinuteDays: 14,
  historyQuarterHourMonths: 13,
  historyDayYears: 0,
  theme: '',
  allowEmbedding: false,
  allowedEmbedOrigins: '',
}

type Optional<F extends Record<string, z.ZodMiniType>> = { [K in keyof F]: z.ZodMiniOptional<F[K]> }
const optional = <F extends Record<string, z.ZodMiniType>>(shape: F) =>
  Object.fromEntries(Object.entries(shape).map(([key, schema]) => [key, z.optional(schema)])) as Optional<F>

const snakeNames: ReadonlyMap<string, string> = new Map(
  Object.keys(discoveryFields).map((name) => [
    name.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase()),
    name,
  ]),
)

/** Accepts both spellings. A field that appears in both is left unconverted, and so refused as unknown. */
function toSnake(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const entries = Object.entries(input).map(([key, value]) => {
    const snake = snakeNames.get(key)
    return [snake !== undefined && !Object.hasOwn(input, snake) ? snake : key, value] as const
  })
  return Object.fromEntries(entries)
}

export const DiscoveryConfigInput = z.pipe(z.transform(toSnake), z.strictObject(optional(discoveryFields)))

/** Absent fields keep their values; an empty text clears the field. */
export const SystemSettingsInput = z.strictObject({
  ...optional(fields),
  discoveryConfig: z.optional(DiscoveryConfigInput),
})
export type SystemSettingsInput = z.infer<typeof SystemSettingsInput>

/** A problem of a field, as text. */
export const SettingsProblem = z.object({ field: z.string(), message: z.string() })
export type SettingsProblem = z.infer<typeof SettingsProblem>
