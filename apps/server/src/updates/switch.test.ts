import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aKey, installed, type Installation, smallRelease } from './fixtures.ts'
import { roomFor } from './switch/data.ts'

const key = aKey()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-releases-'))
const good = smallRelease(folder, { version: '1.1.0', key })
const broken = smallRelease(folder, { version: '1.1.0', key, broken: true })
afterAll(() => fs.rmSync(folder, { recursive: true }))

let installation: Installation
beforeEach(() => {
  installation = installed('1.0.0', key)
})
afterEach(() => installation.remove())

const backups = () => fs.readdirSync(installation.data).filter((name) => name.startsWith('backup-'))

test('a newer release takes the place of the one that runs; its data are there, and once more as they were', async () => {
  installation.handOver(good, '1.1.0')
  expect(await installation.run()).toMatchObject({ code: 0 })
  expect([installation.running(), installation.current()]).toEqual(['1.1.0', 'slots/b'])
  expect(installation.store()).toBe('kept\nstored by 1.0.0\nstored by 1.1.0')
  const [kept] = backups()
  expect(fs.readFileSync(path.join(installation.data, kept!, 'store'), 'utf8')).toBe(
    'kept\nstored by 1.0.0\n',
  )
  expect(fs.statSync(path.join(installation.data, kept!, 'temperature/key')).mode & 0o777).toBe(0o600)
  expect(installation.progress()).toMatchObject({
    id: 'request-1',
    status: 'completed',
    progress: 100,
    outcome: 'success',
    backup: path.join(installation.data, kept!),
  })
  expect(installation.isEnded()).toBe(true)
  expect(fs.readdirSync(path.join(installation.data, 'update'))).toEqual(['progress.json'])
})

test('one that does not answer is taken out again, and what it did to the data is undone', async () => {
  installation.handOver(broken, '1.1.0')
  expect(await installation.run()).toMatchObject({ code: 0 })
  expect([installation.running(), installation.current()]).toEqual(['1.0.0', 'slots/a'])
  expect(installation.store()).toBe('kept\nstored by 1.0.0\nstored by 1.0.0')
  expect(installation.progress()).toMatchObject({
    status: 'error',
    outcome: 'rolled_back',
    fault: { code: 'health', message: expect.stringContaining('1.0.0 is restored') },
  })
  expect(installation.isEnded()).toBe(true)
})

test.each([
  { what: 'an update', release: good },
  { what: 'a rollback', release: broken },
])('the metric history is in no copy of the data, and $what does not change it', async ({ release }) => {
  const { data } = installation
  const names = ['history.db', 'history.db-wal', 'history.db-shm', 'history.db.damaged-1790000000000']
  for (const name of names) fs.writeFileSync(path.join(data, name), name)
  const inodes = () => names.map((name) => fs.statSync(path.join(data, name)).ino)
  const before = inodes()
  installation.handOver(release, '1.1.0')
  await installation.run()
  expect(backups()).toHaveLength(1)
  const copied = fs.readdirSync(path.join(data, backups()[0]!))
  expect(copied.filter((name) => name.startsWith('history.db'))).toEqual([])
  expect(inodes()).toEqual(before)
})

test('the metric history needs no room for a copy of the data', () => {
  const before = roomFor(installation.data).needed
  fs.writeFileSync(path.join(installation.data, 'history.db'), Buffer.alloc(1_000_000))
  expect(roomFor(installation.data).needed).toBe(before)
})

test('the data of three updates are kept', async () => {
  const before = ['backup-2025-01-01', 'backup-2025-01-02', 'backup-2025-01-03']
  for (const name of [...before, 'backup-2025-01-04.partial'])
    fs.mkdirSync(path.join(installation.data, name))
  installation.handOver(good, '1.1.0')
  await installation.run()
  expect(backups()).toEqual([...before.slice(1), expect.stringMatching(/^backup-20/)])
})

describe('[R13] what is not a newer release of the same hand is refused before anything is touched', () => {
  const flip = (name: string) => {
    const file = path.join(installation.data, 'update/staged', name)
    const bytes = fs.readFileSync(file)
    bytes[bytes.length >> 1]! ^= 1
    fs.writeFileSync(file, bytes)
  }
  const of = (release: Omit<Parameters<typeof smallRelease>[1], 'key'>, by = key) =>
    installation.handOver(smallRelease(folder, { ...release, key: by }), release.version)

  test.each<{ what: string; code: string; give: () => void }>([
    {
      what: 'one bit of the archive is another',
      code: 'checksum',
      give: () => (installation.handOver(good, '1.1.0'), flip('release.tar.gz')),
    },
    {
      what: 'it is signed with another key',
      code: 'signature',
      give: () => of({ version: '1.1.0' }, aKey()),
    },
    {
      what: 'it is not signed',
      code: 'handover',
      give: () => installation.handOver(smallRelease(folder, { version: '1.1.0', key: undefined }), '1.1.0'),
    },
    { what: 'it is older', code: 'downgrade', give: () => of({ version: '0.9.0' }) },
    {
      what: 'it is not what was asked for',
      code: 'handover',
      give: () => installation.handOver(good, '1.2.0'),
    },
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
    expect(await installation.run()).toMatchObject({ code: 0 })
    expect(installation.progress()).toMatchObject({ status: 'error', outcome: 'failed', fault: { code } })
    expect([installation.running(), installation.current(), backups()]).toEqual(['1.0.0', 'slots/a', []])
    expect(installation.store()).toBe('kept\nstored by 1.0.0')
    expect(fs.existsSync(path.join(installation.root, 'slots/b'))).toBe(false)
    expect(installation.isEnded()).toBe(true)
  })

  test.skipIf(process.getuid?.() !== 0)(
    '[S21] a link that the service planted leads root nowhere',
    async () => {
      const secret = path.join(installation.root, 'secret')
      fs.copyFileSync(path.join(good, 'manifest.json'), secret)
      fs.chmodSync(secret, 0o600)
      installation.handOver(good, '1.1.0')
      const staged = path.join(installation.data, 'update/staged/manifest.json')
      fs.rmSync(staged)
      fs.symlinkSync(secret, staged)
      const chown = (name: string) => fs.lchownSync(name, 65_534, 65_534)
      for (const name of fs.readdirSync(installation.data, { recursive: true }))
        chown(path.join(installation.data, String(name)))
      chown(installation.data)
      await installation.run()
      expect(installation.progress()).toMatchObject({ outcome: 'failed', fault: { code: 'handover' } })
      expect(fs.statSync(path.join(installation.data, 'update/progress.json')).uid).toBe(65_534)
    },
  )
})

test('where no Pulse answers now, a failure of the next version could not be seen: nothing is stopped', async () => {
  installation.handOver(good, '1.1.0')
  fs.writeFileSync(path.join(installation.root, 'running'), 'another process')
  await installation.run()
  expect(installation.progress()).toMatchObject({
    outcome: 'failed',
    fault: { code: 'health', message: expect.stringContaining('/etc/default/pulse') },
  })
  expect([installation.running(), installation.current(), backups()]).toEqual([
    'another process',
    'slots/a',
    [],
  ])
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
  installation.handOver(good, '1.1.0')
  const file = path.join(installation.data, 'update/request.json')
  fs.rmSync(file)
  put(file)
  expect((await installation.run()).code).toBe(1)
  expect(await installation.run()).toMatchObject({ code: 0 })
  expect([installation.running(), installation.isEnded()]).toEqual(['1.0.0', true])
})

test.each(['manifest.json', 'manifest.json.sig', 'release.tar.gz'])(
  '[S21] a pipe in the place of the staged %s is not waited for',
  async (name) => {
    installation.handOver(good, '1.1.0')
    const file = path.join(installation.data, 'update/staged', name)
    fs.rmSync(file)
    spawnSync('/usr/bin/mkfifo', [file])
    expect(await installation.run()).toMatchObject({ code: 0 })
    expect(installation.progress()).toMatchObject({ outcome: 'failed', fault: { code: 'handover' } })
    expect([installation.running(), installation.isEnded()]).toEqual(['1.0.0', true])
  },
)

test.each(['progress.json', 'progress.json.new'])(
  '[S21] a folder called %s keeps no update from its end',
  async (name) => {
    installation.handOver(good, '1.1.0')
    fs.mkdirSync(path.join(installation.data, 'update', name, 'in it'), { recursive: true })
    expect(await installation.run()).toMatchObject({ code: 0 })
    expect(installation.progress()).toMatchObject({ outcome: 'success' })
    expect([installation.running(), installation.isEnded()]).toEqual(['1.1.0', true])
  },
)

test('[S21] another user of the machine cannot keep updates away by taking the name that says that one is under way', async () => {
  const digest = createHash('sha256').update(installation.root).digest('hex').slice(0, 32)
  const squatter = net.createServer().listen(`\0pulse-switch-${digest}`)
  await once(squatter, 'listening')
  installation.handOver(good, '1.1.0')
  await installation.run()
  squatter.close()
  expect(installation.running()).toBe('1.1.0')
})

test('a second one does nothing while the first is at work', async () => {
  const first = net
    .createServer((socket) => socket.destroy())
    .listen(path.join(installation.root, 'switch.sock'))
  await once(first, 'listening')
  installation.handOver(good, '1.1.0')
  expect(await installation.run()).toMatchObject({ code: 0, said: expect.stringContaining('at work') })
  expect(fs.existsSync(path.join(installation.data, 'update/request.json'))).toBe(true)
  first.close()
  await once(first, 'close')
  await installation.run()
  expect(installation.running()).toBe('1.1.0')
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
    installation.handOver(release === 'a good one' ? good : broken, '1.1.0')
    expect(await installation.runAndKillAt(call)).toBe(true)
    if (after === 'booted') installation.boot()
    // interrupts the second run at its first call
    if (await installation.runAndKillAt(1)) if (after === 'booted') installation.boot()
    expect(await installation.run()).toMatchObject({ code: 0 })
    const { outcome } = installation.progress()
    expect(installation.running()).toBe(outcome === 'success' ? '1.1.0' : '1.0.0')
    expect(installation.current()).toBe(outcome === 'success' ? 'slots/b' : 'slots/a')
    if (release === 'a broken one') expect(outcome).not.toBe('success')
    expect(installation.store()).toMatch(/^kept\nstored by 1\.0\.0(\nstored by 1\.[01]\.0)*$/)
    expect(fs.existsSync(path.join(installation.data, 'update/restoring'))).toBe(false)
    expect(fs.readFileSync(path.join(installation.data, 'temperature/key'), 'utf8')).toBe('a key')
    expect(installation.isEnded()).toBe(true)
    expect(await installation.run()).toMatchObject({ code: 0 })
  })
})
