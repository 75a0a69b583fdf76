import { getServerInfo, type VersionInfo } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { AgentKind } from '../agent-kind.ts'
import type { Area } from '../area.ts'
import type { ApiTokens } from '../auth/api-tokens.ts'
import type { Audit } from '../auth/audit.ts'
import { agentHostStore } from '../db/agent-hosts.ts'
import type { Database } from '../db/database.ts'
import { route } from '../http/route.ts'
import type { State } from '../state/state.ts'
import { createHostActions } from './actions.ts'
import { createAgentFiles } from './agent-files.ts'
import { diagnoseAgents } from './diagnose.ts'
import { hiddenHostsPart } from './hidden-hosts.ts'
import { createHosts } from './hosts.ts'
import { createIntake } from './intake.ts'
import { createAgentKinds } from './kinds.ts'
import { createPresence } from './presence.ts'
import { agentProtocol as protocol } from './protocol.ts'
import { agentRoutes } from './routes.ts'
import { createAgentSetup } from './setup.ts'

export interface AgentAreaEdges {
  kinds: readonly [AgentKind, ...AgentKind[]]
  db: Database
  state: State
  clock: Clock
  log: Logger
  version: Pick<VersionInfo, 'version' | 'isDevelopment'>
  config: { access: { publicUrl: string | undefined }; agentDir: string | undefined; port: number }
  access: { tokens: ApiTokens; audit: Pick<Audit, 'record'> }
  /** A host was added, changed or removed: browsers get it with the next patch. */
  refresh: () => void
}

/** Agents push their reports. The server polls nothing. */
export function agentArea({ version, config, access, refresh: onNews, ...edges }: AgentAreaEdges): Area {
  const { db, clock, log } = edges
  const { tokens, audit } = access
  const kinds = createAgentKinds(edges.kinds)
  const hosts = createHosts({ ...edges, protocol, kinds, store: agentHostStore(db) })
  const files = createAgentFiles(config.agentDir, protocol.install.fileName)
  const presence = createPresence({ protocol, hosts, clock, log, onNews })
  return {
    name: 'the agents',
    isLed: true,
    routes: [
      route(getServerInfo, () => ({ isDevelopment: version.isDevelopment, version: version.version }), {
        isLocal: true,
      }),
      ...agentRoutes({
        protocol,
        intake: createIntake({ protocol, kinds, hosts, tokens, audit, clock, log, onNews }),
        actions: createHostActions({ protocol, hosts, clock, onNews }),
        files,
        setup: createAgentSetup({ protocol, hosts, tokens, publicUrl: config.access.publicUrl }),
        audit,
        port: config.port,
      }),
    ],
    exportParts: [hiddenHostsPart(db, clock.now, kinds.named(undefined))],
    caches: [{ ...hosts, tables: ['docker_hosts', 'docker_removals'] }],
    diagnose: () => ({
      dockerAgents: diagnoseAgents({
        protocol,
        hosts: hosts.all(),
        recommended: files.version(),
        monotonic: clock.monotonic(),
      }),
    }),
    async lead() {
      await hosts.start()
      presence.start()
    },
    async stop() {
      presence.stop()
      await hosts.stop()
    },
  }
}
