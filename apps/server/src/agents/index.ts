import { getServerInfo, type VersionInfo } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { AgentKind, AgentProtocol } from '../agent-kind.ts'
import type { Area } from '../area.ts'
import type { ApiTokens } from '../auth/api-tokens.ts'
import type { Audit } from '../auth/audit.ts'
import type { Database } from '../db/database.ts'
import { route } from '../http/route.ts'
import type { State } from '../state/state.ts'
import { createHostActions } from './actions.ts'
import { createAgentFiles } from './agent-files.ts'
import { diagnoseAgents } from './diagnose.ts'
import { createHosts } from './hosts.ts'
import { createIntake } from './intake.ts'
import { createAgentKinds } from './kinds.ts'
import { createPresence } from './presence.ts'
import { agentRoutes } from './routes.ts'
import { createAgentSetup } from './setup.ts'

export interface AgentAreaEdges {
  protocol: AgentProtocol
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

/** Agents push their reports; nothing is polled. */
export function agentArea({
  protocol,
  version,
  config,
  access,
  refresh: onNews,
  ...edges
}: AgentAreaEdges): Area {
  const { db, clock, log } = edges
  const { tokens, audit } = access
  const kinds = createAgentKinds(edges.kinds)
  const hosts = createHosts({ ...edges, protocol, kinds, store: protocol.store(db) })
  const files = createAgentFiles(config.agentDir, protocol.install.fileName)
  const presence = createPresence({ protocol, hosts, clock, log, onNews })
  return {
    name: 'the agents',
    routes: [
      route(getServerInfo, () => ({ isDevelopment: version.isDevelopment, version: version.version })),
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
    exportParts: [protocol.exportPart(db, clock.now)],
    caches: [{ ...hosts, tables: protocol.tables }],
    diagnose: () =>
      protocol.diagnose(
        diagnoseAgents({
          protocol,
          hosts: hosts.all(),
          recommended: files.version(),
          monotonic: clock.monotonic(),
        }),
      ),
    async start() {
      await hosts.start()
      presence.start()
    },
    async stop() {
      presence.stop()
      await hosts.stop()
    },
  }
}
