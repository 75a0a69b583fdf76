import { type ChangeCount, type ChangeWord, changeWords, routineChanges } from '@pulse/contract'
import { formatNumber } from '../../lib/format.ts'
import { kindLabel } from '../../parts/changes/change-kinds.ts'

export const wordLabels: Readonly<Record<ChangeWord, string>> = {
  came: 'Added',
  went: 'Removed',
  moved: 'Moved',
  started: 'Started',
  stopped: 'Stopped',
  restarted: 'Restarted',
  resized: 'Resized',
  renamed: 'Renamed',
  tagged: 'Tags changed',
  converted: 'Converted',
  failing: 'Disk failing',
  status: 'Availability',
  version: 'Updated',
  unprotected: 'Backup problems',
  backupStarted: 'Backup started',
  backupEnded: 'Backup ended',
}

interface Option {
  value: string
  label: string
}

const sum = (counts: readonly ChangeCount[]) => counts.reduce((all, { count }) => all + count, 0)

interface Counted {
  /** absent: none are known */
  counts: readonly ChangeCount[] | undefined
  /** the server counted only the newest changes */
  isPartial?: boolean | undefined
}

/**
 * The choices of a filter, each with the number of changes that it would show beside the other filter. If only the
 * newest changes were counted, only the number of all is known, as a lower limit.
 */
export function optionsOf(
  { counts, isPartial = false }: Counted,
  by: 'kind' | 'what',
  other: string,
  chosen: string,
): Option[] {
  const isOther = (one: ChangeCount) => other === 'all' || one[by === 'kind' ? 'what' : 'kind'] === other
  const shown = counts?.filter(isOther)
  const name = (value: string) =>
    by === 'kind'
      ? kindLabel(value)
      : Object.hasOwn(wordLabels, value)
        ? wordLabels[value as ChangeWord]
        : value
  const withCount = (text: string, own: readonly ChangeCount[] | undefined) =>
    isPartial || !own ? text : `${text} (${formatNumber(sum(own))})`
  const all = by === 'kind' ? 'All kinds' : 'All changes'
  const values = new Map<string, readonly ChangeCount[] | undefined>(
    shown
      ? Map.groupBy(shown, (one) => one[by])
      : by === 'what'
        ? changeWords.map((word) => [word, undefined])
        : [],
  )
  // routine changes are not counted
  if (chosen !== 'all' && !values.has(chosen)) values.set(chosen, isRoutine(chosen) ? undefined : shown && [])
  const options = Array.from(values, ([value, own]) => ({ value, label: withCount(name(value), own) }))
  return [
    {
      value: 'all',
      label:
        counts && isPartial && other === 'all'
          ? `${all} (${formatNumber(sum(counts))}+)`
          : withCount(all, isRoutine(other) ? undefined : shown),
    },
    ...options.toSorted((a, b) => a.label.localeCompare(b.label)),
  ]
}

const isRoutine = (word: string) => routineChanges.some((one) => one === word)
