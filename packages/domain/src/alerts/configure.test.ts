import type { AlertConfig } from '@pulse/contract'
import { aDisk, aGuest, aNode, aStorage } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { events, anEngine, minuteMs, settings } from './fixtures.ts'
import type { AlertChange } from './stored.ts'

const CPU = 'main:100-cpu'
const at = (cpu: number) => ({ guests: [aGuest({ cpu })] })
const guestCpu = (trigger: number, clear = trigger - 5): Partial<AlertConfig> => ({
  guestDefaults: { ...settings().guestDefaults, cpu: { trigger, clear } },
})
const open85 = () => {
  const all = anEngine()
  all.tell('main', at(0.85))
  all.poll('main', at(0.85))
  return all
}

/** Open alerts of many kinds. */
function manyOpen() {
  const all = anEngine()
  const lists = {
    nodes: [aNode({ status: 'offline', connectionHealth: 'offline' })],
    guests: [aGuest({ cpu: 0.95 }), aGuest({ vmid: 101, status: 'stopped' })],
    storage: [aStorage({ status: 'inactive', active: false })],
    physicalDisks: [aDisk({ health: 'FAILED', wearout: 3 })],
  }
  all.tell('main', lists)
  for (let round = 0; round < 3; round++) all.poll('main')
  return all
}

test('[R6] saving unchanged settings resolves and fires nothing', () => {
  const { configure, open, poll } = manyOpen()
  const before = open()
  expect(before).toEqual(
    [
      'disk-health-main:S5Y1-pve1-sda',
      'disk-wearout-main:S5Y1-pve1-sda',
      'guest-powered-off-main:101',
      CPU,
      'node-offline-main:pve1',
      'storage-offline-main:pve1:local',
    ].sort(),
  )
  for (let save = 0; save < 100; save++)
    expect(events(configure({ minimumDelta: 2 + save / 100 }))).toEqual([])
  poll('main')
  expect(open()).toEqual(before)
})

test('[spec 3 §1] raising a threshold while a guest is stale, or right before a kill, resolves nothing that is beyond the former threshold', () => {
  const ended = ({ ending, stored }: AlertChange) => [ending, stored.alert.endReason, stored.alert.endNote]
  const unwatched = [['off', 'unwatched', 'Its threshold is now 95.']]
  const silent = open85()
  silent.silence('main', { guests: [aGuest({ cpu: 0.85, staleSince: silent.moment().now })] })
  silent.configure(guestCpu(95))
  expect(silent.open()).toEqual([CPU])
  expect(silent.poll('main', at(0.84)).map(ended)).toEqual(unwatched)

  const killed = open85()
  const kept = killed.engine.snapshot(killed.moment())
  killed.configure(guestCpu(95))
  expect(killed.restart(minuteMs, kept).look().map(ended)).toEqual(unwatched)

  const well = open85()
  const before = well.engine.snapshot(well.moment())
  well.configure(guestCpu(95))
  well.tell('main', at(0.1))
  expect(well.restart(minuteMs, before).look().map(ended)).toEqual([['value', 'condition', undefined]])
})

/** 100 saves; 1,000 in the long run of the tests. */
const SAVES = 100 * Number(process.env['PULSE_TEST_SCALE'] ?? 1)

test('[R6] 500 open alerts, settings saved repeatedly while figures move: none fires again, none ends', () => {
  const { tell, poll, configure, open, said } = anEngine()
  const lists = (round: number) => ({
    guests: Array.from({ length: 500 }, (_, index) =>
      aGuest({ vmid: index + 1, id: `main-pve1-${index + 1}`, cpu: 0.9 + ((index + round) % 9) / 100 }),
    ),
  })
  tell('main', lists(0))
  poll('main', lists(1))
  expect(open()).toHaveLength(500)
  said.length = 0
  for (let save = 0; save < SAVES; save++) {
    if (save % 10 === 0) poll('main', lists(save))
    configure({ suppressionWindow: 1 + (save % 9), ...guestCpu(70 + (save % 15)) })
  }
  expect(said.filter(({ what }) => what !== 'refreshed' && what !== 'leveled')).toEqual([])
  expect(open()).toHaveLength(500)
})

test('a higher threshold ends the alerts below it, also between its clear value and its trigger', () => {
  for (const [trigger, clear] of [
    [95, 90],
    [90, 80],
  ] as const) {
    const { configure } = open85()
    const [change] = configure(guestCpu(trigger, clear))
    expect(change).toMatchObject({
      what: 'resolved',
      stored: { alert: { id: CPU, endReason: 'unwatched', endNote: `Its threshold is now ${trigger}.` } },
    })
  }
})

test('an alert that also exceeds the new threshold stays the same', () => {
  const { configure, alert } = open85()
  expect(events(configure(guestCpu(78)))).toEqual([])
  expect(alert(CPU)).toMatchObject({ threshold: 78, metadata: { clearThreshold: 73 } })
})

test.each([
  ['the metric', guestCpu(0)],
  ['the metric, as pages do', guestCpu(-1)],
  ['the guest', { overrides: { 'guest:main:100': { disabled: true } } }],
  ['all guests', { disableAllGuests: true }],
  ['everything', { enabled: false }],
] as [string, Partial<AlertConfig>][])(
  'switching off %s ends its alert at once, and it does not fire again',
  (_what, change) => {
    const { configure, poll, open, trace } = open85()
    const changes = configure(change)
    expect(events(changes)).toEqual([`resolved ${CPU}`])
    expect(changes[0]!.stored.alert).toMatchObject({ endReason: 'unwatched', endNote: expect.any(String) })
    for (let round = 0; round < 5; round++) poll('main', at(0.9 + round / 100))
    expect(open()).toEqual([])
    expect(trace('main-pve1-100', CPU)).toMatchObject({ state: 'off', reason: expect.any(String) })
  },
)

test('switched on again within minutes the same alert continues', () => {
  const { configure, poll, said } = open85()
  configure({ disableAllGuests: true })
  configure({ disableAllGuests: false })
  expect(events(poll('main', at(0.86)))).toEqual([`reopened ${CPU}`])
  expect(new Set(said.map(({ stored }) => stored.episode)).size).toBe(1)
})

test('a lower threshold is applied at once to known figures, and its delay starts then', () => {
  const { tell, poll, configure, open } = anEngine()
  tell('main', at(0.6))
  expect(configure(guestCpu(50))).toEqual([])
  poll('main', at(0.61))
  expect(open()).toEqual([CPU])
})

test('delays of minutes are respected', () => {
  const { tell, poll, open } = anEngine(settings({ metricTimeThresholds: { guest: { cpu: 30 * 60 } } }))
  tell('main', at(0.85))
  for (let ms = 0; ms < 29 * minuteMs; ms += 10_000) poll('main', at(0.85 + (ms % 7) / 1000))
  expect(open()).toEqual([])
  for (let ms = 0; ms < 1.5 * minuteMs; ms += 10_000) poll('main', at(0.85 + (ms % 7) / 1000))
  expect(open()).toEqual([CPU])
})

test('an alert that exceeds a higher trigger stays until it falls to the new clear value', () => {
  const { configure, poll, open } = open85()
  expect(events(configure(guestCpu(84)))).toEqual([])
  expect(events(poll('main', at(0.81)))).toEqual([])
  expect(open()).toEqual([CPU])
  expect(events(poll('main', at(0.79)))).toEqual([`resolved ${CPU}`])
})
