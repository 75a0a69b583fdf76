import type { Alert, LiveEvent } from '@pulse/contract'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aContainer, aReport } from '../docker/fixtures.ts'
import { connectLive } from '../testing/live-client.ts'
import { addToken, steppedClock } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

const clock = steppedClock()
let server: TestServer
let sink: http.Server
let received: number

async function take(request: http.IncomingMessage, response: http.ServerResponse) {
  await text(request)
  received++
  response.writeHead(200).end()
}

beforeAll(async () => {
  received = 0
  sink = http.createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve))
  server = await startTestServer(clock)
})
afterAll(async () => {
  await server.stop()
  sink.close()
})

const minuteMs = 60_000
const active = async () => (await server.call('GET', '/api/alerts/active')).body as Alert[]
const save = (schedule: object) => server.call('PUT', '/api/alerts/config', { schedule })

test('[spec 3] pages get an escalation event, and an alert shows when it was notified and escalated, also after a restart', async () => {
  const { port } = sink.address() as AddressInfo
  await server.call('PUT', '/api/notifications/outbound', { allowedHosts: ['127.0.0.1'] })
  await server.call('POST', '/api/notifications/webhooks', { name: 'Sink', url: `http://127.0.0.1:${port}/` })
  await server.call('POST', '/api/alerts/activate')
  await save({ grouping: { enabled: false } })
  const agent = (await addToken(server.call, { scopes: ['docker:report'] })).headers
  const containers = [aContainer({ id: '0'.repeat(64), name: 'db', health: 'unhealthy' })]
  await server.as(agent)('POST', '/api/agents/docker/report', aReport({ id: 'host', containers }))
  await expect
    .poll(active)
    .toMatchObject([{ type: 'docker-container-health', lastNotified: expect.any(String) }])
  expect(received).toBe(1)

  const client = await connectLive(server.url)
  clock.pass(20 * minuteMs)
  await save({ escalation: { enabled: true, levels: [{ after: 15, notify: 'webhook' }] } })
  const shown = () =>
    (client.texts as LiveEvent[]).flatMap((event) => (event.type === 'alert' ? [event.data] : []))
  await expect
    .poll(shown)
    .toMatchObject([
      { type: 'docker-container-health', lastEscalation: 1, escalationTimes: [expect.any(String)] },
    ])
  expect(received).toBe(2)
  client.close()
  const [before] = await active()
  const { lastNotified, escalationTimes } = before!
  expect(escalationTimes).toEqual([lastNotified])
  await server.restart()
  expect(await active()).toMatchObject([{ lastNotified, lastEscalation: 1, escalationTimes }])
})
