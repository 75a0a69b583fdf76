import { execFileSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { connectEstate, newToken, startLab, startServer } from '../scripts/estate.mjs'

/** Of this run alone. */
export const account = { username: 'bench', password: newToken() }
const token = newToken()
export const asAdmin = { 'X-API-Token': token }

export interface Estate {
  url: string
  /** how long a server that already knows its sources takes to its first answer */
  startMs: number
  serverPid: number
  labUrl: string
  nodes: number
  stop(): Promise<void>
}

/** As many nodes as such an estate has in life; a cluster has at most 25. */
const nodesFor: Record<number, number> = { 75: 5, 500: 10, 2500: 25, 10_000: 100 }

export async function startEstate(guests: number): Promise<Estate> {
  const nodes = nodesFor[guests] ?? Math.max(1, Math.ceil(guests / 100))
  const clusters = Math.ceil(nodes / 25)
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-bench-'))
  const env = {
    PULSE_DATA_DIR: dataDir,
    FRONTEND_PORT: '0',
    PULSE_AUTH_USER: account.username,
    PULSE_AUTH_PASS: account.password,
    API_TOKENS: token,
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
  }
  const flags = { nodes, guests, clusters, seed: 1, control: 0 }
  const { child: lab, lab: about } = await startLab(
    Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]),
  )
  const first = await startServer(env)
  await connectEstate(first.url, about, token)
  await ended(first.child)

  const from = performance.now()
  const port = String(20_000 + (process.pid % 20_000))
  const starting = startServer({ ...env, FRONTEND_PORT: port })
  await firstAnswer(`http://127.0.0.1:${port}/api/health`)
  const startMs = performance.now() - from
  const { child: server, url } = await starting
  return {
    url,
    startMs,
    serverPid: server.pid!,
    labUrl: about.controlUrl,
    nodes,
    async stop() {
      await Promise.all([ended(server), ended(lab)])
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Seconds of CPU that a process has used. */
export function cpuSeconds(pid: number): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}
const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK']))

export function rssMB(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))
  return (Number(line![1]) * 1024) / 1e6
}

/** Bytes that a process caused to be written to disk. */
export function writtenBytes(pid: number): number {
  return Number(/write_bytes: (\d+)/.exec(fs.readFileSync(`/proc/${pid}/io`, 'utf8'))![1])
}

async function firstAnswer(address: string) {
  const deadline = performance.now() + 30_000
  for (;;) {
    const answer = await fetch(address).catch(() => undefined)
    if (answer?.ok) return
    if (performance.now() > deadline) throw new Error('the server did not start within 30 s')
    await pause(10)
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
