import type { AlertConfig, AlertOverride } from '@pulse/contract'
import { aDockerContainer, aDockerHost, aGuest, aNode } from '@pulse/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayMs, anEngine, hourMs, minuteMs, settings } from './fixtures.ts'
import { alertLog } from './fixtures-alert-log.ts'

/** 2,000 histories; 100,000 in the long run. */
const HISTORIES = Math.round(2_000 * Number(process.env['PULSE_TEST_SCALE'] ?? 1) ** 1.7)

const vmids = [100, 101, 102] as const
const vmid = fc.constantFrom(...vmids)
const nodeName = fc.constantFrom('pve1', 'pve2')
const cpu = fc.constantFrom(0.1, 0.74, 0.78, 0.79, 0.81, 0.82, 0.85, 0.89, 0.91, 0.97)
const status = fc.constantFrom('running', 'running', 'running', 'stopped', 'paused')

interface World {
  guests: Map<
    number,
    { cpu: number; status: string; node: string; lock?: string | undefined; lockedAt?: number | undefined }
  >
  /** by how much the wall clock was set forward */
  forwardMs: number
  offline: Set<string>
  container: string
  silent: boolean
  config: Partial<AlertConfig>
}

type Step =
  | { do: 'set'; vmid: number; cpu: number; status: string; lock: boolean }
  | { do: 'move'; vmid: number; node: string }
  | { do: 'remove' | 'disable' | 'enable'; vmid: number }
  | { do: 'node'; node: string; offline: boolean }
  | { do: 'container'; state: string }
  | { do: 'silence' | 'speak' | 'stop' | 'kill' | 'clear' | 'unacknowledge' | 'acknowledge'; of: number }
  | { do: 'pass'; ms: number }
  | { do: 'clock'; ms: number }
  | { do: 'threshold'; trigger: number }
  | { do: 'switch'; which: 'enabled' | 'disableAllGuests' | 'disableAllGuestsOffline'; on: boolean }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      vmid,
      cpu,
      status,
      lock: fc.constantFrom(false, false, true),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), vmid, node: nodeName }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('remove', 'disable', 'enable'), vmid }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('node' as const), node: nodeName, offline: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('container' as const),
      state: fc.constantFrom('running', 'exited'),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'silence',
        'speak',
        'stop',
        'kill',
        'clear',
        'unacknowledge',
        'acknowledge',
        'acknowledge',
      ),
      of: fc.nat(8),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(1_000, 10_000, 30_000, minuteMs, 4 * minuteMs, 10 * minuteMs, 70 * minuteMs),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('clock' as const),
      ms: fc.constantFrom(-72 * hourMs, -1_000, hourMs, 72 * hourMs),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('threshold' as const), trigger: fc.constantFrom(0, 70, 80, 90) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('switch' as const),
      which: fc.constantFrom('enabled', 'disableAllGuests', 'disableAllGuestsOffline'),
      on: fc.boolean(),
    }),
  },
) as fc.Arbitrary<Step>

const cpuId = (of: number) => `main:${of}-cpu`
const offId = (of: number) => `guest-powered-off-main:${of}`

function run(steps: readonly Step[]) {
  const world: World = {
    guests: new Map(vmids.map((of) => [of, { cpu: 0.1, status: 'running', node: 'pve1' }])),
    forwardMs: 0,
    offline: new Set(),
    container: 'running',
    silent: false,
    config: {},
  }
  const all = anEngine()
  const book = alertLog(all)

  const trigger = () => world.config.guestDefaults?.cpu.trigger ?? 80
  const isOff = (of: number) =>
    world.config.enabled === false ||
    world.config.disableAllGuests === true ||
    world.config.overrides?.[`guest:main:${of}`]?.disabled === true

  function lists() {
    const stale = world.silent ? { staleSince: 1 } : {}
    return {
      guests: [...world.guests].map(([of, { cpu: load, status: is, node, lock }]) =>
        aGuest({
          vmid: of,
          id: `main-${node}-${of}`,
          node,
          status: is,
          cpu: is === 'running' ? load : 0,
          ...(lock !== undefined && { lock }),
          ...(world.offline.has(node) ? { staleSince: 1 } : stale),
        }),
      ),
      nodes: ['pve1', 'pve2'].map((node) =>
        aNode({
          node,
          name: node,
          id: `main-${node}`,
          ...(world.offline.has(node) && {
            status: 'offline' as const,
            connectionHealth: 'offline' as const,
            staleSince: 1,
          }),
          ...(world.silent && { connectionHealth: 'error' as const, staleSince: 1 }),
        }),
      ),
    }
  }
  function tell() {
    if (world.silent) all.silence('main', lists())
    else all.tell('main', lists())
    const container = {
      dockerHosts: [aDockerHost()],
      dockerContainers: [aDockerContainer({ state: world.container })],
    }
    all.tell('dock1', container, { kind: 'docker', name: 'docker-dock1' })
  }
  function configure(change: Partial<AlertConfig>) {
    world.config = { ...world.config, ...change }
    all.configure(change)
  }
  function override(of: number, value: AlertOverride | undefined) {
    const { [`guest:main:${of}`]: _, ...others } = world.config.overrides ?? {}
    configure({ overrides: value ? { ...others, [`guest:main:${of}`]: value } : others })
  }

  const isFresh = (of: number) => {
    const guest = world.guests.get(of)
    return guest !== undefined && !world.silent && !world.offline.has(guest.node)
  }

  /** An upper bound: across a restart, a clock that was set forward looks like passed time. */
  const lockedMs = (since: number | undefined) => all.moment().monotonic - (since ?? 0) + world.forwardMs

  /** The invariants after every step. */
  function check(by: Step) {
    for (const change of book.takeNew()) {
      const { id } = change.stored.alert
      const of = vmids.find((one) => id === cpuId(one) || id === offId(one))
      if (of === undefined) continue
      const guest = world.guests.get(of)
      if (change.what === 'raised' || change.what === 'reopened') {
        expect(isOff(of), `${id} is switched off`).toBe(false)
        expect(isFresh(of), `${id} is not known`).toBe(true)
        if (id === cpuId(of)) expect(guest!.cpu * 100).toBeGreaterThanOrEqual(trigger())
        else {
          expect(guest!.status).toBe('stopped')
          if (guest!.lock !== undefined) expect(lockedMs(guest!.lockedAt)).toBeGreaterThanOrEqual(dayMs)
        }
      } else if (change.what === 'resolved' && change.ending === 'gone') {
        expect(guest, `${id} is there`).toBeUndefined()
      } else if (change.what === 'resolved' && change.ending !== 'off') {
        expect(isFresh(of), `${id} ended unseen`).toBe(true)
        if (id === cpuId(of)) expect(guest!.cpu * 100).toBeLessThanOrEqual(trigger() - 5)
        else expect(guest!.status).not.toBe('stopped')
      } else if (change.what === 'resolved' && id === cpuId(of)) {
        const isOther = change.stored.trigger !== trigger()
        const why = isOff(of) || guest?.status !== 'running' || isOther
        expect(why, `${id} ended for nothing: ${change.reason}`).toBe(true)
      }
    }
    for (const of of vmids)
      if (isOff(of) && world.guests.has(of)) {
        expect(all.open(), by.do).not.toContain(cpuId(of))
        expect(all.open(), by.do).not.toContain(offId(of))
      }
    book.check()
  }

  function take(one: Step) {
    const ids = all.open()
    const id = 'of' in one ? ids[one.of % Math.max(1, ids.length)] : undefined
    switch (one.do) {
      case 'set': {
        const before = world.guests.get(one.vmid)
        const node = before?.node ?? 'pve1'
        const isLocked = before?.lock !== undefined && before.status === one.status
        world.guests.set(one.vmid, {
          cpu: one.cpu,
          status: one.status,
          node,
          lock: one.lock ? 'backup' : undefined,
          lockedAt: isLocked ? before.lockedAt : all.moment().monotonic,
        })
        return tell()
      }
      case 'move': {
        const guest = world.guests.get(one.vmid)
        if (guest) guest.node = one.node
        return tell()
      }
      case 'remove':
        world.guests.delete(one.vmid)
        return tell()
      case 'disable':
        return override(one.vmid, { disabled: true })
      case 'enable':
        return override(one.vmid, undefined)
      case 'node':
        if (one.offline) world.offline.add(one.node)
        else world.offline.delete(one.node)
        return tell()
      case 'container':
        world.container = one.state
        return tell()
      case 'silence':
      case 'speak':
        world.silent = one.do === 'silence'
        return tell()
      case 'stop':
      case 'kill':
        return book.restart(one.do === 'kill')
      case 'acknowledge':
        return id === undefined ? undefined : book.acknowledge(id)
      case 'unacknowledge':
        return id === undefined ? undefined : book.unacknowledge(id)
      case 'clear':
        return id === undefined ? undefined : book.clear(id)
      case 'pass':
        // Reachable sources keep answering.
        for (let passed = 0; passed < one.ms; passed += Math.max(10_000, one.ms / 8)) {
          all.pass(Math.min(one.ms - passed, Math.max(10_000, one.ms / 8)))
          tell()
        }
        return undefined
      case 'clock':
        all.step(one.ms)
        world.forwardMs += Math.max(0, one.ms)
        return tell()
      case 'threshold':
        return configure({
          guestDefaults: {
            ...settings().guestDefaults,
            cpu: { trigger: one.trigger, clear: one.trigger - 5 },
          },
        })
      case 'switch':
        return configure({ [one.which]: one.on })
    }
  }

  tell()
  for (const one of steps) {
    take(one)
    check(one)
  }

  // Finally good conditions have resolved, and bad ones fire, including those cleared before.
  const last = { do: 'pass', ms: 4 * minuteMs } as const
  configure({
    enabled: true,
    disableAllGuests: false,
    disableAllGuestsOffline: false,
    overrides: {},
    guestDefaults: settings().guestDefaults,
  })
  check(last)
  world.silent = false
  world.offline.clear()
  world.container = 'running'
  for (const of of vmids) world.guests.set(of, { cpu: 0.1, status: 'running', node: 'pve2' })
  tell()
  check(last)
  world.container = 'exited'
  for (const of of vmids)
    world.guests.set(of, { cpu: 0.95, status: of === 102 ? 'stopped' : 'running', node: 'pve2' })
  tell()
  for (let round = 0; round < 4; round++) take(last)
  check(last)
  const bad = ['docker-container-state-dock1:web', offId(102), cpuId(100), cpuId(101)].sort()
  expect(all.open()).toEqual(bad)
  for (const of of vmids) world.guests.set(of, { cpu: 0.1, status: 'running', node: 'pve2' })
  world.container = 'running'
  tell()
  take(last)
  check(last)
  expect(all.open()).toEqual([])
}

test('[R2] [R6] [R20] random histories: one condition is one alert, it ends after it began, acknowledgements stay, disabled alerts do not fire, and a kill loses nothing', () => {
  fc.assert(fc.property(fc.array(step, { minLength: 5, maxLength: 30 }), run), { numRuns: HISTORIES })
})
