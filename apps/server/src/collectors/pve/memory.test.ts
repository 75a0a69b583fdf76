import { expect, test } from 'vitest'
import { lacksCacheFields, nodeMemory, toMemory, type MemoryReading } from './memory.ts'
import type { PveNodeMemory } from './schema.ts'

const GiB = 1024 ** 3
const MiB = 1024 ** 2

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
  expect(toMemory(reading, 4 * GiB, { swapTotal: MiB })).not.toHaveProperty('swapUsed')
  expect(toMemory(reading, 0)).toBeUndefined()
})
