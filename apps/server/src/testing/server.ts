import type { Endpoint } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { pino } from 'pino'
import { routesOf } from '../area.ts'
import type { Machine } from '../machine.ts'
import { realClock } from '../edges.ts'
import type { Hashing } from '../hashing.ts'
import type { Server } from '../product.ts'
import { createServer, product } from '../server.ts'
import { readConfig } from '../start/config.ts'
import { answeringServers, databaseOfTests, urlOf } from './database-of-tests.ts'
import { startNats } from './nats-server.ts'
import { quickHashing } from './quick-hashing.ts'

/** An administrator's token that every test server accepts. */
export const adminToken = 'test-administrator-0123456789'
export const asAdmin = { 'x-api-token': adminToken }

export interface Answer {
  status: number
  body: unknown
  headers: Headers
  text: string
}

export type Call = (
  method: string,
  where: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>

export interface TestServer {
  url: string
  dataDir: string
  /** of the server that leads */
  leadDataDir: string
  /** every log line so far */
  logLines: string[]
  /** every log level that was set; `logLines` has the lines of all levels */
  logLevels: string[]
  /** all calls of the server */
  endpoints: readonly Endpoint[]
  server: Server
  /** Makes a call as an administrator. */
  call: Call
  /** Makes calls with these headers instead of the administrator's. */
  as(credentials: Record<string, string>): Call
  /** Restarts the server on the same data, with other variables if given. */
  restart(env?: NodeJS.ProcessEnv): Promise<void>
  /** Stops the server while this runs. */
  pausedFor(work: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/** A test must never scan the network of its machine. */
const noNetwork: Machine = { interfaces: () => [], file: () => undefined }

/** The whole product on its own port and data folder, without the browser program. */
export async function startTestServer(
  clock: Clock = realClock,
  env: NodeJS.ProcessEnv = { API_TOKENS: adminToken },
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-server-')),
  hashing: Hashing = quickHashing,
  made: typeof product = product,
): Promise<TestServer> {
  const logLines: string[] = []
  const logLevels: string[] = []
  let areas: Parameters<typeof routesOf>[0] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) })
  const database = await databaseOfTests(dataDir)
  const nats = answeringServers > 0 ? await startNats() : undefined
  const one = (variables: NodeJS.ProcessEnv) => {
    const own = {
      ...(database && { PULSE_DATABASE_URL: urlOf(database) }),
      ...(nats && { PULSE_NATS_URL: `nats://127.0.0.1:${nats.port}` }),
      PULSE_DATA_DIR: dataDir,
      PULSE_LISTEN_ADDRESS: '127.0.0.1',
      FRONTEND_PORT: '0',
    }
    const config = readConfig({ ...own, ...env, ...variables }, { dataDir, tty: false })
    const edges = {
      clock,
      log,
      auditLog: log,
      setLogLevel: (level: string) => void logLevels.push(level),
      env: {},
      machine: noNetwork,
      hashing,
    }
    return createServer(config, edges, async (base) => {
      const all = await made(base)
      areas = all.areas
      return all
    })
  }
  let answering: readonly Server[] = []
  const turns = takeTurns(() => answering)
  async function start(): Promise<Server> {
    const running: Running = nats ? await startRoles(one, dataDir) : { server: await one({}) }
    answering = running.answering ?? [running.server]
    if (answering.length > 1) inTurn.set(running.server.url, turns.next)
    return running.server
  }
  async function end() {
    inTurn.delete(server.url)
    await server.stop()
  }
  let server = await start()
  const as = callsInTurn(turns, () => server.url)

  return {
    get url() {
      return server.url
    },
    get server() {
      return server
    },
    get endpoints() {
      return routesOf(areas).map(({ endpoint }) => endpoint)
    },
    dataDir,
    leadDataDir: nats ? path.join(dataDir, leadFolder) : dataDir,
    logLines,
    logLevels,
    as,
    call: as(asAdmin),
    async restart(changed) {
      await end()
      if (changed) env = changed
      server = await start()
    },
    async pausedFor(work) {
      await end()
      try {
        await work()
      } finally {
        server = await start()
      }
    },
    async stop() {
      await end()
      await nats?.remove()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

interface Running {
  server: Server
  /** one after the other */
  answering?: readonly Server[]
}

const leadFolder = 'judge'

/** One server collects and leads, others answer. */
async function startRoles(
  one: (variables: NodeJS.ProcessEnv) => Promise<Server>,
  dataDir: string,
): Promise<Running> {
  const PULSE_ENCRYPTION_KEY_FILE = path.join(dataDir, '.encryption.key')
  function startIn(folder: string, PULSE_ROLES: string): Promise<Server> {
    const PULSE_DATA_DIR = path.join(dataDir, folder)
    fs.mkdirSync(PULSE_DATA_DIR, { recursive: true })
    const file = path.join(dataDir, '.env')
    if (folder && fs.existsSync(file)) fs.copyFileSync(file, path.join(PULSE_DATA_DIR, '.env'))
    return one({ PULSE_ROLES, PULSE_DATA_DIR, PULSE_ENCRYPTION_KEY_FILE })
  }
  const judge = await startIn(leadFolder, 'collect,judge')
  const answering = [await startIn('', 'serve')]
  for (let n = 2; n <= answeringServers; n++) answering.push(await startIn(`serve${n}`, 'serve'))
  const [server] = answering as [Server]
  return {
    answering,
    server: {
      ...server,
      report: (...fault) => answering.forEach((each) => each.report(...fault)),
      async stop() {
        for (const each of answering) await each.stop()
        await judge.stop()
      },
    },
  }
}

/** Another server reads a change again when it is announced, 50 ms after it. */
const announcedMs = 300

interface Turns {
  /** The address of the next server, once it has read the last change. */
  next(): Promise<string>
  noteChange(): void
}

function takeTurns(answering: () => readonly Server[]): Turns {
  let taken = 0
  let changedAt = -Infinity
  return {
    async next() {
      const servers = answering()
      const { url } = servers[taken++ % servers.length]!
      if (servers.length > 1) await setTimeout(Math.max(0, changedAt + announcedMs - performance.now()))
      return url
    },
    noteChange: () => void (changedAt = performance.now()),
  }
}

/** Each call is answered by another server, as behind a load balancer at this address. */
const callsInTurn =
  ({ next, noteChange }: Turns, address: () => string): TestServer['as'] =>
  (credentials) =>
  async (method, ...input) => {
    const url = await next()
    const { host } = new URL(address())
    const answer = await callsTo(() => url)({ host, ...credentials })(method, ...input)
    // a refused call has changed nothing that another server knows
    if (method !== 'GET' && answer.status < 400) noteChange()
    return answer
  }

/** By the address of a server: the turns of those that answer for it. */
const inTurn = new Map<string, Turns['next']>()

/** Each socket is opened to another server, as behind a load balancer. */
export const addressInTurn = async (url: string): Promise<string> => (await inTurn.get(url)?.()) ?? url

/** Calls to a server, by its credentials. */
export const callsTo =
  (url: () => string) =>
  (credentials: Record<string, string>): Call =>
  (method, where, body, headers = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const ofBody = body === undefined ? {} : { 'content-type': 'application/json' }
    return ask(new URL(url() + where), method, { ...ofBody, ...credentials, ...headers }, text)
  }

/**
 * Tests make many thousand calls, so this avoids the overhead of fetch, such as a web stream for each answer.
 */
async function ask(
  url: URL,
  method: string,
  headers: Record<string, string>,
  body: string | undefined,
): Promise<Answer> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    http
      .request(url, { method, headers: { ...length, ...headers } }, resolve)
      .on('error', reject)
      .end(body)
  })
  const isPacked = response.headers['content-encoding'] === 'gzip'
  const answer = await textOf(isPacked ? response.pipe(createGunzip()) : response)
  const received = new Headers()
  for (const [name, values = []] of Object.entries(response.headersDistinct))
    for (const value of values) received.append(name, value)
  const isJson = received.get('content-type')?.startsWith('application/json')
  return {
    status: response.statusCode!,
    body: isJson && answer ? (JSON.parse(answer) as unknown) : undefined,
    headers: received,
    text: answer,
  }
}
