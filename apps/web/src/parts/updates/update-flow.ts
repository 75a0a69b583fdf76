import { type UpdateInfo, type UpdatePlan, type UpdateStatus, getUpdatePlan } from '@pulse/contract'
import { useSyncExternalStore, useEffect, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { log } from '../../lib/log.ts'

export interface WantedUpdate {
  info: UpdateInfo
  plan: UpdatePlan
}

/** Which dialog stands over the page, and what the server last said of an update, whoever began it. */
interface UpdateFlow {
  dialog: 'confirm' | 'progress' | undefined
  wanted: WantedUpdate | undefined
  progress: UpdateStatus | undefined
}

const nothing: UpdateFlow = { dialog: undefined, wanted: undefined, progress: undefined }
let current = nothing
const listeners = new Set<() => void>()

function set(fields: Partial<UpdateFlow>): void {
  current = { ...current, ...fields }
  for (const listener of listeners) listener()
}

export const confirmUpdate = (wanted: WantedUpdate) => set({ dialog: 'confirm', wanted })
/** It has begun: what was said of an earlier one is over. */
export const showProgress = () => set({ dialog: 'progress' })
export const closeUpdateDialog = () => set({ dialog: undefined })
/** Kept as it came. */
export const takeProgress = (progress: UpdateStatus | undefined) => set({ progress })
/** As in a page that was just loaded. */
export const resetUpdateFlow = () => set(nothing)

export const useUpdateFlow = (): UpdateFlow =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => current,
  )

const endings: readonly UpdateStatus['status'][] = ['idle', 'completed', 'error']
/** Found, and nobody has asked for it. */
const before: readonly UpdateStatus['status'][] = ['checking', 'available']

export const hasEnded = ({ status }: UpdateStatus): boolean => endings.includes(status)
export const isUnderWay = (progress: UpdateStatus | undefined): boolean =>
  progress !== undefined && !hasEnded(progress) && !before.includes(progress.status)

/** How that version gets here; undefined until known. A failure is only logged: without a plan nothing is offered. */
export function usePlan(info: UpdateInfo | undefined): UpdatePlan | undefined {
  const api = useApi()
  const [known, setKnown] = useState<{ of: string; plan: UpdatePlan }>()
  const version = info?.latestVersion
  const channel = info?.channel
  useEffect(() => {
    if (version === undefined || channel === undefined) return
    const gone = new AbortController()
    api.call(getUpdatePlan, { query: { version, channel }, signal: gone.signal }).then(
      (plan) => setKnown({ of: version, plan }),
      (error: unknown) => {
        if (!gone.signal.aborted) log.warn('The plan of the update could not be loaded', error)
      },
    )
    return () => gone.abort()
  }, [api, version, channel])
  return known?.of === version ? known?.plan : undefined
}
