import type { VersionInfo } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { Area } from '../area.ts'
import type { ApiTokens } from '../auth/api-tokens.ts'
import type { Audit } from '../auth/audit.ts'
import { dockerHostStore } from '../db/docker-hosts.ts'
import type { Database } from '../db/open.ts'
import type { State } from '../state/state.ts'
import { createHostActions } from './actions.ts'
import { createAgentFiles } from './agent-files.ts'
import { diagnoseDocker } from './diagnose.ts'
import { hiddenHostsPart } from './export-part.ts'
import { createHosts } from './agents.ts'
import { createIntake } from './intake.ts'
import { createPresence } from './presence.ts'
import { dockerRoutes } from './routes.ts'
import { createDockerSetup } from './setup.ts'

export interface DockerAreaEdges {
  db: Database
  state: State
  clock: Clock
  log: Logger
  version: Pick<VersionInfo, 'version' | 'isDevelopment'>
  config: { access: { publicUrl: string | undefined }; agentDir: string | undefined; port: number }
  access: { tokens: ApiTokens; audit: Pick<Audit, 'record'> }
  /** A host has come, gone or changed at somebody's wish: who looks is to see it soon. */
  refresh: () => void
}

/** Container hosts, whose agents report what runs there: a source that is not asked. */
export function dockerArea({ config, access, refresh: onNews, ...edges }: DockerAreaEdges): Area {
  const { db, clock, log, version } = edges
  const { tokens, audit } = access
  const hosts = createHosts({ ...edges, store: dockerHostStore(db) })
  const presence = createPresence({ hosts, clock, log, onNews })
  const files = createAgentFiles(config.agentDir)
  return {
    name: 'the Docker hosts',
    routes: dockerRoutes({
      intake: createIntake({ hosts, tokens, audit, clock, log, onNews }),
      actions: createHostActions({ hosts, clock, onNews }),
      files,
      setup: createDockerSetup({ hosts, tokens, publicUrl: config.access.publicUrl }),
      audit,
      version,
      port: config.port,
    }),
    exportParts: [{ ...hiddenHostsPart(db, clock.now), live: hosts }],
    diagnose: () => ({
      dockerAgents: diagnoseDocker({
        hosts: hosts.all(),
        recommended: files.version(),
        monotonic: clock.monotonic(),
      }),
    }),
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
