import { useEffect } from 'react'
import { markPlatformSeen, usePlatformsSeen } from '../lib/storage.ts'
import { useConnection, useLive } from '../live/use-live.ts'
import type { Page } from './routes.ts'
import { type AlertCounts, countAlerts, type PlatformTab, platformTabs } from './tabs.ts'

/** The primary tabs as they stand; also remembers which platforms ever had data. */
export function usePlatformTabs(table: readonly Page[]): PlatformTab[] {
  const proxmox = useLive(['nodes', 'guests'], (s) => s.records('nodes').size + s.records('guests').size > 0)
  const docker = useLive(['dockerHosts'], (s) => s.records('dockerHosts').size > 0)
  const known = useConnection((connection) => connection.initialDataReceived)
  const seen = usePlatformsSeen()

  useEffect(() => {
    if (proxmox) markPlatformSeen('proxmox')
  }, [proxmox])
  useEffect(() => {
    if (docker) markPlatformSeen('docker')
  }, [docker])

  return platformTabs(table, { proxmox: proxmox || settled(known), docker: docker || settled(known) }, seen)
}

/** No records means "none" only once a full state has arrived. */
const settled = (known: boolean) => (known ? false : undefined)

export function useAlertCounts(): AlertCounts {
  return useLive(
    ['activeAlerts'],
    (s) => countAlerts(s.records('activeAlerts').values()),
    (a, b) => a.critical === b.critical && a.warning === b.warning,
  )
}
