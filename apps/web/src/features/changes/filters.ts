import type { ChangeCount, ChangeWord } from '@pulse/contract'
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
}

interface Option {
  value: string
  label: string
}

const sum = (counts: readonly ChangeCount[]) => counts.reduce((all, { count }) => all + count, 0)

/** The choices of a filter, each with the number of changes that it would show beside the other filter. */
export function optionsOf(
  counts: readonly ChangeCount[],
  by: 'kind' | 'what',
  other: string,
  chosen: string,
): Option[] {
  const isOther = (one: ChangeCount) => other === 'all' || one[by === 'kind' ? 'what' : 'kind'] === other
  const groups = Map.groupBy(counts.filter(isOther), (one) => one[by])
  const label = (value: string) => (by === 'kind' ? kindLabel(value) : wordLabels[value as ChangeWord])
  const found = [...groups].map(([value, own]) => ({
    value: value as string,
    label: `${label(value)} (${sum(own)})`,
  }))
  const known = found.some(({ value }) => value === chosen) || chosen === 'all'
  return [
    {
      value: 'all',
      label: `${by === 'kind' ? 'All kinds' : 'All changes'} (${sum(counts.filter(isOther))})`,
    },
    ...found.toSorted((a, b) => a.label.localeCompare(b.label)),
    ...(known ? [] : [{ value: chosen, label: `${label(chosen)} (0)` }]),
  ]
}
