import { SystemSettings, systemDefaults, SystemSettingsInput } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { anArea } from './fixtures.ts'

const flag = { good: [true, false], bad: ['true', 1, 0, null, []] }
const whole = (min: number, max: number, ...also: number[]) => ({
  good: [min, max, ...also],
  bad: [min - 1, max + 1, min + 0.5, String(min), null, Number.NaN, Number.POSITIVE_INFINITY, 1e308, true],
})
const origins = (any: boolean) => ({
  good: ['', 'https://wall.example', 'http://a:8080,https://b', ...(any ? ['*'] : [])],
  bad: [
    ...(any ? [] : ['*']),
    'null',
    'wall.example',
    'https://*.example',
    'https://wall.example/path',
    'https://user@wall.example',
    'javascript:alert(1)',
    'http://a http://b',
    'https://a;script-src *',
    "https://a 'unsafe-inline'",
    'x'.repeat(4097),
    null,
    ['https://a'],
  ],
})
const networks = {
  good: [[], ['10.0.0.0/8'], ['192.0.2.0/24', '192.0.2.7/32']],
  bad: [['10.0.0.0'], ['10.0.0.0/33'], ['256.0.0.0/8'], ['::/0'], ['x'], [''], 'auto', null, [1]],
}

/** Every field of facts/platform 11.1 with its default, valid and invalid values. */
const fields: Record<keyof SystemSettings, { default: unknown; good: unknown[]; bad: unknown[] }> = {
  pbsPollingInterval: { default: 60, ...whole(10, 3600) },
  pmgPollingInterval: { default: 60, ...whole(10, 3600) },
  backupPollingEnabled: { default: true, ...flag },
  backupPollingInterval: {
    default: 0,
    good: [0, 10, 900, 604_800],
    bad: [-1, 1, 9, 604_801, 10.5, '900', null],
  },
  adaptivePollingEnabled: { default: false, ...flag },
  adaptivePollingBaseInterval: { default: 10, good: [5, 300], bad: [0, 3601, '10', null] },
  adaptivePollingMinInterval: { default: 5, good: [1, 10], bad: [0, 11, '5', null] },
  adaptivePollingMaxInterval: { default: 300, good: [10, 3600], bad: [9, 3601, '300', null] },
  backendPort: { default: 7655, good: [7655], bad: [7656, -1, 65_536, '7655', null] },
  frontendPort: { default: 7655, good: [7655], bad: [7656, -1, 65_536, '7655', null] },
  allowedOrigins: { default: '', ...origins(true) },
  connectionTimeout: { default: 60, ...whole(1, 300) },
  updateChannel: { default: 'stable', good: ['stable', 'rc'], bad: ['beta', '', 'RC', null, 1] },
  autoUpdateEnabled: { default: false, ...flag },
  autoUpdateCheckInterval: { default: 24, ...whole(0, 168, 6, 12) },
  autoUpdateTime: {
    default: '03:00',
    good: ['00:00', '23:59', '03:00'],
    bad: ['24:00', '3:00', '03:60', '03:00:00', '', 'noon', 300, null, '03:00\n* * *'],
  },
  logLevel: {
    default: 'info',
    good: ['trace', 'debug', 'warn', 'error'],
    bad: ['loud', '', 'INFO', 30, null],
  },
  discoveryEnabled: { default: false, ...flag },
  discoverySubnet: {
    default: 'auto',
    good: ['auto', '192.0.2.0/24', '10.0.0.0/24,192.0.2.0/24'],
    bad: ['192.0.2.0', '192.0.2.0/33', '300.0.0.0/8', 'lan', '10.0.0.0/24;ls', null, 'x'.repeat(1025)],
  },
  discoveryConfig: {
    default: systemDefaults.discoveryConfig,
    good: [{}, { max_concurrent: 10 }],
    bad: [null, [], 'auto', { surprise: 1 }, { max_concurrent: 0 }, { maxConcurrent: 1, max_concurrent: 2 }],
  },
  historyRawHours: { default: 24, ...whole(1, 168) },
  historyMinuteDays: { default: 14, ...whole(1, 90) },
  historyQuarterHourMonths: { default: 13, ...whole(1, 60) },
  historyDayYears: { default: 0, good: [0, 2, 100], bad: [-1, 1, 101, 2.5, '2', null] },
  theme: { default: '', good: ['', 'light', 'dark'], bad: ['blue', 'Dark', null, 1] },
  allowEmbedding: { default: false, ...flag },
  allowedEmbedOrigins: { default: '', ...origins(false) },
}

const discovery: Record<
  keyof SystemSettings['discoveryConfig'],
  { default: unknown; good: unknown[]; bad: unknown[] }
> = {
  environment_override: {
    default: 'auto',
    good: ['auto', 'native', 'docker_host', 'docker_bridge', 'lxc_privileged', 'lxc_unprivileged'],
    bad: ['', 'vm', null],
  },
  subnet_allowlist: { default: [], ...networks },
  subnet_blocklist: { default: ['169.254.0.0/16'], ...networks },
  max_hosts_per_scan: { default: 1024, ...whole(1, 4096) },
  max_concurrent: { default: 50, ...whole(1, 1000) },
  enable_reverse_dns: { default: true, ...flag },
  scan_gateways: { default: true, ...flag },
  dial_timeout_ms: { default: 1000, ...whole(100, 30_000) },
  http_timeout_ms: { default: 2000, ...whole(100, 60_000) },
}

describe('[facts/platform 11.1] every field', () => {
  test('is in the table', () => {
    expect(Object.keys(fields).toSorted()).toEqual(Object.keys(SystemSettings.shape).toSorted())
    expect(Object.keys(discovery).toSorted()).toEqual(Object.keys(systemDefaults.discoveryConfig).toSorted())
  })

  test('has its default', async () => {
    const { area } = await anArea()
    const defaults = Object.entries(fields).map(([name, field]) => [name, field.default])
    expect(area.current()).toEqual(Object.fromEntries(defaults))
    const nested = Object.entries(discovery).map(([name, field]) => [name, field.default])
    expect(area.current().discoveryConfig).toEqual(Object.fromEntries(nested))
    expect(area.defaults()).toEqual(area.current())
  })

  test.each(Object.entries(fields))(
    '%s takes what it may be and nothing else',
    async (name, { good, bad }) => {
      const { area } = await anArea()
      for (const value of good) expect(area.problems({ [name]: value }), JSON.stringify(value)).toEqual([])
      for (const value of bad) {
        const [problem] = area.problems({ [name]: value })
        expect(problem?.field.split('.')[0], JSON.stringify(value)).toBe(name)
        expect(problem?.message).not.toBe('')
      }
    },
  )

  test.each(Object.entries(discovery))('discoveryConfig.%s', async (name, { good, bad }) => {
    const { area } = await anArea()
    const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    for (const spelling of [name, camel]) {
      for (const value of good) expect(area.problems({ discoveryConfig: { [spelling]: value } })).toEqual([])
      for (const value of bad) {
        const [problem] = area.problems({ discoveryConfig: { [spelling]: value } })
        expect(problem?.field, `${spelling} ${JSON.stringify(value)}`).toMatch(`discoveryConfig.${name}`)
      }
    }
  })

  test('what the check lets pass is stored, and what it does not is refused', async () => {
    for (const [name, { good, bad }] of Object.entries(fields)) {
      const { area } = await anArea()
      for (const value of good) {
        const input = SystemSettingsInput.parse({ [name]: value })
        await area.change(input)
        if (name !== 'discoveryConfig') expect(area.current()).toMatchObject({ [name]: value })
      }
      const before = area.current()
      for (const value of bad) {
        const parsed = SystemSettingsInput.safeParse({ [name]: value })
        if (parsed.success) await expect(area.change(parsed.data), JSON.stringify(value)).rejects.toThrow()
      }
      expect(area.current()).toEqual(before)
    }
  })
})
