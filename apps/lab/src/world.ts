import type { Appliance } from './appliance/appliance.ts'
import type { Drawn } from './appliance/draw.ts'
import type { Cluster, Estate } from './estate/estate.ts'
import type { Faults } from './faults/faults.ts'
import type { Readings } from './load/readings.ts'
import type { Settings } from './options.ts'
import type { PbsCredentials } from './pbs/draw.ts'
import type { PmgCredentials } from './pmg/draw.ts'
import type { Credentials } from './pve/accounts.ts'
import type { Tickets } from './pve/tickets.ts'
import type { RequestLog } from './requests.ts'

/** Everything the listeners answer from. */
export interface World {
  settings: Settings
  credentials: Credentials
  estate: Estate
  pbs: readonly Drawn<PbsCredentials>[]
  pmg: readonly Drawn<PmgCredentials>[]
  /** Backup servers and mail gateways. */
  appliances: readonly Appliance[]
  readings: Readings
  tickets: Map<Cluster, Tickets>
  faults: Faults
  requests: RequestLog
}
