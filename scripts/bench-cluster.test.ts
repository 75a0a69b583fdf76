import { describe, expect, test } from 'vitest'
import { readArguments } from '../bench/arguments.ts'
import { demandMeasured } from '../bench/figures.ts'
import { largeTable, missedLargeBudgets, type LargeFigures } from '../bench/large-report.ts'
import { missedTakeoverBudgets } from '../bench/takeover-report.ts'

const role = { cpuPercent: 10, rssMB: 200, longestBlockMs: 20 }
const aSize = (guests: number, change: Partial<LargeFigures> = {}): LargeFigures => ({
  scenario: `${guests} guests`,
  guests,
  sources: guests / 250,
  completeMs: 1_000,
  answersPerSourceAndMinute: 1,
  callsOfBusiestSourcePerMinute: 4,
  cpuPercent: 30,
  roles: { collect: role, judge: role, serve: role },
  engines: { natsCpuPercent: 1, postgresCpuPercent: 1 },
  natsBytesPerMinute: 1_000,
  clientBytesPerMinute: 1_000,
  machine: { loadBefore: 1, loadDuring: 1, idlePercent: 50, othersPercent: 1 },
  ...change,
})

describe('the bench of several processes', () => {
  test('misses its budget where cost grows faster than the estate', () => {
    const linear = [aSize(1_000), aSize(5_000, { cpuPercent: 150 })]
    expect(missedLargeBudgets(linear)).toEqual([])
    expect(largeTable(linear)).toContain('| CPU of all processes, % of a core | 30 | 150 | 1.00 | 1.05 |')
    const square = [aSize(1_000), aSize(5_000, { cpuPercent: 750 })]
    expect(missedLargeBudgets(square)).toEqual([
      'CPU of all processes, % of a core: it grows with exponent 2.00 against 1.05',
    ])
  })

  test('has 15 s for sources and 10 s for the lead of a process that was killed, in the worst case', () => {
    const figures = { kills: 50, collectorMedianMs: 9_000, leadMedianMs: 6_000 }
    const within = { ...figures, collectorWorstMs: 15_000, leadWorstMs: 10_000 }
    expect(missedTakeoverBudgets(within)).toEqual([])
    const beyond = { ...figures, collectorWorstMs: 15_100, leadWorstMs: 10_100 }
    expect(missedTakeoverBudgets(beyond)).toHaveLength(2)
  })

  test('fails if a figure was not measured', () => {
    const never = aSize(1_000, { completeMs: Number.NaN })
    expect(() => demandMeasured(never)).toThrow('not measured: completeMs')
  })

  test('runs whole or in part', () => {
    expect(readArguments(['--cluster'])).toMatchObject({ cluster: 'all', clusterGuests: 10_000, kills: 5 })
    expect(readArguments(['--cluster', '--part', 'takeover', '--kills', '50'])).toMatchObject({
      cluster: 'takeover',
      kills: 50,
    })
    expect(() => readArguments(['--cluster', '--part', 'all'])).toThrow('--part must be')
    expect(() => readArguments(['--cluster', '--out', 'figures.json'])).toThrow('name it with --part')
  })
})
