import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { vi } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { freePort } from './free-port.ts'

const program = '/usr/sbin/nats-server'

export const hasNats = (): boolean => fs.existsSync(program)

export interface NatsServer {
  port: number
  /** as with kill -9 */
  halt(): Promise<void>
  rise(): Promise<void>
  /** It hangs without a word, and goes on. */
  freeze(): void
  thaw(): void
  remove(): Promise<void>
}

/** A NATS server of its own with JetStream, on loopback. */
export const startNats = (): Promise<NatsServer> => start(['-js'])

/** One that was started without JetStream. */
export const startPlainNats = (): Promise<NatsServer> => start([])

/** Servers that keep copies for one another. They tell clients of no other one, so that a relay cannot be gone around. */
export async function startNatsCluster(count: number): Promise<NatsServer[]> {
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const monitors = await Promise.all(Array.from({ length: count }, freePort))
  const url = (port: number) => `nats://127.0.0.1:${port}`
  const servers = await Promise.all(
    ports.map((port, n) =>
      start([
        '-js',
        ...['-n', `nats${n + 1}`, '-m', String(monitors[n])],
        ...['--cluster_name', 'pulse', '--cluster', url(port), '--no_advertise'],
        ...['--routes', ports.map(url).join()],
      ]),
    ),
  )
  const isHealthy = async (port: number) =>
    (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.ok === true
  await vi.waitUntil(async () => (await Promise.all(monitors.map(isHealthy))).every(Boolean), {
    timeout: within(60_000),
    interval: 200,
  })
  return servers
}

async function start(args: readonly string[]): Promise<NatsServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-nats-'))
  const port = await freePort()
  let server: ChildProcess | undefined

  async function rise() {
    const started = spawn(program, ['-a', '127.0.0.1', '-p', String(port), '-sd', folder, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    server = started
    let said = ''
    await new Promise<void>((resolve, reject) => {
      started.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-10_000)
        if (said.includes('Server is ready')) resolve()
      })
      started.once('exit', () => reject(new Error(`nats-server has ended: ${said}`)))
    })
  }

  async function halt() {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }

  await rise()
  return {
    port,
    rise,
    halt,
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    async remove() {
      await halt()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
