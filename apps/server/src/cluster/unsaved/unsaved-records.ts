import type { JetStreamClient, StoredMsg, StreamState } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import type { Logger } from 'pino'
import { isFence } from '../../db/fence.ts'
import type { Statement } from '../../db/messages.ts'
import type { Vault } from '../../seal.ts'
import { packed, PartJoiner, partOf, setPart, toParts, unpacked } from '../nats/parts.ts'
import { unsavedWrites } from '../nats/subjects.ts'

/** A transaction of the process that led with this fence; its numbers count from 1. */
export interface UnsavedPlace {
  fence: string
  number: number
}

export interface UnsavedRecord extends UnsavedPlace {
  statements: readonly Statement[]
}

/** The order in which they were made. */
export const isAfter = (one: UnsavedPlace, other: UnsavedPlace): boolean =>
  one.fence === other.fence ? one.number > other.number : one.fence > other.fence

const header = { fence: 'Pulse-Fence', number: 'Pulse-Number' } as const
/** Two that lead one after the other may send at once, and a part may be late. */
const mostJoined = 8

/** A seal holds at its own place only, so that no client can send a record again as a later one. */
const sealedPlace = ({ fence, number }: UnsavedPlace) => `unsaved write ${number} of ${fence}`

/**
 * Resolves with the sequence of its last part in the stream. Rejects with `isTaken` unless the message `after` is the last
 * one there.
 */
export async function sendRecord(
  jetstream: Pick<JetStreamClient, 'publish'>,
  vault: Pick<Vault, 'sealBytes'>,
  { statements, ...place }: UnsavedRecord,
  after: number,
): Promise<number> {
  let seq = after
  const parts = toParts(vault.sealBytes(packed(JSON.stringify(statements)), sealedPlace(place)))
  for (const [n, part] of parts.entries()) {
    const head = headers()
    head.set(header.fence, place.fence)
    head.set(header.number, String(place.number))
    setPart(head, n, parts)
    const expect = { lastSequence: seq }
    ;({ seq } = await jetstream.publish(unsavedWrites, part, { headers: head, expect }))
  }
  return seq
}

/** Joins the messages of the stream. What is no record of this Pulse is logged, and left out. */
export function recordReader(
  vault: Pick<Vault, 'openBytes'>,
  log: Pick<Logger, 'error'>,
): (message: StoredMsg) => UnsavedRecord | undefined {
  const joiners = new Map<string, PartJoiner>()

  function joinerOf({ fence, number }: UnsavedPlace): PartJoiner {
    const key = `${fence} ${number}`
    const joiner = joiners.get(key) ?? new PartJoiner()
    joiners.delete(key)
    joiners.set(key, joiner)
    if (joiners.size > mostJoined) joiners.delete(joiners.keys().next().value!)
    return joiner
  }

  return ({ header: head, data: bytes }) => {
    const place = { fence: head.get(header.fence), number: Number(head.get(header.number) || Number.NaN) }
    try {
      const part = partOf(head, bytes)
      if (!isFence(place.fence) || !part) throw new TypeError('it has no fence, or is no part')
      const whole = joinerOf(place).take(part)
      if (!whole) return undefined
      const statements = JSON.parse(unpacked(vault.openBytes(whole, sealedPlace(place))).toString())
      return { ...place, statements: statements as Statement[] }
    } catch (err) {
      log.error({ err }, 'what NATS kept for the database is no record of this Pulse')
      return undefined
    }
  }
}

/** requests at once for messages of the stream */
const getsAtOnce = 64

interface FormerEdges {
  /** the newest one that is not wanted */
  after: UnsavedPlace
  messageAt: (seq: number) => Promise<StoredMsg | null>
  read: (message: StoredMsg) => UnsavedRecord | undefined
}

/** Each record of the stream once, in the order in which they were made. */
export async function* formerRecords(
  { first_seq, last_seq }: Pick<StreamState, 'first_seq' | 'last_seq'>,
  { after, messageAt, read }: FormerEdges,
): AsyncGenerator<UnsavedRecord, void> {
  let last = after
  for (let seq = Math.max(first_seq, 1); seq <= last_seq; seq += getsAtOnce) {
    const some = Array.from({ length: Math.min(getsAtOnce, last_seq - seq + 1) }, (_, n) => seq + n)
    for (const message of await Promise.all(some.map(messageAt))) {
      const record = message ? read(message) : undefined
      if (!record || !isAfter(record, last)) continue
      last = record
      yield record
    }
  }
}
