import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aKey, installed, type Place, smallRelease } from './fixtures.ts'

const key = aKey()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-releases-'))
const good = smallRelease(folder, { version: '1.1.0', key })
const broken = smallRelease(folder, { version: '1.1.0', key, broken: true })
afterAll(() => fs.rmSync(folder, { recursive: true }))

let place: Place
beforeEach(() => {
  place = installed('1.0.0', key)
})
afterEach(() => place.remove())

const backups = () => fs.readdirSync(place.data).filter((name) => name.startsWith('backup-'))

test('a newer release takes the place of the one that runs; its data are there, and once more as they were', async () => {
  place.handOver(good, '1.1.0')
  expect(await place.run()).toMatchObject({ code: 0 })
  expect([place.running(), place.current()]).toEqual(['1.1.0', 'slots/b'])
  expect(place.store()).toBe('kept\nstored by 1.0.0\nstored by 1.1.0')
  const [kept] = backups()
  expect(fs.readFileSync(path.join(place.data, kept!, 'store'), 'utf8')).toBe('kept\nstored by 1.0.0\n')
  expect(fs.statSync(path.join(place.data, kept!, 'temperature/key')).mode & 0o777).toBe(0o600)
  expect(place.progress()).toMatchObject({
    id: 'request-1',
    status: 'completed',
    progress: 100,
    outcome: 'success',
    backup: path.join(place.data, kept!),
  })
  expect(place.isEnded()).toBe(true)
  expect(fs.readdirSync(path.join(place.data, 'update'))).toEqual(['progress.json'])
})

test('one that does not answer is taken out again, and what it did to the data is undone', async () => {
  place.handOver(broken, '1.1.0')
  expect(await place.run()).toMatchObject({ code: 0 })
  expect([place.running(), place.current()]).toEqual(['1.0.0', 'slots/a'])
  expect(place.store()).toBe('kept\nstored by 1.0.0\nstored by 1.0.0')
  expect(place.progress()).toMatchObject({
    status: 'error',
    outcome: 'rolled_back',
    fault: { code: 'health', message: expect.stringContaining('1.0.0 is restored') },
  })
  expect(place.isEnded()).toBe(true)
})

test('the data of three updates are kept', async () => {
  const before = ['backup-2025-01-01', 'backup-2025-01-02', 'backup-2025-01-03']
  for (const name of [...before, 'backup-2025-01-04.partial']) fs.mkdirSync(path.join(place.data, name))
  place.handOver(good, '1.1.0')
  await place.run()
  expect(backups()).toEqual([...before.slice(1), expect.stringMatching(/^backup-20/)])
})

describe('[R13] what is not a newer release of the same hand is refused before anything is touched', () => {
  const flip = (name: string) => {
    const file = path.join(place.data, 'update/staged', name)
    const bytes = fs.readFileSync(file)
    bytes[bytes.length >> 1]! ^= 1
    fs.writeFileSync(file, bytes)
  }
  const of = (release: Omit<Parameters<typeof smallRelease>[1], 'key'>, by = key) =>
    place.handOver(smallRelease(folder, { ...release, key: by }), release.version)

  test.each<{ what: string; code: string; give: () => void }>([
    {
      what: 'one bit of the archive is another',
      code: 'checksum',
      give: () => (place.handOver(good, '1.1.0'), flip('release.tar.gz')),
    },
    {
      what: 'it is signed with another key',
      code: 'signature',
      give: () => of({ version: '1.1.0' }, aKey()),
    },
    {
      what: 'it is not signed',
      code: 'handover',
      give: () => place.handOver(smallRelease(folder, { version: '1.1.0', key: undefined }), '1.1.0'),
    },
    { what: 'it is older', code: 'downgrade', give: () => of({ version: '0.9.0' }) },
    { what: 'it is not what was asked for', code: 'handover', give: () => place.handOver(good, '1.2.0') },
    {
      what: 'it is for another machine',
      code: 'platform',
      give: () => of({ version: '1.1.0', platform: 'linux-other' }),
    },
    {
      what: 'the archive holds another version',
      code: 'unpacking',
      give: () => of({ version: '1.1.0', inside: '0.9.0' }),
    },
  ])('$what', async ({ give, code }) => {
    give()
    expect(await place.run()).toMatchObject({ code: 0 })
    expect(place.progress()).toMatchObject({ status: 'error', outcome: 'failed', fault: { code } })
    expect([place.running(), place.current(), backups()]).toEqual(['1.0.0', 'slots/a', []])
    expect(place.store()).toBe('kept\nstored by 1.0.0')
    expect(fs.existsSync(path.join(place.root, 'slots/b'))).toBe(false)
    expect(place.isEnded()).toBe(true)
  })

  test.skipIf(process.getuid?.() !== 0)(
    '[S21] a link that the service planted leads root nowhere',
    async () => {
      const secret = path.join(place.root, 'secret')
      fs.copyFileSync(path.join(good, 'manifest.json'), secret)
      fs.chmodSync(secret, 0o600)
      place.handOver(good, '1.1.0')
      const staged = path.join(place.data, 'update/staged/manifest.json')
      fs.rmSync(staged)
      fs.symlinkSync(secret, staged)
      const chown = (name: string) => fs.lchownSync(name, 65_534, 65_534)
      for (const name of fs.readdirSync(place.data, { recursive: true }))
        chown(path.join(place.data, String(name)))
      chown(place.data)
      await place.run()
      expect(place.progress()).toMatchObject({ outcome: 'failed', fault: { code: 'handover' } })
      expect(fs.statSync(path.join(place.data, 'update/progress.json')).uid).toBe(65_534)
    },
  )
})

test('where no Pulse answers now, a failure of the next version could not be seen: nothing is stopped', async () => {
  place.handOver(good, '1.1.0')
  fs.writeFileSync(path.join(place.root, 'running'), 'another process')
  await place.run()
  expect(place.progress()).toMatchObject({
    outcome: 'failed',
    fault: { code: 'health', message: expect.stringContaining('/etc/default/pulse') },
  })
  expect([place.running(), place.current(), backups()]).toEqual(['another process', 'slots/a', []])
})

test.each<{ what: string; put: (file: string) => void }>([
  {
    what: 'an odd identity',
    put: (file) => fs.writeFileSync(file, '{"id": "../../etc", "version": "1.1.0"}'),
  },
  {
    what: 'a version of two lines',
    put: (file) => fs.writeFileSync(file, JSON.stringify({ id: 'request-1', version: '1.1.0\nAll is well' })),
  },
  { what: 'a folder', put: (file) => fs.mkdirSync(path.join(file, 'in it'), { recursive: true }) },
  { what: 'a pipe without a writer', put: (file) => void spawnSync('/usr/bin/mkfifo', [file]) },
  { what: 'a link to what has no end', put: (file) => fs.symlinkSync('/dev/zero', file) },
])('what is no request ($what) is taken away and changes nothing', async ({ put }) => {
  place.handOver(good, '1.1.0')
  const file = path.join(place.data, 'update/request.json')
  fs.rmSync(file)
  put(file)
  expect((await place.run()).code).toBe(1)
  expect(await place.run()).toMatchObject({ code: 0 })
  expect([place.running(), place.isEnded()]).toEqual(['1.0.0', true])
})

test.each(['manifest.json', 'manifest.json.sig', 'release.tar.gz'])(
  '[S21] a pipe in the place of the staged %s is not waited for',
  async (name) => {
    place.handOver(good, '1.1.0')
    const file = path.join(place.data, 'update/staged', name)
    fs.rmSync(file)
    spawnSync('/usr/bin/mkfifo', [file])
    expect(await place.run()).toMatchObject({ code: 0 })
    expect(place.progress()).toMatchObject({ outcome: 'failed', fault: { code: 'handover' } })
    expect([place.running(), place.isEnded()]).toEqual(['1.0.0', true])
  },
)

test.each(['progress.json', 'progress.json.new'])(
  '[S21] a folder called %s keeps no update from its end',
  async (name) => {
    place.handOver(good, '1.1.0')
    fs.mkdirSync(path.join(place.data, 'update', name, 'in it'), { recursive: true })
    expect(await place.run()).toMatchObject({ code: 0 })
    expect(place.progress()).toMatchObject({ outcome: 'success' })
    expect([place.running(), place.isEnded()]).toEqual(['1.1.0', true])
  },
)

test('[S21] another user of the machine cannot keep updates away by taking the name that says that one is under way', async () => {
  const digest = createHash('sha256').update(place.root).digest('hex').slice(0, 32)
  const squatter = net.createServer().listen(`\0pulse-switch-${digest}`)
  await once(squatter, 'listening')
  place.handOver(good, '1.1.0')
  await place.run()
  squatter.close()
  expect(place.running()).toBe('1.1.0')
})

test('a second one does nothing while the first is at work', async () => {
  const first = net.createServer((socket) => socket.destroy()).listen(path.join(place.root, 'switch.sock'))
  await once(first, 'listening')
  place.handOver(good, '1.1.0')
  expect(await place.run()).toMatchObject({ code: 0, said: expect.stringContaining('at work') })
  expect(fs.existsSync(path.join(place.data, 'update/request.json'))).toBe(true)
  first.close()
  await once(first, 'close')
  await place.run()
  expect(place.running()).toBe('1.1.0')
})

describe('[R13] killed at any of its steps, it ends with a version that runs on whole data', () => {
  // the calls of machine commands: tar, sync, health, stop, sync, start, health twice; for the return stop,
  // sync, start, health
  const all = [
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((call) => ({ call, release: 'a good one' })),
    ...[4, 5, 6, 7, 8, 9, 10, 11].map((call) => ({ call, release: 'a broken one' })),
  ].flatMap((one) => [
    { ...one, after: 'taken up' },
    { ...one, after: 'booted' },
  ])
  const isLong = Number(process.env['PULSE_TEST_SCALE'] ?? 1) > 1
  const some = [
    { call: 5, release: 'a good one', after: 'booted' },
    { call: 7, release: 'a good one', after: 'taken up' },
    { call: 9, release: 'a broken one', after: 'booted' },
  ]

  test.each(isLong ? all : some)('at call $call of $release, $after', async ({ call, release, after }) => {
    place.handOver(release === 'a good one' ? good : broken, '1.1.0')
    expect(await place.runAndKillAt(call)).toBe(true)
    if (after === 'booted') place.boot()
    // interrupts the second run at its first call
    if (await place.runAndKillAt(1)) if (after === 'booted') place.boot()
    expect(await place.run()).toMatchObject({ code: 0 })
    const { outcome } = place.progress()
    expect(place.running()).toBe(outcome === 'success' ? '1.1.0' : '1.0.0')
    expect(place.current()).toBe(outcome === 'success' ? 'slots/b' : 'slots/a')
    if (release === 'a broken one') expect(outcome).not.toBe('success')
    expect(place.store()).toMatch(/^kept\nstored by 1\.0\.0(\nstored by 1\.[01]\.0)*$/)
    expect(fs.existsSync(path.join(place.data, 'update/restoring'))).toBe(false)
    expect(fs.readFileSync(path.join(place.data, 'temperature/key'), 'utf8')).toBe('a key')
    expect(place.isEnded()).toBe(true)
    expect(await place.run()).toMatchObject({ code: 0 })
  })
})
