import type { LogLevel } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import { accessArea } from './access/index.ts'
import type { FirstRun } from './auth/first-run.ts'
import { createOidc } from './oidc/single-sign-on.ts'
import type { Principal } from './auth/principal.ts'
import { readFingerprint } from './collectors/certificate.ts'
import { collectors } from './collectors/index.ts'
import { createConnections } from './connections/connections.ts'
import { toPace } from './connections/pace.ts'
import { connectionStore } from './db/connections.ts'
import { guestMetadataStore } from './db/guest-metadata.ts'
import { settingsStore } from './db/settings.ts'
import { temperatureStore } from './db/temperature.ts'
import { createDiscovery } from './discovery/discovery.ts'
import type { Machine } from './discovery/machine.ts'
import { systemNames } from './discovery/names.ts'
import { guestMetadata } from './guests/metadata.ts'
import { createMask } from './demo/mask.ts'
import { maskedState } from './demo/masked-state.ts'
import { createDiagnostics } from './diagnostics/diagnostics.ts'
import { surroundings } from './diagnostics/surroundings.ts'
import { createHttp } from './http/app.ts'
import { boundConnections, connectionLimits } from './http/connections.ts'
import { diagnosticsRoutes } from './diagnostics/routes.ts'
import { discoveryRoutes } from './discovery/routes.ts'
import { guestRoutes } from './guests/routes.ts'
import { nodeRoutes } from './connections/routes.ts'
import { oidcRoutes } from './oidc/routes.ts'
import { securityRoutes } from './access/security-routes.ts'
import { sessionRoutes } from './access/session-routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { setupScriptRoutes } from './setup-script/routes.ts'
import { statusRoutes } from './self/routes.ts'
import { temperatureRoutes } from './temperature/routes.ts'
import { tokenRoutes } from './access/token-routes.ts'
import { transferRoutes } from './transfer/routes.ts'
import { createHub, type Hub } from './live/hub.ts'
import { socketNeed } from './live/needs.ts'
import { createSetupScripts } from './setup-script/setup-scripts.ts'
import { createTemperatures } from './temperature/temperatures.ts'
import { temperatureFunction } from './temperature/setup.ts'
import { createSystemSettings } from './settings/system.ts'
import { createDeclared } from './settings/declared/declared.ts'
import { followSettings } from './settings/follow.ts'
import { viewerThemes } from './settings/viewer-themes.ts'
import { guardedClock } from './guarded-clock.ts'
import type { Hashing } from './hashing.ts'
import type { Config } from './start/config.ts'
import { claimDataDir } from './start/data-dir.ts'
import { keepCopy } from './start/keep-copy.ts'
import { closeHttp, listen, startProblem, urlOf } from './start/listen.ts'
import { openFilesLimit } from './start/open-files.ts'
import { stopTogether } from './start/stop.ts'
import { copyPath, openData } from './start/open-data.ts'
import { readVersion } from './start/version.ts'
import { createPlainView } from './state/plain-view.ts'
import { createState } from './state/state.ts'
import { databaseTroubles, type Live, reloadAll } from './self/database-troubles.ts'
import { faultReports } from './self/faults.ts'
import { firstMeta } from './self/first-meta.ts'
import { watchLoop } from './self/loop-watch.ts'
import { showTroubles } from './self/notices.ts'
import { selfReport } from './self/report.ts'
import { createTroubles } from './self/troubles.ts'
import { createTransfer } from './transfer/transfer.ts'
import { importInitial } from './transfer/initial.ts'
import { storedParts } from './transfer/stored-parts.ts'

export interface Server {
  url: string
  /** the one-time token of a fresh installation, for the console */
  firstRun: FirstRun | undefined
  /** Something went wrong that nobody caught: logged, counted, shown. */
  report: (id: 'exception' | 'rejection', error: unknown) => void
  stop(): Promise<void>
}

/** The whole product: collect → map → diff → state → live. Tests and the demo start it here too. */
export async function createServer(
  config: Config,
  edges: {
    clock: Clock
    log: Logger
    /** silenced by no level */
    auditLog: Logger
    setLogLevel: (level: LogLevel) => void
    env: NodeJS.ProcessEnv
    machine: Machine
    /** what hashes cost in a test; no setting leads here */
    hashing?: Hashing
  },
): Promise<Server> {
  const { log, env } = edges
  const troubles = createTroubles(edges.clock, log)
  const { report, guard } = faultReports(troubles)
  const clock = guardedClock(edges.clock, guard('timer'))
  const startedAt = clock.now()
  const upSince = clock.monotonic()
  const loop = watchLoop()
  const version = readVersion(env)
  const dataDir = claimDataDir(config.dataDir)
  /** what holds in memory what is stored */
  const live: Live[] = []
  const data = await openData(dataDir.path, config.encryptionKeyFile, startedAt, {
    ...dataDir,
    clock,
    onEvent: databaseTroubles(troubles, () => reloadAll(live, guard('reload'))),
  }).catch((error: unknown) => {
    dataDir.release()
    throw error
  })
  const notices = [...data.notices, ...config.access.warnings]
  for (const notice of notices) log.warn(notice)
  const copy = keepCopy(data.db, copyPath(dataDir.path), clock, log)

  const state = createState(firstMeta(startedAt, version.version, notices), guard('reader'))
  showTroubles(troubles, state)
  const mask = config.access.demo ? createMask() : undefined
  /** what may be seen from outside */
  const shown = mask ? maskedState(state, mask) : state
  const view = createPlainView(shown, clock)
  /** A moment later, so that an answer that renews somebody's cookie is there before its socket closes. */
  const revalidate = () => void clock.after(250, () => hub.revalidate())
  const store = settingsStore(data.db, data.vault, clock.now)
  const themes = viewerThemes({ store, onWrite: copy.changed })
  const settings = createSystemSettings({
    store,
    fixed: config.settings,
    port: config.port,
    log,
    onWrite: copy.changed,
  })
  const oidc = createOidc({
    store,
    env: config.oidc,
    clock,
    log,
    onWrite: copy.changed,
    onChanged: revalidate,
  })
  const area = accessArea({
    config: config.access,
    encrypted: config.tls !== undefined,
    dataDir: dataDir.path,
    db: data.db,
    oidc,
    origins: settings.origins,
    declaredUsers: config.declared?.users ?? [],
    clock,
    log,
    auditLog: edges.auditLog,
    deploymentType: version.deploymentType,
    isPendingRestart: config.environment.isChanged,
    derive: edges.hashing?.password,
    onEnded: revalidate,
    onWrite: copy.changed,
  })
  const hub: Hub = createHub({
    state: shown,
    view,
    clock,
    log,
    identify: (request) => area.toSocket(socketNeed, request),
    countRefusal: area.countRefusedSocket,
    touch: area.touch,
    onClientCount: (count) => self.clients(count),
  })
  const publish: Hub['publish'] = (event, isMeant) => hub.publish(mask ? mask.deep(event) : event, isMeant)
  const followsServer = ({ id, role }: Principal) => role === 'admin' || themes.of(id) === undefined
  followSettings(settings, {
    publish: (event) => publish(event, followsServer),
    setLogLevel: edges.setLogLevel,
    revalidate,
  })
  const storedConnections = connectionStore(data.db, data.vault)
  const declared = createDeclared({
    declared: config.declared,
    connectionStore: storedConnections,
    connections: createConnections({
      store: storedConnections,
      collectors,
      state,
      clock,
      log,
      publish(event) {
        publish(event)
        discovery.nodesChanged()
        temperature.connectionsChanged()
      },
      onWrite: copy.changed,
      pace: (kind) => toPace(settings.current(), kind),
      temperatureOf: (connectionId, node) => temperature.temperatureOf(connectionId, node),
    }),
    metadata: guestMetadata(guestMetadataStore(data.db), {
      state,
      clock,
      log,
      onWrite: copy.changed,
      isPending: () => connections.list().some(({ status }) => ['pending', 'error'].includes(status)),
    }),
    store,
    record: area.audit.record,
    log,
  })
  const { connections, metadata } = declared
  const temperature = createTemperatures({
    store: temperatureStore(data.db),
    dataDir: dataDir.path,
    connections: connections.list,
    stateNodes: () => state.tables.nodes.values(),
    fixed: config.temperatures,
    record: area.audit.record,
    clock,
    log,
    onWrite: copy.changed,
  })
  const discovery = createDiscovery({
    settings: settings.current,
    machine: edges.machine,
    nodes: connections.list,
    names: systemNames,
    clock,
    log,
    publish,
  })
  settings.onChange(discovery.settingsChanged)
  settings.onChange((now, before) => {
    // An interval that was meant to be long is not waited for.
    if (!isDeepStrictEqual(toPace(now, 'pve'), toPace(before, 'pve')))
      for (const one of connections.running()) one.refresh()
  })
  const setupScript = createSetupScripts({
    connections,
    publicUrl: config.access.publicUrl,
    tls: config.tls,
    readFingerprint: (url) => readFingerprint(url, clock, 5_000),
    hasLeft: area.departures.hasLeft,
    temperatureFunction: async () => temperatureFunction(await temperature.setup([])),
    clock,
    log,
    publish,
  })
  const parts = storedParts({ ...data, config, now: clock.now })
  live.push(settings, oidc, area.users, area.tokens, connections, metadata, temperature)
  const transfer = createTransfer({
    db: data.db,
    parts,
    live,
    clock,
    log,
    onWrite: copy.changed,
    cost: edges.hashing?.exportCost,
  })
  const self = selfReport({ state, connections, clock, upSince, loop })
  const diagnostics = createDiagnostics({
    state,
    connections,
    temperature,
    tokens: area.tokens.list,
    version,
    upSince,
    clock,
  })
  const http = await createHttp({
    log,
    clock,
    access: area.access,
    record: area.audit.record,
    trustedProxies: config.access.trustedProxies,
    origins: settings.origins,
    mask: mask?.deep,
    modeHeaders: {
      ...(config.access.demo ? { 'x-demo-mode': 'true' } : {}),
      ...(config.access.disabled ? { 'x-auth-disabled': 'true' } : {}),
    },
    tls: config.tls,
    webDir: config.webDir,
    routes: [
      ...sessionRoutes(area),
      ...securityRoutes(area),
      ...settingsRoutes({
        settings,
        themes,
        publishTo: (id, event) => publish(event, (principal) => principal.id === id),
      }),
      ...tokenRoutes(area.tokens, area.audit, version.deploymentType),
      ...transferRoutes(transfer, area),
      ...oidcRoutes({
        oidc,
        publicUrl: config.access.publicUrl,
        signIn: area.signInByOidc,
        audit: area.audit,
      }),
      ...statusRoutes({ view, clock, upSince, version, performance: self.performance, health: troubles }),
      ...guestRoutes(metadata),
      ...nodeRoutes(connections, area.audit),
      ...temperatureRoutes(temperature),
      ...diagnosticsRoutes({
        diagnostics,
        view,
        connections,
        version,
        alsoKnown: () =>
          surroundings({
            users: area.users.list(),
            tokens: area.tokens.list(),
            settings: settings.current(),
            oidc: oidc.config(config.access.publicUrl),
            dataDir: dataDir.path,
          }),
        clock,
      }),
      ...discoveryRoutes({ discovery, audit: area.audit }),
      ...setupScriptRoutes({
        setupScript,
        tokens: area.tokens,
        audit: area.audit,
      }),
    ],
  })
  http.server.on('upgrade', hub.handleUpgrade)
  const open = boundConnections(http.server, connectionLimits(openFilesLimit()), config.access.trustedProxies)

  async function stop() {
    self.stop()
    await stopTogether(
      [
        ['the live connections', hub.close],
        ['the web server', () => closeHttp(http, open, clock)],
        ['discovery', discovery.stop],
        ['the temperatures', temperature.stop],
        ['the connections', connections.stop],
      ],
      { clock, log, limitMs: 2_500 },
    )
    troubles.stop()
    for (const last of [
      ['sign-in and audit', area.stop],
      ['the guest links', metadata.stop],
      ['the copy of the database', copy.stop],
      ['the database', data.db.close],
    ] as const) {
      await stopTogether([last], { clock, log, limitMs: 550 })
    }
    loop.stop()
    dataDir.release()
  }

  try {
    await importInitial(config.initialImport, { db: data.db, parts, clock, log, audit: area.audit })
    await settings.start()
    await themes.start()
    await declared.check()
    await oidc.start()
    await area.start()
    await listen(http, config)
    await metadata.start()
    await connections.start()
    discovery.start()
    await declared.apply()
    for (const { name } of connections.list()) mask?.learn(name)
    await temperature.start()
  } catch (error) {
    await stop()
    throw startProblem(error, config)
  }
  return { url: urlOf(http, config), firstRun: area.setup.firstRun(), report, stop }
}
