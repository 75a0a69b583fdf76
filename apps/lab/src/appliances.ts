import type { Appliance } from './appliance/appliance.ts'
import type { Estate } from './estate/estate.ts'
import type { BackupServer } from './pbs/vault.ts'
import type { Settings } from './options.ts'
import { drawPbs, type PbsMajor } from './pbs/draw.ts'
import { drawPmg, type PmgMajor } from './pmg/draw.ts'
import type { MailGateway } from './pmg/gateway.ts'

export interface Drawn<C> {
  appliance: Appliance
  credentials: C
}

export function drawAppliances(settings: Settings, estate: Estate) {
  const { pbs, pbsVersion, pmg, pmgVersion, seed, backups, now } = settings
  const backupServers = Array.from({ length: pbs }, (_, index) => {
    const major = pbsVersion === 'mixed' ? 4 - (index % 3) : Number(pbsVersion)
    const plan = { name: `pbs${index + 1}`, index, major: major as PbsMajor, seed, estate }
    return drawPbs({ ...plan, snapshots: backups, nowMs: now() }, now)
  })
  const members: MailGateway[] | undefined = settings.pmgCluster ? [] : undefined
  const gateways = Array.from({ length: pmg }, (_, index) => {
    const major = pmgVersion === 'mixed' ? 9 - (index % 3) : Number(pmgVersion)
    return drawPmg(`pmg${index + 1}`, major as PmgMajor, settings, members)
  })
  const appliances = [...backupServers, ...gateways].map(({ appliance }) => appliance)
  return { pbs: backupServers, pmg: gateways, appliances }
}

interface Linked {
  appliance: Appliance
  server: BackupServer
}

/** Links the PBS storages of all clusters to the first backup server; they are down while it is down. */
export function linkStorages({ clusters }: Estate, first: Linked | undefined): void {
  if (!first) return
  const { appliance, server } = first
  const { address, port, certificate } = appliance
  for (const storage of clusters.flatMap(({ storages }) => storages)) {
    if (storage.type !== 'pbs') continue
    const fingerprint = certificate.fingerprint.toLowerCase()
    storage.config = { ...storage.config, server: address, port: String(port), fingerprint }
    const datastore = server.datastores.find(({ name }) => name === storage.config.datastore)
    storage.isReachable = () => appliance.online && datastore?.pins.error === undefined
  }
}
