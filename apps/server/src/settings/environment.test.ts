import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { StartupError } from '../startup-error.ts'
import { readSettingsEnvironment } from './environment.ts'
import { anArea } from './fixtures.ts'

const refusal = (env: Record<string, string>): string => {
  try {
    readSettingsEnvironment(env)
  } catch (error) {
    if (error instanceof StartupError) return error.message
    throw error
  }
  throw new Error(`${JSON.stringify(env)} was accepted`)
}

const nested = (part: string, value: unknown) => ({ discoveryConfig: { [part]: value } })

/** Each variable with a valid text, its meaning, and invalid texts. */
const cases: [name: string, text: string, means: object, wrong: string[]][] = [
  [
    'ALLOWED_ORIGINS',
    'HTTPS://A.example/, *',
    { allowedOrigins: 'https://a.example,*' },
    ['evil', 'https://a/b'],
  ],
  ['ALLOW_EMBEDDING', 'yes', { allowEmbedding: true }, ['maybe', '2']],
  ['ALLOWED_EMBED_ORIGINS', 'http://b:81', { allowedEmbedOrigins: 'http://b:81' }, ['*', 'b']],
  ['CONNECTION_TIMEOUT', '1m30s', { connectionTimeout: 90 }, ['0', '301', '10m', 'soon', '-5', '1.5']],
  ['LOG_LEVEL', 'WARN', { logLevel: 'warn' }, ['loud']],
  ['PBS_POLLING_INTERVAL', '120', { pbsPollingInterval: 120 }, ['9', '2h']],
  ['PMG_POLLING_INTERVAL', '2m', { pmgPollingInterval: 120 }, ['9', '2h']],
  ['ENABLE_BACKUP_POLLING', 'off', { backupPollingEnabled: false }, ['never']],
  ['BACKUP_POLLING_INTERVAL', '6h', { backupPollingInterval: 21_600 }, ['5', '8d', '169h']],
  ['BACKUP_POLLING_CYCLES', '10', { backupPollingInterval: 100 }, ['x', '999999']],
  ['ADAPTIVE_POLLING_ENABLED', '1', { adaptivePollingEnabled: true }, ['on off']],
  ['ADAPTIVE_POLLING_BASE_INTERVAL', '20s', { adaptivePollingBaseInterval: 20 }, ['0', '2h']],
  ['ADAPTIVE_POLLING_MIN_INTERVAL', '2', { adaptivePollingMinInterval: 2 }, ['0']],
  ['ADAPTIVE_POLLING_MAX_INTERVAL', '5m', { adaptivePollingMaxInterval: 300 }, ['2h']],
  ['UPDATE_CHANNEL', 'rc', { updateChannel: 'rc' }, ['beta']],
  ['AUTO_UPDATE_ENABLED', 'true', { autoUpdateEnabled: true }, ['ja']],
  ['AUTO_UPDATE_CHECK_INTERVAL', '12h', { autoUpdateCheckInterval: 12 }, ['169', '90m', 'daily']],
  ['AUTO_UPDATE_TIME', '04:30', { autoUpdateTime: '04:30' }, ['4:30', '25:00']],
  ['DISCOVERY_ENABLED', 'true', { discoveryEnabled: true }, ['x']],
  ['DISCOVERY_SUBNET', '10.0.0.0/24, auto', { discoverySubnet: '10.0.0.0/24' }, []],
  ['DISCOVERY_ENVIRONMENT_OVERRIDE', 'native', nested('environment_override', 'native'), ['vm']],
  [
    'DISCOVERY_SUBNET_ALLOWLIST',
    '10.0.0.0/8, 192.0.2.0/24',
    nested('subnet_allowlist', ['10.0.0.0/8', '192.0.2.0/24']),
    [],
  ],
  ['DISCOVERY_SUBNET_BLOCKLIST', '10.0.0.0/8', nested('subnet_blocklist', ['10.0.0.0/8']), []],
  ['DISCOVERY_MAX_HOSTS_PER_SCAN', '64', nested('max_hosts_per_scan', 64), ['0', '5000', '1e3']],
  ['DISCOVERY_MAX_CONCURRENT', '8', nested('max_concurrent', 8), ['0', '1001']],
  ['DISCOVERY_ENABLE_REVERSE_DNS', 'no', nested('enable_reverse_dns', false), ['x']],
  ['DISCOVERY_SCAN_GATEWAYS', '0', nested('scan_gateways', false), ['x']],
  ['DISCOVERY_DIAL_TIMEOUT_MS', '250', nested('dial_timeout_ms', 250), ['1', '1s']],
  ['DISCOVERY_HTTP_TIMEOUT_MS', '3000', nested('http_timeout_ms', 3000), ['1', '1s']],
]

describe('[facts/platform 11.2] each variable', () => {
  test.each(cases)('%s="%s"', async (name, text, means, wrong) => {
    const { values, by } = readSettingsEnvironment({ [name]: ` ${text} ` })
    expect(values).toEqual(means)
    const [top, inner] = Object.entries(means)[0]!
    const field = top === 'discoveryConfig' ? `${top}.${Object.keys(inner as object)[0]}` : top
    expect([...by]).toEqual([[field, name]])
    for (const text of wrong) expect(refusal({ [name]: text }), text).toContain(name)

    const { area } = await anArea({ env: { [name]: text } })
    expect(area.current()).toMatchObject(means)
    expect(area.overrides(), 'both spellings').toEqual({ [field]: true, [name]: true })
    expect(await area.change(means), 'what is in force may be sent back').toEqual([])
  })

  test.each(cases)('%s locks its field', async (name, text, means) => {
    const { area } = await anArea({ env: { [name]: text } })
    for (const other of otherThan(means)) {
      await expect(area.change(other)).rejects.toMatchObject({
        code: 'locked_by_environment',
        message: expect.stringContaining(name),
      })
    }
    expect(area.current()).toMatchObject(means)
  })

  test.each(cases)('%s empty is as good as absent', (name) => {
    expect([...readSettingsEnvironment({ [name]: '  ' }).by]).toEqual([])
  })

  test('networks that are none stop the start', async () => {
    for (const name of ['DISCOVERY_SUBNET', 'DISCOVERY_SUBNET_ALLOWLIST', 'DISCOVERY_SUBNET_BLOCKLIST']) {
      await expect(anArea({ env: { [name]: 'lan' } })).rejects.toThrow(`${name} cannot be used`)
    }
  })

  test('an interval counts before a number of cycles', () => {
    const env = { BACKUP_POLLING_CYCLES: '10', BACKUP_POLLING_INTERVAL: '600' }
    const { values, by } = readSettingsEnvironment(env)
    expect([values, [...by]]).toEqual([
      { backupPollingInterval: 600 },
      [['backupPollingInterval', 'BACKUP_POLLING_INTERVAL']],
    ])
  })

  test('what is no setting is locked too, where the pages ask for it', async () => {
    const { area } = await anArea({ env: { LOG_FORMAT: 'json', PULSE_PUBLIC_URL: 'https://pulse.example' } })
    expect(area.overrides()).toEqual({
      logFormat: true,
      LOG_FORMAT: true,
      publicURL: true,
      PULSE_PUBLIC_URL: true,
    })
  })
})

test('every variable stands in docs/configuration.md', () => {
  const text = fs.readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')
  for (const [name] of cases) {
    expect(text.replaceAll('`…_', '`ADAPTIVE_POLLING_'), name).toContain(`\`${name}\``)
  }
})

/** The same fields with other values. */
function otherThan(means: object): object[] {
  return Object.entries(means).map(([field, value]: [string, unknown]) => ({ [field]: other(value) }))
}

function other(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (Array.isArray(value)) return [...(value as string[]), '198.51.100.0/24']
  if (typeof value === 'object') return otherThan(value!)[0]
  const others: Record<string, string> = { warn: 'error', rc: 'stable', native: 'auto', '04:30': '04:31' }
  return others[value as string] ?? ''
}
