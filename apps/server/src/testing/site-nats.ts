import { nkeys } from '@nats-io/transport-node'
import { accountOf, siteAccount, siteExports } from '../cluster/site-account.ts'
import { type NatsServer, startNatsWith } from './nats-server.ts'

/** Of a site's collectors, for NATS. */
export interface SiteUser {
  publicKey: string
  /** text of a credentials file */
  credentials: string
}

export function aSiteUser(): SiteUser {
  const pair = nkeys.createUser()
  const seed = new TextDecoder().decode(pair.getSeed())
  const part = (name: string, text: string) => `-----BEGIN ${name}-----\n${text}\n------END ${name}------\n`
  return {
    publicKey: pair.getPublicKey(),
    // servers with a list of users ignore the JWT
    credentials: part('NATS USER JWT', 'none') + part('USER NKEY SEED', seed),
  }
}

/** A NATS server with an account for each site. A client without credentials is a process with a database. */
export function startSiteNats(users: Readonly<Record<string, SiteUser>>): Promise<NatsServer> {
  const accounts = Object.keys(users).map(accountOf)
  const exported = siteExports.map((one) => JSON.stringify({ ...one, accounts }))
  return startNatsWith(`
jetstream: {}
no_auth_user: pulse
accounts {
  PULSE {
    jetstream: enabled
    users: [{ user: pulse, password: unused }]
    exports: [
      ${exported.join('\n      ')}
    ]
  }
${Object.entries(users)
  .map(([site, { publicKey }]) => siteAccount(site, publicKey))
  .join('\n')}
}
`)
}
