import { siteAccount, siteExports } from '../cluster/sites/site-account.ts'
import type { SiteCredentials } from '../cluster/sites/site-credentials.ts'
import { type NatsServer, startConfiguredNats } from './nats-server.ts'

/** A NATS server with an account for each site. A client without credentials is a process with a database. */
export function startSiteNats(sites: Readonly<Record<string, SiteCredentials>>): Promise<NatsServer> {
  return startConfiguredNats(`
jetstream: {}
no_auth_user: pulse
accounts {
  PULSE {
    jetstream: enabled
    users: [{ user: pulse, password: unused }]
    exports: [
      ${siteExports.join('\n      ')}
    ]
  }
${Object.entries(sites)
  .map(([site, { publicKey }]) => siteAccount(site, publicKey))
  .join('')}}
`)
}
