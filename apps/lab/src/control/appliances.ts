import type { Appliance } from '../appliance/appliance.ts'
import { touchCluster } from '../estate/estate.ts'
import type { Fleet } from '../fleet.ts'
import type { World } from '../world.ts'
import { patchDatastores, patchJobs, patchQueues } from './appliance-patch.ts'
import type { DatastorePatch, JobPatch, QueuePatch } from './appliance-patch.ts'
import { aFlag, anObject, check, ControlError } from './check.ts'
import { checkTokenPatch } from './clusters.ts'
import type { TokenPatch } from './clusters.ts'

export interface AppliancePatch {
  online?: boolean
  /** By token id. */
  tokens?: Record<string, TokenPatch>
  /** Datastores of a backup server, by name. */
  datastores?: Record<string, DatastorePatch>
  /** Jobs of a backup server, by id. */
  jobs?: Record<string, JobPatch>
  /** Queues of a mail gateway, by name. */
  queues?: Record<string, QueuePatch | null>
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
      check<AppliancePatch>('appliance', patch, {
        online: aFlag,
        tokens: anObject,
        datastores: anObject,
        jobs: anObject,
        queues: anObject,
      })
      for (const [tokenId, change] of Object.entries(patch.tokens ?? {})) {
        const token = appliance.tokens.get(tokenId)
        if (!token) throw new ControlError(404, `no token ${tokenId}`)
        const { drop, enabled } = checkTokenPatch(change)
        if (drop) token.dropped = new Set(drop)
        if (enabled !== undefined) token.enabled = enabled
      }
      const server = world.pbs.find((one) => one.appliance === appliance)?.server
      const gateway = world.pmg.find((one) => one.appliance === appliance)?.gateway
      if (!server && (patch.datastores ?? patch.jobs))
        throw new ControlError(400, `${name} is no backup server`)
      if (!gateway && patch.queues) throw new ControlError(400, `${name} is no mail gateway`)
      if (server && patch.datastores) patchDatastores(server, patch.datastores)
      if (server && patch.jobs) patchJobs(server, patch.jobs)
      if (gateway && patch.queues) patchQueues(gateway, patch.queues, world.settings.now())
      if (patch.online !== undefined) await fleet.setOnline(appliance, patch.online)
      // Storages of clusters depend on the server and may have changed with it.
      for (const cluster of world.estate.clusters) touchCluster(cluster)
    },
    renewApplianceCertificate: (name) => fleet.renewCertificate(find(name)),
  }
}
