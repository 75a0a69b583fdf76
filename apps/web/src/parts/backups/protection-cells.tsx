import { protectionWords, type ProtectionWord } from '@pulse/domain'
import { Check } from 'lucide-react'
import { formatRelative } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { tip } from '../../ui/tooltip.tsx'
import { TICK_MS } from '../cells/cells.tsx'
import { BackupTime, Moment } from '../cells/moment.tsx'
import type { ProtectedGuest } from './protected-guest.ts'
import { backupLocationText, goodBackup, wordReasons, wordTexts, wordTones } from './protection-words.ts'

/** px */
const TIP_WIDTH = 260

const at = (one: ProtectedGuest) => goodBackup(one.protection)
/** A guest with problems shows no other colours. */
export const isWell = ({ words }: Pick<ProtectedGuest, 'words'>) => words.length === 0

interface WordsProps {
  words: readonly ProtectionWord[]
  /** words after the first may be truncated */
  shrinks?: boolean
}

/** The problems of a guest, or that it is protected. */
export function Words({ words, shrinks = false }: WordsProps) {
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
