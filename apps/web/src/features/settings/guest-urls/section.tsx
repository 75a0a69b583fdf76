import { Link2, Server } from 'lucide-react'
import { useConnection } from '../../../live/use-live.ts'
import { AdminOnly } from '../../../parts/sections/admin-only.tsx'
import { UnsavedGuard } from '../../../parts/sections/unsaved-guard.tsx'
import { type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { LoadFailed, LoadingRows, Panel } from '../../../ui/panel.tsx'
import { reasonOf } from '../../../api/reason.ts'
import { FilteredList } from '../filtered-list.tsx'
import { isMatch, type LinkedGuest } from './guests.ts'
import { UrlCell } from './url-cell.tsx'
import { type UrlRow, useGuestUrls } from './use-guest-urls.ts'

export default function GuestUrlsSection() {
  return (
    <AdminOnly to="to change guest URLs">
      <GuestUrls />
    </AdminOnly>
  )
}

function GuestUrls() {
  const urls = useGuestUrls()
  const hasState = useConnection(({ initialDataReceived }) => initialDataReceived)
  const { metadata, rows, isDirty, hasErrors, isSaving, refusals } = urls
  return (
    <Panel
      title="Guest URLs"
      description="The guest’s name on the Overview opens this link."
      flush
      action={
        isDirty && (
          <span className="flex flex-wrap items-center gap-2">
            {hasErrors && <span className="text-table text-red">Correct the marked rows to save</span>}
            <Button variant="ghost" disabled={isSaving} onClick={urls.discard}>
              Discard
            </Button>
            {!hasErrors && (
              <Button variant="primary" disabled={isSaving} onClick={() => urls.save()}>
                {isSaving ? 'Saving...' : 'Save changes'}
              </Button>
            )}
          </span>
        )
      }
    >
      {refusals.length > 0 && (
        <div className="border-b border-line p-4">
          <Notice tone="red" title="Failed to save guest URLs" announce>
            {refusals.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </Notice>
        </div>
      )}
      {!rows && metadata.error && (
        <LoadFailed
          title="Failed to load guest URLs"
          reason={reasonOf(metadata.error)}
          onRetry={() => void metadata.refetch()}
        />
      )}
      {!metadata.error && (!rows || (rows.length === 0 && !hasState)) && (
        <LoadingRows label="Loading guest URLs" />
      )}
      {rows?.length === 0 && hasState && (
        <EmptyState icon={<Server size={24} />} title="No guests yet">
          They appear here as soon as a Proxmox VE node is monitored.
        </EmptyState>
      )}
      {rows && rows.length > 0 && <FilteredRows rows={rows} onType={urls.type} />}
      <UnsavedGuard
        isDirty={isDirty}
        isSaving={isSaving}
        save={hasErrors ? undefined : urls.save}
        stays={(path) => path === '/settings/urls'}
      />
    </Panel>
  )
}

const filter = { label: 'Filter guests', placeholder: 'Filter by name, ID or node' }

interface FilteredRowsProps {
  rows: readonly UrlRow[]
  onType: (key: string, text: string | undefined) => void
}

const FilteredRows = ({ rows, onType }: FilteredRowsProps) => (
  <FilteredList
    rows={rows}
    // rows with an error stay visible, so that they can be corrected
    matches={({ guest, error }, search) => error !== undefined || isMatch(guest, search)}
    filter={filter}
    draw={(found) => <GuestUrlTable rows={found} onType={onType} />}
    empty={(search) => (
      <EmptyState icon={<Link2 size={24} />} title="No guest matches">
        {`No guest matches "${search}".`}
      </EmptyState>
    )}
  />
)

interface GuestUrlTableProps {
  rows: readonly UrlRow[]
  onType: (key: string, text: string | undefined) => void
}

function GuestUrlTable({ rows, onType }: GuestUrlTableProps) {
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

/** Matches the height of the controls beside it. */
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
