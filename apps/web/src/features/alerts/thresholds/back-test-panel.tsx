import { type AlertConfig, type BackTest, postHistoryBackTest } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/api.tsx'
import { reasonOf } from '../../../api/reason.ts'
import { formatNumber, formatSpan } from '../../../lib/format.ts'
import { cx } from '../../../ui/cx.ts'
import { LoadFailed } from '../../../ui/panel.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useConfig } from '../config-edits.tsx'
import { toSaved } from '../saved-form.ts'
import { BackTestDays } from './back-test-days.tsx'
import { firedText, limitsText, nothingText, type Played } from './back-test-words.ts'
import type { Tested } from './tested.ts'

/** Edits in quick succession are tested once. */
const pauseMs = 300

interface BackTestPanelProps {
  tested: Tested
  /** name of the metric */
  header: string
  /** name of the resources */
  noun: string
}

/** How often a threshold would have fired, with the edits that are not saved yet. */
export function BackTestPanel({ tested, header, noun }: BackTestPanelProps) {
  const { config } = useConfig()
  const { data, error, isFetching, isPlaceholderData, refetch } = useBackTest(tested, config)
  return (
    <section aria-label={`Back-test of ${header}`} aria-busy={isFetching} className="text-table">
      {error ? (
        <LoadFailed title="The back-test failed" reason={reasonOf(error)} onRetry={() => void refetch()} />
      ) : data ? (
        <div className={cx('flex flex-wrap gap-x-8 gap-y-3 p-3', isPlaceholderData && 'text-ink-3')}>
          <Answer answer={data} played={{ kind: tested.kind, config }} header={header} noun={noun} />
        </div>
      ) : (
        <div role="status" aria-label="Playing the history" className="p-3">
          <Skeleton className="h-16" />
        </div>
      )}
    </section>
  )
}

function useBackTest({ kind, metric, id }: Tested, edited: AlertConfig) {
  const api = useApi()
  const { activationState } = edited
  const body = {
    kind,
    metric,
    ...(id !== undefined && { id }),
    config: { ...toSaved(edited), activationState },
  }
  return useQuery({
    queryKey: [postHistoryBackTest.path, body],
    async queryFn({ signal }) {
      await pause(signal)
      return api.call(postHistoryBackTest, { body, signal })
    },
    // another threshold's answer would be taken for this one's
    placeholderData: (before, query) => (isSame(query?.queryKey[1], body) ? before : undefined),
    // the history grows
    staleTime: 0,
    gcTime: 0,
    // it takes seconds of the server
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

const isSame = (
  before: string | Partial<Tested> | undefined,
  { kind, metric, id }: Partial<Tested>,
): boolean =>
  typeof before === 'object' && before.kind === kind && before.metric === metric && before.id === id

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, pauseMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })

interface AnswerProps {
  answer: BackTest
  played: Played
  header: string
  noun: string
}

function Answer({ answer, played, header, noun }: AnswerProps) {
  const { reaches, perDay, total, top, things, estimate } = answer
  if (reaches === undefined)
    return nothingText(answer, header, played).map((text) => (
      <p key={text} className="text-ink-2">
        {text}
      </p>
    ))
  return (
    <>
      <div className="min-w-0 flex-1 basis-72" role="status">
        <p>{firedText(answer, noun)}</p>
        {limitsText(answer, noun, played).map((text) => (
          <p key={text} className="text-xs text-ink-2">
            {text}
          </p>
        ))}
        <BackTestDays days={perDay} />
      </div>
      {total > 0 && (
        <div className="min-w-0 basis-64">
          <ol aria-label="Most alerts" className="tabular-nums">
            {top.map(({ id, name, count, totalMs }) => (
              <li key={id} className="flex gap-3">
                <span className="min-w-0 flex-1 truncate">{name}</span>
                <span>{`${count}×`}</span>
                <span className="w-14 text-right text-ink-2">{formatSpan(totalMs / 1_000)}</span>
              </li>
            ))}
          </ol>
          {things > top.length && (
            <p className="text-xs text-ink-2">
              {estimate
                ? `Only the ${noun} that were played are listed.`
                : `and ${formatNumber(things - top.length)} more`}
            </p>
          )}
        </div>
      )}
    </>
  )
}
