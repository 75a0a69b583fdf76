import {
  type Alert,
  type AlertConfig,
  type AlertHistoryEntry,
  alertDefaults,
  type AlertTrace,
  type AuditRecord,
} from '@pulse/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aContainer, aReport } from '../docker/fixtures.ts'
import { connectLive } from '../testing/live-client.ts'
import { addToken, addUser, signIn } from '../testing/people.ts'
import { alertStore } from '../db/alerts.ts'
import { openDataOf } from '../auth/fixtures.ts'
import { asAdmin, startTestServer, type TestServer } from '../testing/server.ts'
import { aChange } from './fixtures.ts'
import { toHistoryRow } from './rows.ts'

let server: TestServer
let agent: Record<string, string>
beforeAll(async () => {
  server = await startTestServer()
  agent = (await addToken(server.call, { scopes: ['docker:report'] })).headers
})
afterAll(() => server.stop())

const get = async <T>(where: string): Promise<T> => (await server.call('GET', where)).body as T
const put = (config: unknown) => server.call('PUT', '/api/alerts/config', config)
const active = () => get<Alert[]>('/api/alerts/active')
const history = () => get<AlertHistoryEntry[]>('/api/alerts/history')
const configuration = () => get<AlertConfig>('/api/alerts/config?keys=stable')

/** Reports a host with one container per given health. */
async function report(...healths: string[]) {
  const containers = healths.map((health, n) =>
    aContainer({ id: `${n}`.repeat(64), name: `c ${n}/x`, health }),
  )
  const { status } = await server.as(agent)(
    'POST',
    '/api/agents/docker/report',
    aReport({ id: 'host', containers }),
  )
  expect(status).toBe(200)
}
const path = (id: string, what: string) => `/api/alerts/${encodeURIComponent(id)}/${what}`

describe('[facts/alerts 2] the configuration', () => {
  test('of a new installation is complete, and waits for a review', async () => {
    const { schedule, ...rest } = await configuration()
    const { schedule: factory, ...others } = alertDefaults
    expect(rest).toEqual(others)
    expect({ ...schedule, quietHours: { ...schedule.quietHours, timezone: 'UTC' } }).toEqual(factory)
  })

  test('is saved in part, sent whole, and kept after a restart', async () => {
    expect(await put({ guestDefaults: { cpu: { trigger: 95, clear: 90 } }, surprise: 1 })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    await server.restart()
    const { guestDefaults, nodeDefaults } = await configuration()
    expect(guestDefaults).toEqual({ ...alertDefaults.guestDefaults, cpu: { trigger: 95, clear: 90 } })
    expect(nodeDefaults).toEqual(alertDefaults.nodeDefaults)
  })

  test('a value out of bounds is refused with its name, and nothing is saved', async () => {
    const before = await configuration()
    const { status, body } = await put({
      minimumDelta: 9,
      nodeDefaults: { temperature: { trigger: 151, clear: 1 } },
    })
    expect([status, body]).toMatchObject([
      400,
      { code: 'validation_failed', details: { 'nodeDefaults.temperature.trigger': expect.any(String) } },
    ])
    expect(await configuration()).toEqual(before)
  })

  test('[S1] is read by viewers and saved by administrators', async () => {
    await addUser(server, 'vera', 'viewer')
    const vera = server.as(await signIn(server, 'vera'))
    expect((await vera('GET', '/api/alerts/config')).status).toBe(200)
    for (const [method, where, body] of [
      ['PUT', '/api/alerts/config', {}],
      ['POST', '/api/alerts/activate'],
      ['DELETE', '/api/alerts/history'],
      ['POST', '/api/alerts/acknowledge', { id: 'x' }],
    ] as const)
      expect((await vera(method, where, body)).status, where).toBe(403)
  })
})

describe('[spec 3 §4] activation', () => {
  test('has a time, and does nothing when alerts are active already', async () => {
    const { body } = await server.call('POST', '/api/alerts/activate')
    expect(body).toMatchObject({ success: true, state: 'active', activationTime: expect.any(String) })
    const { activationTime } = await configuration()
    expect((await server.call('POST', '/api/alerts/activate')).body).toMatchObject({ activationTime })
    await put({ activationTime: '2001-01-01T00:00:00Z' })
    expect(await configuration()).toMatchObject({ activationTime, activationState: 'active' })
  })

  test.each([
    ['deactivate', () => server.call('POST', '/api/alerts/deactivate'), 'pending_review'],
    [
      'a whole configuration',
      async () => put({ ...(await configuration()), activationState: 'pending_review' }),
      'pending_review',
    ],
    ['snooze', () => put({ activationState: 'snoozed' }), 'snoozed'],
  ])('ends by %s', async (_, end, state) => {
    await server.call('POST', '/api/alerts/activate')
    expect((await end()).status).toBe(200)
    expect(await configuration()).toMatchObject({ activationState: state })
  })

  test.each([
    ['activated', () => server.call('POST', '/api/alerts/activate'), 'alerts active'],
    ['deactivated', () => server.call('POST', '/api/alerts/deactivate'), 'alerts not active'],
    ['snoozed', () => put({ activationState: 'snoozed' }), 'evaluation on, alerts snoozed'],
  ])('that they were %s is in the audit log in words', async (_, change, details) => {
    await change()
    const { body } = await server.call('GET', '/api/security/audit?event=alert_settings_changed')
    const { events } = body as { events: AuditRecord[] }
    expect(events).toContainEqual(expect.objectContaining({ details }))
    // The event itself names the change.
    expect(events.map(({ target }) => target)).not.toContain('alerts')
  })

  test('open pages are notified of changed settings', async () => {
    const client = await connectLive(server.url)
    await server.call('POST', '/api/alerts/activate')
    await expect.poll(() => client.texts.map(({ type }) => type)).toContain('alertConfigChanged')
    client.close()
  })
})

describe('an alert, from the report of an agent to the history', () => {
  let id: string

  test('is in its call, in the state and in the live events', async () => {
    const client = await connectLive(server.url)
    await report('unhealthy')
    await expect.poll(active).toHaveLength(1)
    const [alert] = await active()
    expect(alert).toMatchObject({ type: 'docker-container-health', level: 'critical', acknowledged: false })
    id = alert!.id
    expect(id).toContain('/')
    await expect.poll(() => get('/api/state')).toMatchObject({ activeAlerts: [{ id }] })
    await expect.poll(() => client.texts).toContainEqual(expect.objectContaining({ type: 'alert' }))
    client.close()
  })

  test('[facts/alerts 5.3] is acknowledged by the signed-in user, whatever name is claimed', async () => {
    await addUser(server, 'anna', 'admin')
    const anna = server.as(await signIn(server, 'anna'))
    expect(await anna('POST', path(id, 'acknowledge'), { user: 'mallory' })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect(await active()).toMatchObject([
      { acknowledged: true, ackUser: 'anna', ackTime: expect.any(String) },
    ])
    expect(await history()).toMatchObject([{ id, status: 'active', acknowledged: true }])
    const { text } = await server.call('GET', '/api/security/audit?event=alert_acknowledged')
    expect(text).toContain('"actor":"anna"')
    expect(text).not.toContain('mallory')
  })

  test('[facts/alerts 8] each of its names finds it', async () => {
    const ways: [string, unknown?][] = [
      [path(id, 'unacknowledge')],
      [`/api/alerts/${encodeURI(id)}/acknowledge`],
      [`/api/alerts/${encodeURI(id)}/unacknowledge`, {}],
      ['/api/alerts/acknowledge', { id }],
      ['/api/alerts/unacknowledge', { id }],
      ['/api/alerts/bulk/acknowledge', { alertIds: [id], user: 'x' }],
    ]
    for (const [where, body] of ways) {
      expect((await server.call('POST', where, body)).status, where).toBe(200)
      expect((await active())[0]!.acknowledged, where).toBe(!where.includes('unack'))
    }
  })

  test('an unknown alert is 404 for one, and named in a bulk', async () => {
    expect(await server.call('POST', path('none/here', 'acknowledge'))).toMatchObject({ status: 404 })
    const { body } = await server.call('POST', '/api/alerts/bulk/acknowledge', { alertIds: [id, 'none', id] })
    expect(body).toEqual({
      results: [
        { alertId: id, success: true },
        { alertId: 'none', success: false, error: expect.any(String) },
      ],
    })
    expect(await server.call('POST', path('none', 'clear'))).toMatchObject({ status: 200 })
  })

  test.each([
    ['nothing', { alertIds: [] }],
    ['no list', {}],
    ['a control character', { alertIds: ['a\u0000'] }],
    ['a parent folder', { alertIds: ['../x'] }],
    ['a long id', { alertIds: ['x'.repeat(501)] }],
  ])('a bulk of %s is refused', async (_, body) =>
    expect(await server.call('POST', '/api/alerts/bulk/clear', body)).toMatchObject({ status: 400 }),
  )

  test('an id of the maximum length is looked up, a longer one is refused', async () => {
    const ask = async (length: number) =>
      (await server.call('POST', path('ü'.repeat(length), 'acknowledge'))).status
    expect(await ask(500)).toBe(404)
    expect(await ask(501)).toBe(400)
  })

  test('the trace has the values it was judged by', async () => {
    const trace = await get<AlertTrace>(`/api/alerts/trace?alert=${encodeURIComponent(id)}`)
    expect(trace).toMatchObject({ gates: [], conditions: [{ alertId: id, state: 'active' }] })
    expect((await server.call('GET', '/api/alerts/trace?resource=none')).status).toBe(404)
    expect((await server.call('GET', '/api/alerts/trace')).status).toBe(400)
  })

  test('[R8] survives a restart with its acknowledgement', async () => {
    const [before] = await active()
    await server.restart()
    expect(await active()).toEqual([before])
  })

  test('resolves with its condition, with duration and the user who acknowledged it', async () => {
    await report('healthy')
    await expect.poll(active).toEqual([])
    expect(await history()).toMatchObject([
      { id, status: 'acknowledged', endTime: expect.any(String), duration: expect.any(Number) },
    ])
    await expect.poll(() => get('/api/state')).toMatchObject({ activeAlerts: [], recentlyResolved: [{ id }] })
  })

  test('a bulk clears, and the history too can be cleared', async () => {
    await report('unhealthy', 'unhealthy', 'unhealthy')
    await expect.poll(active).toHaveLength(3)
    const alertIds = (await active()).map((alert) => alert.id)
    const { body } = await server.call('POST', '/api/alerts/bulk/clear', { alertIds })
    expect(body).toEqual({ results: alertIds.map((alertId) => ({ alertId, success: true })) })
    expect((await server.call('DELETE', '/api/alerts/history')).body).toMatchObject({ status: 'success' })
    expect((await history()).filter(({ endTime }) => endTime !== undefined)).toEqual([])
  })
})

test('[spec 2] the diagnostics have a block about alerts', async () => {
  await put({ schedule: { cooldown: 0 } })
  const { alerts } = await get<{ alerts: object }>('/api/diagnostics')
  expect(alerts).toMatchObject({
    enabled: true,
    activationState: 'active',
    legacyThresholdsDetected: false,
    legacyThresholdSources: [],
    legacyScheduleSettings: [],
    missingCooldown: true,
    missingGroupingWindow: false,
    notes: expect.arrayContaining(['The cooldown is off: an ongoing alert is sent once, without reminders.']),
  })
})

test('an override is stored under the key of its resource, whatever name the client used', async () => {
  await report('healthy')
  const containerId = '0'.repeat(64)
  await put({
    overrides: {
      [`docker:host/${containerId}`]: { disabled: true },
      'main-pve1-100': { disabled: true },
      empty: {},
    },
  })
  const { overrides } = await configuration()
  const [own, other, ...rest] = Object.keys(overrides)
  expect(own).toMatch(/^dockerContainer:docker-[0-9a-f]+:c 0\/x$/)
  expect([other, rest]).toEqual(['main-pve1-100', []])
})

test('an override stored before its resource is sent under its key once the resource exists', async () => {
  const containerId = '1'.repeat(64)
  await put({ overrides: { [`docker:host/${containerId}`]: { disabled: true } } })
  expect(Object.keys((await configuration()).overrides)).toEqual([`docker:host/${containerId}`])
  await report('healthy', 'healthy')
  await expect
    .poll(async () => Object.keys((await configuration()).overrides)[0])
    .toMatch(/^dockerContainer:docker-[0-9a-f]+:c 1\/x$/)
})

test('[facts/alerts 12.7] a client of 4.x reads an override by its documented name, changes it by it, and removes it', async () => {
  await report('healthy')
  const name = `docker:host/${'0'.repeat(64)}`
  await put({ overrides: { [name]: { disabled: true } } })
  const [own] = Object.keys((await configuration()).overrides)
  const legacy = () => get<AlertConfig>('/api/alerts/config')
  const shown = Object.keys((await legacy()).overrides)
  expect(shown).toEqual([expect.stringMatching(/^docker:[^/]+\/0+$/)])
  const changed = { disabled: false, memory: { trigger: 60, clear: 55 } }
  await put({ overrides: { [shown[0]!]: changed } })
  expect((await configuration()).overrides[own!]).toMatchObject(changed)
  await put({ overrides: { [own!]: changed, [shown[0]!]: { disabled: true } } })
  expect((await configuration()).overrides).toMatchObject({ [own!]: { disabled: true } })
  await put({ overrides: {} })
  expect((await legacy()).overrides).toEqual({})
})

test('an export contains the configuration, and an import restores it', async () => {
  const passphrase = 'a passphrase of some length'
  await put({ minimumDelta: 7, overrides: { 'guest:pve-1:100': { disabled: true } } })
  const { body } = await server.call('POST', '/api/config/export', { passphrase })
  await put({ minimumDelta: 3, overrides: {} })
  const { data } = body as { data: string }
  const imported = await server.call('POST', '/api/config/import', { passphrase, data })
  expect(imported.body).toMatchObject({ message: expect.stringContaining('alert settings with 1 override') })
  expect(await configuration()).toMatchObject({
    minimumDelta: 7,
    overrides: { 'guest:pve-1:100': { disabled: true } },
    activationState: 'active',
  })
})

test('ten thousand history entries are streamed', async () => {
  await server.pausedFor(async () => {
    const now = Date.now()
    const { db, maintenance } = await openDataOf(server.dataDir)
    // The start removes entries beyond the retention period, so these are recent.
    const startTime = new Date(now).toISOString()
    const history = Array.from({ length: 10_000 }, (_, n) =>
      toHistoryRow(aChange({ id: `a${n}`, startTime, lastSeen: startTime })),
    )
    await alertStore(db).write({ alerts: [], history })
    await maintenance.close()
  })
  const response = await fetch(`${server.url}/api/alerts/history?limit=0`, { headers: asAdmin })
  expect(response.headers.get('content-length')).toBeNull()
  let text = ''
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) text += piece
  const ids = (JSON.parse(text) as AlertHistoryEntry[]).map(({ id }) => id)
  expect(new Set(ids).size).toBeGreaterThanOrEqual(10_000)
})
