import type { Appliance } from './appliance/appliance.ts'
import type { Settings } from './options.ts'
import { drawPbs } from './pbs/draw.ts'
import type { PbsMajor } from './pbs/draw.ts'
import { drawPmg } from './pmg/draw.ts'
import type { PmgMajor } from './pmg/draw.ts'

export interface Drawn<C> {
  appliance: Appliance
  credentials: C
}

export function drawAppliances({ pbs, pbsVersion, pmg, pmgVersion, port, seed, now }: Settings) {
  const backupServers = Array.from({ length: pbs }, (_, index) => {
    const major = pbsVersion === 'mixed' ? 4 - (index % 3) : Number(pbsVersion)
    return drawPbs(`pbs${index + 1}`, major as PbsMajor, seed, now)
  })
  const gateways = Array.from({ length: pmg }, (_, index) => {
    const major = pmgVersion === 'mixed' ? 9 - (index % 3) : Number(pmgVersion)
    return drawPmg(`pmg${index + 1}`, major as PmgMajor, port, seed, now)
  })
  const appliances = [...backupServers, ...gateways].map(({ appliance }) => appliance)
  return { pbs: backupServers, pmg: gateways, appliances }
}
