import { aGuest, aNode, aPbsServer, aProtection } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { anEngine, dayMs, events, minuteMs, pollMs, settings, T0, type Lists } from '../fixtures.ts'

const site = 'Berlin'
const id = 'site-unreachable-Berlin'
const up: Lists = { nodes: [aNode()], guests: [aGuest()] }
const off: Lists = { nodes: [aNode({ status: 'offline', connectionHealth: 'offline' })], guests: [aGuest()] }
const offline = 'node-offline-main:pve1'

type All = ReturnType<typeof anEngine>
const lose = (all: All, ...sources: string[]) => all.markSite(sources, all.moment().now)
const levelOf = (all: All) => all.alert(id)?.level

/** Polls for that time, so that checks confirm what is wrong. */
function pollFor(all: All, ms: number, lists: Lists) {
  for (let passed = 0; passed < ms; passed += pollMs) {
    all.pass(pollMs)
    all.answer('main', lists, { site })
  }
}

describe('the alert about a site', () => {
  const lost = () => {
    const all = anEngine()
    all.answer('main', up, { site })
    all.answer('second', {}, { site, kind: 'pbs', name: 'pbs-second' })
    lose(all, 'main', 'second')
    return all
  }

  test('fires once for all its sources after 2 min, and is critical after 10 min', () => {
    const all = lost()
    all.pass(2 * minuteMs - 1)
    expect(all.open()).toEqual([])
    all.pass(1)
    expect(all.open()).toEqual([id])
    expect(all.alert(id)).toMatchObject({
      type: 'site-unreachable',
      level: 'warning',
      site,
      resourceId: 'site:Berlin',
      resourceName: 'Berlin',
      startTime: new Date(T0).toISOString(),
      message: 'No word from site Berlin: the current state of its connections is unknown',
      metadata: { resourceType: 'Site' },
    })
    all.pass(8 * minuteMs - 1)
    expect(levelOf(all)).toBe('warning')
    all.pass(1)
    expect(levelOf(all)).toBe('critical')
  })

  test('ends when the site is back', () => {
    const all = lost()
    all.pass(3 * minuteMs)
    expect(events(all.markSite(['main', 'second'], undefined))).toEqual([`resolved ${id}`])
  })

  test('continues while one of its sources is without word', () => {
    const all = lost()
    all.pass(3 * minuteMs)
    expect(events(all.markSite(['main'], undefined))).toEqual([])
    expect(all.open()).toEqual([id])
    all.markSite(['second'], undefined)
    all.pass(pollMs)
    all.answer('main', up, { site })
    expect(all.open()).toEqual([])
  })

  test('ends with the last source of the site', () => {
    const all = lost()
    all.pass(3 * minuteMs)
    all.forget('main')
    expect(all.open()).toEqual([id])
    all.forget('second')
    expect(all.open()).toEqual([])
  })

  test('survives a restart', () => {
    const all = lost()
    all.pass(3 * minuteMs)
    all.restart().look()
    expect(all.open()).toEqual([id])
    expect(events(all.markSite(['main', 'second'], undefined))).toEqual([`resolved ${id}`])
  })

  test('is not raised while alerts are switched off', () => {
    const all = lost()
    all.configure({ enabled: false })
    all.pass(20 * minuteMs)
    expect(all.open()).toEqual([])
  })

  test('names the main site too', () => {
    const all = anEngine()
    all.answer('main', up)
    lose(all, 'main')
    all.pass(2 * minuteMs)
    expect(all.alert('site-unreachable-main')).toMatchObject({ resourceName: 'main' })
    expect(all.alert('site-unreachable-main')).not.toHaveProperty('site')
  })

  test('is in no trace of a source without a site', () => {
    const all = anEngine()
    all.answer('pbs1', { pbs: [aPbsServer({ source: 'pbs1' })] }, { kind: 'pbs' })
    expect(all.explain('pbs1').map(({ type }) => type)).not.toContain('site-unreachable')
  })
})

describe('while a site is unreachable', () => {
  test('a source that misses its promise raises nothing', () => {
    const all = anEngine()
    const answer = { nodes: new Map([['main:pve1', aNode()]]) }
    all.estate.observe('main', answer, {
      state: { name: 'main', kind: 'pve', health: 'healthy', lastSeen: T0, site },
      promiseMs: 1,
    })
    all.answer('pbs1', { pbs: [aPbsServer({ source: 'pbs1' })] }, { kind: 'pbs', site })
    lose(all, 'main', 'pbs1')
    for (const patch of all.estate.overdue('main')) all.engine.apply(patch, all.moment())
    for (const patch of all.estate.overdue('pbs1')) all.engine.apply(patch, all.moment())
    all.pass(dayMs)
    expect(all.open()).toEqual([id])
  })

  test('what its cluster called offline before raises nothing new', () => {
    const all = anEngine()
    all.answer('main', up, { site })
    pollFor(all, pollMs, off)
    lose(all, 'main')
    all.pass(dayMs)
    expect(all.open()).toEqual([id])
    expect(all.trace('main:pve1', offline)).toMatchObject({ reason: 'No word from site Berlin.' })
  })

  test('what was raised stays open, also if the last word is that it is over', () => {
    const all = anEngine()
    all.answer('main', up, { site })
    pollFor(all, minuteMs, off)
    expect(all.open()).toEqual([offline])
    lose(all, 'main')
    all.answer('main', up, { site })
    all.pass(dayMs)
    expect(all.open()).toEqual([offline, id])
    all.markSite(['main'], undefined)
    expect(all.open()).toEqual([])
  })

  test('confirmations and delays restart when it is back', () => {
    const all = anEngine()
    all.answer('main', up, { site })
    pollFor(all, 2 * pollMs, off)
    lose(all, 'main')
    all.pass(minuteMs)
    all.markSite(['main'], undefined)
    pollFor(all, pollMs, off)
    expect(all.open()).toEqual([])
    pollFor(all, 2 * pollMs, off)
    expect(all.open()).toEqual([offline])
  })

  test('a backup does not become too old, but does when the site is back', () => {
    const ages = { enabled: true, warningDays: 7, criticalDays: 14 }
    const all = anEngine(settings({ backupDefaults: ages }))
    const newest = { ...aProtection().newest!, at: T0 - 6 * dayMs }
    all.answer('main', { ...up, protections: [aProtection({ newest })] }, { site })
    all.pass(20 * minuteMs)
    lose(all, 'main')
    all.pass(3 * dayMs)
    expect(all.open()).toEqual([id])
    all.markSite(['main'], undefined)
    expect(all.open()).toEqual(['backup-age-main:100'])
  })

  test('alerts of other sites are raised and resolved as ever', () => {
    const all = anEngine()
    all.answer('main', up, { site })
    all.answer('other', { nodes: [aNode({ source: 'other', instance: 'other' })] })
    lose(all, 'main')
    const gone = aNode({ source: 'other', instance: 'other', status: 'offline', connectionHealth: 'offline' })
    for (let round = 0; round < 4; round++) {
      all.pass(pollMs)
      all.answer('other', { nodes: [gone] })
    }
    expect(all.open()).toEqual(['node-offline-other:pve1'])
    expect(all.alert('node-offline-other:pve1')).not.toHaveProperty('site')
  })
})

test('an alert has the site of its source, and the new one when it moves', () => {
  const all = anEngine()
  pollFor(all, minuteMs, off)
  expect(all.alert(offline)).toMatchObject({ site })
  all.answer('main', { nodes: [...off.nodes!] }, { site: 'Rome' })
  all.pass(pollMs)
  expect(all.alert(offline)).toMatchObject({ site: 'Rome' })
  all.answer('main', { nodes: [...off.nodes!] })
  all.pass(pollMs)
  expect(all.alert(offline)).not.toHaveProperty('site')
})
