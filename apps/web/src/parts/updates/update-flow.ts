import { type UpdateInfo, type UpdatePlan, type UpdateStatus, getUpdatePlan } from '@pulse/contract'
import { useSyncExternalStore, useEffect, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { load } from '../../api/load.ts'
import { createSignal } from '../../lib/signal.ts'

export interface WantedUpdate {
  info: UpdateInfo
  plan: UpdatePlan
}

/**
 * The open update dialog and the last update status, including that of an update that another user started.
 */
interface UpdateFlow {
  dialog: 'confirm' | 'progress' | undefined
  wanted: WantedUpdate | undefined
  progress: UpdateStatus | undefined
}

const nothing: UpdateFlow = { dialog: undefined, wanted: undefined, progress: undefined }
let current = nothing
const changed = createSignal()

function set(fields: Partial<UpdateFlow>): void {
  current = { ...current, ...fields }
  changed.emit()
}

export const confirmUpdate = (wanted: WantedUpdate) => set({ dialog: 'confirm', wanted })
/** Shows the progress of a running update. */
export const showProgress = () => set({ dialog: 'progress' })
export const closeUpdateDialog = () => set({ dialog: undefined })
/** Stores the status as received. */
export const takeProgress = (progress: UpdateStatus | undefined) => set({ progress })
/** Restores the initial state. */
export const resetUpdateFlow = () => set(nothing)

export const useUpdateFlow = (): UpdateFlow => useSyncExternalStore(changed.subscribe, () => current)

const endings: readonly UpdateStatus['status'][] = ['idle', 'completed', 'error']
/** An update was found but not started. */
const before: readonly UpdateStatus['status'][] = ['checking', 'available']

export const hasEnded = ({ status }: UpdateStatus): boolean => endings.includes(status)
export const isUnderWay = (progress: UpdateStatus | undefined): boolean =>
  progress !== undefined && !hasEnded(progress) && !before.includes(progress.status)

/**
 * The plan to install that version; undefined until loaded. A failure is only logged, because without a plan
 * no update is offered.
 */
export function usePlan(info: UpdateInfo | undefined): UpdatePlan | undefined {
  const api = useApi()
  const [known, setKnown] = useState<{ of: string; plan: UpdatePlan }>()
  const version = info?.latestVersion
  const channel = info?.channel
  useEffect(() => {
    if (version === undefined || channel === undefined) return
    return load(
      (signal) => api.call(getUpdatePlan, { query: { version, channel }, signal }),
      (plan) => setKnown({ of: version, plan }),
      'The update plan could not be loaded',
    )
  }, [api, version, channel])
  return known?.of === version ? known?.plan : undefined
}
