import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AboutLab, connectEstate, newToken, startLab, startServer } from '../scripts/estate.mjs'
import { ownProduct } from './arguments.ts'
import type { Scenario } from './scenarios.ts'

/** For this run only. */
export const account = { username: 'bench', password: newToken() }
export const token = newToken()
export const asAdmin = { 'X-API-Token': token }

const STARTS = 3
const probe = pathToFileURL(path.join(import.meta.dirname, 'loop-probe.mjs')).href

export interface Loop {
  ms: number
  /** busy time of each iteration of the event loop */
  blocks: number[]
}

export interface Estate {
  url: string
  /** time from the start of a configured server to its first answer; the median of some starts */
  startMs: number
  serverPid: number
  labPid: number
  dataDir: string
  labUrl: string
  lab: AboutLab
  /** iterations of the server's event loop since the last call */
  loop(): Promise<Loop>
  /** Its event loop is not measured until the next `loop`. */
  still(): void
  /** The simulated estate goes on. */
  stopServer(): Promise<void>
  stop(): Promise<void>
}

/** Each server gets the next one: several may run. Below those that Linux gives to connections. */
let nextPort = 20_000 + (process.pid % 12_000)

/** `imports`: modules that are loaded into the server. */
export const serverEnv = (dataDir: string, imports: readonly string[] = []) => ({
  PULSE_DATA_DIR: dataDir,
  FRONTEND_PORT: String(nextPort++),
  PULSE_AUTH_USER: account.username,
  PULSE_AUTH_PASS: account.password,
  API_TOKENS: token,
  LOG_LEVEL: 'warn',
  LOG_FORMAT: 'json',
  NODE_OPTIONS: [probe, ...imports].map((url) => `--import=${url}`).join(' '),
})

interface Given {
  /** Writes files before the first start. */
  before?: (dataDir: string) => Promise<void>
  /** modules that are loaded into the server */
  imports?: readonly string[]
}

/** Starts the simulated estate and the built product of a checkout; `prepare` runs before the measurement. */
export async function startEstate(
  scenario: Scenario,
  product = ownProduct,
  prepare?: (url: string) => Promise<void>,
  given: Given = {},
): Promise<Estate> {
  const one = await configure(scenario, product, prepare, given)
  await measureStarts([one])
  return run(one)
}

/** The same for several checkouts. Their starts are measured in turn, while none of them polls. */
export async function startEstates(scenario: Scenario, products: readonly string[]): Promise<Estate[]> {
  const all: Configured[] = []
  for (const product of products) all.push(await configure(scenario, product))
  await measureStarts(all)
  return Promise.all(all.map(run))
}

interface Configured {
  product: string
  env: ReturnType<typeof serverEnv>
  lab: ChildProcess
  about: AboutLab
  startsMs: number[]
}

async function configure(
  scenario: Scenario,
  product: string,
  prepare?: (url: string) => Promise<void>,
  { before, imports }: Given = {},
): Promise<Configured> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-bench-'))
  const env = serverEnv(dataDir, imports)
  await before?.(dataDir)
  const { child: lab, lab: about } = await startLabFor(scenario)
  const first = await startServer(env, product)
  await prepare?.(first.url)
  await connectEstate(first.url, about, token)
  await ended(first.child)
  return { product, env, lab, about, startsMs: [] }
}

async function measureStarts(all: readonly Configured[]) {
  for (let n = 0; n < STARTS; n++)
    for (const { product, env, startsMs } of all) {
      const from = performance.now()
      const starting = startServer(env, product)
      await firstAnswer(`http://127.0.0.1:${env.FRONTEND_PORT}/api/health`)
      startsMs.push(performance.now() - from)
      await ended((await starting).child)
    }
}

async function run({ product, env, lab, about, startsMs }: Configured): Promise<Estate> {
  const { child: server, url } = await startServer(env, product)
  const dataDir = env.PULSE_DATA_DIR
  return {
    url,
    startMs: startsMs.toSorted((a, b) => a - b)[STARTS >> 1]!,
    serverPid: server.pid!,
    labPid: lab.pid!,
    dataDir,
    labUrl: about.controlUrl,
    lab: about,
    loop: () => loopOf(server),
    still: () => void server.send('still'),
    stopServer: () => ended(server),
    async stop() {
      await Promise.all([ended(server), ended(lab)])
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The simulated estate in a separate process. */
export function startLabFor({ nodes, guests, clusters, standalone, backups }: Scenario) {
  const flags = {
    nodes,
    guests,
    seed: 1,
    control: 0,
    ...(standalone ? {} : { clusters }),
    ...(backups && { pbs: 1, backups }),
  }
  return startLab([
    ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ...(standalone ? ['--standalone'] : []),
  ])
}

/** Signs in with a password: its hashing affects the memory of the server from then on. */
export async function signIn(url: string): Promise<void> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin },
    body: JSON.stringify(account),
  })
  if (!answer.ok) throw new Error(`the bench cannot sign in: ${await answer.text()}`)
}

/** Iterations of a server's event loop since the last call. */
export function loopOf(server: ChildProcess): Promise<Loop> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('not measured: the event loop did not answer')), 10_000)
    const take = (message: { loop?: Loop }) => {
      if (!message.loop) return
      clearTimeout(timer)
      server.off('message', take)
      resolve(message.loop)
    }
    server.on('message', take)
    server.send('loop')
  })
}

async function firstAnswer(address: string) {
  const deadline = performance.now() + 30_000
  for (;;) {
    const answer = await fetch(address).catch(() => undefined)
    if (answer?.ok) return
    if (performance.now() > deadline) throw new Error('the server did not start within 30 s')
    await pause(5)
  }
}

export function ended(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
