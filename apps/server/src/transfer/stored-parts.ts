import type { Connection } from '@pulse/domain'
import { connectionStore } from '../db/connections.ts'
import type { Database } from '../db/open.ts'
import { settingsStore } from '../db/settings.ts'
import type { Vault } from '../seal.ts'
import type { Config } from '../start/config.ts'
import type { TransferPart } from './part.ts'
import { apiTokensPart } from './parts/api-tokens.ts'
import { connectionsPart } from './parts/connections.ts'
import { guestLinksPart } from './parts/guest-links.ts'
import { singleSignOnPart } from './parts/single-sign-on.ts'
import { systemPart } from './parts/system.ts'
import { temperaturesPart } from './parts/temperatures.ts'
import { usersPart } from './parts/users.ts'

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
