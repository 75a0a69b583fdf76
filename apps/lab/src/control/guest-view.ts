import {
  type AgentState,
  counterNames,
  type Fate,
  type Guest,
  type GuestKind,
  type GuestStatus,
} from '../estate/estate.ts'

/** A guest as the control API shows it. */
export interface GuestView {
  vmid: number
  kind: GuestKind
  name: string | undefined
  node: string
  status: GuestStatus
  template: boolean
  agent: AgentState
  filesystems: string
  os: string
  tags: string | undefined
  lock: string | undefined
  /** The guest starts with its node. */
  onBoot: boolean
  cores: number
  maxMem: number
  maxDisk: number
  pins: Record<string, number>
  /** The irregularity of its backups. */
  backup: Fate
}

export function viewGuest(guest: Guest): GuestView {
  const rates = counterNames.flatMap((name) => {
    const { pinned } = guest.counters[name]
    return pinned ? [[`${name}Rate`, pinned.bytesPerSecond] as const] : []
  })
  return {
    vmid: guest.vmid,
    kind: guest.kind,
    name: guest.name,
    node: guest.node.name,
    status: guest.status,
    template: guest.template,
    agent: guest.agent,
    filesystems: guest.filesystems,
    os: guest.os.prettyName,
    tags: guest.tags,
    lock: guest.lock,
    onBoot: guest.onBoot,
    cores: guest.cores,
    maxMem: guest.maxMemBytes,
    maxDisk: guest.maxDiskBytes,
    backup: guest.fate,
    pins: { ...guest.pins, ...Object.fromEntries(rates) },
  }
}
