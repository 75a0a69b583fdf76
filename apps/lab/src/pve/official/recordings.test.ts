import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAsker, tokenHeader } from '../../fixtures-asking.ts'
import type { Asker } from '../../fixtures-asking.ts'
import { startLab } from '../../lab.ts'
import type { Lab } from '../../lab.ts'
import { haveFixtures, recording } from './fixtures.ts'
import { shapeDifferences } from './fixtures-shape.ts'

/** VMIDs with the same role in every lab. */
const plainVm = 100
const stoppedContainerTemplate = 114
const dockerContainer = 111
const snappyVm = 113
const containerWithSnapshots = 123

interface Recorded {
  file: string
  version: '7' | '8' | '9'
  /** `{101}` stands for the guest's path on its node. */
  path: string
  /** Keys that only the recorded machine had, with the reason. */
  except?: Readonly<Record<string, string>>
  /** Selects our items of the recorded kind. */
  pick?: (items: Record<string, unknown>[]) => unknown
}

const completePoints = (points: unknown[]) => points.slice(0, -1)

const recorded: readonly Recorded[] = [
  { file: 'pve7-cluster-status', version: '7', path: '/cluster/status' },
  {
    file: 'pve7-cluster-resources',
    version: '7',
    path: '/cluster/resources',
    except: {
      '[storage].disk': 'absent where the storage is not active',
      '[storage].maxdisk': 'same',
    },
  },
  { file: 'pve7-nodes', version: '7', path: '/nodes' },
  { file: 'pve7-node-status', version: '7', path: '/nodes/pve1/status' },
  { file: 'pve7-lxc-list', version: '7', path: '/nodes/pve2/lxc' },
  {
    file: 'pve7-lxc-status-current',
    version: '7',
    path: `{${stoppedContainerTemplate}}/status/current`,
    except: { '.tags': 'this container has none' },
  },
  {
    file: 'pve7-lxc-config',
    version: '7',
    path: `{${dockerContainer}}/config`,
    except: { '.onboot': 'this container does not start at boot' },
  },
  {
    file: 'pve7-lxc-interfaces',
    version: '8',
    path: `{${dockerContainer}}/interfaces`,
    pick: (interfaces) => interfaces.filter(({ name }) => /^(lo|eth\d)$/.test(String(name))),
  },
  {
    file: 'pve7-lxc-snapshot',
    version: '7',
    path: `{${containerWithSnapshots}}/snapshot`,
    except: { '[].snaptime': 'the pseudo entry has none', '[].digest': 'only the pseudo entry has one' },
  },
  { file: 'pve7-cluster-backup', version: '7', path: '/cluster/backup' },
  {
    file: 'pve7-qemu-rrddata-hour',
    version: '7',
    path: `{${plainVm}}/rrddata?timeframe=hour`,
    pick: completePoints,
  },
  {
    file: 'pve7-qemu-status-current',
    version: '7',
    path: `{${plainVm}}/status/current`,
    except: {
      '.spice': 'this VM has a standard display',
      '.nics.tap1001i0': 'named after the VMID',
      '.blockstat.*': 'unused counters are left out',
    },
  },
  {
    file: 'pve8-disks-zfs-pool',
    version: '8',
    path: '/nodes/pve1/disks/zfs/rpool',
    except: { '.status': 'nothing is wrong with this pool', '.action': 'nothing is wrong with this pool' },
  },
  { file: 'agent-get-fsinfo-linux', version: '8', path: `{${snappyVm}}/agent/get-fsinfo` },
  { file: 'pve9-cluster-status', version: '9', path: '/cluster/status' },
  {
    file: 'pve9-cluster-resources-vm',
    version: '9',
    path: '/cluster/resources?type=vm',
    except: {
      '[].memhost': 'recorded were VMs only; containers have none',
    },
  },
  {
    file: 'pve9-cluster-resources-storage',
    version: '9',
    path: '/cluster/resources?type=storage',
    except: {
      '[storage].disk': 'absent where the storage is not active',
      '[storage].maxdisk': 'same',
    },
  },
  { file: 'pve9-nodes', version: '9', path: '/nodes' },
  { file: 'pve9-node-status', version: '9', path: '/nodes/pve1/status' },
  { file: 'pve9-node-storage', version: '9', path: '/nodes/pve1/storage' },
  { file: 'pve9-node-tasks', version: '9', path: '/nodes/pve1/tasks' },
  {
    file: 'pve9-disks-list-nvme',
    version: '9',
    path: '/nodes/pve1/disks/list',
    except: {
      '[].wearout': 'a hard disk has N/A; recorded were NVMe disks only',
    },
  },
  { file: 'pve9-disks-smart-nvme', version: '9', path: '/nodes/pve1/disks/smart?disk=/dev/nvme0n1' },
  { file: 'pve9-disks-zfs', version: '9', path: '/nodes/pve1/disks/zfs' },
  { file: 'pve9-qemu-list', version: '9', path: '/nodes/pve1/qemu' },
  {
    file: 'pve9-qemu-status-current',
    version: '9',
    path: `{${plainVm}}/status/current`,
    except: { '.nics.tap101i0': 'named after the VMID' },
  },
  { file: 'pve9-qemu-snapshot-none', version: '9', path: `{${plainVm}}/snapshot` },
  {
    file: 'pve9-qemu-rrddata-hour',
    version: '9',
    path: `{${plainVm}}/rrddata?timeframe=hour`,
    pick: completePoints,
  },
  { file: 'pve9-agent-get-osinfo', version: '9', path: `{${plainVm}}/agent/get-osinfo` },
  {
    file: 'pve9-agent-network-get-interfaces',
    version: '9',
    path: `{${plainVm}}/agent/network-get-interfaces`,
  },
  { file: 'pve9-cluster-backup', version: '9', path: '/cluster/backup', pick: (jobs) => jobs.slice(0, 1) },
  { file: 'pve9-ha-status-current-standby', version: '9', path: '/cluster/ha/status/current' },
]

const failures = [
  { file: 'pve9-agent-not-running-500', path: '{110}/agent/network-get-interfaces' },
  { file: 'pve9-ceph-not-installed-500', path: '/nodes/pve1/ceph/osd' },
]

if (!haveFixtures) console.log('skipped: no ../shared/fixtures')

describe.skipIf(!haveFixtures)('answers have the shape of recorded ones', () => {
  const labs = new Map<string, { lab: Lab; asker: Asker }>()
  beforeAll(async () => {
    for (const version of ['7', '8', '9'] as const) {
      const lab = await startLab({ version, authDelayMs: 0, agentHangMs: 0 })
      labs.set(version, { lab, asker: createAsker(tokenHeader(lab.credentials)) })
    }
  })
  afterAll(async () => {
    for (const { lab, asker } of labs.values()) {
      asker.close()
      await lab.close()
    }
  })

  const ask = (version: string, path: string) => {
    const { lab, asker } = labs.get(version)!
    const call = path.replace(/^\{(\d+)\}/, (_, vmid: string) => {
      const { node, kind } = lab.control.guest(Number(vmid))
      return `/nodes/${node}/${kind}/${vmid}`
    })
    return asker.ask(lab.clusters[0]!.nodes[0]!.url, call)
  }

  test.each(recorded)('$file', async ({ file, version, path, except = {}, pick }) => {
    const answer = await ask(version, path)
    expect(answer.status).toBe(200)
    const ours = pick ? pick(answer.data as Record<string, unknown>[]) : answer.data
    const differences = shapeDifferences(recording(file).data, ours, Object.keys(except))
    expect(differences).toEqual([])
  })

  test.each(failures)('$file', async ({ file, path }) => {
    const { _http_status: status, body } = recording(file) as {
      _http_status: number
      body: { message: string }
    }
    const answer = await ask('9', path)
    expect({ status: answer.status, text: answer.text, body: JSON.parse(answer.body) }).toEqual({
      status,
      text: body.message.trim(),
      body,
    })
  })
})
