import {
  alertDefaults,
  type AlertConfig,
  type Datastore,
  type Forecast,
  type Guest,
  type GuestDisk,
} from '@pulse/contract'
import { aGuest, aGuestDisk, aPbsServer, aStorage } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { fileSystemId } from '../../file-systems.ts'
import { fileSystemAlerts } from '../file-system-alerts.ts'
import { anEngine, dayMs, events, hourMs, settings, T0 } from '../fixtures.ts'

const ID = 'full-within-main:pve1:local'
const KEY = 'storage:main:pve1:local'
const inDays = (full: number, early?: number, late?: number): Forecast => ({
  fullAt: T0 + full * dayMs,
  ...(early !== undefined && { earliestAt: T0 + early * dayMs }),
  ...(late !== undefined && { latestAt: T0 + late * dayMs }),
})
const storage = (forecast?: Forecast, change: Partial<ReturnType<typeof aStorage>> = {}) => ({
  storage: [aStorage({ ...(forecast && { forecast }), ...change })],
})

function given(config: Partial<AlertConfig> = {}) {
  const all = anEngine(settings(config))
  return { ...all, say: (forecast?: Forecast) => events(all.poll('main', storage(forecast))) }
}

describe('[M 3.6] full within N days', () => {
  test('is a warning of storage as soon as the estimate is within seven days', () => {
    const { say, alert } = given()
    expect(say(inDays(7.5, 5, 12))).toEqual([])
    expect(say(inDays(6.6, 4.2, 8.1))).toEqual([`raised ${ID}`])
    expect(alert(ID)).toMatchObject({
      type: 'full-within',
      level: 'warning',
      value: 6.6,
      threshold: 7,
      message: 'Storage local will be full in about 7 days (4 to 8)',
      metadata: { earliestDays: 4.2, latestDays: 8.1 },
    })
  })

  test('is one of datastores too', () => {
    const { tell, open, alert } = anEngine()
    const datastore: Datastore = {
      server: 'pbs-backup',
      name: 'main',
      status: 'available',
      source: 'backup',
      forecast: inDays(3, 2, 4),
    }
    tell('backup', { pbs: [aPbsServer()], datastores: [datastore] }, { kind: 'pbs' })
    expect(open()).toEqual(['full-within-backup:main'])
    expect(alert('full-within-backup:main')!.message).toBe(
      'Datastore main will be full in about 3 days (2 to 4)',
    )
  })

  test.each([
    [inDays(0.4, 0.3, 0.5), 'will be full in less than a day'],
    [inDays(1.2, 1, 2), 'will be full in about 1 day (1 to 2)'],
    [inDays(5, 5, 5), 'will be full in about 5 days'],
    [inDays(5, 3), 'will be full in about 5 days (at least 3)'],
  ])('says %j in words', (forecast, words) => {
    const { say, alert } = given()
    say(forecast)
    expect(alert(ID)!.message).toBe(`Storage local ${words}`)
  })

  test('fires when time alone brings the day near', () => {
    const { say, pass, open } = given()
    say(inDays(8))
    pass(20 * hourMs)
    expect(open()).toEqual([])
    pass(5 * hourMs)
    expect(open()).toEqual([ID])
  })

  test('a forecast that moves around its limit is one alert; it clears when it is half as far again', () => {
    const { say } = given()
    expect([7, 8, 6, 10, 7].flatMap((days) => say(inDays(days)))).toEqual([`raised ${ID}`])
    expect(say(inDays(11))).toEqual([`resolved ${ID}`])
  })

  test.each<Forecast>([{ reason: 'flat' }, { reason: 'late' }, { reason: 'short', hasEased: true }])(
    'clears when there is no date any more: %j',
    (forecast) => {
      const { say } = given()
      say(inDays(3))
      expect(say(forecast)).toEqual([`resolved ${ID}`])
    },
  )

  test('neither starts nor clears with too little history, such as after the history was deleted', () => {
    const { say, explain } = given()
    expect(say({ reason: 'short' })).toEqual([])
    say(inDays(3))
    expect(say({ reason: 'short' })).toEqual([])
    expect(explain(ID)).toMatchObject([{ reason: 'It has too little history for a forecast.' }])
    expect(say({ reason: 'flat' })).toEqual([`resolved ${ID}`])
  })

  test('neither starts nor clears without a forecast, nor while the growth is irregular', () => {
    const { say, explain } = given()
    expect(say({ reason: 'irregular' })).toEqual([])
    expect(say()).toEqual([])
    say(inDays(3))
    expect(say({ reason: 'irregular' })).toEqual([])
    expect(explain(ID)).toMatchObject([{ reason: 'It grows too irregularly for a forecast.' }])
    expect(say()).toEqual([])
    expect(explain(ID)).toMatchObject([{ reason: 'Its history has not been read yet.' }])
  })

  test('follows its days: those of all, those of one storage, and none', () => {
    const off = { storageLimits: { fullWithin: -1 } }
    const own = { overrides: { [KEY]: { fullWithin: 30 } } }
    const open = (config: Partial<AlertConfig>, days: number) => {
      const { say, open: active } = given(config)
      say(inDays(days))
      return active().length
    }
    expect([open({}, 20), open(own, 20), open(off, 1), open({ ...off, ...own }, 20)]).toEqual([0, 1, 0, 1])
  })

  test('ends without being called resolved when its days are lowered or switched off', () => {
    for (const fullWithin of [5, -1]) {
      const { say, configure, said } = given()
      say(inDays(6))
      configure({ storageLimits: { fullWithin } })
      expect(said.at(-1)).toMatchObject({ what: 'resolved', stored: { alert: { endReason: 'unwatched' } } })
    }
  })

  test('is off for a disabled storage', () => {
    const { poll, open } = anEngine()
    poll('main', storage(inDays(1), { enabled: false, status: 'disabled' }))
    expect(open()).toEqual([])
  })
})

describe('[M 3.6] full within N days, of guests', () => {
  const ofGuest = { id: 'main:100', alert: 'full-within-main:100' }
  const [root, srv] = ['/', '/srv'].map((mountpoint) => aGuestDisk(mountpoint))
  const inUse = { guestDefaults: { ...alertDefaults.guestDefaults, fullWithin: 7 } }

  function ofGuests(config: Partial<AlertConfig> = inUse) {
    const all = anEngine(settings(config))
    return {
      ...all,
      say(dates: Record<string, Forecast>, change: Partial<Guest> = {}) {
        const forecasts = Object.entries(dates).map(([id, forecast]) => ({
          kind: id === ofGuest.id ? ('guests' as const) : ('fileSystems' as const),
          id,
          forecast,
        }))
        return [
          ...events(all.tell('forecasts', { forecasts })),
          ...events(all.poll('main', { guests: [aGuest({ vmid: 100, name: 'web', ...change })] })),
        ]
      },
    }
  }

  test('is off until it is switched on', () => {
    const { say, open } = ofGuests({})
    say({ [ofGuest.id]: inDays(1) })
    expect(open()).toEqual([])
  })

  test('is about the disk of a guest that does not report its file systems', () => {
    const { say, alert } = ofGuests()
    expect(say({ [ofGuest.id]: inDays(3, 2, 4) })).toEqual([`raised ${ofGuest.alert}`])
    expect(alert(ofGuest.alert)!.message).toBe('Disk of web will be full in about 3 days (2 to 4)')
    expect(say({ [ofGuest.id]: { reason: 'flat' } }, { cpu: 0.5 })).toEqual([`resolved ${ofGuest.alert}`])
  })

  test('is about each file system that is reported', () => {
    const { say, alert, open } = ofGuests()
    const dates = { 'main:100:root': inDays(300), 'main:100:srv': inDays(3, 2, 4) }
    say(dates, { disks: [root!, srv!] })
    expect(open()).toEqual([`${ofGuest.alert}-srv`])
    expect(alert(`${ofGuest.alert}-srv`)!.message).toBe(
      'File system /srv of web will be full in about 3 days (2 to 4)',
    )
  })

  test('stays while the agent is silent, the guest is locked or unknown, and ends when it stops', () => {
    const { say, open } = ofGuests()
    const dates = { 'main:100:srv': inDays(3) }
    const one = [`${ofGuest.alert}-srv`]
    say(dates, { disks: [srv!] })
    for (const change of [{}, { status: 'unknown' }, { status: 'stopped', lock: 'backup' }]) {
      say(dates, change)
      expect(open(), JSON.stringify(change)).toEqual(one)
    }
    say(dates, { disks: [srv!] })
    say(dates, { status: 'stopped' })
    expect(open()).toEqual([])
  })

  test('a virtual machine whose agent does not answer yet, or no more, has none about the sum', () => {
    const { say, open } = ofGuests()
    const dates = { 'main:100:srv': inDays(3), 'main:100': inDays(4) }
    const unknown = { disk: { total: 100 } }
    expect(say(dates, unknown)).toEqual([])
    expect(say(dates, { disks: [srv!] })).toEqual([`raised ${ofGuest.alert}-srv`])
    expect(say(dates, unknown)).toEqual([])
    expect(open()).toEqual([`${ofGuest.alert}-srv`])
  })

  test.each<[string, Partial<Guest>]>([
    ['its agent is silent', {}],
    ['it is locked', { lock: 'backup' }],
    ['its status is unknown', { status: 'unknown' }],
  ])('ends without being called resolved when it is switched off while %s', (_, change) => {
    const { say, open, configure, said } = ofGuests()
    say({ 'main:100:srv': inDays(3) }, { disks: [srv!] })
    say({ 'main:100:srv': inDays(3) }, change)
    expect(open()).toHaveLength(1)
    configure(alertDefaults)
    expect(open()).toEqual([])
    expect(said.at(-1)).toMatchObject({ what: 'resolved', stored: { alert: { endReason: 'unwatched' } } })
  })

  test('alerts of mount points of any length are different ones, and stay while nothing is known', () => {
    const { say, open } = ofGuests()
    const [one, two] = ['one', 'two'].map((end) => ({ ...srv!, mountpoint: `/${'long/'.repeat(200)}${end}` }))
    const of = (disk: GuestDisk) => fileSystemId(ofGuest.id, disk, 0)
    say({ [of(one!)]: inDays(3) }, { disks: [one!, two!] })
    expect(open()).toHaveLength(1)
    say({ [of(one!)]: { reason: 'irregular' } }, { disks: [one!, two!], cpu: 0.1 })
    expect(open()).toHaveLength(1)
    expect(say({ [of(one!)]: { reason: 'flat' } }, { disks: [one!, two!], cpu: 0.2 })).toEqual([
      expect.stringMatching(/^resolved /),
    ])
  })

  test('the alert of a file system is found by its key', () => {
    const { say, open } = ofGuests()
    say({ 'main:100:srv': inDays(3) }, { disks: [srv!] })
    expect([...fileSystemAlerts(ofGuest.id, 'srv')]).toEqual(expect.arrayContaining(open()))
  })

  test('a guest may have its own days', () => {
    const { say, open } = ofGuests({ overrides: { 'guest:main:100': { fullWithin: 30 } } })
    say({ 'main:100:srv': inDays(20) }, { disks: [srv!] })
    expect(open()).toEqual([`${ofGuest.alert}-srv`])
  })
})
