import type { Area } from '../area.ts'
import type { Database } from '../db/database.ts'
import type { OidcEnvironment } from './environment.ts'
import { singleSignOnPart } from './export-part.ts'
import { type OidcParts, oidcRoutes } from './routes.ts'
import { createOidc, type OidcArea, type OidcEdges } from './single-sign-on.ts'

export interface OidcAreaEdges extends Omit<OidcEdges, 'env'> {
  config: { oidc: OidcEnvironment }
  db: Database
}

/** Single sign-on: the settings that say how, and the way to the provider. */
export function oidcArea({ config, db, ...edges }: OidcAreaEdges): OidcArea & Area {
  const env = config.oidc
  const oidc = createOidc({ ...edges, env })
  return {
    ...oidc,
    name: 'single sign-on',
    exportParts: [singleSignOnPart({ db, document: oidc.document, env })],
    caches: [{ ...oidc, tables: ['settings'] }],
  }
}

/** Its calls; they need a creator of sessions. */
export const oidcCallsArea = (parts: OidcParts): Area => ({
  name: 'the calls of single sign-on',
  routes: oidcRoutes(parts),
})
