import { accessArea } from './access/index.ts'
import { agentArea } from './agents/index.ts'
import { alertArea } from './alerts/index.ts'
import type { Area } from './area.ts'
import { readFingerprint } from './collectors/certificate.ts'
import { siteKeys } from './cluster/sites/site-keys.ts'
import { collectors } from './collectors/index.ts'
import { connectionArea } from './connections/index.ts'
import { demoArea } from './demo/index.ts'
import { diagnosticsArea } from './diagnostics/index.ts'
import { discoveryArea } from './discovery/index.ts'
import { agentKinds } from './agent-kinds.ts'
import type { Edges, Foundation } from './foundation.ts'
import { guestArea } from './guests/index.ts'
import { historyArea } from './history/index.ts'
import { liveArea } from './live/index.ts'
import { metricsArea } from './metrics/index.ts'
import { notifyArea } from './notify/index.ts'
import { oidcArea, oidcCallsArea } from './oidc/index.ts'
import { type Product, type Server, startProduct } from './product.ts'
import { referenceArea } from './reference/index.ts'
import { selfArea } from './self/index.ts'
import { declaredArea, declaredLocks } from './declared/index.ts'
import { settingsArea } from './settings/index.ts'
import { setupScriptArea } from './setup-script/index.ts'
import type { Config } from './start/config.ts'
import { temperatureArea } from './temperature/index.ts'
import { transferArea } from './transfer/index.ts'
import { initialImportArea } from './transfer/initial.ts'
import { updateArea } from './updates/index.ts'
import { webServerArea } from './web-server/index.ts'

/**
 * The whole product: collect → map → diff → derive → state → live. `further` areas start after its own. What only one of
 * several processes needs is loaded by it alone.
 */
export async function product(base: Foundation, further: readonly Area[] = []): Promise<Product> {
  const { publicUrl } = base.config.access
  const areas: Area[] = [...base.areas]
  const { cluster } = base
  /** for what one process does for all */
  const led = cluster ? { ...base, state: cluster.ledState } : base
  /** the same, for alerts and messages about them */
  const judged = cluster ? { ...led, db: cluster.ledDatabase } : led
  /** The dependencies of an area are added, and so started, before it. */
  const add = <A extends Area>(area: A): A => {
    areas.push(area)
    return area
  }

  // configuration and access
  const settings = add(settingsArea(base))
  const locks = add(declaredLocks(base))
  const oidc = add(oidcArea(base))
  const access = add(accessArea({ ...base, clock: cluster?.clock ?? base.clock, oidc, settings }))
  const { audit } = access
  add(oidcCallsArea({ oidc, publicUrl, access }))
  const rightsChange = [oidc.onChange, access.onEnded, settings.onOrigins]
  const live = liveArea({ ...base, access, rightsChange })
  const alerts = add(alertArea(judged))
  add(
    notifyArea({
      ...judged,
      alerts,
      publicUrl: () => publicUrl ?? access.ownAddress(),
      maySend: () => cluster?.mayAct() ?? true,
    }),
  )

  // monitored sources
  const keys = siteKeys(base.store)
  const own = cluster ? cluster.collectors(collectors, keys) : collectors
  const connections = add(connectionArea({ ...base, collectors: own, settings, audit, locks: locks.nodes }))
  if (cluster) {
    const { siteArea } = await import('./sites/index.ts')
    add(siteArea({ ...base, link: cluster.link, keys, connections, settings }))
    add(cluster.area)
  }
  const metadata = add(guestArea({ ...base, connections, locks: locks.links }))
  add(discoveryArea({ ...led, settings, connections, audit }))
  add(declaredArea({ ...base, locks, connections, metadata, audit }))
  const temperature = add(temperatureArea({ ...led, connections, audit }))
  const prepared = { readFingerprint, temperatureFunction: temperature.shellFunction }
  add(setupScriptArea({ ...base, ...prepared, connections, access }))

  add(agentArea({ ...led, access, kinds: agentKinds }))
  add(
    historyArea({
      ...led,
      settings,
      samples: base.config.samples,
      isKept: cluster?.has('judge') ?? true,
      mayWrite: () => cluster?.isLeading ?? true,
    }),
  )

  // the records about Pulse itself
  const updates = add(updateArea({ ...base, settings }))
  add(selfArea({ ...base, connections, live, shownVersion: updates.version }))
  add(referenceArea({ ...base, publicUrl }))
  add(demoArea(base.mask, connections))
  for (const area of further) add(area)

  // built from the list of areas
  const initial = initialImportArea({ ...base, areas, access })
  add(transferArea({ ...base, areas, access }))
  add(diagnosticsArea({ ...base, areas, connections, access, settings, oidc, publicUrl }))
  add(metricsArea({ ...base, areas }))
  const web = add(webServerArea({ ...base, areas, access, settings, live }))
  return { areas: [initial, ...areas], access, web }
}

/** Tests and the demo start the server here too. */
export const createServer = (config: Config, edges: Edges, made = product): Promise<Server> =>
  startProduct(made, config, edges)
