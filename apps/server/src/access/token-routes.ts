import {
  type ApiToken,
  deleteToken,
  getTokens,
  postRegenerateToken,
  postToken,
  postValidateToken,
} from '@pulse/contract'
import type { ApiTokens } from '../auth/api-tokens.ts'
import type { Audit } from '../auth/audit.ts'
import { principalOf, route } from '../http/route.ts'

export const tokenRoutes = (tokens: ApiTokens, audit: Pick<Audit, 'record'>, deploymentType: string) => [
  route(getTokens, () => ({ tokens: tokens.list() })),
  route(postToken, async ({ body, identity, note }) => {
    const made = await tokens.create(body, principalOf({ identity }))
    note(factsOf(made.record))
    return made
  }),
  route(deleteToken, async ({ params, identity, caller, note }) => {
    const [token, ...madeWith] = await tokens.revoke(params.id)
    note(factsOf(token!))
    const by = principalOf({ identity })
    for (const one of madeWith) {
      const { target, details } = factsOf(one)
      await audit.record({
        event: 'token_revoked',
        by,
        caller,
        target,
        details: `${details}, made with ${token!.name}`,
      })
    }
    return undefined
  }),
  route(postRegenerateToken, async ({ identity, note }) => {
    const { token, record } = await tokens.replaceAll(principalOf({ identity }))
    note(factsOf(record))
    return {
      success: true as const,
      token,
      deploymentType,
      requiresRestart: false as const,
      message: 'All API tokens made in Pulse were replaced by this one.',
    }
  }),
  route(postValidateToken, ({ body }) => {
    const found = tokens.find(body.token)
    return {
      valid: found !== undefined,
      message: found ? `This is the token "${found.name}".` : 'The token is not valid.',
    }
  }),
]

/** Names repeat, so the hint identifies the token. */
const factsOf = ({ name, prefix, suffix, scopes }: ApiToken) => ({
  target: name,
  details: `${prefix}…${suffix}: ${scopes.join(' ')}`,
})
