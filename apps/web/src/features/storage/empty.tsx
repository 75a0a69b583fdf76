import { HardDrive, SearchX } from 'lucide-react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Link } from '../../ui/router/link.tsx'
import { useSwitchedOff } from './switched-off.ts'

/** Nothing is there to be searched: no source has told of a storage. */
export function NoStorage() {
  const off = useSwitchedOff('monitorStorage')
  return (
    <EmptyState
      icon={<HardDrive size={24} />}
      title="No storage configured"
      action={
        <Link to="/settings" className={buttonClass('primary')}>
          Go to Settings
        </Link>
      }
    >
      {off.length > 0
        ? `Storage monitoring is switched off for ${off.join(', ')}.`
        : 'Storages appear here as soon as a Proxmox VE node with storage monitoring is connected.'}
    </EmptyState>
  )
}

interface NothingFoundProps {
  search: string
  /** the name of the selected one */
  node: string | undefined
  onReset: (() => void) | undefined
}

export const NoStorageFound = ({ search, node, onReset }: NothingFoundProps) => (
  <EmptyState
    announce
    icon={<SearchX size={24} />}
    title="No storage found"
    action={onReset && <Button onClick={onReset}>Reset filters</Button>}
  >
    {search ? 'No storage matches your search' : `No storage for node ${node}`}
    {search && node !== undefined && ` for node ${node}`}
  </EmptyState>
)

export function NoDisks({ search, node, onReset }: NothingFoundProps) {
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
      {off.length > 0
        ? `Physical disk monitoring is switched off for ${off.join(', ')}.`
        : onReset === undefined &&
          'Disks are read where physical disk monitoring is on in the settings of a node.'}
    </EmptyState>
  )
}
