import type { PveBackup } from '@pulse/contract'
import { expect, test } from 'vitest'
import { aGuest, given, listed, onServer } from './fixtures.ts'

const copy = listed('main', 100, 4, { isPBS: true })
const ids = (records: ReadonlyMap<string, unknown>) => [...records.keys()]

test('[facts/collection 1.17] listed by the server and by a cluster it is shown once, with who lists it', () => {
  const { estate, say } = given({ main: { pveBackups: [copy, listed('main', 101, 4)] } })
  expect(ids(estate.tables.pveBackups)).toEqual([copy.id, 'main-store-101-4'])
  const patch = say('pbs-1', { pbsBackups: [onServer(100, 4)] })
  expect(patch.pveBackups?.remove).toEqual(new Set([copy.id]))
  expect(estate.tables.pbsBackups.get('pbs-100-4')).toMatchObject({ listedBy: ['main'] })
  say('edge', { pveBackups: [listed('edge', 100, 4, { isPBS: true })] })
  expect(estate.tables.pbsBackups.get('pbs-100-4')).toMatchObject({ listedBy: ['edge', 'main'] })
  expect(ids(estate.tables.pveBackups)).toEqual(['main-store-101-4'])
})

test('when the server is not watched any more, the clusters’ listing is seen again', () => {
  const { estate } = given({
    main: { pveBackups: [copy] },
    'pbs-1': { pbsBackups: [onServer(100, 4)] },
  })
  const patch = estate.forget('pbs-1')
  expect(ids(patch.pveBackups!.put)).toEqual([copy.id])
  expect(estate.tables.pveBackups.get(copy.id)).toBe(copy)
})

test.each([
  ['another time', onServer(100, 5)],
  ['another guest', onServer(101, 4)],
  ['a container', onServer(100, 4, { backupType: 'ct' })],
  ['another size: another guest’s of the same second', onServer(100, 4, { size: 6 })],
])('%s is another backup', (_what, other) => {
  const { estate } = given({ main: { pveBackups: [copy] }, 'pbs-1': { pbsBackups: [other] } })
  expect(estate.tables.pveBackups.size + estate.tables.pbsBackups.size).toBe(2)
})

test('a file on a storage of the cluster is in no server’s listing, whatever it is called', () => {
  const file = listed('main', 100, 4)
  const { estate } = given({ main: { pveBackups: [file] }, 'pbs-1': { pbsBackups: [onServer(100, 4)] } })
  expect(estate.tables.pveBackups.size).toBe(1)
})

test('what many clusters list costs each of them once, and they share the list of who they are', () => {
  const clusters = Array.from({ length: 40 }, (_, n) => `c${n}`)
  const minutes = [1, 2, 3, 4, 5]
  let reads = 0
  const counted = (cluster: string, minute: number): PveBackup => {
    const one = listed(cluster, 100, minute, { isPBS: true })
    return Object.defineProperty(one, 'source', { enumerable: true, get: () => (reads++, cluster) })
  }
  const { estate, say } = given(
    Object.fromEntries(clusters.map((one) => [one, { guests: [aGuest(one, 100)] }])),
  )
  for (const one of clusters) say(one, { pveBackups: minutes.map((minute) => counted(one, minute)) })
  const before = reads
  say('last', { pveBackups: minutes.map((minute) => counted('last', minute)) })
  expect(reads - before).toBeLessThan(20 * clusters.length * minutes.length)
  const shown = [...estate.tables.pveBackups.values()].map((one) => 'listedBy' in one && one.listedBy)
  expect(shown).toHaveLength(41 * minutes.length)
  expect(shown[0]).toHaveLength(41)
  expect(new Set(shown).size).toBe(1)
})
