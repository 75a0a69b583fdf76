import type { Appliance } from './appliance/appliance.ts'
import type { Drawn } from './appliances.ts'
import type { Estate } from './estate/estate.ts'
import type { PbsCredentials } from './pbs/draw.ts'
import type { PmgCredentials } from './pmg/draw.ts'
import type { Credentials } from './access/accounts.ts'
import type { PveWorld } from './pve/route.ts'

/** Everything the listeners answer from. */
export interface World extends PveWorld {
  credentials: Credentials
  estate: Estate
  pbs: readonly Drawn<PbsCredentials>[]
  pmg: readonly Drawn<PmgCredentials>[]
  /** Backup servers and mail gateways. */
  appliances: readonly Appliance[]
}
