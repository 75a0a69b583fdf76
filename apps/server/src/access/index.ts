import type { SecurityStatus, VersionInfo } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { apiTokenStore } from '../db/api-tokens.ts'
import { auditStore } from '../db/audit.ts'
import type { Database } from '../db/database.ts'
import { sessionStore } from '../db/sessions.ts'
import { signInAttemptStore } from '../db/sign-in-attempts.ts'
import { userStore } from '../db/users.ts'
import { sharedSetupToken } from '../db/setup-token.ts'
import type { Vault } from '../seal.ts'
import type { Area } from '../area.ts'
import type { RowCache, Table } from '../row-cache.ts'
import { createSignal, type OnSignal } from '../signal.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Config } from '../start/config.ts'
import { type Access, createAccess } from '../auth/access.ts'
import { type ApiTokens, createApiTokens } from '../auth/api-tokens.ts'
import { type Audit, createAudit } from '../auth/audit.ts'
import { type Caller, clientKey, readCaller } from '../auth/caller.ts'
import { readCookies, sessionCookie } from '../auth/cookies.ts'
import type { Need } from '../auth/gate.ts'
import { demoIdentify, demoSource } from '../auth/demo.ts'
import { createDepartures, type Departures } from '../auth/departures.ts'
import { createForwarding } from '../auth/forwarding.ts'
import { createIdentify, type Identity } from '../auth/identify.ts'
import { createLockout, type Lockout } from '../auth/lockout.ts'
import type { OriginPolicy } from '../auth/origins.ts'
import { createProxyUsers } from '../auth/proxy-users.ts'
import { whileKnown } from '../auth/known-rights.ts'
import { createNewerRights } from '../auth/newer-rights.ts'
import { createOwnAddress } from '../auth/own-address.ts'
import { createPasswords, type Derive } from '../auth/password.ts'
import type { Principal } from '../auth/principal.ts'
import { createRateLimit, type RateLimit } from '../auth/rate-limit.ts'
import { createSessions, type Sessions } from '../auth/sessions.ts'
import { createSetup, type Setup } from '../auth/setup.ts'
import { createSignIn, type SignIn } from '../auth/sign-in.ts'
import { createSecurityStatus, type StatusEdges } from '../auth/status.ts'
import { createUsers, type OidcPerson, type Users } from '../auth/users.ts'
import { ledBasic } from './led-basic.ts'
import { securityRoutes } from './security-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { checkTokens, type ReportingHost } from './token-check.ts'
import { tokenRoutes } from './token-routes.ts'
import { apiTokensPart } from './tokens-part.ts'
import { usersPart } from './users-part.ts'

/** Signing in, access rights and their ends. */
export interface AccessArea extends Area {
  access: Access
  audit: Audit
  departures: Departures
  limit: RateLimit
  lockout: Lockout
  sessions: Sessions
  setup: Setup
  signIn: SignIn
  tokens: ApiTokens
  users: Users
  /** the address under which administrators open Pulse, known after their first call since the start */
  ownAddress: () => string | undefined
  status: (identity: Identity, caller: Caller) => SecurityStatus
  /** The principal that opens a socket; throws the refusal. */
  toSocket(need: Need, request: IncomingMessage): Promise<{ principal: Principal; client: string }>
  /**
   * Throws above the limit. Only refused sockets count: a thousand pages that reconnect after a restart are
   * no attack.
   */
  countRefusedSocket(request: IncomingMessage): void
  touch(principal: Principal): void
  /** Creates a session for a user whom the provider has authenticated; the answer sets its cookies. */
  signInByOidc(person: OidcPerson, caller: Caller): Promise<string[]>
  /** Rights have ended, so open sockets must be checked again. */
  onEnded: OnSignal
}

export interface AccessAreaEdges {
  config: Pick<Config, 'access' | 'dataDir' | 'declared' | 'environment' | 'tls'>
  db: Database
  /** single sign-on */
  oidc: {
    enabled(): boolean
    /** The provider for single sign-on; undefined while single sign-on is off. */
    issuer(): string | undefined
    status: StatusEdges['oidc']
  }
  settings: { origins: () => OriginPolicy }
  /** The records of Docker hosts name the token that each host uses. */
  state: { tables: { dockerHosts: { values(): Iterable<ReportingHost> } } }
  clock: Clock
  log: Logger
  /** not affected by the log level */
  auditLog: Logger
  version: Pick<VersionInfo, 'deploymentType'>
  /** cheap password hashes for tests; undefined in the product */
  hashing: { password: Derive } | undefined
  onWrite: () => void
  vault: Vault
  /** absent: this process does everything */
  cluster: Pick<Cluster, 'isLeading' | 'checkLead' | 'ask' | 'rights' | 'proxyRoles'> | undefined
  /** Reads the rows of these tables again. */
  reload: (tables: readonly Table[]) => Promise<void>
}

/** what lets a caller in */
const rights: readonly Table[] = ['users', 'sessions', 'api_tokens']

export function accessArea(edges: AccessAreaEdges): AccessArea {
  const { db, oidc, clock, log, onWrite, version } = edges
  const { access: config } = edges.config
  const { deploymentType } = version
  const ended = createSignal()
  const { disabled, proxy, trustedProxies } = config
  const passwords = createPasswords(edges.hashing?.password)
  const audit = createAudit(auditStore(db), clock, log, edges.auditLog)
  const limit = createRateLimit(clock)
  const lockout = createLockout(signInAttemptStore(db), clock)
  const sessions = createSessions({ store: sessionStore(db), clock, log, onEnded: ended.emit })
  const users = createUsers({
    store: userStore(db),
    passwords,
    clock,
    onSessionsEnded: sessions.forgetUser,
    onWrite,
  })
  const tokens = createApiTokens({ store: apiTokenStore(db), clock, log, onEnded: ended.emit, onWrite })
  const departures = createDepartures({ users, tokens, audit })
  const signIn = createSignIn({ users, lockout, limit, audit, clock })
  const { cluster } = edges
  const readAgain = cluster && createNewerRights({ clock, read: () => edges.reload(rights) })
  const isConfigured = () =>
    users.list().some(({ source }) => source !== 'oidc') ||
    tokens.list().length > 0 ||
    proxy !== undefined ||
    oidc.enabled()
  const setup = createSetup({
    dataDir: edges.config.dataDir,
    shared: cluster && sharedSetupToken(db, edges.vault, clock.now),
    disabled,
    deploymentType,
    isConfigured,
    users,
    tokens,
    sessions,
    audit,
  })
  const proxyUsers = createProxyUsers(clock, {
    onViewer: (by, caller) => departures.demoted(by.id, { by, caller }),
    onChanged: ended.emit,
    onNew: cluster?.proxyRoles.publish,
  })
  cluster?.proxyRoles.onHeard(proxyUsers.heard)
  const identify = createIdentify({
    users,
    sessions,
    tokens,
    checkBasic: cluster ? ledBasic({ signIn, users, cluster, readAgain: readAgain! }) : signIn.checkBasic,
    readAgain,
    proxy,
    proxyUsers,
    oidcIssuer: oidc.issuer,
    async onSession({ id, name }, caller) {
      await users.signedIn(id)
      await audit.record({ event: 'login', by: { id: `user:${id}`, name, method: 'session' }, caller })
    },
    disabled,
  })
  cluster?.rights.onChange(ended.emit)
  const identifyKnown = cluster ? whileKnown(identify, cluster.rights) : identify
  const forwarding = createForwarding(log)
  const ownAddress = createOwnAddress()
  const access = createAccess({
    identify: config.demo ? demoIdentify({ localOnly: disabled }) : identifyKnown,
    limit,
    origins: edges.settings.origins,
    publicUrl: config.publicUrl,
    demo: config.demo ? demoSource(tokens, { localOnly: disabled }) : undefined,
    record: audit.record,
    onCaller: forwarding.look,
    onAdministrator: ownAddress.look,
  })
  const status = createSecurityStatus({
    users,
    tokens,
    proxy,
    oidc: oidc.status,
    disabled,
    demo: config.demo,
    isConfigured,
    trustedNetworks: config.trustedNetworks,
    isPendingRestart: edges.config.environment.isChanged,
    undeclaredProxies: forwarding.undeclared,
    deploymentType,
  })

  const callerOf = (request: IncomingMessage) =>
    readCaller(
      {
        peer: request.socket.remoteAddress,
        encrypted: edges.config.tls !== undefined,
        method: 'GET',
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        requestId: '',
      },
      trustedProxies,
    )

  const parts = { access, audit, departures, limit, lockout, sessions, setup, signIn, tokens, users, status }
  /** Another writer may have ended a right, so open sockets are checked again. */
  const cacheOf = (table: Table, { runExclusive, reload }: Omit<RowCache, 'tables'>): RowCache => ({
    tables: [table],
    runExclusive,
    async reload() {
      await reload()
      ended.emit()
      setup.look()
    },
  })
  return {
    ...parts,
    name: 'sign-in and audit',
    routes: [
      ...sessionRoutes(parts),
      ...securityRoutes(parts),
      ...tokenRoutes(tokens, audit, deploymentType),
    ],
    ownAddress: ownAddress.known,
    exportParts: [usersPart(db), apiTokensPart(db)],
    caches: [cacheOf('users', users), cacheOf('api_tokens', tokens), cacheOf('sessions', sessions)],
    diagnose: () => ({ apiTokens: checkTokens(tokens.list(), [...edges.state.tables.dockerHosts.values()]) }),
    onEnded: ended.on,
    async toSocket(need, request) {
      const caller = callerOf(request)
      const query = new URLSearchParams(request.url?.split('?')[1])
      const identity = await access.toSocket(need, caller, query.get('token') ?? undefined)
      return { principal: identity.principal!, client: clientKey(caller.client) }
    },
    countRefusedSocket: (request) => limit.take('socket', callerOf(request).client),
    touch({ sessionHash }) {
      if (sessionHash !== undefined) sessions.touch(sessionHash)
    },
    async signInByOidc(person, caller) {
      const user = await users.signedInByOidc(person)
      const id = `user:${user.id}`
      if (user.role !== 'admin') {
        await departures.demoted(id, { by: { id, name: user.name, method: 'oidc' }, caller })
      }
      // The redirect to the provider and the return are no guesses.
      for (let n = 0; n < 2; n++) limit.refund('auth', caller.client)
      const before = sessions.find(readCookies(caller.headers.cookie)[sessionCookie] ?? '')
      if (before) await sessions.end(before.token_hash)
      return sessions.create(user.id, 'oidc', caller)
    },
    async start() {
      await users.start(config.user, edges.config.declared?.users)
      await sessions.start()
      await departures.sweep(await tokens.start(config.tokens))
      await setup.start()
    },
    // the process that led before has counted
    lead: lockout.start,
    async stop() {
      sessions.stop()
      tokens.stop()
      await audit.stop()
    },
  }
}
