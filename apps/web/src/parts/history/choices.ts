import { useCallback, useState } from 'react'
import type { Span } from '../../lib/times.ts'
import type { HistoryChoice } from './range.ts'

/** A row that was scrolled out of the window shows the same when it returns. */
const choices = new Map<string, HistoryChoice>()
const mostChoices = 50
let latest: Pick<HistoryChoice, 'range' | 'asTable'> = { range: '1h', asTable: false }

/** The charts of a thing begin with these times, unless the user has chosen others. */
export function beginWith(key: string, custom: Span): void {
  if (choices.has(key)) return
  choices.set(key, { range: 'custom', custom, chosenAt: custom.to, asTable: latest.asTable })
}

/** What the charts of a thing show. A thing that is opened for the first time begins with the latest range. */
export function useChoice(key: string): [HistoryChoice, (change: HistoryChoice) => void] {
  const [choice, setChoice] = useState(() => choices.get(key) ?? { ...latest, chosenAt: Date.now() })
  const choose = useCallback(
    (next: HistoryChoice) => {
      setChoice(next)
      choices.delete(key)
      choices.set(key, next)
      if (choices.size > mostChoices) choices.delete(choices.keys().next().value!)
      // the times of another thing are of no use here
      if (next.range !== 'custom') latest = { range: next.range, asTable: next.asTable }
    },
    [key],
  )
  return [choice, choose]
}
