import { expect, test } from 'vitest'
import { aResult } from './fake-diagnostics.ts'
import { readRun } from './use-diagnostics.ts'

const now = Date.UTC(2026, 0, 2, 10)

test.each([
  { headers: { 'X-Diagnostics-Cached-At': '2026-01-02T09:59:30.000Z' }, madeAt: '2026-01-02T09:59:30.000Z' },
  { headers: {}, madeAt: '2026-01-02T10:00:00.000Z' },
])('[facts/platform 13] a run with $headers was made at $madeAt', async ({ headers, madeAt }) => {
  const answer = new Response(JSON.stringify(aResult()), { headers: { ...headers } })
  expect(await readRun(answer, now)).toEqual({ result: aResult(), madeAt })
})

test('a refusal is an error with the words of the server', async () => {
  const answer = new Response(JSON.stringify({ error: 'Administrator access is needed.' }), { status: 403 })
  await expect(readRun(answer, now)).rejects.toMatchObject({
    message: 'Administrator access is needed.',
    status: 403,
  })
})
