import {
  type ApiToken,
  deleteToken,
  getTokens,
  postRegenerateToken,
  postToken,
  postValidateToken,
} from '@pulse/contract'
import type { ApiTokens } from '../auth/api-tokens.ts'
import { principalOf, route } from './route.ts'

export const tokenRoutes = (tokens: ApiTokens, deploymentType: string) => [
  route(getTokens, () => ({ tokens: tokens.list() })),
  route(postToken, async ({ body, identity, note }) => {
    const made = await tokens.create(body, principalOf({ identity }))
    note(factsOf(made.record))
    return made
  }),
  route(deleteToken, async ({ params, note }) => {
    const [token, ...madeWith] = await tokens.revoke(params.id)
    const { target, details } = factsOf(token!)
    const others = madeWith.map(({ name }) => name).join(', ')
    note({ target, details: others ? `${details}, and made with it: ${others}` : details })
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

/** Names repeat; the hint tells which one it was. */
const factsOf = ({ name, prefix, suffix, scopes }: ApiToken) => ({
  target: name,
  details: `${prefix}…${suffix}: ${scopes.join(' ')}`,
})
