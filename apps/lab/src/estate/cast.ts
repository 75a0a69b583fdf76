import { debian12, freebsd, homeAssistant, oldCentos, windowsServer } from './os.ts'
import type { Guest, GuestKind } from './estate.ts'

type Traits =
  | 'status'
  | 'template'
  | 'os'
  | 'tags'
  | 'lock'
  | 'agent'
  | 'filesystems'
  | 'balloonDriver'
  | 'balloonShare'
  | 'interfaceCount'
  | 'cpuLimit'
  | 'highlyAvailable'
  | 'snapshots'
  | 'ownFate'

/** `name: undefined`: the configuration has no name. */
type Part = Partial<Pick<Guest, Traits>> & { name: string | undefined; uptimeSeconds?: number }

/** Every third guest is a container. */
export const kindOf = (index: number): GuestKind => (index % 3 === 2 ? 'lxc' : 'qemu')

const running = { status: 'running', template: false } as const
const withAgent = { ...running, agent: 'running', balloonDriver: true } as const
const plain = { ...withAgent, os: debian12, filesystems: 'linux' } as const
const stopped = { status: 'stopped', template: false } as const

/**
 * The first guests of a cluster by index. Each irregularity of real sites occurs once, at a VMID that tests can rely
 * on. Index 0 is VMID 100.
 */
export const cast: readonly Part[] = [
  { name: 'web01', ...plain, tags: 'production;web' },
  {
    name: 'db01',
    ...plain,
    tags: 'production;db',
    filesystems: 'linux-lvm',
    highlyAvailable: true,
    snapshots: 2,
  },
  { name: 'dns01', ...running, tags: 'production;network' },
  { name: undefined, ...plain },
  { name: 'appliance', ...running, agent: 'none', balloonDriver: true },
  { name: 'old-wiki', ...stopped },
  { name: 'win-dc01', ...withAgent, os: windowsServer, filesystems: 'windows' },
  { name: 'legacy-erp', ...running, agent: 'disabled' },
  { name: undefined, ...running },
  { name: 'debian-template', status: 'stopped', template: true, agent: 'running', tags: 'template' },
  { name: 'agent-dead', ...running, agent: 'dead' },
  { name: 'docker01', ...running, interfaceCount: 3, tags: 'docker' },
  { name: 'agent-hangs', ...running, agent: 'hang' },
  { name: 'build01', ...plain, filesystems: 'snaps-and-overlays', interfaceCount: 3, tags: 'dev;docker' },
  { name: 'ct-template', status: 'stopped', template: true },
  { name: 'rescue', ...plain, filesystems: 'live-iso' },
  { name: 'mail01', ...plain, lock: 'backup' },
  { name: 'proxy01', ...running, lock: 'snapshot-delete', snapshots: 1 },
  { name: 'opnsense', ...withAgent, os: freebsd, filesystems: 'freebsd' },
  { name: 'lab-paused', ...plain, status: 'paused' },
  {
    name: 'throttled',
    ...running,
    cpuLimit: 1.5,
    ownFate: { fails: `command '/usr/bin/lxc-usernsexec tar' failed: exit code 1` },
  },
  { name: 'hungry', ...running, agent: 'none', balloonDriver: false },
  { name: 'blank-tag', ...plain, tags: ' ' },
  { name: 'gitea', ...running, snapshots: 3 },
  {
    name: 'centos7',
    ...withAgent,
    os: oldCentos,
    filesystems: 'old-agent',
    ownFate: { verification: 'failed' },
  },
  { name: 'chroot', ...plain, filesystems: 'empty' },
  { name: 'ct-backup', ...stopped, lock: 'backup' },
  { name: 'homeassistant', ...withAgent, os: homeAssistant, filesystems: 'home-assistant' },
  { name: 'win-rds01', ...withAgent, os: windowsServer, filesystems: 'windows', balloonDriver: false },
  { name: 'fresh-ct', ...running, uptimeSeconds: 1500 },
  { name: 'moving', ...plain, uptimeSeconds: 900, lock: 'migrate' },
  { name: 'nas-vm01', ...plain, filesystems: 'duplicates' },
  { name: 'isolated', ...running, interfaceCount: 0 },
  { name: 'suspended', ...stopped, lock: 'suspended', agent: 'running' },
  { name: 'spare', ...stopped, agent: 'running', ownFate: { staleDays: 12 } },
  { name: 'unifi01', ...running, tags: 'production;network' },
  { name: 'ballooned', ...plain, balloonShare: 0.7 },
  { name: 'fileserver', ...plain, filesystems: 'network-mounts' },
]
