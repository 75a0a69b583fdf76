import type { Datastore } from '@pulse/contract'
import { aDockerContainer, aDockerHost, aGuest, aNode, aPbsServer, aStorage } from '@pulse/testkit'
import { aLive } from '../../live/fake-live.ts'
import { showAlerts } from './fake-alerts.tsx'

const aDatastore = (): Datastore => ({
  server: 'pbs-backup',
  name: 'main',
  status: 'available',
  source: 'backup',
})

/** One record of each kind, plus guests. */
const estate = () =>
  aLive({
    nodes: { 'main:pve1': aNode() },
    pbs: { backup: aPbsServer() },
    guests: {
      'main:100': aGuest({ name: 'web', vmid: 100 }),
      'main:101': aGuest({ name: 'mail', vmid: 101, type: 'lxc' }),
      'main:900': aGuest({ name: 'image', vmid: 900, template: true }),
    },
    storage: { 'main:pve1:local': aStorage() },
    datastores: { 'backup:main': aDatastore() },
    dockerHosts: { dock1: aDockerHost({ id: 'dock1', displayName: 'Cellar', source: 'dock1' }) },
    dockerContainers: { 'dock1:cache': aDockerContainer({ name: 'cache', host: 'dock1', source: 'dock1' }) },
  })

/** Renders a thresholds tab with a small estate. */
export const showThresholds = (path = 'proxmox', given: Parameters<typeof showAlerts>[1] = {}) =>
  showAlerts(`/alerts/thresholds/${path}`, { live: estate(), ...given })
