import type { PlainState } from '@pulse/contract'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { agentList } from '../../../../scripts/signing.mjs'
import { within } from '../../../../scripts/test-limits.ts'
import { addToken } from '../testing/people.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'

const repository = path.resolve(import.meta.dirname, '../../../..')
const platform = process.arch === 'arm64' ? 'linux-arm64' : 'linux-amd64'
const fileName = `pulse-docker-agent-${platform}`
const { version } = JSON.parse(fs.readFileSync(path.join(repository, 'apps/agent/package.json'), 'utf8')) as {
  version: string
}
const publisher = generateKeyPairSync('ed25519')

/**
 * Replaces a text in the program by one of the same length. The program contains the agent's script verbatim.
 */
function patched(program: Buffer, from: string, to: string): Buffer {
  const changed = Buffer.from(program)
  let count = 0
  for (let at = changed.indexOf(from); at >= 0; at = changed.indexOf(from, at + 1)) {
    changed.write(to, at)
    count++
  }
  if (count === 0 || from.length !== to.length) throw new Error(`the program cannot have ${to} for ${from}`)
  return changed
}
const ofVersion = (program: Buffer, other: string) => patched(program, `\`${version}\``, `\`${other}\``)
const neighbour = (by: number) => version.replace(/\d$/, (digit) => String((Number(digit) + 10 + by) % 10))
const [newer, older] = [neighbour(1), version.replace(/^0\.9/, '0.8')]

let folder: string
/** The agent of a release, except that its first update check comes after seconds instead of minutes. */
let agent: Buffer
let server: TestServer
let engine: http.Server
let token: string
let running: { child: ChildProcess; said: () => string } | undefined
const at = (...names: string[]) => path.join(folder, ...names)

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-real-agent-'))
  fs.writeFileSync(at('key.pem'), publisher.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const program = path.join(repository, 'scripts/bundle-agent.mjs')
  fs.mkdirSync(at('built'))
  const env = { ...process.env, PULSE_RELEASE_KEY_FILE: at('key.pem') }
  await promisify(execFile)(process.execPath, [program, at('built')], { env })
  agent = patched(fs.readFileSync(at('built', fileName)), 'minuteMs=6e4', 'minuteMs=1e3')
  fs.rmSync(at('built'), { recursive: true })
  engine = http.createServer(({ url = '' }, response) => {
    const known = url === '/version' ? { ApiVersion: '1.41' } : url.endsWith('/info') ? { ID: 'ENGINE' } : []
    response.setHeader('content-type', 'application/json').end(JSON.stringify(known))
  })
  await new Promise<void>((resolve) => engine.listen(at('engine.sock'), resolve))
  server = await startTestServer(undefined, { API_TOKENS: adminToken, PULSE_AGENT_DIR: at('agents') })
  ;({ token } = await addToken(server.call, { scopes: ['docker:report'] }))
})
afterAll(async () => {
  await server.stop()
  engine.closeAllConnections()
  engine.close()
  fs.rmSync(folder, { recursive: true })
})
beforeEach(() => {
  fs.rmSync(at('agents'), { recursive: true, force: true })
  fs.mkdirSync(at('agents'))
})
afterEach(async () => {
  const { child } = running!
  const ended = child.exitCode === null && new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
})

/** Publishes an agent on the server, signed with the given key. */
function publish(of: string, bytes: Buffer, key: KeyObject = publisher.privateKey) {
  fs.writeFileSync(at('agents', 'VERSION'), of)
  fs.writeFileSync(at('agents', fileName), bytes)
  const list = agentList(at('agents'))
  fs.writeFileSync(at('agents', 'agents.json'), list)
  fs.writeFileSync(at('agents', 'agents.json.sig'), sign(null, Buffer.from(list), key))
}

/** Runs the agent as its service does. */
function start() {
  fs.rmSync(at('pulse-docker-agent.previous'), { force: true })
  fs.writeFileSync(at('pulse-docker-agent'), agent, { mode: 0o755 })
  const env = { DOCKER_HOST: `unix://${at('engine.sock')}`, PULSE_URL: server.url, PULSE_TOKEN: token }
  const child = spawn(at('pulse-docker-agent'), ['--interval', '1s'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  running = { child, said: () => said }
  return running
}

const until = <T>(read: () => Promise<T> | T, met: (value: T) => boolean) =>
  vi.waitFor(
    async () => {
      const value = await read()
      if (!met(value)) throw new Error(`not yet: ${JSON.stringify(value)?.slice(0, 2_000)}`)
      return value
    },
    { timeout: within(60_000), interval: 100 },
  )
const host = async () => ((await server.call('GET', '/api/state')).body as PlainState).dockerHosts[0]
/** Waits for a new report with that version. */
async function reportsAs(of: string) {
  const before = (await host())?.lastSeen ?? 0
  await until(host, (now) => now !== undefined && now.lastSeen > before && now.agentVersion === of)
}
const programNow = () => fs.readFileSync(at('pulse-docker-agent'))

test('[S20] an agent as it is built becomes the newer one that was signed, and reports as that one', async () => {
  const next = ofVersion(agent, newer)
  publish(newer, next)
  const { child, said } = start()
  await until(said, (text) => text.includes(`continues as version ${newer}`))
  await reportsAs(newer)
  expect(programNow().equals(next)).toBe(true)
  expect(child.exitCode).toBeNull()
  expect(fs.readlinkSync(`/proc/${child.pid}/exe`)).toBe(at('pulse-docker-agent'))
})

test.each([
  [
    'whose file is another than the one that was signed',
    () => {
      publish(newer, ofVersion(agent, newer))
      fs.writeFileSync(
        at('agents', fileName),
        patched(ofVersion(agent, newer), 'minuteMs=1e3', 'minuteMs=2e3'),
      )
    },
    'has the checksum',
  ],
  [
    'that another hand has signed',
    () => publish(newer, ofVersion(agent, newer), generateKeyPairSync('ed25519').privateKey),
    'is not signed by the publisher of this agent',
  ],
  [
    'that is older under a newer name',
    () => {
      publish(older, ofVersion(agent, older))
      fs.writeFileSync(at('agents', 'VERSION'), newer)
    },
    'has none published',
  ],
])('[S20] it refuses one %s, and goes on as it is', async (_what, offer, reason) => {
  offer()
  const { child, said } = start()
  await until(said, (text) => text.includes('the agent was not updated') && text.includes(reason))
  await reportsAs(version)
  expect(programNow().equals(agent)).toBe(true)
  expect(child.exitCode).toBeNull()
  expect(fs.readdirSync(folder).filter((name) => name.startsWith('pulse-docker-agent'))).toEqual([
    'pulse-docker-agent',
  ])
})
