import type { VersionInfo } from '@pulse/contract'
import { startReleaseFeed, type Publishing, type ReleaseFeed } from '@pulse/lab'
import { fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { createCheck } from './check.ts'
import type { Channel } from './feed.ts'
import { anInstalled, clientOf, keptLog, platform, publishedRelease } from './fixtures-releases.ts'

const HOUR = 3_600_000
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-published-'))
let feed: ReleaseFeed
beforeAll(async () => {
  feed = await startReleaseFeed()
})
afterEach(() => {
  feed.clear()
  feed.behave({ kind: 'take' })
})
afterAll(async () => {
  await feed.close()
  fs.rmSync(folder, { recursive: true })
})

const publish = (version: string, how: Publishing = {}, of = platform) =>
  feed.publish(publishedRelease(folder, { version, platform: of }), how)

function given({
  running = '1.0.0',
  kind = {} as Partial<VersionInfo>,
  chosen = 'stable' as Channel,
  named = true,
  hasReleases = true,
} = {}) {
  const clock = fakeClock()
  const { log, lines } = keptLog()
  const ending = new AbortController()
  const check = createCheck({
    client: named ? clientOf(feed.url, clock) : undefined,
    version: anInstalled(running, kind),
    platform: hasReleases ? platform : undefined,
    channel: () => chosen,
    clock,
    log,
    signal: ending.signal,
  })
  return { ...check, clock, lines, ending }
}

test('the newest release is reported with all that is known of it', async () => {
  publish('1.2.0', { notes: 'What is new', publishedAt: Date.UTC(2026, 1, 3) })
  publish('1.1.9')
  const { check, known } = given()
  expect(known()).toMatchObject({ available: false, latestVersion: '1.0.0' })
  const found = await check(undefined)
  expect(found).toEqual({
    available: true,
    currentVersion: '1.0.0',
    latestVersion: '1.2.0',
    releaseNotes: 'What is new',
    releaseDate: '2026-02-03T00:00:00.000Z',
    downloadUrl: new URL('/download/v1.2.0/pulse-v1.2.0-linux-amd64.tar.gz', feed.url).href,
    isPrerelease: false,
    channel: 'stable',
    checkedAt: '2026-01-01T12:00:00.000Z',
  })
  expect(known()).toEqual(found)
})

test('where there is nothing newer, both versions are the running one', async () => {
  publish('1.0.0')
  expect(await given().check(undefined)).toEqual({
    available: false,
    currentVersion: '1.0.0',
    latestVersion: '1.0.0',
    releaseNotes: '',
    releaseDate: '',
    downloadUrl: '',
    isPrerelease: false,
    channel: 'stable',
    checkedAt: '2026-01-01T12:00:00.000Z',
  })
})

describe('[facts/platform 16.42] no administrator is offered', () => {
  test.each([
    ['a draft', () => publish('1.2.0', { draft: true })],
    ['an older one, though it is the newest in the list', () => publish('0.9.9')],
    ['the running one under its tag with a v', () => publish('1.0.0', { tag: 'v1.0.0' })],
    ['one of another architecture', () => publish('1.2.0', {}, 'linux-arm64')],
    ['a release candidate', () => publish('1.2.0-rc.1')],
    ['a candidate that forgot to say that it is one', () => publish('1.2.0-rc.1', { prerelease: false })],
    ['a preview with the number of a release', () => publish('1.2.0', { prerelease: true })],
    ['what has no version', () => publish('1.2.0', { tag: 'nightly' })],
  ])('%s', async (_what, published) => {
    published()
    expect(await given().check(undefined)).toMatchObject({ available: false, latestVersion: '1.0.0' })
    expect(feed.asked()).toHaveLength(1)
  })
})

test.each([
  ['the candidate that is higher', ['1.2.0-rc.1', '1.1.0'], '1.2.0-rc.1', true],
  ['the release after it', ['1.2.0', '1.2.0-rc.3'], '1.2.0', false],
])('[spec 2] who chose candidates is offered %s', async (_what, versions, expected, isPrerelease) => {
  for (const version of versions) publish(version)
  const { check } = given({ chosen: 'rc' })
  expect(await check(undefined)).toMatchObject({ latestVersion: expected, isPrerelease, channel: 'rc' })
  expect(await check('stable')).toMatchObject({
    latestVersion: versions.find((version) => !version.includes('rc')),
    channel: 'stable',
  })
  expect(feed.asked()).toHaveLength(1)
})

describe('[spec 2] what is known is a day old at most', () => {
  test('and is asked for again only if it has changed', async () => {
    publish('1.1.0')
    const { check, clock } = given()
    await check(undefined)
    await clock.advance(24 * HOUR - 1)
    expect(await check(undefined)).toMatchObject({ checkedAt: '2026-01-01T12:00:00.000Z' })
    expect(feed.asked()).toHaveLength(1)
    await clock.advance(1)
    expect(await check(undefined)).toMatchObject({
      latestVersion: '1.1.0',
      checkedAt: '2026-01-02T12:00:00.000Z',
    })
    expect([feed.asked().length, feed.unchanged()]).toEqual([2, 1])
    publish('1.3.0')
    await clock.advance(24 * HOUR)
    expect(await check(undefined)).toMatchObject({ latestVersion: '1.3.0' })
    expect([feed.asked().length, feed.unchanged()]).toEqual([3, 1])
  })

  test('unless a user asks for it now: once a minute', async () => {
    const { check, clock } = given()
    await check(undefined)
    publish('1.1.0')
    await clock.advance(59_999)
    expect(await check(undefined, { force: 'user' })).toMatchObject({ available: false })
    await clock.advance(1)
    expect(await check(undefined, { force: 'user' })).toMatchObject({ latestVersion: '1.1.0' })
    expect(feed.asked()).toHaveLength(2)
  })

  test('further callers wait for the same answer', async () => {
    publish('1.1.0')
    const { check } = given()
    const found = await Promise.all([check(undefined), check('rc'), check(undefined, { force: 'user' })])
    expect(found.map(({ latestVersion }) => latestVersion)).toEqual(['1.1.0', '1.1.0', '1.1.0'])
    expect(feed.asked()).toHaveLength(1)
  })
})

describe('[facts/platform 16.43] a feed that does not answer leaves what is known, with a warning', () => {
  test.each([
    ['refuses', { kind: 'status', status: 403 }, 'rate-limits requests for now (the list: 403)'],
    ['refuses otherwise', { kind: 'status', status: 429 }, 'rate-limits requests for now (the list: 429)'],
    ['is broken', { kind: 'status', status: 500 }, 'did not return the requested file (the list: 500)'],
    ['says nothing has changed to who knows nothing', { kind: 'status', status: 304 }, '(the list: 304)'],
    ['hangs up', { kind: 'reset' }, 'no answer (ECONNRESET)'],
    [
      'talks otherwise',
      { kind: 'status', status: 200, body: '<html>' },
      'does not return a list of releases',
    ],
    ['gives one release', { kind: 'status', status: 200, body: '{}' }, 'does not return a list of releases'],
    ['floods', { kind: 'status', status: 200, body: ' '.repeat(1024 * 1024 + 1) }, 'larger than 1 MB'],
    [
      'sends to the inside',
      { kind: 'redirect', status: 302, location: 'http://169.254.169.254/' },
      'is not called',
    ],
  ] as const)('that %s', async (_what, behaviour, said) => {
    publish('1.1.0')
    const { check, clock, lines } = given()
    feed.behave(behaviour, { times: 1 })
    const none = await check(undefined)
    expect(none).toMatchObject({ available: false, warning: expect.stringContaining(said) })
    expect(none).not.toHaveProperty('checkedAt')
    expect(lines).toEqual([`Checking for updates failed: ${none.warning}`])
    // the feed is not asked again for a while
    await clock.advance(15 * 60_000 - 1)
    await check(undefined)
    expect(feed.asked()).toHaveLength(1)
    await clock.advance(1)
    expect(await check(undefined)).not.toHaveProperty('warning')
  })

  test('what was known before is offered still', async () => {
    publish('1.1.0')
    const { check, clock } = given()
    await check(undefined)
    await clock.advance(24 * HOUR)
    feed.behave({ kind: 'reset' })
    expect(await check(undefined)).toMatchObject({
      available: true,
      latestVersion: '1.1.0',
      checkedAt: '2026-01-01T12:00:00.000Z',
      warning: expect.stringContaining('ECONNRESET'),
    })
  })

  test('one that takes the question and says nothing is given up after 20 seconds', async () => {
    feed.behave({ kind: 'hang' })
    const { check, clock } = given()
    const waiting = check(undefined)
    await expect.poll(() => feed.asked().length, { timeout: within(30_000), interval: 2 }).toBe(1)
    await clock.advance(20_000)
    expect((await waiting).warning).toMatch(/^The release feed: http:.* no answer within 20 s$/)
  })

  test('who ends meanwhile says nothing of it', async () => {
    feed.behave({ kind: 'hang' })
    const { check, ending, lines } = given()
    const waiting = check(undefined)
    await expect.poll(() => feed.asked().length, { timeout: within(30_000), interval: 2 }).toBe(1)
    ending.abort()
    await waiting
    expect(lines).toEqual([])
  })
})

describe('[spec 2 §4] an installation that does not update itself asks only when a user forces it,', () => {
  const cases: [string, Parameters<typeof given>[0], string][] = [
    [
      'in a container',
      { kind: { isDocker: true } },
      'This is a container: pull the newer image and recreate the container.',
    ],
    ['in development', { kind: { isDevelopment: true } }, 'Development installations cannot be updated.'],
    [
      'of a build from source',
      { kind: { isSourceBuild: true } },
      'Built from source: update the source and build again.',
    ],
    [
      'of a commit between releases',
      { running: '1.0.0-5-g1a2b3c4' },
      '1.0.0-5-g1a2b3c4 is not a release version, so newer releases cannot be determined.',
    ],
    [
      'with local changes',
      { running: '1.0.0-dirty' },
      '1.0.0-dirty is not a release version, so newer releases cannot be determined.',
    ],
    [
      'without a version',
      { running: 'main' },
      'main is not a release version, so newer releases cannot be determined.',
    ],
  ]
  test.each(cases)('%s', async (_what, how, warning) => {
    publish('9.0.0')
    const { check, offered } = given(how)
    for (const force of [undefined, 'schedule'] as const)
      expect(await check('rc', { force })).toMatchObject({ available: false, downloadUrl: '', warning })
    expect(feed.asked()).toEqual([])
    expect(await check('rc', { force: 'user' })).toMatchObject({ warning })
    expect(feed.asked()).toHaveLength(1)
    expect(offered('rc')).toBeUndefined()
  })
})

describe('no question is asked, forced or not,', () => {
  const cases: [string, Parameters<typeof given>[0], string][] = [
    ['on another kind of machine', { hasReleases: false }, 'There are no releases for this platform.'],
    [
      'without a feed',
      { named: false },
      'No release feed is configured: set PULSE_UPDATE_SERVER to the URL of a release list.',
    ],
  ]
  test.each(cases)('%s', async (_what, how, warning) => {
    publish('9.0.0')
    const { check, offered } = given(how)
    expect(await check('rc', { force: 'user' })).toMatchObject({ available: false, downloadUrl: '', warning })
    expect(offered('rc')).toBeUndefined()
    expect(feed.asked()).toEqual([])
  })
})
