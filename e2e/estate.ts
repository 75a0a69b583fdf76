import { type Lab, type LabOptions, startLab } from '@pulse/lab'
import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { connectEstate, everySwitch, newToken, startServer } from '../scripts/estate.mjs'
import { root } from '../scripts/pinned-node.mjs'
import { livePast, type Past, pastClock } from './past.ts'

/** A simulated Proxmox estate and the built product beside it, all on loopback. */
export interface Estate {
  lab: Lab
  /** stays the same after a restart of the server */
  url: string
  /** of the server */
  pid: number
  /** as an administrator; needs the account of the environment */
  call(method: string, path: string, body?: unknown): Promise<unknown>
  /** A fresh session as a browser stores it. */
  signIn(as?: Credentials): Promise<{ name: string; value: string }[]>
  dataDir: string
  /** the end of the server's console output */
  lastWords(): string
  /** Adds the lab to the server, once. */
  connect(): Promise<void>
  stopServer(): Promise<void>
  /** does nothing while the server runs */
  startServer(): Promise<void>
  close(): Promise<void>
}

export interface Credentials {
  username: string
  password: string
}

/** The account that journeys use unless they create their own. */
export const account: Credentials = { username: 'admin', password: 'journey password' }

export interface EstateOptions {
  /** without an account Pulse is not set up, as on a first start */
  fresh?: boolean
  env?: Record<string, string>
  /** further options of the lab */
  lab?: LabOptions
  /** the estate is connected before, and has a history */
  past?: Past
  /** enables optional features that are off by default */
  everySwitch?: boolean
}

export async function startEstate({
  fresh = false,
  env = {},
  lab: more,
  past,
  everySwitch: isAllOn = false,
}: EstateOptions = {}): Promise<Estate> {
  const token = newToken()
  const access: Record<string, string> = fresh
    ? {}
    : { PULSE_AUTH_USER: account.username, PULSE_AUTH_PASS: account.password, API_TOKENS: token }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-e2e-'))
  const before = past && pastClock(past)
  const lab = await startLab({
    nodes: 3,
    guests: 75,
    seed: 1,
    authDelayMs: 0,
    loadPeriodMs: 1_000,
    ...before?.labOptions,
    ...more,
  })
  // A copy: another build may replace the files while journeys are under way.
  const webDir = path.join(folder, 'web')
  fs.cpSync(path.join(root, 'apps/web/dist'), webDir, { recursive: true })
  const port = await freePort()
  let server: ChildProcess | undefined
  let connected = false
  const switches = isAllOn ? everySwitch : undefined
  const logFile = path.join(folder, 'server.log')
  const output = fs.openSync(logFile, 'a')

  const estate: Estate = {
    lab,
    url: `http://127.0.0.1:${port}`,
    get pid() {
      return server!.pid!
    },
    async call(method, where, body) {
      const response = await fetch(estate.url + where, {
        method,
        headers: { 'X-API-Token': token, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${where}: ${response.status} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    },
    async signIn({ username, password } = account) {
      const response = await fetch(`${estate.url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password }),
      })
      if (!response.ok) throw new Error(`${username} cannot sign in: ${await response.text()}`)
      return response.headers.getSetCookie().map((line) => {
        const [name = '', value = ''] = line.split(';')[0]!.split('=')
        return { name, value }
      })
    },
    dataDir: path.join(folder, 'data'),
    async connect() {
      if (connected) return
      await connectEstate(estate.url, lab, token, switches)
      connected = true
    },
    async startServer() {
      if (server && isRunning(server)) return
      const started = await startServer(
        {
          PULSE_DATA_DIR: estate.dataDir,
          PULSE_FRONTEND_DIR: webDir,
          FRONTEND_PORT: String(port),
          LOG_LEVEL: 'error',
          LOG_FORMAT: 'json',
          NODE_OPTIONS: `--import=${leash}`,
          ...access,
          ...env,
        },
        root,
        output,
      )
      server = started.child
    },
    async stopServer() {
      if (server) await ended(server)
    },
    lastWords: () => fs.readFileSync(logFile, 'utf8').split('\n').slice(-20).join('\n'),
    async close() {
      await estate.stopServer()
      await lab.close()
      fs.closeSync(output)
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
  if (before) {
    // messages of the past link to the estate
    const pastEnv = { PULSE_PUBLIC_URL: estate.url, ...access, ...env }
    await livePast(past, before, {
      lab,
      env: pastEnv,
      token,
      dataDir: estate.dataDir,
      ...(switches && { switches }),
    })
    connected = true
  }
  await estate.startServer()
  return estate
}

/** Ends the server if the test run is aborted. */
const leash = `data:text/javascript,process.on('disconnect',()=>process.exit(1))`

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (!isRunning(child)) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
