import type { ApiToken, TokenChoice, TokenFate } from '@pulse/contract'
import { AppError } from '../app-error.ts'
import type { ApiTokens, Maker } from './api-tokens.ts'
import type { Audit, AuditEntry } from './audit.ts'
import type { Caller } from './caller.ts'
import type { Users } from './users.ts'

/** The actor of the audit record. */
type Actor = Pick<AuditEntry, 'by' | 'caller'>

/** Tokens must not outlive the rights of their makers. Ends the tokens when the rights end. */
export interface Departures {
  /** Removes or demotes an account, then ends its tokens or hands them to the caller. */
  of<T>(
    userId: string,
    choice: TokenChoice | undefined,
    actor: { by: Maker; caller: Caller },
    leave: () => Promise<T>,
  ): Promise<{ result: T; tokens: TokenFate }>
  /**
   * True if the account is no administrator any more, or the token has ended. For users of a proxy this is
   * unknown.
   */
  hasLeft(id: string): boolean
  /** A provider or a proxy no longer reports the user as an administrator. */
  demoted(makerId: string, actor: Actor): Promise<void>
  /** Runs at the start: accounts, or the tokens in the environment, may have changed while Pulse was down. */
  sweep(withEnvironment?: readonly ApiToken[]): Promise<void>
}

export function createDepartures({
  users,
  tokens,
  audit,
}: {
  users: Users
  tokens: ApiTokens
  audit: Pick<Audit, 'record'>
}): Departures {
  async function note(event: 'token_revoked' | 'token_handed_over', list: readonly ApiToken[], actor: Actor) {
    for (const { name, prefix, suffix, madeBy } of list) {
      const details = `${prefix}…${suffix}, made by ${madeBy?.name}, who is no longer an administrator`
      await audit.record({
        event,
        ...actor,
        target: name,
        details: event === 'token_revoked' ? details : `${prefix}…${suffix}`,
      })
    }
    return [...list]
  }

  async function end(isGone: (makerId: string) => boolean, actor: Actor) {
    return note('token_revoked', await tokens.endOf(isGone), actor)
  }

  const isNoAdministrator = (makerId: string) => {
    const id = /^user:(.*)$/.exec(makerId)?.[1]
    return id !== undefined && users.get(id)?.role !== 'admin'
  }

  return {
    async of(userId, choice = 'end', actor, leave) {
      const makerId = `user:${userId}`
      if (choice === 'keep' && tokens.makerId(actor.by) === makerId) {
        throw new AppError(
          'conflict',
          'You cannot take over your own tokens. Let another administrator do it, or let them end.',
        )
      }
      const result = await leave()
      if (!isNoAdministrator(makerId)) return { result, tokens: { ended: [], kept: [] } }
      if (choice === 'end') {
        return { result, tokens: { ended: await end((id) => id === makerId, actor), kept: [] } }
      }
      const kept = await note('token_handed_over', await tokens.handOver(makerId, actor.by), actor)
      return { result, tokens: { ended: [], kept } }
    },
    hasLeft(id) {
      const token = /^token:(.*)$/.exec(id)?.[1]
      return token === undefined ? isNoAdministrator(id) : !tokens.isLive(token)
    },
    async demoted(makerId, actor) {
      await end((id) => id === makerId, actor)
    },
    async sweep(withEnvironment = []) {
      const actor: Actor = { by: { name: 'Pulse', method: 'console' } }
      for (const { name, prefix, suffix } of withEnvironment) {
        const details = `${prefix}…${suffix}: it, or the token that created it, is no longer in API_TOKENS`
        await audit.record({ event: 'token_revoked', ...actor, target: name, details })
      }
      await end(isNoAdministrator, actor)
    },
  }
}
