import { type AlertConfig } from '@pulse/contract'
import { aNode, aStorage } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { anEngine, settings, T0, type Lists } from './fixtures.ts'
import { file, pool, queues } from './fixtures-records.ts'

const node = aNode()
const ages = { enabled: true, warningDays: 7, criticalDays: 14 }
const config = (change: Partial<AlertConfig> = {}) =>
  settings({ backupDefaults: ages, snapshotDefaults: ages, ...change })
const stale = (lists: Lists): Lists =>
  Object.fromEntries(
    Object.entries(lists).map(([kind, list]) => [
      kind,
      (list as object[]).map((one) => ({
        ...one,
        staleSince: T0,
        ...('connectionHealth' in one && kind === 'nodes' && { connectionHealth: 'error' }),
      })),
    ]),
  )

type All = ReturnType<typeof anEngine>

describe('one condition that several records report', () => {
  const gateways = (fault: (all: All) => void) => {
    const all = anEngine(config())
    const cluster = { fingerprint: 'aa' }
    const say = (name: string, deferred: number) =>
      all.poll(name, queues(deferred, { name, id: `pmg-${name}`, source: name, cluster }), {
        kind: 'pmg',
        name,
      })
    say('mail', 0)
    say('mail2', 0)
    fault(all)
    return { all, say }
  }

  test.each([
    ['dead', (all: All) => void all.silence('mail', {}, { kind: 'pmg', name: 'mail' })],
    ['switched off', (all: All) => void all.configure({ overrides: { 'pmg:mail': { disabled: true } } })],
  ])('the second gateway of a cluster speaks while the first is %s', (_what, fault) => {
    const { all, say } = gateways(fault)
    for (let round = 0; round < 10; round++) say('mail2', 6063)
    expect(all.open()).toContain('mail-queue-deferred')
    say('mail2', 0)
    expect(all.open()).not.toContain('mail-queue-deferred')
  })

  test('an alert continues when the gateway that reported it first dies, and ends by the other', () => {
    const { all, say } = gateways(() => {})
    say('mail', 6063)
    say('mail2', 6063)
    all.said.length = 0
    all.silence('mail', stale(queues(6063, { name: 'mail', cluster: { fingerprint: 'aa' } })), {
      kind: 'pmg',
      name: 'mail',
    })
    for (let round = 0; round < 10; round++) say('mail2', 6063)
    const own = () =>
      all.said.filter(({ stored, what }) => stored.alert.id === 'mail-queue-deferred' && what !== 'refreshed')
    expect(own()).toEqual([])
    say('mail2', 0)
    expect(own()).toMatchObject([{ what: 'resolved', stored: { alert: { endReason: 'condition' } } }])
  })

  const pools = (a: string, b: string, change: object = {}) => ({
    nodes: [node],
    storage: [
      aStorage({ storage: 'a', id: 'a', name: 'a', zfsPool: pool(a), ...change }),
      aStorage({ storage: 'b', id: 'b', name: 'b', zfsPool: pool(b) }),
    ],
  })
  const POOL = 'zfs-pool-state-main:pve1:tank'

  test.each([
    ['is removed', (all: All) => void all.poll('main', { storage: [pools('', 'DEGRADED').storage[1]!] })],
    [
      'is switched off',
      (all: All) => void all.configure({ overrides: { 'storage:main:pve1:a': { disabled: true } } }),
    ],
    [
      'is old',
      (all: All) =>
        void all.poll(
          'main',
          pools('DEGRADED', 'DEGRADED', { zfsPool: { ...pool('DEGRADED'), staleSince: T0 } }),
        ),
    ],
  ])('the alert of a pool goes on by its other storage when the first %s', (_what, fault) => {
    const all = anEngine(config())
    all.tell('main', pools('DEGRADED', 'DEGRADED'))
    expect(all.open()).toEqual([POOL])
    all.said.length = 0
    fault(all)
    expect(all.open()).toEqual([POOL])
    expect(all.said.filter(({ what }) => what !== 'refreshed')).toEqual([])
    all.poll('main', pools('ONLINE', 'ONLINE', { zfsPool: { ...pool('DEGRADED'), staleSince: T0 } }))
    expect(all.open()).toEqual([])
  })
})

test('each of 9,000 gateway backups is evaluated a fixed number of times per answer', () => {
  const all = anEngine(config())
  const files = Array.from({ length: 9_000 }, (_, n) => file(20 + n / 100, `f${n}`))
  all.tell('mail', { pmgBackups: files }, { kind: 'pmg', name: 'mail' })
  let looks = 0
  const values = all.estate.tables.pmgBackups.values.bind(all.estate.tables.pmgBackups)
  all.estate.tables.pmgBackups.values = () => ((looks += 1), values())
  all.tell('mail', { pmgBackups: [...files, file(0, 'fresh')] }, { kind: 'pmg', name: 'mail' })
  expect(looks).toBeLessThan(5)
  expect(all.open()).toEqual([])
})
