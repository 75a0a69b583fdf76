import type { ChangeWord, HistoryChange } from '@pulse/contract'
import { formatBytes, formatNumber } from '../../lib/format.ts'

type Happened = Pick<HistoryChange, 'kind' | 'field' | 'from' | 'to'>

const machines: readonly string[] = ['nodes', 'dockerHosts']
/** States that need no mention: a thing stops to be in one of them. */
const plainStops: readonly unknown[] = ['stopped', 'exited', 'offline', 'created', undefined]

const texts: Readonly<Record<ChangeWord, (change: Happened) => string>> = {
  came: () => 'Added',
  went: () => 'Removed',
  moved: ({ from, to }) => `Moved from ${from} to ${to}`,
  started({ kind, from }) {
    const text = machines.includes(kind) ? 'Came online' : 'Started'
    return plainStops.includes(from) ? text : `${text} (was ${from})`
  },
  stopped({ kind, to }) {
    if (machines.includes(kind)) return 'Went offline'
    if (to === 'paused' || to === 'suspended') return to === 'paused' ? 'Paused' : 'Suspended'
    return plainStops.includes(to) ? 'Stopped' : `No longer running: ${to}`
  },
  restarted: () => 'Restarted',
  resized({ field, from, to }) {
    if (field === 'cpus') return `CPUs changed from ${amount(from)} to ${amount(to)}`
    const what = field === 'memorySize' ? 'Memory' : 'Disk'
    return `${what} resized from ${size(from)} to ${size(to)}`
  },
  renamed: ({ from, to }) => `Renamed from ${from} to ${to}`,
  tagged: tagText,
  converted: () => 'Converted to a template',
  failing: ({ to }) => `Disk reports that it is failing: ${to}`,
  status({ kind, from, to }) {
    if (kind === 'cephClusters') return `Health changed from ${from} to ${to}`
    return to === 'available' ? `Available again (was ${from})` : `Not available: ${to}`
  },
  version: ({ kind, field = '', from, to }) =>
    `${programOf(kind, field)} ${version(field, from)} → ${version(field, to)}`,
  unprotected: ({ field = '' }) => problems[field] ?? 'Backups need attention',
  backupStarted: () => 'Backup started',
  backupEnded: () => 'Backup ended',
}

/** What happened, as a sentence without its subject. */
export const changeText = (change: Happened & Pick<HistoryChange, 'what'>): string =>
  texts[change.what](change)

const problems: Readonly<Record<string, string>> = {
  none: 'No backup left',
  failed: 'Backup failed',
  broken: 'Newest backup failed verification',
  future: 'All backups are dated in the future',
  ambiguous: 'Newest backup may belong to another guest',
  'no-job': 'No backup job',
}

type Value = HistoryChange['from']

const size = (value: Value) => formatBytes(Number(value))
const amount = (value: Value) => formatNumber(Number(value))

const programs: Readonly<Record<string, string>> = {
  pveVersion: 'pve-manager',
  kernelVersion: 'Kernel',
  dockerVersion: 'Container engine',
  agentVersion: 'Agent',
  image: 'Image',
}

function programOf(kind: string, field: string): string {
  if (field !== 'version') return programs[field] ?? field
  return kind === 'pmg' ? 'Proxmox Mail Gateway' : 'Proxmox Backup Server'
}

/** PVE reports `pve-manager/9.1.1/2a5fa54a8503f96d` and `Linux 6.14.8-2-pve #1 SMP …`. */
function version(field: string, value: Value): string {
  const text = String(value ?? '')
  if (field === 'pveVersion') return text.split('/')[1] ?? text
  if (field === 'kernelVersion') return text.split(' ').find((part) => /^\d/.test(part)) ?? text
  return text
}

function tagText({ from, to }: Happened): string {
  const [before, after] = [tagsIn(from), tagsIn(to)]
  const added = after.filter((tag) => !before.includes(tag))
  const removed = before.filter((tag) => !after.includes(tag))
  const parts = [
    added.length > 0 && `added ${added.join(', ')}`,
    removed.length > 0 && `removed ${removed.join(', ')}`,
  ].filter(Boolean)
  return `Tags changed: ${parts.join('; ') || 'their order'}`
}

const tagsIn = (value: Value): string[] =>
  String(value ?? '')
    .split(/[,;]/)
    .flatMap((tag) => tag.trim() || [])
