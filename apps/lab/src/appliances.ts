import type { Appliance } from './appliance/appliance.ts'
import type { Estate } from './estate/estate.ts'
import type { Settings } from './options.ts'
import { drawPbs } from './pbs/draw.ts'
import type { PbsMajor } from './pbs/draw.ts'
import { drawPmg } from './pmg/draw.ts'
import type { PmgMajor } from './pmg/draw.ts'
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
