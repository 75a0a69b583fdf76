import { expect, test } from 'vitest'
import { createCredentials } from './credentials.ts'
import { createRequester } from './request.ts'
import { wordsOf } from './reason.ts'

const failed = 'Request failed with status 502'
const long = 'x'.repeat(10 * 1024)

test.each([
  { when: 'a JSON error', body: '{"error":"Name is taken"}', text: 'Name is taken' },
  { when: 'a JSON message', body: '{"message":"Not now"}', text: 'Not now' },
  { when: 'short text', body: 'Bad gateway', text: 'Bad gateway' },
  { when: 'HTML', body: '<!doctype html><html><body>Bad gateway</body></html>', text: failed },
  { when: 'HTML with a pre tag', body: '<html><pre>upstream is gone</pre></html>', text: 'upstream is gone' },
  { when: '10 KB of text', body: long, text: failed },
  { when: 'a JSON error of 10 KB', body: JSON.stringify({ error: long }), text: failed },
  { when: 'JSON that says nothing', body: '{}', text: failed },
  { when: 'an empty body', body: '', text: 'Failed to save settings' },
  { when: 'no answer', body: undefined, text: 'Pulse does not answer' },
])('[spec 1 §8] a failed save with $when shows $text', async ({ body, text }) => {
  const { json } = createRequester({
    async fetch() {
      if (body === undefined) throw new TypeError('Failed to fetch')
      return new Response(body, { status: 502 })
    },
    cookies: () => '',
    wait: async () => {},
    warn: () => {},
    onUnauthorized: () => {},
    credentials: createCredentials(),
  })
  const error: unknown = await json('/api/x', { method: 'POST', json: {} }).catch((thrown: unknown) => thrown)
  expect(wordsOf(error, 'Failed to save settings')).toBe(text)
})

test('the fallback replaces an error without a message', () => {
  expect(['x', undefined, new Error('')].map((thrown) => wordsOf(thrown, 'Operation failed'))).toEqual(
    Array(3).fill('Operation failed'),
  )
})
