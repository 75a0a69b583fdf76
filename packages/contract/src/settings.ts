import * as z from 'zod/mini'

export const LogLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
export type LogLevel = z.infer<typeof LogLevel>

/** Empty without a choice: the browser follows its system. */
export const Theme = z.enum(['', 'light', 'dark'])
export type Theme = z.infer<typeof Theme>

/** Used for an interval of 0. */
export const automaticBackupPollingSeconds = 90

const whole = (min: number, max: number) => z.number().check(z.int(), z.minimum(min), z.maximum(max))
const text = (max: number) => z.string().check(z.trim(), z.maxLength(max))
const networks = z.array(text(64).check(z.minLength(1))).check(z.maxLength(256))
const port = whole(0, 65_535)

const discoveryFields = {
  /** where this server runs, when it cannot tell by itself */
  environment_override: z.enum([
    'auto',
    'native',
    'docker_host',
    'docker_bridge',
    'lxc_privileged',
    'lxc_unprivileged',
  ]),
  /** networks in CIDR form that are searched besides those found */
  subnet_allowlist: networks,
  /** networks that are never searched */
  subnet_blocklist: networks,
  /** addresses of one network that are asked at most */
  max_hosts_per_scan: whole(1, 4096),
  /** addresses asked at the same time */
  max_concurrent: whole(1, 1000),
  /** ask the name server for the names of what was found */
  enable_reverse_dns: z.boolean(),
  /** ask the gateways too */
  scan_gateways: z.boolean(),
  /** ms until an address counts as silent */
  dial_timeout_ms: whole(100, 30_000),
  /** ms until what answered must have said what it is */
  http_timeout_ms: whole(100, 60_000),
}

export const DiscoveryConfig = z.object(discoveryFields)
export type DiscoveryConfig = z.infer<typeof DiscoveryConfig>

const fields = {
  /** s between two readings of a backup server */
  pbsPollingInterval: whole(10, 3600),
  /** s between two readings of a mail gateway */
  pmgPollingInterval: whole(10, 3600),
  /** read backups and snapshots at all */
  backupPollingEnabled: z.boolean(),
  /** s between two readings of backups; 0 leaves the choice to Pulse */
  backupPollingInterval: z.number().check(
    z.int(),
    z.refine(
      (value) => value === 0 || (value >= 10 && value <= 604_800),
      'Use 0 for automatic, or 10 to 604800 seconds.',
    ),
  ),
  /** list fresh sources ever more seldom and stale ones more often */
  adaptivePollingEnabled: z.boolean(),
  /** s, for a source about which nothing is known yet */
  adaptivePollingBaseInterval: whole(1, 3600),
  /** s, for a source whose answers are old; the call budget allows one listing in 10 s */
  adaptivePollingMinInterval: whole(1, 3600),
  /** s, for a source that answers well */
  adaptivePollingMaxInterval: whole(1, 3600),
  /** informative: pages and API share one port, which only the environment sets */
  backendPort: port,
  frontendPort: port,
  /** origins of other sites that may use the API, with commas; `*` means any, without cookies; empty means none */
  allowedOrigins: text(4096),
  /** s that a whole call may take; a source may be silent for 10 s of it, or a sixth when that is more */
  connectionTimeout: whole(1, 300),
  /** which releases are offered */
  updateChannel: z.enum(['stable', 'rc']),
  /** install releases without asking */
  autoUpdateEnabled: z.boolean(),
  /** h between two looks at the release feed; 0 looks only when asked */
  autoUpdateCheckInterval: whole(0, 168),
  /** HH:MM, when a release is installed */
  autoUpdateTime: z
    .string()
    .check(z.trim(), z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Use a time such as 03:00.')),
  /** the least severe lines that are logged */
  logLevel: LogLevel,
  /** look for servers in the network */
  discoveryEnabled: z.boolean(),
  /** `auto`, or the networks to search in CIDR form, with commas */
  discoverySubnet: text(1024),
  /** how the search goes about */
  discoveryConfig: DiscoveryConfig,
  /** look of the pages for users who have not chosen one in the browser */
  theme: Theme,
  /** other sites may show Pulse in a frame */
  allowEmbedding: z.boolean(),
  /** origins of these sites, with commas; this very site may always when embedding is allowed */
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

/** Absent fields stay as they are; an empty text empties. */
export const SystemSettingsInput = z.strictObject({
  ...optional(fields),
  discoveryConfig: z.optional(DiscoveryConfigInput),
})
export type SystemSettingsInput = z.infer<typeof SystemSettingsInput>

/** What is wrong with a field, in words. */
export const SettingsProblem = z.object({ field: z.string(), message: z.string() })
export type SettingsProblem = z.infer<typeof SettingsProblem>
