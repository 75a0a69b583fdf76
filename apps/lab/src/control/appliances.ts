import type { Appliance } from '../appliance/appliance.ts'
import type { Fleet } from '../fleet.ts'
import type { World } from '../world.ts'
import { aFlag, anObject, check, ControlError } from './check.ts'
import { checkTokenPatch } from './places.ts'
import type { TokenPatch } from './places.ts'

export interface AppliancePatch {
  online?: boolean
  /** By token id. */
  tokens?: Record<string, TokenPatch>
}

/** Backup servers and mail gateways. */
export interface ApplianceControl {
  patchAppliance(name: string, patch: AppliancePatch): Promise<void>
  /** Returns the new fingerprint. */
  renewApplianceCertificate(name: string): Promise<string>
}

export function createApplianceControl(world: World, fleet: Fleet): ApplianceControl {
  const find = (name: string): Appliance => {
    const appliance = world.appliances.find((one) => one.name === name)
    if (!appliance) throw new ControlError(404, `no backup server or mail gateway ${name}`)
    return appliance
  }
  return {
    async patchAppliance(name, patch) {
      const appliance = find(name)
      check<AppliancePatch>('appliance', patch, { online: aFlag, tokens: anObject })
      for (const [tokenId, change] of Object.entries(patch.tokens ?? {})) {
        const token = appliance.tokens.get(tokenId)
        if (!token) throw new ControlError(404, `no token ${tokenId}`)
        const { drop, enabled } = checkTokenPatch(change)
        if (drop) token.dropped = new Set(drop)
        if (enabled !== undefined) token.enabled = enabled
      }
      if (patch.online !== undefined) await fleet.setOnline(appliance, patch.online)
    },
    renewApplianceCertificate: (name) => fleet.renewCertificate(find(name)),
  }
}
