import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { builtServer, compileCache } from './built-server.ts'
import { urlOf } from './database-of-tests.ts'
import { freePort } from './free-port.ts'
import { type NatsServer, startNats } from './nats-server.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { adminToken, asAdmin, type Call, callsTo } from './server.ts'

/** A process of the product, with real faults. */
export interface ClusterProcess {
  name: string
  url: string
  /** all that it has written to its console */
  output(): string
  /** a call as an administrator */
  call: Call
  as(credentials: Record<string, string>): Call
  /** Resolves when it is ready. */
  start(): Promise<void>
  /** as with kill -9 */
  kill(): Promise<void>
  /** as with SIGTERM */
  stop(): Promise<void>
  freeze(): void
  thaw(): void
  readonly isRunning: boolean
}

export interface TestCluster {
  postgres: PostgresServer
  nats: NatsServer
  processes: ClusterProcess[]
  remove(): Promise<void>
}

/** Processes of the product on one PostgreSQL and one NATS server. `each`: the variables of each process. */
export async function startCluster(
  each: Readonly<Record<string, Record<string, string>>>,
): Promise<TestCluster> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-cluster-'))
  const [postgres, nats] = await Promise.all([startPostgres(), startNats()])
  const shared = {
    API_TOKENS: adminToken,
    PULSE_DATABASE_URL: urlOf(await postgres.database()),
    PULSE_NATS_URL: `nats://127.0.0.1:${nats.port}`,
    PULSE_ENCRYPTION_KEY_FILE: path.join(folder, 'key'),
    LOG_LEVEL: 'info',
    LOG_FORMAT: 'json',
  }
  const processes: ClusterProcess[] = []
  for (const [name, env] of Object.entries(each)) {
    const made = await aProcess(name, path.join(folder, name), { ...shared, ...env })
    // the first one creates the key
    await made.start()
    processes.push(made)
  }
  return {
    postgres,
    nats,
    processes,
    async remove() {
      await Promise.all(processes.map((one) => one.kill()))
      await Promise.all([postgres.remove(), nats.remove()])
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function aProcess(name: string, dataDir: string, env: Record<string, string>): Promise<ClusterProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const as = callsTo(() => url)
  let child: ChildProcess | undefined
  let output = ''
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null

  async function end(signal: NodeJS.Signals) {
    if (!child || !isRunning()) return
    const ended = once(child, 'exit')
    child.kill(signal)
    if (signal === 'SIGKILL') child.kill('SIGCONT')
    await ended
  }

  return {
    name,
    url,
    output: () => output,
    call: as(asAdmin),
    as,
    async start() {
      const started = spawn(process.execPath, [builtServer], {
        env: {
          PATH: process.env['PATH'],
          ...compileCache,
          PULSE_DATA_DIR: dataDir,
          PULSE_LISTEN_ADDRESS: '127.0.0.1',
          FRONTEND_PORT: String(port),
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      })
      child = started
      for (const stream of [started.stdout, started.stderr])
        stream!.on('data', (chunk) => (output += String(chunk)))
      await new Promise<void>((resolve, reject) => {
        started.once('message', () => resolve())
        started.once('exit', (code) =>
          reject(new Error(`${name} ended with ${code}: ${output.slice(-2_000)}`)),
        )
      })
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    get isRunning() {
      return isRunning()
    },
  }
}
