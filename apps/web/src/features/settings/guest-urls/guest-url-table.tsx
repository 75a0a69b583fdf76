import { Badge } from '../../../ui/badge.tsx'
import { type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import type { LinkedGuest } from './guests.ts'
import { UrlCell } from './url-cell.tsx'
import type { UrlRow } from './use-guest-urls.ts'

interface GuestUrlTableProps {
  rows: readonly UrlRow[]
  onType: (key: string, text: string | undefined) => void
}

export function GuestUrlTable({ rows, onType }: GuestUrlTableProps) {
  const columns: readonly RecordColumn<UrlRow>[] = [
    { header: 'Guest', cell: ({ guest }) => <GuestLabel guest={guest} /> },
    { header: 'Node', cell: ({ guest }) => <Line>{guest.node}</Line> },
    { header: 'URL', cell: (row) => <UrlCell row={row} onType={onType} /> },
  ]
  return (
    <RecordTable
      label="Guest URLs"
      columns={columns}
      rows={rows}
      keyOf={({ guest }) => guest.key}
      minWidth={680}
      phoneRow={(row) => (
        <div className="flex flex-col gap-1.5">
          <div className="flex items-baseline justify-between gap-3">
            <GuestLabel guest={row.guest} />
            <span className="shrink-0 text-xs text-ink-3">{row.guest.node}</span>
          </div>
          <UrlCell row={row} onType={onType} />
        </div>
      )}
    />
  )
}

/** As high as what is beside it. */
const Line = ({ children }: { children: string }) => (
  <span className="flex min-h-8 items-center text-ink-2">{children}</span>
)

function GuestLabel({ guest: { name, vmid, type } }: { guest: LinkedGuest }) {
  return (
    <span className="flex min-h-8 min-w-0 flex-wrap items-center gap-x-2">
      <span className="font-medium break-all">{name}</span>
      <Badge>{type === 'qemu' ? 'VM' : 'LXC'}</Badge>
      <span className="text-xs text-ink-3 tabular-nums">{vmid}</span>
    </span>
  )
}
