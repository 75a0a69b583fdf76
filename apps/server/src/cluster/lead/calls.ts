import { headers, type Msg, type Subscription } from '@nats-io/transport-node'
import type { Clock } from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import { AppError, leaderLost, noLeader, tooLargeBetween } from '../../app-error.ts'
import { isFence } from '../../db/fence.ts'
import type { Vault } from '../../seal.ts'
import { createTicker } from '../../timing/ticker.ts'
import { pause } from '../../timing/pause.ts'
import { yieldToEventLoop } from '../../timing/yield.ts'
import type { Bus } from '../nats/bus.ts'
import { packed, PartJoiner, partOf, setPart, toParts, unpacked } from '../nats/parts.ts'
import { leaderTimes } from './leadership.ts'
import { leaderCalls } from '../nats/subjects.ts'

/** Calls wait for a leader for as long as one needs to take over. */
const mostWaitMs = 15_000
const againMs = 300
/** The leader says at this interval that it is at a call, until its answer comes. */
const stillMs = 1_500
/**
 * A leader that says nothing for this time has ended, or cannot be reached. Longer than it trusts its lease: who has not
 * begun with a call by then will not begin with it.
 */
const silenceMs = leaderTimes.trustedMs + 1_000
/** A line on which the servers do not answer within this time hangs. */
const lineMs = 2_000
/** A recorded message must not be taken twice. Numbers below this distance from the newest are not taken at all. */
const keptNumbers = 10_000
/** Only processes with the key become known as callers, each start of one as another. */
const mostCallers = 100
/** Compression makes what cannot be compressed a little larger, and a message still has to be below `mostBytes`. */
const mostTextBytes = 60_000_000
/** After so many parts the line is waited for, so that the server does not have all of them to pass on at once. */
const partsAtOnce = 16

const header = { call: 'Pulse-Call', lead: 'Pulse-Lead' } as const

export interface CallsEdges {
  bus: Pick<Bus, 'nats'>
  /** this process */
  own: string
  /** Calls carry passwords and cookies, so only processes with the key of the installation read them, or make them. */
  vault: Pick<Vault, 'sealBytes' | 'openBytes'>
  clock: Pick<Clock, 'after' | 'monotonic'>
  onFault: (error: unknown) => void
  /** A message is no call of another process. */
  onRefused: (subject: string, why: string) => void
}

type Answer = { answer: unknown } | { isTooLarge: true }

/** Questions to the process that leads, from those that do not. */
export interface Calls {
  /**
   * Rejects with an AppError if no process leads, or if it ended during the call. `gone`: its caller does not wait any more;
   * a call that no process has taken by then is never performed.
   */
  ask(question: unknown, gone?: AbortSignal): Promise<unknown>
  /** Answers the questions of others during this lead. Returns its end. */
  answer(lead: string, answering: Answering): () => void
  stop(): void
}

export interface Answering {
  /** Whether this process certainly leads. */
  mayAnswer: () => boolean
  answer: (question: unknown) => Promise<unknown>
}

export function createCalls(edges: CallsEdges): Calls {
  const { bus, own, vault, clock, onFault, onRefused } = edges
  const { nats } = bus
  const stopping = new AbortController()
  let calls = 0
  /** the lead that the next call is for, so that no other process can be made to take it later */
  let lead = ''

  async function sendParts(subject: string, call: string, bytes: Uint8Array, reply?: string) {
    const parts = toParts(bytes)
    for (const [n, part] of parts.entries()) {
      if (n > 0 && n % partsAtOnce === 0) await nats.flush()
      const head = headers()
      head.set(header.call, call)
      setPart(head, n, parts)
      nats.publish(subject, part, { headers: head, ...(reply !== undefined && { reply }) })
    }
  }

  const textOf = (value: unknown) => Buffer.from(JSON.stringify(value))
  /** JSON of millions of levels can be read, but not written again. */
  function questionText(question: unknown): Buffer {
    try {
      return textOf(question)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw new AppError('bad_request', 'The request is malformed.', { cause: error })
    }
  }
  const seal = (text: Uint8Array, place: string) => vault.sealBytes(packed(text), place)
  const open = (bytes: Uint8Array, place: string): unknown =>
    JSON.parse(unpacked(vault.openBytes(bytes, place)).toString())

  /** Whether the line does not hang. */
  async function answers(): Promise<boolean> {
    const limit = new AbortController()
    const late = pause(clock, lineMs, limit.signal).then(() => false)
    const flushed = nats.flush().then(
      () => true,
      () => false,
    )
    const isThere = await Promise.race([flushed, late])
    limit.abort()
    return isThere
  }

  /**
   * Sends the call until a process has taken it: always as the same one, so that no process performs it twice. Undefined:
   * none has taken it in time.
   */
  function untilAnswered(
    question: unknown,
    gone: AbortSignal | undefined,
  ): Promise<{ answer: unknown } | undefined> {
    const text = questionText(question)
    if (text.length > mostTextBytes) return Promise.reject(tooLargeBetween())
    const call = `${own}.${++calls}`
    const inbox = `${answersTo}${randomUUID()}`
    const joiner = new PartJoiner()
    const until = clock.monotonic() + mostWaitMs
    const { promise, resolve, reject } = Promise.withResolvers<{ answer: unknown } | undefined>()
    const ended = new AbortController()
    let heardAt = clock.monotonic()
    let isTaken = false
    /** ends the pause before the next attempt */
    let next = () => {}

    function take(_: unknown, message: Msg) {
      heardAt = clock.monotonic()
      const part = partOf(message.headers, message.data)
      if (isTaken && !part) return
      const current = message.headers?.get(header.lead) ?? ''
      if (message.headers?.code === 503 || current !== '') {
        if (isFence(current) && current !== lead) {
          lead = current
          next()
        }
        return
      }
      // also a message without a part, which is a sign of life
      isTaken = true
      if (!part) return
      try {
        const whole = joiner.take(part)
        if (!whole) return
        const said = open(whole, `answer ${call}`) as Answer
        if ('isTooLarge' in said) reject(tooLargeBetween())
        else resolve(said)
      } catch (error) {
        onRefused(inbox, (error as Error).message)
      }
    }

    async function attempt() {
      while (!ended.signal.aborted) {
        if (isTaken && clock.monotonic() - heardAt >= silenceMs) return reject(leaderLost())
        if (!isTaken && (gone?.aborted || clock.monotonic() >= until)) return resolve(undefined)
        // What waits on a line that hangs would be taken when its user has long given up.
        if (!isTaken && !nats.isClosed() && (await answers()) && !gone?.aborted)
          await sendParts(leaderCalls, call, seal(text, `call ${call} to ${lead}`), inbox)
        const early = new AbortController()
        next = () => early.abort()
        await pause(clock, againMs, AbortSignal.any([early.signal, ended.signal, stopping.signal]))
        if (stopping.signal.aborted) return resolve(undefined)
        // a process that was frozen learns here that the caller has gone
        await yieldToEventLoop()
      }
    }

    const subscription = nats.subscribe(inbox, { callback: take })
    attempt().catch(reject)
    return promise.finally(() => {
      ended.abort()
      if (!nats.isClosed()) subscription.unsubscribe()
    })
  }

  return {
    async ask(question, gone) {
      const answered = await untilAnswered(question, gone)
      if (!answered) throw noLeader()
      return answered.answer
    },
    stop: () => stopping.abort(),
    answer(own, { mayAnswer, answer }) {
      const taken = new Map<string, { newest: number; numbers: Set<number> }>()
      const joiners = new Map<string, PartJoiner>()
      let heldBytes = 0

      /** False: it has been taken before, or is too old to say. */
      function isNew(call: string): boolean {
        const [from = '', text = ''] = call.split('.')
        const number = Number(text)
        const known = taken.get(from) ?? { newest: 0, numbers: new Set<number>() }
        taken.delete(from)
        taken.set(from, known)
        if (taken.size > mostCallers) taken.delete(taken.keys().next().value!)
        if (!Number.isSafeInteger(number) || number <= known.newest - keptNumbers) return false
        if (known.numbers.has(number)) return false
        known.numbers.add(number)
        known.newest = Math.max(known.newest, number)
        if (known.numbers.size > 2 * keptNumbers)
          for (const old of known.numbers) if (old <= known.newest - keptNumbers) known.numbers.delete(old)
        return true
      }

      function askAgain(reply: string) {
        const head = headers()
        head.set(header.lead, own)
        nats.publish(reply, undefined, { headers: head })
      }

      async function take(message: Msg) {
        const part = partOf(message.headers, message.data)
        const { reply } = message
        const call = message.headers?.get(header.call) ?? ''
        // nothing is sent to a subject that a stranger chooses
        if (!part || !reply?.startsWith(answersTo) || call.length > 100) return
        heldBytes += part.bytes.length
        if (heldBytes > mostHeldBytes) {
          joiners.clear()
          heldBytes = part.bytes.length
        }
        const joiner = joiners.get(call) ?? new PartJoiner()
        if (part.of > 1) joiners.set(call, joiner)
        if (joiners.size > mostJoined) joiners.delete(joiners.keys().next().value!)
        const whole = joiner.take(part)
        if (!whole) return
        joiners.delete(call)
        heldBytes = Math.max(0, heldBytes - whole.length)
        let question: unknown
        try {
          question = open(whole, `call ${call} to ${own}`)
        } catch {
          // for another lead, or by a stranger: a process with the key asks again
          if (mayAnswer()) askAgain(reply)
          return
        }
        // It is not certain at this moment. The caller asks again, this process or the next one that leads.
        if (!mayAnswer()) return
        // sent again before the first sign of life, or by a stranger
        if (!isNew(call)) return
        const still = createTicker({
          clock,
          intervalMs: stillMs,
          firstMs: 0,
          run: () => (nats.isClosed() ? undefined : nats.publish(reply)),
          onError: onFault,
        })
        try {
          const said = textOf({ answer: await answer(question) } satisfies Answer)
          const text = said.length > mostTextBytes ? textOf({ isTooLarge: true } satisfies Answer) : said
          await sendParts(reply, call, seal(text, `answer ${call}`))
        } finally {
          still.stop()
        }
      }

      const subscription: Subscription = nats.subscribe(leaderCalls, {
        callback: (_, message) =>
          void take(message).catch((error: unknown) => onRefused(leaderCalls, (error as Error).message)),
      })
      return () => subscription.unsubscribe()
    },
  }
}

/** Large calls of others that are not complete yet. */
const mostJoined = 100
const mostHeldBytes = 64 * 1024 * 1024
/** Answers have subjects below this one. */
const answersTo = `${leaderCalls}.answers.`
