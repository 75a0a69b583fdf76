import { replicationsIn } from '../pve/replication.ts'
import type { World } from '../world.ts'
import { ControlError } from './check.ts'
import { dockerScenarios } from './docker-scenarios.ts'
import { nightScenarios } from './night-scenarios.ts'
import { some } from './scenario.ts'
import type { Scenario, Steering } from './scenario.ts'

export interface ScenarioControl {
  scenarios(): { name: string; about: string }[]
  /** `reset` undoes the scenario completely. */
  play(name: string): Promise<void>
}

const usableGuests = ({ estate }: World) =>
  [...estate.clusters[0]!.guests.values()].filter(
    ({ template, fate, vmid }) => !template && vmid % 25 !== 5 && Object.keys(fate).length === 0,
  )

const guestsOf = (world: World, count: number): number[] =>
  some(usableGuests(world), 'guests')
    .slice(0, count)
    .map(({ vmid }) => vmid)

const nodesOf = ({ estate }: World) => estate.clusters[0]!.nodes
const backupServer = ({ pbs }: World) => some(pbs, 'backup server')[0]!.appliance.name
const lastGateway = ({ pmg }: World) => some(pmg, 'mail gateway').at(-1)!.appliance.name

const scenarios: Readonly<Record<string, Scenario>> = {
  'verification-fails': {
    about: 'the newest backups of three guests fail verification, and the job that found it out',
    async play(control, world) {
      for (const vmid of guestsOf(world, 3)) control.patchGuest(vmid, { backup: { verification: 'failed' } })
      const state = 'verification failed - please check the log for details'
      await control.patchAppliance(backupServer(world), { jobs: { 'v-main-daily': { state } } })
    },
  },
  'stale-backups': {
    about: 'five guests were not saved for nine days',
    play(control, world) {
      for (const vmid of guestsOf(world, 5)) control.patchGuest(vmid, { backup: { staleDays: 9 } })
    },
  },
  'no-backup': {
    about: 'a guest was never saved, and is in no job',
    play(control, world) {
      control.patchGuest(guestsOf(world, 1)[0]!, { backup: { none: true } })
    },
  },
  'backup-fails': {
    about: 'the last backup of a guest ended with an error',
    play(control, world) {
      const [vmid] = guestsOf(world, 1)
      const fails = `VM ${vmid} qmp command 'backup' failed - got timeout`
      control.patchGuest(vmid!, { backup: { fails } })
    },
  },
  'failing-disk': {
    about: 'one disk of the first node fails, another one is nearly worn out',
    play(control, world) {
      const disks = {
        '/dev/nvme0n1': { health: 'FAILED!', wearout: 61, temperatureCelsius: 74 },
        '/dev/nvme1n1': { wearout: 4 },
      }
      return control.patchNode(nodesOf(world)[0]!.name, { disks })
    },
  },
  'degraded-pool': {
    about: 'a device of a pool of the first node is faulted',
    play(control, world) {
      const [node] = nodesOf(world)
      const pool = some(node!.pools, 'ZFS on its first node').at(-1)!
      const faulted = { state: 'FAULTED', read: 3, write: 118, cksum: 0, msg: 'too many errors' }
      const pins = {
        health: 'DEGRADED',
        devices: { [node!.disks.find(({ devpath }) => devpath === pool.members[0])!.serial]: faulted },
      }
      return control.patchNode(node!.name, { pools: { [pool.name]: pins } })
    },
  },
  'ceph-warning': {
    about: 'OSDs of Ceph are nearly full',
    play(control) {
      const OSD_NEARFULL = { severity: 'HEALTH_WARN', message: '3 nearfull osd(s)', count: 3 } as const
      control.patchCluster({ ceph: { checks: { OSD_NEARFULL }, used: 0.86 } })
    },
  },
  'ceph-error': {
    about: 'an OSD of Ceph is down and another one full',
    play(control) {
      const OSD_FULL = { severity: 'HEALTH_ERR', message: '1 full osd(s)', count: 1 } as const
      control.patchCluster({ ceph: { checks: { OSD_FULL }, downOsds: [1], used: 0.96 } })
    },
  },
  'replication-fails': {
    about: 'a replication job fails again and again',
    play(control, { estate }) {
      const [one] = some(replicationsIn(estate.clusters[0]!), 'replication')
      const error = `command 'zfs snapshot rpool/data/vm-${one!.guest.vmid}-disk-0' failed: got timeout`
      return control.patchNode(one!.guest.node.name, { replication: { [one!.id]: error } })
    },
  },
  'storage-inactive': {
    about: 'a shared storage is not there on the last node',
    play(control, world) {
      control.patchStorage('nas-backup', { node: nodesOf(world).at(-1)!.name, active: false })
    },
  },
  'half-dead-cluster': {
    about: 'half of the nodes are down, and the quorum with them',
    async play(control, world) {
      const nodes = nodesOf(world)
      for (const { name } of nodes.slice(Math.ceil(nodes.length / 2))) {
        await control.patchNode(name, { online: false })
      }
      control.patchCluster({ quorate: false })
    },
  },
  'datastore-fails': {
    about: 'a datastore cannot be read',
    play(control, world) {
      const error = `unable to open chunk store 'offsite' at "/mnt/datastore/offsite/.chunks" - No such file or directory (os error 2)`
      return control.patchAppliance(backupServer(world), { datastores: { offsite: { error } } })
    },
  },
  'namespace-hangs': {
    about: 'the snapshots of one namespace are never answered',
    play(control, world) {
      const [ns = ''] = some(world.pbs, 'backup server')[0]!
        .server.datastores[0]!.namespaces.slice(1)
        .map(({ path }) => path)
      const path = '/admin/datastore/main/snapshots'
      control.addFault({ kind: 'hang', node: backupServer(world), path, query: { ns } })
    },
  },
  'gateway-down': {
    about: 'the last mail gateway is down',
    play: (control, world) => control.patchAppliance(lastGateway(world), { online: false }),
  },
  'queue-grows': {
    about: 'the deferred queue of the last mail gateway grows by forty mails a minute',
    play(control, world) {
      const deferred = { total: 600, perMinute: 40, oldestMinutes: 95 }
      return control.patchAppliance(lastGateway(world), { queues: { deferred } })
    },
  },
  ...nightScenarios,
  ...dockerScenarios,
}

export function createScenarioControl(world: World, control: Steering): ScenarioControl {
  return {
    scenarios: () => Object.entries(scenarios).map(([name, { about }]) => ({ name, about })),
    async play(name) {
      const scenario = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined
      if (!scenario) {
        throw new ControlError(404, `no scenario ${name}; there is ${Object.keys(scenarios).join(', ')}`)
      }
      await scenario.play(control, world)
    },
  }
}
