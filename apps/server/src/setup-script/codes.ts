import type { Clock } from '@pulse/domain'
import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '../app-error.ts'
import type { Principal } from '../auth/principal.ts'
import type { SetupValues } from './values.ts'

/** The creator and the purpose of a code. */
export interface Grant {
  values: SetupValues
  by: Pick<Principal, 'id' | 'name' | 'method'>
}

/** The right to register once. Exactly one of the two methods ends it. */
export interface Claim {
  grant: Grant
  done(nodeId: string): void
  /** The registration failed; the code may be used again. */
  release(): void
}

export interface SetupCodes {
  issue(grant: Grant): { code: string; expiresAt: number }
  /** Used when the script is fetched, possibly several times; throws the refusal. */
  look(code: string): Grant
  /**
   * Used for the registration. Returns the node's id if the code's own host is registered and another one
   * follows.
   */
  claim(code: string, wanted: Pick<SetupValues, 'type' | 'host'>): Claim | { grant: Grant; follows: string }
}

export const codeLifeMs = 5 * 60_000
/** A script that was fetched in time may finish, and the members of its cluster may follow. */
export const graceMs = 2 * 60_000
/** For this time, an expired code is distinguished from an unknown one. */
const REMEMBER_MS = 60 * 60_000
const MAX_CODES = 500

interface Entry {
  grant: Grant
  /** monotonic, like all times here */
  expiresAt: number
  isBusy: boolean
  fetched: boolean
  used: { at: number; nodeId: string } | undefined
}

/**
 * Kept in memory only: a code lives for five minutes, does not survive a restart, and no file can reveal it.
 */
export function createSetupCodes(clock: Clock, hasLeft: (id: string) => boolean): SetupCodes {
  const entries = new Map<string, Entry>()

  function find(code: string): Entry {
    const entry = entries.get(hashOf(code))
    if (!entry) {
      throw refusal(
        'Unknown setup code. Setup codes expire when Pulse restarts; create a new one in the settings.',
      )
    }
    if (hasLeft(entry.grant.by.id))
      throw refusal(
        'The creator of this setup code may no longer create one. Create a new one in the settings.',
      )
    return entry
  }

  function refuseExpired({ expiresAt }: Entry) {
    if (clock.monotonic() >= expiresAt)
      throw refusal('This setup code has expired. Create a new one in the settings.')
  }

  function prune() {
    for (const [hash, { expiresAt }] of entries) {
      if (clock.monotonic() - expiresAt > REMEMBER_MS) entries.delete(hash)
    }
    if (entries.size >= MAX_CODES) entries.delete(entries.keys().next().value!)
  }

  return {
    issue(grant) {
      prune()
      const code = randomBytes(16).toString('hex')
      const expiresAt = clock.monotonic() + codeLifeMs
      entries.set(hashOf(code), { grant, expiresAt, isBusy: false, fetched: false, used: undefined })
      return { code, expiresAt: clock.now() + codeLifeMs }
    },
    look(code) {
      const entry = find(code)
      if (entry.used || entry.isBusy) throw alreadyUsed()
      refuseExpired(entry)
      if (!entry.fetched) {
        entry.fetched = true
        entry.expiresAt = Math.max(entry.expiresAt, clock.monotonic() + graceMs)
      }
      return entry.grant
    },
    claim(code, { type, host }) {
      const entry = find(code)
      const { values } = entry.grant
      if (type !== values.type) {
        throw refusal(
          `This setup code was made for ${values.type.toUpperCase()}, not for ${type.toUpperCase()}.`,
        )
      }
      if (entry.used) {
        const { at, nodeId } = entry.used
        if (host === values.host || clock.monotonic() - at >= graceMs) throw alreadyUsed()
        return { grant: entry.grant, follows: nodeId }
      }
      if (host !== values.host) throw wrongHost(values.host)
      if (entry.isBusy) throw alreadyUsed()
      refuseExpired(entry)
      entry.isBusy = true
      return {
        grant: entry.grant,
        done(nodeId) {
          entry.isBusy = false
          entry.used = { at: clock.monotonic(), nodeId }
        },
        release: () => void (entry.isBusy = false),
      }
    },
  }
}

const hashOf = (code: string) => createHash('sha256').update(code.trim().toLowerCase()).digest('hex')

const refusal = (message: string) => new AppError('invalid_setup_code', message)

const alreadyUsed = () =>
  refusal('This setup code has already been used. It registers one host; create a new one in the settings.')

export const wrongHost = (host: string) =>
  refusal(`This setup code was made for another host: ${host}. Create a new one for this address.`)
