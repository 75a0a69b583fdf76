import { expect, test } from 'vitest'
import v8 from 'node:v8'
import vm from 'node:vm'
import { aSnapshot, aTask, givenServer, recentTasksPath, seconds } from '../pbs/fixtures-server.ts'
import { createSnapshotReader, weightOf } from '../pbs/read-snapshot.ts'
import { type BackupSpace, SnapshotCache } from '../pbs/snapshots.ts'
import { aQueue, givenGateway } from '../pmg/fixtures-gateway.ts'
import { refusal } from './fixtures-host.ts'
import { toText } from './schema.ts'

v8.setFlagsFromString('--expose-gc')
const collectGarbage = vm.runInNewContext('gc') as () => void
const heldBytes = () => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const MB = 1024 * 1024
const USAGE = '/status/datastore-usage'
const NAMESPACES = '/admin/datastore/main/namespace'
const BACKUPS = '/admin/datastore/main/snapshots'
const MEMBERS = '/config/cluster/status?list_single_node=1'
const count = (length: number) => [...Array(length).keys()]
const origin = { source: 'c1', instance: 'main', store: 'main', path: '', now: Infinity }

test('[S13] of long notes no more is held than is shown', () => {
  const reader = createSnapshotReader()
  const before = heldBytes()
  const read = count(2_000).map((n) => {
    const entry: unknown = JSON.parse(
      JSON.stringify(aSnapshot(String(n), { comment: `${n} ${'x'.repeat(50_000)}` })),
    )
    return reader.read(entry, origin, () => undefined)
  })
  expect(heldBytes() - before).toBeLessThan(10 * MB)
  expect(read.at(-1)!.record.comment).toHaveLength(256)
})

test('[S13] a text is cut between letters', () => {
  expect(toText(`${'x'.repeat(999)}😀😀`)!.isWellFormed()).toBe(true)
})

test.each(['..', 'a b', '1\n2', '\u0000', '\u202Egpj', '-x', '', 'x'.repeat(129), '__proto__:1'])(
  '[S13] what no backup can be called is none: %j',
  async (id) => {
    const { pass, records } = givenServer({ [BACKUPS]: [aSnapshot(id), aSnapshot('100')] })
    await pass(5)
    const ids = records('pbsBackups').flatMap(({ namespace, datastore, vmid }) =>
      datastore === 'main' && namespace === '' ? [vmid] : [],
    )
    expect(ids).toEqual(['100'])
  },
)

test('[S13] texts in every field of a backup are cut, and all of them together are counted', () => {
  const reader = createSnapshotReader()
  const long = (length: number) => 'y'.repeat(length)
  const files = count(200).map((n) => ({ filename: `${n} ${long(300)}` }))
  const entry = aSnapshot(long(128), { comment: long(2_000), owner: long(2_000), files })
  const { record } = reader.read(entry, origin, () => undefined)!
  expect(weightOf(record)).toBeLessThan(10_000)
  const cache = new SnapshotCache()
  cache.list('main', ['', 'team'])
  const [root, team] = cache.of('main') as [BackupSpace, BackupSpace]
  const before = cache.roomBeside(team)
  cache.took(root, new Map([['one', record]]), weightOf(record), 0, 0)
  expect(cache.roomBeside(team)).toEqual({
    backups: before.backups - 1,
    text: before.text - weightOf(record),
  })
  expect(before.text).toBeLessThanOrEqual(100_000_000)
})

test('[S13] a list of datastores that is another one at each look stays within bounds, and says so', async () => {
  let look = 0
  const flood = () => (
    look++,
    [...count(2_000).map((n) => ({ store: `s${look}-${n}`, total: 10, used: 1, avail: 9 })), main]
  )
  const main = { store: 'main', total: 1_000, used: 400, avail: 550 }
  const { pass, answers, records, state } = givenServer({ [USAGE]: [main] })
  await pass(5)
  answers[USAGE] = flood
  await pass(130)
  expect(look).toBeGreaterThan(1)
  expect(records('datastores').length).toBeLessThanOrEqual(500)
  expect(records('datastores')).toContainEqual(expect.objectContaining({ name: 'main', status: 'available' }))
  expect(state().health).toBe('healthy')
  expect(state().unreadable).toContainEqual(
    expect.objectContaining({
      error: '500 of 2001 datastores are shown, which is the limit of one connection',
    }),
  )
})

test('[S13] eight levels of a thousand namespaces are read one by one, and the surplus is reported', async () => {
  const paths = ['', ...count(1_500).map((n) => `a/b/c/d/e/f/g/n${n}`)]
  const { pass, asked, records, state } = givenServer({
    [USAGE]: [{ store: 'main', total: 10, used: 1, avail: 9 }],
    [NAMESPACES]: paths.map((ns) => ({ ns })),
    [`${BACKUPS}*`]: [aSnapshot('100')],
  })
  await pass(10)
  expect(records('datastores')[0]!.namespaces).toHaveLength(1_000)
  expect(state().unreadable).toContainEqual(
    expect.objectContaining({
      what: 'namespaces of main',
      error: '1000 of 1501 namespaces are shown, which is the limit',
    }),
  )
  expect(new Set(asked.filter((path) => path.startsWith(BACKUPS))).size).toBeLessThanOrEqual(1_000)
})

test('[S13] namespaces that are others at each look are no more in the end than a datastore may have', () => {
  const cache = new SnapshotCache()
  for (const look of count(20))
    for (const store of count(10))
      cache.list(
        `s${store}`,
        count(900).map((n) => `l${look}-${n}`),
      )
  expect(cache.of('s0').length).toBeLessThanOrEqual(1_000)
  expect(cache.all().length).toBeLessThanOrEqual(5_000)
})

test('however many namespaces there are, the one that was read longest ago is next', async () => {
  const paths = count(120).map((n) => `n${n}`)
  const { pass, asked } = givenServer({
    [USAGE]: [{ store: 'main', total: 10, used: 1, avail: 9 }],
    [NAMESPACES]: paths.map((ns) => ({ ns })),
    [`${BACKUPS}*`]: [],
    // Tasks end there all the time.
    [recentTasksPath]: () => [
      aTask('backup', 'main:vm/1', { upid: `u${asked.length}`, status: 'OK', endtime: seconds }),
    ],
  })
  await pass(1_200)
  const looks = paths.map((ns) => asked.filter((path) => path === `${BACKUPS}?ns=${ns}`).length)
  expect(Math.min(...looks)).toBeGreaterThan(0)
  expect(Math.max(...looks) - Math.min(...looks)).toBeLessThanOrEqual(1)
})

test('[S13] thousands of invented jobs, tasks, rights and datastores: shown as far as a page can show them', async () => {
  const upid = (n: number) => `UPID:pbs:${n}`
  const { pass, records, state, faults } = givenServer({
    '/admin/verify': count(8_000).map((n) => ({ id: `v-${n}`, store: 'main' })),
    '/admin/gc': count(8_000).map((n) => ({ store: `s${n}` })),
    [recentTasksPath]: count(4_000).map((n) => ({
      upid: upid(n),
      worker_type: 'backup',
      starttime: seconds,
    })),
    '/access/permissions': {
      '/': { 'Sys.Audit': 1, 'Datastore.Audit': 1 },
      ...Object.fromEntries(count(8_000).map((n) => [`/datastore/hidden${n}`, {}])),
    },
  })
  await pass(70)
  const [server] = records('pbs')
  expect(server!.verifyJobs).toHaveLength(1_000)
  expect(server!.garbageJobs.length).toBeLessThanOrEqual(500)
  expect(state().unreadable!.length).toBeLessThanOrEqual(20)
  expect(faults).toEqual([])
})

test('[S13] a gateway that names thousands of members, scores and domains is asked about a few', async () => {
  const { pass, asked, records, faults } = givenGateway({
    [MEMBERS]: count(5_000).map((n) => ({ name: `mail${n}`, type: 'node' })),
    '/statistics/spamscores*': count(20_000).map((level) => ({ level, count: 1 })),
    '/nodes/*': aQueue(),
  })
  await pass(70)
  expect(records('pmg')[0]!.nodes).toHaveLength(50)
  expect(records('pmg')[0]!.spamDistribution!.length).toBeLessThanOrEqual(100)
  expect(asked.filter((path) => path.includes('qshape')).length).toBeLessThanOrEqual(2 * 4 * 50)
  expect(faults).toEqual([])
})

test('[S13] 403 on each question in turn: it is named with its right, and everything else goes on', async () => {
  const { pass, answers, asked, state } = givenServer()
  await pass(70)
  const questions = Object.keys(answers).filter(
    (known) =>
      known !== '/version' &&
      asked.some((path) => (known.endsWith('*') ? path.startsWith(known.slice(0, -1)) : path === known)),
  )
  expect(questions.length).toBeGreaterThan(12)
  for (const question of questions) {
    const one = givenServer({ [question]: refusal('forbidden', `the account may not read ${question}`) })
    await one.pass(70)
    expect(one.state().health, question).toBe('healthy')
    // Every account may query its own permissions, so that failure names no right.
    const right = question === '/access/permissions' ? undefined : expect.stringMatching(/Audit$/)
    expect(
      one.state().unreadable?.map((entry) => entry.right),
      question,
    ).toEqual([right])
    expect(one.faults).toEqual([])
  }
  expect(state().unreadable).toBeUndefined()
})
