import { anAccount, secretsOf } from '../appliance/accounts.ts'
import type { Login } from '../appliance/accounts.ts'
import type { Appliance, ApplianceRelease } from '../appliance/appliance.ts'
import { noCertificate } from '../certificate.ts'
import { createTickets } from '../access/tickets.ts'
import { pmg } from './product.ts'

export type PmgMajor = 7 | 8 | 9

/** Passwords only: there are no API tokens in any version. */
export interface PmgCredentials extends Login {
  /** Reads everything, as the setup asks for. */
  auditor: Login
  /** Sees none of the statistics. */
  helpdesk: Login
  secondFactor: Login
}

const releases: Record<PmgMajor, ApplianceRelease> = {
  7: { major: 7, version: '7.3-11', release: '7.3', repoid: 'b3fe3ed9' },
  8: { major: 8, version: '8.2.9', release: '8.2', repoid: '0c7ab0c9a1b0b6f1' },
  9: { major: 9, version: '9.0.6', release: '9.0', repoid: '9d8a6c0e7d1f2b34' },
}

export function drawPmg(name: string, major: PmgMajor, port: number, seed: number, now: () => number) {
  const { password } = secretsOf(seed, name)
  const credentials: PmgCredentials = {
    user: 'root@pam',
    password: password('root'),
    auditor: { user: 'pulse-monitor@pmg', password: password('auditor') },
    helpdesk: { user: 'helpdesk@pmg', password: password('helpdesk') },
    secondFactor: { user: 'totp@pmg', password: password('totp') },
  }
  const { auditor, helpdesk, secondFactor } = credentials
  const appliance: Appliance = {
    product: pmg,
    name,
    address: '',
    certificate: noCertificate,
    port,
    online: true,
    release: releases[major],
    accounts: new Map(
      [
        anAccount(credentials.user, 'root', { password: credentials.password }),
        anAccount(auditor.user, 'audit', { password: auditor.password }),
        anAccount(helpdesk.user, 'helpdesk', { password: helpdesk.password }),
        anAccount(secondFactor.user, 'audit', { password: secondFactor.password, secondFactor: true }),
      ].map((account) => [account.userId, account]),
    ),
    tokens: new Map(),
    tickets: createTickets(now, pmg.ticketPrefix),
  }
  return { appliance, credentials }
}
