import { headers, type Msg } from '@nats-io/transport-node'
import type { Clock } from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { Vault } from '../../seal.ts'
import type { Bus } from '../nats/bus.ts'
import { packed, PartJoiner, partOf, setPart, toParts, unpacked } from '../nats/parts.ts'

/** Between the process that leads and the collectors of a site. A question is one message, and may be asked again. */
export interface Line {
  /** where questions are sent */
  asks: string
  /** Answers have subjects below this one. */
  answers: string
}

type SiteVault = Pick<Vault, 'sealBytes' | 'openBytes'>

const header = {
  question: 'Pulse-Question',
  /** instead of an answer: the question is not sealed with the key of the site */
  refused: 'Pulse-Refused',
} as const

const mostQuestionBytes = 512 * 1024
/** Of results of a test: some texts of 2,000 characters. */
const mostAnswerBytes = 1024 * 1024
/** of one line; what comes in addition is dropped */
const mostAtOnce = 10
/** Questions are not answered twice, as long as their numbers are remembered. */
const mostRemembered = 10_000

/** Its other end did not answer in time. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/** The process that leads has another key for this site, or none. */
export class KeyRefused extends Error {
  override name = 'KeyRefused'
}

const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
const placeOf = (what: 'question' | 'answer', { asks }: Line, id: string) => `${what} ${id} on ${asks}`

/** Rejects with NoAnswer or KeyRefused. */
export function askSealed(
  { bus, clock }: { bus: Pick<Bus, 'nats'>; clock: Pick<Clock, 'after'> },
  line: Line,
  vault: SiteVault,
  question: unknown,
  limitMs: number,
  mostAnswered = mostAnswerBytes,
): Promise<unknown> {
  const { nats } = bus
  const id = randomUUID()
  const joiner = new PartJoiner(mostAnswered)
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const cancel = clock.after(limitMs, () => reject(new NoAnswer(`no answer on ${line.asks}`)))
  const subscription = nats.subscribe(`${line.answers}.${id}`, {
    callback(_, message) {
      if (message.headers?.get(header.refused)) {
        reject(new KeyRefused(`the key of the site is refused on ${line.asks}`))
        return
      }
      try {
        const part = partOf(message.headers, message.data)
        const whole = part && joiner.take(part)
        if (!whole) return
        const bytes = unpacked(vault.openBytes(whole, placeOf('answer', line, id)), mostAnswered)
        resolve(JSON.parse(bytes.toString()))
      } catch (error) {
        reject(error as Error)
      }
    },
  })
  const head = headers()
  head.set(header.question, id)
  const sealed = vault.sealBytes(packed(JSON.stringify(question)), placeOf('question', line, id))
  nats.publish(line.asks, sealed, { headers: head })
  return promise.finally(() => {
    cancel()
    if (!nats.isClosed()) subscription.unsubscribe()
  })
}

export interface Answering {
  bus: Pick<Bus, 'nats'>
  /** may have wildcards */
  subject: string
  /** One process of those with the same name answers a question. */
  queue?: string
  lineOf: (subject: string) => Line
  /** Undefined: there is no key. Rejects if it cannot be read now; then nothing is answered. */
  vaultOf: (subject: string) => Promise<SiteVault | undefined>
  /** What rejects is not answered: the other end asks again, or gives up. */
  answer: (question: unknown, subject: string) => Promise<unknown>
  onRefused: (subject: string, why: string) => void
}

/** Answers sealed questions. Returns the end of it. */
export function answerSealed(edges: Answering): () => void {
  const { bus, subject: subjects, queue, lineOf, vaultOf, answer, onRefused } = edges
  const { nats } = bus
  const remembered = new Set<string>()
  const underWay = new Map<string, number>()

  function isNew(id: string): boolean {
    if (remembered.has(id)) return false
    remembered.add(id)
    if (remembered.size > mostRemembered) remembered.delete(remembered.values().next().value!)
    return true
  }

  function refuse(subject: string, place: string, why: string) {
    onRefused(subject, why)
    const head = headers()
    head.set(header.refused, 'key')
    nats.publish(place, undefined, { headers: head })
  }

  async function take({ subject, data, headers: own }: Msg) {
    const id = own?.get(header.question) ?? ''
    if (!isId(id) || data.length > mostQuestionBytes) return onRefused(subject, 'it is no question')
    const line = lineOf(subject)
    const place = `${line.answers}.${id}`
    const vault = await vaultOf(subject)
    let question: unknown
    try {
      const bytes = vault && unpacked(vault.openBytes(data, placeOf('question', line, id)), mostQuestionBytes)
      if (!bytes) return refuse(subject, place, 'the site has no key')
      question = JSON.parse(bytes.toString())
    } catch {
      return refuse(subject, place, 'it is no question that is sealed with the key of the site')
    }
    if (!isNew(id)) return
    const said = packed(JSON.stringify((await answer(question, subject)) ?? null))
    const parts = toParts(vault.sealBytes(said, placeOf('answer', line, id)))
    for (const [n, part] of parts.entries()) {
      const head = headers()
      setPart(head, n, parts)
      nats.publish(place, part, { headers: head })
    }
  }

  /** One site does not keep the answers from the others. */
  async function takeInTurn(message: Msg) {
    const { subject } = message
    const count = underWay.get(subject) ?? 0
    if (count >= mostAtOnce) return
    underWay.set(subject, count + 1)
    try {
      await take(message)
    } catch (error) {
      onRefused(subject, whyOf(error))
    } finally {
      const left = underWay.get(subject)! - 1
      if (left > 0) underWay.set(subject, left)
      else underWay.delete(subject)
    }
  }

  const subscription = nats.subscribe(subjects, {
    ...(queue !== undefined && { queue }),
    callback: (error, message) => void (error ?? takeInTurn(message)),
  })
  return () => {
    if (!nats.isClosed()) subscription.unsubscribe()
  }
}

/** The text of a schema error quotes the question. */
const whyOf = (error: unknown) =>
  error instanceof z.core.$ZodError ? 'the question has not its form' : (error as Error).message
