import type { Guest, Node, SourceState } from '@pulse/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Frame } from '../sources/observation.ts'
import { createEstate, type Estate, type Steps } from '../estate.ts'

let estate: Estate
beforeEach(() => (estate = createEstate()))

const source = 'main'
const healthy: SourceState = { name: source, kind: 'pve', health: 'healthy', lastSeen: 50, listedAt: 40 }
const node = (id: string, connectionHealth: string, more: Partial<Node> = {}) =>
  [id, { source, node: id, connectionHealth, ...more } as Node] as const
const records = {
  nodes: new Map([
    node('up', 'healthy'),
    node('off', 'offline'),
    node('old', 'degraded', { staleSince: 30 }),
  ]),
}
const show = (steps: Steps) => [...steps]
const nodes = () => Object.fromEntries(estate.tables.nodes)
const state = () => estate.tables.sources.get(source)

const marksBy = (health: string) => ({
  up: { staleSince: 40, connectionHealth: health },
  off: { staleSince: 40, connectionHealth: 'offline' },
  old: { staleSince: 30, connectionHealth: health },
})

describe('a source of another process that broke its promise', () => {
  const frame: Frame = {
    source,
    run: 'there',
    sequence: 1,
    begins: true,
    completes: true,
    records: { nodes: { put: [...records.nodes], remove: [] } },
    state: healthy,
    promiseMs: 10,
  }
  const unheard = {
    ...healthy,
    health: 'unknown',
    error: 'No word from the process that collects it.',
    staleSince: 40,
  }

  test('is unknown, because the line to that process may be cut', () => {
    show(estate.receive(frame)!)
    show(estate.overdue(source))
    expect(state()).toEqual(unheard)
    expect(nodes()).toMatchObject(marksBy('unknown'))
    show(estate.receive({ ...frame, run: 'again' })!)
    expect(state()).toEqual(healthy)
  })

  test('is unknown also if the last word was a failure', () => {
    show(estate.receive({ ...frame, state: { ...healthy, health: 'error', error: 'refused' } })!)
    show(estate.overdue(source))
    expect(state()).toEqual(unheard)
  })

  test('is unknown after this process has given it away, and in error if it collects it again', () => {
    estate.observe(source, records, { state: healthy, promiseMs: 10 })
    show(estate.overdue(source))
    expect(state()).toMatchObject({ health: 'error' })
    show(estate.release(source))
    expect(state()).toEqual(unheard)
    estate.observe(source, records, { state: healthy, promiseMs: 10 })
    show(estate.overdue(source))
    expect(state()).toMatchObject({ health: 'error' })
  })
})

describe('a source that broke its promise', () => {
  test('is in error since its last list with all it claims, until it makes another', () => {
    estate.observe(source, records, { state: healthy, promiseMs: 10 })
    show(estate.overdue(source))
    expect(state()).toEqual({ ...healthy, health: 'error', error: 'No answer came in time.', staleSince: 40 })
    expect(nodes()).toMatchObject(marksBy('error'))
    estate.observe(source, { nodes: new Map([...records.nodes, node('new', 'healthy')]) }, { state: healthy })
    expect(nodes()).toMatchObject({ ...marksBy('error'), new: { staleSince: 40, connectionHealth: 'error' } })
    estate.observe(source, records, { state: healthy, promiseMs: 10 })
    expect(state()).toEqual(healthy)
    expect(estate.tables.nodes).toEqual(records.nodes)
  })

  test('keeps the error that it had, and the one of its own while it does not answer', () => {
    estate.observe(source, records, { state: { ...healthy, error: 'no route' }, promiseMs: 0 })
    expect(state()).toMatchObject({ health: 'error', error: 'no route' })
    estate.observe(source, records, {
      state: { ...healthy, health: 'error', error: 'refused', refused: true },
    })
    expect(state()).toMatchObject({ error: 'refused', refused: true, staleSince: 40 })
    expect(nodes()).toMatchObject(marksBy('error'))
    estate.observe(source, records, { state: healthy })
    expect(state()).toMatchObject({ health: 'error', error: 'No answer came in time.' })
  })

  test('has the error that was given for this case', () => {
    estate.observe(source, records, { state: healthy, promiseMs: 10, overdueError: 'no route' })
    expect(state()).not.toHaveProperty('error')
    show(estate.overdue(source))
    expect(state()).toMatchObject({ health: 'error', error: 'no route' })
  })

  test('is unknown when a new watch begins', () => {
    estate.observe(source, records, { state: healthy, promiseMs: 0 })
    estate.observe(source, {}, { state: { name: source, kind: 'pve', health: 'unknown' } })
    expect(state()).toMatchObject({ health: 'unknown', lastSeen: 50, staleSince: 40 })
  })

  test('has nothing stale while it has no records', () => {
    estate.observe(source, {}, { state: { ...healthy, health: 'error' } })
    expect(state()).not.toHaveProperty('staleSince')
    estate.observe(source, {}, { state: healthy, promiseMs: 0 })
    expect(state()).toEqual({ ...healthy, health: 'error', error: 'No answer came in time.' })
  })
})

test('before the first answer of a new watch all that the old one had stays, marked, as old as it was', () => {
  estate.observe(source, records, { state: healthy })
  const pending = { name: 'renamed', kind: 'pve', health: 'unknown' } as const
  estate.observe(source, {}, { state: pending })
  expect(nodes()).toMatchObject(marksBy('unknown'))
  expect(state()).toEqual({ ...pending, lastSeen: 50, listedAt: 40, staleSince: 40 })
  estate.observe(source, {}, { state: { ...pending, health: 'error', lastSeen: 90 } })
  expect(nodes()).toMatchObject(marksBy('error'))
  expect(state()).toMatchObject({ lastSeen: 90, staleSince: 40 })
  estate.observe(source, { nodes: new Map([node('up', 'healthy')]) }, { state: { ...healthy, lastSeen: 99 } })
  expect(nodes()).toEqual({ up: records.nodes.get('up') })
  expect(state()).toEqual({ ...healthy, lastSeen: 99 })
})

test('of a record that two sources claim the one that is not marked counts', () => {
  const claim = (by: string) => ({ guests: new Map([['x', { source: by } as Guest]]) })
  estate.observe('a', claim('a'), { state: { ...healthy, name: 'a' } })
  estate.observe('b', claim('b'), { state: { ...healthy, name: 'b' } })
  show(estate.overdue('a'))
  expect(estate.tables.guests.get('x')).toEqual({ source: 'b' })
})

test('many records are marked in steps, and one that changes meanwhile shows its change and the mark', () => {
  const many = (cpu: number) =>
    new Map(Array.from({ length: 1_200 }, (_, vmid) => [`${vmid}`, { source, vmid, cpu } as Guest]))
  estate.observe(source, { guests: many(0) }, { state: healthy })
  const steps = estate.overdue(source)
  expect(steps.next().value?.guests?.put.size).toBe(500)
  estate.observe(source, { guests: new Map([...many(0), ['1199', { source, vmid: 1199, cpu: 1 } as Guest]]) })
  show(steps)
  expect(estate.tables.guests.get('1199')).toMatchObject({ cpu: 1, staleSince: 40 })
  expect([...estate.tables.guests.values()].every(({ staleSince }) => staleSince === 40)).toBe(true)
})

describe('a source whose site is unreachable', () => {
  const since = 70
  const lost = { ...healthy, health: 'unknown', staleSince: 40, siteUnreachableSince: since }

  test('is unknown since its last list with all it claims, until its site is back', () => {
    estate.observe(source, records, { state: healthy, promiseMs: 10 })
    show(estate.markSiteUnreachable([source], since))
    expect(state()).toEqual(lost)
    expect(nodes()).toMatchObject(marksBy('unknown'))
    show(estate.markSiteUnreachable([source], undefined))
    expect(state()).toEqual(healthy)
    expect(estate.tables.nodes).toEqual(records.nodes)
  })

  test('is not in error when it misses its promise, until its site is back', () => {
    estate.observe(source, records, { state: healthy, promiseMs: 10 })
    show(estate.markSiteUnreachable([source], since))
    expect(show(estate.overdue(source))).toEqual([])
    expect(state()).toEqual(lost)
    show(estate.markSiteUnreachable([source], undefined))
    expect(state()).toMatchObject({ health: 'error' })
  })

  test('has no reason of its own for not answering', () => {
    const down = { ...healthy, health: 'error', error: 'no route', refused: true, untrusted: true } as const
    estate.observe(source, records, { state: down })
    show(estate.markSiteUnreachable([source], since))
    expect(state()).toEqual(lost)
  })

  test('may be named before it has said anything', () => {
    expect(show(estate.markSiteUnreachable([source], since))).toEqual([])
    estate.observe(source, records, { state: healthy })
    expect(state()).toEqual(lost)
    estate.forget(source)
    estate.observe(source, records, { state: healthy })
    expect(state()).toEqual(healthy)
  })
})
