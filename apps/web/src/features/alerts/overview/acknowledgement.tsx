import {
  type Alert,
  postAlertAcknowledge,
  postAlertUnacknowledge,
  postBulkAcknowledge,
} from '@pulse/contract'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { useApi } from '../../../api/api.tsx'
import { useSession } from '../../../api/session.tsx'
import { log } from '../../../lib/log.ts'
import { useLive } from '../../../live/use-live.ts'
import { toast } from '../../../ui/toast.ts'
import { createPending, type PendingView } from './pending.ts'

export interface Acknowledgement {
  /** confirmed state, or the requested one until the server confirms it */
  isAcknowledged(alert: Pick<Alert, 'id' | 'acknowledged'>): boolean
  /** its button was just pressed */
  isBusy(id: string): boolean
  set(id: string, acknowledged: boolean): void
  setAll(ids: readonly string[]): void
  isBusyAll: boolean
}

const unconfirmed = 'Server did not confirm the alert acknowledgment in time. Re-syncing from latest data.'

const AcknowledgementContext = createContext<Acknowledgement | undefined>(undefined)

/** Wraps all sections, so that pending calls survive a change of section. */
export function AcknowledgementProvider({ children }: { children: ReactNode }) {
  return <AcknowledgementContext value={useAcknowledging()}>{children}</AcknowledgementContext>
}

export function useAcknowledgement(): Acknowledgement {
  const value = useContext(AcknowledgementContext)
  if (!value) throw new Error('AcknowledgementProvider is missing')
  return value
}

function useAcknowledging(): Acknowledgement {
  const api = useApi()
  const name = useSession().user?.name
  const [pending] = useState(() => createPending(() => toast.error(unconfirmed)))
  const view = useSyncExternalStore(pending.subscribe, pending.view)
  const [isBusyAll, setBusyAll] = useState(false)
  useEffect(() => pending.close, [pending])
  useConfirmed(view, pending.confirm)

  return useMemo((): Acknowledgement => {
    const body = { ...(name !== undefined && { user: name }) }

    const setOne = async (id: string, acknowledged: boolean) => {
      pending.begin([id], acknowledged, { locks: true })
      try {
        await (acknowledged
          ? api.call(postAlertAcknowledge, { params: { id }, body })
          : api.call(postAlertUnacknowledge, { params: { id }, body: undefined }))
        toast.success(acknowledged ? 'Alert acknowledged' : 'Alert restored')
      } catch (error) {
        log.warn('The alert could not be changed', error)
        pending.drop([id])
        toast.error(acknowledged ? 'Failed to acknowledge alert' : 'Failed to restore alert')
      } finally {
        pending.unlockSoon(id)
      }
    }

    const setAll = async (alertIds: readonly string[]) => {
      setBusyAll(true)
      pending.begin(alertIds, true)
      try {
        const results = []
        for (const some of requestsOf(alertIds))
          results.push(
            ...(await api.call(postBulkAcknowledge, { body: { alertIds: some, ...body } })).results,
          )
        const failed = results.filter(({ success }) => !success).map(({ alertId }) => alertId)
        pending.drop(failed)
        const done = results.length - failed.length
        if (done > 0) toast.success(`Acknowledged ${done} alert(s).`)
        if (failed.length > 0) toast.error(`Failed to acknowledge ${failed.length} alert(s).`)
      } catch (error) {
        log.warn('The alerts could not be acknowledged', error)
        pending.drop(alertIds)
        toast.error('Failed to acknowledge alerts')
      } finally {
        setBusyAll(false)
      }
    }

    return {
      isAcknowledged: ({ id, acknowledged }) => view.wanted.get(id) ?? acknowledged,
      isBusy: (id) => view.locked.has(id),
      set: (id, acknowledged) => void (view.locked.has(id) || setOne(id, acknowledged)),
      setAll: (ids) => void (isBusyAll || ids.length === 0 || setAll(ids)),
      isBusyAll,
    }
  }, [api, name, pending, view, isBusyAll])
}

/** A change is confirmed once the live state agrees, or no longer contains the alert. */
function useConfirmed(view: PendingView, confirm: (ids: readonly string[]) => void): void {
  const confirmed = useLive(['activeAlerts'], (live) =>
    [...view.wanted]
      .filter(([id, wanted]) => (live.get('activeAlerts', id)?.acknowledged ?? wanted) === wanted)
      .map(([id]) => id)
      .join('\n'),
  )
  useEffect(() => {
    if (confirmed) confirm(confirmed.split('\n'))
  }, [confirmed, confirm])
}

/** Ids per request: fits the body size limit at any id length. */
const mostAtOnce = 600

/** Splits many ids into requests. */
export function* requestsOf(ids: readonly string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += mostAtOnce) yield ids.slice(from, from + mostAtOnce)
}
