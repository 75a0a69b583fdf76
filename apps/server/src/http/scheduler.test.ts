import { SchedulerHealth } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { isForOneProcess } from '../testing/database-of-tests.ts'
import { addToken } from '../testing/people.ts'
import { connectCluster } from './fixtures-cluster.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { within } from '../../../../scripts/test-limits.ts'

let lab: Lab
let server: TestServer
const clock = acceleratedClock(20, Date.now())
const where = '/api/monitoring/scheduler/health'
const read = async () => SchedulerHealth.parse((await server.call('GET', where)).body)
const of = async (key: string) => (await read()).instances.find((one) => one.key === key)!
const until = (look: () => Promise<void>) => vi.waitFor(look, { timeout: within(120_000), interval: 100 })

const connect = async (body: object) => {
  const { status, text } = await server.call('POST', '/api/config/nodes', body)
  expect(status, text).toBe(201)
}

beforeAll(async () => {
  lab = await startLab({ nodes: 1, guests: 4, pbs: 2, authDelayMs: 0, loadPeriodMs: 0 })
  server = await startTestServer(clock)
  const [vault, store] = lab.pbs
  await connectCluster(server, lab)
  const token = ({ url: host, fingerprint, credentials }: Lab['pbs'][number]) => ({
    type: 'pbs',
    host,
    fingerprint,
    tokenName: credentials.tokenId,
    tokenValue: credentials.tokenSecret,
  })
  await connect({ ...token(vault!), name: 'vault' })
  await connect({
    ...token(store!),
    name: 'store',
    tokenValue: '00000000-0000-0000-0000-000000000000',
  })
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

const isSkipped = isForOneProcess('each process reports the sources that it polls')

test.skipIf(isSkipped)(
  '[facts/platform 15.4] a source that answers has no failure, a closed breaker and fresh data',
  async () => {
    await until(async () => expect((await of('pve::main')).pollStatus.lastSuccess).toBeDefined())
    const { updatedAt, enabled, queue, staleness, breakers } = await read()
    expect(Math.abs(Date.parse(updatedAt) - clock.now())).toBeLessThan(60_000)
    expect(enabled).toBe(false)
    expect(Object.keys(queue.perType).sort()).toEqual(['pbs', 'pve'])
    expect(queue.perType['pbs']! + queue.perType['pve']!).toBe(queue.depth)
    expect(queue.depth).toBeGreaterThan(10)
    expect(queue.dueWithinSeconds).toBeGreaterThan(0)
    // certificates are read once a day
    expect(queue.dueWithinSeconds).toBeLessThan(queue.depth)
    expect(breakers.map(({ instance }) => instance)).not.toContain('main')
    const main = await of('pve::main')
    expect(main).toMatchObject({
      type: 'pve',
      displayName: 'main',
      instance: 'main',
      connection: lab.clusters[0]!.nodes[0]!.url,
      pollStatus: { consecutiveFailures: 0 },
      breaker: { state: 'closed', failureCount: 0 },
      deadLetter: { present: false },
    })
    expect(main.pollStatus).not.toHaveProperty('firstFailureAt')
    const { score, lastSuccess } = staleness.find(({ instance }) => instance === 'main')!
    expect(score).toBeLessThan(1)
    expect(Date.parse(lastSuccess!)).toBeLessThanOrEqual(clock.now())
  },
)

test.skipIf(isSkipped)(
  '[facts/platform 15.4] a wrong token is a permanent failure and in the dead letters, with the reason',
  async () => {
    await until(async () => expect((await of('pbs::store')).deadLetter.present).toBe(true))
    const { pollStatus, deadLetter } = await of('pbs::store')
    expect(pollStatus.lastError!.category).toBe('permanent')
    expect(pollStatus.lastError!.message).not.toContain('00000000-0000')
    expect(pollStatus).not.toHaveProperty('lastSuccess')
    expect(deadLetter.reason).toBe('permanent_failure')
    expect(deadLetter.retryCount).toBe(pollStatus.consecutiveFailures)
    const { count, tasks } = (await read()).deadLetter
    expect(count).toBe(1)
    expect(tasks).toMatchObject([
      { instance: 'store', type: 'pbs', lastError: pollStatus.lastError!.message },
    ])
  },
)

test.skipIf(isSkipped)(
  '[facts/platform 15.4] a source that does not answer opens its breaker with the third failure, until it is back',
  async () => {
    await until(async () => expect((await of('pbs::vault')).pollStatus.lastSuccess).toBeDefined())
    await lab.control.patchAppliance(lab.pbs[0]!.name, { online: false })
    const seen: { failures: number; isClosed: boolean }[] = []
    await until(async () => {
      const { breaker, pollStatus } = await of('pbs::vault')
      seen.push({ failures: breaker.failureCount, isClosed: breaker.state === 'closed' })
      expect(breaker.state).toBe('open')
      expect(Date.parse(breaker.retryAt!)).toBeGreaterThan(Date.parse(breaker.since!))
      expect(pollStatus.lastError!.category).toBe('transient')
      expect(Date.parse(pollStatus.firstFailureAt!)).toBeGreaterThan(Date.parse(pollStatus.lastSuccess!))
    })
    for (const { failures, isClosed } of seen) expect([failures, isClosed]).toEqual([failures, failures < 3])
    expect((await read()).breakers.map(({ instance }) => instance)).toContain('vault')
    await until(async () =>
      expect((await read()).staleness.find(({ instance }) => instance === 'vault')!.score).toBe(1),
    )
    await until(async () =>
      expect(await of('pbs::vault')).toMatchObject({
        deadLetter: { present: true, reason: 'max_retry_attempts' },
      }),
    )

    await lab.control.patchAppliance(lab.pbs[0]!.name, { online: true })
    await until(async () =>
      expect(await of('pbs::vault')).toMatchObject({
        pollStatus: { consecutiveFailures: 0, lastError: { category: 'transient' } },
        breaker: { state: 'closed', failureCount: 0 },
        deadLetter: { present: false },
      }),
    )
    const { breaker } = await of('pbs::vault')
    expect(breaker.lastTransition).toBe(breaker.since)
  },
)

test('[facts/platform 15.4] a reader may read it, a token without that scope may not', async () => {
  const { headers: reader } = await addToken(server.call, { scopes: ['monitoring:read'] })
  const { headers: agent } = await addToken(server.call, { scopes: ['docker:report'] })
  expect((await server.as(reader)('GET', where)).status).toBe(200)
  expect((await server.as(agent)('GET', where)).status).toBe(403)
  expect((await server.as({})('GET', where)).status).toBe(401)
})
