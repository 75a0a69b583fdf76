import { ExternalLink } from 'lucide-react'
import { useId } from 'react'
import { safeUrl } from '../../../parts/links.ts'
import { Badge } from '../../../ui/badge.tsx'
import { cx } from '../../../ui/cx.ts'
import { tip } from '../../../ui/tooltip.tsx'
import { type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import type { LinkedGuest } from './guests.ts'
import type { UrlRow } from './use-guest-urls.ts'

interface GuestUrlTableProps {
  rows: readonly UrlRow[]
  onType: (key: string, text: string) => void
}

export function GuestUrlTable({ rows, onType }: GuestUrlTableProps) {
  const columns: readonly RecordColumn<UrlRow>[] = [
    { header: 'Guest', cell: ({ guest }) => <GuestLabel guest={guest} /> },
    { header: 'Node', cell: ({ guest }) => <Line>{guest.node}</Line> },
    { header: 'URL', cell: (row) => <UrlField row={row} onType={onType} /> },
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
          <UrlField row={row} onType={onType} />
        </div>
      )}
    />
  )
}

/** As high as the field beside it. */
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

interface UrlFieldProps {
  row: UrlRow
  onType: (key: string, text: string) => void
}

function UrlField({ row: { guest, url, stored, isDirty, error }, onType }: UrlFieldProps) {
  const errorId = useId()
  const link = safeUrl(stored)
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-center gap-1">
        <input
          type="text"
          inputMode="url"
          aria-label={`URL of ${guest.name}`}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error && errorId}
          placeholder="https://guest.example.org"
          value={url}
          onChange={(event) => onType(guest.key, event.target.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          className={cx(
            'h-8 min-w-0 flex-1 rounded-md border bg-surface px-2.5 text-table text-ink placeholder:text-ink-3',
            error ? 'border-red' : isDirty ? 'border-accent' : 'border-control',
          )}
        />
        {link ? (
          <a
            href={link}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={`Open the URL of ${guest.name}`}
            className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-ink-2 hover:bg-hover hover:text-ink"
            {...tip('Open the stored address')}
          >
            <ExternalLink aria-hidden size={14} />
          </a>
        ) : (
          <span className="size-8 shrink-0 max-sm:hidden" />
        )}
      </div>
      {error && (
        <p id={errorId} className="text-xs text-red">
          {error}
        </p>
      )}
    </div>
  )
}
