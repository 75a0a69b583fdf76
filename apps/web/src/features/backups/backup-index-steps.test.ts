import { aGuest, aPbsBackup, aSnapshot } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { createBackupIndex, describeRecord, recordsPerStep } from './backup-index.ts'

const backups = (count: number, size = 1) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `p${at}`,
      aPbsBackup({ datastore: `d${at}`, size, vmid: String(at) }),
    ]),
  )

/** An index over the given records; `took` returns how many it has described since the last call. */
function given(records: Parameters<typeof aLive>[0], limit?: number) {
  const live = aLive(records)
  let described = 0
  const indexOf = createBackupIndex((...record) => {
    described++
    return describeRecord(...record)
  }, limit)
  const took = () => {
    const count = described
    described = 0
    return count
  }
  const stepThrough = (count: number) => {
    const steps: number[] = []
    do {
      took()
      if (indexOf.step(live.store, count) === 'done') return [...steps, took()]
      steps.push(took())
    } while (steps.length < 100)
    throw new Error('it does not end')
  }
  /** As after a reconnect: the server sends every record again. */
  const snapshot = (pbsBackups: ReturnType<typeof backups>) =>
    live.store.apply({ pbsBackups: { put: new Map(Object.entries(pbsBackups)), remove: new Set() } }, [
      'pbsBackups',
    ])
  return { live, indexOf, took, stepThrough, snapshot }
}

describe('a first look in steps', () => {
  test('looks at so many at a time, at each once, and misses nothing that changes meanwhile', () => {
    const { live, indexOf, stepThrough } = given({ pbsBackups: backups(10), pveBackups: { s: aSnapshot() } })
    expect(indexOf.step(live.store, 4)).toBe('more')
    live.put({ pbsBackups: { p0: aPbsBackup({ datastore: 'd0', size: 2 }) } })
    live.remove('pbsBackups', 'p9')
    stepThrough(4)
    const { records: rows } = indexOf(live.store)
    expect(rows.size).toBe(10)
    expect(rows.get('p0')?.size).toBe(2)
  })
})

describe('after a reconnect', () => {
  test('50,000 backups are described in steps, and until the last of them the list is the one before', () => {
    const { live, indexOf, took, stepThrough, snapshot } = given({ pbsBackups: backups(50_000) })
    stepThrough(recordsPerStep)
    const before = indexOf(live.store)
    const renewed = { ...backups(49_000), p7: aPbsBackup({ datastore: 'd7', size: 9, vmid: '7' }) }
    took()
    snapshot(renewed)
    expect(indexOf(live.store)).toBe(before)
    expect(took()).toBe(0)
    expect(indexOf.step(live.store, recordsPerStep)).toBe('more')
    expect([indexOf(live.store).records.size, before.records.get('p7')?.size]).toEqual([50_000, 1])
    const steps = stepThrough(recordsPerStep)
    expect(Math.max(...steps)).toBeLessThanOrEqual(recordsPerStep)
    const after = indexOf(live.store)
    expect([after.records.size, after.records.get('p7')?.size]).toEqual([49_000, 9])
    expect(took()).toBe(0)
  })

  test('only what differs has changed', () => {
    const { live, indexOf, stepThrough, snapshot } = given({ pbsBackups: backups(30) }, 10)
    stepThrough(10)
    const { version, records } = indexOf(live.store)
    const p3 = records.get('p3')
    snapshot({ ...backups(29), p7: aPbsBackup({ datastore: 'd7', size: 9, vmid: '7' }) })
    indexOf(live.store)
    stepThrough(10)
    const after = indexOf(live.store)
    expect([...after.changedSince(version)!].toSorted()).toEqual(['p29', 'p7'])
    expect(after.records.get('p3')).toBe(p3)
  })

  test('what comes, goes or is renamed meanwhile is in the list', () => {
    const { live, indexOf, stepThrough, snapshot } = given({ pbsBackups: backups(30) }, 10)
    stepThrough(10)
    snapshot(backups(30, 2))
    indexOf(live.store)
    indexOf.step(live.store, 25)
    for (let version = 0; version < 9; version++) {
      live.put({ pbsBackups: { p1: aPbsBackup({ datastore: 'd1', size: 10 + version, vmid: '1' }) } })
      live.put({ guests: { 'main:2': aGuest({ vmid: 2, name: `web${version}` }) } })
      indexOf.step(live.store, 1)
    }
    live.remove('pbsBackups', 'p0')
    stepThrough(10)
    const { records } = indexOf(live.store)
    expect(records.get('p0')).toBeUndefined()
    expect([records.get('p1')?.size, records.get('p2')?.name]).toEqual([18, 'web8'])
  })

  test('listeners are called once the list is the new one, and not before', () => {
    const { live, indexOf, stepThrough, snapshot } = given({ pbsBackups: backups(30) }, 10)
    stepThrough(10)
    const heard: (number | undefined)[] = []
    indexOf.subscribe(() => heard.push(indexOf(live.store).records.get('p3')?.size))
    snapshot(backups(30, 2))
    indexOf(live.store)
    indexOf.step(live.store, 10)
    expect(heard).toEqual([])
    stepThrough(10)
    expect(heard).toEqual([2])
  })
})

test('when a guest moves or a place is another one, only backups of its number are looked at', () => {
  let read = 0
  const live = aLive({ pbsBackups: backups(2_000), guests: { 'main:7': aGuest({ vmid: 7, name: 'web' }) } })
  const indexOf = createBackupIndex((...record) => {
    const row = describeRecord(...record)
    if (!row) return row
    const { vmid, ...rest } = row
    return Object.defineProperty({ ...rest, vmid }, 'vmid', {
      enumerable: true,
      get: () => (read++, vmid),
    })
  })
  indexOf(live.store)
  read = 0
  live.put({ guests: { 'main:7': aGuest({ vmid: 7, name: 'web', node: 'pve2' }) } })
  indexOf(live.store)
  live.put({
    pbsBackups: {
      new: aPbsBackup({ datastore: 'd7', vmid: '7', namespace: 'elsewhere', listedBy: ['main'] }),
    },
  })
  indexOf(live.store)
  expect(indexOf(live.store).records.size).toBe(2_001)
  expect(read).toBeLessThan(50)
})
