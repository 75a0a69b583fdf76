import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { within } from '../../../../scripts/test-limits.ts'
import { freePort } from './free-port.ts'
import { startTcpRelay, type TcpRelay } from './tcp-relay.ts'

const program = '/usr/sbin/nats-server'

export const hasNats = (): boolean => fs.existsSync(program)

export interface NatsServer {
  port: number
  /** where it stores its data */
  folder: string
  readonly pid: number
  /** as with kill -9 */
  halt(): Promise<void>
  rise(): Promise<void>
  /** It hangs without a word, and goes on. */
  freeze(): void
  thaw(): void
  /** The other servers of its cluster do not reach it, nor it them. Its clients do. */
  isolate(how: 'cut' | 'freeze'): void
  join(): void
  /** It reads its configuration again, as with `nats-server --signal reload`. */
  reload(): Promise<void>
  /** the end of what it has written to its console */
  output(): string
  remove(): Promise<void>
}

/** A NATS server of its own with JetStream and these further arguments, on loopback. */
export const startNats = (args: readonly string[] = []): Promise<NatsServer> => start(['-js', ...args])

/** One that was started without JetStream. */
export const startPlainNats = (): Promise<NatsServer> => start([])

/** One with the given configuration. */
export async function startConfiguredNats(configuration: string): Promise<NatsServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-nats-'))
  const file = path.join(folder, 'nats.conf')
  fs.writeFileSync(file, configuration)
  const server = await start(['-c', file])
  return {
    ...server,
    get pid() {
      return server.pid
    },
    async remove() {
      await server.remove()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

const mostAttempts = 3

/** Servers that keep copies for one another. They tell clients of no other one, so that a relay cannot be gone around. */
export async function startNatsCluster(count: number): Promise<NatsServer[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryCluster(count)
    } catch (error) {
      // Ports were free a moment ago. Another program may have taken one of them since.
      if (attempt === mostAttempts) throw error
    }
  }
}

async function tryCluster(count: number): Promise<NatsServer[]> {
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const url = (port: number) => `nats://127.0.0.1:${port}`
  // the way from each to each
  const ways = await Promise.all(ports.map(() => Promise.all(ports.map((port) => startTcpRelay(port)))))
  return startTogether(
    ports.map((port, n) => ({
      ways: [...ways[n]!, ...ways.map((all) => all[n]!)],
      args: [
        '-js',
        '-n',
        `nats${n + 1}`,
        '--cluster_name',
        'pulse',
        '--cluster',
        url(port),
        '--no_advertise',
        '--routes',
        ports.flatMap((_, other) => (other === n ? [] : [url(ways[n]![other]!.port)])).join(),
      ],
    })),
  )
}

/** Servers of one cluster. Resolves when all of them are healthy. */
export async function startTogether(
  each: readonly ({ args: readonly string[] } & Place)[],
): Promise<NatsServer[]> {
  const monitors = await Promise.all(each.map(freePort))
  const started = await Promise.allSettled(
    each.map(({ args, ...place }, n) => start([...args, '-m', String(monitors[n])], place)),
  )
  const servers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = started.find(({ status }) => status === 'rejected')
  if (failed) {
    await Promise.all(servers.map((server) => server.remove()))
    throw (failed as PromiseRejectedResult).reason
  }
  const isHealthy = async (port: number, n: number) =>
    (await fetch(`http://${each[n]!.address ?? loopback}:${port}/healthz`).catch(() => undefined))?.ok ===
    true
  const deadline = performance.now() + within(30_000)
  while (!(await Promise.all(monitors.map(isHealthy))).every(Boolean)) {
    if (performance.now() > deadline) {
      const said = servers.map((server) => server.output()).join('\n')
      await Promise.all(servers.map((server) => server.remove()))
      throw new Error(`the NATS servers did not become one cluster: ${said}`)
    }
    await setTimeout(200)
  }
  return servers
}

const loopback = '127.0.0.1'

interface Place {
  address?: string
  /** Its configuration names a folder for its data. */
  storesElsewhere?: boolean
  /** to the other servers of its cluster, and from them */
  ways?: readonly TcpRelay[]
}

async function start(
  args: readonly string[],
  { address = loopback, storesElsewhere = false, ways = [] }: Place = {},
): Promise<NatsServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-nats-'))
  const port = await freePort()
  let server: ChildProcess | undefined
  let said = ''

  async function rise() {
    const storing = storesElsewhere ? [] : ['-sd', folder]
    const started = spawn(program, ['-a', address, '-p', String(port), ...storing, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    server = started
    said = ''
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
    folder,
    get pid() {
      return server!.pid!
    },
    output: () => said,
    rise,
    halt,
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    isolate(how) {
      for (const way of ways) way[how]()
    },
    join() {
      for (const way of ways) way.thaw()
    },
    async reload() {
      said = ''
      server?.kill('SIGHUP')
      const deadline = performance.now() + within(10_000)
      while (!said.includes('Reloaded server configuration')) {
        if (said.includes('Failed to reload') || performance.now() > deadline)
          throw new Error(`nats-server has not read its configuration again: ${said}`)
        await setTimeout(20)
      }
    },
    async remove() {
      await halt()
      for (const way of ways) way.close()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
