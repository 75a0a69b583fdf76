import { accessArea, type AccessArea } from './access/index.ts'
import type { Area } from './area.ts'
import type { FirstRun } from './auth/first-run.ts'
import { readFingerprint } from './collectors/certificate.ts'
import { collectors } from './collectors/index.ts'
import { connectionArea } from './connections/index.ts'
import { connectionStore } from './db/connections.ts'
import { demoArea } from './demo/index.ts'
import { diagnosticsArea } from './diagnostics/index.ts'
import { discoveryArea } from './discovery/index.ts'
import { type Edges, type Foundation, openFoundation } from './foundation.ts'
import { guestArea } from './guests/index.ts'
import { liveArea } from './live/index.ts'
import { oidcArea, oidcCallsArea } from './oidc/index.ts'
import { selfArea } from './self/index.ts'
import { settingsArea } from './settings/index.ts'
import { declaredArea, declaredLocks } from './settings/declared/index.ts'
import { setupScriptArea } from './setup-script/index.ts'
import type { Config } from './start/config.ts'
import { stopInReverse } from './start/stop.ts'
import { temperatureArea } from './temperature/index.ts'
import { temperatureReadings } from './temperature/readings.ts'
import { transferArea } from './transfer/index.ts'
import { initialImportArea } from './transfer/initial.ts'
import { type WebServer, webServerArea } from './web-server/index.ts'

export interface Product {
  /** each behind everything it needs: they start in this order and end in the reverse one */
  areas: Area[]
  access: AccessArea
  web: WebServer
}

/** The whole product: collect → map → diff → state → live. `further` areas stand behind its own. */
export function product(base: Foundation, further: readonly Area[] = []): Product {
  const { config, clock, vault, db } = base
  const { publicUrl } = config.access
  const stored = connectionStore(db, vault)
  const readings = temperatureReadings()
  const settings = settingsArea(base)
  const locks = declaredLocks(config.declared, stored)
  const oidc = oidcArea(base)
  const access = accessArea({ ...base, oidc, settings })
  const { audit } = access
  const oidcCalls = oidcCallsArea({ oidc, publicUrl, access })
  const rightsChange = [oidc.onChange, access.onEnded, settings.onOrigins]
  const live = liveArea({ ...base, access, rightsChange, events: settings.onEvent })
  const { publish } = live
  const connections = connectionArea({
    ...base,
    store: stored,
    collectors,
    settings,
    audit,
    locks: locks.nodes,
    publish,
    temperatureOf: readings.of,
  })
  const metadata = guestArea({ ...base, connections, locks: locks.links })
  const discovery = discoveryArea({ ...base, settings, connections, audit, publish })
  const declared = declaredArea({ ...base, declared: config.declared, locks, connections, metadata, audit })
  const fixed = config.temperatures
  const temperature = temperatureArea({ ...base, readings, connections, fixed, audit })
  const setupScript = setupScriptArea({
    ...base,
    connections,
    access,
    publish,
    readFingerprint: (url) => readFingerprint(url, clock, 5_000),
    temperatureFunction: temperature.shellFunction,
  })
  const self = selfArea({ ...base, connections, live })
  const demo = demoArea(base.mask, connections)
  const areas = [
    ...base.areas,
    settings,
    locks,
    oidc,
    access,
    oidcCalls,
    connections,
    metadata,
    discovery,
    declared,
    temperature,
    setupScript,
    self,
    demo,
    ...further,
  ]

  const initial = initialImportArea(config.initialImport, { ...base, areas, access })
  const transfer = transferArea({ ...base, areas, access })
  const diagnostics = diagnosticsArea({ ...base, areas, connections, access, settings, oidc, publicUrl })
  const all = [initial, ...areas, transfer, diagnostics]
  const web = webServerArea({ ...base, areas: all, access, settings, live })
  return { areas: [...all, web], access, web }
}

export interface Server {
  url: string
  /** the one-time token of a fresh installation, for the console */
  firstRun: FirstRun | undefined
  report: Foundation['report']
  stop(): Promise<void>
}

/** Tests and the demo start it here too. */
export async function createServer(config: Config, edges: Edges, made = product): Promise<Server> {
  const base = await openFoundation(config, edges)
  let { areas } = base
  const stop = () => stopInReverse(areas, base)
  try {
    const { access, web, ...all } = made(base)
    areas = all.areas
    for (const area of areas) await area.start?.()
    return { url: web.url(), firstRun: access.setup.firstRun(), report: base.report, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
