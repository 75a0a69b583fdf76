import { nkeys } from '@nats-io/transport-node'

/** Of a site's collectors, for NATS. */
export interface SiteCredentials {
  publicKey: string
  /** text of a credentials file */
  text: string
}

/** A new NKey. A server that lists its users ignores the JWT of a credentials file, so there is none. */
export function newCredentials(): SiteCredentials {
  const pair = nkeys.createUser()
  const seed = new TextDecoder().decode(pair.getSeed())
  const part = (name: string, text: string) => `-----BEGIN ${name}-----\n${text}\n------END ${name}------\n`
  return {
    publicKey: pair.getPublicKey(),
    text: part('NATS USER JWT', 'none') + part('USER NKEY SEED', seed),
  }
}
