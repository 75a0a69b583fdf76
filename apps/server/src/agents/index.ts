import { getServerInfo, type VersionInfo } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { AgentKind } from '../agent-kind.ts'
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
import { createPresence } from './presence.ts'
import { agentRoutes } from './routes.ts'
import { createAgentSetup } from './setup.ts'

export interface AgentAreaEdges {
  kinds: readonly AgentKind[]
  db: Database
  state: State
  clock: Clock
  log: Logger
  version: Pick<VersionInfo, 'version' | 'isDevelopment'>
  config: { access: { publicUrl: string | undefined }; agentDir: string | undefined; port: number }
  access: { tokens: ApiTokens; audit: Pick<Audit, 'record'> }
  /** A host was added, changed or removed: browsers see it with the next patch. */
  refresh: () => void
}

/** Agents report by themselves; nothing is polled. */
export function agentArea({ kinds, version, ...edges }: AgentAreaEdges): Area {
  const agents = kinds.map((kind) => startable(kind, edges))
  return {
    name: 'the agents',
    routes: [
      route(getServerInfo, () => ({ isDevelopment: version.isDevelopment, version: version.version })),
      ...agents.flatMap(({ routes }) => routes),
    ],
    exportParts: agents.map(({ exportPart }) => exportPart),
    caches: agents.map(({ cache }) => cache),
    diagnose: () => Object.assign({}, ...agents.map(({ diagnose }) => diagnose())),
    async start() {
      for (const { hosts, presence } of agents) {
        await hosts.start()
        presence.start()
      }
    },
    async stop() {
      for (const { hosts, presence } of agents.toReversed()) {
        presence.stop()
        await hosts.stop()
      }
    },
  }
}

/** One kind's hosts, with everything that runs for them. */
function startable(
  kind: AgentKind,
  { config, access, refresh: onNews, ...edges }: Omit<AgentAreaEdges, 'kinds' | 'version'>,
) {
  const { db, clock, log } = edges
  const { tokens, audit } = access
  const hosts = createHosts({ ...edges, kind, store: kind.store(db) })
  const files = createAgentFiles(config.agentDir, kind.install.fileName)
  return {
    hosts,
    presence: createPresence({ kind, hosts, clock, log, onNews }),
    routes: agentRoutes({
      kind,
      intake: createIntake({ kind, hosts, tokens, audit, clock, log, onNews }),
      actions: createHostActions({ kind, hosts, clock, onNews }),
      files,
      setup: createAgentSetup({ kind, hosts, tokens, publicUrl: config.access.publicUrl }),
      audit,
      port: config.port,
    }),
    exportPart: kind.exportPart(db, clock.now),
    cache: { ...hosts, tables: kind.tables },
    diagnose: () =>
      kind.diagnose(
        diagnoseAgents({
          kind,
          hosts: hosts.all(),
          recommended: files.version(),
          monotonic: clock.monotonic(),
        }),
      ),
  }
}
