import { anAccount, secretsOf } from '../appliance/accounts.ts'
import type { Login } from '../appliance/accounts.ts'
import type { Appliance, ApplianceRelease } from '../appliance/appliance.ts'
import { noCertificate } from '../certificate.ts'
import { createTickets } from '../access/tickets.ts'
import type { Settings } from '../options.ts'
import { dice, hash } from '../random.ts'
import type { MailGateway } from './gateway.ts'
import { pmgProduct, ticketPrefix } from './product.ts'

export type PmgMajor = 7 | 8 | 9

/** Passwords only: PMG has no API tokens in any version. */
export interface PmgCredentials extends Login {
  /** Reads everything; the role that the setup asks for. */
  auditor: Login
  /** Sees statistics and quarantine, but no queues. */
  manager: Login
  /** Sees none of the statistics. */
  helpdesk: Login
  secondFactor: Login
}

const releases: Record<PmgMajor, ApplianceRelease> = {
  7: { major: 7, version: '7.3-11', release: '7.3', repoid: 'b3fe3ed9' },
  8: { major: 8, version: '8.2.9', release: '8.2', repoid: '0c7ab0c9a1b0b6f1' },
  9: { major: 9, version: '9.0.6', release: '9.0', repoid: '9d8a6c0e7d1f2b34' },
}

type PmgSettings = Pick<Settings, 'port' | 'seed' | 'now' | 'giveUpMs'>

/** `cluster` contains the other members; the gateway adds itself. Without it the gateway is standalone. */
export function drawPmg(
  name: string,
  major: PmgMajor,
  { port, seed, now, giveUpMs }: PmgSettings,
  cluster: MailGateway[] | undefined,
) {
  const { password } = secretsOf(seed, name)
  const credentials: PmgCredentials = {
    user: 'root@pam',
    password: password('root'),
    auditor: { user: 'pulse-monitor@pmg', password: password('auditor') },
    manager: { user: 'postmaster@pmg', password: password('manager') },
    helpdesk: { user: 'helpdesk@pmg', password: password('helpdesk') },
    secondFactor: { user: 'totp@pmg', password: password('totp') },
  }
  const { auditor, manager, helpdesk, secondFactor } = credentials
  const ownSeed = hash(`${seed}/${name}/gateway`)
  const draw = dice(ownSeed)
  const { version, repoid } = releases[major]
  const appliance: Omit<Appliance, 'product'> = {
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
        anAccount(manager.user, 'qmanager', { password: manager.password }),
        anAccount(helpdesk.user, 'helpdesk', { password: helpdesk.password }),
        anAccount(secondFactor.user, 'audit', { password: secondFactor.password, secondFactor: true }),
      ].map((account) => [account.userId, account]),
    ),
    tokens: new Map(),
    tickets: createTickets(now, ticketPrefix),
  }
  const members = cluster ?? []
  const gateway: MailGateway = {
    name,
    major,
    seed: ownSeed,
    mailSeed: members[0]?.mailSeed ?? ownSeed,
    version: `pmg-api/${version}/${repoid}`,
    bootedAtMs: now() - draw.int(2, 90) * 86_400_000,
    cpus: draw.pick([2, 4]),
    memBytes: draw.pick([4, 8]) * 1024 ** 3 - 300 * 1024 ** 2,
    members,
    isCluster: cluster !== undefined,
    giveUpMs,
    appliance,
    queues: new Map(),
  }
  members.push(gateway)
  return { appliance: Object.assign(appliance, { product: pmgProduct(gateway) }), credentials, gateway }
}
