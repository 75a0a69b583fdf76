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
    const made = await tokens.create(body, principalOf({ identity }).scopes)
    note(factsOf(made.record))
    return made
  }),
  route(deleteToken, async ({ params, note }) => {
    note(factsOf(await tokens.revoke(params.id)))
    return undefined
  }),
  route(postRegenerateToken, async ({ note }) => {
    const { token, record } = await tokens.replaceAll()
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
