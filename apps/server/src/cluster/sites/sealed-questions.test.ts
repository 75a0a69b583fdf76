import { headers } from '@nats-io/transport-node'
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { createVault } from '../../seal.ts'
import { hasNats, type NatsServer, startNats } from '../../testing/nats-server.ts'
import { type Bus, openBus } from '../nats/bus.ts'
import { packed } from '../nats/parts.ts'
import { answerSealed, askSealed, KeyRefused, NoAnswer } from './sealed-questions.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

const limit = { timeout: within(30_000) }
const line = { asks: 'site.asks', answers: 'site.answers' }

describe.skipIf(!found)('[N 4] a sealed question', () => {
  const vault = createVault(randomBytes(32))
  let server: NatsServer
  let bus: Bus
  let answered: unknown[]
  let refused: string[]
  let end: () => void
  let work: (question: unknown) => Promise<unknown>

  const answer = (vaultOf = async (): Promise<typeof vault | undefined> => vault, queue?: string) =>
    answerSealed({
      bus,
      subject: line.asks,
      ...(queue !== undefined && { queue }),
      lineOf: () => line,
      vaultOf,
      async answer(question) {
        answered.push(question)
        return work(question)
      },
      onRefused: (_, why) => void refused.push(why),
    })
  const ask = (question: unknown, own = vault, limitMs = within(20_000), mostBytes?: number) =>
    askSealed({ bus, clock: realClock }, line, own, question, limitMs, mostBytes)

  beforeAll(async () => {
    server = await startNats()
    bus = await openBus(
      { servers: [`127.0.0.1:${server.port}`], isEncrypted: false },
      { name: 'test', clock: realClock, onLost: () => {}, onBack: () => {} },
    )
  })
  afterAll(async () => {
    await bus?.close()
    await server?.remove()
  })
  beforeEach(() => {
    answered = []
    refused = []
    work = async (question) => ({ question })
    end = answer()
  })
  afterEach(() => end())

  test('is answered, however large the answer is', async () => {
    const large = randomBytes(2_000_000).toString('base64')
    work = async () => large
    expect(await ask('q', vault, within(20_000), 4_000_000)).toBe(large)
    expect(answered).toEqual(['q'])
  })

  test('of which an answer of 1 MB is expected takes no larger one, however small it is packed', async () => {
    for (const answer of [randomBytes(2_000_000).toString('base64'), '0'.repeat(2_000_000)]) {
      work = async () => answer
      await expect(ask('q')).rejects.toThrow(RangeError)
    }
  })

  test('shows neither question nor answer on the line', async () => {
    const seen: string[] = []
    const heard = bus.nats.subscribe('site.>', {
      callback: (_, { data }) => void seen.push(Buffer.from(data).toString('latin1')),
    })
    await ask('the secret')
    expect(seen.length).toBeGreaterThan(1)
    expect(seen.join('')).not.toContain('secret')
    heard.unsubscribe()
  })

  test('with another key is refused, and so is any if there is no key', async () => {
    await expect(ask('q', createVault(randomBytes(32)))).rejects.toThrow(KeyRefused)
    end()
    end = answer(async () => undefined)
    await expect(ask('q')).rejects.toThrow(KeyRefused)
    expect(answered).toEqual([])
  })

  test('is not answered while the key cannot be read, or its answer fails', async () => {
    end()
    end = answer(() => Promise.reject(new Error('no database')))
    await expect(ask('q', vault, 200)).rejects.toThrow(NoAnswer)
    end()
    end = answer()
    work = () => Promise.reject(new Error('it fails'))
    await expect(ask('q', vault, 200)).rejects.toThrow(NoAnswer)
    expect(refused).toEqual(['no database', 'it fails'])
  })

  test('is refused without a word of what it says', async () => {
    const id = randomUUID()
    const head = headers()
    head.set('Pulse-Question', id)
    bus.nats.publish(
      line.asks,
      vault.sealBytes(packed('{"secret": oops'), `question ${id} on ${line.asks}`),
      {
        headers: head,
      },
    )
    work = async (question) => z.array(z.literal('known')).parse(question)
    await expect(ask(Array(1_000).fill('secret'), vault, 200)).rejects.toThrow(NoAnswer)
    await expect.poll(() => refused.length, limit).toBe(2)
    expect(refused).toEqual([
      'it is no question that is sealed with the key of the site',
      'the question has not its form',
    ])
  })

  test('that is sent again by a stranger is performed once', async () => {
    const sent: [Uint8Array, Parameters<typeof bus.nats.publish>[2]][] = []
    const heard = bus.nats.subscribe(line.asks, {
      callback: (_, { data, headers }) => void sent.push([data, { headers: headers! }]),
    })
    await ask('q')
    heard.unsubscribe()
    const [data, options] = sent[0]!
    for (let again = 0; again < 3; again++) bus.nats.publish(line.asks, data, options)
    expect(await ask('next')).toEqual({ question: 'next' })
    expect(answered).toEqual(['q', 'next'])
  })

  test('is answered by one of several with the same queue', async () => {
    end()
    const ends = [answer(undefined, 'q'), answer(undefined, 'q')]
    await ask('one')
    await ask('two')
    end = () => ends.forEach((one) => one())
    expect(answered).toEqual(['one', 'two'])
  })

  test('of others waits for nothing: what floods a line is dropped', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    work = () => held
    const flood = Array.from({ length: 50 }, () => ask('flood', vault, within(20_000)).catch(() => 'none'))
    await expect.poll(() => answered.length, limit).toBe(10)
    await bus.nats.flush()
    expect(answered).toHaveLength(10)
    release()
    await Promise.race(flood)
    work = async () => 'free'
    await expect.poll(() => ask('q', vault, 1_000).catch(() => undefined), limit).toBe('free')
  })

  test('that is none is refused, and what unpacks to gigabytes too', async () => {
    const bomb = vault.sealBytes(packed('0'.repeat(64 * 1024 * 1024)), 'x')
    for (const payload of ['', 'x', bomb]) bus.nats.publish(line.asks, payload)
    expect(await ask('q')).toEqual({ question: 'q' })
    expect(refused).toEqual(['it is no question', 'it is no question', 'it is no question'])
    const large = ask('0'.repeat(1024 * 1024))
    await expect(large).rejects.toThrow(KeyRefused)
    expect(answered).toEqual(['q'])
  })
})
