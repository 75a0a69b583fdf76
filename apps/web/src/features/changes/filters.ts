import type { ChangeCount, ChangeWord } from '@pulse/contract'
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

/**
 * The choices of a filter, each with the number of changes that it would show beside the other filter. If the server
 * counted only the newest changes, only the number of all is known, as a lower limit.
 */
export function optionsOf(
  counts: readonly ChangeCount[],
  by: 'kind' | 'what',
  other: string,
  chosen: string,
  isPartial = false,
): Option[] {
  const isOther = (one: ChangeCount) => other === 'all' || one[by === 'kind' ? 'what' : 'kind'] === other
  const shown = counts.filter(isOther)
  const name = (value: string) => (by === 'kind' ? kindLabel(value) : wordLabels[value as ChangeWord])
  const withCount = (text: string, own: readonly ChangeCount[]) =>
    isPartial ? text : `${text} (${formatNumber(sum(own))})`
  const found = [...Map.groupBy(shown, (one) => one[by])].map(([value, own]) => ({
    value: value as string,
    label: withCount(name(value), own),
  }))
  const known = found.some(({ value }) => value === chosen) || chosen === 'all'
  const all = by === 'kind' ? 'All kinds' : 'All changes'
  return [
    {
      value: 'all',
      label: isPartial && other === 'all' ? `${all} (${formatNumber(sum(counts))}+)` : withCount(all, shown),
    },
    ...found.toSorted((a, b) => a.label.localeCompare(b.label)),
    ...(known ? [] : [{ value: chosen, label: withCount(name(chosen), []) }]),
  ]
}
