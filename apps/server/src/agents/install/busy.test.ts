import { type ContainerHost, openContainerHost } from '@pulse/lab'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { generateKeyPairSync, sign } from 'node:crypto'
import { agentList } from '../../../../../scripts/signing.mjs'
import { within } from '../../../../../scripts/test-limits.ts'
import { createLog } from '../../../../agent/src/log.ts'
import { BusyServer } from '../../../../agent/src/deliver/backoff.ts'
import { updateSelf } from '../../../../agent/src/update/self-update.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { agentBytes, sum } from './fixtures-server.ts'
import { agentProtocol } from '../protocol.ts'
import { installScript } from './script.ts'

/** Exceeds the socket buffers of both sides, so its download lasts until the client reads it. */
const agent = Buffer.concat([agentBytes, Buffer.alloc(48 * 1024 * 1024)])
const publisher = generateKeyPairSync('ed25519')

let folder: string
let server: TestServer
let host: ContainerHost
let downloads: http.IncomingMessage[]
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-busy-'))
  fs.writeFileSync(path.join(folder, 'pulse-docker-agent-linux-amd64'), agent)
  fs.writeFileSync(path.join(folder, 'pulse-docker-agent-linux-arm64'), agent)
  fs.writeFileSync(path.join(folder, 'VERSION'), '1.1.0')
  const list = agentList(folder)
  fs.writeFileSync(path.join(folder, 'agents.json'), list)
  fs.writeFileSync(path.join(folder, 'agents.json.sig'), sign(null, Buffer.from(list), publisher.privateKey))
  server = await startTestServer(undefined, { PULSE_AGENT_DIR: folder })
  host = await openContainerHost({ engineId: 'ABCD:EFGH' })
  downloads = await Promise.all([1, 2, 3, 4].map(download))
})
afterEach(async () => {
  for (const one of downloads) one.destroy()
  await host.close()
  await server.stop()
  fs.rmSync(folder, { recursive: true })
})

const download = () =>
  new Promise<http.IncomingMessage>((resolve, reject) => {
    http
      .get(`${server.url}/download/pulse-docker-agent?arch=linux-amd64`, (response) =>
        resolve(response.pause()),
      )
      .on('error', reject)
  })

test.each([
  ['wget', 'curl'],
  ['curl', 'wget'],
])(
  '[S20] the install script waits while the server hands out as many agents as it can (%s)',
  async (_used, missing) => {
    const programs = path.join(path.dirname(host.root), 'programs')
    fs.rmSync(path.join(programs, missing))
    const slept = path.join(folder, 'slept')
    fs.rmSync(path.join(programs, 'sleep'))
    const pause = `#!/bin/sh\necho "$1" >>${slept}\nuntil [ -e ${folder}/free ]; do /bin/sleep 0.1; done\n`
    fs.writeFileSync(path.join(programs, 'sleep'), pause, { mode: 0o755 })
    const { port } = new URL(server.url)
    const values = { checksums: { 'linux-amd64': sum(agent) }, port: Number(port), root: host.root }
    const run = host.sh([
      '-c',
      installScript(agentProtocol.install, values),
      'sh',
      '--url',
      server.url,
      '--token',
      'canary0123456789',
    ])
    await expect.poll(() => fs.existsSync(slept), { timeout: within(30_000) }).toBe(true)
    for (const one of downloads) one.destroy()
    fs.writeFileSync(path.join(folder, 'free'), '')
    const { code, stdout } = await run
    expect(code).toBe(0)
    expect(stdout).toContain('busy')
    expect(Number(fs.readFileSync(slept, 'utf8').split('\n')[0])).toBeGreaterThanOrEqual(20)
    expect(fs.readFileSync(path.join(host.root, 'usr/local/bin/pulse-docker-agent')).equals(agent)).toBe(true)
  },
)

test('[S20] a download that breaks off is no busy server, whatever figures its progress shows', async () => {
  for (const one of downloads) one.destroy()
  const programs = path.join(path.dirname(host.root), 'programs')
  for (const name of ['curl', 'sleep']) fs.rmSync(path.join(programs, name))
  fs.writeFileSync(path.join(programs, 'sleep'), '#!/bin/sh\nkill $PPID\n', { mode: 0o755 })
  const { port } = new URL(server.url)
  const values = { checksums: { 'linux-amd64': sum(agent) }, port: Number(port), root: host.root }
  // as on a full disk, when its progress is at "42900K"
  const script = `ulimit -f 90000\n${installScript(agentProtocol.install, values)}`
  const args = ['--url', server.url, '--token', 'canary0123456789']
  const { code, stdout, stderr } = await host.sh(['-c', script, 'sh', ...args])
  expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('Cannot download the agent')])
  expect(stdout).not.toContain('busy')
})

test('[S20] an agent that updates itself meanwhile gets the time to wait, and stays as it is', async () => {
  const program = path.join(folder, 'pulse-docker-agent')
  fs.writeFileSync(program, 'the agent that runs')
  const update = () =>
    updateSelf({
      target: { url: server.url, token: 'none', insecure: false },
      version: '1.0.0',
      program,
      platform: 'linux-amd64',
      keys: String(publisher.publicKey.export({ type: 'spki', format: 'pem' })),
      log: createLog({ level: 'error', secrets: [], now: () => 0, write: () => {} }),
      become: () => {},
    })
  const error: unknown = await update().catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(BusyServer)
  expect(error).toMatchObject({ retryAfterMs: 30_000 })
  expect(fs.readFileSync(program, 'utf8')).toBe('the agent that runs')
})
