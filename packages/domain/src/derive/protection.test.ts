import type { PbsBackup, PveBackup } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { aGuest, aProtection, aRun, atMinute, given, listed, onServer } from './fixtures.ts'
import { protection } from './protection.ts'

const base = { guests: [aGuest('main', 100)], protections: [aProtection('main', 100, { inJob: true })] }

/** The protection record of guest 100 of `main`, without the fields that its cluster reports. */
function known(bySource: Parameters<typeof given>[0]) {
  const here = given(bySource)
  const read = (id = 'main-100') => {
    const {
      id: _id,
      vmid: _vmid,
      source: _source,
      inJob: _job,
      ...rest
    } = here.estate.tables.protections.get(id) as ReturnType<typeof aProtection>
    return rest
  }
  return { ...here, read }
}

test('a guest without any backup has none, and says whether it is in a job', () => {
  const { estate } = known({ main: base })
  expect(estate.tables.protections.get('main-100')).toMatchObject({ vmid: 100, inJob: true })
  expect(estate.tables.protections.get('main-100')).not.toHaveProperty('newest')
})

test('the newest backup says where it lies, wherever that is', () => {
  const { read, say } = known({ main: { ...base, pveBackups: [listed('main', 100, 1)] } })
  expect(read().newest).toEqual({ at: atMinute(1), instance: 'main', storage: 'store', size: 5 })
  say('pbs-1', { pbsBackups: [onServer(100, 4, { namespace: 'prod' })] })
  expect(read().newest).toEqual({
    at: atMinute(4),
    instance: 'vault',
    datastore: 'main',
    namespace: 'prod',
    verification: 'ok',
    size: 5,
  })
})

test.each<[string, Partial<PbsBackup>, string]>([
  ['verified', { verified: true, verification: 'ok' }, 'ok'],
  ['found broken', { verified: false, verification: 'failed' }, 'failed'],
  ['never verified', { verified: false }, 'never'],
])('a backup on a server that was %s says so', (_word, more, verification) => {
  const { read } = known({ main: base, 'pbs-1': { pbsBackups: [onServer(100, 4, more)] } })
  expect(read().newest).toMatchObject({ verification })
})

test('of copies with one time the best counts, whichever was heard of first', () => {
  const copies = [
    onServer(100, 4, { datastore: 'annex', verified: false, verification: 'failed' }),
    onServer(100, 4, { datastore: 'main' }),
  ]
  for (const order of [copies, copies.toReversed()]) {
    const { read, say } = known({
      main: base,
      'pbs-1': { pbsBackups: order.map((one, n) => ({ ...one, id: `${n}` })) },
    })
    expect(read()).toEqual({ newest: expect.objectContaining({ datastore: 'main', verification: 'ok' }) })
    say('pbs-1', { pbsBackups: copies.slice(0, 1) })
    expect(read()).toEqual({
      newest: expect.objectContaining({ datastore: 'annex', verification: 'failed' }),
    })
  }
})

test('one that is dated in the future is no proof: it counts while there is no other, and says so', () => {
  const ahead = onServer(100, 9, { future: true })
  const failed = aRun('main', 5, { vmid: 100, error: 'no space' })
  const { read, say, estate } = known({
    main: { ...base, pveBackups: [failed] },
    'pbs-1': { pbsBackups: [ahead, onServer(100, 2)] },
  })
  const lastBackup = () => [...estate.tables.guests.values()][0]!.lastBackup
  expect(read()).toMatchObject({ newest: { at: atMinute(2) }, failed: { at: atMinute(5) } })
  expect(read().newest).not.toHaveProperty('future')
  expect(lastBackup()).toBe(atMinute(2))
  say('pbs-1', { pbsBackups: [ahead] })
  expect(read()).toMatchObject({ newest: { at: atMinute(9), future: true }, failed: { at: atMinute(5) } })
  expect(lastBackup()).toBeUndefined()
  // The date is no longer in the future.
  say('pbs-1', { pbsBackups: [onServer(100, 9)] })
  expect(read()).not.toHaveProperty('failed')
  expect(lastBackup()).toBe(atMinute(9))
})

test('when the newest was found broken, the newest good one stands beside it', () => {
  const broken = onServer(100, 4, { verified: false, verification: 'failed' })
  const { read, say } = known({
    main: base,
    'pbs-1': { pbsBackups: [broken, onServer(100, 2), onServer(100, 3)] },
  })
  expect(read()).toMatchObject({ newest: { at: atMinute(4) }, newestGood: { at: atMinute(3) } })
  say('pbs-1', { pbsBackups: [broken, onServer(100, 5)] })
  expect(read()).toMatchObject({ newest: { at: atMinute(5) } })
  expect(read()).not.toHaveProperty('newestGood')
})

describe('a run that failed', () => {
  const failure = { vmid: 100, error: 'exit code 1' }

  test('is shown until a backup is newer, or a run went well', () => {
    const { read, say } = known({
      main: { ...base, pveBackups: [listed('main', 100, 1), aRun('main', 2, failure)] },
    })
    expect(read()).toMatchObject({
      newest: { at: atMinute(1) },
      failed: { at: atMinute(2), error: 'exit code 1' },
    })
    say('main', { pveBackups: [listed('main', 100, 1), listed('main', 100, 3), aRun('main', 2, failure)] })
    expect(read()).not.toHaveProperty('failed')
    say('main', { pveBackups: [aRun('main', 2, failure), aRun('main', 4, { vmid: 100 })] })
    expect(read()).toEqual({ succeeded: expect.any(Number) })
  })

  test('over several guests counts for those whom its log names', () => {
    const guests = [{ vmid: 100, error: 'no space' }, { vmid: 101 }]
    const { read } = known({
      main: {
        guests: [...base.guests, aGuest('main', 101)],
        protections: [...base.protections, aProtection('main', 101)],
        pveBackups: [aRun('main', 2, { error: 'job errors', guests })],
      },
    })
    expect(read()).toEqual({ failed: { at: atMinute(2), error: 'no space' } })
    expect(read('main-101')).toEqual({ succeeded: atMinute(2) })
  })

  test('over several guests without a log says nothing about any', () => {
    const { read } = known({ main: { ...base, pveBackups: [aRun('main', 2, { error: 'job errors' })] } })
    expect(read()).toEqual({})
  })

  test('that still goes on, or is of another cluster, has not failed', () => {
    const { endTime: _, ...running } = aRun('main', 2, failure) as never as Record<string, unknown>
    const { read } = known({
      main: { ...base, pveBackups: [running as never] },
      edge: { pveBackups: [aRun('edge', 3, failure)] },
    })
    expect(read()).toEqual({})
  })
})

describe('[facts/collection 6.5] a number that two clusters use', () => {
  const both = {
    main: base,
    edge: { guests: [aGuest('edge', 100)], protections: [aProtection('edge', 100)] },
  }

  test('is ambiguous for both, and the newest of neither', () => {
    const { read } = known({ ...both, 'pbs-1': { pbsBackups: [onServer(100, 4)] } })
    for (const id of ['main-100', 'edge-100'])
      expect(read(id)).toEqual({ ambiguous: expect.objectContaining({ at: atMinute(4), datastore: 'main' }) })
  })

  const listedThere = (minute: number) => listed('main', 100, minute, { isPBS: true })

  test('of a cluster that is not watched: in a namespace where the other lists nothing it is not certain', () => {
    const elsewhere = onServer(100, 9, { namespace: 'other' })
    const { read, say } = known({
      main: { ...base, pveBackups: [listedThere(4)] },
      'pbs-1': { pbsBackups: [onServer(100, 4), elsewhere] },
    })
    expect(read()).toEqual({
      newest: expect.objectContaining({ at: atMinute(4) }),
      ambiguous: expect.objectContaining({ at: atMinute(9), namespace: 'other' }),
    })
    // The cluster lists other backups there, so a new one is its guest's even before the cluster lists it.
    say('pbs-1', { pbsBackups: [onServer(100, 4), elsewhere, onServer(100, 10)] })
    expect(read()).toEqual({ newest: expect.objectContaining({ at: atMinute(10) }) })
    say('pbs-1', { pbsBackups: [onServer(100, 4), { ...elsewhere, comment: 'main 100' }] })
    expect(read()).toEqual({ newest: expect.objectContaining({ at: atMinute(9) }) })
  })

  test('backed up by both in one second and in one size: both list it, so its owner is unknown', () => {
    const twins = ['a', 'b'].map((namespace) => onServer(100, 4, { id: `pbs-${namespace}`, namespace }))
    const { read } = known({
      main: { ...both.main, pveBackups: [listedThere(4)] },
      edge: { ...both.edge, pveBackups: [listed('edge', 100, 4, { isPBS: true })] },
      'pbs-1': { pbsBackups: twins },
    })
    for (const id of ['main-100', 'edge-100']) {
      expect(read(id)).toEqual({ ambiguous: expect.objectContaining({ at: atMinute(4) }) })
    }
  })

  test('on a server that is not watched: what both list may be of either, unless its notes name the guest', () => {
    const pairOf = (more: object) => ({
      main: { ...both.main, pveBackups: [listed('main', 100, 4, { isPBS: true, ...more })] },
      edge: { ...both.edge, pveBackups: [listed('edge', 100, 4, { isPBS: true, ...more })] },
    })
    const unnamed = known(pairOf({}))
    for (const instance of ['main', 'edge'])
      expect(unnamed.read(`${instance}-100`)).toEqual({ ambiguous: expect.objectContaining({ instance }) })
    const named = known(pairOf({ notes: 'main 100' }))
    expect(named.read()).toEqual({ newest: expect.objectContaining({ instance: 'main' }) })
    expect(named.read('edge-100')).toEqual({})
    unnamed.say('edge', { pveBackups: [] })
    expect(unnamed.read()).toEqual({ newest: expect.objectContaining({ at: atMinute(4) }) })
  })

  test('is no question for whom a newer one is certain', () => {
    const { read } = known({
      ...both,
      'pbs-1': { pbsBackups: [onServer(100, 4), onServer(100, 5, { namespace: 'edge' })] },
    })
    expect(read('edge-100')).toEqual({ newest: expect.objectContaining({ at: atMinute(5) }) })
    expect(read()).toEqual({ ambiguous: expect.objectContaining({ at: atMinute(4) }) })
  })
})

describe('those who bear a number', () => {
  const batch = () => {
    let count = 0
    return { touch: () => void count++, count: () => count }
  }
  const withGuests = () => {
    const one = protection()
    for (let n = 0; n < 20; n++) one.note('guests', `g${n}`, aGuest(`c${n}`, 100), batch().touch)
    return one
  }

  test('are touched once, however many of its backups came together', () => {
    const one = withGuests()
    for (const minutes of [[1, 2, 3, 4, 5], [6]]) {
      const { touch, count } = batch()
      for (const minute of minutes) one.note('pbsBackups', `b${minute}`, onServer(100, minute), touch)
      expect(count()).toBe(20)
    }
  })

  test('in other clusters are left alone by a backup that only one cluster lists, and by its guests', () => {
    const one = withGuests()
    const { touch, count } = batch()
    for (const minute of [1, 2, 3]) one.note('pveBackups', `b${minute}`, listed('c1', 100, minute), touch)
    one.note('guests', 'g1', aGuest('c1', 100, { name: 'renamed' }), touch)
    expect(count()).toBe(1)
  })

  test('in other clusters are touched by a guest if a backup may be of several', () => {
    const one = withGuests()
    one.note('pbsBackups', 'b', onServer(100, 1), batch().touch)
    const renamed = batch()
    one.note('guests', 'g1', aGuest('c1', 100, { name: 'renamed' }), renamed.touch)
    // all but the changed one, which is completed anyway
    expect(renamed.count()).toBe(19)
    one.note('pbsBackups', 'b', undefined, batch().touch)
    one.note('pveBackups', 'c', listed('c1', 100, 1), batch().touch)
    const again = batch()
    one.note('guests', 'g1', aGuest('c1', 100, { name: 'web' }), again.touch)
    expect(again.count()).toBe(0)
  })

  test('in other clusters are left alone by a backup that a few clusters list, and by their guests', () => {
    const one = withGuests()
    const listedBy = ['c1', 'c2', 'c3']
    const { touch, count } = batch()
    one.note('pbsBackups', 'b', onServer(100, 1, { listedBy }), touch)
    one.note('pveBackups', 'c', listed('c2', 100, 1, { listedBy } as Partial<PveBackup>), touch)
    one.note('guests', 'g1', aGuest('c1', 100, { name: 'renamed' }), touch)
    expect(count()).toBe(3)
  })

  test('in other clusters are left alone by where a cluster lists backups, unless one is the only one of its type', () => {
    const one = withGuests()
    one.note('guests', 'ct', aGuest('c20', 100, { type: 'lxc' }), batch().touch)
    one.note('pbsBackups', 'b', onServer(100, 1), batch().touch)
    const { touch, count } = batch()
    one.note('pbsBackups', 'c', onServer(100, 2, { listedBy: ['c1'], namespace: 'dc' }), touch)
    // those of c1 and c20
    expect(count()).toBe(2)
  })
})
