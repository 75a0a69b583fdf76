import { describe, expect, test } from 'vitest'
import { hasRecordings, recorded } from '../fixtures.ts'
import { cpuPercent, cpuSample, type CpuSample, memoryUse, sampleBefore } from './usage.ts'

const s = 1e9
const aSample = (atMs: number, totalNs: number, systemNs?: number, cores = 2): CpuSample => ({
  atMs,
  totalNs,
  systemNs,
  cores,
})

test.each([
  ['half a core', aSample(0, 0, 0), aSample(30_000, 15 * s, 60 * s), 50],
  ['both cores', aSample(0, 0, 0), aSample(30_000, 60 * s, 60 * s), 200],
  ['never more than there are', aSample(0, 0, 0), aSample(30_000, 90 * s, 60 * s), 200],
  ['nothing', aSample(0, 5 * s, 0), aSample(30_000, 5 * s, 60 * s), 0],
  ['a container that was restarted', aSample(0, 50 * s, 0), aSample(30_000, 5 * s, 60 * s), 0],
  [
    '[facts 6.7] a machine whose counter was reset',
    aSample(0, 0, 90 * s),
    aSample(30_000, 15 * s, 10 * s),
    50,
  ],
  ['a machine whose counter does not move', aSample(0, 0, 9 * s), aSample(30_000, 15 * s, 9 * s), 50],
  ['Podman, which counts busy time only', aSample(0, 0, 0), aSample(30_000, 15 * s, 16 * s), 50],
  ['an engine without a counter', aSample(0, 0), aSample(30_000, 15 * s), 50],
  ['two samples of one moment', aSample(7, 0, 0), aSample(7, 15 * s, 60 * s), 0],
])('%s', (_what, before, now, percent) => {
  expect(cpuPercent(before, now)).toBeCloseTo(percent, 6)
})

describe.skipIf(!hasRecordings)('recorded engines', () => {
  test.each([
    ['engine-20.10-cgroupv1', 25.04],
    ['engine-20.10-cgroupv2', 24.01],
  ])('%s: a quarter of a core is what the container may use', (engine, percent) => {
    const stats = recorded(engine, 'stats-memlimited')
    const [before, now] = [sampleBefore(stats, 5_000, 2), cpuSample(stats, 5_000, 2)]
    expect(cpuPercent(before!, now!)).toBeCloseTo(percent, 1)
  })

  test.each([
    ['engine-20.10-cgroupv1', 'stats-web-oneshot'],
    ['engine-20.10-cgroupv2', 'stats-web-oneshot'],
    ['podman-4.3-cgroupv1', 'stats-memlimited'],
  ])('%s, %s: zeros are not taken for a previous sample', (engine, name) => {
    const stats = recorded(engine, name)
    expect(sampleBefore(stats, 5_000, 2)).toBeUndefined()
    expect(cpuSample(stats, 5_000, 2)).toMatchObject({ atMs: 5_000, cores: 2 })
  })

  test('the cores of the host count where the container reports none', () => {
    const stats = recorded('engine-20.10-cgroupv2', 'stats-done')
    expect(cpuSample(stats, 0, 8)).toMatchObject({ cores: 8, systemNs: undefined })
  })
})

test.each([
  undefined,
  null,
  'x',
  [],
  {},
  { cpu_stats: 7 },
  { cpu_stats: { cpu_usage: { total_usage: '9' } } },
])('%j is no sample', (stats) => {
  expect(cpuSample(stats, 0, 1)).toBeUndefined()
  expect(sampleBefore(stats, 0, 1)).toBeUndefined()
})

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
])('%s', (_what, value, expected) => {
  expect(memoryUse(value, host)).toEqual(expected)
})

test.each([undefined, '', { memory_stats: {} }, { memory_stats: { usage: -1 } }])(
  '%j has no memory use',
  (value) => {
    expect(memoryUse(value, host)).toBeUndefined()
  },
)

describe.skipIf(!hasRecordings)('memory of recorded engines', () => {
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
