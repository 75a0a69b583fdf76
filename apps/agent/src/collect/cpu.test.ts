import { describe, expect, test } from 'vitest'
import { hasRecordings, recorded } from '../fixtures.ts'
import { cpuPercent, type CpuSample, cpuSample, sampleBefore } from './cpu.ts'

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
  ['a container that was started anew', aSample(0, 50 * s, 0), aSample(30_000, 5 * s, 60 * s), 0],
  [
    '[facts 6.7] a machine whose counter was reset',
    aSample(0, 0, 90 * s),
    aSample(30_000, 15 * s, 10 * s),
    50,
  ],
  ['a machine whose counter stands', aSample(0, 0, 9 * s), aSample(30_000, 15 * s, 9 * s), 50],
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
  ])('%s, %s: zeros are not taken for a sample before', (engine, name) => {
    const stats = recorded(engine, name)
    expect(sampleBefore(stats, 5_000, 2)).toBeUndefined()
    expect(cpuSample(stats, 5_000, 2)).toMatchObject({ atMs: 5_000, cores: 2 })
  })

  test('the cores of the host count where the container does not tell of any', () => {
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
