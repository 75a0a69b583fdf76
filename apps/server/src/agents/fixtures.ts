import type { DockerHost, NewTokenInput } from '@pulse/contract'
import { aMeta } from '@pulse/testkit'
import { type ApiTokens, createApiTokens } from '../auth/api-tokens.ts'
import type { AuditEntry } from '../auth/audit.ts'
import { aCaller, aGround, type Ground } from '../auth/fixtures.ts'
import type { Principal } from '../auth/principal.ts'
import { apiTokenStore } from '../db/api-tokens.ts'
import { agentHostStore } from '../db/agent-hosts.ts'
import type { AgentKind } from '../agent-kind.ts'
import { docker } from '../docker/index.ts'
import { agentProtocol } from './protocol.ts'
import { createState, type State } from '../state/state.ts'
import { createHostActions, type HostActions } from './actions.ts'
import { createHosts, type Hosts } from './hosts.ts'
import { createIntake, type Intake, type Sender } from './intake.ts'
import { createAgentKinds } from './kinds.ts'
import { createPresence } from './presence.ts'
import type { AgentProtocol } from './protocol.ts'

/**
 * An agent's environment without the web server: a real database, real tokens, and a clock that the test
 * moves.
 */
export interface Yard {
  ground: Ground
  state: State
  tokens: ApiTokens
  hosts: Hosts
  intake: Intake
  actions: HostActions
  /** recorded audit entries */
  audited: AuditEntry[]
  news: number
  /** A new token with its principal. */
  sender(input?: NewTokenInput): Promise<Sender & { tokenId: string }>
  host(id?: string): DockerHost | undefined
  /** Resets everything for the next test. */
  clear(): Promise<void>
  /** Simulates a stop and a start of the server. */
  restart(): Promise<void>
  end(): Promise<void>
}

const maker = { id: 'user:1', name: 'anna', method: 'session' } as const

export async function aYard(
  others: readonly AgentKind[] = [],
  protocol: AgentProtocol = agentProtocol,
): Promise<Yard> {
  const ground = await aGround()
  let stop = async () => {}

  async function begin() {
    const { db, clock, log } = ground
    yard.state = createState(aMeta())
    const kinds = createAgentKinds([docker, ...others])
    const edges = { protocol, kinds, clock, log, onNews: () => void yard.news++ }
    yard.tokens = createApiTokens({
      store: apiTokenStore(db),
      clock,
      log,
      onEnded: () => {},
      onWrite: () => {},
    })
    await yard.tokens.start([])
    yard.hosts = createHosts({ ...edges, store: agentHostStore(db), state: yard.state })
    const audit = { record: async (entry: AuditEntry) => void yard.audited.push(entry) }
    yard.intake = createIntake({ ...edges, hosts: yard.hosts, tokens: yard.tokens, audit })
    yard.actions = createHostActions({ ...edges, hosts: yard.hosts })
    const presence = createPresence({ ...edges, hosts: yard.hosts })
    await yard.hosts.start()
    presence.start()
    stop = async () => {
      presence.stop()
      yard.tokens.stop()
      await yard.hosts.stop()
    }
  }

  const yard: Yard = {
    ground,
    audited: [] as AuditEntry[],
    news: 0,
    async sender(input: NewTokenInput = { scopes: ['docker:report'], oneHost: true }) {
      const { record } = await yard.tokens.create(input, maker)
      const principal: Principal = {
        method: 'token',
        id: `token:${record.id}`,
        name: `API token "${record.name}"`,
        role: 'viewer',
        scopes: record.scopes,
        isCurrent: () => yard.tokens.isLive(record.id),
      }
      return { principal, caller: aCaller(), tokenId: record.id }
    },
    host: (id = 'ABCD:EFGH') => [...yard.state.tables.dockerHosts.values()].find((host) => host.id === id),
    async clear() {
      await stop()
      await ground.clear()
      yard.audited = []
      yard.news = 0
      await begin()
    },
    async restart() {
      await stop()
      await ground.reopen()
      await begin()
    },
    async end() {
      await stop()
      await ground.end()
    },
  } as Yard
  await begin()
  return yard
}
