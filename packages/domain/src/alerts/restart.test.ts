import { aDisk, aDockerContainer, aDockerHost, aGuest, aNode } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { dayMs, events, anEngine, hourMs, minuteMs, settings } from './fixtures.ts'

const CPU = 'main:100-cpu'
const busy = { guests: [aGuest({ cpu: 0.9 })], nodes: [aNode({ cpu: 0.95 })] }

function open() {
  const all = anEngine()
  all.tell('main', busy)
  all.poll('main', busy)
  return all
}

test('a restart reports nothing again: open alerts keep their start and acknowledgement', () => {
  const { acknowledge, restart, alert, engine, pass, poll, open: ids } = open()
  acknowledge(CPU)
  pass(30 * hourMs)
  const before = alert(CPU)
  expect(events(restart(minuteMs).look())).toEqual([])
  expect(alert(CPU)).toMatchObject({
    startTime: before!.startTime,
    acknowledged: true,
    ackUser: 'ann',
    ackTime: before!.ackTime,
  })
  poll('main', busy)
  expect(events(poll('main', busy))).toEqual([])
  expect(ids()).toHaveLength(2)
  expect(engine.recentlyResolved().size).toBe(0)
})

test('durations include the time before the restart', () => {
  const { restart, poll, pass } = open()
  pass(10 * minuteMs)
  restart(5 * minuteMs).look()
  const [resolved] = poll('main', { ...busy, guests: [aGuest()] })
  expect(resolved).toMatchObject({ what: 'resolved', durationMs: 15 * minuteMs + 20_000 })
})

test('no alert ends before its source has listed its records; a record missing 15 minutes later is gone', () => {
  const before = open()
  const kept = before.engine.snapshot(before.moment())
  const after = anEngine(undefined, kept)
  after.pass(10 * minuteMs)
  after.tell('main', { nodes: [] })
  expect(after.open()).toEqual([CPU, 'main:pve1-cpu'])
  expect(after.explain(CPU)[0]).toMatchObject({ state: 'held' })
  after.pass(6 * minuteMs)
  expect(after.open()).toEqual([])
})

test('an alert stays while its source is unreachable, and ends when the source is removed', () => {
  const before = open()
  const kept = before.engine.snapshot(before.moment())
  const silent = anEngine(undefined, kept)
  silent.silence('main')
  silent.pass(5 * hourMs)
  expect(silent.open()).toContain(CPU)
  const removed = anEngine(undefined, kept)
  removed.pass(15 * minuteMs)
  expect(removed.open()).toEqual([])
})

test('an alert of a former rule or kind of record ends without an error', () => {
  const before = open()
  const { alerts, memory } = before.engine.snapshot(before.moment())
  const [first, second] = alerts
  const after = anEngine(undefined, {
    alerts: [
      { ...first!, rule: 'of yesterday' },
      { ...second!, kind: 'of yesterday' as never },
    ],
    memory,
  })
  expect(after.open()).toEqual([first!.alert.id])
  after.tell('main', { guests: [aGuest()], nodes: [aNode()] })
  after.pass(16 * minuteMs)
  expect(after.open()).toEqual([])
})

test('alerts that ended within the last hour are restored from their rows alone', () => {
  const all = open()
  all.acknowledge(CPU)
  const quiet = { ...busy, guests: [aGuest({ status: 'paused' })] }
  const [resolved] = all.poll('main', quiet)
  const gone = [{ stored: resolved!.stored, ending: resolved!.ending!, endedAt: resolved!.at }]
  all.restart(minuteMs, { alerts: [], gone }).look()
  expect(all.engine.recentlyResolved().get(CPU)).toMatchObject({ resolvedTime: '2026-01-01T12:00:20.000Z' })
  all.tell('main', busy)
  const changes = all.poll('main', busy)
  expect(events(changes)).toContain(`reopened ${CPU}`)
  expect(all.alert(CPU)).toMatchObject({ acknowledged: true, startTime: '2026-01-01T12:00:00.000Z' })
})

test('[R20] an alert stored by a clock that was ahead began no later than now', () => {
  const before = open()
  before.step(72 * hourMs)
  before.tell('main', { guests: [aGuest({ cpu: 0.99 })] })
  const kept = before.engine.snapshot(before.moment())
  const after = anEngine(undefined, kept)
  after.tell('main', { guests: [aGuest()] })
  expect(after.said[0]).toMatchObject({ what: 'resolved', durationMs: expect.any(Number) })
  expect(after.said[0]!.durationMs).toBeGreaterThanOrEqual(0)
})

test('[R20] a clock that is set back does not suppress a flapping alert for days', () => {
  const all = anEngine(settings({ minimumDelta: 0.1 }))
  const off = { guests: [aGuest({ status: 'stopped' })] }
  const on = { guests: [aGuest()] }
  for (let round = 0; round < 3; round++) {
    all.poll('main', off)
    all.poll('main')
    if (round < 2) all.poll('main', on)
  }
  const [id] = all.open()
  expect(all.alert(id!)!.metadata).toMatchObject({ flapping: true })
  const kept = all.engine.snapshot(all.moment())
  all.step(-72 * hourMs)
  all.restart(0, kept).look()
  all.pass(hourMs)
  expect(all.alert(id!)!.metadata).not.toHaveProperty('flapping')
})

test('[R18] values that rules stored for records removed while Pulse was down are dropped within a day', () => {
  const before = anEngine()
  const lists = (...names: string[]) => ({
    dockerHosts: [aDockerHost()],
    dockerContainers: names.map((name) => aDockerContainer({ name })),
  })
  const docker = { kind: 'docker', name: 'dock1' } as const
  before.tell('dock1', lists('web', 'run-1', 'run-2'), docker)
  expect(before.engine.size.kept).toBe(3)
  const after = anEngine(undefined, before.engine.snapshot(before.moment()))
  after.tell('dock1', lists('web', 'run-3'), docker)
  after.pass(25 * hourMs)
  expect(Object.keys(after.engine.snapshot(after.moment()).memory.rules)).toEqual([
    'dockerContainers dock1:web',
    'dockerContainers dock1:run-3',
  ])
})

test('an alert whose guest does not report the figure is held as long as the guest exists', () => {
  const full = { total: 100, used: 95, free: 5, usage: 95 }
  const before = anEngine()
  for (let round = 0; round < 2; round++)
    before.poll('main', { guests: [aGuest({ disks: [{ ...full, mountpoint: '/srv' }] })] })
  expect(before.open()).toEqual(['main:100-disk-srv-disk'])
  const after = anEngine(undefined, before.engine.snapshot(before.moment()))
  after.tell('main', { guests: [aGuest()] })
  after.pass(hourMs)
  expect(after.open()).toEqual(['main:100-disk-srv-disk'])
})

test('switching all alerts off ends restored alerts without a record too', () => {
  const before = open()
  const after = anEngine(undefined, before.engine.snapshot(before.moment()))
  after.configure({ enabled: false })
  expect(after.open()).toEqual([])
})

const badDisk = { nodes: [aNode()], physicalDisks: [aDisk({ health: 'FAILED' })] }
const DISK = 'disk-health-main:S5Y1-pve1-sda'
const diskBefore = () => {
  const before = anEngine()
  before.tell('main', badDisk)
  return anEngine(undefined, before.engine.snapshot(before.moment()))
}

test('an alert about a node that has been offline since the start stays', () => {
  const after = diskBefore()
  const away = { status: 'offline', connectionHealth: 'offline', staleSince: 1 } as const
  after.tell('main', { nodes: [aNode(away)] })
  after.pass(72 * hourMs)
  expect(after.open()).toContain(DISK)
})

test('an alert whose list has not been read stays for a day; one whose list was read without it is gone', () => {
  const unread = diskBefore()
  unread.tell('main', { nodes: [aNode()] })
  unread.pass(23 * hourMs)
  expect(unread.open()).toEqual([DISK])
  const [end] = unread.pass(2 * hourMs).filter(({ what }) => what === 'resolved')
  expect(end!.stored.alert).toMatchObject({ id: DISK, endReason: 'gone' })
  const read = diskBefore()
  read.tell('main', { nodes: [aNode()], physicalDisks: [aDisk({ serial: 'other' })] })
  read.pass(16 * minuteMs)
  expect(read.open()).toEqual([])
})

test('[R20] a lock counts for a day at most, also after a restart with the clock set back by three days', () => {
  const { tell, pass, step, restart, open: ids } = anEngine()
  const locked = { guests: [aGuest({ status: 'stopped', lock: 'backup' })] }
  tell('main', locked)
  pass(hourMs)
  step(-3 * dayMs)
  restart(minuteMs).look()
  for (let hour = 0; hour < 22; hour++) {
    pass(hourMs)
    tell('main', locked)
  }
  expect(ids()).toEqual([])
  for (let hour = 0; hour < 3; hour++) {
    pass(hourMs)
    tell('main', locked)
  }
  expect(ids()).toEqual(['guest-powered-off-main:100'])
})
