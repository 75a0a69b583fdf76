import type { AccessArea } from './access/index.ts'
import type { Area } from './area.ts'
import type { FirstRun } from './auth/first-run.ts'
import { type Edges, type Foundation, openFoundation } from './foundation.ts'
import type { Config } from './start/config.ts'
import { stopInReverse } from './start/stop.ts'
import type { WebServer } from './web-server/index.ts'

export interface Product {
  /** each behind everything it needs: they start in this order and end in the reverse one */
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

/** What has begun ends again when something behind it cannot. */
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
