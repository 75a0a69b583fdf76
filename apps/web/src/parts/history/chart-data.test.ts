import type { HistorySeries } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { complete, isEmpty, toCharts } from './chart-data.ts'
import { historyOfKind } from './charts.ts'
import { anAnswer, aPoint, aSeries, now } from './fixtures.ts'

const guests = historyOfKind.guests!
const minute = 60_000
const cpu = aSeries('cpu', 'ratio', [aPoint(now - minute, 0.25, { min: 0.1, max: 0.5, count: 6 })])
const received = aSeries('networkIn', 'bytes/s', [aPoint(now, 1024)])
const sent = aSeries('networkOut', 'bytes/s', [aPoint(now, 512)])

test('[M 3.1] a share is drawn in percent, with the smallest and largest sample of its period', () => {
  const [chart] = toCharts(guests, anAnswer(cpu))
  const [line] = chart!.data.series
  expect(line!.points).toEqual([{ at: now - minute, value: 25, low: 10, high: 50 }])
  expect(line!.format(25)).toBe('25.0%')
})

test('charts without figures are left out, unless none has any', () => {
  const titles = (...series: HistorySeries[]) =>
    toCharts(guests, anAnswer(...series)).map(({ title }) => title)
  const disk = aSeries('disk', 'percent', [])
  expect(titles(cpu, disk, received, sent)).toEqual(['CPU', 'Network'])
  expect(titles(disk)).toEqual(['CPU', 'Memory', 'Disk', 'Network', 'Disk I/O'])
})

test('[M 3.1] a figure with two limits has two lines', () => {
  const [queued] = toCharts(historyOfKind.pmg!, anAnswer(aSeries('queued', 'count', [aPoint(now, 12)])))
  const limits = [
    { word: 'Warning', value: 500 },
    { word: 'Critical', value: 1_200 },
  ] as const
  expect(complete(queued!, { from: now - minute, to: now }, { queued: limits }, []).limits).toEqual([
    { label: 'Warning at 500', value: 500 },
    { label: 'Critical at 1,200', value: 1_200 },
  ])
})

describe('[M 1.2] gaps', () => {
  const gap = (reason: 'silent' | 'stopped' | 'off', n: number) => ({
    from: now - n * minute,
    to: now - (n - 1) * minute,
    reason,
  })

  test('each reason has its own words', () => {
    const gaps = [gap('off', 3), gap('silent', 2), gap('stopped', 1)]
    const [chart] = toCharts(guests, anAnswer(aSeries('cpu', 'ratio', cpu.points, gaps)))
    expect(chart!.data.gaps.map(({ words }) => words)).toEqual([
      'Pulse not running',
      'Not answering',
      'Stopped',
    ])
    const [storage] = toCharts(historyOfKind.storage!, anAnswer(aSeries('usage', 'percent', [], [gaps[2]!])))
    expect(storage!.data.gaps[0]!.words).toBe('Not available')
  })

  test('lines of one chart share a gap', () => {
    const gaps = [gap('stopped', 1)]
    const [chart] = toCharts(
      guests,
      anAnswer({ ...received, gaps }, { ...sent, gaps: [...gaps, gap('silent', 9)] }),
    )
    expect(chart!.data.gaps.map(({ reason }) => reason)).toEqual(['silent', 'stopped'])
  })

  test('there is no history where Pulse was not running; of a thing that was stopped there is', () => {
    const empty = (reason: 'off' | 'stopped') =>
      isEmpty(toCharts(guests, anAnswer(aSeries('cpu', 'ratio', [], [gap(reason, 1)]))))
    expect([empty('off'), empty('stopped')]).toEqual([true, false])
  })
})

const alertAt = (value: number) => ({ word: 'Alert', value }) as const

test('[M 3.1] a threshold is drawn in the unit of its chart, once', () => {
  const span = { from: now - minute, to: now }
  const [chart, network] = toCharts(guests, anAnswer(cpu, received, sent))
  expect(complete(chart!, span, { cpu: [alertAt(80)] }, []).limits).toEqual([
    { label: 'Alert at 80%', value: 80 },
  ])
  expect(complete(network!, span, { networkIn: [alertAt(2)], networkOut: [alertAt(2)] }, []).limits).toEqual([
    { label: 'Alert at 2 MB/s', value: 2 * 1024 ** 2 },
  ])
  expect(complete(chart!, span, {}, []).limits).toEqual([])
})
