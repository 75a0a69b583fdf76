import type { DockerReport, PlainState } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { createLog } from '../../../agent/src/log.ts'
import { Outbox } from '../../../agent/src/deliver/outbox.ts'
import { scale } from '../auth/fixtures.ts'
import { realClock } from '../edges.ts'
import { addToken } from '../testing/people.ts'
import { isForOneProcess } from '../testing/database-of-tests.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

/** 40 agents normally; the long tier runs all 500. */
const AGENTS = scale > 1 ? 500 : 40
const intervalMs = 30_000
const outageMs = 10 * 60_000

/** Agents and server share a clock that only the test moves; the server's own timers are real. */
const time = fakeClock()
const clock: Clock = { ...realClock, now: time.now, monotonic: time.monotonic }

interface Delivery {
  host: string
  /** number of the report */
  number: number
  status: number
  retryAfter: string | undefined
}

/** A proxy between agents and server. It records the deliveries in the order of their answers. */
async function aWitness(server: TestServer) {
  const seen: Delivery[] = []
  const listener = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const { method, headers } = request
    const onward = http.request(server.url + request.url!, { method: method!, headers }, (answer) => {
      const { agent, containers } = JSON.parse(String(body)) as DockerReport
      const [{ restartCount: number = -1 } = {}] = containers
      const { statusCode: status = 0, headers } = answer
      seen.push({ host: agent.id!, number, status, retryAfter: headers['retry-after'] })
      response.writeHead(status, headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    onward.end(body)
  })
  await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve))
  const close = () => {
    listener.close()
    listener.closeAllConnections()
  }
  return { seen, url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`, close }
}

let server: TestServer
let witness: Awaited<ReturnType<typeof aWitness>>
beforeAll(async () => {
  server = await startTestServer(clock)
  witness = await aWitness(server)
})
afterAll(async () => {
  witness.close()
  await server.stop()
})

async function anAgent(id: string) {
  // advances past the rate limit for new tokens
  await time.advance(10_000)
  const { token } = await addToken(server.call, { scopes: ['docker:report'], oneHost: true })
  const outbox = new Outbox({
    target: { url: witness.url, token, insecure: false },
    clock: time,
    log: createLog({ level: 'error', secrets: [], now: time.now, write: () => {} }),
    // all hosts retry at the same moment
    random: () => 1,
    timeoutMs: within(60_000),
    onCommand: () => {},
  })
  const report = (number: number): DockerReport => ({
    agent: { id, version: '5.1.0', intervalSeconds: intervalMs / 1_000 },
    host: { hostname: id },
    containers: [{ id: 'c', name: 'web', image: 'nginx', state: 'running', restartCount: number }],
  })
  return { id, outbox, offer: (number: number) => outbox.offer(report(number)) }
}

test.skipIf(isForOneProcess('its clock stands still until it moves it'))(
  '[R17] agents whose server was away bring their newest reports at once: all are taken or put off, none is out of order',
  async () => {
    const agents: Awaited<ReturnType<typeof anAgent>>[] = []
    while (agents.length < AGENTS) agents.push(await anAgent(`dock${agents.length}`))
    const settled = () =>
      vi.waitUntil(() => agents.every(({ outbox }) => !outbox.isBusy), {
        timeout: within(120_000),
        interval: 5,
      })
    const beat = async (number: number) => {
      for (const { offer } of agents) offer(number)
      await settled()
      await time.advance(intervalMs)
      await settled()
    }
    const taken = (host: string) =>
      witness.seen.filter((one) => one.host === host && one.status === 200).map(({ number }) => number)

    await beat(1)
    await beat(2)
    const beats = outageMs / intervalMs
    await server.pausedFor(async () => {
      for (let number = 3; number < 3 + beats; number++) await beat(number)
    })
    expect(witness.seen).toHaveLength(2 * AGENTS)
    const last = 2 + beats
    // the longest pause of an agent after so many failures
    await time.advance(5 * 60_000)
    await settled()
    for (const { id } of agents) expect(taken(id)).toEqual([1, 2, last])
    const { dockerHosts } = (await server.call('GET', '/api/state')).body as PlainState
    expect(dockerHosts).toHaveLength(AGENTS)
    for (const { status, containers } of dockerHosts)
      expect([status, containers[0]!.restartCount]).toEqual(['online', last])

    // exceeds the report rate of a host while the clock is stopped
    for (let number = last + 1; number <= last + 60; number++) {
      agents[0]!.offer(number)
      await settled()
    }
    const putOff = witness.seen.filter(({ status }) => status === 429)
    expect(putOff).toHaveLength(1)
    expect(putOff[0]!.retryAfter).toBe('1')
    await time.advance(10_000)
    await settled()
    expect(taken('dock0').at(-1), 'what came meanwhile took its place').toBe(last + 60)

    for (const { id } of agents) expect(taken(id)).toEqual(taken(id).toSorted((a, b) => a - b))
    expect(new Set(witness.seen.map(({ status }) => status))).toEqual(new Set([200, 429]))
  },
)
