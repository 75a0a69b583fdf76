import type { ApiToken } from '@pulse/contract'
import { withoutTail } from '@pulse/domain'
import { AppError } from '../app-error.ts'
import type { ApiTokens } from '../auth/api-tokens.ts'
import type { Caller } from '../auth/caller.ts'
import type { Principal } from '../auth/principal.ts'
import { unknownHost } from './actions.ts'
import type { Hosts } from './hosts.ts'
import type { AgentProtocol } from './protocol.ts'

export interface PreparedToken {
  success: true
  token: string
  record: ApiToken
  host: { id: string; name: string }
  installCommand: string
  systemdServiceSnippet: string
  pulseURL: string
}

export interface AgentSetupEdges {
  protocol: Pick<AgentProtocol, 'name' | 'noun' | 'install'>
  hosts: Pick<Hosts, 'byId'>
  tokens: Pick<ApiTokens, 'create'>
  /** the configured URL; otherwise the caller's address for this server is used */
  publicUrl: string | undefined
}

/** Prepares hosts for their first report. */
export function createAgentSetup({ protocol, hosts, tokens, publicUrl }: AgentSetupEdges) {
  function pulseUrl({ site }: Pick<Caller, 'site'>): string {
    const url = URL.parse(publicUrl ?? site ?? '')
    if (url && /^https?:$/.test(url.protocol)) return withoutTail(url.origin + url.pathname, '/')
    throw new AppError(
      'bad_request',
      'The address of this server cannot be used in a command; set PULSE_PUBLIC_URL.',
    )
  }

  return {
    pulseUrl,
    /** Creates a token that only this host can use, from its first report on. */
    async prepare(
      { hostId, tokenName }: { hostId: string; tokenName?: string | undefined },
      by: Principal,
      caller: Caller,
    ): Promise<PreparedToken> {
      const host = hosts.byId(hostId)
      if (!host) throw unknownHost(protocol)
      const pulseURL = pulseUrl(caller)
      const bound = { id: host.id, name: host.facts.displayName }
      const name = (tokenName || `${protocol.noun}: ${bound.name}`).slice(0, 128)
      const { token, record } = await tokens.create({ name, scopes: [`${protocol.name}:report`] }, by, bound)
      return {
        success: true,
        token,
        record,
        host: bound,
        installCommand: protocol.install.command({ pulseUrl: pulseURL, token }),
        systemdServiceSnippet: systemdSnippet(pulseURL, token),
        pulseURL,
      }
    },
  }
}

/**
 * For a drop-in of the agent's unit (`systemctl edit`). It clears the unit's EnvironmentFile, which would
 * take precedence.
 */
const systemdSnippet = (pulseURL: string, token: string) =>
  [
    '[Service]',
    'EnvironmentFile=',
    ...[`PULSE_URL=${pulseURL}`, `PULSE_TOKEN=${token}`].map(
      (line) => `Environment="${line.replaceAll('%', '%%')}"`,
    ),
  ].join('\n')
