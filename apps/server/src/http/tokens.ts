import { deleteToken, getTokens, postRegenerateToken, postToken, postValidateToken } from '@pulse/contract'
import type { ApiTokens } from '../auth/api-tokens.ts'
import { principalOf, route } from './route.ts'

export const tokenRoutes = (tokens: ApiTokens, deploymentType: string) => [
  route(getTokens, () => ({ tokens: tokens.list() })),
  route(postToken, async ({ body, identity, note }) => {
    const made = await tokens.create(body, principalOf({ identity }).scopes)
    note({ target: made.record.name, details: made.record.scopes.join(' ') })
    return made
  }),
  route(deleteToken, async ({ params, note }) => {
    note({ target: (await tokens.revoke(params.id)).name })
    return undefined
  }),
  route(postRegenerateToken, async ({ note }) => {
    const { token, record } = await tokens.replaceAll()
    note({ target: record.name })
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
