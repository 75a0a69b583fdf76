import type { Publishing } from '@pulse/lab'
import { fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { aSmallDisk } from '../testing/small-disk.ts'
import { archiveName, newestFor } from './feed.ts'
import { aKey } from './fixtures.ts'
import { givenFeed } from './fixtures-feed.ts'
import { clientOf, pemOf, platform, publishedRelease } from './fixtures-releases.ts'
import { maxManifestBytes } from './manifest.ts'
import { stageRelease } from './stage.ts'

const key = aKey()
const other = aKey()
const keys = pemOf(key)
const given = givenFeed()

const published = (release: Partial<Parameters<typeof publishedRelease>[1]> = {}, how: Publishing = {}) => {
  const made = publishedRelease(given.folder, { version: '1.2.0', key, ...release })
  given.feed.publish(made, how)
  return made
}

/** Stages the release that is offered to 1.0.0, with these keys. */
async function stage({ believed = keys, into = given.dataDir, clock = fakeClock() } = {}) {
  const client = clientOf(given.feed.url, clock)
  const { signal } = new AbortController()
  const list = await client.list(undefined, signal)
  const release = newestFor(list!.releases, { channel: 'stable', platform, running: '1.0.0' })!
  const reported: [string, number][] = []
  const report = ({ status, progress }: { status: string; progress: number }) =>
    void reported.push([status, progress])
  const edges = { client, keys: believed, platform, running: '1.0.0', dataDir: into, report, signal }
  const done = await stageRelease(release, edges)
  return { ...done, reported }
}

const handedOver = () => fs.readdirSync(path.join(given.dataDir, 'update/staged')).toSorted()

test('a release of the same hand lies ready for the switch, byte for byte', async () => {
  const made = published({ size: 300_000 })
  const { bytes, reported } = await stage()
  expect(bytes).toBe(300_000)
  const file = (name: string) => fs.readFileSync(path.join(given.dataDir, 'update/staged', name))
  expect(file('release.tar.gz')).toEqual(fs.readFileSync(path.join(made, archiveName('1.2.0', platform))))
  for (const name of ['manifest.json', 'manifest.json.sig'])
    expect(file(name)).toEqual(fs.readFileSync(path.join(made, name)))
  expect(handedOver()).toEqual(['manifest.json', 'manifest.json.sig', 'release.tar.gz'])
  // [facts/platform 12.2] downloading begins at 10, verifying at 30
  expect(reported[0]).toEqual(['downloading', 10])
  expect(reported.at(-1)).toEqual(['verifying', 30])
  expect(reported.map(([, progress]) => progress)).toEqual(
    reported.map(([, progress]) => progress).toSorted((a, b) => a - b),
  )
  expect(fs.statSync(path.join(given.dataDir, 'update')).mode & 0o777).toBe(0o700)
})

test('one of several keys is enough', async () => {
  published()
  expect(await stage({ believed: `${pemOf(other)}\n${keys}` })).toMatchObject({ bytes: 2_000 })
})

test('what was staged before is gone', async () => {
  fs.mkdirSync(path.join(given.dataDir, 'update/staged/deep'), { recursive: true })
  published()
  await stage()
  expect(handedOver()).toEqual(['manifest.json', 'manifest.json.sig', 'release.tar.gz'])
})

describe('[facts/platform 16.41] nothing of it is handed over:', () => {
  const wrong = 'The signature of the release is missing or invalid: nothing was installed.'
  const notUnderstood = 'The manifest of the release is signed, but this version cannot read it.'
  const cases: [string, () => void, string, string][] = [
    [
      'another archive',
      () => published({}, { tampered: 'archive' }),
      'checksum',
      'The checksum of the archive does not match the published one.',
    ],
    ['another list', () => published({}, { tampered: 'manifest' }), 'signature', wrong],
    ['another signature', () => published({}, { tampered: 'signature' }), 'signature', wrong],
    [
      'no signature',
      () => published({}, { tampered: 'unsigned' }),
      'signature',
      'The release 1.2.0 has no manifest.json.sig: nothing was installed.',
    ],
    ['a stranger’s signature', () => published({ key: other }), 'signature', wrong],
    [
      'an old release under a new tag',
      () => published({ inside: '0.9.0' }, { tag: 'v1.2.0' }),
      'downgrade',
      'The release is 0.9.0, and 1.0.0 is already running.',
    ],
    [
      'the running one under a new tag',
      () => published({ inside: '1.0.0' }, { tag: 'v1.2.0' }),
      'downgrade',
      'The release is 1.0.0, and 1.0.0 is already running.',
    ],
    [
      'another new one than is offered',
      () => published({ inside: '1.1.0' }, { tag: 'v1.2.0' }),
      'downgrade',
      'The release offered as 1.2.0 is 1.1.0: nothing was installed.',
    ],
    [
      'one whose list knows no archive for this machine',
      () => published({ listed: { platform: 'linux-arm64' } }),
      'platform',
      'The release 1.2.0 has no archive for linux-amd64.',
    ],
    [
      'more bytes than are signed',
      () => published({ listed: { bytes: 1_999 } }),
      'checksum',
      'The archive is larger than the published one.',
    ],
    [
      'fewer bytes than are signed',
      () => published({ listed: { bytes: 2_001 } }),
      'checksum',
      'The checksum of the archive does not match the published one.',
    ],
    [
      'another product of the same hand',
      () => published({ listed: { name: 'other' } }),
      'signature',
      notUnderstood,
    ],
    [
      'a version that is none',
      () => published({ inside: '01.2' }, { tag: 'v1.2.0' }),
      'signature',
      notUnderstood,
    ],
    [
      'an archive of another size',
      () => published({ listed: { bytes: 2 ** 31 } }),
      'signature',
      notUnderstood,
    ],
    [
      'an endless list',
      () => published({ padding: maxManifestBytes }),
      'signature',
      'The manifest of the release is too large.',
    ],
  ]
  test.each(cases)('%s', async (_what, publish, code, message) => {
    publish()
    await expect(stage()).rejects.toMatchObject({ name: 'UpdateError', code, message })
    expect(handedOver()).not.toContain('manifest.json')
    if (code !== 'checksum') expect(given.feed.asked().some((asked) => asked.endsWith('.tar.gz'))).toBe(false)
  })
})

describe('a failing connection is reported as the feed’s fault', () => {
  test('cut in the middle of the archive', async () => {
    published({ size: 500_000 }, { tampered: 'cut' })
    await expect(stage()).rejects.toMatchObject({
      code: 'feed',
      message: expect.stringContaining('no answer (ECONNRESET)'),
    })
  })

  test('cut before it', async () => {
    published()
    given.feed.behave({ kind: 'reset' }, { path: '/download/v1.2.0/pulse-' })
    await expect(stage()).rejects.toMatchObject({ code: 'feed' })
    given.feed.behave({ kind: 'take' }, { path: '/download/v1.2.0/pulse-' })
  })

  test('gone from where it was', async () => {
    published()
    given.feed.behave(
      { kind: 'status', status: 404 },
      { path: '/download/v1.2.0/manifest.json.sig', times: 1 },
    )
    await expect(stage()).rejects.toMatchObject({
      code: 'feed',
      message:
        'The release feed did not return the requested file (/download/v1.2.0/manifest.json.sig: 404).',
    })
  })

  test('sent on to the inside', async () => {
    published()
    const behaviour = { kind: 'redirect', status: 302, location: 'http://169.254.169.254/latest' } as const
    given.feed.behave(behaviour, { path: '/download/v1.2.0/manifest.json', times: 1 })
    await expect(stage()).rejects.toMatchObject({
      code: 'feed',
      message: expect.stringContaining('169.254.169.254 is not called'),
    })
  })

  test('standing still for a minute', async () => {
    published({ size: 500_000 }, { tampered: 'still' })
    const clock = fakeClock()
    const staging = stage({ clock })
    const file = path.join(given.dataDir, 'update/staged/release.tar.gz')
    const size = () => fs.statSync(file, { throwIfNoEntry: false })?.size
    await expect.poll(size, { timeout: within(30_000), interval: 2 }).toBe(250_000)
    const ended = expect(staging).rejects.toMatchObject({
      code: 'feed',
      message: expect.stringContaining('no data received for 60 s'),
    })
    await clock.advance(60_000)
    await ended
    expect(clock.pending()).toBe(0)
  })
})

const disk = aSmallDisk()
afterAll(() => disk?.end())
describe.skipIf(!disk)('a full disk', () => {
  test('is seen before anything large is fetched', async () => {
    published()
    await expect(stage({ into: disk!.dir })).rejects.toMatchObject({
      code: 'space',
      message: 'The release needs 101 MB in the data folder. Free some space.',
    })
    expect(given.feed.asked().some((asked) => asked.endsWith('.tar.gz'))).toBe(false)
  })

  test('is reported as such when it happens in the middle', async () => {
    published({ size: 2_000_000 })
    const { signal } = new AbortController()
    const url = new URL(`/download/v1.2.0/${archiveName('1.2.0', platform)}`, given.feed.url).href
    const file = path.join(disk!.dir, 'archive')
    await expect(
      clientOf(given.feed.url, fakeClock()).archive(url, file, 2_000_000, () => {}, signal),
    ).rejects.toMatchObject({
      code: 'space',
      message: 'The data folder cannot be written (ENOSPC). Free some space, or check its owner.',
    })
  })
})
