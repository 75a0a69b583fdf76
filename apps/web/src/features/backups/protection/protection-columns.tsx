import type { ProtectionWord } from '@pulse/domain'
import { rem } from '../../../lib/text-scale.ts'
import type { ProtectedGuest } from '../../../parts/backups/protected-guest.ts'
import { Happened, isWell, Newest, Words } from '../../../parts/backups/protection-cells.tsx'
import {
  backupLocationText,
  goodBackup,
  jobText,
  verificationText,
  wordTexts,
} from '../../../parts/backups/protection-words.ts'
import { Cell, NumberCell } from '../../../parts/cells/cells.tsx'
import { NameLine } from '../../../parts/cells/name-line.tsx'
import { apart } from '../../../parts/grid/columns.ts'
import { GuestLink } from '../../../parts/thing/guest-link.tsx'
import { guestIdOf } from '../../../parts/thing/thing-ids.ts'
import type { ListColumn } from '../../../parts/table/column.ts'
import { Badge } from '../../../ui/badge.tsx'
import { cx } from '../../../ui/cx.ts'
import { tip } from '../../../ui/tooltip.tsx'

export type ProtectionColumnId = 'vmid' | 'name' | 'state' | 'newest' | 'place' | 'verified' | 'job' | 'error'

const TIP_WIDTH = 260
/** In display order: every word has a position. */
const severity = Object.keys(wordTexts) as ProtectionWord[]

const at = (one: ProtectedGuest) => goodBackup(one.protection)
const locationOf = (one: ProtectedGuest) => {
  const good = at(one)
  return good && backupLocationText(good)
}
const verifiedOf = (one: ProtectedGuest) => {
  const good = at(one)
  return good && verificationText(good)
}

export const protectionColumns: readonly ListColumn<
  ProtectedGuest,
  undefined,
  ProtectedGuest,
  ProtectionColumnId
>[] = [
  {
    id: 'vmid',
    header: 'Guest',
    firstDirection: 'asc',
    track: rem(84),
    align: 'end',
    value: ({ protection }) => protection.vmid,
    cell: ({ protection }) => <NumberCell className={apart}>{protection.vmid}</NumberCell>,
    phone: { slot: 'fact', draw: ({ protection }) => protection.vmid },
  },
  {
    id: 'name',
    header: 'Name',
    firstDirection: 'asc',
    track: `minmax(${rem(150)}, 1.1fr)`,
    value: ({ guest }) => guest?.name,
    cell: (one) => (
      <Cell className="flex items-center gap-1.5">
        <GuestName one={one} />
        {one.guest && <Badge>{one.guest.type === 'lxc' ? 'LXC' : 'VM'}</Badge>}
      </Cell>
    ),
    phone: {
      slot: 'name',
      draw: (one) => <GuestName one={one} />,
    },
  },
  {
    id: 'state',
    header: 'State',
    firstDirection: 'asc',
    track: `minmax(${rem(204)}, 1.5fr)`,
    // worst first; among equals, the one with more problems; protected guests last
    value: ({ words }) =>
      words[0] === undefined ? severity.length : severity.indexOf(words[0]) - words.length / 10,
    cell: ({ words }) => (
      <Cell className="flex items-center">
        <NameLine
          hint={words.map((word) => wordTexts[word]).join('\n')}
          extras={words.length > 1 && <Words words={words.slice(1)} />}
        >
          <Words words={words.slice(0, 1)} />
        </NameLine>
      </Cell>
    ),
    phone: { slot: 'badge', draw: ({ words }) => <Words words={words} shrinks /> },
  },
  {
    id: 'newest',
    header: 'Newest good backup',
    firstDirection: 'desc',
    track: rem(158),
    align: 'end',
    value: (one) => at(one)?.at,
    cell: (one) => (
      <NumberCell className={apart}>
        <Newest one={one} />
      </NumberCell>
    ),
    phone: { slot: 'figure', label: '', draw: (one) => <Newest one={one} /> },
  },
  {
    id: 'place',
    header: 'Where',
    firstDirection: 'asc',
    track: `minmax(${rem(130)}, 0.9fr)`,
    value: locationOf,
    cell: (one) => (
      <Cell className="truncate text-ink-2">
        <span {...tip(locationOf(one), TIP_WIDTH)}>{locationOf(one) ?? '—'}</span>
      </Cell>
    ),
    phone: {
      slot: 'figure',
      label: '',
      draw: (one) => <span className="truncate">{locationOf(one) ?? '—'}</span>,
    },
  },
  {
    id: 'verified',
    header: 'Verified',
    firstDirection: 'asc',
    track: rem(96),
    value: verifiedOf,
    cell: (one) => (
      <Cell className={cx(isWell(one) && verifiedOf(one) === 'Verified' ? 'text-green' : 'text-ink-3')}>
        {verifiedOf(one) ?? '—'}
      </Cell>
    ),
  },
  {
    id: 'job',
    header: 'Job',
    firstDirection: 'asc',
    track: rem(112),
    value: ({ protection }) => jobText(protection.inJob),
    cell: ({ protection: { inJob } }) => (
      <Cell className={cx('truncate', inJob === false ? 'text-orange' : 'text-ink-2')}>{jobText(inJob)}</Cell>
    ),
    phone: {
      slot: 'figure',
      label: '',
      draw: ({ protection }) => <span className="truncate">{jobText(protection.inJob)}</span>,
    },
  },
  {
    id: 'error',
    header: 'What happened',
    firstDirection: 'asc',
    track: `minmax(${rem(170)}, 1.9fr)`,
    value: ({ protection }) => protection.failed?.error,
    cell: (one) => (
      <Cell className="truncate">
        <Happened one={one} />
      </Cell>
    ),
  },
]

const GuestName = ({ one: { protection, guest, tabIndex } }: { one: ProtectedGuest }) => (
  <GuestLink
    id={guestIdOf(protection)}
    name={guest?.name || 'Unnamed'}
    {...(tabIndex !== undefined && { tabIndex })}
    className="truncate font-medium text-ink"
  />
)
