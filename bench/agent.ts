import { busybox, type Engine, givenContainers, startDocker } from '@pulse/testkit/engine'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { cpuSeconds, rssMB } from './process.ts'

const intervalS = 30
const cycles = 5
/** number of containers, and the budget in seconds from the start of a cycle to the end of its report */
const sizes: readonly [containers: number, budgetS: number][] = [
  [40, 2],
  [100, 4],
]
const cpuBudget = 0.3
const rssBudgetMB = 50

const platform = process.arch === 'arm64' ? 'linux-arm64' : 'linux-amd64'
const program = path.join(import.meta.dirname, `../apps/agent/dist/pulse-docker-agent-${platform}`)

/** Measures the released agent with a real engine: the time of a report and the cost of the agent. Takes six minutes. */
export async function measureAgent(): Promise<string> {
  const engine = await startDocker()
  if (!engine) throw new Error('not measured: there is no Docker engine')
  try {
    await givenContainers(engine, [])
    const lines: string[] = []
    let running = 1 // the engine also lists the container that was never started
    for (const [containers, budgetS] of sizes) {
      for (; running < containers; running++) await engine.cli('run', '-d', busybox, 'sleep', '100000')
      lines.push(await measureSize(engine, containers, budgetS))
    }
    return lines.join('\n')
  } finally {
    await engine.stop()
  }
}

async function measureSize(engine: Engine, containers: number, budgetS: number): Promise<string> {
  console.log(`${containers} containers, ${cycles} cycles of ${intervalS} s …`)
  const { socketPath, times, url, reports, close } = await listen(engine)
  const env = {
    DOCKER_HOST: `unix://${socketPath}`,
    PULSE_URL: url,
    PULSE_TOKEN: 'bench',
    PULSE_INTERVAL: `${intervalS}s`,
    MALLOC_ARENA_MAX: '1',
  }
  const agent = spawn(program, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise((resolve) => agent.once('exit', resolve))
  try {
    // excludes the cost of the start
    await reports(2)
    const from = { atMs: performance.now(), cpuS: cpuSeconds(agent.pid!) }
    await reports(2 + cycles)
    const seconds = (performance.now() - from.atMs) / 1000
    const cpu = ((cpuSeconds(agent.pid!) - from.cpuS) / seconds) * 100
    // waits between two reports, to measure memory at rest
    await new Promise((resolve) => setTimeout(resolve, (intervalS * 1000) / 2))
    const rss = rssMB(agent.pid!)
    // the engine takes two samples, a second apart, for the first request
    const [firstS = 0, ...laterS] = times().map((ms) => ms / 1000)
    const longestS = Math.max(...laterS)
    const verdict = (holds: boolean) => (holds ? 'holds' : '**missed**')
    return (
      `Agent, ${containers} containers every ${intervalS} s: first report ${firstS.toFixed(2)} s after the start of its cycle ` +
      `(budget ${budgetS}: ${verdict(firstS <= budgetS)}), later reports at most ${longestS.toFixed(2)} s ` +
      `(budget ${budgetS}: ${verdict(longestS <= budgetS)}), ${cpu.toFixed(2)} % of a core ` +
      `(budget ${cpuBudget}: ${verdict(cpu <= cpuBudget)}), ${rss.toFixed(0)} MB ` +
      `(budget ${rssBudgetMB}: ${verdict(rss <= rssBudgetMB)}), executable of ${(fs.statSync(program).size / 1e6).toFixed(0)} MB.`
    )
  } finally {
    agent.kill('SIGTERM')
    await ended
    close()
  }
}

/** A proxy in front of the engine detects the start of a cycle; the report server detects its end. */
async function listen({ socket, folder }: Engine) {
  const begun: number[] = []
  const done: number[] = []
  const waiting: (() => void)[] = []
  const proxy = http.createServer((request, response) => {
    if (request.url?.endsWith('/info')) begun.push(performance.now())
    const onward = http.get({ socketPath: socket, path: request.url, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
  })
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      done.push(performance.now())
      response.end(JSON.stringify({ success: true, hostId: 'bench' }))
      for (const wake of waiting.splice(0)) wake()
    })
  })
  const socketPath = `${folder}/bench.sock`
  await new Promise<void>((resolve) => proxy.listen(socketPath, resolve))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    socketPath,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    times: () => done.map((at, index) => at - begun[index]!),
    reports: async (count: number) => {
      while (done.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
    },
    close: () => {
      for (const one of [proxy, server]) {
        one.closeAllConnections()
        one.close()
      }
      fs.rmSync(socketPath, { force: true })
    },
  }
}
