import { protectionWords, type ProtectionWord } from '@pulse/domain'
import { Check } from 'lucide-react'
import { formatRelative } from '../../../lib/format.ts'
import { rem } from '../../../lib/text-scale.ts'
import { useNow } from '../../../lib/use-now.ts'
import { BackupTime, Moment } from '../../../parts/cells/moment.tsx'
import { Cell, NumberCell, TICK_MS } from '../../../parts/cells/cells.tsx'
import { apart } from '../../../parts/grid/columns.ts'
import { NameLine } from '../../../parts/cells/name-line.tsx'
import type { ListColumn } from '../../../parts/table/column.ts'
import { Badge } from '../../../ui/badge.tsx'
import { cx } from '../../../ui/cx.ts'
import { tip } from '../../../ui/tooltip.tsx'
import type { ProtectedGuest } from './protected-guest.ts'
import {
  backupLocationText,
  goodBackup,
  jobText,
  verificationText,
  wordReasons,
  wordTexts,
  wordTones,
} from './words.ts'

export type ProtectionColumnId = 'vmid' | 'name' | 'state' | 'newest' | 'place' | 'verified' | 'job' | 'error'

const TIP_WIDTH = 260
/** In display order: every word has a position. */
const severity = Object.keys(wordTexts) as ProtectionWord[]

const at = (one: ProtectedGuest) => goodBackup(one.protection)
/** A guest with problems shows no other colours. */
const isWell = ({ words }: ProtectedGuest) => words.length === 0
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
    cell: ({ guest }) => (
      <Cell className="flex items-center gap-1.5">
        <span className="truncate font-medium text-ink">{guest?.name || 'Unnamed'}</span>
        {guest && <Badge>{guest.type === 'lxc' ? 'LXC' : 'VM'}</Badge>}
      </Cell>
    ),
    phone: {
      slot: 'name',
      draw: ({ guest }) => <span className="truncate font-medium text-ink">{guest?.name || 'Unnamed'}</span>,
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

interface WordsProps {
  words: readonly ProtectionWord[]
  /** words after the first may be truncated */
  shrinks?: boolean
}

function Words({ words, shrinks = false }: WordsProps) {
  if (words.length === 0)
    return (
      <span className="inline-flex items-center gap-1 text-ink-3">
        <Check aria-hidden size={13} />
        Protected
      </span>
    )
  return words.map((word, at) => (
    <span
      key={word}
      className={cx('inline-flex', shrinks && at > 0 ? 'min-w-8 shrink-[99]' : 'shrink-0')}
      {...tip(wordReasons[word], TIP_WIDTH)}
    >
      <Badge tone={wordTones[word]} className="min-w-0 shrink!">
        <span className="truncate">{wordTexts[word]}</span>
      </Badge>
    </span>
  ))
}

export function Newest({ one }: { one: ProtectedGuest }) {
  const good = at(one)
  const When = isWell(one) ? BackupTime : Moment
  return good ? <When at={good.at} relative /> : <span className="text-red">None</span>
}

/** Why the guest is at risk, in its source's words. */
export function Happened({ one: { protection } }: { one: ProtectedGuest }) {
  const { failed, newest, ambiguous } = protection
  const broken = newest?.verification === 'failed' ? newest : undefined
  const since = (failed ?? broken ?? ambiguous)?.at
  const age = useNow(TICK_MS, (now) => formatRelative(since, now))
  if (failed)
    return (
      <span {...tip(failed.error, 420)}>
        <span className="text-ink-3">{age}: </span>
        <span className="text-red">{failed.error}</span>
      </span>
    )
  if (broken)
    return (
      <span {...tip(`The backup from ${age} on ${backupLocationText(broken)} did not verify.`, 420)}>
        <span className="text-ink-3">{age}: </span>
        <span className="text-red">newest backup failed verification</span>
      </span>
    )
  if (!ambiguous || !protectionWords(protection).includes('ambiguous')) return null
  const text = `One from ${age} on ${backupLocationText(ambiguous)} may be another guest's.`
  return (
    <span className="text-ink-2" {...tip(text, 420)}>
      {text}
    </span>
  )
}
