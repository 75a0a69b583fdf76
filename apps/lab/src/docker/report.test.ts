import { describe, expect, test } from 'vitest'
import { drawDockerHosts } from './draw.ts'
import { noon } from './fixtures.ts'
import { reportOf } from './report.ts'
import type { Report } from './report.ts'

const plan = { version: 'v4.25.0', intervalSeconds: 30, atMs: noon }
const drawn = (agents: 'own' | 'original', { hosts = 1, containers = 12, seed = 1 } = {}) =>
  drawDockerHosts({ hosts, containers, agents, seed, startedAtMs: noon })
const named = (report: Report, name: string) => report.containers.find((one) => one.name === name)!

test('the same seed and time give the same reports, another seed others', () => {
  const all = (seed: number) => drawn('own', { hosts: 3, seed }).map((host) => reportOf(host, plan))
  expect(all(1)).toEqual(all(1))
  expect(all(1)).not.toEqual(all(2))
})

describe('[collection 3.1] the report of the v4 agent', () => {
  const [host] = drawn('original')
  const report = reportOf(host!, plan)

  test('names the agent, the host and the time', () => {
    expect(report.agent).toEqual({ id: host!.agentId, version: 'v4.25.0', intervalSeconds: 30 })
    expect(Object.keys(report.host)).toEqual([
      'hostname',
      'name',
      'machineId',
      'os',
      'kernelVersion',
      'architecture',
      'dockerVersion',
      'totalCpu',
      'totalMemoryBytes',
      'uptimeSeconds',
    ])
    expect(report.timestamp).toMatch(/^2026-07-01T12:00:00\.\d{1,9}Z$/)
  })

  test('has a healthy container with all fields', () => {
    const web = named(report, 'shop-web-1')
    expect(web).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      image: 'nginx:1.27',
      state: 'running',
      status: expect.stringMatching(/^Up .* \(healthy\)$/),
      health: 'healthy',
      memoryLimitBytes: 1024 ** 3,
      restartCount: 0,
      exitCode: 0,
      labels: { 'com.docker.compose.project': 'shop', 'com.docker.compose.service': 'web' },
    })
    expect(web.memoryPercent).toBeCloseTo((web.memoryUsageBytes! / 1024 ** 3) * 100)
    expect(web.ports).toEqual([
      { privatePort: 80, publicPort: 8080, protocol: 'tcp', ip: '0.0.0.0' },
      { privatePort: 80, publicPort: 8080, protocol: 'tcp', ip: '::' },
    ])
    expect(web.networks).toEqual([
      { name: 'shop_default', ipv4: expect.stringMatching(/^172\.\d+\.0\.\d+$/), ipv6: '' },
    ])
  })

  test('leaves out what is empty', () => {
    const created = named(report, 'staging-web')
    for (const field of ['startedAt', 'finishedAt', 'health', 'ports'])
      expect(created).not.toHaveProperty(field)
    expect(named(report, 'shop-web-1')).not.toHaveProperty('finishedAt')
    expect(named(report, 'thumbnails')).toMatchObject({ exitCode: 137, finishedAt: expect.any(String) })
  })

  test('counts one core as 100', () => {
    expect(Math.max(...report.containers.map(({ cpuPercent }) => cpuPercent!))).toBeGreaterThan(100)
  })

  test('leaves out a container without an answer of the engine; ours reports it as unreadable', () => {
    const report = (agents: 'own' | 'original') => {
      const [one] = drawn(agents)
      one!.containers[0]!.pins.hangs = true
      return reportOf(one!, plan)
    }
    expect(report('original').containers).toHaveLength(11)
    const silent = named(report('own'), 'shop-web-1')
    expect(silent.unreadable).toContain('did not answer')
    expect(silent).not.toHaveProperty('cpuPercent')
    expect(silent.status).toMatch(/^Up/)
  })
})

test.each([0, 1, 12, 50, 120])('%i containers have as many ids and names', (containers) => {
  for (const host of drawn('own', { hosts: 3, containers })) {
    const report = reportOf(host, plan)
    expect(report.containers).toHaveLength(containers)
    for (const field of ['id', 'name'] as const) {
      expect(new Set(report.containers.map((one) => one[field])).size).toBe(containers)
    }
  }
})

test('a wrong clock shifts all times equally, and no duration', () => {
  const [host] = drawn('own')
  const right = named(reportOf(host!, plan), 'shop-web-1')
  host!.pins.clockSkewSeconds = -86_400
  const wrong = reportOf(host!, plan)
  expect(wrong.timestamp).toMatch(/^2026-06-30T12:00:00/)
  expect(Date.parse(right.createdAt) - Date.parse(named(wrong, 'shop-web-1').createdAt)).toBe(86_400_000)
  expect(named(wrong, 'shop-web-1').uptimeSeconds).toBe(right.uptimeSeconds)
})
