import type { UpdateInfo, UpdatePlan, UpdateStatus } from '@pulse/contract'
import { useSyncExternalStore } from 'react'

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
