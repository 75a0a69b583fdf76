import type { Node } from '@pulse/contract'
import { aNode } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { events, anEngine, minuteMs, settings } from '../fixtures.ts'

const nodes = (change: Partial<Node> = {}) => ({ nodes: [aNode(change)] })
const usage = (percent: number) => ({ total: 100, used: percent, free: 100 - percent, usage: percent })
const OFFLINE = 'node-offline-main:pve1'
const offline = nodes({ status: 'offline', connectionHealth: 'offline', cpu: 0, staleSince: 1 })

const after = (change: Partial<Node>) => {
  const all = anEngine()
  all.tell('main', nodes(change))
  all.poll('main')
  return all
}

test.each([
  ['cpu', { cpu: 0.8 }, { cpu: 0.799 }],
  ['memory', { memory: usage(85) }, { memory: usage(84) }],
  ['disk', { disk: usage(90) }, { disk: usage(89) }],
  [
    'temperature',
    { temperature: { available: true, hasCPU: true, hasNVMe: false, cpuPackage: 80 } },
    { temperature: { available: true, hasCPU: true, hasNVMe: false, cpuPackage: 79 } },
  ],
] as [string, Partial<Node>, Partial<Node>][])(
  '[spec 3 §9] %s of a node at its trigger is an alert, below it none',
  (metric, at, below) => {
    expect(after(at).open()).toEqual([`main:pve1-${metric}`])
    expect(after(below).open()).toEqual([])
  },
)

test.each([
  [{ available: true, cpuPackage: 0, cpuMax: 70, cores: [{ core: 0, temp: 85 }] }, 85],
  [{ available: true, cpuMax: 90 }, 90],
  [{ available: false, cpuPackage: 99 }, undefined],
  [{ available: true }, undefined],
])('its temperature is that of the package, or of the hottest core: %j', (sensors, expected) => {
  const { alert, trace } = after({ temperature: { hasCPU: true, hasNVMe: false, ...sensors } })
  expect(alert('main:pve1-temperature')?.value).toBe(expected)
  expect(trace('main-pve1', 'main:pve1-temperature')!.unit).toBe('°C')
})

test('[spec 3 §2] an offline node is critical after three checks', () => {
  const { tell, poll, alert } = anEngine()
  tell('main', offline)
  expect(poll('main', offline)).toEqual([])
  expect(events(poll('main', offline))).toEqual([`raised ${OFFLINE}`])
  expect(alert(OFFLINE)).toMatchObject({
    type: 'connectivity',
    level: 'critical',
    startTime: '2026-01-01T12:00:00.000Z',
    metadata: { resourceType: 'Node' },
  })
})

test('it began at the first check, however many follow', () => {
  const { tell, poll, alert } = anEngine()
  tell('main', offline)
  for (let round = 0; round < 20; round++) poll('main')
  expect(alert(OFFLINE)!.startTime).toBe('2026-01-01T12:00:00.000Z')
})

test('the alerts of its figures end when the offline alert fires, not before', () => {
  const { tell, poll, open } = anEngine()
  tell('main', nodes({ cpu: 0.95 }))
  poll('main', nodes({ cpu: 0.95 }))
  poll('main', offline)
  expect(open()).toEqual(['main:pve1-cpu'])
  poll('main', offline)
  poll('main', offline)
  expect(open()).toEqual([OFFLINE])
  poll('main', nodes({ cpu: 0.95 }))
  expect(open()).toEqual([])
  poll('main', nodes({ cpu: 0.96 }))
  expect(open()).toEqual(['main:pve1-cpu'])
})

test('with offline alerts switched off, the alerts of its figures end all the same', () => {
  const { tell, poll, open } = anEngine(settings({ disableAllNodesOffline: true }))
  tell('main', nodes({ cpu: 0.95 }))
  poll('main', nodes({ cpu: 0.95 }))
  expect(open()).toEqual(['main:pve1-cpu'])
  for (let round = 0; round < 3; round++) poll('main', offline)
  expect(open()).toEqual([])
})

test('an unreachable cluster: its nodes cannot be reached, with the reason', () => {
  const { tell, silence, pass, open, alert } = anEngine()
  tell('main', nodes())
  silence('main', nodes({ connectionHealth: 'error', staleSince: 1 }))
  pass(19_000)
  expect(open()).toEqual([])
  pass(1_000)
  expect(open()).toEqual([OFFLINE])
  expect(alert(OFFLINE)!.message).toBe('Node pve1 cannot be reached: no answer')
  tell('main', nodes())
  expect(open()).toEqual([])
})

test('a refused login is reported as such', () => {
  const { tell, silence, pass, alert } = anEngine()
  tell('main', nodes())
  silence('main', nodes({ connectionHealth: 'error', staleSince: 1 }), { refused: true, error: '401' })
  pass(minuteMs)
  expect(alert(OFFLINE)!.message).toBe('Node pve1 cannot be monitored: access refused: 401')
})

test('alerts of a node in an unknown state stay', () => {
  const { tell, poll, open } = anEngine()
  const unknown = nodes({ status: 'unknown', connectionHealth: 'degraded' })
  tell('main', unknown)
  for (let round = 0; round < 4; round++) poll('main', unknown)
  expect(open()).toEqual([])
  for (let round = 0; round < 3; round++) poll('main', offline)
  poll('main', unknown)
  expect(open()).toEqual([OFFLINE])
})
