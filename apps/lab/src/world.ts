import type { Cluster, Estate } from './estate/estate.ts'
import type { Faults } from './faults/faults.ts'
import type { Readings } from './load/readings.ts'
import type { Settings } from './options.ts'
import type { Credentials } from './pve/accounts.ts'
import type { Tickets } from './pve/tickets.ts'
import type { RequestLog } from './requests.ts'

/** Everything the listeners answer from. */
export interface World {
  settings: Settings
  credentials: Credentials
  estate: Estate
  readings: Readings
  tickets: Map<Cluster, Tickets>
  faults: Faults
  requests: RequestLog
}
