import { dockerReportOf, drawDockerHosts } from '@pulse/lab'
import { describe, expect, test } from 'vitest'
import { agentProtocol } from '../agents/protocol.ts'
import { aContainer, aReport } from './fixtures.ts'
import { readReport } from './read-report.ts'
import { fitReport, keptLimits } from './limits.ts'

const report = readReport(aReport({ containers: ['a', 'b', 'c'].map((name) => aContainer({ name })) }))
const whole = fitReport(report, 't', [])
const others = (containers: number, bytes: number, id = 'other') => [
  {
    containers: new Map(Array.from({ length: containers }, (_, n) => [String(n), {} as never])),
    bytes,
    token: { id, name: id, hint: id },
  },
]
const beside = (containers: number, bytes: number, id?: string) =>
  fitReport(report, 't', others(containers, bytes, id))

test('[R18] a report within the limits is stored unchanged', () => {
  expect(whole).toMatchObject({ containers: report.containers, cut: [] })
  expect(beside(7, keptLimits.bytes - whole.bytes)).toEqual(whole)
})

test('[R18] sizes are counted as JSON text, quotes included', () => {
  const written = Buffer.byteLength(JSON.stringify([...report.containers.values()]))
  expect(whole.bytes).toBeGreaterThan(written)
  expect(whole.bytes).toBeLessThan(written + 3 * 300)
})

test('[R18] the limit of all hosts bounds the containers of one, with a note', () => {
  const { containers, cut } = beside(keptLimits.containers - 2, 0)
  expect([...containers.keys()]).toEqual(['a', 'b'])
  expect(cut).toEqual(['containers'])
  expect(beside(keptLimits.containers + 2, 0).containers.size).toBe(0)
})

describe('[R18] without room for the whole report', () => {
  test('labels, ports and networks of some containers are left out; all containers are listed', () => {
    const { containers, cut, bytes } = beside(0, keptLimits.bytes - whole.bytes + 1)
    expect([...containers.keys()]).toEqual(['a', 'b', 'c'])
    expect(containers.get('b')).toEqual(report.containers.get('b'))
    expect(containers.get('c')).toMatchObject({ name: 'c', cpuPercent: 12.5 })
    for (const field of ['labels', 'ports', 'networks']) expect(containers.get('c')).not.toHaveProperty(field)
    expect(cut).toEqual(['labels', 'networks', 'ports'])
    expect(bytes).toBeLessThan(whole.bytes)
  })

  test('the containers that fit are listed', () => {
    expect(beside(0, keptLimits.bytes - 1_000).containers.size).toBe(1)
    expect(beside(0, keptLimits.bytes)).toMatchObject({ containers: new Map(), cut: ['containers'] })
  })
})

test('[R18] the hosts of one token leave room for hosts of other tokens', () => {
  expect(beside(0, keptLimits.bytesOfToken, 't').containers.size).toBe(0)
  expect(beside(0, keptLimits.bytesOfToken)).toEqual(whole)
})

test('[R18] many small containers of one token leave room for those of other tokens', () => {
  const tiny = Array.from({ length: 1_000 }, (_, n) => ({ id: '', name: `c${n}` }))
  const token = { id: 'other', name: 'other', hint: 'other' }
  const hosts: { containers: Map<string, never>; bytes: number; token: typeof token }[] = []
  for (let n = 0; n < 60; n++) {
    const of = readReport({ ...aReport({ containers: tiny }), agent: { id: `h${n}` } })
    const { containers, bytes } = fitReport(of, token.id, hosts)
    hosts.push({ containers: containers as Map<string, never>, bytes, token })
  }
  expect(fitReport(report, 't', hosts)).toEqual(whole)
})

test('the usual reports of one token fit: 500 hosts with 50 containers each', () => {
  const atMs = Date.UTC(2026, 0, 1)
  const plan = {
    hosts: agentProtocol.limits.hostsOfToken,
    containers: 50,
    agents: 'mixed',
    seed: 1,
    startedAtMs: atMs,
  } as const
  const token = { id: 't', name: 't', hint: 't' }
  const taken: { containers: Map<string, never>; bytes: number; token: typeof token }[] = []
  const cut = new Set<string>()
  for (const host of drawDockerHosts(plan)) {
    const said = readReport(dockerReportOf(host, { version: '0.9.0', intervalSeconds: 30, atMs }))
    const kept = fitReport(said, token.id, taken)
    for (const what of kept.cut) cut.add(what)
    taken.push({ containers: kept.containers as Map<string, never>, bytes: kept.bytes, token })
  }
  expect([...cut]).toEqual([])
  expect(taken.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(keptLimits.bytesOfToken * 0.9)
})

test('[R18] one host leaves room for others, whatever its reports contain', () => {
  const labels = Object.fromEntries(Array.from({ length: 64 }, (_, n) => [`"${n}`, '"'.repeat(100)]))
  const containers = Array.from({ length: 1_000 }, (_, n) => aContainer({ name: `c${n}`, labels }))
  const large = fitReport(readReport(aReport({ containers })), 't', [])
  expect(large.bytes).toBeLessThanOrEqual(keptLimits.bytesOfHost)
  expect(large.containers.size).toBe(1_000)
  expect(large.cut).toContain('labels')
  const written = Buffer.byteLength(JSON.stringify([...large.containers.values()]))
  expect(written).toBeLessThan(keptLimits.bytesOfHost)
})
