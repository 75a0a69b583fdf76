import type { JetStreamClient, StoredMsg } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import type { Logger } from 'pino'
import { isFence } from '../db/fence.ts'
import type { Statement } from '../db/messages.ts'
import type { Vault } from '../seal.ts'
import { packed, PartJoiner, partOf, setPart, toParts, unpacked } from './parts.ts'
import { unsavedWrites } from './subjects.ts'

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
/** Two that lead one after the other may send at once. */
const mostSenders = 8

/** A seal holds at its own place only, so that no client can send a record again as a later one. */
const sealedPlace = ({ fence, number }: UnsavedPlace) => `unsaved write ${number} of ${fence}`

/** Resolves with the sequence of its last part in the stream. */
export async function sendRecord(
  jetstream: Pick<JetStreamClient, 'publish'>,
  vault: Pick<Vault, 'sealBytes'>,
  { statements, ...place }: UnsavedRecord,
): Promise<number> {
  let seq = 0
  const parts = toParts(vault.sealBytes(packed(JSON.stringify(statements)), sealedPlace(place)))
  for (const [n, part] of parts.entries()) {
    const head = headers()
    head.set(header.fence, place.fence)
    head.set(header.number, String(place.number))
    setPart(head, n, parts)
    seq = (await jetstream.publish(unsavedWrites, part, { headers: head })).seq
  }
  return seq
}

/** Joins the messages of the stream. What is no record of this Pulse is logged, and left out. */
export function recordReader(
  vault: Pick<Vault, 'openBytes'>,
  log: Pick<Logger, 'error'>,
): (message: StoredMsg) => UnsavedRecord | undefined {
  const joiners = new Map<string, PartJoiner>()

  function joinerOf(fence: string): PartJoiner {
    const joiner = joiners.get(fence) ?? new PartJoiner()
    joiners.delete(fence)
    joiners.set(fence, joiner)
    if (joiners.size > mostSenders) joiners.delete(joiners.keys().next().value!)
    return joiner
  }

  return ({ header: head, data: bytes }) => {
    const place = { fence: head.get(header.fence), number: Number(head.get(header.number) || Number.NaN) }
    try {
      const part = partOf(head, bytes)
      if (!isFence(place.fence) || !part) throw new TypeError('it has no fence, or is no part')
      const whole = joinerOf(place.fence).take(part)
      if (!whole) return undefined
      const statements = JSON.parse(unpacked(vault.openBytes(whole, sealedPlace(place))).toString())
      return { ...place, statements: statements as Statement[] }
    } catch (err) {
      log.error({ err }, 'what NATS kept for the database is no record of this Pulse')
      return undefined
    }
  }
}
