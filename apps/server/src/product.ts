import type { AccessArea } from './access/index.ts'
import type { Area } from './area.ts'
import type { FirstRun } from './auth/first-run.ts'
import { type Edges, type Foundation, openFoundation } from './foundation.ts'
import type { Config } from './start/config.ts'
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
  stop(): Promise<void>
}

/** If an area cannot start, the areas before it are stopped. */
export async function startProduct(
  make: (base: Foundation) => Product,
  config: Config,
  edges: Edges,
): Promise<Server> {
  const base = await openFoundation(config, edges)
  let areas: readonly Area[] = base.areas
  const stop = () => stopInReverse(areas, base)
  try {
    const { access, web, ...all } = make(base)
    areas = all.areas
    for (const area of areas) await area.start?.()
    return { url: web.url(), firstRun: access.setup.firstRun(), report: base.report, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
