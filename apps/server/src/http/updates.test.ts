import type { UpdateHistoryEntry, UpdateStatus, VersionInfo } from '@pulse/contract'
import { type ReleaseFeed, startReleaseFeed } from '@pulse/lab'
import { fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { product } from '../server.ts'
import { isForOneProcess } from '../testing/database-of-tests.ts'
import { connectLive, type LiveClient } from '../testing/live-client.ts'
import { addToken } from '../testing/people.ts'
import { quickHashing } from '../testing/quick-hashing.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'
import { aKey } from '../updates/fixtures.ts'
import { nextTime } from '../updates/schedule.ts'
import { anInstalled, pemOf, publishedRelease } from '../updates/fixtures-releases.ts'

/** Two minutes before the usual time of automatic updates. */
const clock = fakeClock(new Date(2026, 0, 1, 2, 58).getTime())
const key = aKey()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-published-'))
let feed: ReleaseFeed
let server: TestServer
let live: LiveClient
let reader: Record<string, string>
/** the server's own version */
let version: VersionInfo = anInstalled('1.0.0')

beforeAll(async () => {
  feed = await startReleaseFeed()
  const slot = path.join(folder, 'pulse/slots/a')
  fs.mkdirSync(slot, { recursive: true })
  fs.symlinkSync('slots/a', path.join(folder, 'pulse/current'))
  fs.writeFileSync(path.join(slot, 'release-key.pem'), pemOf(key))
  const env = { API_TOKENS: adminToken, PULSE_UPDATE_SERVER: feed.url, PULSE_RELEASE_DIR: slot }
  server = await startTestServer(clock, env, undefined, quickHashing, (base) => product({ ...base, version }))
  reader = (await addToken(server.call, { scopes: ['monitoring:read'] })).headers
  live = await connectLive(server.url)
  feed.publish(publishedRelease(folder, { version: '1.2.0', key }), { notes: 'New', publishedAt: 0 })
})
afterAll(async () => {
  live.close()
  await server.stop()
  await feed.close()
  fs.rmSync(folder, { recursive: true })
})

const downloadUrl = () => new URL('/download/v1.2.0/pulse-v1.2.0-linux-amd64.tar.gz', feed.url).href
const get = async (where: string, call = server.call) => (await call('GET', `/api/updates/${where}`)).body
const apply = (body: unknown) => server.call('POST', '/api/updates/apply', body)
const history = async (query = '') => (await get(`history${query}`)) as UpdateHistoryEntry[]
const at = (name: string) => path.join(server.dataDir, 'update', name)
const isRequested = () => fs.existsSync(at('request.json'))
const until = (met: () => boolean) => expect.poll(met, { timeout: within(30_000), interval: 5 }).toBe(true)

const till = (time: string) => clock.advance(nextTime(time, clock.now()) - clock.now())

async function theSwitchSays(said: object) {
  const { event_id: id } = (await history())[0]!
  const updatedAt = new Date(clock.now()).toISOString()
  fs.writeFileSync(at('progress.json'), JSON.stringify({ id, updatedAt, ...said }))
  fs.rmSync(at('request.json'), { force: true })
  await clock.advance(500)
}

const isSkipped = isForOneProcess('its clock stands still until it moves it')

describe.skipIf(isSkipped)('[spec 2 §7] the calls of updates', () => {
  test('before the first request nothing is known, and no server was asked', async () => {
    expect((await server.call('GET', '/api/version')).body).toMatchObject({ updateAvailable: false })
    expect(await history()).toEqual([])
    expect(await get('status', server.as(reader))).toMatchObject({ status: 'idle', progress: 0, message: '' })
    expect(feed.asked()).toEqual([])
  })

  test('check: what there is', async () => {
    expect(await get('check', server.as(reader))).toEqual({
      available: true,
      currentVersion: '1.0.0',
      latestVersion: '1.2.0',
      releaseNotes: 'New',
      releaseDate: '1970-01-01T00:00:00.000Z',
      downloadUrl: downloadUrl(),
      isPrerelease: false,
      channel: 'stable',
      checkedAt: new Date(clock.now()).toISOString(),
    })
    expect((await server.as({})('GET', '/api/version')).body).toMatchObject({
      version: '1.0.0',
      updateAvailable: true,
      latestVersion: '1.2.0',
    })
    expect(feed.asked()).toHaveLength(1)
    expect(await get('check?channel=nightly')).toMatchObject({ code: 'validation_failed' })
    expect(await get('check?force=maybe')).toMatchObject({ code: 'validation_failed' })
  })

  test('plan: how it comes here', async () => {
    const plan = {
      canAutoUpdate: true,
      requiresRoot: true,
      rollbackSupport: true,
      estimatedTime: '2-5 minutes',
    }
    expect(await get('plan?version=v1.2.0&channel=stable', server.as(reader))).toMatchObject({
      ...plan,
      downloadUrl: downloadUrl(),
    })
    const other = await get('plan?version=1.1.0')
    expect(other).toMatchObject(plan)
    expect(other).not.toHaveProperty('downloadUrl')
    for (const query of ['', '?version=', '?version=latest', '?version=1.2.0%3Bid'])
      expect(await get(`plan${query}`), query).toMatchObject({ code: 'validation_failed', status_code: 400 })
  })

  test.each([
    [{}, 'validation_failed', 'body: Set a version, or the URL of its archive.'],
    [{ downloadUrl: 'https://example.com/pulse.tar.gz' }, 'bad_request', 'not the offered one'],
    [{ version: '1.1.0' }, 'bad_request', 'not the offered one'],
    [{ version: '0.9.0' }, 'bad_request', 'not the offered one'],
    [{ version: '1.2.0', downloadUrl: 'https://example.com/x' }, 'bad_request', 'not the offered one'],
    [{ version: '../../etc' }, 'validation_failed', 'Use a version such as 1.2.3.'],
    [{ version: '1.2.0', command: 'id' }, 'validation_failed', 'command'],
  ])('apply: %j is refused', async (body, code, error) => {
    const answer = await apply(body)
    expect(answer).toMatchObject({ status: 400, body: { code, error: expect.stringContaining(error) } })
    expect(await history()).toEqual([])
  })

  test('apply, status, history are an administrator’s', async () => {
    const call = server.as(reader)
    expect((await call('POST', '/api/updates/apply', { version: '1.2.0' })).status).toBe(403)
    expect((await call('GET', '/api/updates/history')).status).toBe(403)
    expect((await call('GET', '/api/updates/history/entry?id=1')).status).toBe(403)
  })

  test('apply: it begins, is pushed to open pages, and is alone', async () => {
    expect(await apply({ downloadUrl: downloadUrl() })).toMatchObject({
      status: 200,
      body: { status: 'started', message: 'The update to 1.2.0 has begun.' },
    })
    const others = await Promise.all(Array.from({ length: 9 }, () => apply({ version: '1.2.0' })))
    for (const other of others) {
      expect(other).toMatchObject({
        status: 409,
        body: { code: 'conflict', error: 'An update is in progress. Wait for it to finish.' },
      })
    }
    await until(isRequested)
    const pushed = () => live.texts.filter(({ type }) => type === 'update:progress')
    await until(() => pushed().some(({ data }) => (data as UpdateStatus).status === 'verifying'))
    expect(pushed().at(-1)!.data).toEqual(await get('status', server.as(reader)))
    expect(await history()).toMatchObject([
      { status: 'in_progress', version_to: '1.2.0', initiated_by: 'api', initiated_via: 'script' },
    ])
  })

  test('history: the result', async () => {
    const fault = { code: 'health', message: '1.2.0 did not answer as it should.' }
    await theSwitchSays({
      status: 'error',
      progress: 100,
      message: '1.0.0 runs again',
      outcome: 'rolled_back',
      fault,
    })
    const [entry] = await history()
    expect(entry).toMatchObject({ status: 'rolled_back', error: fault })
    expect(await get('status')).toMatchObject({
      status: 'error',
      message: '1.0.0 runs again',
      error: fault.message,
    })
    expect(await get(`history/entry?id=${entry!.event_id}`)).toEqual(entry)
    expect(await history('?limit=1&status=rolled_back')).toEqual([entry])
    expect(await history('?status=success')).toEqual([])
    expect(await get('history/entry?id=none')).toMatchObject({
      code: 'not_found',
      error: 'The history has no such update.',
    })
    for (const where of ['history/entry', 'history?limit=0', 'history?limit=many', 'history?status=odd'])
      expect(await get(where), where).toMatchObject({ code: 'validation_failed' })
  })

  test('the audit log has who wanted which', async () => {
    const { body } = await server.call('GET', '/api/security/audit?event=update_started&limit=50')
    const { events } = body as { events: { target?: string; success: boolean }[] }
    expect(events.filter(({ success }) => success).map(({ target }) => target)).toEqual(['1.2.0'])
    expect(events.some(({ success, target }) => !success && target === '1.1.0')).toBe(true)
  })

  test('apply can be tried thirty times a minute', async () => {
    const statuses: number[] = []
    while (statuses.at(-1) !== 429 && statuses.length < 40) statuses.push((await apply({})).status)
    expect(statuses.at(-1)).toBe(429)
    await clock.advance(60_000)
    expect((await apply({})).status).toBe(400)
  })
})

test.skipIf(isSkipped)(
  '[facts/platform 12.5] a version that failed is not installed automatically again; the next one is, at its time',
  async () => {
    await server.call('POST', '/api/system/settings/update', { autoUpdateEnabled: true })
    await till('03:00')
    const logged = '1.2.0 is not installed automatically'
    await until(() => server.logLines.some((line) => line.includes(logged)))
    expect(await history()).toHaveLength(1)
    feed.publish(publishedRelease(folder, { version: '1.2.1', key }))
    await server.call('POST', '/api/system/settings/update', { autoUpdateTime: '03:05' })
    await till('03:05')
    await until(isRequested)
    expect((await history())[0]).toMatchObject({
      version_to: '1.2.1',
      initiated_by: 'auto',
      initiated_via: 'script',
      status: 'in_progress',
    })
  },
)

test.skipIf(isSkipped)(
  '[facts/platform 16.45] the new version finishes the history of its own update',
  async () => {
    await theSwitchSays({ status: 'restarting', progress: 95, message: 'Starting 1.2.1' })
    version = anInstalled('1.2.1')
    await server.restart()
    expect(await get('status')).toMatchObject({ status: 'restarting', progress: 95 })
    await theSwitchSays({
      status: 'completed',
      progress: 100,
      message: '1.2.1 runs',
      outcome: 'success',
      backup: '/b',
    })
    expect((await history())[0]).toMatchObject({ status: 'success', backup_path: '/b' })
    expect(await get('check')).toMatchObject({ available: false, latestVersion: '1.2.1' })
  },
)

test.skipIf(isSkipped)(
  '[spec 2 §4] in a container Pulse asks only when forced, and nothing replaces itself',
  async () => {
    version = anInstalled('1.0.0', { isDocker: true, deploymentType: 'docker' })
    await server.restart()
    const asked = feed.asked().length
    const warning = 'This is a container: pull the newer image and recreate the container.'
    expect(await get('check')).toMatchObject({ available: false, warning })
    expect(feed.asked()).toHaveLength(asked)
    expect(await get('check?force=true')).toMatchObject({ warning })
    expect(feed.asked()).toHaveLength(asked + 1)
    expect(await get('plan?version=1.2.1')).toMatchObject({
      canAutoUpdate: false,
      estimatedTime: '1-2 minutes',
    })
    expect(await apply({ version: '1.2.1' })).toMatchObject({
      status: 409,
      body: { error: 'Only an installed release can update itself.' },
    })
    expect(feed.asked()).toHaveLength(asked + 1)
  },
)
