import { type AlertConfig, getAlertConfig, putAlertConfig } from '@pulse/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useLayoutEffect } from 'react'
import { useApi } from '../../api/api.tsx'
import { useLiveEvent, useReconnected } from '../../live/use-live.ts'
import { useEdited, useEditStore } from '../../parts/sections/edit-stores.tsx'
import { toSaved } from './saved-form.ts'

/** Unsaved edits of one stored document. The banner saves or discards all documents together. */
export interface Unsaved {
  isDirty: boolean
  /** Rejects with the reason and keeps the edits. */
  save(): Promise<void>
  /** Reloads the stored settings. If that fails, rejects and keeps the edits. */
  discard(): Promise<void>
  /** Drops the edits without a reload: the page with them is left. */
  drop(): void
}

/** Applied immediately. An edit that changes nothing leaves no unsaved changes. */
type Edit = (config: AlertConfig) => AlertConfig

export interface ConfigEdits extends Unsaved {
  /** stored configuration with the edits applied; undefined until loaded */
  config: AlertConfig | undefined
  isActive: boolean | undefined
  /** why loading failed */
  error: Error | null
  change(edit: Edit): void
  reload(): Promise<unknown>
}

const EditsContext = createContext<ConfigEdits | undefined>(undefined)

/** Wraps all sections, so that edits survive a change of section. */
export function ConfigEditsProvider({ children }: { children: ReactNode }) {
  return <EditsContext value={useEditing()}>{children}</EditsContext>
}

export function useConfigEdits(): ConfigEdits {
  const edits = useContext(EditsContext)
  if (!edits) throw new Error('ConfigEditsProvider is missing')
  return edits
}

/** For use within a section: sections render only after the configuration has loaded. */
export function useConfig(): { config: AlertConfig; change: ConfigEdits['change'] } {
  const { config, change } = useConfigEdits()
  if (!config) throw new Error('The configuration is not loaded')
  return { config, change }
}

export const configKey = [getAlertConfig.path] as const

/** Trigger and clear value of a threshold are one edit. */
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
    drop: () => store.discard(),
    reload: refetch,
  }
}
