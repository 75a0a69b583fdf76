import { mainSite } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { siteKeys } from '../cluster/site-keys.ts'
import { siteAccount } from '../cluster/site-account.ts'
import { settingsStore } from '../db/settings.ts'
import { readSite } from '../start/cluster-config.ts'
import type { Config } from '../start/config.ts'
import { keyPath } from '../start/key-file.ts'
import { openServerData } from '../start/open-postgres.ts'
import { StartupError } from '../startup-error.ts'
import { renewFlag, siteKeyUsage } from './usage.ts'

/**
 * `site-key <site> [--new]`: makes the key of a site whose collectors have no database. Pulse may run meanwhile. Returns
 * the text for the console.
 */
export async function makeSiteKey(
  args: readonly string[],
  { postgres, dataDir, encryptionKeyFile }: Config,
  { clock }: { clock: Clock },
): Promise<string> {
  const names = args.filter((arg) => arg !== renewFlag)
  const [name = ''] = names
  if (names.length !== 1 || name.trim() === '' || name.startsWith('--'))
    throw new StartupError('The command names no site.', `Use: ${siteKeyUsage}`)
  const site = readSite({ PULSE_SITE: name })
  if (site === mainSite)
    throw new StartupError(
      `The site "${mainSite}" is where Pulse has its database.`,
      'Give another site, as the connections name it.',
    )
  if (!postgres)
    throw new StartupError(
      'PULSE_DATABASE_URL is not set.',
      'Collectors at other sites need several processes on one PostgreSQL database (docs/cluster.md).',
    )
  const keyFile = keyPath(dataDir, encryptionKeyFile)
  const { db, vault, close } = await openServerData(postgres, { nowMs: clock.now(), keyFile, clock })
  try {
    const keys = siteKeys(settingsStore(db, vault, clock.now))
    if (!args.includes(renewFlag) && (await keys.has(site)))
      throw new StartupError(
        `The site "${site}" has a key already, which cannot be shown again.`,
        `Make another one with: site-key ${site} ${renewFlag}. The collectors of the site then need the new one.`,
      )
    return described(site, await keys.make(site))
  } finally {
    await close()
  }
}

const described = (
  site: string,
  key: string,
) => `The key of the site "${site}", for the file that PULSE_SITE_KEY_FILE names (mode 0600). It is not shown again:

${key}

The account of the site for nats-server, with the public key of the collector's credentials:

${siteAccount(site, '<public key>')}`
