import type { Area } from '../area.ts'
import { setupScriptRoutes, type SetupScriptParts } from './routes.ts'
import { createSetupScripts, type SetupScriptEdges } from './setup-scripts.ts'

export interface SetupScriptAreaEdges extends Omit<SetupScriptEdges, 'hasLeft' | 'publicUrl' | 'tls'> {
  config: { access: Pick<SetupScriptEdges, 'publicUrl'>; tls: SetupScriptEdges['tls'] }
  access: Omit<SetupScriptParts, 'setupScript'> & { departures: Pick<SetupScriptEdges, 'hasLeft'> }
}

/** Lets a host make the account that Pulse watches it with, and register itself. */
export function setupScriptArea({ access, config, ...edges }: SetupScriptAreaEdges): Area {
  const setupScript = createSetupScripts({
    ...edges,
    publicUrl: config.access.publicUrl,
    tls: config.tls,
    hasLeft: access.departures.hasLeft,
  })
  return {
    name: 'the setup scripts',
    routes: setupScriptRoutes({ setupScript, tokens: access.tokens, audit: access.audit }),
  }
}
