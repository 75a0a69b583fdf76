import { expect, test } from 'vitest'
import { given, listed, onServer } from './given.ts'

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
  ['another size: somebody else’s of the same second', onServer(100, 4, { size: 6 })],
])('%s is another backup', (_what, other) => {
  const { estate } = given({ main: { pveBackups: [copy] }, 'pbs-1': { pbsBackups: [other] } })
  expect(estate.tables.pveBackups.size + estate.tables.pbsBackups.size).toBe(2)
})

test('a file on a storage of the cluster is in no server’s listing, whatever it is called', () => {
  const file = listed('main', 100, 4)
  const { estate } = given({ main: { pveBackups: [file] }, 'pbs-1': { pbsBackups: [onServer(100, 4)] } })
  expect(estate.tables.pveBackups.size).toBe(1)
})
