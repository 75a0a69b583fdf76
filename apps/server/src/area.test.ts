import { endpoint } from '@pulse/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Area, socketMessage } from './area.ts'
import { nothing, part } from './export-part.ts'
import { route } from './http/route.ts'
import { gauge } from './metric.ts'
import { isForOneProcess } from './testing/database-of-tests.ts'
import { quickHashing } from './testing/quick-hashing.ts'
import { product } from './server.ts'
import { connectLive } from './testing/live-client.ts'
import { startTestServer, type TestServer } from './testing/server.ts'
import { bytesOf, unseal } from './transfer/file.ts'

const passphrase = 'a passphrase of some length'
const heard: unknown[] = []
const events: string[] = []

const getWeather = endpoint({
  method: 'GET',
  path: '/api/weather',
  access: 'admin',
  scope: 'settings:read',
  rate: 'read',
  reply: z.object({ weather: z.string() }),
})

/** An area with every optional part. */
const weather: Area = {
  name: 'the weather',
  routes: [route(getWeather, () => ({ weather: 'fair' }))],
  exportParts: [
    part({
      key: 'weather',
      schema: z.object({ location: z.string() }),
      read: async () => ({ location: 'rack 4' }),
      plan: async ({ location }) => ({ ...nothing, summary: `weather of ${location}` }),
    }),
  ],
  messages: [
    socketMessage({
      need: { access: 'admin', scope: 'settings:read' },
      schema: z.object({ type: z.literal('weather'), location: z.string() }),
      take: ({ location }, { name }) => void heard.push([location, name]),
    }),
  ],
  metrics: [gauge('weather_fair', 'Whether it is fair.', () => true)],
  diagnose: () => ({ weather: { stations: 1 }, notes: ['The weather is fair.'] }),
  start: () => void events.push('the weather starts'),
  stop: () => void events.push('the weather ends'),
}

const reporter: Area = {
  name: 'the weather report',
  start: () => void events.push('its report starts'),
  async stop() {
    const isOpen = await fetch(`${server.url}/api/health`).then(
      () => true,
      () => false,
    )
    events.push(`its report ends, the web server ${isOpen ? 'is open' : 'has closed'}`)
  },
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(undefined, undefined, undefined, quickHashing, (base) =>
    product(base, [weather, reporter]),
  )
})
afterAll(() => server.stop())

test('[design §13] an area is one object in the list: its call stands behind the gate', async () => {
  expect((await server.call('GET', '/api/weather')).body).toEqual({ weather: 'fair' })
  expect((await server.as({})('GET', '/api/weather')).status).toBe(401)
})

test('an export carries its part, and an import of that file brings it back', async () => {
  const exported = await server.call('POST', '/api/config/export', { passphrase })
  const { data } = exported.body as { data: string }
  const { text } = await unseal(bytesOf(data), passphrase)
  expect(JSON.parse(text)).toMatchObject({ weather: { location: 'rack 4' } })
  const preview = await server.call('POST', '/api/config/import/preview', { data, passphrase })
  expect(preview.body).toMatchObject({ summary: 'weather of rack 4' })
})

test('a run of the diagnostics shows its block, and its notes beside those of others', async () => {
  const { body } = await server.call('GET', '/api/diagnostics')
  expect(body).toMatchObject({
    weather: { stations: 1 },
    notes: ['Nothing is monitored yet: add a node.', 'The weather is fair.'],
  })
})

test('Prometheus reads its figures', async () => {
  expect((await server.call('GET', '/metrics')).text).toContain('\nweather_fair 1\n')
})

test('it hears its messages from those who may send them; others are refused', async () => {
  const live = await connectLive(server.url)
  live.send({ type: 'weather', location: 'rack 5' })
  live.send({ type: 'weather' })
  await expect.poll(() => live.texts.filter(({ type }) => type === 'error').length).toBe(1)
  expect(heard).toEqual([['rack 5', expect.any(String)]])
  live.close()
})

test.skipIf(isForOneProcess('each process starts areas of its own'))(
  'areas start in order and end in reverse, once no request can arrive',
  async () => {
    expect(events).toEqual(['the weather starts', 'its report starts'])
    await server.restart()
    expect(events.slice(2)).toEqual([
      'its report ends, the web server has closed',
      'the weather ends',
      'the weather starts',
      'its report starts',
    ])
  },
)
