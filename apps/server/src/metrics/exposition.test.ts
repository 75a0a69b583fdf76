import { aDockerHost, aGuest, aNode } from '@pulse/testkit'
import type { Tables } from '@pulse/domain'
import { describe, expect, test } from 'vitest'
import type { Metric } from '../metric.ts'
import { gauge } from '../metric.ts'
import { countMetrics, sourceMetrics } from './index.ts'
import { estateMetrics } from './estate/index.ts'
import { exposition, SAMPLES_A_STEP } from './exposition.ts'
import { everything, hasPromtool, hostile, nothing, promtool, read } from './fixtures.ts'

const of = (tables: Tables): Metric[] => [
  ...countMetrics(tables),
  ...[...sourceMetrics, ...estateMetrics].map((make) => make(tables)),
]
const textOf = (metrics: readonly Metric[]) => [...exposition(metrics)].join('')
const metricsOfTables = (change: Partial<Tables>) => read(textOf(of({ ...nothing(), ...change })))
const all = of(everything())

describe('the metrics of an estate', () => {
  test('each has a sample when all fields are known', () => {
    const without = [...read(textOf(all))].filter(([, { samples }]) => samples.length === 0)
    expect(without.map(([name]) => name)).toEqual([])
  })

  test.skipIf(!hasPromtool)(
    `promtool has nothing to say about them, whatever things are called${hasPromtool ? '' : ' (skipped: no promtool)'}`,
    () => expect(promtool(['check', 'metrics'], textOf(all))).toBe(''),
  )

  test('follow the naming rules: lower case, base units, _total for counters only', () => {
    for (const { name, type, help, labels } of all) {
      expect(name).toMatch(/^pulse_[a-z0-9]+(_[a-z0-9]+)*$/)
      expect(name.endsWith('_total'), name).toBe(type === 'counter')
      expect(name).not.toMatch(/_(percent|milliseconds|ms|kb|mb|gb|minutes|hours|days)(_|$)/)
      expect(help, name).toMatch(/^\S.*\.$/s)
      for (const label of labels) {
        expect(label).toMatch(/^[a-z]+(_[a-z]+)*$/)
        // Prometheus itself adds these labels
        expect(['job', 'instance', 'le', 'quantile']).not.toContain(label)
      }
    }
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  })

  test('a name with special characters is escaped; a long one is cut and stays distinct', () => {
    const text = textOf(all)
    expect(text).toContain('name="a \\"quoted\\"\\\\back\\nline {x=\\"1\\"} # ü 𝄞"')
    const named = (name: string) =>
      metricsOfTables({ guests: new Map([['g', aGuest({ name })]]) }).get('pulse_guest_info')!.samples[0]![0]
    expect(named('n'.repeat(300)).length).toBeLessThan(500)
    expect(named('n'.repeat(300))).not.toBe(named(`${'n'.repeat(300)}m`))
  })

  test('two names that differ in a lone surrogate are two series', () => {
    const disks = ['/\ud800', '/\ud801'].map((mountpoint) => ({ mountpoint, total: 10, used: 4 }))
    const guests = new Map([['g', aGuest({ disks })]])
    const sent = Buffer.from(textOf(of({ ...nothing(), guests }))).toString()
    const { samples } = read(sent).get('pulse_guest_filesystem_used_bytes')!
    expect(new Set(samples.map(([labels]) => labels)).size).toBe(2)
  })

  test('a duplicate within one record is one sample', () => {
    const filesystems = read(textOf(all)).get('pulse_guest_filesystem_used_bytes')!
    expect(filesystems.samples).toHaveLength(1)
    expect(filesystems.labels).toEqual(['id', 'mountpoint'])
  })

  test('neither a new name nor another node changes the series of a guest', () => {
    const series = (guest: Parameters<typeof aGuest>[0]) =>
      [...metricsOfTables({ guests: new Map([['main:100', aGuest(guest)]]) })].flatMap(
        ([name, { samples }]) => (name.endsWith('_info') ? [] : samples.map(([labels]) => name + labels)),
      )
    expect(series({}).length).toBeGreaterThan(8)
    expect(series({ name: hostile, node: 'pve2' })).toEqual(series({}))
  })

  test('stale and unknown figures are absent; that something is off is exported', () => {
    const has = (tables: Partial<Tables>, name: string) =>
      metricsOfTables(tables)
        .get(name)!
        .samples.map(([, value]) => value)
    const guest = (change: Parameters<typeof aGuest>[0]) => ({ guests: new Map([['g', aGuest(change)]]) })
    expect(has(guest({}), 'pulse_guest_cpu_usage_ratio')).toEqual(['0.25'])
    expect(has(guest({ staleSince: 1 }), 'pulse_guest_cpu_usage_ratio')).toEqual([])
    expect(has(guest({ staleSince: 1 }), 'pulse_guest_info')).toEqual(['1'])
    expect(
      has(guest({ memory: { ...aGuest().memory!, staleSince: 1 } }), 'pulse_guest_memory_used_bytes'),
    ).toEqual([])
    expect(has(guest({ cpu: Number.NaN }), 'pulse_guest_cpu_usage_ratio')).toEqual([])
    expect(has(guest({ status: 'unknown' }), 'pulse_guest_up')).toEqual([])
    expect(has(guest({ status: 'paused' }), 'pulse_guest_up')).toEqual(['0'])
    const node = (change: Parameters<typeof aNode>[0]) => ({ nodes: new Map([['n', aNode(change)]]) })
    const off = { status: 'offline', connectionHealth: 'offline', staleSince: 1 } as const
    expect(has(node(off), 'pulse_node_up')).toEqual(['0'])
    expect(has(node({ ...off, connectionHealth: 'error' }), 'pulse_node_up')).toEqual([])
    const host = new Map([['h', aDockerHost({ status: 'offline', staleSince: 1 })]])
    expect(has({ dockerHosts: host }, 'pulse_container_host_up')).toEqual(['0'])
  })
})

describe('the cost of a scrape', () => {
  const guests = (count: number) =>
    new Map(Array.from({ length: count }, (_, vmid) => [`main:${vmid}`, aGuest({ vmid })] as const))

  test('no step writes more than its samples, so that ten thousand guests block nothing', () => {
    const lines = [...exposition(of({ ...nothing(), guests: guests(10_000) }))].map(
      (piece) => piece.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length,
    )
    expect(Math.max(...lines)).toBeLessThanOrEqual(SAMPLES_A_STEP)
    expect(lines.length).toBeGreaterThan(10_000 / SAMPLES_A_STEP)
  })

  test('values are read in their step, and each only once', () => {
    let asked = 0
    const counted = gauge('pulse_asked', 'Counts who asks.', () => ++asked)
    const pieces = exposition([...of({ ...nothing(), guests: guests(SAMPLES_A_STEP) }), counted])
    pieces.next()
    expect(asked).toBe(0)
    while (!pieces.next().done);
    expect(asked).toBe(1)
  })
})
