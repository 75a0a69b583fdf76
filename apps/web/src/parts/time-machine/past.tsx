import { getHistoryState } from '@pulse/contract'
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { useApi } from '../../api/api.tsx'
import type { Api } from '../../api/client.ts'
import { readOnlyApi } from '../../api/read-only.ts'
import type { Live } from '../../live/live.tsx'
import { createPastLive, type PastView } from '../../live/past-live.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Mark } from './mark.tsx'
import type { Span } from '../../lib/times.ts'
import type { useReach } from './use-reach.ts'

/** What a page of the past is given. */
export interface PastPage {
  live: Live
  /** refuses changes */
  api: Api
  /** of the records in `live`; undefined until the first ones are loaded */
  moment: number | undefined
  /** another moment is loading, or failed to */
  isOutdated: boolean
  hasFailed: boolean
}

interface PastProps {
  /** in the address, epoch ms */
  at: number
  /** the moment that the user moves to; its request may wait */
  wanted: number
  reach: ReturnType<typeof useReach>
  words: (at: number) => string
  onBack: () => void
  onPast: (past: PastPage | undefined) => void
}

/** Loads the state of a moment for the page, and marks the page. */
export function Past({ at, wanted, reach, words, onBack, onPast }: PastProps) {
  const api = useApi()
  const [past] = useState(() =>
    createPastLive((moment, slice, signal) =>
      api.call(getHistoryState, { query: { at: moment, slice }, signal }),
    ),
  )
  const view = useSyncExternalStore(past.subscribe, past.view)
  const [refusing] = useState(() => readOnlyApi(api))
  const span = reach.data?.span
  const isEmpty = reach.data !== undefined && !span
  // the reach is known first: the moment may be before it. Its begin moves, so an address is limited once
  const [limited, setLimited] = useState<{ at: number; to: number }>()
  if (span && limited?.at !== at) setLimited({ at, to: Math.max(at, span.from) })
  const asked = limited?.at === at ? limited.to : reach.isError ? at : undefined
  useEffect(() => {
    if (asked !== undefined) past.goTo(asked)
  }, [past, asked])
  useEffect(() => past.stop, [past])

  const moment = view.shown?.at
  const isOutdated = view.isLoading || view.error !== undefined || wanted !== at
  const hasFailed = view.error !== undefined || isEmpty
  useLayoutEffect(
    () => onPast({ live: past.live, api: refusing, moment, isOutdated, hasFailed }),
    [past, refusing, moment, isOutdated, hasFailed, onPast],
  )
  useLayoutEffect(() => () => onPast(undefined), [onPast])

  const isLoading = wanted !== at || (view.isLoading && !view.error) || (!moment && !hasFailed)
  return (
    <>
      <Mark
        text={words(isLoading || view.error ? wanted : (moment ?? wanted))}
        isLoading={isLoading}
        onBack={onBack}
      />
      <Notes {...{ at, span, isEmpty, view, words }} onRetry={past.retry} />
    </>
  )
}

interface NotesProps extends Pick<PastProps, 'at' | 'words'> {
  span: Span | undefined
  /** nothing is stored yet */
  isEmpty: boolean
  view: PastView
  onRetry: () => void
}

const minuteMs = 60_000

/** Why the page does not show what was asked for. */
function Notes({ at, span, isEmpty, view: { shown, error }, words, onRetry }: NotesProps) {
  const isBefore = span !== undefined && at < span.from
  const isAhead = shown !== undefined && at > shown.at + minuteMs
  if (!error && !isEmpty && !isBefore && !isAhead && !shown?.wasOff) return null
  return (
    <div className="frame flex flex-col gap-2 pt-3">
      {error && (
        <Notice
          tone="red"
          title={`${words(at)} could not be loaded`}
          announce
          action={<Button onClick={onRetry}>Retry</Button>}
        >
          {error.message} {shown && `The page still shows ${words(shown.at)}.`}
        </Notice>
      )}
      {isEmpty && (
        <Notice announce title="No history yet">
          The first state is stored within a minute.
        </Notice>
      )}
      {!error && isBefore && (
        <Notice announce title={`The history begins at ${words(span.from)}`}>
          Earlier states are not stored.
        </Notice>
      )}
      {!error && isAhead && (
        <Notice announce title="That moment is in the future">
          The page shows the latest state.
        </Notice>
      )}
      {!error && shown?.wasOff && (
        <Notice announce title="Pulse did not run at this time">
          The page shows the last known records, without figures.
        </Notice>
      )}
    </div>
  )
}
