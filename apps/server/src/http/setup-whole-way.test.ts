import { openSandbox, type Sandbox } from '@pulse/lab'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connectLive, type LiveClient } from '../testing/live-client.ts'
import { within } from '../../../../scripts/test-limits.ts'
import { givenSetup } from './fixtures.ts'

const { ground, nodes, labNode, issue, register, audit } = givenSetup()

describe('[spec 2 §4] the whole way', () => {
  let live: LiveClient
  let host: Sandbox
  beforeEach(async () => {
    host = await openSandbox({
      product: 'pve',
      version: '8.4.5',
      hostname: labNode().name,
      fingerprint: labNode().fingerprint,
      members: [1, 2].map((n) => ({ ...labNode(n) })),
      newSecret(tokenId) {
        const secret = randomUUID()
        ground.lab.control.addToken(tokenId, secret)
        return secret
      },
    })
    live = await connectLive(ground.server.url)
  })
  afterEach(async () => {
    live.close()
    await host.close()
  })

  const eventsOf = (type: string) => live.texts.filter((frame) => frame.type === type).map(({ data }) => data)

  test('one command, and the host is watched: it appears by live event, its guests follow', async () => {
    const { command, setupCode, url } = await issue()
    const { code, stdout, stderr } = await host.bash(['-c', command])
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout).toContain(`Pulse now monitors this host as ${labNode().name}.`)
    const [tokenId] = host.accounts.tokens.keys()
    const data = { type: 'pve', host: labNode().url, name: labNode().name, tokenId }
    await expect
      .poll(() => eventsOf('node_auto_registered'))
      .toEqual([{ ...data, hasToken: true, verifySSL: true, status: 'pending' }])
    expect(eventsOf('nodes_changed').length).toBeGreaterThan(0)
    await expect.poll(async () => (await nodes())[0]?.status, { timeout: within(30_000) }).toBe('connected')
    expect(await nodes()).toMatchObject([
      { fingerprint: labNode().fingerprint, verifySSL: true, hasToken: true },
    ])
    const state = () => ground.server.call('GET', '/api/state').then(({ text }) => text)
    await expect.poll(state, { timeout: within(30_000) }).toContain('"vmid"')

    const actor = await audit('node_auto_registered')
    expect(actor).toMatchObject({ actor: 'anna', method: 'session', target: labNode().name })

    // a member of the cluster with the same code, while registration is still open
    await expect.poll(async () => (await nodes())[0]?.clusterEndpoints?.length).toBe(3)
    const member = { host: labNode(1).url, fingerprint: labNode(1).fingerprint }
    const follower = await register({ setupCode, ...member })
    expect([follower.status, follower.text]).toEqual([200, expect.stringContaining('member of its cluster')])
    expect((await register({ setupCode, host: 'https://127.0.0.99:8006' })).status).toBe(403)
    expect(await nodes()).toHaveLength(1)

    // another member with its own code: the cluster shares the token, but not the certificate
    const second = await issue({ host: labNode(2).url })
    const newToken = { tokenId: tokenId!, tokenValue: [...host.accounts.tokens.values()][0]! }
    const other = { ...newToken, host: labNode(2).url, fingerprint: labNode(2).fingerprint }
    expect((await register({ setupCode: second.setupCode, ...other })).status).toBe(200)
    expect(await nodes()).toMatchObject([{ host: labNode().url, fingerprint: labNode().fingerprint }])

    // [S16] only the answer that issued it contains the secret
    const [secret] = host.accounts.tokens.values()
    const state2 = await ground.server.call('GET', '/api/config/nodes')
    const texts = [ground.server.logLines.join(''), JSON.stringify(live.texts), url, stdout, state2.text]
    for (const text of texts) {
      expect(text).not.toContain(setupCode)
      expect(text).not.toContain(secret)
    }
  })

  test('again with a new code: the token is replaced on both sides, the node is the same', async () => {
    await host.bash(['-c', (await issue()).command])
    // of several servers, another one answers each time
    const before = await vi.waitFor(async () => (await nodes())[0]!.id, { timeout: within(10_000) })
    const { code } = await host.bash(['-c', (await issue()).command])
    expect(code).toBe(0)
    await expect.poll(nodes).toMatchObject([{ id: before }])
    await expect.poll(async () => (await nodes())[0]?.status, { timeout: within(30_000) }).toBe('connected')
  })

  test('again with the old code: nothing is fetched, nothing runs, nothing changes', async () => {
    const { command } = await issue()
    await host.bash(['-c', command])
    const calls = host.calls.length
    const { stderr } = await host.bash(['-c', command])
    expect(stderr).toContain('403')
    expect(host.calls).toHaveLength(calls)
  })

  test('a downloaded script with the code in its environment', async () => {
    const { setupCode, url } = await issue()
    const { text } = await ground.server.as(ground.admin)('GET', url.slice(ground.server.url.length))
    const { code, stderr } = await host.bash(['-c', text], { env: { PULSE_SETUP_CODE: setupCode } })
    expect(stderr).toBe('')
    expect(code).toBe(0)
    await expect.poll(nodes).toHaveLength(1)
  })
})

test('[spec 2 §4] a backup server by its own script', async () => {
  const [pbs] = ground.lab.pbs
  const host = await openSandbox({
    product: 'pbs',
    version: '3.2.7',
    fingerprint: pbs!.fingerprint,
    hostname: 'pbs1',
  })
  const { code, stderr } = await host.bash(['-c', (await issue({ type: 'pbs', host: pbs!.url })).command])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [tokenName] = host.accounts.tokens.keys()
  await expect.poll(nodes).toMatchObject([
    {
      type: 'pbs',
      name: 'pbs1',
      host: pbs!.url,
      tokenName,
      fingerprint: pbs!.fingerprint,
      verifySSL: true,
    },
  ])
  await host.close()
})
