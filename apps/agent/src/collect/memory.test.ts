import { describe, expect, test } from 'vitest'
import { hasRecordings, recorded } from '../fixtures.ts'
import { memoryUse } from './memory.ts'

const host = 8_000
const stats = (usage: number, limit: number | undefined, parts?: object) => ({
  memory_stats: { usage, limit, ...(parts ? { stats: parts } : {}) },
})

test.each([
  [
    'cgroup v1',
    stats(100, 500, { total_inactive_file: 30, inactive_file: 7 }),
    { usedBytes: 70, limitBytes: 500 },
  ],
  ['[facts 6.7] cgroup v2', stats(100, 500, { inactive_file: 30 }), { usedBytes: 70, limitBytes: 500 }],
  ['Podman', stats(100, 500), { usedBytes: 100, limitBytes: 500 }],
  ['more inactive than used', stats(100, 500, { inactive_file: 130 }), { usedBytes: 100, limitBytes: 500 }],
  ['no limit, as cgroup v1 says it', stats(100, 2 ** 63), { usedBytes: 100, limitBytes: host }],
  ['no limit, as others say it', stats(100, 0), { usedBytes: 100, limitBytes: host }],
])('%s', (_what, given, expected) => {
  expect(memoryUse(given, host)).toEqual(expected)
})

test.each([undefined, '', { memory_stats: {} }, { memory_stats: { usage: -1 } }])(
  '%j tells of no use',
  (given) => {
    expect(memoryUse(given, host)).toBeUndefined()
  },
)

describe.skipIf(!hasRecordings)('recorded engines', () => {
  test.each([
    ['engine-20.10-cgroupv1', 21_356_544],
    ['engine-20.10-cgroupv2', 21_340_160],
    ['podman-4.3-cgroupv1', 274_432],
  ])('%s: a container that may have 64 MiB', (engine, usedBytes) => {
    expect(memoryUse(recorded(engine, 'stats-memlimited'), 25_325_268_992)).toEqual({
      usedBytes,
      limitBytes: 64 * 1024 * 1024,
    })
  })
})
