import type { Connection } from '@pulse/domain'
import { connectionStore } from '../db/connections.ts'
import type { Database } from '../db/open.ts'
import { settingsStore } from '../db/settings.ts'
import type { Vault } from '../seal.ts'
import type { Config } from '../start/config.ts'
import type { TransferPart } from '../export-part.ts'
import { apiTokensPart } from '../access/tokens-part.ts'
import { connectionsPart } from '../connections/export-part.ts'
import { guestLinksPart } from '../guests/export-part.ts'
import { singleSignOnPart } from '../oidc/export-part.ts'
import { systemPart } from '../settings/export-part.ts'
import { temperaturesPart } from '../temperature/export-part.ts'
import { usersPart } from '../access/users-part.ts'

export interface StoredPartsEdges {
  db: Database
  vault: Vault
  config: Pick<Config, 'oidc' | 'settings' | 'temperatures' | 'declared'>
  now: () => number
}

/** Everything an export carries, in the order in which an import reports it. The encryption key is in none of them. */
export function storedParts({ db, vault, config, now }: StoredPartsEdges): TransferPart[] {
  const { oidc, settings, temperatures, declared } = config
  const isManaged = ({ kind, name, host }: Connection) =>
    (declared?.nodes ?? []).some(
      (node) => node.kind === kind && (isSameName(node.name, name) || node.host === host),
    )
  const store = settingsStore(db, vault, now)
  return [
    connectionsPart({ store: connectionStore(db, vault), now, isManaged }),
    temperaturesPart(db, now, temperatures),
    guestLinksPart(db, now),
    systemPart({ store, fixed: settings }),
    singleSignOnPart({ db, store, env: oidc }),
    usersPart(db),
    apiTokensPart(db),
  ]
}

const isSameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
