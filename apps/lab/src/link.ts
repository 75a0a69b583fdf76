import type { Estate } from './estate/estate.ts'
import type { Appliance } from './appliance/appliance.ts'

/** The storages of all clusters point to the first backup server, where there is one. */
export function linkStorages({ clusters }: Estate, server: Appliance | undefined): void {
  if (!server) return
  const { address, port, certificate } = server
  for (const { storages } of clusters) {
    for (const storage of storages) {
      if (storage.type !== 'pbs') continue
      const fingerprint = certificate.fingerprint.toLowerCase()
      storage.config = { ...storage.config, server: address, port: String(port), fingerprint }
    }
  }
}
