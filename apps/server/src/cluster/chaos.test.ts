import type { Alert, PlainState } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { scale } from '../auth/fixtures.ts'
import { realClock } from '../edges.ts'
import {
  comingAlerts,
  seconds,
  startMessageSink,
  unexcusedCopies,
  wrongOrder,
} from '../testing/chaos-alerts.ts'
import { type CallWithin, callWithin } from '../testing/chaos-calls.ts'
import { samplesIn } from '../testing/chaos-samples.ts'
import { addSources } from '../testing/chaos-sources.ts'
import { type DoneFault, inflict, planFaults } from '../testing/chaos-faults.ts'
import { createPollLog } from '../testing/chaos-polls.ts'
import { manage } from '../testing/chaos-processes.ts'
import { keepWriting } from '../testing/chaos-writes.ts'
import { type ClusterProcess, startCluster, type TestCluster } from '../testing/cluster.ts'
import { randomFrom } from '../testing/data-folder.ts'
import { hasNats } from '../testing/nats-server.ts'
import { addToken } from '../testing/people.ts'
import { hasPostgres } from '../testing/postgres-server.ts'
import {
  hasVictoriaMetrics,
  startVictoriaMetrics,
  type VictoriaMetrics,
} from '../testing/victoria-metrics.ts'
import { createTicker } from '../timing/ticker.ts'
import { leaseMs } from './leases/leases.ts'

const found = hasNats() && hasPostgres() && hasVictoriaMetrics()
if (!found) console.log('skipped: no NATS, no PostgreSQL or no VictoriaMetrics')

const isLong = scale > 1
const count = 20 * scale
const channels = ['one', 'two', 'three', 'four']
const seed = Number(process.env['PULSE_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
/** A folder for the logs of the processes and of the run, to find the cause of a failure. */
const logFolder = process.env['PULSE_TEST_CHAOS_LOGS']

const reportLimitMs = 5_000
/** Calls wait for a leader for 15 s. */
const writeLimitMs = 20_000
const settleMs = within(150_000)
const testMs = within(isLong ? 5_400_000 : 480_000)
const watchMs = 3_000

describe.skipIf(!found)(`[N 6] ${count} faults at random while alerts come and go`, () => {
  let cluster: TestCluster
  let lab: Lab
  let samples: VictoriaMetrics
  let sink: Awaited<ReturnType<typeof startMessageSink>>
  const polls = createPollLog()
  const logged: string[] = []
  const call = async (at: ClusterProcess, method: string, where: string, body?: unknown) => {
    const answer = await at.call(method, where, body)
    expect([answer.status < 300, answer.text], `${method} ${where}`).toEqual([true, expect.any(String)])
    return answer
  }

  beforeAll(async () => {
    sink = await startMessageSink(randomFrom(seed + 2))
    lab = await startLab({
      nodes: 4,
      clusters: 2,
      guests: 6,
      pbs: 1,
      pmg: 1,
      authDelayMs: 0,
      loadPeriodMs: 0,
      onRequest: polls.note,
    })
    samples = await startVictoriaMetrics()
    const own = { PULSE_SAMPLES_URL: samples.url }
    const each = { a: own, b: own, c: { ...own, PULSE_ROLES: 'collect,serve' } }
    cluster = await startCluster(each, 3)
    const [a] = cluster.processes as [ClusterProcess]
    await call(a, 'PUT', '/api/notifications/outbound', { allowedHosts: ['127.0.0.1'] })
    for (const name of channels)
      await call(a, 'POST', '/api/notifications/webhooks', {
        name,
        // each address may get ten messages in a minute
        url: `${sink.url}/${name}?of={{.ID}}`,
      })
    const schedule = { cooldown: 0, maxAlertsHour: 0, grouping: { enabled: false } }
    await call(a, 'PUT', '/api/alerts/config', { schedule })
    await call(a, 'POST', '/api/alerts/activate')
    await addSources(a.call, lab)
  })
  afterAll(async () => {
    if (logFolder && cluster) {
      fs.mkdirSync(logFolder, { recursive: true })
      for (const { name, output } of cluster.processes)
        fs.writeFileSync(path.join(logFolder, `${name}.log`), output())
      for (const { name, call: ask } of cluster.processes)
        for (const [end, where] of [
          ['state.json', '/api/state'],
          ['metrics', '/metrics'],
        ] as const) {
          const text = await ask('GET', where).then((answer) => answer.text, String)
          fs.writeFileSync(path.join(logFolder, `${name}.${end}`), text)
        }
      const stored = await fetch(`${samples.url}/api/v1/export?match[]=pulse_node_cpu`)
      fs.writeFileSync(path.join(logFolder, 'samples.jsonl'), await stored.text())
      const messages = sink.received.map((message) => JSON.stringify(message))
      fs.writeFileSync(path.join(logFolder, 'run.log'), [...logged, ...messages].join('\n'))
    }
    await cluster?.remove()
    await samples?.remove()
    await lab?.close()
    sink?.close()
  })

  test(
    `nothing is lost, sent twice, asked twice or called offline (PULSE_TEST_SEED=${seed})`,
    { timeout: testMs },
    async () => {
      console.log(`PULSE_TEST_SEED=${seed}`)
      const random = randomFrom(seed)
      /** of what is not the same in another run with the same seed, because it depends on time */
      const randomOfTraffic = randomFrom(seed + 1)
      const { processes } = cluster
      const anyProcess = () => processes[Math.floor(randomOfTraffic() * processes.length)]!
      const askAny = (limitMs: number, credentials?: Record<string, string>) => {
        const ask: CallWithin = callWithin(limitMs)
        return (method: string, where: string, body?: unknown) =>
          ask(anyProcess().url, method, where, body, credentials)
      }
      const [ending, writing] = [new AbortController(), new AbortController()]
      const manager = manage(processes, ending.signal)
      const faults: DoneFault[] = []
      const seen = new Set<string>()
      const log = (line: string) => void logged.push(`${seconds(performance.now())} ${line}`)

      // the estate is known before the first fault
      const stateOf = async (at: ClusterProcess) => (await call(at, 'GET', '/api/state')).body as PlainState
      for (const one of processes)
        await expect
          .poll(async () => (await stateOf(one)).nodes.length, { timeout: within(60_000) })
          .toBe(lab.clusters.flatMap(({ nodes }) => nodes).length)
      await expect
        .poll(async () => (await samplesIn(samples.url)).size, { timeout: within(60_000) })
        .toBe(lab.clusters.flatMap(({ nodes }) => nodes).length)

      const agent = (await addToken(processes[0]!.call, { scopes: ['docker:report'] })).headers
      const report = askAny(reportLimitMs, agent)
      const alerts = comingAlerts({
        channels,
        arrived: sink.arrived,
        report: (body) => report('POST', '/api/agents/docker/report', body),
        signal: ending.signal,
      })
      const writes = keepWriting(askAny(writeLimitMs), randomOfTraffic, writing.signal)
      const look = askAny(reportLimitMs)
      const watching = createTicker({
        clock: realClock,
        intervalMs: watchMs,
        async run() {
          const reply = await look('GET', '/api/state')
          if (!reply?.ok) return
          for (const offline of offlineIn(reply.body as PlainState)) {
            if (!seen.has(offline)) log(`shown: ${offline}`)
            seen.add(offline)
          }
        },
        onError: (error) => log(String(error)),
      })

      try {
        await inflict(
          planFaults(count, {
            cluster,
            samples,
            kill: manager.kill,
            random,
            ...(isLong
              ? { longestMs: 60_000, mostApartMs: 16_000 }
              : { longestMs: 12_000, mostApartMs: 4_000 }),
          }),
          (done) => {
            faults.push(done)
            log(done.what)
          },
          ending.signal,
        )
        log('all faults are over')
        writing.abort()
        await writes.whole
        alerts.fade()
        await expect.poll(() => alerts.open(), { timeout: settleMs, interval: 500 }).toEqual([])

        // Stores of samples drop what is days ahead, so the clock of the process that leads has to be right.
        for (const one of processes) one.setClock(0)
        const before = await samplesIn(samples.url)
        const unsampled = async () => {
          const now = await samplesIn(samples.url)
          return [...before].filter(([node, count]) => !(now.get(node)! > count))
        }
        await expect.poll(unsampled, { timeout: within(60_000), interval: 1_000 }).toEqual([])

        const lost = async (at: ClusterProcess) =>
          (await writes.lostAt((...asked) => callWithin(writeLimitMs)(at.url, ...asked))).map(
            (what) => `${at.name} does not show ${what}`,
          )
        for (const one of processes)
          await expect.poll(() => lost(one), { timeout: within(60_000), interval: 500 }).toEqual([])
        for (const one of processes)
          await expect
            .poll(async () => offlineIn(await stateOf(one)), { timeout: within(60_000), interval: 500 })
            .toEqual([])

        const history = (await call(processes[0]!, 'GET', '/api/alerts/history?limit=0')).body as Alert[]
        const { copies, unexcused } = unexcusedCopies(sink.received, faults)
        const summary = [
          `${faults.length} faults, ${alerts.count} alerts, ${sink.received.length} messages, ${copies} copies`,
          `${writes.acknowledged} writes, ${polls.count} calls to sources, ${manager.failedStarts.length} starts repeated`,
        ].join('; ')
        log(summary)
        console.log(summary)
        expect.soft(unexcused, 'copies without a fault').toEqual([])
        expect.soft(copies, 'copies').toBeLessThanOrEqual(faults.length)
        expect.soft(wrongOrder(sink.received), 'raised and resolved').toEqual([])
        expect.soft(polls.doubled(leaseMs), 'asked by two').toEqual([])
        expect
          .soft(
            history.filter(isOfflineAlert).map(({ type, message }) => `${type}: ${message}`),
            'alerts that no fault caused',
          )
          .toEqual([])
        expect.soft([...seen], 'shown as offline').toEqual([])
        expect.soft(manager.crashes, 'ends that no fault caused').toEqual([])
      } finally {
        ending.abort()
        writing.abort()
        watching.stop()
        await Promise.all([alerts.whole, writes.whole])
      }
    },
  )
})

/** A storage of the lab is not available on its own account. */
const isOfflineAlert = ({ type, resourceName }: Alert) =>
  /offline|connectivity|powered/.test(type) && resourceName !== 'scratch'

/** What a process shows as offline, although the lab has left all of it running. */
function offlineIn({ nodes, pbs, pmg, dockerHosts }: PlainState): string[] {
  return [
    ...nodes
      .filter((node) => node.status === 'offline' || node.connectionHealth === 'error')
      .map(({ name, status, connectionHealth: own }) => `node ${name} ${status} ${own}`),
    ...[...pbs, ...(pmg ?? [])]
      .filter(({ status }) => status === 'offline')
      .map(({ name, status }) => `${name} ${status}`),
    ...dockerHosts.filter(({ status }) => status === 'offline').map(({ hostname }) => `host ${hostname}`),
  ]
}
