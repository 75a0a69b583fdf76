import type { SourceState } from '@pulse/contract'
import { compareNames } from '@pulse/domain'
import { HardDrive, SearchX } from 'lucide-react'
import { useCallback } from 'react'
import { sameList, useLive } from '../../live/use-live.ts'
import { NothingFound, NotConfigured } from '../../parts/live-page/nothing.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** Shown if no source has reported a storage. */
export function NoStorage() {
  const off = useSwitchedOff('monitorStorage')
  return (
    <NotConfigured icon={<HardDrive size={24} />} title="No storage configured">
      {off.length > 0
        ? `Storage monitoring is switched off for ${off.join(', ')}.`
        : 'Storages appear here as soon as a Proxmox VE node with storage monitoring is connected.'}
    </NotConfigured>
  )
}

interface NoneFoundProps {
  search: string
  /** name of the selected node */
  node: string | undefined
  /** filtered by the attention filter */
  attention: boolean
  onReset: (() => void) | undefined
}

const onlyTroubled = 'Only what needs attention is shown.'

export const NoStorageFound = ({ search, node, attention, onReset }: NoneFoundProps) => (
  <NothingFound title="No storage found" onReset={onReset}>
    {whyNoStorage(search, node, attention)}
  </NothingFound>
)

function whyNoStorage(search: string, node: string | undefined, attention: boolean): string {
  const ofNode = node === undefined ? '' : ` for node ${node}`
  if (search) return `No storage matches your search${ofNode}${attention ? `. ${onlyTroubled}` : ''}`
  if (!attention) return `No storage${ofNode}`
  return `No storage needs attention${node === undefined ? '' : ` on node ${node}`}`
}

export function NoDisks({ search, node, attention, onReset }: NoneFoundProps) {
  const off = useSwitchedOff('monitorPhysicalDisks')
  return (
    <EmptyState
      announce={onReset !== undefined}
      icon={onReset ? <SearchX size={24} /> : <HardDrive size={24} />}
      title={['No physical disks found', node && ` for node ${node}`, search && ` matching "${search}"`]
        .filter(Boolean)
        .join('')}
      action={onReset && <Button onClick={onReset}>Reset filters</Button>}
    >
      {attention && <p>{search || node !== undefined ? onlyTroubled : 'No disk needs attention.'}</p>}
      {off.length > 0
        ? `Physical disk monitoring is switched off for ${off.join(', ')}.`
        : onReset === undefined && 'Disks appear when physical disk monitoring is enabled for a node.'}
    </EmptyState>
  )
}

type Switch = 'monitorStorage' | 'monitorPhysicalDisks'

const isOff = (source: SourceState, flag: Switch) =>
  source.kind === 'pve' && (source.switchedOff?.includes(flag) ?? false)

/** Names of the connections with this flag switched off. */
const useSwitchedOff = (flag: Switch): readonly string[] =>
  useLive(
    ['sources'],
    useCallback(
      (live) =>
        [...live.records('sources').values()]
          .filter((source) => isOff(source, flag))
          .map(({ name }) => name)
          .toSorted(compareNames),
      [flag],
    ),
    sameList,
  )
