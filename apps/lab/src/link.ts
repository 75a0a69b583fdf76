import type { Appliance } from './appliance/appliance.ts'
import type { Estate } from './estate/estate.ts'
import type { BackupServer } from './pbs/vault.ts'

interface Linked {
  appliance: Appliance
  server: BackupServer
}

/** The storages of all clusters point to the first backup server, where there is one, and are down with it. */
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
