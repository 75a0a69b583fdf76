import {
  Archive,
  CalendarClock,
  Camera,
  CircleCheck,
  CircleHelp,
  CircleX,
  Clock,
  HardDrive,
  Lock,
  ShieldCheck,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { bytesParts, formatUptime } from '../../lib/format.ts'
import { toneOf } from '../../lib/tones.ts'
import { useNow } from '../../lib/use-now.ts'
import { Amount, TICK_MS } from '../cells/cells.tsx'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { toneText } from '../../ui/tone-class.ts'
import { tip } from '../../ui/tooltip.tsx'
import { GuestLink } from '../thing/guest-link.tsx'
import { type BackupRow, ownerOf } from './backup-row.ts'
import type { StaleLocation } from './stale-locations.ts'
import { nameText, sourceWords, statusWords } from './texts.ts'

/** px; this page's tooltips are wider */
export const TIP_WIDTH = 260

interface NameProps {
  backup: BackupRow
  tabIndex?: 0 | -1
  phone?: boolean
}

export function Name({ backup, tabIndex, phone = false }: NameProps) {
  return (
    <>
      <GuestLink
        id={ownerOf(backup.group)}
        name={nameText(backup)}
        {...(tabIndex !== undefined && { tabIndex })}
        className={cx('truncate', backup.name ? 'font-medium text-ink' : 'text-ink-3')}
      />
      <Doubts backup={backup} phone={phone} />
    </>
  )
}

/** Why its guest or its age is uncertain. */
export function Doubts({ backup, phone = false }: { backup: BackupRow; phone?: boolean }) {
  return (
    <>
      {backup.ambiguous && (
        <span className="inline-flex shrink-0" {...tip(ambiguousReason, TIP_WIDTH)}>
          <Badge tone="yellow">Ambiguous</Badge>
        </span>
      )}
      {backup.future && <FutureMark phone={phone} />}
    </>
  )
}

const ambiguousReason =
  'Several clusters have a guest with this number; it is unknown which of them the backup belongs to.'

const futureWord = 'Dated in the future'
const futureReason = 'Its date is in the future because a clock was wrong, so its age is unknown.'

const sourceIcons = { snapshot: Camera, local: HardDrive, remote: Archive } as const

/** An icon replaces the badge on phones. */
const FutureMark = ({ phone }: { phone: boolean }) => (
  <span
    {...(phone && { role: 'img', 'aria-label': futureWord })}
    className="inline-flex shrink-0 text-orange"
    {...tip(futureReason, TIP_WIDTH)}
  >
    {phone ? <CalendarClock aria-hidden size={12} /> : <Badge tone="orange">{futureWord}</Badge>}
  </span>
)

export function Source({ backup }: { backup: BackupRow }) {
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

/** A small mark in each row. The notice above the table reports the unreachable server or datastore. */
export function OldMark({ old: { since, reason } }: { old: StaleLocation }) {
  const age = useNow(TICK_MS, (now) => formatUptime(Math.max(1, (now - since) / 1000)))
  return (
    <span
      role="img"
      aria-label="Not fresh"
      className="inline-flex shrink-0 text-orange"
      {...tip([`Last read ${age} ago.`, reason].filter(Boolean).join('\n'), TIP_WIDTH)}
    >
      <Clock aria-hidden size={12} />
    </span>
  )
}

export function Size({ backup: { size } }: { backup: BackupRow }) {
  const tone = toneOf('backupSize', size)
  return <Amount {...bytesParts(size)} className={size === undefined ? 'text-ink-3' : toneText[tone]} />
}

const statusLook = {
  ok: { Icon: CircleCheck, look: 'text-ink-3' },
  verified: { Icon: CircleCheck, look: 'text-green' },
  unverified: { Icon: CircleHelp, look: 'text-ink-2' },
  failed: { Icon: CircleX, look: 'font-medium text-red' },
} as const

export function Verified({ backup: { status, verifiable } }: { backup: BackupRow }) {
  const { Icon, look } = statusLook[status as keyof typeof statusLook]
  const cannot = status === 'unverified' && !verifiable
  return (
    <span
      className={cx('inline-flex items-center gap-1', cannot ? 'text-ink-3' : look)}
      {...tip(cannot ? 'Only backup servers verify their backups.' : undefined, TIP_WIDTH)}
    >
      <Icon aria-hidden size={13} className="shrink-0" />
      {statusWords[status]}
    </span>
  )
}
