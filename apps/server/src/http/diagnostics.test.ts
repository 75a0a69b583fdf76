import { Diagnostics, type PlainState } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addToken, addUser, steppedClock } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { within } from '../../../../scripts/test-limits.ts'

const clock = steppedClock()
let lab: Lab
let server: TestServer
beforeAll(async () => {
  lab = await startLab({ nodes: 2, guests: 12, pbs: 1, authDelayMs: 0, loadPeriodMs: 0 })
  server = await startTestServer(clock)
  const [node] = lab.clusters[0]!.nodes
  const { tokenId, tokenSecret } = lab.credentials
  const add = (input: Record<string, unknown>) => server.call('POST', '/api/config/nodes', input)
  await add({
    type: 'pve',
    name: 'Carla Cluster',
    host: node!.url,
    tokenName: tokenId,
    tokenValue: tokenSecret,
    fingerprint: node!.fingerprint,
  })
  await add({
    type: 'pbs',
    name: 'carla-vault',
    host: lab.pbs[0]!.url,
    user: 'carla@pbs',
    password: 'wrong',
    fingerprint: lab.pbs[0]!.fingerprint,
  })
  await addUser(server, 'carla.admin', 'admin')
  await addToken(server.call, { name: 'carla-script', scopes: ['monitoring:read'] })
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

async function run() {
  const { body, headers, status } = await server.call('GET', '/api/diagnostics')
  expect(status).toBe(200)
  return { result: Diagnostics.parse(body), at: headers.get('x-diagnostics-cached-at')! }
}
const guestsAreKnown = () =>
  expect
    .poll(async () => ((await server.call('GET', '/api/state')).body as PlainState).vms.length, {
      timeout: within(30_000),
    })
    .toBeGreaterThan(0)

describe('[spec 2 §2] diagnostics', () => {
  test('every connection is asked, and what is wrong stands in words', async () => {
    await guestsAreKnown()
    const { result } = await run()
    const [pve] = result.nodes
    expect(pve).toMatchObject({
      name: 'Carla Cluster',
      type: 'pve',
      connected: true,
      authMethod: 'api_token',
      details: { node_count: 2, version: lab.clusters[0]!.version },
      clusterInfo: { name: lab.clusters[0]!.name, nodes: 2 },
      rights: { missing: [], advice: [] },
    })
    expect(pve!.vmDiskCheck!.vmsFound).toBeGreaterThan(0)
    expect(pve!.calls!.nodes.map(({ node }) => node).toSorted()).toEqual(
      lab.clusters[0]!.nodes.map(({ name }) => name).toSorted(),
    )
    expect(pve!.calls!.listCallsPerMinute).toBeGreaterThan(0)
    expect(result.pbs[0]).toMatchObject({
      name: 'carla-vault',
      connected: false,
      authMethod: 'username_password',
      error: 'Authentication failed: check user name, realm and password',
    })
    expect(result.memorySources.length).toBeGreaterThan(0)
    expect(result.temperatureProxy).toMatchObject({ socketFound: false, legacySSHDetected: false })
    expect(result.apiTokens).toMatchObject({ tokenCount: 2, hasEnvTokens: true, unusedTokenCount: 1 })
  })

  test('missing rights are named, with what to do', async () => {
    clock.pass(46_000)
    lab.control.patchToken(lab.credentials.tokenId, {
      drop: ['Datastore.Allocate', 'Datastore.AllocateSpace'],
    })
    const { result } = await run()
    expect(result.nodes[0]!.rights!.advice).toContain(
      'The token may not read backups: give it PVEDatastoreAdmin on /storage',
    )
    lab.control.patchToken(lab.credentials.tokenId, { drop: [] })
  })

  test('[facts/platform 13] a run serves everybody for 45 seconds', async () => {
    clock.pass(46_000)
    const before = lab.requests({ path: '/version' }).total
    const [first, second] = await Promise.all([run(), run()])
    expect(second.at).toBe(first.at)
    expect(lab.requests({ path: '/version' }).total).toBe(before + 1)
    clock.pass(40_000)
    expect((await run()).at).toBe(first.at)
    clock.pass(6_000)
    expect((await run()).at).not.toBe(first.at)
  })
})

describe('[spec 2 §9] the downloads', () => {
  const download = (mode: string) => server.call('GET', `/api/diagnostics/export?mode=${mode}`)
  const date = () => new Date(clock.now()).toISOString().slice(0, 10)

  test.each(['full', 'sanitized'])('%s is a file of version 2.1.0 with its name', async (mode) => {
    const { body, headers } = await download(mode)
    expect(body).toMatchObject({ version: '2.1.0', mode })
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="pulse-diagnostics-${mode}-${date()}.json"`,
    )
  })

  test('another mode is refused', async () => {
    expect((await download('half')).status).toBe(400)
  })

  test('[S16] the full file has no secret, the sanitised one no name and no address', async () => {
    await guestsAreKnown()
    const full = (await download('full')).text
    const { text, body } = await download('sanitized')
    expect(full).not.toContain(lab.credentials.tokenSecret)
    const { vms, containers, nodes, storage } = (await server.call('GET', '/api/state')).body as PlainState
    const names = [...vms, ...containers].map(({ name }) => name)
    const addresses = [...vms, ...containers].flatMap(({ ipAddresses = [] }) => ipAddresses)
    const hosts = lab.clusters[0]!.nodes.flatMap(({ name, url }) => [name, url, new URL(url).hostname])
    expect(names.length).toBeGreaterThan(5)
    const own = ['Carla Cluster', 'carla-vault', 'carla.admin', 'carla-script', 'carla@pbs', server.dataDir]
    const ofLab = [lab.credentials.tokenId, lab.clusters[0]!.name, ...nodes.map(({ name }) => name)]
    for (const value of [...own, ...ofLab, ...names, ...addresses, ...hosts]) {
      expect(text.toLowerCase(), value).not.toMatch(alone(value))
    }
    for (const { storage: name } of storage) expect(text).not.toContain(`"${name}"`)
    expect(full).toContain(names[0])
    expect(text.toLowerCase()).not.toContain('carla')
    const sanitized = body as { state: PlainState; diagnostics: Diagnostics }
    expect(sanitized.state.vms).toHaveLength(vms.length)
    expect(sanitized.diagnostics.nodes[0]!.connected).toBe(true)
  })
})

const alone = (value: string) =>
  new RegExp(`(?<![a-z0-9])${value.toLowerCase().replace(/[^a-z0-9]/g, String.raw`\$&`)}(?![a-z0-9])`)
