import { mainSite } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import fs from 'node:fs'
import path from 'node:path'
import { siteAccount } from '../cluster/sites/site-account.ts'
import { newCredentials } from '../cluster/sites/site-credentials.ts'
import { siteKeys } from '../cluster/sites/site-keys.ts'
import { settingsStore } from '../db/settings.ts'
import { readSite } from '../start/cluster-config.ts'
import type { Config } from '../start/config.ts'
import { keyPath } from '../start/key-file.ts'
import { openServerData } from '../start/open-postgres.ts'
import { StartupError } from '../startup-error.ts'
import { renewFlag, siteKeyUsage } from './usage.ts'

/**
 * `site-key <site> [--to <folder>] [--new]`: makes the key of a site whose collectors have no database. Pulse may run
 * meanwhile. Returns the text for the console.
 */
export async function makeSiteKey(
  args: readonly string[],
  { postgres, dataDir, encryptionKeyFile, environment }: Config,
  { clock }: { clock: Clock },
): Promise<string> {
  const { site, to, renews } = readArguments(args)
  if (!postgres)
    throw new StartupError(
      'PULSE_DATABASE_URL is not set.',
      'Collectors at other sites need several processes on one PostgreSQL database (docs/cluster.md).',
    )
  // npm runs its scripts in the product's folder, so the path is resolved from the folder of the user.
  const folder = to === undefined ? undefined : path.resolve(environment.variables['INIT_CWD'] ?? '.', to)
  if (folder !== undefined && fs.existsSync(folder))
    throw new StartupError(`${folder} exists already.`, 'Name a new folder. Nothing was changed.')
  const keyFile = keyPath(dataDir, encryptionKeyFile)
  const { db, vault, close } = await openServerData(postgres, { nowMs: clock.now(), keyFile, clock })
  try {
    const keys = siteKeys(settingsStore(db, vault, clock.now))
    if (!renews && (await keys.has(site)))
      throw new StartupError(
        `The site "${site}" has a key already, which cannot be shown again.`,
        `Make another one with: site-key ${site} ${renewFlag}. The collectors of the site then need the new one.`,
      )
    const key = await keys.make(site)
    return folder === undefined ? printed(site, key) : written(site, key, folder)
  } finally {
    await close()
  }
}

function readArguments(args: readonly string[]) {
  const at = args.indexOf('--to')
  const to = at < 0 ? undefined : args[at + 1]
  const names = args.filter((arg, n) => arg !== renewFlag && (at < 0 || (n !== at && n !== at + 1)))
  const [name = ''] = names
  const isComplete = at < 0 || (to !== undefined && to !== '' && !to.startsWith('--'))
  if (names.length !== 1 || name.trim() === '' || name.startsWith('--') || !isComplete)
    throw new StartupError('No site given.', `Use: ${siteKeyUsage}`)
  const site = readSite({ PULSE_SITE: name })
  if (site === mainSite)
    throw new StartupError(
      `The site "${mainSite}" is where Pulse has its database.`,
      'Use the value of the field Site of the connections.',
    )
  return { site, to, renews: args.includes(renewFlag) }
}

const printed = (site: string, key: string) =>
  `The key of the site "${site}", for the file that PULSE_SITE_KEY_FILE names (mode 0600). It is not shown again:

${key}

The account of the site for nats-server, with the public key of the credentials of its collectors:

${siteAccount(site, '<public key>')}`

function written(site: string, key: string, folder: string): string {
  const { publicKey, text } = newCredentials()
  fs.mkdirSync(folder, { mode: 0o700 })
  for (const [name, content] of [
    ['site.key', `${key}\n`],
    ['nats.creds', text],
    ['nats-account.conf', siteAccount(site, publicKey)],
  ] as const)
    fs.writeFileSync(path.join(folder, name), content, { mode: 0o600, flag: 'wx' })
  return `The site "${site}" has a new key. In ${folder}:
  site.key            for PULSE_SITE_KEY_FILE of its collectors
  nats.creds          for PULSE_NATS_CREDENTIALS_FILE of its collectors
  nats-account.conf   for the accounts of nats-server; load it with: nats-server --signal reload, twice`
}
