import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { agentList } from '../../../../scripts/signing.mjs'
import { createLog } from '../../../agent/src/log.ts'
import { updateSelf } from '../../../agent/src/update/self-update.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

const publisher = generateKeyPairSync('ed25519')
const aProgram = (version: string) => `#!/bin/sh\necho pulse-docker-agent ${version}\n`

let folder: string
let server: TestServer
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-published-'))
  server = await startTestServer(undefined, { PULSE_AGENT_DIR: path.join(folder, 'agents') })
})
afterAll(async () => {
  await server.stop()
  fs.rmSync(folder, { recursive: true })
})
beforeEach(() => {
  fs.rmSync(path.join(folder, 'agents'), { recursive: true, force: true })
  fs.mkdirSync(path.join(folder, 'agents'))
})

/** Writes the agents folder of a release. */
function publish(version: string, key?: KeyObject) {
  const at = (name: string) => path.join(folder, 'agents', name)
  fs.writeFileSync(at('VERSION'), version)
  for (const platform of ['linux-amd64', 'linux-arm64'])
    fs.writeFileSync(at(`pulse-docker-agent-${platform}`), aProgram(version), { mode: 0o755 })
  if (!key) return
  const list = agentList(path.join(folder, 'agents'))
  fs.writeFileSync(at('agents.json'), list)
  fs.writeFileSync(at('agents.json.sig'), sign(null, Buffer.from(list), key))
}

async function update() {
  const program = path.join(folder, 'pulse-docker-agent')
  fs.writeFileSync(program, aProgram('1.0.0'), { mode: 0o755 })
  await updateSelf({
    target: { url: server.url, token: 'none', insecure: false },
    version: '1.0.0',
    program,
    platform: 'linux-amd64',
    keys: String(publisher.publicKey.export({ type: 'spki', format: 'pem' })),
    log: createLog({ level: 'error', secrets: [], now: () => 0, write: () => {} }),
    become: () => {},
  })
  return fs.readFileSync(program, 'utf8')
}

test('[S20] an agent becomes what a release of the same hand has, through a server that hands it out', async () => {
  publish('1.1.0', publisher.privateKey)
  expect(await update()).toBe(aProgram('1.1.0'))
})

test('[S20] it stays as it is when that server was built without a key, or its files are others', async () => {
  publish('1.1.0')
  await expect(update()).rejects.toThrow('no signed list')
  publish('1.1.0', generateKeyPairSync('ed25519').privateKey)
  await expect(update()).rejects.toThrow('not signed by')
  publish('1.1.0', publisher.privateKey)
  fs.appendFileSync(path.join(folder, 'agents/pulse-docker-agent-linux-amd64'), 'echo more\n')
  await expect(update()).rejects.toThrow('sent more data than')
  expect(fs.readFileSync(path.join(folder, 'pulse-docker-agent'), 'utf8')).toBe(aProgram('1.0.0'))
})
