import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createSignal } from '../signal.ts'
import { builtServer, compileCache } from './built-server.ts'
import { urlOf } from './database-of-tests.ts'
import { freePort } from './free-port.ts'
import { type NatsServer, startNats, startNatsCluster } from './nats-server.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { adminToken, asAdmin, type Call, callsTo } from './server.ts'
import { startTcpRelay, type TcpRelay } from './tcp-relay.ts'

/** A process of the product, with real faults. */
export interface ClusterProcess {
  name: string
  url: string
  dataDir: string
  /** all that it has written to its console */
  output(): string
  /** the times of its log at which it began to lead, in order */
  leads(): string[]
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
  /** The program of its next start. */
  use(program: string): void
  /** Sets its wall clock, by the time of the machine. */
  setClock(aheadMs: number): void
  /** its line to NATS */
  line: Pick<TcpRelay, 'freeze' | 'cut' | 'thaw' | 'close'>
  /** where its calls to hosts of the lab come from */
  address: string
  readonly isRunning: boolean
  /** Its code or signal, whenever it ends. */
  onExit(listener: (how: string) => void): void
}

export interface TestCluster {
  postgres: PostgresServer
  nats: NatsServer[]
  processes: ClusterProcess[]
  /** Starts another one, whose variables replace those that all have. An empty one is not set. */
  add(name: string, env: Readonly<Record<string, string>>): Promise<ClusterProcess>
  /** The variables that all have. */
  shared: Readonly<Record<string, string>>
  remove(): Promise<void>
}

/** Processes of the product on one PostgreSQL, and on one NATS server or more. `each`: the variables of each process. */
export async function startCluster(
  each: Readonly<Record<string, Record<string, string>>>,
  natsServers: number | (() => Promise<NatsServer>) = 1,
): Promise<TestCluster> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-cluster-'))
  const [postgres, nats] = await Promise.all([startPostgres(), serversOf(natsServers)])
  const shared = {
    API_TOKENS: adminToken,
    PULSE_DATABASE_URL: urlOf(await postgres.database()),
    PULSE_ENCRYPTION_KEY_FILE: path.join(folder, 'key'),
    LOG_LEVEL: 'info',
    LOG_FORMAT: 'json',
  }
  const processes: ClusterProcess[] = []
  async function add(name: string, env: Readonly<Record<string, string>>) {
    const relays = await Promise.all(nats.map(({ port }) => startTcpRelay(port)))
    const address = `127.77.0.${processes.length + 1}`
    const made = await aProcess(
      { name, address, relays },
      path.join(folder, name),
      present({ ...shared, ...env }),
    )
    await made.start()
    processes.push(made)
    return made
  }
  // the first one creates the key
  for (const [name, env] of Object.entries(each)) await add(name, env)
  return {
    add,
    shared,
    postgres,
    nats,
    processes,
    async remove() {
      await Promise.all(processes.map((one) => one.kill()))
      for (const { line } of processes) line.close()
      await Promise.all([postgres.remove(), ...nats.map((one) => one.remove())])
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function serversOf(wanted: number | (() => Promise<NatsServer>)): Promise<NatsServer[]> {
  if (typeof wanted === 'function') return [await wanted()]
  return wanted === 1 ? [await startNats()] : startNatsCluster(wanted)
}

const present = (env: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))

const preload = pathToFileURL(path.join(import.meta.dirname, 'faulty-process.mjs')).href

interface Place {
  name: string
  address: string
  /** of each NATS server */
  relays: readonly TcpRelay[]
}

async function aProcess(
  { name, address, relays }: Place,
  dataDir: string,
  env: Record<string, string>,
): Promise<ClusterProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const as = callsTo(() => url)
  let child: ChildProcess | undefined
  let output = ''
  let aheadMs = 0
  let program = builtServer
  const exited = createSignal<[how: string]>()
  const each = (work: (relay: TcpRelay) => void) => () => relays.forEach(work)
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
    dataDir,
    output: () => output,
    leads: () => [...output.matchAll(/"time":"([^"]+)"[^\n]*this process leads/g)].map(([, time]) => time!),
    call: as(asAdmin),
    as,
    async start() {
      const started = spawn(process.execPath, [program], {
        env: {
          PATH: process.env['PATH'],
          ...compileCache,
          PULSE_DATA_DIR: dataDir,
          PULSE_LISTEN_ADDRESS: '127.0.0.1',
          FRONTEND_PORT: String(port),
          PULSE_NATS_URL: relays.map((relay) => `nats://127.0.0.1:${relay.port}`).join(),
          NODE_OPTIONS: `--import=${preload}`,
          PULSE_TEST_LOCAL_ADDRESS: address,
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      })
      child = started
      if (aheadMs !== 0) started.send({ wallStepMs: aheadMs })
      started.once('exit', (code, signal) => exited.emit(String(signal ?? code)))
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
    use: (next) => void (program = next),
    setClock(ms) {
      aheadMs = ms
      if (child?.connected) child.send({ wallStepMs: ms })
    },
    line: {
      freeze: each((relay) => relay.freeze()),
      cut: each((relay) => relay.cut()),
      thaw: each((relay) => relay.thaw()),
      close: each((relay) => relay.close()),
    },
    address,
    onExit: (listener) => void exited.on(listener),
    get isRunning() {
      return isRunning()
    },
  }
}
