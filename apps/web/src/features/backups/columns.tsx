import type { Preference } from '@pulse/contract'
import { Archive, Camera, CircleCheck, CircleHelp, CircleX, HardDrive, Lock, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { bytesParts } from '../../lib/format.ts'
import { toneOf } from '../../lib/tones.ts'
import { BackupTime } from '../../parts/backup-time.tsx'
import { Amount, Cell, NumberCell } from '../../parts/cells.tsx'
import type { ListColumn } from '../../parts/table/column.ts'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import type { SortValue } from '../../ui/table/sort.ts'
import { toneText } from '../../ui/tone-class.ts'
import { tip } from '../../ui/tooltip.tsx'
import type { BackupRow } from './backup-row.ts'
import {
  detailsText,
  fullDetails,
  locationText,
  nameText,
  ownerText,
  sourceWords,
  statusWords,
} from './texts.ts'

/** px: tooltips of this page are wider */
export const TIP_WIDTH = 260

export type SortColumnId = Preference<'backupsSortKey'>
export type BackupColumnId = SortColumnId | 'details'

export interface ShownBackup {
  backup: BackupRow
  /** below the head of its guest or day */
  relativeTime: boolean
}

type BackupColumn = ListColumn<BackupRow, undefined, ShownBackup, BackupColumnId>

const location = (backup: BackupRow) => locationText(backup) ?? '—'

const columns: readonly BackupColumn[] = [
  {
    id: 'type',
    header: 'Type',
    first: 'asc',
    track: '64px',
    value: ({ type }) => type,
    cell: ({ backup }) => (
      <Cell className="pl-3">
        <Badge>{backup.type}</Badge>
      </Cell>
    ),
    phone: { slot: 'badge', draw: ({ backup }) => <Badge>{backup.type}</Badge> },
  },
  {
    id: 'vmid',
    header: 'Guest',
    first: 'asc',
    track: 'minmax(72px, 0.4fr)',
    align: 'end',
    value: ({ vmid }) => vmid,
    cell: ({ backup }) => <NumberCell className="truncate">{backup.vmid}</NumberCell>,
    phone: { slot: 'fact', draw: ({ backup }) => backup.vmid },
  },
  {
    id: 'name',
    header: 'Name',
    first: 'asc',
    track: 'minmax(130px, 1.2fr)',
    value: ({ name }) => name,
    cell: ({ backup }) => (
      <Cell className="flex items-center gap-1.5">
        <Name backup={backup} />
      </Cell>
    ),
    phone: { slot: 'name', draw: ({ backup }) => <Name backup={backup} /> },
  },
  {
    id: 'node',
    header: 'Node',
    first: 'asc',
    track: 'minmax(84px, 0.7fr)',
    value: ({ node }) => node,
    cell: ({ backup }) => <Cell className="truncate text-ink-2">{backup.node}</Cell>,
  },
  {
    id: 'backupTime',
    header: 'Time',
    first: 'desc',
    track: '164px',
    align: 'end',
    value: ({ backupTime }) => backupTime,
    cell: ({ backup, relativeTime }) => (
      <NumberCell>
        <BackupTime at={backup.backupTime * 1000} relative={relativeTime} />
      </NumberCell>
    ),
    phone: {
      slot: 'fact',
      draw: ({ backup, relativeTime }) => (
        <BackupTime at={backup.backupTime * 1000} relative={relativeTime} />
      ),
    },
  },
  {
    id: 'backupType',
    header: 'Backup',
    first: 'asc',
    track: '124px',
    value: ({ backupType }) => sourceWords[backupType],
    cell: ({ backup }) => (
      <Cell className="flex items-center gap-1.5">
        <Source backup={backup} />
      </Cell>
    ),
    phone: { slot: 'figure', label: '', draw: ({ backup }) => <Source backup={backup} /> },
  },
  {
    id: 'details',
    header: 'Details',
    first: 'asc',
    unsorted: true,
    track: 'minmax(150px, 1.4fr)',
    value: () => undefined,
    cell: ({ backup }) => (
      <Cell className="truncate text-ink-2">
        <span {...tip(fullDetails(backup), TIP_WIDTH)}>{detailsText(backup)}</span>
      </Cell>
    ),
  },
  {
    id: 'owner',
    header: 'Owner',
    first: 'asc',
    track: 'minmax(70px, 0.6fr)',
    value: ({ owner }) => owner,
    cell: ({ backup: { owner } }) => (
      <Cell className="truncate text-ink-2">
        {owner ? <span {...tip(owner, TIP_WIDTH)}>{ownerText(owner)}</span> : '—'}
      </Cell>
    ),
  },
  {
    id: 'size',
    header: 'Size',
    first: 'desc',
    track: '84px',
    align: 'end',
    value: ({ size }) => size,
    cell: ({ backup }) => (
      <NumberCell>
        <Size backup={backup} />
      </NumberCell>
    ),
    phone: { slot: 'figure', label: 'Size', draw: ({ backup }) => <Size backup={backup} /> },
  },
  {
    id: 'storage',
    header: 'Location',
    first: 'asc',
    track: 'minmax(110px, 0.9fr)',
    value: locationText,
    cell: ({ backup }) => (
      <Cell className="truncate">
        <span {...tip(locationText(backup), TIP_WIDTH)}>{location(backup)}</span>
      </Cell>
    ),
  },
  {
    id: 'verified',
    header: 'Verified',
    first: 'asc',
    track: '108px',
    value: ({ status }) => statusWords[status],
    cell: ({ backup }) => (
      <Cell>
        <Verified backup={backup} />
      </Cell>
    ),
    phone: { slot: 'figure', label: '', draw: ({ backup }) => <Verified backup={backup} /> },
  },
]

const withoutOwner = columns.filter(({ id }) => id !== 'owner')

/** Owners have a column when there are any. */
export const backupColumns = (hasOwners: boolean) => (hasOwners ? columns : withoutOwner)

type SortColumn = BackupColumn & { id: SortColumnId }
/** What can be sorted by, shown or not. */
export const sortColumns = columns.filter((column): column is SortColumn => column.id !== 'details')

const values = new Map(columns.map(({ id, value }) => [id, value]))
export const sortValue = (key: BackupColumnId, backup: BackupRow): SortValue =>
  values.get(key)!(backup, undefined)

function Name({ backup }: { backup: BackupRow }) {
  return (
    <>
      <span className={cx('truncate', backup.name ? 'font-medium text-ink' : 'text-ink-3')}>
        {nameText(backup)}
      </span>
      {backup.ambiguous && (
        <span className="inline-flex shrink-0" {...tip(ambiguousReason, TIP_WIDTH)}>
          <Badge tone="yellow">Ambiguous</Badge>
        </span>
      )}
    </>
  )
}

export const ambiguousReason =
  'Guests of several clusters have this number, and nothing says which of them it is of.'

const sourceIcons = { snapshot: Camera, local: HardDrive, remote: Archive } as const

function Source({ backup }: { backup: BackupRow }) {
  const Icon = sourceIcons[backup.backupType]
  return (
    <>
      <Icon aria-hidden size={13} className="shrink-0 text-ink-3" />
      {sourceWords[backup.backupType]}
      {backup.protected && <Mark icon={<ShieldCheck size={12} />} word="Protected" />}
      {backup.encrypted && <Mark icon={<Lock size={12} />} word="Encrypted" />}
    </>
  )
}

const Mark = ({ icon, word }: { icon: ReactNode; word: string }) => (
  <span role="img" aria-label={word} className="inline-flex shrink-0 text-ink-3" {...tip(word)}>
    {icon}
  </span>
)

function Size({ backup: { size } }: { backup: BackupRow }) {
  const tone = toneOf('backupSize', size)
  return <Amount {...bytesParts(size)} className={size === undefined ? 'text-ink-3' : toneText[tone]} />
}

const statusLook = {
  ok: { Icon: CircleCheck, look: 'text-ink-3' },
  verified: { Icon: CircleCheck, look: 'text-green' },
  unverified: { Icon: CircleHelp, look: 'text-ink-2' },
  failed: { Icon: CircleX, look: 'font-medium text-red' },
} as const

function Verified({ backup: { status, verifiable } }: { backup: BackupRow }) {
  const { Icon, look } = statusLook[status as keyof typeof statusLook]
  const cannot = status === 'unverified' && !verifiable
  return (
    <span
      className={cx('inline-flex items-center gap-1', cannot ? 'text-ink-3' : look)}
      {...tip(cannot ? 'Only a backup server verifies what it keeps.' : undefined, TIP_WIDTH)}
    >
      <Icon aria-hidden size={13} className="shrink-0" />
      {statusWords[status]}
    </span>
  )
}
