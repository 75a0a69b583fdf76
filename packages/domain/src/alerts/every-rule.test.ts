import { alertDefaults, type AlertConfig, disableSwitches } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { dayMs, anEngine, hourMs, minuteMs, pollMs, settings, T0, type Lists } from './fixtures.ts'
import { type Case, cases } from './fixtures-every-rule.ts'
import { subjects } from './rules/index.ts'

const ages = { enabled: true, warningDays: 7, criticalDays: 14 }
const filling = { ...alertDefaults.guestDefaults, fullWithin: 7 }
const config = (change: Partial<AlertConfig> = {}) =>
  settings({ backupDefaults: ages, snapshotDefaults: ages, guestDefaults: filling, ...change })
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

/** The source answers with bad data until the alert must have fired. */
function fire(all: All, { source, kind, bad, before, state }: Case, withinMs: number) {
  const own = { kind, name: source, ...state }
  if (before) {
    all.tell(source, before.lists, own)
    all.pass(before.ms)
  }
  const until = all.moment().monotonic + withinMs
  // A day is polled hourly, and its last minutes at the poll interval.
  while (all.moment().monotonic < until - 20 * minuteMs) {
    all.tell(source, bad, own)
    all.pass(10 * minuteMs)
  }
  for (let round = 0; round < (before ? 3 : 40); round++) all.poll(source, bad, own)
}

const soonMs = 40 * minuteMs

test('every rule of the registry has a case', () => {
  expect(Object.keys(cases).sort()).toEqual(
    subjects.flatMap(({ rules }) => rules.map(({ name }) => name)).sort(),
  )
})

describe.each(Object.entries(cases))('%s', (_rule, one) => {
  const { source, kind, good, id, isAboutSource, switches, bad } = one
  const counted = one.before !== undefined
  const fired = (all = anEngine(config())) => {
    fire(all, one, counted ? 0 : soonMs)
    expect(all.open()).toContain(id)
    return all
  }
  const ends = (all: All) =>
    all.said.filter(({ what, stored }) => what === 'resolved' && stored.alert.id === id)
  const reasons = (all: All) => ends(all).map(({ stored }) => stored.alert.endReason)
  const silence = (all: All, lists: Lists) => all.silence(source, lists, { kind, name: source, lastSeen: T0 })

  test('fires, and resolves when its end is known', () => {
    const all = fired()
    all.pass(one.overAfterMs ?? 0)
    for (let round = 0; round < 100 && all.open().includes(id); round++)
      all.poll(source, good, { kind, name: source })
    expect(reasons(all)).toEqual(['condition'])
  })

  test.each([
    ['pbs', 'other-pbs', {}],
    ['pbs', 'other-pbs', { lastSeen: T0 }],
    ['pve', 'other-cluster', { lastSeen: T0 }],
    ['pmg', 'other-gateway', { lastSeen: T0 }],
    ['docker', 'other-host', { lastSeen: T0 }],
  ] as const)('fires within a day and an hour while another source (%s %s, %j) is dead', (of, name, seen) => {
    const all = anEngine(config())
    all.estate.observe(name, {})
    all.silence(name, {}, { kind: of, name, ...(!('lastSeen' in seen) && { lastSeen: undefined }) })
    fire(all, one, counted ? 0 : dayMs + hourMs)
    expect(all.open()).toContain(id)
  })

  test.each(disableSwitches.filter((name) => !switches.includes(name)))(
    'fires while the unrelated switch %s is on',
    (name) => void fired(anEngine(config({ [name]: true }))),
  )

  test.each(switches)('ends by %s without being called resolved, and fires again without it', (name) => {
    const all = fired()
    all.configure({ [name]: true })
    expect(all.open()).not.toContain(id)
    expect(reasons(all)).toEqual(['unwatched'])
    all.configure({ [name]: false })
    for (let round = 0; round < 10; round++) all.poll(source, bad, { kind, name: source, ...one.state })
    if (!counted) expect(all.open()).toContain(id)
  })

  test('does not resolve while its source is unreachable, nor by stale data', () => {
    if (isAboutSource) return
    const all = fired()
    silence(all, stale(good))
    for (let hour = 0; hour < 72; hour++) all.pass(hourMs)
    expect(reasons(all)).not.toContain('condition')
  })

  test.each(['stopped', 'killed'])(
    'is not resolved by a restart (%s) before it has been read again',
    (how) => {
      const before = fired()
      const { alerts, memory } = before.engine.snapshot(before.moment())
      const after = anEngine(config(), how === 'stopped' ? { alerts, memory } : { alerts })
      after.tell(source, {}, { kind, name: source, health: 'unknown' })
      after.pass(3 * dayMs)
      expect(after.open()).toContain(id)
      if (isAboutSource) return
      // The source answers, but only with the data of its first answer.
      const parts = { nodes: bad.nodes, guests: bad.guests, dockerHosts: bad.dockerHosts, pmg: [], pbs: [] }
      after.tell(source, Object.fromEntries(Object.entries(parts).filter(([, list]) => list?.length)), {
        kind,
        name: source,
      })
      after.pass(20 * pollMs)
      expect(reasons(after)).not.toContain('condition')
    },
  )
})
