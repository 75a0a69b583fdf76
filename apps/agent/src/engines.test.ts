import type { ReportedContainer } from '@pulse/contract'
import { type Engine, givenContainers, startDocker, startPodman } from '@pulse/testkit/engine'
import http from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../scripts/test-limits.ts'
import { realClock } from './ticker.ts'
import { Collector, limits } from './collect/collector.ts'
import { readMachine } from './collect/host.ts'
import { EngineClient } from './engine/client.ts'
import { aLog } from './fixtures.ts'

const polling = { timeout: within(90_000), interval: 500 }
const mebibyte = 1024 * 1024

/**
 * A proxy as many users put in front of the socket. It passes only GET, so that a compromised agent cannot
 * control the host.
 */
let proxies = 0
async function aProxy({ socket, folder }: Engine) {
  const refused: string[] = []
  const server = http.createServer((request, response) => {
    if (request.method !== 'GET') {
      refused.push(`${request.method} ${request.url}`)
      return void response.writeHead(403).end('<html>403 Forbidden</html>')
    }
    const onward = http.get({ socketPath: socket, path: request.url, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
  })
  const socketPath = `${folder}/proxy-${++proxies}.sock`
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { socketPath, refused, close }
}

async function aReader(engine: Engine) {
  const proxy = await aProxy(engine)
  const { log, lines } = aLog()
  const collector = new Collector({
    engine: new EngineClient({ socketPath: proxy.socketPath }),
    machine: readMachine(),
    clock: realClock,
    log,
    limits: { ...limits, engineMs: within(30_000), containerMs: within(30_000) },
    settings: { hostname: undefined, agentId: undefined, version: 'dev', intervalMs: 30_000 },
  })
  const containers = async () => {
    const report = await collector.collect()
    return Object.fromEntries(report.containers.map((one) => [one.name, one])) as Record<
      string,
      ReportedContainer
    >
  }
  return { proxy, collector, containers, lines }
}

const docker = await startDocker()
afterAll(() => docker?.stop())

describe.skipIf(!docker)('a real Docker engine, through a proxy that refuses everything but GET', () => {
  let reader: Awaited<ReturnType<typeof aReader>>
  beforeAll(async () => {
    if (!docker) return
    await givenContainers(docker)
    reader = await aReader(docker)
  })
  afterAll(() => reader?.proxy.close())

  test('every container is reported as the engine has it', async () => {
    const expected = {
      web: { state: 'running', health: 'healthy', exitCode: 0, networks: [{ name: 'front' }] },
      memlimited: { state: 'running', memoryLimitBytes: 64 * mebibyte, networks: [{ name: 'back' }] },
      sick: { state: 'running', health: 'unhealthy' },
      done: { state: 'exited', exitCode: 0, cpuPercent: 0, memoryUsageBytes: 0 },
      oom: { state: 'exited', exitCode: 137, oomKilled: true },
      paused: { state: 'paused' },
      created: { state: 'created', uptimeSeconds: 0 },
    }
    await expect.poll(() => reader.containers(), polling).toMatchObject(expected)
    const { web, flapper } = await reader.containers()
    expect(web!.labels).toMatchObject({ 'com.docker.compose.project': 'shop' })
    expect(web!.ports).toEqual([{ privatePort: 8080, publicPort: 18_080, protocol: 'tcp', ip: '127.0.0.1' }])
    await expect
      .poll(async () => (await reader.containers())['flapper']?.restartCount, polling)
      .toBeGreaterThan(0)
    expect(flapper).toBeDefined()
  })

  test('its figures are those of `docker stats`', async () => {
    const format = '{{.MemUsage}} {{.CPUPerc}}'
    await reader.containers()
    const shown = await docker!.cli('stats', '--no-stream', '--format', format, 'memlimited')
    const { memlimited } = await reader.containers()
    const [, used, unit, percent] = /^([\d.]+)(\w+) \/ 64MiB ([\d.]+)%$/.exec(shown) ?? []
    expect(unit).toBe('MiB')
    expect(Math.abs(memlimited!.memoryUsageBytes! / mebibyte - Number(used))).toBeLessThan(1)
    // its limit is a quarter of a core; its actual share depends on the machine
    for (const value of [memlimited!.cpuPercent!, Number(percent)]) {
      expect(value).toBeGreaterThan(0)
      expect(value).toBeLessThan(35)
    }
  })

  test('the host is described by its engine', async () => {
    const { agent, host } = await reader.collector.collect()
    const info = JSON.parse(await docker!.cli('info', '--format', '{{json .}}')) as Record<string, unknown>
    expect(agent.id).toBe(info['ID'])
    expect(host).toMatchObject({
      name: info['Name'],
      dockerVersion: info['ServerVersion'],
      kernelVersion: info['KernelVersion'],
      totalCpu: info['NCPU'],
      totalMemoryBytes: info['MemTotal'],
      engine: 'docker',
    })
  })

  test('the next report shows a killed container as exited, and a removed one not at all', async () => {
    await docker!.cli('kill', 'sick')
    expect((await reader.containers())['sick']).toMatchObject({
      state: 'exited',
      exitCode: 137,
      cpuPercent: 0,
    })
    expect((await reader.containers())['sick']).not.toHaveProperty('oomKilled')
    await docker!.cli('rm', 'sick')
    expect(await reader.containers()).not.toHaveProperty('sick')
  })

  test('no request was refused and no warning was logged', () => {
    expect(reader.proxy.refused).toEqual([])
    expect(reader.lines).toEqual([])
  })
})

const podman = await startPodman()
afterAll(() => podman?.stop())

describe.skipIf(!podman)('a real Podman service, through a proxy that refuses everything but GET', () => {
  let reader: Awaited<ReturnType<typeof aReader>>
  beforeAll(async () => {
    if (!podman) return
    await givenContainers(podman, ['web', 'memlimited', 'done'])
    reader = await aReader(podman)
  })
  afterAll(() => reader?.proxy.close())

  test('every container is reported as Podman has it, with its own figures', async () => {
    await reader.containers()
    const used = async () => (await reader.containers())['memlimited']?.cpuPercent
    await expect.poll(used, polling).toBeGreaterThan(0)
    expect(await used()).toBeLessThan(35)
    expect(await reader.containers()).toMatchObject({
      web: { state: 'running', ports: [{ privatePort: 8080, publicPort: 18_080 }] },
      memlimited: { state: 'running', memoryLimitBytes: 64 * mebibyte },
      done: { state: 'exited', exitCode: 0 },
      created: { state: expect.stringMatching(/^(created|configured)$/) as unknown },
    })
  })

  test('the identity is stable, although Podman makes up a new one for each request', async () => {
    const first = await reader.collector.collect()
    const again = await aReader(podman!)
    expect((await again.collector.collect()).agent.id).toBe(first.agent.id)
    again.proxy.close()
    expect(first.host.engine).toBe('podman')
  })

  test('no request was refused', () => {
    expect(reader.proxy.refused).toEqual([])
  })
})
