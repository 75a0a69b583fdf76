import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '../app-error.ts'
import { steppedClock } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { errorReplier } from './error-reply.ts'

let server: TestServer
beforeAll(async () => void (server = await startTestServer()))
afterAll(() => server.stop())

const refusals: [what: string, method: string, path: string, body: unknown, sentence: RegExp][] = [
  ['no such call', 'GET', '/api/nothing', undefined, /^There is no such API call\.$/],
  ['an unknown node', 'DELETE', '/api/config/nodes/unknown', undefined, /^Node not found$/],
  ['a value out of range', 'POST', '/api/system/settings/update', { connectionTimeout: 0 }, /^.*at least 1/],
  ['a missing field', 'POST', '/api/config/nodes', {}, /^\w+: /],
]

test.each(refusals)(
  '[spec 1 §8] %s: the sentence comes first, and the page of 4.x shows it: the body has less than 200 characters',
  async (_what, method, path, body, sentence) => {
    const { status, text } = await server.call(method, path, body)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text).toMatch(/^\{"error":"/)
    expect((JSON.parse(text) as { error: string }).error).toMatch(sentence)
    expect(text.length).toBeLessThan(200)
  },
)

test('[spec 1 §8] so it is with a wrong setup token', async () => {
  const fresh = await startTestServer(undefined, {})
  try {
    const response = await fetch(`${fresh.url}/api/security/quick-setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        username: 'anna',
        password: 'correct horse battery',
        apiToken: 'a'.repeat(48),
        setupToken: 'x'.repeat(32),
      }),
    })
    const text = await response.text()
    expect(text).toMatch(/^\{"error":"The one-time setup token is wrong\. .*\.bootstrap_token/)
    expect(text.length).toBeLessThan(200)
  } finally {
    await fresh.stop()
  }
})

test('[S23] a refusal repeats no more than a few hundred bytes of what was sent', async () => {
  const fields = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${'k'.repeat(1_000)}${n}`, 1]))
  const { status, text } = await server.call('POST', '/api/system/settings/update', fields)
  expect(status).toBe(400)
  expect(text.length).toBeLessThan(1_500)
})

test('[S23] whatever an area says of what was sent, the answer is bounded and says that it was cut', async () => {
  const sent = 'k'.repeat(1_000_000)
  const details = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}${sent}`, sent]))
  const app = Fastify()
  app.setErrorHandler(errorReplier(steppedClock()))
  app.get('/', () => {
    throw new AppError('invalid_import', `The file cannot be imported: ${sent}: it is wrong`, { details })
  })
  const { body } = await app.inject('/')
  expect(body.length).toBeLessThan(16_000)
  const { error, details: said } = JSON.parse(body) as { error: string; details: object }
  expect(error).toMatch(/^The file cannot be imported: k+…$/)
  expect(Object.keys(said)).toHaveLength(20)
})
