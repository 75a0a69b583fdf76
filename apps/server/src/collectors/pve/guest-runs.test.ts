import { expect, test } from 'vitest'
import { sampleReport } from './guest-rates.ts'
import { GuestCache } from './guests.ts'
import type { MapContext } from './map.ts'
import { PveGuest, PveGuestStatus } from './schema.ts'

const context: MapContext = {
  source: 'c1',
  instance: 'main',
  clusterName: undefined,
  health: 'healthy',
  wallOffset: 0,
}

interface Listed {
  seconds: number
  uptime: number | undefined
  /** bytes received so far */
  netin: number
}

/** A guest that was probed once, and is then listed like this. */
function listed(first: Listed, ...later: (Listed & { fields?: object })[]) {
  const cache = new GuestCache({ qemu: true, lxc: true })
  const list = ({ seconds, fields, ...figures }: Listed & { fields?: object }) =>
    cache.list(
      [
        PveGuest.parse({
          vmid: 100,
          type: 'qemu',
          node: 'pve1',
          status: 'running',
          maxmem: 8_000,
          mem: 4_000,
          netout: 1,
          ...figures,
          ...fields,
        }),
      ],
      seconds * 1_000,
    )
  list(first)
  const at = first.seconds * 1_000 + 1
  const report = PveGuestStatus.parse({ agent: 1, meminfo: { available: 6_000 }, mem: 4_000 })
  cache.learn(
    100,
    (facts) => {
      facts.os = { name: 'Debian', version: '12' }
      facts.network = { interfaces: [], addresses: ['10.0.0.5'] }
      facts.report = { value: report, at }
      facts.memoryShare = { source: 'agent', share: 0.5, used: 2_000, at }
      sampleReport(facts, report, at)
    },
    at,
  )
  for (const one of later) list(one)
  return [...cache.records(context).values()][0]!
}

const known = { osName: 'Debian', ipAddresses: ['10.0.0.5'], networkIn: 100 }
const atOnce = { seconds: 0, uptime: 5_000, netin: 1_000 }

test.each<[string, (Listed & { fields?: object })[]]>([
  ['goes on', [{ seconds: 10, uptime: 5_010, netin: 2_000 }]],
  [
    'comes every 40 s from a slow pvestatd',
    [
      { seconds: 10, uptime: 5_000, netin: 1_000 },
      { seconds: 20, uptime: 5_000, netin: 1_000 },
      { seconds: 30, uptime: 5_000, netin: 1_000 },
      { seconds: 40, uptime: 5_040, netin: 5_000 },
      { seconds: 50, uptime: 5_040, netin: 5_000 },
      { seconds: 80, uptime: 5_080, netin: 9_000 },
    ],
  ],
  [
    'stands still for minutes',
    [
      { seconds: 10, uptime: 5_010, netin: 2_000 },
      { seconds: 120, uptime: 5_010, netin: 2_000 },
      { seconds: 240, uptime: 5_010, netin: 2_000 },
    ],
  ],
  ['jumps forward', [{ seconds: 10, uptime: 9_999, netin: 2_000 }]],
  [
    'is missing for once',
    [
      { seconds: 10, uptime: 5_010, netin: 2_000 },
      { seconds: 20, uptime: undefined, netin: 3_000 },
      { seconds: 30, uptime: 5_030, netin: 4_000 },
    ],
  ],
  [
    'is a little older, from a member that lags',
    [
      { seconds: 10, uptime: 5_010, netin: 2_000 },
      { seconds: 20, uptime: 5_001, netin: 3_000 },
    ],
  ],
])('an uptime that %s forgets nothing', (_case, later) => {
  const guest = listed(atOnce, ...later)
  expect(guest).toMatchObject(known)
  expect(guest.memory?.used).toBe(2_000)
})

test('an uptime that fell is a restart: rates and memory begin again', () => {
  const guest = listed(
    atOnce,
    { seconds: 10, uptime: 5_010, netin: 2_000 },
    { seconds: 20, uptime: 4, netin: 10 },
  )
  expect(guest).not.toHaveProperty('networkIn')
  expect(guest.memory).toMatchObject({ used: 4_000, estimate: 'agent-pending' })
  expect(guest.startedAt).toBe(16_000)
})

test('a VM that moves while it runs is a new process, and the same system inside', () => {
  const guest = listed(
    atOnce,
    { seconds: 10, uptime: 5_010, netin: 2_000 },
    { seconds: 20, uptime: 4, netin: 10, fields: { node: 'pve2' } },
  )
  expect(guest).toMatchObject({ node: 'pve2', osName: 'Debian', startedAt: 16_000 })
  expect(guest.memory?.used).toBe(2_000)
})

test('a status that is unknown once forgets nothing', () => {
  const guest = listed(
    atOnce,
    { seconds: 10, uptime: 5_010, netin: 2_000, fields: { status: 'unknown' } },
    { seconds: 20, uptime: 5_020, netin: 3_000 },
  )
  expect(guest.memory?.used).toBe(2_000)
})
