import { randomBytes } from 'node:crypto'
import type { SettingsStore } from '../../db/settings.ts'
import { createVault, type Vault } from '../../seal.ts'
import { token } from '../nats/subjects.ts'

/** The keys of sites whose collectors have no database, sealed in rows of their own. */
export interface SiteKeys {
  /** Of the key as it is now: a replaced one does not open anything any more. Undefined without a key. */
  vaultOf(site: string): Promise<Vault | undefined>
  has(site: string): Promise<boolean>
  /** Returns the key in base64. It replaces one that is there. */
  make(site: string): Promise<string>
}

const keyBytes = 32
const rowOf = (site: string) => `site-key/${token(site)}`

export function siteKeys(store: Pick<SettingsStore, 'read' | 'write'>): SiteKeys {
  /** so that many questions at once are one read */
  const reading = new Map<string, Promise<string | undefined>>()

  function read(site: string): Promise<string | undefined> {
    const row = rowOf(site)
    const known = reading.get(row)
    if (known) return known
    const read = store.read(row).finally(() => reading.delete(row))
    reading.set(row, read)
    return read
  }

  return {
    async vaultOf(site) {
      const text = await read(site)
      return text === undefined ? undefined : createVault(Buffer.from(text, 'base64'))
    },
    has: async (site) => (await read(site)) !== undefined,
    async make(site) {
      const key = randomBytes(keyBytes).toString('base64')
      await store.write(rowOf(site), key)
      return key
    },
  }
}
