// This file serves tests only, like the packages it needs.
import { type Lab, type LabOptions, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { expect, type TestContext } from 'vitest'
import { passingBetweenCalls } from '../testing/calls-under-way.ts'
import { addToken, addUser } from '../testing/people.ts'
import { type Call, startTestServer, type TestServer } from '../testing/server.ts'
import { openSinks, setUpSinks, type Sinks } from './fixtures-sinks.ts'

export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export interface Month {
  lab: Lab
  sinks: Sinks
  server: TestServer
  /** Makes a call as the administrator; the call must succeed. */
  call: (method: string, where: string, body?: unknown) => Promise<unknown>
  /** a call with the token of container hosts */
  agent: Call
  /** the guests whose CPU was at 97 %, by day */
  troubled: Map<number, readonly number[]>
  /** ms since the month began */
  at: () => number
  /** epoch ms */
  now: () => number
  /**
   * Suspends the machine until this many ms after the start of the month; then all due timers run at once.
   */
  sleepUntil(ms: number): void
  /** Runs the product for this time, from event to event. */
  work(ms: number): Promise<void>
}

/** The whole product, a lab and five destinations, in simulated time. */
export async function givenMonth(
  context: Pick<TestContext, 'onTestFinished'>,
  size: Pick<LabOptions, 'guests' | 'nodes' | 'dockerHosts'>,
): Promise<Month> {
  const factor = 500
  const hosts = new Set<string>()
  let isPassing = false
  const clock = acceleratedClock(
    factor,
    Date.UTC(2026, 0, 1),
    passingBetweenCalls(context, hosts, () => isPassing),
  )
  const lab = await startLab({
    pbs: 2,
    pmg: 1,
    // as many as Pulse stores, from the first poll
    taskDays: 60,
    ...size,
    authDelayMs: 3_000 / factor,
    agentHangMs: 8_000 / factor,
    now: clock.now,
    after: clock.after,
  })
  const addresses = [...lab.clusters.flatMap(({ nodes }) => nodes), ...lab.pbs, ...lab.pmg]
  for (const { address } of addresses) hosts.add(address)
  const sinks = await openSinks()
  const server = await startTestServer(clock)
  context.onTestFinished(async () => {
    await server.stop()
    await sinks.close()
    await lab.close()
  })
  const call: Month['call'] = async (method, where, body) => {
    const { status, text, body: answer } = await server.call(method, where, body)
    expect(status, `${method} ${where} ${text}`).toBeLessThan(300)
    return answer
  }

  await setUpSinks(sinks, server.call)
  await setUpSources(lab, call)
  await addUser(server, 'olga', 'admin')
  await call('PUT', '/api/alerts/config', {
    schedule: { escalation: { enabled: true, levels: [{ after: 15, notify: 'all' }] } },
  })
  await call('POST', '/api/alerts/activate')
  const { token, headers } = await addToken(server.call, { scopes: ['docker:report'] })
  lab.control.reportTo({ url: server.url, token, intervalSeconds: 0 })

  // Counted from the start of the clock: the lab's loads depend on the time of day, and the setup takes
  // longer on a busy machine.
  const at = clock.monotonic
  return {
    lab,
    sinks,
    server,
    call,
    troubled: new Map(),
    agent: (...given) => server.as(headers)(...given),
    at,
    now: clock.now,
    sleepUntil: (ms) => clock.suspend(Math.max(0, ms - at())),
    async work(ms) {
      const until = at() + ms
      isPassing = true
      while (at() < until) {
        // A restarted server has another port.
        lab.control.reportTo({ url: server.url, token, intervalSeconds: 0 })
        void lab.control.sendDockerReports()
        await new Promise<void>((resolve) => void clock.after(Math.min(30 * secondMs, until - at()), resolve))
      }
      isPassing = false
    },
  }
}

async function setUpSources(lab: Lab, call: Month['call']) {
  const { tokenId: tokenName, tokenSecret: tokenValue } = lab.credentials
  const { url: host, fingerprint } = lab.clusters[0]!.nodes[0]!
  await call('POST', '/api/config/nodes', {
    type: 'pve',
    name: 'main',
    host,
    fingerprint,
    tokenName,
    tokenValue,
  })
  for (const { name, url, fingerprint: print, credentials } of lab.pbs)
    await call('POST', '/api/config/nodes', {
      type: 'pbs',
      name,
      host: url,
      fingerprint: print,
      tokenName: credentials.tokenId,
      tokenValue: credentials.tokenSecret,
    })
  for (const { name, url, fingerprint: print, credentials } of lab.pmg)
    await call('POST', '/api/config/nodes', {
      type: 'pmg',
      name,
      host: url,
      fingerprint: print,
      user: credentials.auditor.user,
      password: credentials.auditor.password,
    })
}
