import type { UpdateHistoryEntry } from '@pulse/contract'
import type { Publishing } from '@pulse/lab'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { aSmallDisk } from '../testing/small-disk.ts'
import { aKey } from './fixtures.ts'
import { givenFeed } from './fixtures-feed.ts'
import { publishedRelease } from './fixtures-releases.ts'
import { anUpdater } from './fixtures-updater.ts'
import type { SwitchProgress } from './handover.ts'

const key = aKey()
const given = givenFeed()

const aServer = (version: string, how: Parameters<typeof anUpdater>[2] = {}) =>
  anUpdater(version, { feed: given.feed.url, key, dataDir: given.dataDir }, how)
type AServer = ReturnType<typeof aServer>

const publish = (how: Publishing = {}) =>
  given.feed.publish(publishedRelease(given.folder, { version: '1.2.0', key }), how)
const at = (name: string) => path.join(given.dataDir, 'update', name)
const isRequested = () => fs.existsSync(at('request.json'))
const until = (met: () => boolean) => expect.poll(met, { timeout: within(30_000), interval: 2 }).toBe(true)
const hasEnded = ({ newest }: AServer) => newest().status !== 'in_progress'

/** Simulates the switch as the server sees it: takes the request and writes progress. */
function theSwitchSays(id: string, said: Partial<SwitchProgress>) {
  const usual = { status: 'verifying', progress: 35, message: 'Checking the release' }
  const updatedAt = new Date(Date.UTC(2026, 0, 1) + lastSaid++).toISOString()
  fs.writeFileSync(at('progress.json'), JSON.stringify({ id, ...usual, updatedAt, ...said }))
  fs.rmSync(at('request.json'), { force: true })
}
let lastSaid = 0

/** Starts an update up to the request to the switch. */
async function handedOver(server: AServer): Promise<string> {
  publish()
  await server.begin()
  await until(isRequested)
  return server.newest().event_id
}

describe('an update', () => {
  test('[facts/platform 12.4] is in the history before anything else, and ends as the switch says', async () => {
    publish()
    const server = aServer('1.0.0')
    await server.begin()
    expect(server.history.list()).toEqual([
      {
        event_id: expect.stringMatching(/^[\w-]{36}$/),
        timestamp: '2026-01-01T12:00:00.000Z',
        action: 'update',
        channel: 'stable',
        version_from: '1.0.0',
        version_to: '1.2.0',
        deployment_type: 'systemd',
        initiated_by: 'user',
        initiated_via: 'ui',
        status: 'in_progress',
        duration_ms: 0,
        log_path: expect.stringContaining(at('logs/')),
      },
    ])
    expect(fs.readFileSync(at('history.jsonl'), 'utf8')).toContain('"in_progress"')
    await until(isRequested)
    const { event_id: id } = server.newest()
    expect(JSON.parse(fs.readFileSync(at('request.json'), 'utf8'))).toEqual({ id, version: '1.2.0' })
    theSwitchSays(id, { status: 'backing-up', progress: 60, message: 'Backing up the data' })
    await server.clock.advance(500)
    expect(server.updater.status()).toMatchObject({ status: 'backing-up', progress: 60 })
    theSwitchSays(id, { status: 'completed', progress: 100, outcome: 'success', backup: '/kept' })
    await server.clock.advance(9_500)
    expect(server.newest()).toMatchObject({
      status: 'success',
      duration_ms: 1_000,
      backup_path: '/kept',
      download_bytes: 2_000,
    })
    expect(server.updater.status()).toMatchObject({ status: 'completed', progress: 100 })
    expect(server.clock.pending()).toBe(0)
  })

  test('[spec 3 §4] every step is pushed as it is answered to who asks', async () => {
    const server = aServer('1.0.0')
    expect(server.updater.status()).toEqual({
      status: 'idle',
      progress: 0,
      message: '',
      updatedAt: '2026-01-01T12:00:00.000Z',
    })
    const id = await handedOver(server)
    theSwitchSays(id, { status: 'restarting', progress: 95 })
    await server.clock.advance(500)
    const steps = server.shown.map(({ status, progress }) => `${status} ${progress}`)
    expect(steps.filter((step, i) => step !== steps[i - 1])).toEqual([
      'downloading 0',
      'downloading 10',
      'downloading 30',
      'verifying 30',
      'restarting 95',
    ])
    expect(server.updater.status()).toEqual(server.shown.at(-1))
  })

  test('[facts/platform 12.2] is alone: a second one is refused until it has ended', async () => {
    const server = aServer('1.0.0')
    const id = await handedOver(server)
    const underWay = 'An update is in progress. Wait for it to finish.'
    expect(server.updater.obstacle()).toBe(underWay)
    await expect(server.begin()).rejects.toMatchObject({ code: 'conflict', message: underWay })
    expect(server.history.list()).toHaveLength(1)
    theSwitchSays(id, { status: 'error', progress: 100, outcome: 'failed' })
    await server.clock.advance(500)
    expect(server.updater.obstacle()).toBeUndefined()
    await server.begin()
    expect(server.history.list()).toHaveLength(2)
    await until(isRequested)
  })

  test('that cannot be fetched has failed, and says why', async () => {
    publish({ tampered: 'archive' })
    const server = aServer('1.0.0')
    await server.begin()
    await until(() => hasEnded(server))
    const error = 'The checksum of the archive does not match the published one.'
    expect(server.newest()).toMatchObject({ status: 'failed', error: { code: 'checksum', message: error } })
    expect(server.updater.status()).toMatchObject({ status: 'error', message: '1.0.0 keeps running', error })
    expect(fs.readdirSync(path.join(given.dataDir, 'update'))).toEqual(['history.jsonl', 'logs'])
    expect([server.updater.obstacle(), server.faults, server.clock.pending()]).toEqual([undefined, [], 0])
  })

  test('[facts/platform 12.4] keeps a log of its steps, which goes with its entry', async () => {
    const server = aServer('1.0.0')
    const id = await handedOver(server)
    const fault = { code: 'health', message: '1.2.0 did not answer as it should.' }
    const message = '1.0.0 runs again'
    theSwitchSays(id, { status: 'error', progress: 100, message, outcome: 'rolled_back', fault })
    await server.clock.advance(500)
    const file = server.newest().log_path!
    const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(lines[0]).toMatch(/^2026-\S+Z downloading {3}0 % Downloading 1\.2\.0$/)
    expect(lines.at(-1)).toContain(`error 100 % ${message}: ${fault.message}`)
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
    fs.rmSync(at('history.jsonl'))
    await handedOver(aServer('1.0.0'))
    expect(fs.existsSync(file)).toBe(false)
  })

  test('[facts/platform 12.4] that is tried again names the one that failed', async () => {
    const server = aServer('1.0.0')
    const id = await handedOver(server)
    expect(server.newest()).not.toHaveProperty('related_event_id')
    theSwitchSays(id, { status: 'error', progress: 100, outcome: 'failed' })
    await server.clock.advance(500)
    await handedOver(server)
    expect(server.newest().related_event_id).toBe(id)
  })

  test('a log that cannot be written keeps no update from going on', async () => {
    fs.mkdirSync(path.join(given.dataDir, 'update'))
    fs.writeFileSync(at('logs'), 'a file of that name')
    const server = aServer('1.0.0')
    const id = await handedOver(server)
    theSwitchSays(id, { status: 'completed', progress: 100, outcome: 'success' })
    await server.clock.advance(500)
    expect(server.newest()).toMatchObject({ status: 'success' })
    expect(server.lines.filter((line) => line.includes('log of the update'))).toHaveLength(1)
  })

  test('that was taken back says so, with what was wrong', async () => {
    const server = aServer('1.0.0')
    const id = await handedOver(server)
    const fault = { code: 'health', message: '1.2.0 did not answer as it should.' }
    theSwitchSays(id, { status: 'error', progress: 100, outcome: 'rolled_back', fault })
    await server.clock.advance(500)
    expect(server.newest()).toMatchObject({ status: 'rolled_back', error: fault })
    expect(server.updater.status()).toMatchObject({ status: 'error', error: fault.message })
  })

  test('that no unit takes is withdrawn after a minute, with instructions', async () => {
    const server = aServer('1.0.0')
    await handedOver(server)
    await server.clock.advance(59_000)
    expect([hasEnded(server), isRequested()]).toEqual([false, true])
    await server.clock.advance(1_500)
    expect(server.newest()).toMatchObject({
      status: 'failed',
      error: {
        code: 'handover',
        message:
          'The updater did not start: is pulse-update.path active? Run: systemctl enable --now pulse-update.path',
      },
    })
    expect(fs.readdirSync(path.join(given.dataDir, 'update'))).toEqual(['history.jsonl', 'logs'])
  })

  test('goes on being watched when a look fails', async () => {
    const server = aServer('1.0.0')
    const id = await handedOver(server)
    // makes the request impossible to withdraw
    fs.rmSync(at('request.json'))
    fs.mkdirSync(path.join(at('request.json'), 'full'), { recursive: true })
    await server.clock.advance(60_500)
    expect(server.faults).not.toEqual([])
    expect(server.newest().status).toBe('in_progress')
    fs.rmSync(at('request.json'), { recursive: true })
    theSwitchSays(id, { status: 'completed', progress: 100, outcome: 'success' })
    await server.clock.advance(500)
    expect(server.newest().status).toBe('success')
    expect(server.clock.pending()).toBe(0)
  })

  test('of which nothing is heard for twenty minutes was interrupted', async () => {
    const server = aServer('1.0.0')
    const id = await handedOver(server)
    theSwitchSays(id, {})
    await server.clock.advance(19 * 60_000)
    expect(hasEnded(server)).toBe(false)
    await server.clock.advance(61_000)
    expect(server.newest()).toMatchObject({ status: 'failed', error: { code: 'interrupted' } })
    expect(server.clock.pending()).toBe(0)
  })

  test('ends with the server that fetches it; the next start says that it was interrupted', async () => {
    publish({ tampered: 'still' })
    const server = aServer('1.0.0')
    await server.begin()
    await until(() => fs.existsSync(at('staged/release.tar.gz')))
    server.stop()
    await until(() => server.clock.pending() === 0)
    expect([hasEnded(server), server.faults]).toEqual([false, []])
    const next = aServer('1.0.0')
    next.updater.start()
    expect(next.newest()).toMatchObject({ status: 'failed', error: { code: 'interrupted' } })
    expect(fs.readdirSync(path.join(given.dataDir, 'update'))).toEqual(['history.jsonl', 'logs'])
  })
})

describe('[facts/platform 16.45] after a restart the history is finished:', () => {
  test('the new version waits for the switch to be content with it', async () => {
    const old = aServer('1.0.0')
    const id = await handedOver(old)
    theSwitchSays(id, { status: 'restarting', progress: 95, message: 'Starting 1.2.0' })
    await old.clock.advance(5_000)
    old.stop()
    const fresh = aServer('1.2.0', { clock: old.clock })
    fresh.updater.start()
    expect(fresh.updater.status()).toMatchObject({ status: 'restarting', progress: 95 })
    expect(fresh.updater.obstacle()).toBeDefined()
    theSwitchSays(id, { status: 'completed', progress: 100, outcome: 'success' })
    await fresh.clock.advance(500)
    expect(fresh.newest()).toMatchObject({ status: 'success', duration_ms: 5_500 })
    expect(fresh.shown.at(-1)).toMatchObject({ status: 'completed' })
  })

  test('the old one hears that it was put back', async () => {
    const old = aServer('1.0.0')
    const id = await handedOver(old)
    old.stop()
    const fault = { code: 'health', message: 'It did not answer.' }
    theSwitchSays(id, { status: 'error', progress: 100, outcome: 'rolled_back', fault })
    const again = aServer('1.0.0')
    again.updater.start()
    expect(again.newest()).toMatchObject({ status: 'rolled_back', error: fault })
    expect(again.updater.status()).toMatchObject({ status: 'error', error: fault.message })
  })

  test('a request that lies there still is waited for', async () => {
    const old = aServer('1.0.0')
    await handedOver(old)
    old.stop()
    const again = aServer('1.0.0')
    again.updater.start()
    expect([hasEnded(again), again.updater.obstacle()]).toEqual([false, expect.any(String)])
  })

  test.each([
    ['1.2.0', 'success'],
    ['1.0.0', 'failed'],
    ['1.3.0', 'failed'],
  ])('where nothing was said %s tells that it was a %s', async (running, status) => {
    const old = aServer('1.0.0')
    await handedOver(old)
    old.stop()
    fs.rmSync(at('request.json'))
    const fresh = aServer(running)
    fresh.updater.start()
    expect(fresh.newest()).toMatchObject({ status })
  })

  test('also where nothing can be replaced any more', async () => {
    const old = aServer('1.0.0')
    const id = await handedOver(old)
    old.stop()
    theSwitchSays(id, { status: 'completed', progress: 100, outcome: 'success' })
    const fresh = aServer('1.2.0', { why: 'There is no feed any more.' })
    fresh.updater.start()
    expect(fresh.newest()).toMatchObject({ status: 'success' })
    expect(() =>
      fresh.updater.begin({} as never, 'stable', { initiated_by: 'user', initiated_via: 'ui' }),
    ).toThrow('There is no feed any more.')
  })

  test('what the switch said of another update ends none', async () => {
    const old = aServer('1.0.0')
    await handedOver(old)
    old.stop()
    theSwitchSays('another', { outcome: 'success' })
    const fresh = aServer('1.0.0')
    fresh.updater.start()
    expect(fresh.newest()).toMatchObject({ status: 'failed', error: { code: 'interrupted' } })
  })

  test.each([
    ['rubbish', 'no { json'],
    ['half of it', '{"id":'],
    ['a novel', ' '.repeat(64 * 1024 + 1)],
  ])('%s in the place of what the switch says is as if it said nothing', async (_what, text) => {
    const old = aServer('1.0.0')
    const id = await handedOver(old)
    fs.writeFileSync(at('progress.json'), text)
    await old.clock.advance(500)
    expect(hasEnded(old)).toBe(false)
    theSwitchSays(id, { outcome: 'success', status: 'completed', progress: 100 })
    await old.clock.advance(500)
    expect(old.newest()).toMatchObject({ status: 'success' } satisfies Partial<UpdateHistoryEntry>)
  })
})

const disk = aSmallDisk()
afterAll(() => disk?.end())
test.skipIf(!disk)('on a full disk no update begins, and none is in the history', async () => {
  publish()
  const server = aServer('1.0.0', { into: disk!.dir })
  disk!.fill()
  await expect(server.begin()).rejects.toMatchObject({ code: 'storage_unavailable' })
  expect([server.history.list(), server.updater.obstacle()]).toEqual([[], undefined])
})
