import type { Appliance } from './appliance/appliance.ts'
import type { Drawn } from './appliances.ts'
import type { PbsCredentials } from './pbs/draw.ts'
import type { PmgCredentials } from './pmg/draw.ts'
import type { Credentials } from './access/accounts.ts'
import type { Course } from './course.ts'
import type { DockerAgents } from './docker/agents.ts'
import type { BackupServer } from './pbs/vault.ts'
import type { MailGateway } from './pmg/gateway.ts'
import type { PveWorld } from './pve/route.ts'

/** The data of all listeners. */
export interface World extends PveWorld {
  credentials: Credentials
  pbs: readonly (Drawn<PbsCredentials> & { server: BackupServer })[]
  pmg: readonly (Drawn<PmgCredentials> & { gateway: MailGateway })[]
  /** Backup servers and mail gateways. */
  appliances: readonly Appliance[]
  /** Container hosts, which report on their own schedule. */
  docker: DockerAgents
  course: Course
}
