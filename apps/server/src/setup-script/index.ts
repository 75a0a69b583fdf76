import type { Clock } from '@pulse/domain'
import type { Area } from '../area.ts'
import { setupScriptRoutes, type SetupScriptParts } from './routes.ts'
import { createSetupScripts, type SetupScriptEdges } from './setup-scripts.ts'

/** Short, because the registering host waits for it. */
const fingerprintMs = 5_000

export interface SetupScriptAreaEdges extends Omit<
  SetupScriptEdges,
  'hasLeft' | 'publicUrl' | 'tls' | 'readFingerprint'
> {
  config: { access: Pick<SetupScriptEdges, 'publicUrl'>; tls: SetupScriptEdges['tls'] }
  readFingerprint: (url: URL, clock: Clock, limitMs: number) => Promise<string | undefined>
  access: Omit<SetupScriptParts, 'setupScript'> & { departures: Pick<SetupScriptEdges, 'hasLeft'> }
}

/** Lets a host create its monitoring account and register itself. */
export function setupScriptArea({ access, config, readFingerprint, ...edges }: SetupScriptAreaEdges): Area {
  const setupScript = createSetupScripts({
    ...edges,
    readFingerprint: (url) => readFingerprint(url, edges.clock, fingerprintMs),
    publicUrl: config.access.publicUrl,
    tls: config.tls,
    hasLeft: access.departures.hasLeft,
  })
  return {
    name: 'the setup scripts',
    isLed: true,
    routes: setupScriptRoutes({ setupScript, tokens: access.tokens, audit: access.audit }),
  }
}
