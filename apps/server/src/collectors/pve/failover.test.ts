import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { SourceError, type SourceErrorCode } from '../source-error.ts'
import { firstAnswer, type Failover } from './failover.ts'

type Outcome = 'ok' | 'hangs' | SourceError | { after: number }
const fails = (code: SourceErrorCode, reset = false) => new SourceError(code, `${code} here`, { reset })

/** Calls endpoints with the listed outcomes, one per attempt. The last outcome repeats. */
function ask(behaviour: Record<string, Outcome[]>, change: Partial<Failover<string, string>> = {}) {
  const clock = fakeClock(0)
  const asked: string[] = []
  const aborted: string[] = []
  const result = firstAnswer<string, string>({
    clock,
    candidates: Object.keys(behaviour),
    async attempt(endpoint, signal) {
      asked.push(endpoint)
      signal.addEventListener('abort', () => aborted.push(endpoint))
      const list = behaviour[endpoint]!
      const outcome = list.length > 1 ? list.shift()! : list[0]!
      if (outcome === 'ok') return `from ${endpoint}`
      if (outcome instanceof SourceError) throw outcome
      await new Promise<void>((resolve) => {
        if (outcome !== 'hangs') clock.after(outcome.after, resolve)
      })
      return `late from ${endpoint}`
    },
    mayAsk: () => true,
    signal: new AbortController().signal,
    random: () => 0,
    ...change,
  })
  result.catch(() => {})
  return { clock, asked, aborted, result }
}

test('the first endpoint that answers is enough', async () => {
  const { result, asked } = ask({ a: ['ok'], b: ['ok'] })
  expect(await result).toEqual({ endpoint: 'a', value: 'from a' })
  expect(asked).toEqual(['a'])
})

test.each<SourceErrorCode>([
  'unreachable',
  'tls',
  'fingerprint',
  'timeout',
  'server',
  'bad_answer',
  'too_large',
])('[facts 1.4] after %s the next endpoint is asked', async (code) => {
  const { result } = ask({ a: [fails(code)], b: ['ok'] })
  expect(await result).toMatchObject({ endpoint: 'b' })
})

test.each<SourceErrorCode>(['unauthorized', 'forbidden', 'not_found', 'unsupported', 'node_offline'])(
  '[facts 1.4] %s would be the same elsewhere: it returns at once',
  async (code) => {
    const { result, asked } = ask({ a: [fails(code)], b: ['ok'] })
    await expect(result).rejects.toMatchObject({ code })
    expect(asked).toEqual(['a'])
  },
)

test('when all fail the first error is reported', async () => {
  const { result } = ask({ a: [fails('fingerprint')], b: [fails('unreachable')] })
  await expect(result).rejects.toMatchObject({ code: 'fingerprint' })
})

test('a reset of a kept-alive connection is mended by one more try, once', async () => {
  const mended = ask({ a: [fails('unreachable', true), 'ok'] })
  expect(await mended.result).toMatchObject({ value: 'from a' })
  const broken = ask({ a: [fails('unreachable', true)] })
  await expect(broken.result).rejects.toMatchObject({ code: 'unreachable' })
  expect(broken.asked).toEqual(['a', 'a'])
})

test('[facts 1.4] an overloaded host cools down and is asked again, at most two attempts more than endpoints', async () => {
  const { clock, result, asked } = ask({ a: [fails('rate_limited')] })
  await clock.advance(150)
  expect(asked).toHaveLength(2)
  await clock.advance(299)
  expect(asked).toHaveLength(2)
  await clock.advance(1)
  expect(asked).toHaveLength(3)
  await clock.advance(10_000)
  await expect(result).rejects.toMatchObject({ code: 'rate_limited' })
  expect(asked).toHaveLength(3)
})

test('a silent endpoint is not waited for: the next is asked besides, and the slower one is dropped', async () => {
  const { clock, result, asked, aborted } = ask({ a: ['hangs'], b: ['ok'] }, { hedgeMs: 1_000 })
  await clock.advance(999)
  expect(asked).toEqual(['a'])
  await clock.advance(1)
  expect(await result).toMatchObject({ endpoint: 'b' })
  expect(aborted).toContain('a')
})

test('a slow endpoint may still win', async () => {
  const { clock, result } = ask({ a: [{ after: 1_500 }], b: ['hangs'] }, { hedgeMs: 1_000 })
  await clock.advance(1_500)
  expect(await result).toMatchObject({ endpoint: 'a' })
})

test('without budget no further attempt is made', async () => {
  const failing = ask({ a: [fails('server')], b: ['ok'] }, { mayAsk: () => false })
  await expect(failing.result).rejects.toMatchObject({ code: 'server' })
  const silent = ask({ a: [{ after: 5_000 }], b: ['ok'] }, { mayAsk: () => false, hedgeMs: 1_000 })
  await silent.clock.advance(5_000)
  expect(await silent.result).toMatchObject({ endpoint: 'a' })
  expect(silent.asked).toEqual(['a'])
})

test('giving up ends all attempts', async () => {
  const abort = new AbortController()
  const { result, aborted, clock } = ask({ a: ['hangs'] }, { signal: abort.signal })
  abort.abort()
  await expect(result).rejects.toMatchObject({ code: 'timeout' })
  expect(aborted).toEqual(['a'])
  expect(clock.pending()).toBe(0)
})

test('no endpoint is an error of its own', async () => {
  await expect(ask({}).result).rejects.toMatchObject({ code: 'unreachable' })
})

test('addresses that cannot be reached cost the live ones neither tries nor budget', async () => {
  const dead = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`dead${n}`, [fails('unreachable')]]))
  const { clock, result, asked } = ask({
    ...dead,
    busy: [fails('rate_limited'), fails('rate_limited'), 'ok'],
  })
  await clock.advance(1_000)
  expect(await result).toMatchObject({ endpoint: 'busy' })
  expect(asked.filter((one) => one === 'busy')).toHaveLength(3)

  let paid = 0
  const costs = ask({ ...dead, live: ['ok'] }, { mayAsk: () => paid++ < 0 })
  expect(await costs.result).toMatchObject({ endpoint: 'live' })
  expect(paid).toBe(0)
})
