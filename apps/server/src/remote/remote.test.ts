import type { PlainState, SystemSettings } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { openBus } from '../cluster/nats/bus.ts'
import { newCredentials } from '../cluster/sites/site-credentials.ts'
import { unpacked } from '../cluster/nats/parts.ts'
import { siteSubjects } from '../cluster/nats/subjects.ts'
import { realClock } from '../edges.ts'
import { type ClusterProcess, startCluster, type TestCluster } from '../testing/cluster.ts'
import { readFiles } from '../testing/files.ts'
import { hasNats } from '../testing/nats-server.ts'
import { hasPostgres } from '../testing/postgres-server.ts'
import { runMain } from '../testing/run-main.ts'
import { startSiteNats } from '../testing/site-nats.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(60_000) }

describe.skipIf(!found)('[N 4] a collector at another site', () => {
  const users = { Berlin: newCredentials(), Rome: newCredentials() }
  let cluster: TestCluster
  let lab: Lab
  let folder: string
  let home: ClusterProcess
  let berlin: ClusterProcess
  /** all that went over NATS, also unpacked */
  const sent: string[] = []
  let endListening: () => Promise<void>
  let key: string
  /** addresses of processes that have asked a host */
  const asked: string[] = []
  const askedBy = (one: ClusterProcess) => asked.filter((from) => from === one.address).length

  const file = (name: string, text: string) => {
    const at = path.join(folder, name)
    fs.writeFileSync(at, text, { mode: 0o600 })
    return at
  }
  const command = (...args: string[]) =>
    runMain(path.join(folder, 'command'), { args: ['site-key', ...args], env: { ...cluster.shared } })
  async function siteKey(...args: string[]) {
    const { code, output } = await command(...args)
    expect([code, output]).toEqual([0, expect.any(String)])
    return /^[A-Za-z0-9+/]{43}=$/m.exec(output)![0]
  }
  const remote = (site: keyof typeof users, own: string) => ({
    PULSE_DATABASE_URL: '',
    PULSE_ENCRYPTION_KEY_FILE: '',
    API_TOKENS: '',
    PULSE_ROLES: 'collect',
    PULSE_SITE: site,
    PULSE_SITE_KEY_FILE: file(`${site}.key`, `${own}\n`),
    PULSE_NATS_CREDENTIALS_FILE: file(`${site}.creds`, users[site].text),
  })
  const guests = async () => {
    const { vms, containers } = (await home.call('GET', '/api/state')).body as PlainState
    return [...vms, ...containers].map(({ name }) => name)
  }
  const nodes = async () =>
    (await home.call('GET', '/api/config/nodes')).body as { id: string; status: string }[]
  const ready = async () => (await berlin.as({})('GET', '/api/health/ready')).status
  const testStored = async () => {
    const [{ id } = { id: '' }] = await nodes()
    return (await home.call('POST', `/api/config/nodes/${id}/test`)).body
  }

  async function setCallLimit(connectionTimeout: number) {
    const change: Partial<SystemSettings> = { connectionTimeout }
    return (await home.call('PUT', '/api/config/system', change)).status
  }

  async function listen() {
    const settings = { servers: [`127.0.0.1:${cluster.nats[0]!.port}`], isEncrypted: false }
    const bus = await openBus(settings, {
      name: 'test',
      clock: realClock,
      onLost: () => {},
      onBack: () => {},
    })
    bus.nats.subscribe('>', {
      callback(_, { data }) {
        sent.push(Buffer.from(data).toString('latin1'))
        try {
          sent.push(unpacked(data).toString('latin1'))
        } catch {
          // it was not packed
        }
      },
    })
    await bus.nats.flush()
    endListening = bus.close
    return bus
  }

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-remote-'))
    lab = await startLab({
      nodes: 2,
      guests: 6,
      authDelayMs: 0,
      loadPeriodMs: 0,
      onRequest: ({ from }) => void asked.push(from),
    })
    cluster = await startCluster({ home: {} }, () => startSiteNats(users))
    await listen()
    home = cluster.processes[0]!
    key = await siteKey('Berlin')
    berlin = await cluster.add('berlin', remote('Berlin', key))
    const { url: host, fingerprint } = lab.clusters[0]!.nodes[0]!
    const { tokenId: tokenName, tokenSecret: tokenValue } = lab.credentials
    const node = { type: 'pve', name: 'pve', site: 'Berlin', host, fingerprint, tokenName, tokenValue }
    const { status, text } = await home.call('POST', '/api/config/nodes', node)
    expect([status, text]).toEqual([201, expect.any(String)])
  })
  afterAll(async () => {
    await endListening?.()
    await cluster?.remove()
    await lab?.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  test('polls the hosts of its site, and the pages show them', async () => {
    await expect.poll(guests, limit).toHaveLength(6)
    expect(await nodes()).toMatchObject([{ status: 'connected', site: 'Berlin' }])
    expect(await ready()).toBe(200)
    expect((await berlin.as({})('GET', '/metrics')).text).toContain('pulse_cluster_sources 1')
    expect(askedBy(home)).toBe(0)
  })

  test('stores with the connection what the hosts say about their cluster', async () => {
    await expect.poll(nodes, limit).toMatchObject([{ isCluster: true, clusterEndpoints: [{}, {}] }])
    expect(askedBy(home)).toBe(0)
  })

  test('follows the settings of Pulse at once', async () => {
    const before = askedBy(berlin)
    expect(await setCallLimit(20)).toBe(200)
    await expect.poll(() => askedBy(berlin), limit).toBeGreaterThan(before + 2)
  })

  test('tests connections of its site, stored or entered', async () => {
    await expect.poll(testStored, limit).toMatchObject({ status: 'success', isCluster: true })
    const { url: host, fingerprint } = lab.clusters[0]!.nodes[1]!
    const entered = {
      type: 'pve',
      site: 'Berlin',
      host,
      fingerprint,
      tokenName: 'x@pam!y',
      tokenValue: 'wrong',
    }
    const { status, body } = await home.call('POST', '/api/config/nodes/test-connection', entered)
    expect([status, body]).toEqual([400, expect.objectContaining({ code: 'connection_test_failed' })])
    expect(askedBy(home)).toBe(0)
  })

  test('has secrets in memory only: neither a file nor a message nor its log shows them', async () => {
    const secrets = [lab.credentials.tokenSecret, key]
    expect(fs.existsSync(berlin.dataDir)).toBe(false)
    expect(home.output()).not.toContain('was refused')
    for (const secret of secrets) {
      expect(berlin.output()).not.toContain(secret)
      expect(sent.filter((text) => text.includes(secret))).toEqual([])
      for (const { name, text } of readFiles(cluster.nats[0]!.folder))
        expect([name, text.includes(secret)]).toEqual([name, false])
    }
    // the test can tell: what is not secret is found
    expect(sent.some((text) => text.includes('pulse_cluster') || text.includes('"guests"'))).toBe(true)
  })

  test('goes on while the line is cut, and the newest figures arrive when it is back', async () => {
    berlin.line.cut()
    await expect.poll(ready, limit).toBe(503)
    // no process renews its lease any more
    await expect
      .poll(nodes, limit)
      .toMatchObject([{ status: expect.stringMatching(/offline|error|disconnected/) }])
    lab.control.patchGuest(100, { name: 'meanwhile' })
    const before = askedBy(berlin)
    await expect.poll(() => askedBy(berlin), limit).toBeGreaterThan(before + 2)
    const newest = sent.length
    berlin.line.thaw()
    await expect.poll(guests, limit).toContain('meanwhile')
    await expect.poll(nodes, limit).toMatchObject([{ status: 'connected' }])
    // bases and changes of one source, whatever happened meanwhile
    expect(sent.slice(newest).filter((text) => text.includes('"begins"')).length).toBeLessThan(10)
    expect(await ready()).toBe(200)
  })

  test('is not disturbed by what is no message of the process that leads, nor is that process', async () => {
    const bus = await listen()
    const { asks, answers, changed, tasks, results } = siteSubjects('Berlin')
    const before = [home, berlin].map(({ output }) => output().length)
    for (const subject of [
      asks,
      `${answers}.x`,
      changed,
      tasks,
      `${results}.x`,
      `${asks}.x`,
      'pulse.1.sites.~.up.asks',
    ])
      for (const payload of ['', 'x', '{}', Buffer.alloc(600_000), Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0])])
        bus.nats.publish(subject, payload)
    await bus.nats.flush()
    await bus.close()
    const patched = 'afterwards'
    lab.control.patchGuest(100, { name: patched })
    await expect.poll(guests, limit).toContain(patched)
    expect([home.isRunning, berlin.isRunning, await ready()]).toEqual([true, true, 200])
    expect([home, berlin].map(({ output }, n) => output().slice(before[n]).includes('"level":50'))).toEqual([
      false,
      false,
    ])
  })

  test('a second collector of the site takes over when the first one ends', async () => {
    const second = await cluster.add('second', remote('Berlin', key))
    await berlin.kill()
    await expect.poll(() => askedBy(second), limit).toBeGreaterThan(2)
    lab.control.patchGuest(100, { name: 'taken over' })
    await expect.poll(guests, limit).toContain('taken over')
    await second.stop()
  })

  test('without any collector, a test of a connection says what is missing', async () => {
    expect(await testStored()).toMatchObject({
      message: expect.stringContaining('No collector of the site Berlin'),
    })
    await berlin.start()
    await expect.poll(ready, limit).toBe(200)
  })

  test('a key that was replaced opens nothing any more, and the new one does', async () => {
    expect(await command('Berlin')).toMatchObject({ code: 1, output: expect.stringContaining('--new') })
    const next = await siteKey('Berlin', '--new')
    // the collector asks again
    expect(await setCallLimit(30)).toBe(200)
    await expect.poll(() => berlin.output(), limit).toContain('The key of the site Berlin is refused')
    expect(await ready()).toBe(503)
    const before = askedBy(berlin)
    file('Berlin.key', next)
    await berlin.stop()
    expect(askedBy(berlin)).toBe(before)
    await berlin.start()
    await expect.poll(ready, limit).toBe(200)
    await expect.poll(() => askedBy(berlin), limit).toBeGreaterThan(before)
  })
})
