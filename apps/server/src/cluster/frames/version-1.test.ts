import { headers } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { createVault } from '../../seal.ts'
import { hasNats, type NatsServer, startNats } from '../../testing/nats-server.ts'
import { type Bus, openBus } from '../nats/bus.ts'
import { createCalls } from '../lead/calls.ts'
import { base, card, changes, siteAnswer, siteTask, siteTestResult } from './fixtures-version-1.ts'
import { encodeFrame, FrameJoiner } from './frame-codec.ts'
import { unpacked } from '../nats/parts.ts'
import { openPresence } from '../presence.ts'
import { answerSealed } from '../sites/sealed-questions.ts'
import { SiteAnswer, SiteQuestion, SiteTask, SiteTestResult } from '../sites/site-wire.ts'

// Further payloads of version 1, sealed: they never change.
/** `{"do":"acknowledge"}` as the call `old.1` to this lead, sealed with the key */
const lead = '000000000000001.0000000000000042'
const call =
  'wMZwrsfLXJdvbX8nXLP3oiZ+5rXFFEab9nmCZLwV+lUqPwvVnV+hHPT8jx3dRy39TcXolHCXDU/dBJonl2EbXUmAxrJLbvrbgrESnQ=='
/** `{"done":true}` to the call `new.1` */
const answer =
  '7y/3mnqJEKgjboqRgBHMSKfi7/7iTIR5e8dfcsJENB4Ybhb/6uZG6f84tw2sWfuV3ZmdJac/B4R7UzllY6otjR0VLtfK09WYV5z3JK53k2g='
const siteQuestion =
  'VJmwnoZXzKgv6T4vMWbMKQGaEA0fbEw9/GPrad39V0HA8qQn+ATm8DKtI+uSHHce7YYsiF7PvNr5SajpQvvsD6USv9CRMRf7xWf2DwM='
const questionId = '00000000-0000-4000-8000-000000000001'

const bytes = (text: string) => Buffer.from(text, 'base64')
const vault = createVault(Buffer.alloc(32, 7))
const found = hasNats()
if (!found) console.log('skipped: no NATS')

test('[N 2] a frame of version 1 is understood', () => {
  const joiner = new FrameJoiner({ site: 'main', source: 'pve-1' })
  const take = (text: string) => joiner.take({ number: 1, of: 1, bytes: bytes(text) })
  const web = { id: 'pve-1:100', name: 'web', cpu: 0.5, memory: { used: 1, total: 4, free: 3, usage: 25 } }
  expect(take(base)).toMatchObject({
    source: 'pve-1',
    run: 'run-1',
    sequence: 1,
    begins: true,
    completes: true,
    records: {
      guests: {
        put: [
          ['pve-1:100', web],
          ['pve-1:101', { name: 'db' }],
        ],
        remove: [],
      },
    },
    state: { name: 'main', kind: 'pve', health: 'healthy', lastSeen: 1_767_225_600_000 },
  })
  const { name: _, ...nameless } = web
  const memory = { used: 2, total: 4, free: 2, usage: 50 }
  expect(take(changes)).toMatchObject({
    sequence: 2,
    records: {
      guests: { put: [['pve-1:100', { ...nameless, cpu: 0.75, memory }]], remove: ['pve-1:101'] },
    },
  })
})

test('[N 2] a frame is sent as version 1 has it', () => {
  const sent = JSON.parse(unpacked(bytes(changes)).toString()) as Parameters<typeof encodeFrame>[0]
  const parts = encodeFrame(sent)
  expect(parts).toHaveLength(1)
  expect(JSON.parse(unpacked(parts[0]!).toString())).toEqual(sent)
})

test('[N 4] what a site and the process that leads say to each other in version 1 is understood', () => {
  const parsed = SiteAnswer.parse(JSON.parse(siteAnswer))
  expect(parsed.connections).toEqual([
    {
      id: 'pve-1',
      kind: 'pve',
      name: 'lab',
      host: 'https://127.0.0.1:8006',
      auth: { type: 'token', tokenId: 'a@pam!b', secret: 's' },
      verifySSL: true,
      site: 'Berlin',
      flags: { monitorVMs: true },
      isKnown: true,
    },
  ])
  expect(parsed.pace.pbs).toEqual({ hostMs: 10_000, timeoutMs: 10_000 })
  expect(SiteQuestion.parse({ ask: 'connections', laterField: 1 })).toEqual({ ask: 'connections' })
  const { test: tried } = SiteTask.parse(JSON.parse(siteTask))
  expect(tried).toMatchObject({ id: 'pve-1', flags: { monitorVMs: true } })
  expect(SiteTestResult.parse(JSON.parse(siteTestResult))).toEqual({
    status: 'success',
    message: 'Connected.',
  })
})

describe.skipIf(!found)('[N 2] on the line', () => {
  let server: NatsServer
  let bus: Bus
  let ends: (() => unknown)[]
  const limit = { timeout: within(30_000) }
  const callsOf = (own: string) =>
    createCalls({
      bus,
      own,
      vault,
      clock: realClock,
      onFault(error) {
        throw error
      },
      onRefused() {},
    })
  function inOnePart(more: Record<string, string>) {
    const head = headers()
    for (const [name, value] of Object.entries({ 'Pulse-Part': '1', 'Pulse-Parts': '1', ...more }))
      head.set(name, value)
    return head
  }
  beforeAll(async () => {
    server = await startNats()
    const settings = { servers: [`127.0.0.1:${server.port}`], isEncrypted: false }
    bus = await openBus(settings, { name: 'test', clock: realClock, onLost: () => {}, onBack: () => {} })
  })
  afterAll(async () => {
    await bus?.close()
    await server?.remove()
  })
  beforeEach(() => void (ends = []))
  afterEach(async () => {
    for (const end of ends) await end()
  })

  test('a call of version 1 is performed, and its answer is as that version expects it', async () => {
    const calls = callsOf('new')
    const questions: unknown[] = []
    const answering = {
      mayAnswer: () => true,
      answer: async (question: unknown) => questions.push(question),
    }
    ends.push(calls.stop, calls.answer(lead, answering))
    const reply = 'pulse.1.calls.answers.old'
    const answers: unknown[] = []
    const heard = bus.nats.subscribe(reply, {
      callback(_, { headers: head, data }) {
        if (head?.get('Pulse-Part') !== '1' || head.get('Pulse-Parts') !== '1') return
        answers.push(JSON.parse(unpacked(vault.openBytes(data, 'answer old.1')).toString()))
      },
    })
    ends.push(() => heard.unsubscribe())
    bus.nats.publish('pulse.1.calls', bytes(call), { reply, headers: inOnePart({ 'Pulse-Call': 'old.1' }) })
    await expect.poll(() => answers, limit).toEqual([{ answer: 1 }])
    expect(questions).toEqual([{ do: 'acknowledge', laterField: 1 }])
  })

  test('a call is made as version 1 expects it, and takes its answer', async () => {
    const calls = callsOf('new')
    ends.push(calls.stop)
    const seen: unknown[] = []
    const leader = bus.nats.subscribe('pulse.1.calls', {
      callback(_, { headers: head, data, reply }) {
        const text = unpacked(vault.openBytes(data, `call ${head?.get('Pulse-Call')} to `)).toString()
        seen.push([JSON.parse(text), head?.get('Pulse-Call'), reply?.startsWith('pulse.1.calls.answers.')])
        bus.nats.publish(reply!, bytes(answer), { headers: inOnePart({}) })
      },
    })
    ends.push(() => leader.unsubscribe())
    expect(await calls.ask({ do: 'acknowledge' })).toEqual({ done: true })
    expect(seen[0]).toEqual([{ do: 'acknowledge' }, 'new.1', true])
  })

  test('a question of a site in version 1 is answered', async () => {
    const asks = 'pulse.1.sites.QmVybGlu.up.asks'
    const answers = 'pulse.1.sites.QmVybGlu.down.answers'
    const edges = { lineOf: () => ({ asks, answers }), vaultOf: async () => vault, onRefused() {} }
    ends.push(answerSealed({ bus, subject: asks, ...edges, answer: async (question) => ({ question }) }))
    const received: unknown[] = []
    const place = `${answers}.${questionId}`
    const heard = bus.nats.subscribe(place, {
      callback: (_, { data }) =>
        void received.push(
          JSON.parse(unpacked(vault.openBytes(data, `answer ${questionId} on ${asks}`)).toString()),
        ),
    })
    ends.push(() => heard.unsubscribe())
    const head = headers()
    head.set('Pulse-Question', questionId)
    bus.nats.publish(asks, bytes(siteQuestion), { headers: head })
    await expect.poll(() => received, limit).toEqual([{ question: { ask: 'connections', laterField: 1 } }])
  })

  test('a process of version 1 is listed, without the roles that this version does not have', async () => {
    const own = { id: 'new', host: 'box', version: '1.0.0', site: 'main', installation: 'one' }
    const rest = { roles: ['serve'] as const, startedAt: 2, leads: false, sources: 0, waiting: 0 }
    const presence = await openPresence({
      bus,
      own: () => ({ ...own, ...rest }),
      clock: realClock,
      onFault(error) {
        throw error
      },
    })
    ends.push(presence.leave)
    await bus.jetstream.publish('$KV.PULSE_PROCESSES_1.bWFpbg.old', card)
    const [mine, old] = await presence.list()
    expect(old).toMatchObject({ id: 'old', roles: ['judge'], leads: true, sources: 3, startedAt: 1 })
    expect(mine).toMatchObject({ ...own, ...rest })
    const entry = await bus.manager.streams.getMessage('KV_PULSE_PROCESSES_1', {
      last_by_subj: '$KV.PULSE_PROCESSES_1.bWFpbg.new',
    })
    const { laterField: _, ...known } = JSON.parse(card) as Record<string, unknown>
    expect(Object.keys(entry!.json() as object)).toEqual(expect.arrayContaining(Object.keys(known)))
  })
})
