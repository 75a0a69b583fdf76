import { anAccount, secretsOf } from '../appliance/accounts.ts'
import type { Login } from '../appliance/accounts.ts'
import type { Appliance, ApplianceRelease, ApplianceToken } from '../appliance/appliance.ts'
import { noCertificate } from '../certificate.ts'
import type { ApiToken } from '../access/accounts.ts'
import { createTickets } from '../access/tickets.ts'
import { pbsProduct, ticketPrefix } from './product.ts'
import { drawServer } from './server.ts'
import type { ServerPlan } from './server.ts'

export type PbsMajor = 2 | 3 | 4

export interface PbsCredentials extends ApiToken, Login {
  /** Password login with the rights of the main token. */
  monitor: Login
  /** A valid token without rights. */
  powerless: ApiToken
  expired: ApiToken
  /** Audits only the first datastore. */
  narrow: ApiToken
  secondFactor: Login
}

const releases: Record<PbsMajor, ApplianceRelease> = {
  2: { major: 2, version: '2.4', release: '7', repoid: 'dc4b6c2c' },
  3: { major: 3, version: '3.4', release: '4', repoid: 'a4a1b1b3a5c29d1b' },
  4: { major: 4, version: '4.0', release: '14', repoid: '4b0b2ee1fb0c2b2e' },
}

export function drawPbs(plan: ServerPlan & { major: PbsMajor }, now: () => number) {
  const { name, major, seed } = plan
  const credentials = drawCredentials(seed, name)
  const { user, password, monitor, secondFactor } = credentials
  const server = drawServer(plan)
  const appliance: Appliance = {
    product: pbsProduct(server, () => appliance.certificate.fingerprint),
    name,
    address: '',
    certificate: noCertificate,
    port: 8007,
    online: true,
    release: releases[major],
    accounts: new Map(
      [
        anAccount(user, 'Admin', { password }),
        anAccount(monitor.user, 'Monitor', { password: monitor.password }),
        anAccount('pulse-monitor@pbs', 'Monitor'),
        anAccount('powerless@pbs', 'NoAccess'),
        anAccount(secondFactor.user, 'Audit', { password: secondFactor.password, secondFactor: true }),
      ].map((account) => [account.userId, account]),
    ),
    tokens: new Map(
      [
        token(credentials, 'Monitor'),
        token(credentials.powerless, 'NoAccess'),
        token(credentials.expired, 'Monitor', { expired: true }),
        token(credentials.narrow, 'DatastoreAudit', { path: '/datastore/main' }),
      ].map((entry) => [entry.tokenId, entry]),
    ),
    tickets: createTickets(now, ticketPrefix),
  }
  return { appliance, credentials, server }
}

function drawCredentials(seed: number, name: string): PbsCredentials {
  const { secret, password } = secretsOf(seed, name)
  return {
    tokenId: 'pulse-monitor@pbs!pulse-token',
    tokenSecret: secret('main'),
    user: 'root@pam',
    password: password('root'),
    monitor: { user: 'monitor@pbs', password: password('monitor') },
    powerless: { tokenId: 'powerless@pbs!lab', tokenSecret: secret('powerless') },
    expired: { tokenId: 'pulse-monitor@pbs!expired', tokenSecret: secret('expired') },
    narrow: { tokenId: 'pulse-monitor@pbs!narrow', tokenSecret: secret('narrow') },
    secondFactor: { user: 'totp@pbs', password: password('totp') },
  }
}

const token = (
  { tokenId, tokenSecret }: ApiToken,
  role: string,
  given: Partial<ApplianceToken> = {},
): ApplianceToken => ({
  tokenId,
  secret: tokenSecret,
  role,
  enabled: true,
  expired: false,
  dropped: new Set(),
  ...given,
})
