import type { AgeDefaults, GuestSnapshot, Protection, PveBackup } from '@pulse/contract'
import { aGuest, aSnapshot } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { dayMs, events, anEngine, hourMs, minuteMs, settings, T0 } from '../fixtures.ts'

const ages = { enabled: true, warningDays: 7, criticalDays: 14 }
const on = (change: Partial<AgeDefaults> = {}) =>
  settings({ backupDefaults: { ...ages, ...change }, snapshotDefaults: { ...ages, ...change } })
const AGE = 'backup-age-main:100'

const protection = (change: Partial<Protection> = {}) => ({
  protections: [{ vmid: 100, source: 'main', ...change } as Protection],
})
const backedUp = (daysAgo: number, more = {}) =>
  protection({ newest: { at: T0 - daysAgo * dayMs, instance: 'main', storage: 'local', ...more } })
const guest = { guests: [aGuest()] }

/** Emits after the time in which records settle. */
function after(lists: Parameters<ReturnType<typeof anEngine>['tell']>[1], config = on()) {
  const all = anEngine(config)
  all.tell('main', { ...guest, ...lists })
  all.pass(10 * minuteMs)
  return all
}

test('[spec 3 §9] age alerts are off by default; when on, 7 and 14, 30 and 45 days', () => {
  expect(after(backedUp(1000), settings()).open()).toEqual([])
  expect(settings().backupDefaults).toEqual({ enabled: false, warningDays: 7, criticalDays: 14 })
  expect(settings().snapshotDefaults).toEqual({ enabled: false, warningDays: 30, criticalDays: 45 })
})

test.each([
  [6.9, undefined],
  [7, 'warning'],
  [14, 'critical'],
])('a newest backup of %d days is %s', (days, level) => {
  expect(after(backedUp(days)).alert(AGE)?.level).toBe(level)
})

test('it begins when the limit was passed, and names the storage of the backup', () => {
  const { alert } = after(backedUp(9, { datastore: 'main', storage: undefined }))
  expect(alert(AGE)).toMatchObject({
    type: 'backup-age',
    startTime: new Date(T0 - 2 * dayMs).toISOString(),
    resourceId: 'main-pve1-100',
    threshold: 7,
    metadata: { source: 'PBS', datastore: 'main', ageDays: 9, thresholdDays: 7, resourceType: 'VM' },
  })
})

test('a backup grows old without any update, and a new one resolves the alert', () => {
  const { pass, open, alert, tell } = after(backedUp(6))
  pass(dayMs - 11 * minuteMs)
  expect(open()).toEqual([])
  pass(2 * minuteMs)
  expect(open()).toEqual([AGE])
  pass(7 * dayMs)
  expect(alert(AGE)!.level).toBe('critical')
  expect(events(tell('main', backedUp(-7)))).toEqual([`resolved ${AGE}`])
})

test('one or both limits can be off', () => {
  expect(after(backedUp(30), on({ criticalDays: 0 })).alert(AGE)!.level).toBe('warning')
  expect(after(backedUp(10), on({ warningDays: 0 })).open()).toEqual([])
  expect(after(backedUp(30), on({ warningDays: 0 })).alert(AGE)!.level).toBe('critical')
  expect(after(backedUp(30), on({ warningDays: 0, criticalDays: 0 })).open()).toEqual([])
})

test('only certain backups count: not another guest’s, not a date in the future, not none', () => {
  const held = { at: T0 - 90 * dayMs, instance: 'main' }
  expect(after(protection()).open()).toEqual([])
  expect(after(protection({ newest: held, ambiguous: { ...held, at: T0 } })).open()).toEqual([])
  // Either backup may be the guest's own, but no newer one exists.
  expect(after(protection({ newest: held, ambiguous: held })).open()).toEqual([AGE])
  expect(after(protection({ newest: { ...held, future: true } })).open()).toEqual([])
})

test('lists arrive one after another: nothing fires before all had time to arrive', () => {
  const { tell, pass, open } = anEngine(on())
  tell('main', { ...guest, ...backedUp(90) })
  pass(9 * minuteMs)
  tell('main', backedUp(1))
  pass(10 * minuteMs)
  expect(open()).toEqual([])
})

test('a backup server that does not answer may hold a newer one', () => {
  const { tell, silence, pass, open } = anEngine(on())
  silence('backup', {}, { kind: 'pbs', name: 'pbs-backup' })
  tell('main', { ...guest, ...backedUp(90) })
  pass(30 * minuteMs)
  expect(open()).not.toContain(AGE)
  tell('backup', {}, { kind: 'pbs', name: 'pbs-backup' })
  pass(10 * minuteMs)
  expect(open()).toEqual([AGE])
})

test('a backup waits for its guest to be known; a stopped guest counts as well', () => {
  const { tell, pass, open } = anEngine(on())
  tell('main', backedUp(90))
  pass(20 * minuteMs)
  expect(open()).toEqual([])
  tell('main', { guests: [aGuest({ status: 'stopped', lock: 'suspended' })] })
  expect(open()).toEqual([AGE])
})

test('the switches of the guest count here too', () => {
  const { configure, open } = after(backedUp(90))
  configure({ overrides: { 'guest:main:100': { disabled: true } } })
  expect(open()).toEqual([])
  configure({ overrides: {} })
  expect(open()).toEqual([AGE])
  // Backups have a table of their own.
  configure({ disableAllGuests: true })
  expect(open()).toEqual([AGE])
})

test('a backup server that is unreachable for more than a day holds no age alert', () => {
  const { tell, silence, poll, open } = anEngine(on())
  silence('backup', {}, { kind: 'pbs', name: 'pbs-backup' })
  tell('main', { ...guest, ...backedUp(90) })
  for (let hours = 0; hours < 23; hours++) for (let n = 0; n < 360; n++) poll('main')
  expect(open()).not.toContain(AGE)
  for (let n = 0; n < 2 * 360; n++) poll('main')
  expect(open()).toContain(AGE)
})

test('[design 13] a backup server that has just become unreachable holds age alerts, also when the clock is set forward by days', () => {
  const { tell, silence, step, pass, open } = anEngine(on())
  tell('backup', {}, { kind: 'pbs', name: 'pbs-backup' })
  silence('backup', {}, { kind: 'pbs', name: 'pbs-backup' })
  step(3 * dayMs)
  tell('main', { ...guest, ...backedUp(90) })
  pass(20 * minuteMs)
  expect(open()).not.toContain(AGE)
  pass(dayMs)
  expect(open()).toContain(AGE)
})

test('an unknown run is not a successful run', () => {
  const failed = { at: T0 - hourMs, error: 'no space left' }
  const all = after(protection({ failed }), settings())
  expect(all.open()).toEqual(['backup-failed-main:100'])
  all.restart(minuteMs).look()
  all.tell('main', protection({ newest: { at: T0 - 2 * dayMs, instance: 'main' } }))
  all.pass(3 * dayMs)
  expect(all.open()).toEqual(['backup-failed-main:100'])
  const [over] = all.tell('main', protection({ succeeded: T0 }))
  expect(over).toMatchObject({ what: 'resolved', stored: { alert: { endReason: 'condition' } } })
})

test('failed runs have a switch of their own', () => {
  const failed = { at: T0 - hourMs, error: 'no space left' }
  const { configure, open } = after(protection({ failed }), settings())
  configure({ disableAllGuests: true })
  expect(open()).toEqual(['backup-failed-main:100'])
  configure({ disableAllFailedBackups: true })
  expect(open()).toEqual([])
})

test('[R20] setting the wall clock makes nothing older', () => {
  for (const step of [3 * dayMs, 30 * dayMs, -3 * dayMs, hourMs]) {
    const { step: set, tell, pass, open, said } = after(backedUp(5))
    set(step)
    tell('main', backedUp(5, { storage: 'other' }))
    pass(hourMs)
    tell('main', backedUp(5))
    pass(12 * hourMs)
    expect(open()).toEqual([])
    expect(said).toEqual([])
  }
})

const snapshot = (days: number, change: Partial<GuestSnapshot> = {}) => ({
  pveBackups: [
    {
      list: 'guestSnapshots',
      id: 'main-pve1-100-before',
      name: 'before',
      node: 'pve1',
      instance: 'main',
      type: 'qemu',
      vmid: 100,
      time: new Date(T0 - days * dayMs).toISOString(),
      vmstate: false,
      source: 'main',
      ...change,
    } as PveBackup,
  ],
})
const SNAPSHOT = 'snapshot-age-main:100:before'

test('[spec 3 §9] a snapshot grows old too', () => {
  expect(after(snapshot(6)).open()).toEqual([])
  const { alert, tell, open } = after(snapshot(20))
  expect(alert(SNAPSHOT)).toMatchObject({
    type: 'snapshot-age',
    level: 'critical',
    resourceId: 'main-pve1-100-before',
    metadata: {
      snapshotName: 'before',
      snapshotAgeDays: 20,
      snapshotAgeHours: 480,
      guestName: 'vm-100',
      guestType: 'qemu',
      guestInstance: 'main',
      guestNode: 'pve1',
      guestVmid: 100,
      guestId: 'main-pve1-100',
      thresholdDays: 14,
    },
  })
  tell('main', { pveBackups: [] })
  expect(open()).toEqual([])
  expect(after(snapshot(-1)).open()).toEqual([])
})

test('[R18] the memory of a failed run is dropped after a success: in the end every guest has failed once', () => {
  const failed = { at: T0 - hourMs, error: 'no space left' }
  const { tell, pass, open, engine } = after(protection(), settings())
  const { kept } = engine.size
  tell('main', protection({ failed }))
  expect([open(), engine.size.kept]).toEqual([['backup-failed-main:100'], kept + 1])
  tell('main', protection({ succeeded: T0 }))
  tell('main', protection({ succeeded: T0 + 1 }))
  pass(2 * hourMs)
  expect([open(), engine.size.kept]).toEqual([[], kept])
})

test('a failed backup run fires until one succeeds', () => {
  const failed = { at: T0 - hourMs, error: 'no space left' }
  const { alert, tell, open } = after(protection({ failed }), settings())
  expect(alert('backup-failed-main:100')).toMatchObject({
    type: 'backup-failed',
    level: 'warning',
    message: 'The last backup of vm-100 failed: no space left',
    startTime: new Date(T0 - hourMs).toISOString(),
  })
  tell('main', backedUp(0))
  expect(open()).toEqual([])
})

test('[facts/alerts 12.14] a backup that was just read is judged after the other lists have arrived', () => {
  const all = anEngine(on())
  all.tell('main', { ...guest, ...backedUp(9) })
  all.pass(9 * minuteMs)
  expect(all.open()).toEqual([])
  expect(all.trace(AGE, AGE) ?? all.trace('main:100', AGE)).toMatchObject({
    state: 'held',
    reason: 'Still collecting data.',
  })
  all.tell('main', { ...guest, ...backedUp(1) })
  all.pass(hourMs)
  expect(all.open()).toEqual([])
})

test('[R18] removed snapshots leave nothing behind, whether or not their guest was known', () => {
  const all = anEngine(on())
  const snapshot = aSnapshot({ vmid: 100, time: new Date(T0).toISOString() })
  all.tell('main', { ...guest, pveBackups: [snapshot] })
  expect(all.engine.size.due).toBe(1)
  all.tell('main', { pveBackups: [] })
  expect(all.engine.size).toMatchObject({ due: 0, kept: 0 })
  all.tell('main', { guests: [], pveBackups: [snapshot] })
  expect(all.engine.size.kept).toBe(1)
  all.tell('main', { pveBackups: [] })
  expect(all.engine.size).toMatchObject({ due: 0, kept: 0 })
})
