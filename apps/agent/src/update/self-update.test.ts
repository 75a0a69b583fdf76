import { spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { aFolder, aLog, aServer, type Reply } from '../fixtures.ts'
import { clearLeftovers } from './leftovers.ts'
import { previousOf, updateSelf } from './self-update.ts'

const aProgram = (version: string) => `#!/bin/sh\necho pulse-docker-agent ${version} "$PULSE_TOKEN"\n`
const checksum = (text: string) => createHash('sha256').update(text).digest('hex')

const publisher = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519')
const pem = (key: KeyObject) => String(key.export({ type: 'spki', format: 'pem' }))

interface Offer {
  /** version that the server announces */
  version?: string
  file?: string
  status?: number
  /** the published list */
  list?: object
  /** signature of the list */
  signature?: (list: Buffer) => string
  listStatus?: number
  retryAfter?: string
}

const signedBy = (key: KeyObject) => (list: Buffer) => sign(null, list, key).toString('base64')
const published = (version: string, file: string, change: object = {}) => ({
  name: 'pulse-docker-agent',
  version,
  files: [{ platform: 'linux-amd64', bytes: Buffer.byteLength(file), sha256: checksum(file), ...change }],
})

async function anAgent(offer: Offer, own = '1.0.0') {
  const { version = '1.1.0', file = aProgram(version), status = 200 } = offer
  const { signature = signedBy(publisher.privateKey), listStatus = 200 } = offer
  const wait: Record<string, string> = offer.retryAfter ? { 'retry-after': offer.retryAfter } : {}
  const list = Buffer.from(JSON.stringify(offer.list ?? published(version, file)))
  const server = await aServer(({ path }): Reply => {
    if (path === '/api/agent/version') return { body: { version } }
    if (path.endsWith('?part=list'))
      return { status: listStatus, headers: { ...wait, 'x-signature': signature(list) }, body: list }
    return { status, headers: { ...wait, 'x-checksum-sha256': checksum(file) }, body: file }
  })
  const folder = aFolder()
  const program = path.join(folder, 'pulse-docker-agent')
  fs.writeFileSync(program, aProgram(own), { mode: 0o755 })
  const became: string[] = []
  const update = (become = (file: string) => void became.push(fs.readFileSync(file, 'utf8'))) =>
    updateSelf({
      target: server.target,
      version: own,
      program,
      platform: 'linux-amd64',
      keys: pem(publisher.publicKey),
      log: aLog().log,
      become,
    })
  const files = () => fs.readdirSync(folder).toSorted()
  return { update, became, program, files, asked: server.asked, text: () => fs.readFileSync(program, 'utf8') }
}

test('a newer agent replaces the running one, which is stored beside it', async () => {
  const { update, became, program, files, asked } = await anAgent({})
  await update()
  expect(became).toEqual([aProgram('1.1.0')])
  expect(files()).toEqual(['pulse-docker-agent', 'pulse-docker-agent.previous'])
  expect(fs.statSync(program).mode & 0o777).toBe(0o755)
  expect(fs.readFileSync(previousOf(program), 'utf8')).toBe(aProgram('1.0.0'))
  expect(asked.map(({ path }) => path)).toEqual([
    '/api/agent/version',
    '/download/pulse-docker-agent?part=list',
    '/download/pulse-docker-agent?arch=linux-amd64',
  ])
})

test.each([
  ['the same version', '1.1.0', '1.1.0'],
  ['an older one: it never goes back', '1.0.9', '1.1.0'],
  ['a server without an agent', 'dev', '1.0.0'],
  ['an agent that is developed', '1.1.0', 'dev'],
])('[facts 12.6] %s fetches nothing', async (_what, version, own) => {
  const { update, asked, text } = await anAgent({ version }, own)
  await update()
  expect(asked).toHaveLength(1)
  expect(text()).toBe(aProgram(own))
})

test.each([
  [
    'with another checksum',
    { list: published('1.1.0', aProgram('1.1.0'), { sha256: checksum('other') }) },
    /checksum .* instead of/,
  ],
  ['that is longer', { list: published('1.1.0', aProgram('1.1.0'), { bytes: 5 }) }, /sent more data than/],
  ['with a page instead', { status: 404 }, /answered with 404/],
  [
    'that calls itself something else',
    { file: aProgram('1.0.5') },
    /identifies itself as "pulse-docker-agent 1\.0\.5"/,
  ],
  ['that does not run here', { file: '\u007fELF of another platform' }, /./],
  ['that fails', { file: '#!/bin/sh\nexit 1\n' }, /Command failed/],
])('an agent %s changes nothing', async (_what, offer, message) => {
  const { update, became, files, text } = await anAgent(offer)
  await expect(update()).rejects.toThrow(message)
  expect(became).toEqual([])
  expect(files()).toEqual(['pulse-docker-agent'])
  expect(text()).toBe(aProgram('1.0.0'))
})

test.each([
  ['no key', { signature: () => '' }, /is not signed by the publisher of this agent/],
  ['another hand', { signature: signedBy(stranger.privateKey) }, /is not signed by the publisher/],
  [
    'the right hand, of another list',
    { signature: () => signedBy(publisher.privateKey)(Buffer.from('{}')) },
    /is not signed by the publisher/,
  ],
  ['a server that has no list', { listStatus: 404 }, /no signed list of agents: it answered with 404/],
  [
    'the right hand, as something else',
    { list: { ...published('1.1.0', aProgram('1.1.0')), name: 'pulse' } },
    /none published for linux-amd64/,
  ],
  [
    'the right hand, for another platform',
    { list: published('1.1.0', aProgram('1.1.0'), { platform: 'linux-arm64' }) },
    /none published for linux-amd64/,
  ],
  [
    'the right hand, of a version before this one under a new name',
    { list: published('0.9.0', aProgram('0.9.0')), file: aProgram('0.9.0') },
    /announces version 1\.1\.0, but has none/,
  ],
])(
  '[S20] an agent signed by %s is not even downloaded: another host at the address of the server cannot run code here',
  async (_who, offer, message) => {
    const { update, became, files, text, asked } = await anAgent(offer)
    await expect(update()).rejects.toThrow(message)
    expect(asked.filter(({ path }) => path.includes('arch='))).toEqual([])
    expect(became).toEqual([])
    expect(files()).toEqual(['pulse-docker-agent'])
    expect(text()).toBe(aProgram('1.0.0'))
  },
)

test('[S9] the downloaded program is tried without the token', async () => {
  process.env['PULSE_TOKEN'] = 'tok-5ecret'
  try {
    const { update, became } = await anAgent({})
    await update()
    expect(became).toHaveLength(1)
  } finally {
    delete process.env['PULSE_TOKEN']
  }
})

test('an agent that cannot start the new version restores the previous one', async () => {
  const { update, files, text } = await anAgent({})
  const refuse = () => {
    throw new Error('not permitted')
  }
  await expect(update(refuse)).rejects.toThrow('not permitted')
  expect(text()).toBe(aProgram('1.0.0'))
  expect(files()).toEqual(['pulse-docker-agent'])
})

test.each([
  ['its list', { listStatus: 429 }],
  ['its agent', { status: 503 }],
])('a busy server that does not serve %s says how long to wait', async (_what, offer) => {
  const { update, files } = await anAgent({ ...offer, retryAfter: '30' })
  await expect(update()).rejects.toMatchObject({ retryAfterMs: 30_000 })
  expect(files()).toEqual(['pulse-docker-agent'])
})

test('the next agent removes the partial download of a killed one', async () => {
  const { update, program, files } = await anAgent({ version: '1.0.0' })
  const dead = spawnSync('/bin/true').pid
  for (const pid of [dead, process.pid]) fs.writeFileSync(`${program}.new-${pid}`, 'half of it')
  // a download of another running agent
  fs.writeFileSync(`${program}.new-1x`, 'no leftover')
  await update()
  expect(files()).toEqual(['pulse-docker-agent', 'pulse-docker-agent.new-1x'])
})

test('a leftover that cannot be removed prevents neither the start nor an update', async () => {
  const { update, program, files, became } = await anAgent({})
  const [dead, other] = [spawnSync('/bin/true').pid, spawnSync('/bin/true').pid]
  fs.mkdirSync(`${program}.new-${dead}`)
  fs.writeFileSync(`${program}.new-${other}`, 'half of it')
  clearLeftovers(path.join(path.dirname(program), 'gone', 'pulse-docker-agent'))
  await update()
  expect(became).toEqual([aProgram('1.1.0')])
  expect(files()).not.toContain(`pulse-docker-agent.new-${other}`)
})
