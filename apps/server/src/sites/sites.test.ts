import type { SystemSettings } from '@pulse/contract'
import { type Connection, type LearnedCluster, Secret } from '@pulse/domain'
import { aGuest, aMeta } from '@pulse/testkit'
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { type Bus, openBus } from '../cluster/nats/bus.ts'
import { askSealed, KeyRefused, NoAnswer } from '../cluster/sites/sealed-questions.ts'
import { SiteAnswer } from '../cluster/sites/site-wire.ts'
import { siteSubjects } from '../cluster/nats/subjects.ts'
import { usualPace } from '../collectors/source.ts'
import { realClock } from '../edges.ts'
import { createVault } from '../seal.ts'
import { createSignal } from '../signal.ts'
import { createState } from '../state/state.ts'
import { hasNats, type NatsServer, startNats } from '../testing/nats-server.ts'
import { siteArea } from './index.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

const connection = (id: string, site: string): Connection => ({
  id,
  kind: 'pve',
  name: id,
  host: `https://${id}:8006`,
  auth: { type: 'token', tokenId: 'a@pam!b', secret: new Secret(`secret of ${id}`) },
  verifySSL: true,
  site,
  flags: {},
})
const cluster = {
  clusterName: 'prod',
  clusterEndpoints: [
    { NodeID: '1', NodeName: 'pve1', Host: 'https://pve1:8006', IP: '192.0.2.1', Online: true },
  ],
  memberFingerprints: { pve1: 'ab' },
} satisfies LearnedCluster

describe.skipIf(!found)('[N 4] the process that leads', () => {
  const keys = new Map([
    ['Berlin', createVault(randomBytes(32))],
    ['Rome', createVault(randomBytes(32))],
  ])
  let all: Connection[]
  const changed = createSignal()
  let server: NatsServer
  let bus: Bus
  let learned: [string, LearnedCluster][]
  let refused: string[]
  let leads = true
  let area: ReturnType<typeof siteArea>

  const ask = (site: string, question: unknown, key = site, limitMs = within(20_000)) =>
    askSealed({ bus, clock: realClock }, siteSubjects(site), keys.get(key)!, question, limitMs)

  beforeAll(async () => {
    server = await startNats()
    bus = await openBus(
      { servers: [`127.0.0.1:${server.port}`], isEncrypted: false },
      { name: 'test', clock: realClock, onLost: () => {}, onBack: () => {} },
    )
    const state = createState(aMeta())
    const guests = Array.from({ length: 50 }, (_, n) => aGuest({ vmid: 100 + n, source: 'pve-b' }))
    state.observe({
      source: 'pve-b',
      records: { guests: new Map(guests.map((guest) => [`pve-b:${guest.vmid}`, guest])) },
    })
    area = siteArea({
      link: {
        bus,
        replicas: 1,
        own: 'main',
        present: async () => [],
        stillLeads: async () => leads,
        onRefused: (_, why) => void refused.push(why),
      },
      keys: { vaultOf: async (site) => keys.get(site) },
      connections: {
        ofSite: (site) => all.filter((one) => one.site === site),
        sites: () => new Set(all.map(({ site }) => site!)),
        learned: async (id, facts) => void learned.push([id, facts]),
        onChange: changed.on,
        pace: () => usualPace,
      },
      settings: { onChange: createSignal<[SystemSettings, SystemSettings]>().on },
      state,
      clock: realClock,
      log: pino({ level: 'silent' }),
    })
    all = []
    await area.lead!()
  })
  afterAll(async () => {
    await area?.stop!()
    await bus?.close()
    await server?.remove()
  })
  beforeEach(() => {
    all = [connection('pve-b', 'Berlin'), connection('pve-r', 'Rome')]
    learned = []
    refused = []
  })

  test('gives a site its own connections with their secrets, and no others', async () => {
    const answer = SiteAnswer.parse(await ask('Berlin', { ask: 'connections' }))
    expect(answer.connections).toMatchObject([
      { id: 'pve-b', auth: { secret: 'secret of pve-b' }, isKnown: false, cost: 64 },
    ])
    expect(answer.pace.pve).toEqual(usualPace)
    expect(JSON.stringify(answer)).not.toContain('pve-r')
  })

  test('says nothing when another process has taken the lead meanwhile: what it knows may be old', async () => {
    leads = false
    await expect(ask('Berlin', { ask: 'connections' }, 'Berlin', 300)).rejects.toThrow(NoAnswer)
    leads = true
    await expect(ask('Berlin', { ask: 'connections' })).resolves.toBeDefined()
  })

  test('answers nothing with the key of another site, or to a site without a key', async () => {
    await expect(ask('Berlin', { ask: 'connections' }, 'Rome')).rejects.toThrow(KeyRefused)
    all = [connection('pve-o', 'Oslo')]
    await expect(ask('Oslo', { ask: 'connections' }, 'Rome')).rejects.toThrow(KeyRefused)
  })

  test('stores what a source of the site has said about its cluster, and nothing about other sources', async () => {
    await ask('Berlin', { ask: 'learned', source: 'pve-b', cluster })
    expect(learned).toEqual([['pve-b', cluster]])
    await expect(ask('Berlin', { ask: 'learned', source: 'pve-r', cluster }, 'Berlin', 300)).rejects.toThrow(
      NoAnswer,
    )
    expect(refused).toEqual(['the source belongs to another site'])
  })

  test.each([
    ['no question', 'x'],
    ['an unknown one', { ask: 'everything' }],
    [
      'too many members',
      {
        ask: 'learned',
        source: 'pve-b',
        cluster: { ...cluster, clusterEndpoints: Array(101).fill(cluster.clusterEndpoints[0]) },
      },
    ],
    [
      'a long name',
      { ask: 'learned', source: 'pve-b', cluster: { ...cluster, clusterName: 'x'.repeat(201) } },
    ],
    [
      'many fingerprints',
      {
        ask: 'learned',
        source: 'pve-b',
        cluster: {
          ...cluster,
          memberFingerprints: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [n, 'a'])),
        },
      },
    ],
  ])('refuses %s, and goes on', async (_, question) => {
    await expect(ask('Berlin', question, 'Berlin', 300)).rejects.toThrow(NoAnswer)
    expect(learned).toEqual([])
    expect(await ask('Rome', { ask: 'connections' })).toMatchObject({ connections: [{ id: 'pve-r' }] })
  })

  test('announces a change to the site, also when it has lost its last connection', async () => {
    const announced: string[] = []
    const heard = ['Berlin', 'Rome'].map((site) =>
      bus.nats.subscribe(siteSubjects(site).changed, { callback: () => void announced.push(site) }),
    )
    await bus.nats.flush()
    changed.emit()
    await bus.nats.flush()
    all = [connection('pve-r', 'Rome')]
    changed.emit()
    await bus.nats.flush()
    changed.emit()
    await expect
      .poll(() => announced, { timeout: within(20_000) })
      .toEqual(['Berlin', 'Rome', 'Rome', 'Berlin', 'Rome'])
    for (const one of heard) one.unsubscribe()
  })
})
