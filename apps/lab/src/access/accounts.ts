import type { PveMajor } from '../options.ts'
import { hash, seededUuid } from '../random.ts'
import type { Access, AclEntry, Token } from './access.ts'

export interface ApiToken {
  tokenId: string
  tokenSecret: string
}

/** The same in every cluster of a lab. */
export interface Credentials extends ApiToken {
  user: string
  password: string
  /** Password login with the rights of the main token. */
  monitor: { user: string; password: string }
  /** Reads everything except guest agents and backup lists. */
  auditor: ApiToken
  /** A valid token without rights. */
  powerless: ApiToken
  /** Privilege separated, with its own ACL on /vms only. */
  separated: ApiToken
  expired: ApiToken
  /** Its password login asks for a second factor. */
  secondFactor: { user: string; password: string }
}

export function drawCredentials(seed: number): Credentials {
  const secret = (name: string) => seededUuid(hash(`${seed}/secret/${name}`))
  const password = (name: string) => `lab-${secret(name).slice(0, 8)}`
  return {
    tokenId: 'pulse-monitor@pam!pulse-token',
    tokenSecret: secret('main'),
    user: 'root@pam',
    password: password('root'),
    monitor: { user: 'monitor@pve', password: password('monitor') },
    auditor: { tokenId: 'auditor@pve!lab', tokenSecret: secret('auditor') },
    powerless: { tokenId: 'powerless@pve!lab', tokenSecret: secret('powerless') },
    separated: { tokenId: 'pulse-monitor@pam!separated', tokenSecret: secret('separated') },
    expired: { tokenId: 'pulse-monitor@pam!expired', tokenSecret: secret('expired') },
    secondFactor: { user: 'totp@pve', password: password('totp') },
  }
}

export function drawAccess(credentials: Credentials, major: PveMajor): Access {
  const user = (userId: string, password?: string, secondFactor = false) =>
    [userId, { userId, password, secondFactor }] as const
  return {
    major,
    users: new Map([
      user(credentials.user, credentials.password),
      user(credentials.monitor.user, credentials.monitor.password),
      user(credentials.secondFactor.user, credentials.secondFactor.password, true),
      user('pulse-monitor@pam'),
      user('auditor@pve'),
      user('powerless@pve'),
    ]),
    tokens: new Map(
      [
        newToken(credentials),
        newToken(credentials.auditor),
        newToken(credentials.powerless),
        newToken(credentials.separated, { separated: true }),
        newToken(credentials.expired, { expiresAtMs: 1 }),
      ].map((entry) => [entry.tokenId, entry]),
    ),
    acl: [
      ...monitorAcl('pulse-monitor@pam'),
      ...monitorAcl(credentials.monitor.user),
      { path: '/vms', who: credentials.separated.tokenId, role: 'PVEAuditor' },
      { path: '/', who: 'auditor@pve', role: 'AuditorWithoutAgent' },
    ],
  }
}

/** The entries that the setup commands grant. */
const monitorAcl = (who: string): AclEntry[] => [
  { path: '/', who, role: 'PVEAuditor' },
  { path: '/', who, role: 'PulseMonitor' },
  { path: '/storage', who, role: 'PVEDatastoreAdmin' },
]

export function newToken({ tokenId, tokenSecret }: ApiToken, given: Partial<Token> = {}): Token {
  return {
    tokenId,
    secret: tokenSecret,
    separated: false,
    enabled: true,
    expiresAtMs: undefined,
    dropped: new Set(),
    ...given,
  }
}
