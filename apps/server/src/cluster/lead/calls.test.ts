import { headers } from '@nats-io/transport-node'
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import type { AppError } from '../../app-error.ts'
import { realClock } from '../../edges.ts'
import { createVault } from '../../seal.ts'
import { hasNats, type NatsServer, startNats } from '../../testing/nats-server.ts'
import { type Bus, openBus } from '../nats/bus.ts'
import { type Calls, createCalls } from './calls.ts'
import { leaderCalls } from '../nats/subjects.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

const limit = { timeout: within(60_000) }
const lead = (n: number) => `000000000000001.${String(n).padStart(16, '0')}`

describe.skipIf(!found)('[N 3] a call to the process that leads', () => {
  let server: NatsServer
  let buses: Bus[]
  let refused: string[]
  const key = randomBytes(32)
  async function join(own: string, vault = createVault(key)): Promise<{ bus: Bus; calls: Calls }> {
    const settings = { servers: [`127.0.0.1:${server.port}`], isEncrypted: false }
    const bus = await openBus(settings, { name: own, clock: realClock, onLost: () => {}, onBack: () => {} })
    buses.push(bus)
    const calls = createCalls({
      bus,
      own,
      vault,
      clock: realClock,
      onFault(error) {
        throw error
      },
      onRefused: (_, why) => void refused.push(why),
    })
    return { bus, calls }
  }
  beforeAll(async () => {
    server = await startNats()
  })
  afterAll(() => server.remove())
  beforeEach(() => {
    buses = []
    refused = []
  })
  afterEach(async () => {
    for (const bus of buses) await bus.close()
  })

  test('is answered, however large question and answer are', async () => {
    const [a, b] = [await join('a'), await join('b')]
    a.calls.answer(lead(1), { mayAnswer: () => true, answer: async (question) => ({ question }) })
    const large = randomBytes(2_000_000).toString('base64')
    expect(await b.calls.ask({ large })).toEqual({ question: { large } })
  })

  test('whose caller has gone before any process led is never performed', async () => {
    const [a, b] = [await join('a'), await join('b')]
    const gone = new AbortController()
    const asked = b.calls.ask('stale', gone.signal)
    gone.abort()
    await expect(asked).rejects.toMatchObject({ code: 'leader_unavailable' })
    const performed: unknown[] = []
    a.calls.answer(lead(1), {
      mayAnswer: () => true,
      answer: async (question) => performed.push(question),
    })
    expect(await b.calls.ask('fresh', new AbortController().signal)).toBe(1)
    expect(performed).toEqual(['fresh'])
  })

  test('is answered with a file of 45 MB, and says what is wrong if the answer or the question is too large', async () => {
    const [a, b] = [await join('a'), await join('b')]
    const answers = new Map([
      ['large', randomBytes(34_000_000).toString('base64')],
      ['too large', 'x'.repeat(61_000_000)],
    ])
    a.calls.answer(lead(1), {
      mayAnswer: () => true,
      answer: async (question) => answers.get(String(question)),
    })
    expect((await b.calls.ask('large')) === answers.get('large')).toBe(true)
    const refusalOf = (question: unknown) =>
      b.calls.ask(question).then(
        () => 'answered',
        ({ code }: AppError) => code,
      )
    expect(await refusalOf('too large')).toBe('payload_too_large')
    expect(await refusalOf(answers.get('too large'))).toBe('payload_too_large')
  })

  test('waits for a process that leads, and is performed once, whatever a stranger answers', async () => {
    const [a, b, stranger] = [await join('a'), await join('b'), await join('stranger')]
    stranger.bus.nats.subscribe(leaderCalls, {
      callback(_, { reply }) {
        const head = headers()
        for (const text of [lead(2), lead(9), '~']) {
          head.set('Pulse-Lead', text)
          stranger.bus.nats.publish(reply!, undefined, { headers: head })
        }
      },
    })
    let performed = 0
    const asked = b.calls.ask('work')
    a.calls.answer(lead(2), { mayAnswer: () => true, answer: async () => ++performed })
    expect(await asked).toBe(1)
    expect(await b.calls.ask('more')).toBe(2)
    expect(performed).toBe(2)
  })

  test('of a process without the key is not performed, and a recorded one not again', async () => {
    const [a, b] = [await join('a'), await join('b')]
    const recorder = (await join('recorder')).bus.nats
    const recorded: { data: Uint8Array; head: ReturnType<typeof headers>; reply: string }[] = []
    recorder.subscribe(leaderCalls, {
      callback: (_, { data, headers: head, reply }) =>
        void recorded.push({ data, head: head!, reply: reply! }),
    })
    const questions: unknown[] = []
    a.calls.answer(lead(3), {
      mayAnswer: () => true,
      async answer(question) {
        questions.push(question)
        return 'done'
      },
    })
    await b.calls.ask('once')
    const other = await join('other', createVault(randomBytes(32)))
    const forged = other.calls.ask('forged').catch(() => 'refused')
    for (const { data, head, reply } of recorded)
      recorder.publish(leaderCalls, data, { headers: head, reply })
    await b.calls.ask('afterwards')
    other.calls.stop()
    expect(await forged).toBe('refused')
    expect(questions).toEqual(['once', 'afterwards'])
  })

  test('makes nothing be sent to a subject that its sender chooses', async () => {
    const [a, b] = [await join('a'), await join('b')]
    const heard: string[] = []
    b.bus.nats.subscribe('chosen', { callback: (_, { subject }) => void heard.push(subject) })
    a.calls.answer(lead(4), { mayAnswer: () => true, answer: async () => 'done' })
    await a.bus.nats.flush()
    const head = headers()
    for (const [name, value] of [
      ['Pulse-Call', 'x.1'],
      ['Pulse-Part', '1'],
      ['Pulse-Parts', '1'],
    ] as const)
      head.set(name, value)
    b.bus.nats.publish(leaderCalls, Buffer.from('x'), { headers: head, reply: 'chosen' })
    expect(await b.calls.ask('afterwards')).toBe('done')
    expect(heard).toEqual([])
  })

  test('that is under way when its process ends says so', async () => {
    const [a, b] = [await join('a'), await join('b')]
    let isTaken = false
    a.calls.answer(lead(5), {
      mayAnswer: () => true,
      answer: () => new Promise(() => (isTaken = true)),
    })
    const asked = b.calls.ask('work').catch((error: unknown) => (error as Error).message)
    await expect.poll(() => isTaken, limit).toBe(true)
    await a.bus.close()
    expect(await asked).toContain('ended during this call')
  })
})
