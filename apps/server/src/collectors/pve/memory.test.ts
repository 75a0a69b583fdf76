import { expect, test } from 'vitest'
import {
  guestMemory,
  holdTrusted,
  lacksCacheFields,
  nodeMemory,
  toMemory,
  type GuestMemorySources,
  type MemoryReading,
} from './memory.ts'
import { PveGuestStatus, type PveNodeMemory } from './schema.ts'

const GiB = 1024 ** 3
const MiB = 1024 ** 2
const status = (fields: object) => PveGuestStatus.parse(fields)

test.each<[string, PveNodeMemory, number | undefined, string, number]>([
  ['available', { total: 100, free: 5, used: 95, available: 60, avail: 1 }, undefined, 'available', 40],
  ['avail', { total: 100, free: 5, used: 95, avail: 55 }, undefined, 'available', 45],
  [
    'free, buffers and cached',
    { total: 100, free: 10, buffers: 5, cached: 45, used: 90 },
    undefined,
    'cache',
    40,
  ],
  [
    'total - used when that leaves more',
    { total: 100, free: 10, buffers: 5, cached: 5, used: 30 },
    undefined,
    'cache',
    30,
  ],
  [
    'the RRD when cache fields are missing, however much is free',
    { total: 100, free: 6, used: 94 },
    80,
    'rrd',
    20,
  ],
  ['used as the last resort', { total: 100, free: 6, used: 94 }, undefined, 'used', 94],
  ['never more than the total', { total: 100, used: 130 }, undefined, 'used', 100],
])('[facts 1.7] node memory: %s', (_case, memory, rrd, source, used) => {
  expect(nodeMemory(memory, rrd === undefined ? undefined : { available: rrd })).toMatchObject({
    source,
    used,
  })
})

test('[facts 6.1.2] missing fields call for the RRD, not a zero', () => {
  expect(lacksCacheFields({ total: 100, free: 57, used: 43 })).toBe(true)
  expect(lacksCacheFields({ total: 100, free: 0, cached: 0 })).toBe(false)
})

const listing = { mem: 6 * GiB, maxmem: 8 * GiB }
test.each<[string, GuestMemorySources, string, number]>([
  [
    '(a) meminfo.available',
    { ...listing, status: status({ meminfo: { available: 5 * GiB, cached: GiB } }) },
    'available',
    3 * GiB,
  ],
  [
    '(a) is not believed beyond the total',
    { ...listing, status: status({ meminfo: { available: 9 * GiB } }) },
    'mem',
    6 * GiB,
  ],
  [
    '(b) free + buffers + cached',
    { ...listing, status: status({ meminfo: { free: GiB, cached: 3 * GiB } }) },
    'cache',
    4 * GiB,
  ],
  ['(b) not by free alone', { ...listing, status: status({ meminfo: { free: 7 * GiB } }) }, 'mem', 6 * GiB],
  ['(c) the RRD', { ...listing, rrd: { available: 6 * GiB } }, 'rrd', 2 * GiB],
  [
    '(c) before (d)',
    { ...listing, rrd: { available: 6 * GiB }, agent: { available: GiB, total: 8 * GiB } },
    'rrd',
    2 * GiB,
  ],
  ['(d) the agent', { ...listing, agent: { available: 5 * GiB, total: 7.5 * GiB } }, 'agent', 2.5 * GiB],
  ['(e) mem', listing, 'mem', 6 * GiB],
  [
    '(f) freemem against what the balloon leaves',
    { mem: undefined, maxmem: 4 * GiB, status: status({ freemem: GiB, balloon: 2 * GiB }) },
    'freemem',
    GiB,
  ],
  [
    '(f) instead of a host view above the total',
    {
      mem: 9 * GiB,
      maxmem: 8 * GiB,
      status: status({ mem: 6 * GiB, freemem: 2 * GiB, ballooninfo: { total_mem: 8 * GiB } }),
    },
    'freemem',
    6 * GiB,
  ],
  [
    '(f) only if mem and freemem make the total',
    {
      mem: 9 * GiB,
      maxmem: 8 * GiB,
      status: status({ mem: 3 * GiB, freemem: 2 * GiB, ballooninfo: { total_mem: 8 * GiB } }),
    },
    'mem',
    8 * GiB,
  ],
  ['the host view is clamped', { mem: 17_891_586_048, maxmem: 17_179_869_184 }, 'mem', 17_179_869_184],
])('[facts 1.7] guest memory: %s', (_case, sources, source, used) => {
  expect(guestMemory(sources)).toMatchObject({ source, used })
})

test('[facts 6.1.4] the total is what the guest was given; the balloon stands beside it', () => {
  const reading: MemoryReading = { used: GiB, source: 'mem', trusted: false }
  expect(toMemory(reading, 4 * GiB, { balloon: GiB })).toEqual({
    total: 4 * GiB,
    used: GiB,
    free: 3 * GiB,
    usage: 25,
    balloon: GiB,
  })
  expect(toMemory(reading, 4 * GiB, { balloon: 4 * GiB })).not.toHaveProperty('balloon')
  expect(toMemory(reading, 4 * GiB, { swapUsed: 2 * MiB, swapTotal: MiB })).toMatchObject({ swapUsed: MiB })
  expect(toMemory(reading, 0)).toBeUndefined()
})

test('[facts 6.1.7] a lesser source is not believed for the first minute', () => {
  const trusted: MemoryReading = { used: 2, source: 'agent', trusted: true }
  const lesser: MemoryReading = { used: 9, source: 'mem', trusted: false }
  const first = holdTrusted(undefined, trusted, 0)
  expect(holdTrusted(first, lesser, 60_000)).toMatchObject({ used: 2, at: 0 })
  expect(holdTrusted(first, undefined, 60_000)).toMatchObject({ used: 2 })
  expect(holdTrusted(first, lesser, 60_001)).toMatchObject({ used: 9, at: 60_001 })
  expect(holdTrusted(undefined, lesser, 0)).toMatchObject({ used: 9 })
})
