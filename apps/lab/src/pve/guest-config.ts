import type { Guest } from '../estate/estate.ts'
import { hash, seededUuid } from '../random.ts'
import { digestOf, guestOf, macOf, addressOf } from './guests.ts'
import { needsAuditOnGuest } from './route.ts'
import type { Call, Route } from './route.ts'

const gib = 1024 ** 3
const mib = 1024 ** 2

export const guestConfigRoutes: readonly Route[] = [
  {
    path: '/nodes/{node}/qemu/{vmid}/config',
    query: { current: 'boolean', snapshot: 'string' },
    missing: needsAuditOnGuest,
    answer: (call: Call) => qemuConfig(guestOf(call, 'qemu')),
  },
  {
    path: '/nodes/{node}/lxc/{vmid}/config',
    query: { current: 'boolean', snapshot: 'string' },
    missing: needsAuditOnGuest,
    answer: (call: Call) => lxcConfig(guestOf(call, 'lxc')),
  },
]

function qemuConfig(guest: Guest) {
  const { major, qemuVersion } = guest.node.cluster.release
  const memoryMib = Math.floor(guest.maxMemBytes / mib)
  return {
    ...common(guest),
    ...(guest.name !== undefined && { name: guest.name }),
    // A number up to PVE 7; a text since, because it can hold several settings.
    memory: major === 7 ? memoryMib : String(memoryMib),
    balloon: Math.floor(memoryMib / 2),
    cores: guest.cores,
    sockets: 1,
    cpu: 'x86-64-v2-AES',
    ...(agentSetting(guest) !== undefined && { agent: agentSetting(guest) }),
    boot: 'order=scsi0;ide2;net0',
    ide2: 'none,media=cdrom',
    net0: `virtio=${macOf(guest).toUpperCase()},bridge=vmbr0,firewall=1`,
    numa: 0,
    scsi0: `${guest.storage}:vm-${guest.vmid}-disk-0,discard=on,iothread=1,size=${sizeOf(guest)},ssd=1`,
    scsihw: 'virtio-scsi-single',
    smbios1: `uuid=${seededUuid(guest.seed)}`,
    vmgenid: seededUuid(guest.seed ^ 1),
    meta: `creation-qemu=${qemuVersion},ctime=${1_600_000_000 + (guest.seed % 100_000_000)}`,
  }
}

/** Different notations of the same setting in real configurations. */
function agentSetting(guest: Guest): string | number | undefined {
  if (guest.agent === 'none') return undefined
  if (guest.agent === 'disabled') return guest.seed % 2 === 0 ? 'enabled=0' : '0'
  return (['1', 'enabled=1,fstrim_cloned_disks=1', 1] as const)[guest.seed % 3]
}

function lxcConfig(guest: Guest) {
  const docker = guest.tags?.includes('docker') ?? false
  return {
    ...common(guest),
    ...(guest.name !== undefined && { hostname: guest.name }),
    arch: 'amd64',
    cores: guest.cores,
    ...(guest.cpuLimit !== undefined && { cpulimit: String(guest.cpuLimit) }),
    memory: Math.floor(guest.maxMemBytes / mib),
    swap: Math.floor(guest.maxSwapBytes / mib),
    rootfs: `${guest.storage}:subvol-${guest.vmid}-disk-0,size=${sizeOf(guest)}`,
    ...(guest.interfaceCount > 0 && { net0: containerNetwork(guest) }),
    features: docker ? 'keyctl=1,nesting=1' : 'nesting=1',
    unprivileged: 1,
    ...(docker && {
      mp0: '/mnt/pve/nas-vm/shared,mp=/srv/shared',
      lxc: [
        ['lxc.cgroup2.devices.allow', 'c 226:0 rwm'],
        ['lxc.mount.entry', '/dev/dri dev/dri none bind,optional,create=dir'],
      ],
    }),
  }
}

function containerNetwork(guest: Guest): string {
  const address = guest.seed % 2 === 0 ? 'dhcp' : `${addressOf(guest)}/16,gw=10.20.0.1`
  return `name=eth0,bridge=vmbr0,firewall=1,hwaddr=${macOf(guest).toUpperCase()},ip=${address},type=veth`
}

function common(guest: Guest) {
  return {
    digest: digestOf(guest),
    ostype: guest.os.configType,
    ...(guest.onBoot && { onboot: 1 }),
    ...(guest.template && { template: 1 }),
    ...(guest.lock !== undefined && { lock: guest.lock }),
    ...(guest.tags !== undefined && { tags: guest.tags }),
    ...(describedBy(guest) !== undefined && { description: describedBy(guest) }),
  }
}

const describedBy = (guest: Guest): string | undefined =>
  guest.description ??
  (hash(`note/${guest.seed}`) % 4 === 0
    ? `Contact: it@example.com\n\nSee **wiki/${guest.vmid}**\n`
    : undefined)

const sizeOf = (guest: Guest): string => `${Math.max(1, Math.round(guest.maxDiskBytes / gib))}G`
