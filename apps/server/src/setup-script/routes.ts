import {
  getSetupScript,
  postAutoRegister,
  postSetupScriptUrl,
  setupCodeHeader,
  setupFileNames,
} from '@pulse/contract'
import { AppError } from '../app-error.ts'
import type { ApiTokens } from '../auth/api-tokens.ts'
import type { Audit } from '../auth/audit.ts'
import { admit } from '../auth/gate.ts'
import type { Identity } from '../auth/identify.ts'
import type { Registrant, SetupScriptArea } from './setup-scripts.ts'
import { principalOf, RawReply, route } from '../http/route.ts'

export interface SetupScriptParts {
  setupScript: SetupScriptArea
  tokens: Pick<ApiTokens, 'find'>
  audit: Pick<Audit, 'record'>
}

const need = { access: 'admin', scope: 'settings:write' } as const

export function setupScriptRoutes({ setupScript, tokens, audit }: SetupScriptParts) {
  function registrantOf(
    { setupCode, authToken }: { setupCode?: string | undefined; authToken?: string | undefined },
    { principal }: Identity,
  ): Registrant {
    if (setupCode !== undefined) return { code: setupCode }
    if (authToken !== undefined) {
      const token = tokens.find(authToken)
      if (!token) return { code: authToken }
      requireScope(token.scopes.includes(need.scope))
      return { by: { id: `token:${token.id}`, name: `API token "${token.name}"`, method: 'token' } }
    }
    if (principal?.method !== 'token') throw noCode()
    requireScope(admit(need, principal).admitted)
    return { by: principal }
  }

  return [
    route(postSetupScriptUrl, ({ body, caller, identity, note }) => {
      const reply = setupScript.issue(body, principalOf({ identity }), caller)
      note({ target: body.host, details: body.type })
      return reply
    }),
    route(getSetupScript, async ({ query, caller, identity }) => {
      const code = caller.headers[setupCodeHeader]
      if (code === undefined && !admit(need, identity.principal).admitted) throw noCode()
      const script =
        code === undefined
          ? await setupScript.scriptForAdministrator(query, caller)
          : await setupScript.scriptForCode(query, String(code))
      return new RawReply(Buffer.from(script), {
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': `attachment; filename="${setupFileNames[query.type]}"`,
      })
    }),
    route(postAutoRegister, async ({ body, caller, identity }) => {
      const event = 'node_auto_registered'
      const what = `${body.type} ${body.host}, ${body.tokenId}`
      try {
        const registrant = registrantOf(body, identity)
        const { reply, by, name } = await setupScript.register(body, registrant)
        const how = 'code' in registrant ? 'by setup code' : 'by API token'
        await audit.record({ event, by, caller, target: name, details: `${how}: ${what}` })
        return reply
      } catch (error) {
        const by = identity.principal ?? ({ name: 'unknown', method: 'none' } as const)
        const reason = error instanceof AppError ? error.message : 'failed'
        await audit.record({ event, success: false, by, caller, target: body.host, details: reason })
        throw error
      }
    }),
  ]
}

const noCode = () =>
  new AppError(
    'invalid_setup_code',
    'A setup code is required. Copy the setup command from the settings; it contains one.',
  )

function requireScope(held: boolean) {
  if (!held) throw new AppError('forbidden', `This API token lacks the scope ${need.scope}.`)
}
