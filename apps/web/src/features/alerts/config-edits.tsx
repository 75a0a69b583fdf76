import { type AlertConfig, getAlertConfig, putAlertConfig } from '@pulse/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useLayoutEffect } from 'react'
import { useApi } from '../../api/api.tsx'
import { useLiveEvent, useReconnected } from '../../live/use-live.ts'
import { useEdited, useEditStore } from '../../parts/sections/edit-stores.tsx'
import { toSaved } from './saved-form.ts'

/** Edits of one thing that is stored, until they are saved or discarded with all the others. */
export interface Unsaved {
  isDirty: boolean
  /** Rejects with the reason; then the edits stay. */
  save(): Promise<void>
  /** Reloads the stored settings; rejects when that fails, and the edits stay. */
  discard(): Promise<void>
}

/** Made at once: what it changes is kept, and the same configuration is no edit. */
type Edit = (config: AlertConfig) => AlertConfig

export interface ConfigEdits extends Unsaved {
  /** as stored, with the edits; undefined until it was loaded */
  config: AlertConfig | undefined
  isActive: boolean | undefined
  /** why it is not there */
  error: Error | null
  change(edit: Edit): void
  reload(): Promise<unknown>
}

const EditsContext = createContext<ConfigEdits | undefined>(undefined)

/** Around all sections: leaving one for another loses no edits. */
export function ConfigEditsProvider({ children }: { children: ReactNode }) {
  return <EditsContext value={useEditing()}>{children}</EditsContext>
}

export function useConfigEdits(): ConfigEdits {
  const edits = useContext(EditsContext)
  if (!edits) throw new Error('ConfigEditsProvider is missing')
  return edits
}

/** Within a section, which is drawn only once the configuration is there. */
export function useConfig(): { config: AlertConfig; change: ConfigEdits['change'] } {
  const { config, change } = useConfigEdits()
  if (!config) throw new Error('The configuration is not loaded')
  return { config, change }
}

export const configKey = [getAlertConfig.path] as const

/** The two values of a threshold are one edit. */
const isThreshold = (value: object) => 'trigger' in value

function useEditing(): ConfigEdits {
  const api = useApi()
  const queries = useQueryClient()
  const store = useEditStore<AlertConfig>(getAlertConfig.path, isThreshold)
  const { shown, isDirty } = useEdited(store)
  const load = async ({ signal }: { signal?: AbortSignal } = {}) =>
    api.call(getAlertConfig, { query: { keys: 'stable' }, ...(signal && { signal }) })
  const { data, error, refetch } = useQuery({ queryKey: configKey, queryFn: load })
  useLayoutEffect(() => {
    if (data) store.rebase(data)
  }, [store, data])
  useReconnected(() => void refetch())
  useLiveEvent('alertConfigChanged', () => void refetch())

  return {
    config: data && (shown ?? data),
    isActive: data && data.activationState === 'active',
    error,
    isDirty,
    change: store.change,
    async save() {
      const stored = await store.save({
        load,
        async send(config) {
          const sent = toSaved(config)
          await api.call(putAlertConfig, { body: sent })
          return { ...config, ...sent }
        },
      })
      queries.setQueryData<AlertConfig>(configKey, stored)
      await queries.invalidateQueries({ queryKey: configKey })
    },
    async discard() {
      const { data: stored } = await refetch({ throwOnError: true })
      store.discard(stored)
    },
    reload: refetch,
  }
}
