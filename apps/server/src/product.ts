import type { AccessArea } from './access/index.ts'
import type { Area } from './area.ts'
import type { FirstRun } from './auth/first-run.ts'
import { type Edges, type Foundation, openFoundation } from './foundation.ts'
import type { Config } from './start/config.ts'
import { createSignal, type OnSignal } from './signal.ts'
import { stopInReverse } from './start/stop.ts'
import type { WebServer } from './web-server/index.ts'

export interface Product {
  /** each area after its dependencies: areas start in this order and stop in the reverse order */
  areas: readonly Area[]
  access: AccessArea
  web: WebServer
}

export interface Server {
  url: string
  /** the one-time token of a fresh installation, for the console */
  firstRun: FirstRun | undefined
  report: Foundation['report']
  /** Another process leads in place of this one, which has to stop and start again. */
  onDeposed: OnSignal<[why: string]>
  stop(): Promise<void>
}

/** If an area cannot start, the areas before it are stopped. */
export async function startProduct(
  make: (base: Foundation) => Promise<Product>,
  config: Config,
  edges: Edges,
): Promise<Server> {
  const base = await openFoundation(config, edges)
  let areas: readonly Area[] = base.areas
  const stop = () => stopInReverse(areas, base)
  try {
    const { access, web, ...all } = await make(base)
    areas = all.areas
    for (const area of areas) {
      await area.start?.()
      if (!base.cluster) await area.lead?.()
    }
    base.cluster?.canLead(areas)
    const onDeposed = base.cluster?.onDeposed ?? createSignal<[string]>().on
    return { url: web.url(), firstRun: access.setup.firstRun(), report: base.report, onDeposed, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
